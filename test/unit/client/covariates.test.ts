import assert from 'node:assert/strict';
import { Capabilities } from '../../../src/client/capabilities.ts';
import { fitPoints } from '../../../src/client/fit.ts';
import { describeService } from '../../../src/service/http/openapi.ts';

const points = [
  {
    timestamp: '2024-01-01T00:00:00Z',
    value: 1,
    metadata: { time_zone: 'Europe/Berlin', covariates: { promo: true } },
  },
  { timestamp: '2024-01-02T00:00:00Z', value: null, metadata: { covariates: { promo: false } } },
  { timestamp: '2024-01-03T00:00:00Z', value: 3, metadata: { covariates: { promo: true } } },
  { timestamp: '2024-01-04T00:00:00Z', value: null, metadata: { covariates: { promo: true } } },
];

describe('points with covariates', () => {
  it('are sent whole where they are announced, as by the local service', () => {
    const offers = new Capabilities(JSON.parse(describeService()));
    assert.deepEqual(fitPoints(points, offers, 'createPrediction'), points);
  });

  it('are sent without covariates and future points to a service that does not announce them', () => {
    const sent = fitPoints(points, new Capabilities(undefined), 'createPrediction');
    assert.deepEqual(sent, [
      { timestamp: '2024-01-01T00:00:00Z', value: 1, metadata: { time_zone: 'Europe/Berlin' } },
      { timestamp: '2024-01-03T00:00:00Z', value: 3 },
    ]);
  });
});

import assert from 'node:assert/strict';
import { parseDuration } from '../../../../../src/calendar/frequency.ts';
import type { LocalPrediction } from '../../../../../src/contract/resources.ts';
import { Capabilities } from '../../../../../src/client/capabilities.ts';
import { startOf } from '../../../../../src/editor/views/chart/state.ts';
import { intervalLevels, controlsOf, horizonPicks, unitOf } from '../../../../../src/editor/views/chart/controls.ts';

const picks = (code: string) => horizonPicks(parseDuration(code)).map(({ label }) => label);

describe('controls of a chart', () => {
  it('suggests usual horizons for each frequency', () => {
    assert.deepEqual(picks('P1M'), ['3 months', '6 months', '12 months', '24 months', '36 months', '60 months']);
    assert.deepEqual(picks('P3M'), [
      '2 quarters',
      '4 quarters',
      '8 quarters',
      '12 quarters',
      '20 quarters',
      '40 quarters',
    ]);
    assert.deepEqual(picks('P1D'), ['7 days', '14 days', '28 days', '91 days', '183 days', '365 days']);
    assert.deepEqual(picks('PT1H'), ['6 hours', '24 hours', '168 hours', '336 hours', '672 hours', '2,192 hours']);
    assert.deepEqual(picks('PT15M'), ['1 hour', '6 hours', '1 day', '7 days', '14 days', '28 days']);
    assert.deepEqual(picks('PT1S'), ['1 minute', '10 minutes', '1 hour'], 'no further than 10,000 steps');
    assert.deepEqual(
      horizonPicks(undefined).map(({ steps }) => steps),
      [6, 12, 24, 52],
    );
  });

  it('names the unit of a step', () => {
    assert.equal(unitOf(parseDuration('P1M')), 'months');
    assert.equal(unitOf(parseDuration('PT15M')), 'steps of 15 minutes');
    assert.equal(unitOf(undefined), 'points');
  });

  const prediction = {
    id: 'p1',
    ai_model_id: 'theta',
    status: 'COMPLETED',
    input_series: [{ timestamp: '2020-01-01T00:00:00Z', value: 1, metadata: undefined }],
    prediction_series: [
      {
        timestamp: '2020-02-01T00:00:00Z',
        value: 1,
        metadata: { quantiles: { '0.025': 0, '0.1': 0, '0.5': 1, '0.9': 2, '0.975': 3 } },
      },
    ],
  } as unknown as LocalPrediction;

  it('gives the interval levels of a forecast', () => {
    assert.deepEqual(intervalLevels(prediction), [80, 95]);
  });

  it('omits controls that the service does not support', () => {
    const models = [{ id: 'ets', label: 'ETS', isTuned: false }];
    const chart = { ...startOf({ serviceId: 'local', predictionId: 'p1', former: ['p0'] }), prediction };
    const back = 'Back to the Previous Forecast';
    const bare = { horizon: undefined, model: undefined, intervals: undefined, columns: undefined, analyses: [], back };
    assert.deepEqual(controlsOf(chart, undefined, undefined), { ...bare, canCompare: false });
    const offers = new Capabilities(undefined);
    assert.deepEqual(controlsOf({ ...chart, offers }, undefined, undefined), { ...bare, canCompare: true });
    const properties = { prediction_length: { type: 'integer', maximum: 500 }, quantile_levels: { type: 'array' } };
    const content = { 'application/json': { schema: { type: 'object', properties } } };
    const paths = { '/predictions': { post: { requestBody: { content } } } };
    const controls = controlsOf({ ...chart, models, offers: new Capabilities({ paths }) }, undefined, undefined);
    assert.equal(controls.horizon?.most, 500);
    const hourly = controlsOf(
      { ...chart, offers: new Capabilities({ paths }) },
      parseDuration('PT1H'),
      undefined,
    ).horizon;
    assert.deepEqual(hourly?.picks.map(({ steps }) => steps), [6, 24, 168, 336]); // prettier-ignore
    assert.deepEqual(controls.intervals, [80, 95]);
    assert.deepEqual(
      controls.model?.choices.map(({ id }) => id),
      ['theta', 'ets'],
    );
  });
});

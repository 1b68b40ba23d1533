import assert from 'node:assert/strict';
import type { Decomposition, LocalPrediction } from '../../../src/contract/resources.ts';
import { LocalService, monthly } from './local-service.ts';

describe('decomposition of a prediction', () => {
  const local = new LocalService();
  const { call } = local;

  it('adds up to the series and to the forecast', async () => {
    const { body: made } = await call<LocalPrediction>('POST', '/predictions', { series: monthly });
    const { status, body } = await call<Decomposition>('GET', `/predictions/${made.id}/decomposition`);
    assert.equal(status, 200);
    assert.deepEqual(
      body.components.map(({ kind, period }) => [kind, period]),
      [['trend', undefined], ['seasonal', 12], ['remainder', undefined]], // prettier-ignore
    );
    const all = [...monthly, ...made.prediction_series!];
    assert.deepEqual([body.forecast_from, body.timestamps.length], [60, all.length]);
    all.forEach(({ value, timestamp }, index) => {
      assert.equal(Date.parse(body.timestamps[index]), Date.parse(timestamp));
      const sum = body.components.reduce((total, { values }) => total + values[index]!, 0);
      assert.ok(Math.abs(sum - value!) < 1e-9);
    });
  });

  it('is refused for a prediction without a forecast', async () => {
    const waiting = { series: [{ timestamp: '2020-01-01T00:00:00Z', value: null }] };
    const { body } = await call<LocalPrediction>('POST', '/predictions', waiting);
    assert.equal(body.status, 'FAILED');
    assert.equal((await call('GET', `/predictions/${body.id}/decomposition`)).status, 409);
    assert.equal((await call('GET', '/predictions/none/decomposition')).status, 404);
  });
});

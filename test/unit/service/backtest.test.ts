import assert from 'node:assert/strict';
import type { AnswerOf } from '../../../src/contract/operations.ts';
import type { Backtest, LocalDataset, LocalPrediction } from '../../../src/contract/resources.ts';
import { LocalService, monthly } from './local-service.ts';

describe('backtest of a prediction', () => {
  const local = new LocalService();
  const { call } = local;
  const predict = async (request: object) => (await call<LocalPrediction>('POST', '/predictions', request)).body;

  it('returns the folds behind its scores', async () => {
    const made = await predict({ series: monthly, prediction_length: 12, ai_model_id: 'theta' });
    const { status, body } = await call<Backtest>('GET', `/predictions/${made.id}/backtest`);
    assert.equal(status, 200);
    const { origins, horizon, mase, mase_seasonal_naive: naive, coverage80 } = made.details!.backtest!;
    assert.deepEqual([body.folds.length, body.horizon], [origins, horizon]);
    let [model, repeated, inside, count] = [0, 0, 0, 0];
    for (const { points, scale = NaN } of body.folds) {
      for (const { actual = NaN, value, seasonal_naive, quantiles = {} } of points) {
        count++;
        model += Math.abs(actual - value) / scale;
        repeated += Math.abs(actual - seasonal_naive) / scale;
        if (actual >= quantiles['0.1'] && actual <= quantiles['0.9']) inside++;
      }
    }
    assert.ok(Math.abs(model / count - mase!) < 1e-9);
    assert.ok(Math.abs(repeated / count - naive!) < 1e-9);
    assert.equal(inside / count, coverage80);
  });

  it('has the cutoff of each fold, the times after it and the observations there', async () => {
    const series = monthly.map((point, index) => (index === 50 ? { ...point, value: null } : point));
    const made = await predict({ series, prediction_length: 12, ai_model_id: 'theta' });
    const { body } = await call<Backtest>('GET', `/predictions/${made.id}/backtest?origins=1`);
    const [fold] = body.folds;
    assert.equal(fold.cutoff, '2022-12-01T00:00:00Z');
    assert.deepEqual([fold.points[0].timestamp, fold.points[0].actual], ['2023-01-01T00:00:00Z', monthly[48].value]);
    assert.deepEqual([fold.points[2].timestamp, fold.points[2].actual], ['2023-03-01T00:00:00Z', undefined]);
  });

  it('has the requested horizon and number of origins', async () => {
    const made = await predict({ series: monthly, prediction_length: 12, ai_model_id: 'theta' });
    const { body } = await call<Backtest>('GET', `/predictions/${made.id}/backtest?prediction_length=4&origins=5`);
    assert.deepEqual([body.horizon, body.folds.length], [4, 5]);
    const refused = await call('GET', `/predictions/${made.id}/backtest?origins=25`);
    assert.equal(refused.status, 422);
    assert.match(JSON.stringify(refused.body), /origins: Expected 24 or less\./);
  });

  it('has three origins by default, also for a prediction of a dataset', async () => {
    const { body: data } = await call<LocalDataset>('POST', '/datasets', { series: [{ series: monthly }] });
    const asked = { prediction_length: 12, ai_model_id: 'theta' };
    const made = await call<AnswerOf<'predictDataset'>>('POST', `/datasets/${data.id}/predictions`, asked);
    const { body } = await call<Backtest>('GET', `/predictions/${made.body.prediction_ids[0]}/backtest`);
    assert.equal(body.folds.length, 3);
  });

  it('names what is missing', async () => {
    assert.equal((await call('GET', '/predictions/none/backtest')).status, 404);
    const made = await predict({ series: monthly.slice(0, 3), prediction_length: 1, ai_model_id: 'seasonal-naive' });
    const { status, body } = await call('GET', `/predictions/${made.id}/backtest`);
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(JSON.stringify(body), /too short/);
  });
});

import assert from 'node:assert/strict';
import type { Backtest, CovariateTest, Decomposition, LocalPrediction } from '../../../../src/contract/resources.ts';
import { LocalService } from '../local-service.ts';

const day = (i: number): string => new Date(Date.UTC(2024, 0, 1 + i)).toISOString();
const history = 150;
const promo = (i: number): boolean => (i * 7) % 11 < 2;

/** Daily sales, doubled by promotions; what is known of the next ten days is in points without a value. */
const sales = (ahead = 10) =>
  Array.from({ length: history + ahead }, (_, i) => ({
    timestamp: day(i),
    value: i < history ? 100 + 5 * (i % 7) + (promo(i) ? 100 : 0) + ((i * 13) % 5) : null,
    metadata: { covariates: { promo: promo(i), sky: (i * i) % 3 === 0 ? 'rain' : 'sun' } },
  }));

describe('covariates of a prediction', () => {
  const local = new LocalService();

  it('are used if they help, with details', async () => {
    const { status, body } = await local.call<LocalPrediction>('POST', '/predictions', { series: sales() });
    assert.equal(status, 201);
    const points = body.prediction_series!;
    assert.equal(points.length, 10, 'as far ahead as something is known');
    assert.equal(points[0].timestamp, day(history).replace('.000', ''));
    const mean = (wanted: boolean): number => {
      const some = points.filter((_, i) => promo(history + i) === wanted).map(({ value }) => value!);
      return some.reduce((sum, value) => sum + value / some.length, 0);
    };
    assert.ok(mean(true) > 1.6 * mean(false));
    const { used, offered, backtest } = body.details!.covariates!;
    assert.deepEqual(offered, ['promo', 'sky']);
    const effect = used.find(({ name }) => name === 'promo')!;
    assert.ok(Math.abs(effect.effect - 100) < 25, String(effect.effect));
    assert.ok(backtest!.mae < 0.5 * backtest!.mae_without && backtest!.mase! < backtest!.mase_without!);
    assert.equal(body.details!.points, history);
  });

  it('are not used for a decomposition or backtest of a forecast made without them', async () => {
    const request = { series: sales(), ai_model_id: 'theta' };
    const { body: made } = await local.call<LocalPrediction>('POST', '/predictions', request);
    const { body: parts } = await local.call<Decomposition>('GET', `/predictions/${made.id}/decomposition`);
    assert.equal(parts.forecast_from, history);
    assert.equal(parts.timestamps.length, history + 10);
    const { body: tested } = await local.call<Backtest>('GET', `/predictions/${made.id}/backtest`);
    assert.ok(tested.folds.every(({ points }) => points.every(({ actual }) => actual !== undefined)));
  });

  it('are used in a backtest', async () => {
    const bare = sales().flatMap(({ timestamp, value }) => (value === null ? [] : [{ timestamp, value }]));
    const errors: number[] = [];
    const origins: string[][] = [];
    for (const series of [sales(), bare]) {
      const request = { series, prediction_length: 10 };
      const { body: made } = await local.call<LocalPrediction>('POST', '/predictions', request);
      const { body } = await local.call<Backtest>('GET', `/predictions/${made.id}/backtest`);
      const steps = body.folds.flatMap(({ points }) => points);
      errors.push(steps.reduce((sum, { actual = NaN, value }) => sum + Math.abs(actual - value) / steps.length, 0));
      origins.push(body.folds.map(({ cutoff }) => cutoff));
    }
    assert.ok(errors[0] < 0.5 * errors[1], errors.join(' '));
    assert.deepEqual(origins[0], origins[1]);
  });

  it('are components that add up to the series and the forecast', async () => {
    const series = sales();
    const { body: made } = await local.call<LocalPrediction>('POST', '/predictions', { series });
    const { body } = await local.call<Decomposition>('GET', `/predictions/${made.id}/decomposition`);
    const kinds = body.components.map(({ kind, names }) => [kind, ...(names ?? [])].join(' '));
    assert.ok(kinds.includes('covariate promo'), kinds.join());
    const first = Date.parse(body.timestamps[0]);
    const values = [...series.slice(0, history), ...made.prediction_series!].filter(
      ({ timestamp }) => Date.parse(timestamp) >= first,
    );
    assert.equal(values.length, body.timestamps.length);
    values.forEach(({ value }, index) => {
      const sum = body.components.reduce((total, part) => total + part.values[index]!, 0);
      assert.ok(Math.abs(sum - value!) < 1e-9);
    });
    const added = body.components.find(({ names }) => names?.includes('promo'))!.values;
    const start = history - body.forecast_from;
    const mean = (wanted: boolean) => {
      const some = added.filter((_, i) => promo(start + i) === wanted).map(Number);
      return some.reduce((sum, value) => sum + value / some.length, 0);
    };
    assert.ok(Math.abs(mean(true) - 100) < 20 && Math.abs(mean(false)) < 10, `${mean(true)} ${mean(false)}`);
  });

  it('may end with the values if the horizon is given', async () => {
    const request = { series: sales(0), prediction_length: 3 };
    const { body } = await local.call<LocalPrediction>('POST', '/predictions', request);
    assert.equal(body.prediction_series!.length, 3);
    assert.ok(body.prediction_series!.every(({ value }) => Number.isFinite(value)));
  });

  it('are tested for their gain without a forecast', async () => {
    const { status, body } = await local.call<CovariateTest>('POST', '/covariate_tests', { series: sales() });
    assert.equal(status, 200);
    const helps = Object.fromEntries(body.covariates.map(({ name, helps }) => [name, helps]));
    assert.equal(helps.promo, true);
    assert.deepEqual(Object.keys(helps), ['promo', 'sky']);
    assert.ok(body.backtest!.mae < 0.5 * body.backtest!.mae_without);
    const bare = sales(0).map(({ timestamp, value }) => ({ timestamp, value }));
    const none = await local.call<CovariateTest>('POST', '/covariate_tests', { series: bare });
    assert.deepEqual(none.body, { covariates: [] });
    const empty = sales().map((point) => ({ ...point, value: null }));
    const nothing = await local.call<CovariateTest>('POST', '/covariate_tests', { series: empty });
    assert.deepEqual([nothing.status, nothing.body], [200, { covariates: [] }]);
  });

  it('must be numbers, Booleans or words', async () => {
    const series = [{ timestamp: day(0), value: 1, metadata: { covariates: { promo: [1] } } }];
    const { status } = await local.call('POST', '/predictions', { series });
    assert.equal(status, 422);
  });

  it('do not change a series without them', async () => {
    const series = sales(0).map(({ timestamp, value }) => ({ timestamp, value }));
    const { body } = await local.call<LocalPrediction>('POST', '/predictions', { series });
    assert.equal(body.details!.covariates, undefined);
  });
});

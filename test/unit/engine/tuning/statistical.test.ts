import assert from 'node:assert/strict';
import { EngineError, UnusableDatasetError, type TunedParameters } from '../../../../src/engine/types.ts';
import { forecast } from '../../../../src/engine/forecast.ts';
import { tuneNeural } from '../../../../src/engine/tuning/neural.ts';
import { leastContext, tune } from '../../../../src/engine/tuning/hold-outs.ts';
import { backtest, noise, series, wave } from '../series-helper.ts';

/** Series that grow ever more slowly, which a full trend overshoots. */
function saturating(count: number) {
  return Array.from({ length: count }, (_, k) => {
    const random = noise(100 + k);
    return { values: series(40, (i) => 100 * (1 - Math.exp(-i / (8 + k))) + 0.4 * random()), periods: [] };
  });
}

describe('statistical tuning on a dataset', () => {
  it('finds settings that improve the dataset’s forecasts', () => {
    const result = tune('theta', saturating(12), { horizon: 8 });
    assert.equal(result.series, 12);
    assert.ok(result.mase < result.baseMase, `${String(result.mase)} of ${String(result.baseMase)}`);
  });

  it('is never worse than the default settings on the holdout', () => {
    for (const id of ['ensemble', 'theta', 'ets', 'seasonal-naive']) {
      const random = noise(7);
      const dataset = Array.from({ length: 6 }, () => ({
        values: series(48, (i) => 20 + 3 * wave(i, 4) + 2 * random()),
        periods: [4],
      }));
      const { mase, baseMase } = tune(id, dataset, { horizon: 4 });
      assert.ok(mase <= baseMase, id);
    }
  });

  it('gives parameters that survive JSON and change the forecast', () => {
    const dataset = saturating(12);
    const { parameters } = tune('theta', dataset, { horizon: 8 });
    const again = JSON.parse(JSON.stringify(parameters)) as TunedParameters;
    const input = { values: dataset[0].values, periods: [], horizon: 8, levels: [0.1, 0.9] };
    const tuned = forecast('theta', input, again);
    assert.deepEqual(tuned, forecast('theta', input, parameters));
    assert.notDeepEqual(tuned, forecast('theta', input));
    assert.ok(backtest('theta', input, {}, again));
  });

  it('uses only the context', () => {
    const values = series(200, (i) => (i < 150 ? 1000 - i : 10 + (i % 2)));
    const short = tune(
      'theta',
      [{ values: values.slice(140) }].map((s) => ({ ...s, periods: [] })),
      {
        horizon: 4,
        contextLength: 20,
      },
    );
    const long = tune('theta', [{ values, periods: [] }], { horizon: 4, contextLength: 20 });
    assert.deepEqual(long.parameters, short.parameters);
  });

  it('compares a short-context model with the full-context base', () => {
    const dataset = [1, 2, 3].map((k) => ({
      values: series(72, (i) => 100 * k + 20 * Math.sin((2 * Math.PI * i) / 12)),
      periods: [12],
    }));
    const { baseMase, mase } = tune('theta', dataset, { horizon: 6, contextLength: 7 });
    assert.ok(mase > 1.5 * baseMase, `${mase} of ${baseMase}`);
  });

  it('leaves out series that cannot be scored', () => {
    const dataset = [
      { values: Float64Array.of(1, 2, 3), periods: [] },
      { values: series(30, () => 5), periods: [] },
      { values: series(30, () => Number.NaN), periods: [] },
      { values: series(30, (i) => i % 7), periods: [] },
    ];
    assert.equal(tune('theta', dataset, { horizon: 4 }).series, 1);
  });

  it('explains why nothing can be scored', () => {
    const short = { values: Float64Array.of(1, 2, 3), periods: [] };
    const constant = { values: series(30, () => 5), periods: [] };
    const empty = { values: series(30, () => Number.NaN), periods: [] };
    const fails = (dataset: Parameters<typeof tune>[1], message: RegExp) => {
      assert.throws(
        () => tune('theta', dataset, { horizon: 4 }),
        (error) => error instanceof UnusableDatasetError && message.test(error.message),
      );
    };
    fails([short], /^few_observations 4 4$/);
    fails([empty], /^few_observations/);
    fails([short, constant], /^no_change/);
  });

  it('names the shortest possible context', () => {
    const dataset = saturating(3);
    for (const id of ['theta', 'ensemble']) {
      const contextLength = leastContext(id);
      assert.equal(tune(id, dataset, { horizon: 4, contextLength }).series, 3);
      assert.throws(() => tune(id, dataset, { horizon: 4, contextLength: contextLength - 1 }), UnusableDatasetError);
    }
    const contextLength = leastContext('hybrid');
    assert.equal(tuneNeural(dataset, { horizon: 4, contextLength, maxEpochs: 0 }).series, 3);
    assert.throws(
      () => tuneNeural(dataset, { horizon: 4, contextLength: contextLength - 1, maxEpochs: 0 }),
      UnusableDatasetError,
    );
  });

  it('reports its progress', () => {
    const fractions: number[] = [];
    tune('theta', saturating(3), { horizon: 4, onProgress: (fraction) => fractions.push(fraction) });
    assert.equal(fractions.at(-1), 1);
    assert.ok(fractions.every((fraction, i) => i === 0 || fraction >= fractions[i - 1]));
  });

  it('refuses an unknown model and an empty horizon', () => {
    assert.throws(() => tune('oracle', saturating(1), { horizon: 4 }), EngineError);
    assert.throws(() => tune('theta', saturating(1), { horizon: 0 }), RangeError);
  });
});

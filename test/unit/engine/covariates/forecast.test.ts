import assert from 'node:assert/strict';
import { backtestFolds, forecast } from '../../../../src/engine/forecast.ts';
import {
  backtestWithCovariates,
  contributionsOf,
  forecastWithCovariates,
} from '../../../../src/engine/covariates/forecast.ts';
import { covariateOf } from '../../../../src/engine/covariates/effect.ts';
import { Random } from '../../../bench/training/random.ts';

const horizon = 14;
const history = 300;
const levels = [0.1, 0.5, 0.9];

/** Daily sales with a week, doubled by promotions, and higher the warmer it is above 15 degrees. */
function sales() {
  const random = new Random(3);
  const length = history + horizon;
  const promo = Float64Array.from({ length }, () => (random.chance(0.2) ? 1 : 0));
  const warmth = Float64Array.from(
    { length },
    (_, i) => 12 + 10 * Math.sin((2 * Math.PI * i) / 365) + 4 * random.normal(),
  );
  const values = Float64Array.from(
    { length },
    (_, i) =>
      100 +
      15 * Math.sin((2 * Math.PI * i) / 7) +
      60 * promo[i] +
      4 * Math.max(0, warmth[i] - 15) +
      3 * random.normal(),
  );
  return { values, promo, warmth };
}

const { values, promo, warmth } = sales();
const input = { values: values.slice(0, history), periods: [7, 365.25], horizon, levels };
const actual = values.subarray(history);
const error = (point: Float64Array): number =>
  point.reduce((sum, value, i) => sum + Math.abs(value - actual[i]) / horizon, 0);

describe('forecast with covariates', () => {
  it('follows promotions and a bend, and reports their effects', () => {
    const covariates = [
      { name: 'promo', values: promo },
      { name: 'warmth', values: warmth },
    ];
    const result = forecastWithCovariates('hybrid', input, covariates);
    assert.ok(error(result.point) < 0.4 * error(forecast('hybrid', input).point));
    const report = result.covariates!;
    assert.ok(report.errorWith < 0.6 * report.errorWithout);
    const effects = new Map(report.used.map((each) => [each.name, each.effect]));
    assert.ok(Math.abs(effects.get('promo')! - 60) < 12, String(effects.get('promo')));
    assert.ok(effects.get('warmth')! > 5);
    result.point.forEach((value, i) => {
      assert.ok(result.quantiles[0][i] < value && value < result.quantiles[2][i]);
    });
  });

  it('equals the plain forecast if the covariates do not help', () => {
    const random = new Random(5);
    const noise = Array.from({ length: 10 }, (_, k) => ({
      name: `noise ${k}`,
      values: Float64Array.from(values, () => random.normal()),
    }));
    const result = forecastWithCovariates('hybrid', input, noise);
    assert.deepEqual(result.point, forecast('hybrid', input).point);
  });

  it('forecasts missing future covariates, with a wider interval', () => {
    const known = { name: 'warmth', values: warmth };
    const steady = { name: 'promo', values: promo };
    const cut = { name: 'promo', values: promo.map((value, i) => (i < history ? value : Number.NaN)) };
    const full = forecastWithCovariates('hybrid', input, [known, steady]);
    const open = forecastWithCovariates('hybrid', input, [known, cut]);
    const width = ({ quantiles: [low, , high] }: { quantiles: readonly Float64Array[] }): number =>
      high.reduce((sum, value, i) => sum + value - low[i], 0);
    assert.ok(open.point.every(Number.isFinite));
    assert.ok(width(open) > 1.5 * width(full));
  });

  it('is backtested at the same origins as the plain forecast, with smaller errors', () => {
    const covariates = [
      { name: 'promo', values: promo },
      { name: 'warmth', values: warmth },
    ];
    const alone = backtestFolds('hybrid', input)!;
    const tested = backtestWithCovariates('hybrid', input, covariates)!;
    const errorOf = ({ folds }: typeof alone) =>
      folds.reduce((sum, { end, point }) => sum + point.reduce((all, value, i) => all + Math.abs(value - values[end + i]), 0), 0); // prettier-ignore
    assert.deepEqual(
      tested.folds.map(({ end }) => end),
      alone.folds.map(({ end }) => end),
    );
    assert.ok(errorOf(tested) < 0.6 * errorOf(alone));
    for (const { point, quantiles } of tested.folds) {
      point.forEach((value, i) => {
        assert.ok(quantiles[0][i] < value && value < quantiles[2][i]);
      });
    }
    const noise = { name: 'noise', values: Float64Array.from(values, (_, i) => (i * 7919) % 31) };
    assert.deepEqual(backtestWithCovariates('hybrid', input, [noise]), alone);
  });

  it('reports the effect of each covariate beside the usual level', () => {
    const covariates = [
      { name: 'promo', values: promo },
      { name: 'warmth', values: warmth },
      { name: 'noise', values: Float64Array.from(values, (_, i) => (i * 7919) % 31) },
    ];
    const { point } = forecastWithCovariates('hybrid', input, covariates);
    const added = contributionsOf('hybrid', input, covariates, point, (name) => name);
    const [ofPromo] = added.filter(({ names: [name] }) => name === 'promo');
    const mean = (on: number) => {
      const some = ofPromo.values.filter((_, i) => promo[i] === on);
      return some.reduce((sum, value) => sum + value / some.length, 0);
    };
    assert.ok(Math.abs(mean(1) - 60) < 15 && Math.abs(mean(0)) < 6, `${mean(1)} ${mean(0)}`);
    assert.equal(ofPromo.values.length, history + horizon);
    assert.deepEqual(contributionsOf('hybrid', input, [covariates[2]], point, String), []);
  });

  it('groups the covariates beyond the eighth', () => {
    const many = Array.from({ length: 12 }, (_, k) => ({
      name: `c${k}`,
      values: promo.map((value, i) => value * (1 + ((i * (k + 3)) % 7))),
    }));
    const { point } = forecastWithCovariates('hybrid', input, many);
    const added = contributionsOf('hybrid', input, many, point, String);
    assert.ok(added.length <= 8 && new Set(added.flatMap(({ names }) => names)).size === added.flatMap(({ names }) => names).length); // prettier-ignore
  });

  it('does not use covariates for a series that is too short', () => {
    const short = { ...input, values: input.values.slice(0, 6), horizon: 2 };
    const result = forecastWithCovariates('hybrid', short, [{ name: 'promo', values: promo }]);
    assert.deepEqual(result.point, forecast('hybrid', short).point);
  });

  it('accepts gaps, a constant column, no column and a column that ends early', () => {
    const gappy = { ...input, values: input.values.map((value, i) => (i % 37 === 0 ? Number.NaN : value)) };
    const covariates = [
      { name: 'promo', values: promo.map((value, i) => (i % 41 === 0 ? Number.NaN : value)) },
      { name: 'constant', values: promo.map(() => 3) },
      { name: 'empty', values: new Float64Array(history).fill(Number.NaN) },
      { name: 'early', values: warmth.slice(0, 300) },
    ];
    const result = forecastWithCovariates('hybrid', gappy, covariates);
    assert.ok(result.point.every(Number.isFinite) && result.quantiles.every((row) => row.every(Number.isFinite)));
    assert.ok(result.covariates!.used.some(({ name }) => name === 'promo'));
    assert.ok(!result.covariates!.used.some(({ name }) => name === 'constant' || name === 'empty'));
    assert.equal(forecastWithCovariates('hybrid', input, []).covariates, undefined);
  });

  it('is finite with ordered quantiles for any numbers', () => {
    const huge = { ...input, values: input.values.map((value, i) => (i % 50 === 0 ? 1e300 : value)) };
    const wild = [
      { name: 'huge', values: promo.map((value) => value * 1e305) },
      { name: 'tiny', values: warmth.map((value) => value * 1e-300) },
      { name: 'promo', values: promo },
    ];
    for (const asked of [input, huge, { ...input, values: input.values.map((value) => value * 1e300) }]) {
      const { point, quantiles } = forecastWithCovariates('hybrid', asked, wild);
      assert.ok([point, ...quantiles].every((row) => row.every(Number.isFinite)));
      point.forEach((_, i) => {
        assert.ok(quantiles[0][i] <= quantiles[1][i] && quantiles[1][i] <= quantiles[2][i]);
      });
    }
  });

  it('is not negative if the history is not', () => {
    const scarce = { ...input, values: input.values.map((value) => Math.max(0, value - 110)) };
    const result = forecastWithCovariates('hybrid', scarce, [{ name: 'promo', values: promo }]);
    assert.ok(result.point.every((value) => value >= 0) && result.quantiles[0].every((value) => value >= 0));
  });
});

describe('covariate cells', () => {
  it('are numbers, Booleans and numerals', () => {
    assert.deepEqual(covariateOf('price', [1, '2.5', null]), [
      { name: 'price', values: Float64Array.of(1, 2.5, Number.NaN) },
    ]);
    assert.deepEqual(covariateOf('promo', [true, false, '']), [
      { name: 'promo', values: Float64Array.of(1, 0, Number.NaN) },
    ]);
  });

  it('with words become one covariate for each less frequent word', () => {
    assert.deepEqual(covariateOf('sky', ['sun', 'rain', 'sun', null]), [
      { name: 'sky = rain', values: Float64Array.of(0, 1, 0, Number.NaN) },
    ]);
  });

  it('with a single value or unique words give no covariate', () => {
    assert.deepEqual(covariateOf('shop', ['a', 'a']), []);
    assert.deepEqual(covariateOf('shop', [1, 1, null]), []);
    assert.deepEqual(
      covariateOf(
        'note',
        Array.from({ length: 30 }, (_, i) => `note ${i}`),
      ),
      [],
    );
  });
});

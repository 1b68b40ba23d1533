import assert from 'node:assert/strict';
import { unfitted, weighedForecast, type Expert } from '../../../../src/engine/ensemble/weighed.ts';
import type { Limits } from '../../../../src/engine/ensemble/plausible.ts';
import { prepareSeries, type Series } from '../../../../src/engine/prepare/series.ts';
import { noise, series } from '../series-helper.ts';

const random = noise(31);
const truth = (i: number) => 1 + 0.01 * i;
/** Between 1 and 4, so that its unit is about 1. */
const raw = series(200, truth);
const prepared = prepareSeries(raw, []);
const horizon = 10;
const nowhere: Limits = {
  low: new Float64Array(horizon).fill(-Infinity),
  high: new Float64Array(horizon).fill(Infinity),
  reach: new Float64Array(horizon).fill(Infinity),
};

/** Knows the future but for an error. */
const expert = (name: string, error: (step: number, length: number) => number): Expert => ({
  name,
  fit: unfitted(({ values, unit }: Series, steps) =>
    series(steps, (i) => (truth(values.length + i) + error(i, values.length)) / unit),
  ),
});
const never: Expert = { name: 'never', fit: unfitted(() => undefined) };
const ask = (experts: readonly Expert[], limits = nowhere) => weighedForecast(experts, prepared, horizon, limits, 80);
const misses = (point: Float64Array) => [...point].map((value, i) => value * prepared.unit - truth(200 + i));
const near = (actual: readonly number[], expected: number, tolerance: number) => {
  actual.forEach((value) => assert.ok(Math.abs(value - expected) <= tolerance, `${actual} instead of ${expected}`));
};

describe('experts that are weighed by their past', () => {
  it('follow the one that has been right, however many have not', () => {
    const wrong = [0.5, 0.6, 0.7, 0.8, -0.9].map((by, k) => expert(`wrong-${k}`, () => by));
    const { point, errors } = ask([...wrong, expert('right', () => 0.001)])!;
    near(misses(point), 0.001, 1e-6);
    errors.forEach((row) => near([...row], -0.001 / prepared.unit, 1e-6));
  });

  it('outvote the one that errs now, although it was as good as the others before', () => {
    const good = [-0.02, 0, 0.02].map((by, k) => expert(`good-${k}`, () => by));
    const astray = expert('astray', (_, length) => (length === 200 ? 50 : 0.01));
    near(misses(ask([...good, astray])!.point), 0, 0.03);
  });

  it('have errors as they would have been, each origin judged by the others', () => {
    // The first was the better one but at the latest origin, where nobody could have known.
    const before = expert('before', (_, length) => (length === 190 ? 3 : 0.3));
    const lately = expert('lately', (_, length) => (length === 190 ? 0.01 : 0.5));
    const { errors, point } = ask([before, lately])!;
    assert.equal(errors.length, 4);
    near([...errors[0]], -3 / prepared.unit, 1e-9);
    errors.slice(1).forEach((row) => near([...row], -0.5 / prepared.unit, 1e-9));
    near(misses(point), 0.5, 1e-9);
  });

  it('leave those out that have no forecast, or none of numbers, and name the others', () => {
    const broken = expert('broken', () => Number.NaN);
    const { point, forecasts } = ask([never, broken, expert('one', () => 0.1)])!;
    assert.deepEqual(
      forecasts.map(({ name }) => name),
      ['one'],
    );
    near(misses(point), 0.1, 1e-9);
    assert.equal(ask([never, broken]), undefined);
  });

  it('count one that could not be judged like the worst', () => {
    const young = expert('young', (_, length) => (length < 200 ? Number.NaN : 9));
    const [good, bad] = [expert('good', () => 0.05), expert('bad', () => -3)];
    near(misses(ask([young, good, bad])!.point), 0.05, 1e-6);
  });

  it('share the middle where they are all perfect', () => {
    near(misses(ask([expert('a', () => 0), expert('b', () => 0), never])!.point), 0, 1e-9);
  });

  it('are kept within what is plausible', () => {
    const limits = { ...nowhere, high: new Float64Array(horizon).fill(2.5 / prepared.unit) };
    const { point, forecasts } = ask([expert('one', () => 0), expert('two', () => 2)], limits)!;
    for (const row of [point, ...forecasts.map(({ forecast }) => forecast)]) {
      assert.ok(row.every((value) => value * prepared.unit <= 2.5 + 1e-9));
    }
  });

  it('are not judged by what was filled in', () => {
    const holed = raw.map((value, i) => (i >= 191 && i < 199 ? Number.NaN : value));
    // Far off where nobody knows.
    const better = expert('better', (i, length) => (length + i >= 191 && length + i < 199 ? 5 : 0.05));
    const worse = expert('worse', () => 0.3);
    const { errors, point } = weighedForecast([better, worse], prepareSeries(holed, []), horizon, nowhere, 80)!;
    assert.equal(errors[0].filter(Number.isNaN).length, 8);
    near([errors[0][0], errors[0][9], ...errors[1]], -0.05 / prepared.unit, 1e-9);
    near(misses(point), 0.05, 1e-9);
  });

  it('see nothing of what they are judged by, with parameters from before all of it', () => {
    const fitted: number[] = [];
    const seen = new Set<number>();
    const watching: Expert = {
      name: 'watching',
      fit: (history) => {
        fitted.push(history.values.length);
        return ({ values, observedValues, seasons }, steps) => {
          assert.equal(observedValues.length, values.length);
          assert.equal(seasons.adjusted.length, values.length);
          seen.add(values.length);
          return new Float64Array(steps).fill(values[values.length - 1]);
        };
      },
    };
    const noisy = prepareSeries(
      series(300, (i) => 20 + 5 * Math.sin((2 * Math.PI * i) / 12) + random()),
      [12],
    );
    weighedForecast([watching], noisy, horizon, nowhere, 80);
    assert.deepEqual(fitted.sort(), [260, 300]);
    assert.deepEqual([...seen].sort(), [260, 270, 280, 290, 300]);
  });

  it('need a history before four origins, which shrinks the stretches they are judged by first', () => {
    const one = [expert('one', () => 0)];
    assert.equal(weighedForecast(one, prepared, horizon, nowhere, 180)!.errors[0].length, 5);
    assert.equal(weighedForecast(one, prepared, horizon, nowhere, 190), undefined);
  });
});

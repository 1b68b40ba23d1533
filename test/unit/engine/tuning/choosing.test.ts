import assert from 'node:assert/strict';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import {
  evidenceOf,
  independentSeries,
  shareOf,
  subsample,
  winsorizer,
  type HoldOut,
  type TrainingSeries,
} from '../../../../src/engine/tuning/hold-outs.ts';
import { tuneNeural } from '../../../../src/engine/tuning/neural.ts';
import { Random } from '../../../../src/engine/random.ts';

const seriesOf = (length: number, at: (i: number) => number = (i) => i % 5): TrainingSeries => ({
  values: Float64Array.from({ length }, (_, i) => at(i)),
  periods: [],
});

describe('reason why a net cannot be trained on a dataset', () => {
  const reason = (dataset: readonly TrainingSeries[], contextLength: number, message: RegExp): void => {
    assert.throws(() => tuneNeural(dataset, { horizon: 12, contextLength }), message);
  };

  it('is a context that is too short for any series', () => {
    reason([seriesOf(100)], 5, /short_context 5 6$/);
  });

  it('is too few observations, also in a long series that is mostly missing', () => {
    reason([seriesOf(17), seriesOf(3)], 100, /few_observations 12 6$/);
    const gappy = seriesOf(200, (i) => (i % 40 === 0 || i > 187 ? i : NaN));
    reason([gappy], 100, /few_observations/);
  });

  it('is otherwise that nothing changes', () => {
    reason([seriesOf(17), seriesOf(18, () => 4)], 100, /no_change 12$/);
  });
});

describe('scored holdouts', () => {
  const values = Float64Array.of(1, 2, 4, 3, 5, 7);
  const series = prepareSeries(values, []);
  const holdOutsOf = (count: number): HoldOut[] =>
    Array.from({ length: count }, (_, index) => ({
      index,
      origin: 0,
      before: values,
      seen: values,
      after: Float64Array.of(1),
      periods: [],
      series,
      whole: series,
      future: Float64Array.of(1),
      scale: 1,
    }));

  it('are all of a small dataset', () => {
    const few = holdOutsOf(500);
    assert.deepEqual(subsample(few), few);
    assert.deepEqual(subsample([]), []);
  });

  it('are 500 evenly spaced ones of a large dataset', () => {
    for (const count of [501, 749, 5000, 12345]) {
      const places = subsample(holdOutsOf(count)).map(({ index }) => index);
      assert.equal(new Set(places).size, 500);
      assert.equal(places[0], 0);
      assert.ok(places[499] >= count - count / 500 - 1);
      const gaps = places.slice(1).map((place, i) => place - places[i]);
      assert.ok(Math.max(...gaps) - Math.min(...gaps) <= 1);
    }
  });

  it('are winsorized at ten times the median of the first scores', () => {
    const tamed = winsorizer(Float64Array.of(1, 2, 3, 400, 0.5));
    assert.deepEqual(tamed(Float64Array.of(19, 20, 21, 1e9)), Float64Array.of(19, 20, 20, 20));
  });

  it('count even if most first scores are zero', () => {
    const tamed = winsorizer(Float64Array.of(0, 0, 0, 2, 4));
    assert.deepEqual(tamed(Float64Array.of(0, 1, 29, 31)), Float64Array.of(0, 1, 29, 30));
    assert.deepEqual(winsorizer(new Float64Array(3))(Float64Array.of(0, 5)), Float64Array.of(0, 5));
  });
});

describe('evidence of a gain', () => {
  const base = (count: number): Float64Array => new Float64Array(count).fill(1);
  const once = (count: number): number[] => new Array<number>(count).fill(0);
  /** Two times, each of half of the series. */
  const halves = (count: number): number[] => Array.from({ length: count }, (_, i) => (2 * i < count ? 0 : 1));
  const alternating = (count: number, gain: number, off: number): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => 1 - gain + (i % 2 === 0 ? off : -off));
  const near = (value: number, expected: number): void => {
    assert.ok(Math.abs(value - expected) < 1e-3 * expected, `${value} is not ${expected}`);
  };

  it('is in standard errors over series and times, and smaller with few series', () => {
    // 50 series at two times: 0.1 / √98 between series, nothing between times, and 1.1 for as few as 50
    near(evidenceOf(alternating(100, 0.05, 0.1), base(100), halves(100)), 0.05 / (1.1 * (0.1 / Math.sqrt(98))));
    const few = evidenceOf(alternating(10, 0.05, 0.1), base(10), halves(10));
    assert.ok(few > 0 && few < 1, `${few}`);
  });

  it('is halved at a single time, and zero if two times contradict each other', () => {
    const scores = alternating(100, 0.05, 0.1);
    near(evidenceOf(scores, base(100), once(100)), 0.05 / (1.05 * 2 * (0.1 / Math.sqrt(99))));
    const minds = Float64Array.from({ length: 100 }, (_, i) => (i < 50 ? 0.5 : 1.3));
    assert.ok(evidenceOf(minds, base(100), halves(100)) < 1);
    const worse = minds.map((score) => score + 0.3);
    assert.equal(evidenceOf(worse, base(100), halves(100)), 0);
  });

  it('is smaller for series with similar errors', () => {
    const [apart, alike] = [Infinity, 5].map((independent) =>
      evidenceOf(alternating(100, 0.05, 0.1), base(100), halves(100), independent),
    );
    near(alike, apart / Math.sqrt(10));
  });

  it('is zero for copies of one series at a single time', () => {
    const scores = base(10).fill(0.97);
    assert.equal(evidenceOf(scores, base(10), once(10), 1), 0);
    const nearly = scores.map((score, i) => score + 1e-6 * i);
    assert.equal(evidenceOf(nearly, base(10), once(10), 1), 0);
    assert.ok(evidenceOf(nearly, base(10), once(10), 1 + 1e-9) < 2);
  });

  it('does not depend on a single wild series', () => {
    const made = base(40);
    made[0] = -2;
    assert.equal(evidenceOf(made, base(40), once(40)), 0);
    const undone = alternating(40, 0.4, 0.05);
    undone[7] = 5;
    assert.ok(evidenceOf(undone, base(40), halves(40)) > 2);
  });

  it('is zero for one series at one time, and without scores', () => {
    assert.equal(evidenceOf(Float64Array.of(0.1), base(1), once(1)), 0);
    assert.equal(evidenceOf(Float64Array.of(NaN, NaN), base(2), once(2)), 0);
  });

  it('gives no weight within one standard error and more the clearer the gain', () => {
    assert.deepEqual([0, 0.5, 1, 2, Infinity].map(shareOf), [0, 0, 0, 0.75, 1]);
  });
});

describe('effective number of series', () => {
  const random = new Random(3);
  const apart = (count: number) =>
    Array.from({ length: count }, () => Float64Array.from([1, 2, 3], () => random.normal()));
  const twice = (count: number) => Array.from({ length: count }, (_, i) => Math.floor((2 * i) / count));

  it('is one if all errors are proportional', () => {
    const errors = [1, 5, 0.2, 9].map((size) => Float64Array.of(size, -size, 2 * size));
    assert.ok(Math.abs(independentSeries(errors, [0, 0, 0, 0]) - 1) < 1e-9);
    const later = errors.map((error) => error.map((value) => -value));
    assert.ok(Math.abs(independentSeries([...errors, ...later], twice(8)) - 1) < 1e-9, 'at another time another way');
  });

  it('is the number of series if errors are independent', () => {
    assert.ok(independentSeries(apart(400), twice(400)) > 80);
    const shared = apart(400).map((error) => error.map((value) => value + 1.5));
    assert.ok(independentSeries(shared, twice(400)) < 3);
  });

  it('excludes series without errors, and is one for one series', () => {
    const still = new Float64Array(3);
    assert.equal(independentSeries([...apart(1), still], [0, 0]), 1);
    assert.equal(independentSeries([still], [0]), 0);
  });
});

import assert from 'node:assert/strict';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { independentSeries, isBetter, subsample, winsorizer } from '../../../../src/engine/tuning/choosing.ts';
import { tuneNeural } from '../../../../src/engine/tuning/neural.ts';
import { Random } from '../../../../src/engine/random.ts';
import type { HoldOut, TrainingSeries } from '../../../../src/engine/tuning/hold-outs.ts';

const seriesOf = (length: number, at: (i: number) => number = (i) => i % 5): TrainingSeries => ({
  values: Float64Array.from({ length }, (_, i) => at(i)),
  periods: [],
});

describe('why a net cannot be trained on a dataset', () => {
  const reason = (dataset: readonly TrainingSeries[], contextLength: number, message: RegExp): void => {
    assert.throws(() => tuneNeural(dataset, { horizon: 12, contextLength }), message);
  };

  it('is a context that is too short, whatever the series are', () => {
    reason([seriesOf(100)], 5, /short_context 5 6$/);
  });

  it('is too few observations, also of a long series that is mostly missing', () => {
    reason([seriesOf(17), seriesOf(3)], 100, /few_observations 12 6$/);
    const gappy = seriesOf(200, (i) => (i % 40 === 0 || i > 187 ? i : NaN));
    reason([gappy], 100, /few_observations/);
  });

  it('is else that nothing changes', () => {
    reason([seriesOf(17), seriesOf(18, () => 4)], 100, /no_change 12$/);
  });
});

describe('hold-outs that are scored', () => {
  const series = prepareSeries(Float64Array.of(1, 2, 4, 3, 5, 7), []);
  const held = (count: number): HoldOut[] =>
    Array.from({ length: count }, (_, index) => ({
      index,
      origin: 0,
      before: series.values,
      seen: series.values,
      after: Float64Array.of(1),
      periods: [],
      series,
      whole: series,
      future: Float64Array.of(1),
      scale: 1,
    }));

  it('are all of few', () => {
    const few = held(500);
    assert.deepEqual(subsample(few), few);
    assert.deepEqual(subsample([]), []);
  });

  it('are 500 of many, evenly spaced from the first to near the last, none twice', () => {
    for (const count of [501, 749, 5000, 12345]) {
      const places = subsample(held(count)).map(({ index }) => index);
      assert.equal(new Set(places).size, 500);
      assert.equal(places[0], 0);
      assert.ok(places[499] >= count - count / 500 - 1);
      const gaps = places.slice(1).map((place, i) => place - places[i]);
      assert.ok(Math.max(...gaps) - Math.min(...gaps) <= 1);
    }
  });

  it('count with ten times the median of the first scores at most', () => {
    const tamed = winsorizer(Float64Array.of(1, 2, 3, 400, 0.5));
    assert.deepEqual(tamed(Float64Array.of(19, 20, 21, 1e9)), Float64Array.of(19, 20, 20, 20));
  });

  it('count where most of the first scores are zero, as those of parts that nobody ordered', () => {
    const tamed = winsorizer(Float64Array.of(0, 0, 0, 2, 4));
    assert.deepEqual(tamed(Float64Array.of(0, 1, 29, 31)), Float64Array.of(0, 1, 29, 30));
    assert.deepEqual(winsorizer(new Float64Array(3))(Float64Array.of(0, 5)), Float64Array.of(0, 5));
  });
});

describe('a gain that is believed', () => {
  const base = (count: number): Float64Array => new Float64Array(count).fill(1);
  const after = (...gains: number[]): Float64Array => Float64Array.from(gains, (gain) => 1 - gain);
  const once = (count: number): number[] => new Array<number>(count).fill(0);
  const twice = (count: number): number[] => Array.from({ length: count }, (_, i) => i % 2);
  const alternating = (count: number, gain: number, off: number): Float64Array =>
    after(...Array.from({ length: count }, (_, i) => gain + (i % 2 === 0 ? off : -off)));

  it('of fewer than five series is more than a tenth of the error, whatever each gained', () => {
    assert.ok(isBetter(after(0.12), base(1), once(1)));
    assert.ok(!isBetter(after(0.09), base(1), once(1)));
    assert.ok(isBetter(after(0.5, -0.1, 0.1, 0.1), base(4), once(4)));
    assert.ok(!isBetter(after(0.09, 0.09, 0.09, 0.09), base(4), once(4)));
    assert.ok(isBetter(after(0.09, 0.09, 0.09, 0.09, 0.09), base(5), twice(5)), 'of five it is certain');
  });

  it('of one time alone is more than a tenth too, however many and sure they are', () => {
    assert.ok(!isBetter(after(...new Array<number>(50).fill(0.09)), base(50), once(50)));
    assert.ok(isBetter(after(...new Array<number>(50).fill(0.11)), base(50), once(50)));
    assert.ok(isBetter(after(...new Array<number>(50).fill(0.09)), base(50), twice(50)));
    assert.ok(
      !isBetter(after(...new Array<number>(50).fill(0.09)), base(50), twice(50), 4.9),
      'of many that err alike',
    );
    assert.ok(isBetter(after(...new Array<number>(50).fill(0.11)), base(50), twice(50), 4.9));
  });

  it('is more than two standard errors, twice as many at one time only, and more for few series', () => {
    // 100 series at one time: the standard error is 0.3 / √99, and 4 · 1.05 of them 0.1266
    assert.ok(isBetter(alternating(100, 0.128, 0.3), base(100), once(100)));
    assert.ok(!isBetter(alternating(100, 0.125, 0.3), base(100), once(100)));
    // 10 series: 4 · 1.5 standard errors of 0.1 / 3 are 0.2
    assert.ok(isBetter(alternating(10, 0.21, 0.1), base(10), once(10)));
    assert.ok(!isBetter(alternating(10, 0.19, 0.1), base(10), once(10)));
    // at two times half of that is enough
    const halves = Array.from({ length: 100 }, (_, i) => (i < 50 ? 0 : 1));
    assert.ok(isBetter(alternating(100, 0.022, 0.1), base(100), halves));
    assert.ok(!isBetter(alternating(100, 0.02, 0.1), base(100), halves));
  });

  it('is not one that is certain, but too small to matter', () => {
    assert.ok(!isBetter(after(...new Array<number>(50).fill(0.004)), base(50), twice(50)));
    assert.ok(isBetter(after(...new Array<number>(50).fill(0.006)), base(50), twice(50)));
  });

  it('is neither made nor undone by a single series that went wild', () => {
    const made = after(3, ...new Array<number>(39).fill(0));
    assert.ok(!isBetter(made, base(40), once(40)));
    const halves = Array.from({ length: 40 }, (_, i) => (i < 20 ? 0 : 1));
    const undone = alternating(40, 0.4, 0.05);
    undone[7] = 5;
    assert.ok(isBetter(undone, base(40), halves));
  });

  it('is none where nothing was scored', () => {
    assert.ok(!isBetter(after(NaN, NaN), base(2), once(2)));
  });
});

describe('series that err alike', () => {
  const random = new Random(3);
  const apart = (count: number) =>
    Array.from({ length: count }, () => Float64Array.from([1, 2, 3], () => random.normal()));
  const twice = (count: number) => Array.from({ length: count }, (_, i) => Math.floor((2 * i) / count));

  it('are one where all go the same way, whatever their size', () => {
    const errors = [1, 5, 0.2, 9].map((size) => Float64Array.of(size, -size, 2 * size));
    assert.ok(Math.abs(independentSeries(errors, [0, 0, 0, 0]) - 1) < 1e-9);
    const later = errors.map((error) => error.map((value) => -value));
    assert.ok(Math.abs(independentSeries([...errors, ...later], twice(8)) - 1) < 1e-9, 'at another time another way');
  });

  it('are as many as there are where each errs on its own', () => {
    assert.ok(independentSeries(apart(400), twice(400)) > 80);
    const shared = apart(400).map((error) => error.map((value) => value + 1.5));
    assert.ok(independentSeries(shared, twice(400)) < 3);
  });

  it('are counted without those that err by nothing, and one is one', () => {
    const still = new Float64Array(3);
    assert.equal(independentSeries([...apart(1), still], [0, 0]), 1);
    assert.equal(independentSeries([still], [0]), 0);
  });
});

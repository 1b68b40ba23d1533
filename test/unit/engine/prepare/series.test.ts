import assert from 'node:assert/strict';
import { EngineError } from '../../../../src/engine/types.ts';
import { forecast } from '../../../../src/engine/forecast.ts';
import { levelShifts, prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { Random } from '../../../bench/training/random.ts';
import { noise, series, wave } from '../series-helper.ts';

describe('prepared series', () => {
  it('has values near 1 in any unit, and restores each exactly', () => {
    const random = noise(2);
    for (const size of [1e-300, 1e-9, 1, 12345.678, 1e12, 1e305]) {
      const raw = series(30, () => size * (3 + random()));
      const { values, unit } = prepareSeries(raw, []);
      assert.deepEqual(
        values.map((value) => value * unit),
        raw,
      );
      assert.ok(
        values.every((value) => value > 0.5 && value < 8),
        `${values}`,
      );
      assert.ok(Number.isInteger(Math.log2(unit)));
    }
  });

  it('is mirrored if it has had no positive value, even long ago', () => {
    const random = noise(3);
    const debts = series(40, () => -20 + random());
    const { values, unit, nonNegative, positive } = prepareSeries(debts, []);
    assert.ok(unit < 0 && nonNegative && positive && values.every((value) => value > 0));
    const zeros = prepareSeries(new Float64Array(20), []);
    assert.ok(zeros.unit > 0 && zeros.nonNegative && !zeros.positive);
    const mixed = prepareSeries(
      series(5000, (i) => (i === 0 ? 1 : -20 + random())),
      [],
    );
    assert.ok(mixed.unit > 0 && !mixed.nonNegative && mixed.values.length < 5000);
  });

  it('keeps the last points, and three cycles of a long calendar', () => {
    const raw = series(9000, (i) => 10 + wave(i, 24));
    assert.equal(prepareSeries(raw, [24]).values.length, 4000);
    const long = prepareSeries(raw, [24, 2400]);
    assert.equal(long.values.length, 7680);
    assert.equal(long.values[7679] * long.unit, raw[8999]);
  });

  it('counts missing values at the end but not at the start', () => {
    const gap = Number.NaN;
    const { values, missingAtEnd, filledIn, unit } = prepareSeries(
      Float64Array.of(gap, Infinity, 2, 3, gap, gap, 6, 7, gap, -Infinity),
      [],
    );
    assert.deepEqual(
      [...values].map((value) => value * unit),
      [2, 3, 4, 5, 6, 7],
    );
    assert.deepEqual([...filledIn!], [0, 0, 1, 1, 0, 0]);
    assert.equal(missingAtEnd, 2);
    assert.equal(prepareSeries(Float64Array.of(1, 2), []).filledIn, undefined);
  });

  it('is cleaned of the same jumps in any unit', () => {
    const random = new Random(1962);
    let level = 100;
    const raw = series(150, (i) => (level *= (i > 145 ? 1.5 : 1) * random.logBetween(0.97, 1.03)));
    const clean = prepareSeries(raw, [5]);
    assert.notDeepEqual(clean.values, clean.observedValues);
    for (const factor of [1.3, 7, 1000]) {
      const other = prepareSeries(
        raw.map((value) => factor * value),
        [5],
      );
      other.values.forEach((value, i) => {
        const [found, expected] = [(value * other.unit) / factor, clean.values[i] * clean.unit];
        assert.ok(Math.abs(found - expected) < 1e-6 * expected, `times ${factor}, ${i}: ${expected} becomes ${found}`);
      });
    }
  });

  it('begins after a long initial run of zeros, but not at a burst or while zeros continue', () => {
    const random = noise(5);
    const after = (zeros: number, points: number, at: (i: number) => number): number => {
      const raw = series(zeros + points, (i) => (i < zeros ? (i % 5 === 4 ? Number.NaN : 0) : at(i - zeros)));
      return prepareSeries(raw, [12]).values.length;
    };
    const busy = (): number => 100 + random();
    assert.equal(after(30, 10, busy), 10);
    assert.equal(after(3000, 3000, busy), 3000);
    assert.equal(after(30, 4, busy), 34);
    assert.equal(after(4, 10, busy), 14);
    assert.equal(
      after(30, 24, (i) => (i % 4 === 0 ? 0 : busy())),
      54,
    );
  });

  it('requires a value', () => {
    for (const nothing of [[], [Number.NaN], [Infinity, -Infinity, Number.NaN]]) {
      assert.throws(() => prepareSeries(Float64Array.from(nothing), [7]), EngineError);
    }
  });

  it('uses sorted valid calendar periods, and otherwise detects a period', () => {
    const random = noise(4);
    const values = series(200, (i) => 10 + 3 * wave(i, 9) + 0.3 * random());
    assert.deepEqual(prepareSeries(values, [30, Number.NaN, 1, Infinity, 7, -4]).candidates, [7, 30]);
    const detected = prepareSeries(values, [1, Number.NaN]);
    assert.deepEqual(detected.candidates, [9]);
    assert.equal(detected.seasons.list.length, 1);
  });

  it('sliced to an earlier end equals one prepared then, with the seasons known now', () => {
    const random = noise(5);
    const raw = series(120, (i) => 20 + 5 * wave(i, 12) + random());
    const whole = prepareSeries(raw, [12]);
    const early = whole.slice(0, 60);
    assert.deepEqual(early.values, whole.values.slice(0, 60));
    assert.equal(early.observedValues.length, 60);
    assert.equal(early.seasons.adjusted.length, 60);
    const changed = prepareSeries(
      raw.map((value, i) => (i < 60 ? value : value + 0.1 * i)),
      [12],
    ).slice(0, 60);
    assert.deepEqual(changed.seasons, early.seasons);
    assert.deepEqual(whole.slice(0, 20).seasons.list, []);
    const late = series(150, (i) => 20 + (i < 36 ? 0 : 8) * wave(i, 12) + random());
    assert.deepEqual(prepareSeries(late.slice(0, 36), [12]).seasons.list, []);
    assert.equal(prepareSeries(late, [12]).slice(0, 36).seasons.list.length, 1);
  });

  it('sliced in the middle has its points in the phase of its own start', () => {
    const random = noise(9);
    const raw = series(120, (i) => (i === 70 ? Number.NaN : 20 + 5 * wave(i, 12) + random()));
    const whole = prepareSeries(raw, [12]);
    const middle = whole.slice(43, 103);
    assert.deepEqual(middle.values, whole.values.slice(43, 103));
    assert.deepEqual(middle.observedValues, whole.observedValues.slice(43, 103));
    assert.deepEqual(middle.filledIn?.indexOf(1), 70 - 43);
    const [own] = middle.seasons.list;
    assert.equal(middle.seasons.adjusted.length, 60);
    own.history.forEach((factor, i) => {
      const adjusted = own.multiplicative ? middle.values[i] / factor : middle.values[i] - factor;
      assert.ok(Math.abs(adjusted - middle.seasons.adjusted[i]) < 1e-9, `step ${i}`);
    });
  });

  it('keeps the observed values beside the cleaned ones', () => {
    const random = noise(6);
    const raw = series(60, (i) => (i === 30 ? 90 : 10 + 0.2 * random()));
    const { values, observedValues, unit } = prepareSeries(raw, []);
    assert.equal(observedValues[30] * unit, 90);
    assert.ok(values[30] * unit < 12);
    // History before a shift is dropped from both alike.
    const shifted = prepareSeries(
      series(80, (i) => (i < 40 ? 10 : 50) + 0.2 * random()),
      [],
    );
    assert.equal(shifted.values.length, 40);
    assert.equal(shifted.observedValues.length, 40);
    assert.equal(
      prepareSeries(
        raw.map((value, i) => (i === 30 ? Number.NaN : value)),
        [],
      ).filledIn![30],
      1,
    );
  });

  it('with irregular zeros keeps its spikes', () => {
    const orders = series(80, (i) => ((i * 37) % 80 < 30 ? 0 : i === 50 ? 400 : 1 + (i % 3)));
    const { values, unit, intermittent } = prepareSeries(orders, []);
    assert.ok(intermittent);
    assert.deepEqual(
      values.map((value) => value * unit),
      orders,
    );
  });
});

describe('history of a river', () => {
  const random = noise(8);
  const flood = (day: number) => 60 * Math.exp(-day / 12);
  const flow = (n: number) => series(n, (i) => 10 + random() + (i >= 50 ? flood((i - 50) % 90) : 0));
  const kept = (values: Float64Array) => {
    const { values: clean, observedValues } = prepareSeries(values, []);
    assert.equal(observedValues.length, clean.length);
    return clean.length;
  };

  it('is kept at a flood, which recedes', () => {
    assert.equal(kept(flow(400)), 400);
    // nor where the water falls at once and rises slowly
    assert.equal(kept(flow(400).map((value) => 100 - value)), 400);
  });

  it('is dropped after a lasting change of level', () => {
    const dammed = flow(400).map((value, i) => (i >= 300 ? 500 + value : value));
    assert.equal(kept(dammed), 100);
    // of few days nobody can tell yet, and nothing is dropped
    assert.equal(kept(flow(430)), 430);
  });

  it('makes the interval include the next flood', () => {
    const { quantiles } = forecast('hybrid', { values: flow(400), periods: [7, 365.25], horizon: 30, levels: [0.975] });
    // the calm water is at 10
    assert.ok(Math.max(...quantiles[0]) > 30, `${quantiles[0]}`);
  });
});

describe('level shifts', () => {
  const random = noise(7);
  const calm = series(90, () => 100 + random());
  const steps = calm.map((value, i) => value + (i >= 30 ? 60 : 0) - (i >= 70 ? 200 : 0));

  it('are located where they begin, up or down', () => {
    assert.deepEqual(levelShifts(steps, false), [30, 70]);
  });

  it('are not spikes, growth or noise', () => {
    assert.deepEqual(levelShifts(calm, false), []);
    assert.deepEqual(
      levelShifts(
        calm.map((value, i) => (i === 40 ? 900 : value)),
        false,
      ),
      [],
    );
    assert.deepEqual(
      levelShifts(
        calm.map((value, i) => value + 3 * i),
        false,
      ),
      [],
    );
    assert.deepEqual(levelShifts(new Float64Array(40).fill(4), false), []);
    assert.deepEqual(levelShifts(steps.subarray(28, 32), false), []);
  });

  it('are relative for positive values', () => {
    const grown = series(60, (i) => 1000 ** (i / 60) * (i >= 45 ? 40 : 1) * (1 + 0.02 * random()));
    assert.deepEqual(levelShifts(grown, true), [45]);
    assert.deepEqual(levelShifts(steps, true), []);
  });
});

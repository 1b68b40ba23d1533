import assert from 'node:assert/strict';
import { calibrated, kindOf, mostCorrection, type Evidence } from '../../../../src/engine/intervals/calibration.ts';
import { calibratedProbabilities, calibration } from '../../../../src/engine/intervals/calibration-table.ts';
import { normalQuantile } from '../../../../src/engine/intervals/intervals.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { noise, series } from '../series-helper.ts';

const horizon = 8;
const walk = (n: number, seed: number) => {
  const random = noise(seed);
  let level = 100;
  return series(n, () => (level += random()));
};
const calendars: readonly (readonly [string, number[], number])[] = [
  ['plain', [], 30],
  ['quarter', [4], 40],
  ['month', [12], 72],
  ['day', [7, 365.25], 300],
  ['week', [52.18], 200],
  ['intraday', [24, 168], 400],
];
const evidence = (apart: number, errors: number): Evidence => ({
  apart: new Float64Array(horizon).fill(apart),
  repeated: new Float64Array(horizon),
  pastErrors: () => [new Float64Array(horizon).fill(errors)],
});
const point = series(horizon, (i) => 2 * i);
const normal = (level: number, step: number) => point[step] + Math.sqrt(step + 1) * normalQuantile(level);

describe('the kind of a series by which its bands are calibrated', () => {
  it('is that of its calendar, and there is a table for each', () => {
    for (const [kind, periods, n] of calendars) {
      assert.equal(kindOf(prepareSeries(walk(n, 2), periods)), kind);
    }
    assert.deepEqual(Object.keys(calibration).sort(), calendars.map(([kind]) => kind).sort());
    for (const rows of Object.values(calibration)) {
      assert.deepEqual(
        rows.map((row) => row.length),
        calibratedProbabilities.map(() => 18),
      );
    }
  });
});

describe('calibrated bands of each kind of series', () => {
  const levels = [0.001, 0.01, 0.025, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.975, 0.99, 0.999];
  for (const [kind, periods, n] of calendars) {
    const prepared = prepareSeries(walk(n, 3), periods);
    const changed = (by: Evidence) => calibrated({ point, quantile: normal }, prepared, by).quantile;

    it(`${kind}: change by no more than a known factor, to either side alike, whatever the evidence`, () => {
      for (const by of [evidence(0, 0), evidence(1, 1), evidence(1e6, 1e6), evidence(1e-6, 1e6)]) {
        const quantile = changed(by);
        for (let step = 0; step < horizon; step++) {
          for (const level of [0.025, 0.1, 0.25]) {
            const [low, high] = [point[step] - quantile(level, step), quantile(1 - level, step) - point[step]];
            const factor = Math.log(high / (normal(1 - level, step) - point[step]));
            assert.ok(Math.abs(low - high) < 1e-6, `${low} below, ${high} above`);
            assert.ok(Math.abs(factor) < mostCorrection + 1e-6, `${factor}`);
          }
          const row = levels.map((level) => quantile(level, step));
          row.forEach((value, i) => assert.ok(i === 0 || value >= row[i - 1], `${row}`));
          assert.equal(quantile(0.5, step), point[step]);
        }
      }
    });

    it(`${kind}: are the same whatever is asked first, and without a jump between levels`, () => {
      const [one, other] = [changed(evidence(0.5, 1)), changed(evidence(0.5, 1))];
      const forth = levels.map((level) => one(level, 3));
      const back = levels.toReversed().map((level) => other(level, 3));
      assert.deepEqual(back.toReversed(), forth);
      for (const level of [0.25, 0.1, 0.025, 0.75, 0.9, 0.975]) {
        assert.ok(Math.abs(one(level + 1e-9, 3) - one(level - 1e-9, 3)) < 1e-6, `${level}`);
      }
    });
  }

  it('of days reach farther at 95 % than at 80 % by as much as the own past has tails', () => {
    const ratioOf = (values: Float64Array, errors: Float64Array) => {
      const by = { ...evidence(0.5, 1), pastErrors: () => [errors] };
      const { quantile } = calibrated({ point, quantile: normal }, prepareSeries(values, [7, 365.25]), by);
      return (quantile(0.975, 3) - point[3]) / (quantile(0.9, 3) - point[3]);
    };
    const moved = (size: (index: number) => number) => {
      const random = noise(5);
      let level = 100;
      return series(1000, (i) => (level += size(i) * random()));
    };
    const even = moved(() => 1);
    const errors = series(horizon, (i) => Math.sqrt(i + 1));
    // two errors of eight are three times as large; in a tenth of the time it moves four times as much
    const far = errors.map((error, i) => (i === 2 || i === 5 ? 3 * error : error));
    const floods = moved((i) => (Math.floor(i / 8) % 10 === 0 ? 4 : 1));
    const usual = ratioOf(even, errors);
    assert.ok(ratioOf(even, far) > 1.05 * usual, `${ratioOf(even, far)} beside ${usual}`);
    assert.ok(ratioOf(floods, errors) > 1.05 * usual, `${ratioOf(floods, errors)} beside ${usual}`);
  });

  it('do not change with the units of a series', () => {
    const values = walk(72, 4);
    const factorOf = (raw: Float64Array) => {
      const prepared = prepareSeries(raw, [12]);
      const of = (level: number) =>
        calibrated({ point, quantile: normal }, prepared, evidence(0.5, 1)).quantile(level, 2);
      return of(0.9) - point[2];
    };
    assert.ok(Math.abs(factorOf(values) - factorOf(values.map((value) => 1024 * value))) < 1e-9);
  });

  it('without any width stay so', () => {
    const flat = { point, quantile: (_: number, step: number) => point[step] };
    const { quantile } = calibrated(flat, prepareSeries(walk(72, 5), [12]), evidence(0, 0));
    for (const level of [0.01, 0.3, 0.9]) assert.equal(quantile(level, 4), point[4]);
  });
});

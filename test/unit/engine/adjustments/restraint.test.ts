import assert from 'node:assert/strict';
import { restrained } from '../../../../src/engine/adjustments.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { meanChange } from '../../../../src/engine/rolling-origins.ts';
import { noise, series, wave } from '../series-helper.ts';

const walk = (length: number, seed: number): Float64Array => {
  const next = noise(seed);
  let level = 100;
  return series(length, () => (level += next()));
};

/** In its own units. */
const prepared = (observedValues: Float64Array) => ({ observedValues, candidates: [] });

describe('forecast without a season', () => {
  it('moves no farther from the last value than the history justifies', () => {
    const yearly = prepareSeries(walk(30, 3), []);
    const last = yearly.observedValues[29];
    const step = meanChange(yearly.observedValues, 1);
    const mild = series(6, (i) => last + 0.5 * (i + 1) * step);
    assert.equal(restrained(mild, yearly), mild);
    const wild = series(6, (i) => last + 20 * (i + 1) * step);
    const drawn = restrained(wild, yearly);
    const mean = drawn.reduce((sum, value) => sum + (value - last) / 6, 0);
    assert.ok(mean > 4.9 * step && mean < 12 * step, `${mean / step}`);
  });

  it('continues exponential growth and a steady decline', () => {
    const grown = prepared(series(25, (i) => 100 * 1.15 ** i));
    const onward = series(12, (i) => grown.observedValues[24] * 1.14 ** (i + 1));
    assert.equal(restrained(onward, grown), onward);
    const fallen = prepared(series(60, (i) => -5 * i + (i % 2)));
    const downward = series(24, (i) => fallen.observedValues[59] - 4.8 * (i + 1));
    assert.equal(restrained(downward, fallen), downward);
  });

  it('continues persistent growth over any horizon', () => {
    const next = noise(4);
    const growing = prepareSeries(
      series(60, (i) => 100 + 5 * i + next()),
      [],
    );
    const onward = series(24, (i) => growing.observedValues[59] + (i + 1) * meanChange(growing.observedValues, 1));
    restrained(onward, growing).forEach((value, i) => assert.ok(Math.abs(value / onward[i] - 1) < 1e-3));
    const wild = onward.map((value) => 9 * value);
    assert.equal(restrained(wild, { ...growing, candidates: [5.2] }), wild, 'with a season it is left to the net');
  });
});

describe('departure from the usual day', () => {
  const next = noise(7);
  const day = (i: number): number => 100 + 10 * wave(i, 24) + next();
  /** The mean distance of a forecast that stays on the new level, after so many hours of it. */
  function kept(hours: number): number {
    const departed = prepareSeries(
      series(400, (i) => day(i) + (i >= 400 - hours ? 300 : 0)),
      [24, 168],
    );
    const staying = new Float64Array(48).fill(400);
    const drawn = restrained(staying, departed);
    return drawn.reduce((sum, value) => sum + (value - 100) / 300 / 48, 0);
  }

  it('fades if it is new and continues if it has lasted', () => {
    assert.ok(kept(4) < 0.6, `${kept(4)}`);
    assert.ok(kept(12) > kept(4));
  });

  it('fades as fast as earlier departures did', () => {
    const after = (isUsual: boolean): number => {
      const departed = prepareSeries(
        series(900, (i) => day(i) + (i >= 896 || (isUsual && i % 100 < 4) ? 300 : 0)),
        [24, 168],
      );
      const drawn = restrained(new Float64Array(48).fill(400 / departed.unit), departed);
      return drawn.reduce((sum, value) => sum + (value * departed.unit - 100) / 300 / 48, 0);
    };
    assert.ok(after(true) < 0.6 * after(false), `${after(true)} and ${after(false)}`);
  });

  it('does not return once it is over', () => {
    const after = prepareSeries(
      series(400, (i) => day(i) + (i >= 352 && i < 390 ? 300 : 0)),
      [24, 168],
    );
    const usual = new Float64Array(24).fill(100);
    assert.equal(restrained(usual, after), usual);
  });
});

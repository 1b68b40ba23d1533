import assert from 'node:assert/strict';
import { restrained, yardstickOf } from '../../../../src/engine/adjustments/restraint.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { noise, series, wave } from '../series-helper.ts';

const walk = (length: number, seed: number): Float64Array => {
  const next = noise(seed);
  let level = 100;
  return series(length, () => (level += next()));
};

describe('a forecast without a season', () => {
  it('goes no farther from the last value than the history gives reason for', () => {
    const yearly = prepareSeries(walk(30, 3), []);
    const yardstick = yardstickOf(yearly, 6);
    const last = yardstick.repeated[0];
    const mild = yardstick.repeated.map((value, i) => value + 0.5 * (i + 1) * yardstick.scale);
    assert.equal(restrained(mild, yearly), mild);
    const wild = yardstick.repeated.map((value, i) => value + 20 * (i + 1) * yardstick.scale);
    const drawn = restrained(wild, yearly);
    const mean = drawn.reduce((sum, value) => sum + (value - last) / 6, 0);
    assert.ok(mean > 4.9 * yardstick.scale && mean < 12 * yardstick.scale, `${mean / yardstick.scale}`);
  });

  it('keeps a growth that always was, however many steps it goes on', () => {
    const next = noise(4);
    const growing = prepareSeries(
      series(60, (i) => 100 + 5 * i + next()),
      [],
    );
    const yardstick = yardstickOf(growing, 24);
    const onward = yardstick.repeated.map((value, i) => value + (i + 1) * yardstick.scale);
    assert.equal(restrained(onward, growing), onward);
  });
});

describe('the rise of a year in weeks', () => {
  const next = noise(11);
  /** Six winters with epidemics two to six times as high as the autumn, up to the weeks before the next one. */
  const winters = series(52 * 7 + 10, (i) => {
    const height = [2, 6, 3, 5, 4, 2.5, 3, 4][Math.floor(i / 52)];
    return 100 + 100 * height * Math.exp(-(((((i + 42) % 52) - 36) / 5) ** 2)) + next();
  });
  const origin = 6 * 52 + 39;

  it('is no larger than in the mildest of the last years', () => {
    const before = prepareSeries(winters.slice(0, origin), [52.18]);
    const yardstick = yardstickOf(before, 12);
    const last = yardstick.repeated[0];
    const high = yardstick.repeated.map((value, i) => value * (1 + i));
    const drawn = restrained(high, before);
    const rise = (row: Float64Array): number => row.reduce((sum, value) => sum + (value - last) / last / 12, 0);
    assert.ok(rise(high) > 5);
    assert.ok(rise(drawn) > 0 && rise(drawn) < 2, `${rise(drawn)}`);
    const falling = yardstick.repeated.map((value, i) => value * (1 - i / 20));
    assert.equal(restrained(falling, before), falling);
  });

  /** Water by weeks that is warmer by 20 in summer; this winter it is at 0.2, where in others it was at 1 to 4. */
  const water = (offset: number) =>
    prepareSeries(
      series(
        52 * 6 + 8,
        (i) => offset + Math.max(0.2, 10 - 9 * wave(i + 5, 52.18) - (i > 52 * 6 - 4 ? 4 : 0)) + next() / 40,
      ),
      [52.18],
    );

  it('is that of every year, however low it begins, and whether or not there is less than zero', () => {
    for (const offset of [0, -6]) {
      const cold = water(offset);
      const yardstick = yardstickOf(cold, 26);
      const spring = yardstick.repeated.map((value, i) => value + (0.4 * i) / cold.unit);
      assert.equal(restrained(spring, cold), spring, `${offset}`);
    }
  });

  it('goes on where the series has been rising like that', () => {
    const growing = prepareSeries(
      series(300, (i) => 100 + Math.max(0, i - 240) * 20 + next()),
      [52.18],
    );
    const yardstick = yardstickOf(growing, 12);
    const onward = yardstick.repeated.map((value, i) => value + (20 * (i + 1)) / growing.unit);
    assert.equal(restrained(onward, growing), onward);
  });
});

describe('a departure from the usual day', () => {
  const next = noise(7);
  const day = (i: number): number => 100 + 10 * wave(i, 24) + next();
  /** The mean distance of a forecast that stays on the new level, after so many hours of it. */
  function kept(hours: number): number {
    const departed = prepareSeries(
      series(400, (i) => day(i) + (i >= 400 - hours ? 300 : 0)),
      [24, 168],
    );
    const yardstick = yardstickOf(departed, 48);
    const staying = yardstick.repeated.map(() => 400);
    const drawn = restrained(staying, departed);
    return drawn.reduce((sum, value) => sum + (value - 100) / 300 / 48, 0);
  }

  it('fades where it is new and goes on where it has lasted', () => {
    assert.ok(kept(4) < 0.6, `${kept(4)}`);
    assert.ok(kept(12) > kept(4));
  });

  it('that is over does not come back', () => {
    const after = prepareSeries(
      series(400, (i) => day(i) + (i >= 352 && i < 390 ? 300 : 0)),
      [24, 168],
    );
    const yardstick = yardstickOf(after, 24);
    const usual = yardstick.repeated.map(() => 100);
    assert.equal(restrained(usual, after), usual);
  });
});

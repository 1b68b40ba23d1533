import assert from 'node:assert/strict';
import { restrained, sharedByDistance, yardstickOf } from '../../../src/engine/ensemble/restraint.ts';
import { calibrated } from '../../../src/engine/intervals/calibration.ts';
import { prepareSeries } from '../../../src/engine/prepare/series.ts';
import { noise, series, wave } from './series-helper.ts';

const walk = (length: number, seed: number): Float64Array => {
  const next = noise(seed);
  let level = 100;
  return series(length, () => (level += next()));
};

describe('the share of two forecasts', () => {
  const hourly = prepareSeries(
    series(300, (i) => 100 + 20 * wave(i, 24) + (i % 5)),
    [24, 168],
  );
  const yardstick = yardstickOf(hourly, 24);
  const moved = (by: number): Float64Array => yardstick.repeated.map((value) => value + by * yardstick.scale);

  it('stays where both are as far from the last season', () => {
    assert.equal(yardstick.season, 24);
    assert.ok(Math.abs(sharedByDistance(0.4, moved(1), moved(-1), yardstick) - 0.4) < 1e-9);
  });

  it('is smaller for the one that departs alone', () => {
    assert.ok(sharedByDistance(0.5, moved(0.5), moved(20), yardstick) < 0.05);
    assert.ok(sharedByDistance(0.5, moved(20), moved(0.5), yardstick) > 0.95);
  });

  it('stays where no season is over', () => {
    const young = prepareSeries(walk(20, 1), [24]);
    const none = yardstickOf(young, 48);
    assert.ok(none.repeated.every(Number.isFinite));
    assert.equal(sharedByDistance(0.7, new Float64Array(48), new Float64Array(48).fill(9), none), 0.7);
  });

  it('is measured by the last value where the season is no whole number of steps', () => {
    const weekly = prepareSeries(walk(200, 2), [52.18]);
    assert.equal(yardstickOf(weekly, 8).season, 1);
  });
});

describe('a forecast without a season', () => {
  it('goes no farther from the last value than the history gives reason for', () => {
    const yearly = prepareSeries(walk(30, 3), []);
    const yardstick = yardstickOf(yearly, 6);
    const last = yardstick.repeated[0];
    const mild = yardstick.repeated.map((value, i) => value + 0.5 * (i + 1) * yardstick.scale);
    assert.equal(restrained(mild, yearly, yardstick), mild);
    const wild = yardstick.repeated.map((value, i) => value + 20 * (i + 1) * yardstick.scale);
    const drawn = restrained(wild, yearly, yardstick);
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
    assert.equal(restrained(onward, growing, yardstick), onward);
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
    const drawn = restrained(high, before, yardstick);
    const rise = (row: Float64Array): number => row.reduce((sum, value) => sum + (value - last) / last / 12, 0);
    assert.ok(rise(high) > 5);
    assert.ok(rise(drawn) > 0 && rise(drawn) < 2, `${rise(drawn)}`);
    const falling = yardstick.repeated.map((value, i) => value * (1 - i / 20));
    assert.equal(restrained(falling, before, yardstick), falling);
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
      assert.equal(restrained(spring, cold, yardstick), spring, `${offset}`);
    }
  });

  it('goes on where the series has been rising like that', () => {
    const growing = prepareSeries(
      series(300, (i) => 100 + Math.max(0, i - 240) * 20 + next()),
      [52.18],
    );
    const yardstick = yardstickOf(growing, 12);
    const onward = yardstick.repeated.map((value, i) => value + (20 * (i + 1)) / growing.unit);
    assert.equal(restrained(onward, growing, yardstick), onward);
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
    const drawn = restrained(staying, departed, yardstick);
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
    assert.equal(restrained(usual, after, yardstick), usual);
  });
});

describe('calibrated bands', () => {
  const levels = [0.01, 0.025, 0.1, 0.2, 0.25, 0.3, 0.5, 0.6, 0.75, 0.8, 0.9, 0.95, 0.975, 0.999];

  it('rise with the level and leave the median alone, also where the quantiles were flat in part', () => {
    const flat = (level: number): number =>
      level < 0.2 ? -2 : level < 0.4 ? -1 : level < 0.7 ? 0 : level < 0.95 ? 1 : 8;
    for (const [periods, n] of [
      [[24, 168], 400],
      [[7, 365.25], 200],
      [[52.18], 200],
      [[12], 60],
      [[4], 30],
      [[], 20],
    ] as const) {
      const { quantile } = calibrated(
        { point: new Float64Array(12), quantile: flat },
        prepareSeries(walk(n, 5), periods),
        { apart: new Float64Array(12).fill(0.3), repeated: new Float64Array(12), pastErrors: () => [] },
      );
      for (let step = 0; step < 12; step++) {
        const row = levels.map((level) => quantile(level, step));
        assert.equal(row[6], 0);
        row.forEach((value, i) => assert.ok(i === 0 || value >= row[i - 1], `${periods}: ${row}`));
      }
    }
  });

  it('of hourly series are wider where the last days have gone worse than the bands say, and narrower where better', () => {
    const series = prepareSeries(walk(400, 5), [24, 168]);
    const bands = { point: new Float64Array(24), quantile: (level: number) => level - 0.5 };
    const width = (error: number): number => {
      const rows = [0, 1, 2, 3].map(() => new Float64Array(24).fill(error));
      const { quantile } = calibrated(bands, series, {
        apart: new Float64Array(24).fill(0.3),
        repeated: new Float64Array(24),
        pastErrors: () => rows,
      });
      return quantile(0.9, 5) - quantile(0.1, 5);
    };
    assert.ok(width(0.8) > 1.15 * width(0.4), `${width(0.4)} to ${width(0.8)}`);
    assert.ok(width(0.2) < 0.9 * width(0.4), `${width(0.4)} to ${width(0.2)}`);
  });

  it('do not go by past errors where nothing was observed', () => {
    const series = prepareSeries(walk(400, 5), [24, 168]);
    const bands = { point: new Float64Array(24), quantile: (level: number) => level - 0.5 };
    const evidence = { apart: new Float64Array(24).fill(0.3), repeated: new Float64Array(24) };
    const unknown = [new Float64Array(24).fill(Number.NaN)];
    const { quantile } = calibrated(bands, series, { ...evidence, pastErrors: () => unknown });
    const without = calibrated(bands, series, { ...evidence, pastErrors: () => [] });
    assert.equal(quantile(0.9, 5), without.quantile(0.9, 5));
  });

  it('of a few points are left as they are', () => {
    const bands = { point: new Float64Array(2), quantile: (level: number) => level - 0.5 };
    const { quantile } = calibrated(bands, prepareSeries(walk(6, 6), []), {
      apart: new Float64Array(2),
      repeated: new Float64Array(2),
      pastErrors: () => [],
    });
    assert.equal(quantile(0.9, 1), 0.4);
  });
});

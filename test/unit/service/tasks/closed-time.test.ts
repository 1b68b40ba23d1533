import assert from 'node:assert/strict';
import { parseDuration, addSteps } from '../../../../src/calendar/frequency.ts';
import { isoInstant } from '../../../../src/calendar/format.ts';
import { UTC, type Zone, zoneOf } from '../../../../src/calendar/zone.ts';
import { resultOf } from './result.ts';
import type { OutgoingPoint as Point } from '../../../../src/reading/points.ts';

/** Points at the steps of a frequency, with a season of a day or a week and a little noise. */
function pointsAt(start: string, code: string, count: number, zone: Zone = UTC): Point[] {
  const frequency = parseDuration(code)!;
  let seed = 7;
  const noise = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  return Array.from({ length: count }, (_, step): Point => {
    const wall = addSteps(Date.parse(start.includes('T') ? `${start}Z` : start), frequency, step);
    const date = new Date(wall);
    const value = 100 + 20 * (date.getUTCDay() % 6) + 3 * date.getUTCHours() + 5 * noise();
    const metadata = step === 0 && zone !== UTC ? { metadata: { time_zone: zone.name } } : {};
    return { timestamp: isoInstant(zone.fromWall(wall), zone), value, ...metadata };
  });
}

function forecast(points: readonly Point[], horizon?: number) {
  const json = JSON.stringify(points);
  return resultOf({ kind: 'forecast', points: json, model: 'ensemble', levels: [0.1, 0.9], horizon });
}
const timesOf = ({ series }: ReturnType<typeof forecast>) => series.map(({ timestamp }) => timestamp);

describe('closed time in forecasts', () => {
  it('gives a store closed on Sundays four weeks of open days', () => {
    const result = forecast(pointsAt('2023-01-02', 'P1D Mo-Sa', 468));
    const times = timesOf(result);
    assert.equal(times.length, 24);
    assert.ok(times.every((time) => new Date(time).getUTCDay() !== 0));
    assert.equal(times[0], '2024-07-01T00:00:00Z');
    const { frequency, seasonal_periods: periods, gaps, backtest } = result.details;
    assert.deepEqual([frequency, periods?.[0], gaps], ['P1D Mo-Sa', 6, 0]);
    assert.ok(backtest && backtest.mase! < 0.9, 'the week is learned');
  });

  it('gives a call center no calls at night and on weekends', () => {
    const result = forecast(pointsAt('2024-01-02T08:00', 'PT30M Mo-Fr 08:00-18:00', 2580), 200);
    const times = timesOf(result).map((time) => new Date(time));
    assert.ok(times.every((time) => time.getUTCHours() >= 8 && time.getUTCHours() < 18));
    assert.ok(times.every((time) => time.getUTCDay() % 6 !== 0));
    assert.equal(new Set(times.map((time) => time.toISOString().slice(0, 10))).size, 10);
    assert.deepEqual(result.details.seasonal_periods?.slice(0, 2), [20, 100]);
  });

  it('continues 5-minute bars in the next session of the exchange', () => {
    const zone = zoneOf('America/New_York');
    const bars = pointsAt('2024-02-05T09:30', 'PT5M Mo-Fr 09:30-16:00', 78 * 25, zone);
    assert.equal(bars.at(-1)!.timestamp, '2024-03-08T15:55:00-05:00');
    const times = timesOf(forecast(bars, 79));
    assert.deepEqual([times[0], times[78]], ['2024-03-11T13:30:00Z', '2024-03-12T13:30:00Z']);
  });

  it('treats a missing value on a holiday like an absent row', () => {
    const days = pointsAt('2022-01-03', 'B', 520);
    const isHoliday = ({ timestamp }: Point) => /-(01-17|07-04|12-26|05-29)T/.test(timestamp);
    const absent = forecast(days.filter((point) => !isHoliday(point)));
    const marked = forecast(days.map((point) => (isHoliday(point) ? { ...point, value: null } : point)));
    assert.ok(days.some(isHoliday));
    assert.deepEqual(marked.series, absent.series);
  });

  it('covers all time if the series is marked always open, and uses given hours', () => {
    const shop = pointsAt('2023-01-02', 'P1D Mo-Sa', 468);
    const saying = (hours: string) => [{ ...shop[0]!, metadata: { opening_hours: hours } }, ...shop.slice(1)];
    const always = forecast(saying('24/7'), 14);
    assert.deepEqual([always.details.frequency, always.details.gaps], ['P1D', 77]);
    assert.equal(timesOf(always).filter((time) => new Date(time).getUTCDay() === 0).length, 2);
    const reported = forecast(saying('Tu-Sa'), 10);
    assert.equal(reported.details.frequency, 'P1D Tu-Sa');
    assert.ok(timesOf(reported).every((time) => new Date(time).getUTCDay() > 1));
  });

  it('places future covariates on open steps', () => {
    const shop = pointsAt('2023-01-02', 'P1D Mo-Sa', 300);
    const last = Date.parse(shop.at(-1)!.timestamp);
    const future = Array.from({ length: 21 }, (_, day): Point => {
      return { timestamp: isoInstant(last + (day + 1) * 86_400_000), value: null };
    });
    const all = [...shop, ...future].map((point, place) => ({
      ...point,
      metadata: { covariates: { promo: place % 5 } },
    }));
    const result = forecast(all);
    assert.equal(result.series.length, 18, 'three weeks of six days');
    assert.equal(result.details.frequency, 'P1D Mo-Sa');
  });
});

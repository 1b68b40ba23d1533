import assert from 'node:assert/strict';
import { isoInstant, describeFrequency } from '../../../../src/calendar/format.ts';
import { zoneOf } from '../../../../src/calendar/zone.ts';
import { WrittenZones, findColumnZone } from '../../../../src/reading/columns/zones.ts';
import { lines, only, pad, read } from '../helpers.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

const table = (times: readonly string[]) => lines(times.length, (row) => `${times[row]!},${row + 10}`, 'time,y');

/** Midnights of days counted from Monday, 3 January 2022, written on the clock of a zone; some of them in another. */
const midnights = (name: string, days: readonly number[], other: Readonly<Record<number, string>> = {}) => {
  const zone = zoneOf(name);
  return days.map((day, row) =>
    isoInstant(zone.fromWall(Date.UTC(2022, 0, 3) + day * DAY), zoneOf(other[row] ?? name)),
  );
};
const businessDays = Array.from({ length: 300 }, (_, row) => Math.floor(row / 5) * 7 + (row % 5));
const months = (name: string, from: number, count: number) =>
  Array.from({ length: count }, (_, row) => {
    const zone = zoneOf(name);
    return isoInstant(zone.fromWall(Date.UTC(from, row)), zone);
  });

describe('search for the zone of mixed offsets', () => {
  it('recognizes the business days of a city although one row has another zone', () => {
    const written = { 'Asia/Tokyo': '+09:00', 'Europe/Berlin': 'Europe/Berlin' };
    for (const [name, zone] of Object.entries(written)) {
      const times = midnights(name, businessDays, { 100: 'UTC' });
      const series = only(table(times));
      assert.deepEqual([series.timeZone, series.gaps], [zone, 0]);
      assert.equal(describeFrequency(series.frequency!), 'business-daily');
      assert.match(series.summary, /3 Jan 2022 – 24 Feb 2023/);
      assert.deepEqual([...series.times], times.map((time) => Date.parse(time)), 'no instant is another one');
    }
  }); // prettier-ignore

  it('recognizes business days although one row has a wrong offset and instant', () => {
    const wrong = (name: string, offset: string) =>
      only(table(midnights(name, businessDays).map((time, row) => (row === 100 ? time.replace(/Z$|[+-]..:..$/, offset) : time)))); // prettier-ignore
    for (const [name, offset] of [['Asia/Tokyo', 'Z'], ['Europe/Berlin', '-03:00'], ['UTC', '-04:00']] as const) {
      const series = wrong(name, offset);
      assert.equal(describeFrequency(series.frequency!), 'business-daily', name);
      assert.match(series.summary, /3 Jan 2022 – 24 Feb 2023 · 300 points, no gaps/);
    }
  }); // prettier-ignore

  it('recognizes the months of a city although one row has a wrong offset', () => {
    const times = months('Europe/Berlin', 2015, 60);
    times[30] = times[30]!.replace(/[+]..:..$/, '+00:00');
    const series = only(table(times));
    assert.equal(series.timeZone, 'Europe/Berlin');
    assert.match(series.summary, /monthly · Jan 2015 – Dec 2019 · 60 points, no gaps/);
  });

  it('covers every IANA zone', () => {
    const names = ['Asia/Amman', 'Pacific/Norfolk', 'Pacific/Apia', 'Africa/Windhoek', 'Europe/Volgograd', 'Australia/Lord_Howe']; // prettier-ignore
    for (const name of names) {
      for (const from of [2012, 2017]) {
        const series = only(table(months(name, from, 60)));
        assert.match(series.summary, new RegExp(`monthly · Jan ${from} – Dec ${from + 4} · 60 points, no gaps`), name);
      }
    }
  });

  it('finds the zone of a table of many series with thousands of offset changes', () => {
    const days = midnights('Europe/Berlin', [82, 84]);
    const shops = lines(2 * 1100, (row) => `${days[row % 2]!},shop ${row >> 1},${row % 7}`, 'time,shop,y');
    assert.equal(read(shops).series.at(-1)!.timeZone, 'Europe/Berlin');
    const zones = new WrittenZones();
    const times = Float64Array.from({ length: 33_000 }, (_, row) => row * HOUR);
    for (const row of times.keys()) {
      zones.cell.offset = row % 3 === 1 ? 0 : 9 * HOUR;
      zones.take(row);
    }
    assert.equal(findColumnZone(zones, times, {}, { name: 'time', samples: [] }).zone.name, '+09:00');
  });

  it('keeps UTC if at least half of the rows fit no zone', () => {
    const half = lines(40, (row) => `2021-02-${pad((row >> 1) + 1)}T00:00:00+0${row % 2 === 0 ? 1 : 8}:00,${row}`, 'time,y');
    assert.equal(only(half).timeZone, undefined);
  }); // prettier-ignore
});

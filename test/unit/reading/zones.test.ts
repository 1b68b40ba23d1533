import assert from 'node:assert/strict';
import { formatInstant, isoInstant, describeFrequency } from '../../../src/calendar/format.ts';
import { toGrid } from '../../../src/calendar/grid.ts';
import { zoneOf } from '../../../src/calendar/zone.ts';
import { fromPoints, toPoints } from '../../../src/reading/points.ts';
import { writeSeries } from '../../../src/reading/writing/write.ts';
import type { ReadSeries } from '../../../src/reading/types.ts';
import { readSeries } from '../../../src/reading/read.ts';
import { lines, only, pad, read } from './helpers.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** A column of these times with rising numbers. */
const table = (times: readonly string[]) => lines(times.length, (row) => `${times[row]!},${row + 10}`, 'time,y');
const zoned = (count: number, name: string, time: (row: number) => number) => {
  const zone = zoneOf(name);
  return Array.from({ length: count }, (_, row) => isoInstant(time(row), zone));
};

/** The three steps after a series, written as its document is. */
function written(text: string): string[] {
  const document = read(text);
  const [series] = document.series as [ReadSeries];
  const { timeAt, values } = toGrid(series.times, series.values, { zone: zoneOf(series.timeZone ?? 'UTC') });
  const times = [0, 1, 2].map((step) => timeAt(values.length + step));
  const rows = writeSeries([{ ...series, times, values: [1, 2, 3] }], document.format);
  return rows
    .split('\n')
    .slice(1, 4)
    .map((row) => row.split(',')[0]!);
}

describe('times with offsets and zones', () => {
  it('recognizes months from local midnight to midnight', () => {
    const text = table(Array.from({ length: 24 }, (_, row) => `${2021 + Math.floor(row / 12)}-${pad((row % 12) + 1)}-01T00:00+01:00`));
    const series = only(text);
    assert.equal(series.timeZone, '+01:00');
    assert.deepEqual(series.frequency, { unit: 'month', count: 1 });
    assert.match(series.summary, /monthly · Jan 2021 – Dec 2022/);
    assert.deepEqual(written(text), ['2023-01-01T00:00+01:00', '2023-02-01T00:00+01:00', '2023-03-01T00:00+01:00']);
  }); // prettier-ignore

  it('recognizes the business days of Tokyo', () => {
    const monday = Date.UTC(2021, 0, 4) - 9 * HOUR;
    const days = zoned(40, 'Asia/Tokyo', (row) => monday + (Math.floor(row / 5) * 7 + (row % 5)) * DAY);
    const series = only(table(days));
    assert.equal(describeFrequency(series.frequency!), 'business-daily');
    assert.equal(series.gaps, 0);
    assert.deepEqual(written(table(days)), [
      '2021-03-01T00:00:00+09:00',
      '2021-03-02T00:00:00+09:00',
      '2021-03-03T00:00:00+09:00',
    ]);
  });

  it('finds the zone whose clock changes fit the offsets and writes its offsets', () => {
    const berlin = zoneOf('Europe/Berlin');
    const midnights = Array.from({ length: 400 }, (_, row) => berlin.fromWall(Date.UTC(2020, 1, 20) + row * DAY));
    const text = table(midnights.map((time) => isoInstant(time, berlin)));
    const series = only(text);
    assert.equal(series.timeZone, 'Europe/Berlin');
    assert.deepEqual([series.frequency, series.gaps], [{ unit: 'day', count: 1 }, 0]);
    // 2020-02-20 + 400 days; summer time begins on 28 March
    assert.deepEqual(written(text), ['2021-03-26T00:00:00+01:00', '2021-03-27T00:00:00+01:00', '2021-03-28T00:00:00+01:00']);
    const monthly = table(Array.from({ length: 27 }, (_, row) => isoInstant(berlin.fromWall(Date.UTC(2020, row)), berlin)));
    assert.deepEqual(written(monthly), ['2022-04-01T00:00:00+02:00', '2022-05-01T00:00:00+02:00', '2022-06-01T00:00:00+02:00']);
  }); // prettier-ignore

  it('keeps 6:00 local time across clock changes', () => {
    const sydney = zoneOf('Australia/Sydney');
    const times = Array.from({ length: 1200 }, (_, row) => sydney.fromWall(Date.UTC(2020, 9, 1) + row * 6 * HOUR));
    const series = only(table(times.map((time) => isoInstant(time, sydney))));
    assert.deepEqual([series.timeZone, series.gaps], ['Australia/Sydney', 0]);
    const { timeAt } = toGrid(series.times, series.values, { zone: sydney });
    assert.deepEqual(
      times.map((_, step) => timeAt(step)),
      times,
    );
  });

  it('reads hours across both clock changes without gap or duplicate', () => {
    const times = zoned(24 * 330, 'America/New_York', (row) => Date.UTC(2021, 0, 1) + row * HOUR);
    const series = only(table(times));
    assert.deepEqual([series.timeZone, series.gaps, series.duplicates], ['America/New_York', 0, 0]);
    assert.deepEqual(read(table(times)).problems, []);
  });

  it('keeps the zone of dates in C’s format', () => {
    const names = ['Jan', 'Feb', 'Mar', 'Apr'];
    const text = table(names.map((name) => `Fri ${name}  1 12:00:00 JST 2021`));
    const series = only(text);
    assert.equal(series.timeZone, '+09:00');
    assert.equal(isoInstant(series.times[0]!), '2021-01-01T03:00:00Z');
  });

  it('writes offsets in the notation of the file', () => {
    for (const offset of ['+05:30', '+0530', '-03', ' +02:00', 'Z']) {
      const text = table([1, 2, 3, 4, 5].map((day) => `2021-01-0${day} 06:00:00${offset}`));
      assert.deepEqual(
        written(text),
        [6, 7, 8].map((day) => `2021-01-0${day} 06:00:00${offset}`),
      );
    }
  });

  it('reads offsets that fit no zone as UTC', () => {
    const text = table(Array.from({ length: 30 }, (_, row) => `2021-01-01T${pad(row % 24)}:00:00+0${row % 9}:00`));
    for (const { timeZone } of read(text).series) assert.equal(timeZone, undefined);
  });

  it('asks what an ambiguous abbreviation means and applies the answer', () => {
    const text = table([1, 2, 3, 4, 5].map((day) => `2021-01-0${day} 08:00:00 CST`));
    const { choices, series } = read(text);
    assert.deepEqual(choices.map(({ kind }) => kind), ['time-zone']);
    assert.equal(isoInstant(series[0]!.times[0]!), '2021-01-01T14:00:00Z');
    assert.equal(series[0]!.timeZone, 'America/Chicago');
    const china = read(text, 'file.csv', { timeZone: 'Asia/Shanghai' });
    assert.deepEqual(china.choices, []);
    assert.equal(isoInstant(china.series[0]!.times[0]!), '2021-01-01T00:00:00Z');
    assert.equal(china.series[0]!.timeZone, 'Asia/Shanghai');
    const answered = read(text, 'file.csv', choices[0]!.options[0]!.layout);
    assert.deepEqual(answered.choices, []);
  }); // prettier-ignore

  it('does not ask if the other abbreviation of the zone occurs', () => {
    const winter = [1, 2, 3].map((day) => `2021-03-${pad(day + 10)} 08:00:00 CST`);
    const summer = [1, 2, 3].map((day) => `2021-03-${pad(day + 13)} 08:00:00 CDT`);
    const { choices, series } = read(table([...winter, ...summer]));
    assert.deepEqual(choices, []);
    assert.deepEqual([series[0]!.timeZone, series[0]!.gaps], ['America/Chicago', 0]);
    const british = read(table(['2021-03-27 08:00 GMT', '2021-03-28 08:00 BST', '2021-03-29 08:00 BST']));
    assert.deepEqual([british.choices.length, british.series[0]!.timeZone], [0, 'Europe/London']);
  });

  it('reads the zone of a clock from its own column', () => {
    const text = lines(48, (row) => `2021-01-${pad(Math.floor(row / 24) + 1)},${pad(row % 24)}:00+05:30,${row}`, 'date,clock,y');
    const series = only(text);
    assert.equal(isoInstant(series.times[0]!), '2020-12-31T18:30:00Z');
    assert.equal(series.timeZone, '+05:30');
  }); // prettier-ignore

  it('shows times in the configured zone and dates as the file has them', () => {
    const shown = (text: string) => {
      const { series } = read(text);
      return [series[0]!.summary, readIn(text, 'Asia/Tokyo')];
    };
    const readIn = (text: string, timeZone: string) =>
      readSeries(text, { fileName: 'file.csv', timeZone }).series[0]!.summary;
    const hours = table(zoned(48, 'UTC', (row) => Date.UTC(2021, 0, 1) + row * HOUR));
    assert.deepEqual(shown(hours), [
      'file · hourly · 2021-01-01 00:00 – 2021-01-02 23:00 · 48 points, no gaps',
      'file · hourly · 2021-01-01 09:00 – 2021-01-03 08:00 · 48 points, no gaps',
    ]);
    const days = table(zoned(20, '+01:00', (row) => Date.UTC(2021, 0, 1) - HOUR + row * DAY));
    assert.match(shown(days)[1]!, /1 Jan 2021 – 20 Jan 2021/);
  });

  it('sends the zone with the points of a series and restores it', () => {
    const days = zoned(20, 'Asia/Tokyo', (row) => Date.UTC(2021, 0, 1) - 9 * HOUR + row * DAY);
    const series = only(table(days));
    const points = toPoints(series);
    assert.deepEqual(points[0], { timestamp: '2020-12-31T15:00:00Z', value: 10, metadata: { time_zone: '+09:00' } });
    assert.equal(points[1]!.metadata, undefined);
    const back = fromPoints(points as Parameters<typeof fromPoints>[0]);
    assert.deepEqual([back.timeZone, back.timeKind, back.frequency], ['+09:00', 'date', series.frequency]);
    assert.equal(formatInstant(back.times[0]!, back.frequency, zoneOf(back.timeZone!)), '1 Jan 2021');
  });

  it('keeps rows without a time beside a zone name', () => {
    const cells = Array.from({ length: 20 }, (_, row) =>
      row === 5 ? '' : `2024-01-${pad(1 + row)} 10:00 Europe/Berlin`,
    );
    const { series, problems } = read(table(cells));
    assert.equal(series[0]!.points, 19);
    assert.match(problems[0]!.message, /no time/);
  });
});

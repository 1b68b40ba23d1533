import assert from 'node:assert/strict';
import { daysFromCivil } from '../../../../src/calendar/civil.ts';
import {
  dayColumns,
  hasDays,
  holidaySets,
  weekendOf,
  withEveryStep,
} from '../../../../src/reading/holidays/day-columns.ts';
import { allPlaces, holidaysOf } from '../../../../src/reading/holidays/library.ts';
import { readSeries } from '../../../../src/reading/read.ts';
import type { ReadSeries } from '../../../../src/reading/types.ts';

const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
const datesOf = (code: string, year = 2026): string[] => holidaysOf(code, year, year).map(({ day }) => iso(day));

function series(first: string, steps: number, hours: number, zone = ''): ReadSeries {
  const start = Date.parse(`${first}Z`);
  const lines = Array.from({ length: steps }, (_, i) => {
    const time = new Date(start + i * hours * 3_600_000).toISOString().slice(0, 19);
    return `${hours < 24 ? time + zone : time.slice(0, 10)},${50 + ((i * 7) % 13)}`;
  });
  return readSeries(`time,value\n${lines.join('\n')}\n`, { fileName: 'a.csv' }).series[0];
}

const sets = (code: string, fromYear: number, toYear = fromYear) =>
  holidaySets(holidaysOf(code, fromYear, toYear), weekendOf(code.slice(0, 2)), {
    holiday: 'holiday',
    bridge: 'bridge',
  });

describe('public holidays', () => {
  it('are those of a country, region or city', () => {
    assert.ok(allPlaces().filter(({ names }) => names.length === 1).length > 190);
    assert.deepEqual(allPlaces().find(({ code }) => code === 'DE-BY')?.names, ['Germany', 'Bayern']);
    assert.ok(!datesOf('DE').includes('2026-01-06'));
    assert.ok(datesOf('DE-BY').includes('2026-01-06'));
    assert.ok(datesOf('de-by-a').includes('2026-08-08'));
    assert.ok(datesOf('US').includes('2026-11-26'));
    assert.deepEqual(datesOf('XX'), []);
    assert.deepEqual(datesOf('DE-ZZ'), []);
    assert.deepEqual(datesOf(''), []);
  });

  it('include substitute days, several days and lunar dates', () => {
    assert.ok(datesOf('GB-ENG').includes('2026-12-28'));
    assert.deepEqual(
      datesOf('SA').filter((date) => date.startsWith('2026-03')),
      ['2026-03-19', '2026-03-20', '2026-03-21', '2026-03-22'],
    );
    assert.ok(datesOf('JP').includes('2026-09-23'));
  });
});

describe('holiday columns', () => {
  it('are 1 on the holiday, at each hour of its local day', () => {
    const [daily] = dayColumns(series('2026-04-01', 20, 24), sets('DE', 2026));
    assert.equal(daily.kind, 'switch');
    assert.deepEqual([...daily.values.keys()].filter((i) => daily.values[i] === 1), [2, 5]); // prettier-ignore
    const hourly = series('2026-04-01T00:00:00', 24 * 7, 1, '+09:00');
    assert.equal(hourly.timeZone, '+09:00');
    const hours = dayColumns(hourly, sets('DE', 2026))[0].values;
    assert.deepEqual([hours.indexOf(1), hours.indexOf(0, 48)], [48, 72]);
  });

  it('of a weekly series are the share of working days, also for weeks named by their end', () => {
    const monday = dayColumns(series('2026-03-16', 6, 7 * 24), sets('DE', 2026));
    assert.equal(monday.length, 1, 'without days between holiday and weekend');
    assert.equal(monday[0].kind, 'number');
    assert.deepEqual([...monday[0].values], [0, 0, 0.2, 0.2, 0, 0]);
    const sunday = dayColumns(series('2026-03-15', 6, 7 * 24), sets('DE', 2026));
    assert.deepEqual([...sunday[0].values], [0, 0, 0, 0.2, 0.2, 0]);
  });

  it('include bridge days between a holiday and the weekend', () => {
    const bridges = [...sets('DE', 2026)[1].days].map(iso);
    assert.ok(bridges.includes('2026-05-15'), 'the Friday after Ascension Day');
    assert.ok(bridges.includes('2026-01-02'));
    assert.ok(!bridges.some((date) => date.startsWith('2026-04')));
    assert.deepEqual(weekendOf('SA'), [4, 5]);
    assert.deepEqual(weekendOf('??'), [5, 6]);
  });

  it('are absent if no holiday falls into the series, without times, and for yearly data', () => {
    assert.deepEqual(dayColumns(series('2026-06-10', 20, 24), sets('DE', 2026)), []);
    const rows = readSeries('value\n1\n3\n2\n4\n', { fileName: 'a.csv' }).series[0];
    assert.equal(hasDays(rows), false);
    const years = readSeries('year,value\n2001,1\n2002,3\n2003,2\n2004,4\n', { fileName: 'a.csv' }).series[0];
    assert.equal(hasDays(years), false);
  });
});

describe('holiday row of each step', () => {
  it('covers steps without a holiday and steps after the last value', () => {
    const days = ['2026-04-01', '2026-04-02', '2026-04-04', '2026-04-05', '2026-04-07', '2026-04-08', '2026-04-09'];
    const csv = `date,value,promo\n${days.map((date, i) => `${date},${i},${i % 2}`).join('\n')}\n2026-04-10,,1\n`;
    const file = readSeries(csv, { fileName: 'a.csv' }).series.find(({ valueColumn }) => valueColumn === 'value')!;
    const full = withEveryStep(file, 3);
    assert.equal(full.times.length, 9);
    assert.ok(Number.isNaN(full.values[2]) && Number.isNaN(full.values[5]));
    assert.equal(full.values[8], 6);
    const { futureTimes, columns } = full.beside!;
    assert.deepEqual([...futureTimes].map((time) => iso(time / 86_400_000)), ['2026-04-10', '2026-04-11', '2026-04-12']); // prettier-ignore
    assert.deepEqual([...columns[0].values].map(String), '0 1 NaN 0 1 NaN 0 1 0 1 NaN NaN'.split(' '));
    const [holiday] = dayColumns(full, sets('DE', 2026));
    assert.deepEqual([...holiday.values.keys()].filter((i) => holiday.values[i] === 1), [2, 5]); // prettier-ignore
    assert.equal(holiday.ahead, 3);
  });

  it('keeps local time across clock changes', () => {
    const lines = Array.from({ length: 40 }, (_, i) => {
      const day = daysFromCivil(2026, 3, 10) + i;
      return `${iso(day)}T00:00:00${day < daysFromCivil(2026, 3, 29) || i === 19 ? '+01:00' : '+02:00'},${i % 9}`;
    });
    const file = readSeries(`time,value\n${lines.join('\n')}\n`, {
      fileName: 'a.csv',
      layout: { timeZone: 'Europe/Berlin' },
    }).series[0];
    const berlin = withEveryStep({ ...file, timeZone: 'Europe/Berlin' }, 2);
    assert.equal(berlin.times.length, 40);
    const [holiday] = dayColumns(berlin, sets('DE', 2026));
    assert.deepEqual([...holiday.values.keys()].filter((i) => holiday.values[i] === 1), [24, 27]); // prettier-ignore
  });
});

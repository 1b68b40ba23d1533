import assert from 'node:assert/strict';
import { brief, lines, only, pad, read as reading } from '../helpers.ts';

/** What is read of a table in one line. */
const read = (head: string, count: number, line: (row: number) => string) => brief(only(lines(count, line, head)));

describe('time in several columns', () => {
  it('reads a year with a month as a number, name or code', () => {
    const year = (i: number) => 2019 + Math.floor(i / 12);
    const expected = 'sales P1M 2019-01-01..2020-12-01 24 0';
    assert.equal(
      read('year,month,sales', 24, (i) => `${year(i)},${(i % 12) + 1},${i * 3}`),
      expected,
    );
    const german = ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember']; // prettier-ignore
    assert.equal(
      read('Jahr;Monat;sales', 24, (i) => `${year(i)};${german[i % 12]};${i * 3}`),
      expected,
    );
    assert.equal(
      read('Year,Period,sales', 24, (i) => `${year(i)},M${pad((i % 12) + 1)},${i * 3}`),
      expected,
    );
  });

  it('reads a year with a quarter as a number or Q1', () => {
    const year = (i: number) => 2015 + Math.floor(i / 4);
    const expected = 'gdp P3M 2015-01-01..2019-10-01 20 0';
    assert.equal(
      read('year,quarter,gdp', 20, (i) => `${year(i)},${(i % 4) + 1},${i * 7}`),
      expected,
    );
    assert.equal(
      read('year,qtr,gdp', 20, (i) => `${year(i)},Q${(i % 4) + 1},${i * 7}`),
      expected,
    );
  });

  it('reads a year with a week as its Monday, also in a year of 53 weeks', () => {
    const week = (i: number) => (i < 13 ? [2020, 41 + i] : [2021, i - 12]);
    const expected = 'visits P1W 2020-10-05..2021-02-15 20 0';
    assert.equal(
      read('year,week,visits', 20, (i) => `${week(i).join(',')},${i * 5}`),
      expected,
    );
    assert.equal(
      read('year,week,visits', 20, (i) => `${week(i).join(',W')},${i * 5}`),
      expected,
    );
  });

  it('reads a day with its numbered settlement period', () => {
    const day = (row: number, parts: number) => `2024-01-${pad(1 + Math.floor(row / parts))}`;
    const ways = [
      ['SETTLEMENT_DATE,SETTLEMENT_PERIOD,ND', 48, 'ND PT30M 2024-01-01..2024-01-04T23:30 192 0'],
      ['date,settlementPeriod,ND', 48, 'ND PT30M 2024-01-01..2024-01-04T23:30 192 0'],
      ['date,pte,ND', 96, 'ND PT15M 2024-01-01..2024-01-02T23:45 192 0'],
      ['date,time_period,ND', 24, 'ND PT1H 2024-01-01..2024-01-08T23:00 192 0'],
    ] as const;
    for (const [head, parts, expected] of ways)
      assert.equal(read(head, 192, (i) => `${day(i, parts)},${(i % parts) + 1},${i * 3 % 17}`), expected, head); // prettier-ignore
    const text = lines(96, (i) => `${day(i, 48)},${(i % 48) + 1},${i % 5}`, 'date,period,ND');
    assert.equal(reading(text).format.dateFormat, undefined, 'these are no clocks that could be gone on with');
  });

  it('reads a day with the start and end hour', () => {
    const hour = (i: number) => `${pad(i % 24)} - ${pad((i % 24) + 1)}`;
    const text = lines(
      96,
      (i) => `0${1 + Math.floor(i / 24)}-01-2024,${hour(i)},${i % 7},${i % 5}`,
      'Date,Hours,SE1,FI',
    );
    const { series, format } = reading(text, 'file.csv', { dateOrder: 'dmy' });
    assert.deepEqual(series.map(brief), ['SE1', 'FI'].map((id) => `${id} PT1H 2024-01-01..2024-01-04T23:00 96 0`)); // prettier-ignore
    assert.equal(format.dateFormat, undefined);
  });

  it('reads two fiscal-year columns as keys, not as times', () => {
    const text = lines(40, (i) => `${pad(1 + (i >> 1))}.01.2024,FY${24 + (i % 2)},${i}`, 'day,plan,sales');
    assert.deepEqual(reading(text).series.map(brief), ['FY24', 'FY25'].map((id) => `${id} P1D 2024-01-01..2024-01-20 20 0`)); // prettier-ignore
  });

  it('does not combine a day with ages or numeric classes', () => {
    const text = (bands: readonly string[]) => lines(28, (i) => `2024-01-${pad(i + 1)},${bands[i % bands.length]!},${i}`, 'date,band,sales'); // prettier-ignore
    for (const bands of [['0-1', '1-2', '2-3'], ['10-11', '11-12'], ['8 - 9', '9 - 10'], ['00 - 01']])
      assert.deepEqual(reading(text(bands)).series.map(brief), ['sales P1D 2024-01-01..2024-01-28 28 0'], bands[0]); // prettier-ignore
  });

  it('reads a day with an hour, also counted from 1 to 24', () => {
    const date = (i: number) => {
      const day = new Date(Date.UTC(2024, 1, 20 + i));
      return `${day.getUTCFullYear()},${day.getUTCMonth() + 1},${day.getUTCDate()}`;
    };
    assert.equal(
      read('year,month,day,load', 20, (i) => `${date(i)},${i * 5}`),
      'load P1D 2024-02-20..2024-03-10 20 0',
    );
    assert.equal(
      read('year,month,day,hour,load', 48, (i) => `${date(Math.floor(i / 24))},${i % 24},${i * 5}`),
      'load PT1H 2024-02-20..2024-02-21T23:00 48 0',
    );
    assert.equal(
      read('year,month,day,he,load', 48, (i) => `${date(Math.floor(i / 24))},${(i % 24) + 1},${i * 5}`),
      'load PT1H 2024-02-20T01:00..2024-02-22 48 0',
    );
  });

  it('reads a date with a clock, and a repeated date with an hour', () => {
    const day = (i: number) => `2024-03-${pad(1 + Math.floor(i / 24))}`;
    const expected = 'load PT1H 2024-03-01..2024-03-02T23:00 48 0';
    assert.equal(
      read('date,time,load', 48, (i) => `${day(i)},${pad(i % 24)}:00,${i * 5}`),
      expected,
    );
    assert.equal(
      read('date,hour,load', 48, (i) => `${day(i)},${i % 24},${i * 5}`),
      expected,
    );
  });

  it('finds months in a second column that cycles through 1 to 12 without a header', () => {
    const month = (i: number) => `${2019 + Math.floor(i / 12)},${(i % 12) + 1},${i * 3}`;
    assert.equal(brief(only(lines(24, month))), 'file P1M 2019-01-01..2020-12-01 24 0');
    const { timeKind } = only(
      lines(24, (i) => `${2000 + ((i * 7) % 24)},${((i * 5) % 11) + 1},${i * 3}`),
      'file.csv',
      {
        valueColumns: ['Column 3'],
      },
    );
    assert.notEqual(timeKind, 'period');
  });

  it('leaves out total rows between the years', () => {
    const row = (i: number) =>
      i % 13 === 12 ? `${2019 + Math.floor(i / 13)},Total,999` : `${2019 + Math.floor(i / 13)},${(i % 13) + 1},${i}`;
    const series = only(lines(26, row, 'year,month,sales'));
    assert.equal(brief(series), 'sales P1M 2019-01-01..2020-12-01 24 0');
    assert.ok(!series.values.includes(999));
  });
});

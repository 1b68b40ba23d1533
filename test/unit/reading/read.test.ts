import assert from 'node:assert/strict';
import { readSeries } from '../../../src/reading/read.ts';
import { SeriesError } from '../../../src/reading/types.ts';
import { brief, lines, only, read } from './helpers.ts';

const iso = (start: string, days: number) => new Date(Date.parse(start) + days * 86_400_000).toISOString().slice(0, 10);
const month = (year: number, index: number) =>
  `${year + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;

/** Files of the shapes that people have, each with what must be read from it. */
const TABLE: { what: string; file?: string; text: string; series: string[]; choices?: number; problems?: number }[] = [
  {
    what: 'quoted cells, CRLF and months without a day',
    text: lines(24, (i) => `"${month(1949, i)}",${112 + i}\r`, '"Month","Passengers"\r'),
    series: ['Passengers P1M 1949-01-01..1950-12-01 24 0'],
  },
  {
    what: 'a long table with one id',
    text: lines(24, (i) => `AirPassengers,${month(1949, i)}-01,${112 + i}`, 'unique_id,ds,y'),
    series: ['AirPassengers P1M 1949-01-01..1950-12-01 24 0'],
  },
  {
    what: 'a long table of several series',
    text: lines(60, (i) => `${'ABC'[Math.floor(i / 20)]},2016-10-${10 + (i % 20)} 00:00:00,${i}.5`, 'unique_id,ds,y'),
    series: ['A P1D 2016-10-10..2016-10-29 20 0', 'B P1D 2016-10-10..2016-10-29 20 0', 'C P1D 2016-10-10..2016-10-29 20 0'],
  },
  {
    what: 'month first, hours without a zero',
    text: lines(400, (i) => `1/${1 + Math.floor(i / 24)}/2021 ${i % 24}:00:00,${11047.018793 + i}`, 'Hour Ending,COAST'),
    series: ['COAST PT1H 2021-01-01..2021-01-17T15:00 400 0'],
  },
  {
    what: 'a wide table: which column is a real choice',
    text: lines(30, (i) => `${iso('2023-01-01', i)},${i},${i * 2},${i * 3}`, 'date,metro,bus,total'),
    series: ['metro P1D 2023-01-01..2023-01-30 30 0', 'bus P1D 2023-01-01..2023-01-30 30 0', 'total P1D 2023-01-01..2023-01-30 30 0'],
    choices: 1,
  },
  {
    what: 'epoch milliseconds on business days',
    text: lines(20, (i) => `${Date.UTC(2007, 0, 1 + i + 2 * Math.floor(i / 5))},0.75${i}`, 'timestamp,value'),
    series: ['value P1D 2007-01-01..2007-01-26 20 0'],
  },
  {
    what: 'tabs',
    file: 'a.tsv',
    text: lines(10, (i) => `${iso('2020-02-25', i)}\t${i}`, 'day\tload'),
    series: ['load P1D 2020-02-25..2020-03-05 10 0'],
  },
  {
    what: 'semicolons and decimal commas',
    text: lines(30, (i) => `${String(i + 1).padStart(2, '0')}.01.2021 00:00;${i},5`, 'Zeit;Last'),
    series: ['Last P1D 2021-01-01..2021-01-30 30 0'],
  },
  {
    what: 'no header',
    text: lines(10, (i) => `${iso('2020-01-01', i)},${i}`),
    series: ['file P1D 2020-01-01..2020-01-10 10 0'],
  },
  {
    what: 'values that rise like years beside each other',
    text: lines(12, (i) => `${iso('2020-01-01', i)},${1500 + i},${1600 + i},${1700 + i}`, 'date,a,b,c'),
    series: ['a', 'b', 'c'].map((id) => `${id} P1D 2020-01-01..2020-01-12 12 0`),
    choices: 1,
  },
  { what: 'numbers only', text: lines(10, (i) => String(i * i)), series: ['file – rows 10 0'] },
  { what: 'one column with a name', text: lines(10, (i) => String(i * i), 'load'), series: ['load – rows 10 0'] },
  {
    what: 'points of the interface',
    file: 'a.json',
    text: JSON.stringify(Array.from({ length: 10 }, (_, i) => ({ timestamp: `${iso('2020-01-01', i)}T00:00:00Z`, value: i, metadata: { a: 1 } }))),
    series: ['value P1D 2020-01-01..2020-01-10 10 0'],
  },
  {
    what: 'an array of objects, indented',
    file: 'a.json',
    text: JSON.stringify(Array.from({ length: 10 }, (_, i) => ({ day: iso('2020-01-01', i), visits: i })), undefined, 2),
    series: ['visits P1D 2020-01-01..2020-01-10 10 0'],
  },
  {
    what: 'an object of arrays under a key',
    file: 'a.json',
    text: JSON.stringify({ latitude: 52.5, hourly_units: { time: 'iso8601' }, hourly: { time: Array.from({ length: 10 }, (_, i) => `2020-01-01T0${i}:00`), temp: Array.from({ length: 10 }, (_, i) => i) } }),
    series: ['temp PT1H 2020-01-01..2020-01-01T09:00 10 0'],
  },
  {
    what: 'NDJSON',
    file: 'a.ndjson',
    text: lines(10, (i) => JSON.stringify({ ts: 1609459200 + i * 300, value: i })),
    series: ['value PT5M 2021-01-01..2021-01-01T00:45 10 0'],
  },
  {
    what: 'pairs',
    file: 'a.json',
    text: JSON.stringify({ prices: Array.from({ length: 10 }, (_, i) => [1609459200000 + i * 3_600_000, i]) }),
    series: ['a PT1H 2021-01-01..2021-01-01T09:00 10 0'],
  },
]; // prettier-ignore

describe('readSeries', () => {
  for (const { what, file, text, series, choices = 0, problems = 0 } of TABLE) {
    it(`reads ${what}`, () => {
      const document = read(text, file);
      assert.deepEqual(document.series.map(brief), series);
      assert.equal(document.choices.length, choices);
      assert.deepEqual(document.problems.length, problems, JSON.stringify(document.problems[0]));
    });
  }

  it('describes what was read in one line', () => {
    const text = lines(144, (i) => `${month(1949, i)},${i}`, 'Month,Passengers');
    assert.equal(only(text).summary, 'Passengers · monthly · Jan 1949 – Dec 1960 · 144 points, no gaps');
  });

  it('applies the column, date order and frequency of a layout', () => {
    const wide = lines(12, (i) => `0${1 + (i % 9)}/0${1 + Math.floor(i / 9)}/2021,${i},${i * 2}`, 'd,a,b');
    const series = only(wide, 'a.csv', { valueColumns: ['b'], dateOrder: 'dmy', frequency: null });
    assert.equal(series.frequency, undefined);
    assert.equal(series.valueColumn, 'b');
  });
});

describe('readSeries: refusals', () => {
  const refusal = (text: string | Uint8Array, fileName: string): SeriesError => {
    try {
      readSeries(text, { fileName });
    } catch (error) {
      assert.ok(error instanceof SeriesError, String(error));
      return error;
    }
    throw new Error('was read');
  };

  it('explains what to do with an empty file', () => {
    for (const text of ['', ' \n\n', new Uint8Array(0)]) {
      const error = refusal(text, 'sales.csv');
      assert.equal(error.reason, 'empty');
      assert.equal(error.message, 'sales.csv is empty. Open a file with a column of times and a column of numbers.');
    }
  });

  it('explains what to do with a file without numbers', () => {
    assert.equal(refusal('name,city\nAnn,Bonn\nBob,Rome\n', 'people.csv').reason, 'no-numbers');
    assert.equal(refusal('{"a": "b"}', 'a.json').reason, 'no-series');
    assert.equal(refusal('date,value\n', 'a.csv').reason, 'no-series');
  });

  it('names the line of broken JSON and the expected token', () => {
    const error = refusal(
      '[\n {"timestamp": "2020-01-01", "value": 1},\n {"timestamp": "2020-01-02" "value": 2}\n]',
      'a.json',
    );
    assert.equal(
      error.message,
      'a.json, line 3: invalid JSON. Expected “,” or “}”, found “"value":”. Fix the line and try again.',
    );
    assert.equal(error.line, 3);
    assert.equal(refusal('{"ts": 1, "value": 1}\n{"ts": 2, "value": }\n', 'a.ndjson').line, 2);
    assert.equal(refusal('[{"timestamp": "2020-01-01", "value": 1}', 'a.json').reason, 'broken-json');
  });

  it('names the line of a cell that is not a number', () => {
    const text = lines(20, (i) => `${iso('2020-01-01', i)},${i === 12 ? 'n/a?' : i}`, 'date,sales');
    const error = refusal(text, 'sales.csv');
    assert.equal(
      error.message,
      'sales.csv, line 14: “n/a?” is not a number. Treat these cells as missing, or fix the line.',
    );
    const document = readSeries(text, { fileName: 'sales.csv', missing: 'treat-as-missing' });
    assert.equal(document.series[0]?.missing, 1);
    assert.deepEqual(
      document.problems.map(({ line, severity }) => [line, severity]),
      [[14, 'warning']],
    );
  });

  it('refuses decimal commas in comma-separated rows instead of splitting numbers', () => {
    const error = refusal(
      lines(20, (i) => `${iso('2020-01-01', i)},${i},5`, 'date,value'),
      'a.csv',
    );
    assert.equal(error.reason, 'ragged');
    assert.equal(
      error.message,
      'a.csv, line 2: This row has 3 cells where the table has 2; the extra cells were left out. Quote cells that contain the delimiter.',
    );
    assert.ok(error.canBePassedOver);
  });

  it('refuses a damaged workbook and an unclosed quotation mark', () => {
    assert.equal(refusal(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), 'a.xlsx').reason, 'binary');
    assert.equal(refusal('date,v\n2020-01-01,1\n"2020-01-02,2\n2020-01-03,3\n', 'a.csv').reason, 'open-quote');
  });
});

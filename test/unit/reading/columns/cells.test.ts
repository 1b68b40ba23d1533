import assert from 'node:assert/strict';
import { isoInstant } from '../../../../src/calendar/format.ts';
import { TIME_FORMATS, startOfSpan } from '../../../../src/reading/values/dates.ts';
import { isMissing, parseNumber } from '../../../../src/reading/values/numbers.ts';

describe('parseNumber', () => {
  it('reads numbers in the notations of people and programs', () => {
    const table: [string, number, number][] = [
      ['12', 12, 12], ['-3', -3, -3], ['+4', 4, 4], ['1.5', 1.5, NaN], ['1,5', NaN, 1.5], ['.5', 0.5, NaN], [',5', NaN, 0.5], ['5.', 5, NaN],
      ['1,234', 1234, 1.234], ['1.234', 1.234, 1234], ['1,234.5', 1234.5, NaN], ['1.234,5', NaN, 1234.5], ['1,234,567', 1234567, NaN],
      ['12,34,567.5', 1234567.5, NaN], ["1'234.5", 1234.5, NaN], ['1 234,5', NaN, 1234.5], ['1\u00a0234', 1234, 1234], ['1\u202f234,5', NaN, 1234.5], ['−1\u2009234,5', NaN, -1234.5],
      ['0,125', NaN, 0.125], ['0.125', 0.125, NaN], ['1,23', NaN, 1.23], ['12,3456', NaN, 12.3456], ['1e3', 1000, 1000], ['1.5E-3', 0.0015, NaN],
      ['$1,234.50', 1234.5, NaN], ['-$5', -5, -5], ['$-5', -5, -5], ['(5)', -5, -5], ['($1,234)', -1234, -1.234], ['5-', -5, -5], ['5.-', 5, NaN], ['-5,– €', NaN, -5], ['CHF 1’100.--', 1100, NaN], ['5.00-', -5, NaN], ['12 €', 12, 12],
      ['R$ 1.234,50', NaN, 1234.5], ['CHF 12.50', 12.5, NaN], ['12%', 12, 12], ['12.5%', 12.5, NaN], ['\u22125', -5, -5], ['1.2M', 1200000, NaN],
      ['3K', 3000, 3000], ['-0', -0, -0],
    ]; // prettier-ignore
    for (const [text, dot, comma] of table) {
      assert.ok(Object.is(parseNumber(text, '.'), dot), `${text} with a point: ${parseNumber(text, '.')}`);
      assert.ok(Object.is(parseNumber(text, ','), comma), `${text} with a comma: ${parseNumber(text, ',')}`);
    }
  });

  it('rejects everything else', () => {
    const texts = ['', ' ', '-', 'x', '1x', 'x1', '1 2', '1,2,3', '1.2.3', '12 34', '1,23,4', '--5', '-(5)', '(5', '5)', '-5-', '0x1F', '1e999', 'Infinity', 'NaN', '٣', '１', '1/2', '5 5', '1,2345.6', '$', '%', '1__000', 'e5', '1e', '2021-01-01', '12:30']; // prettier-ignore
    for (const text of texts) {
      assert.ok(Number.isNaN(parseNumber(text, '.')), `${text} with a point`);
      assert.ok(Number.isNaN(parseNumber(text, ',')) || text === '1,2345.6', `${text} with a comma`);
    }
  });

  it('recognizes words for missing values', () => {
    for (const text of [
      '',
      'NA',
      'n/a',
      'NaN',
      'null',
      'None',
      '#N/A',
      '-',
      '.',
      '..',
      ':',
      '***',
      '?',
      '(null)',
      '\\N',
      '1.#QNAN',
    ]) {
      assert.ok(isMissing(text), text);
    }
    for (const text of ['0', '-1', 'n/a?', 'no', 'nap', 'oops']) assert.ok(!isMissing(text), text);
  });
});

describe('TIME_FORMATS', () => {
  const parse = (id: string, text: string) => TIME_FORMATS.find((format) => format.id === id)?.parse(text) ?? NaN;
  const iso = (time: number) => (Number.isNaN(time) ? 'none' : isoInstant(time).replace('T00:00:00Z', ''));

  const table: [string, string, string][] = [
    ['iso', '2021-01-31', '2021-01-31'], ['iso', '2021-1-5', '2021-01-05'], ['iso', '2021/01/31', '2021-01-31'], ['iso', '2021.01.31', '2021-01-31'],
    ['iso', '2021-01-31T13:00', '2021-01-31T13:00:00Z'], ['iso', '2021-01-31 13:00:05', '2021-01-31T13:00:05Z'], ['iso', '2021-01-31T13:00:05.25Z', '2021-01-31T13:00:05.250Z'],
    ['iso', '2021-01-31T13:00:00,5', '2021-01-31T13:00:00.500Z'], ['iso', '2021-01-31T13:00:00+01:00', '2021-01-31T12:00:00Z'], ['iso', '2021-01-31T13:00-0530', '2021-01-31T18:30:00Z'],
    ['iso', '2021-01-31 13:00:00 UTC', '2021-01-31T13:00:00Z'], ['iso', '2021-01-31 13:00 CEST', '2021-01-31T11:00:00Z'], ['iso', '2021-01-31T24:00', '2021-02-01'],
    ['iso', '2021-031', '2021-01-31'], ['iso', '2021年1月31日', '2021-01-31'], ['iso', '2021-01-31T13:00:00.123456Z', '2021-01-31T13:00:00.123456Z'],
    ['iso', '2021-02-29', 'none'], ['iso', '2021-13-01', 'none'], ['iso', '2021-01-31T25:00', 'none'], ['iso', '2021-01-31x', 'none'], ['iso', '0000-01-01', 'none'],
    ['mdy', '1/31/2021 13:00', '2021-01-31T13:00:00Z'], ['mdy', '1/31/2021 1:05:09 PM', '2021-01-31T13:05:09Z'], ['mdy', '31/1/2021', 'none'], ['mdy', '12-31-99', '1999-12-31'],
    ['dmy', '31/01/2021', '2021-01-31'], ['dmy', '31.01.21', '2021-01-31'], ['dmy', '31.01.2021 18.30.00', '2021-01-31T18:30:00Z'], ['dmy', '31-01-2021', '2021-01-31'],
    ['mdy', '12/31/2021 12:00 AM', '2021-12-31'], ['mdy', '12/31/2021 12:00 PM', '2021-12-31T12:00:00Z'], ['mdy', '1/2-2021', 'none'],
    ['month', '2021-01', '2021-01-01'], ['month', '2021M1', '2021-01-01'], ['month', '1/2021', '2021-01-01'], ['month', '2021-13', 'none'],
    ['quarter', '2021-Q3', '2021-07-01'], ['quarter', '2021Q3', '2021-07-01'], ['quarter', 'Q3 2021', '2021-07-01'], ['quarter', '3Q21', '2021-07-01'], ['quarter', '2021-Q5', 'none'], ['quarter', '2021-T2', '2021-04-01'],
    ['half', '2021-H2', '2021-07-01'], ['half', 'H1 2021', '2021-01-01'],
    ['week', '2021-W01', '2021-01-04'], ['week', '2020-W53', '2020-12-28'], ['week', '2021-W53', 'none'], ['week', '2021-W05-3', '2021-02-03'], ['week', 'KW 5 2021', '2021-02-01'],
    ['names', 'Jan 1949', '1949-01-01'], ['names', 'Jan-49', '1949-01-01'], ['names', 'January 31, 2021', '2021-01-31'], ['names', '31 Jan 2021 13:00', '2021-01-31T13:00:00Z'],
    ['names', '31-JAN-21', '2021-01-31'], ['names', 'Sun, 31 Jan 2021 13:00:00 GMT', '2021-01-31T13:00:00Z'], ['names', '31. Januar 2021', '2021-01-31'], ['names', '1 février 2021', '2021-02-01'],
    ['names', '5 de marzo de 2021', '2021-03-05'], ['names', '2021-Dez-31', '2021-12-31'], ['names', 'März 2021', '2021-03-01'], ['names', 'Sun Jan 31 13:00:00 2021', '2021-01-31T13:00:00Z'],
    ['names', '31JAN2021', '2021-01-31'], ['names', 'Foo 2021', 'none'], ['names', '31 Feb 2021', 'none'], ['names', '3rd of May 2021', '2021-05-03'],
    ['compact', '20210131', '2021-01-31'], ['compact', '20210131T130000Z', '2021-01-31T13:00:00Z'], ['compact', '202101311305', '2021-01-31T13:05:00Z'], ['compact', '20211301', 'none'],
    ['compact-month', '202101', '2021-01-01'], ['year', '2021', '2021-01-01'], ['year', '2021.0', '2021-01-01'], ['year', '0021', 'none'],
    ['season', '2020/21', '2020-01-01'], ['season', '1999-00', '1999-01-01'], ['season', 'FY2021', '2021-01-01'], ['season', '2020/22', 'none'],
    ['epoch-s', '1609459200', '2021-01-01'], ['epoch-s', '1609459200.5', '2021-01-01T00:00:00.500Z'], ['epoch-ms', '1609459200000', '2021-01-01'], ['epoch-us', '1609459200000000', '2021-01-01'], ['epoch-ns', '1609459200000000000', '2021-01-01'],
    ['cycle', '3-12', '0003-12-01'], ['cycle', '3-13', 'none'],
  ]; // prettier-ignore

  for (const [id, text, expected] of table) {
    it(`${id}: ${text} is ${expected}`, () => {
      assert.equal(iso(parse(id, text)), expected);
    });
  }

  it('reads a range as its start', () => {
    assert.equal(startOfSpan('01.01.2021 00:00 - 01.01.2021 01:00'), '01.01.2021 00:00');
    assert.equal(startOfSpan('2021-01-01/2021-01-07'), '2021-01-01');
    assert.equal(startOfSpan('2021-01-01T00:00:00Z'), '2021-01-01T00:00:00Z');
  });
});

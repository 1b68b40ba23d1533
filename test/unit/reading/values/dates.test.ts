import assert from 'node:assert/strict';
import type { WrittenZone } from '../../../../src/calendar/timestamp.ts';
import { isoInstant } from '../../../../src/calendar/format.ts';
import {
  MIXED_PERIODS,
  TIME_FORMATS,
  grainOf,
  instantOfWeek,
  plainFormats,
  startOfSpan,
} from '../../../../src/reading/values/dates.ts';
import { monthOfName } from '../../../../src/reading/values/time-words.ts';
import { isTotalWord, namesTotal } from '../../../../src/reading/values/totals.ts';

/** How a cell is read in a format: the day, and the clock where there is one. */
function as(id: (typeof TIME_FORMATS)[number]['id'], text: string): string | undefined {
  const time = TIME_FORMATS.find((format) => format.id === id)!.parse(text);
  if (Number.isNaN(time)) return undefined;
  return new Date(time)
    .toISOString()
    .replace('T00:00:00.000Z', '')
    .replace(/:00\.000Z$/, '');
}

/** The cells with their times of any format of a column of them all, without the clock where it is midnight. */
const WRITINGS: readonly (readonly [text: string, time: string])[] = [
  ['1. 1. 2024', '2024-01-01'],
  ['28. 02. 2024', '2024-02-28'],
  ['1 / 1 / 2024', '2024-01-01'],
  ['13 - 1 - 2024', '2024-01-13'],
  ['2020 / 01', '2020-01-01'],
  ['2020 - 12', '2020-12-01'],
  ['2024. 1.', '2024-01-01'],
  ['2024_03_17', '2024-03-17'],
  ['2024 . 03 . 17', '2024-03-17'],
  ['2021年第01周', '2021-01-04'],
  ['2024年第1季度', '2024-01-01'],
  ['17 de marzo de 2024 14:03 hs.', '2024-03-17T14:03'],
  ['17. März 2024, 14:03 Uhr', '2024-03-17T14:03'],
  ['17.03.2024 14:03 Uhr', '2024-03-17T14:03'],
  ['01/01/2023 Dom', '2023-01-01'],
  ['1 Şubat 2024 Perşembe', '2024-02-01'],
  ['segunda-feira, 1 de janeiro de 2024', '2024-01-01'],
  ['17.03.2024 - 14:03', '2024-03-17T14:03'],
  ['17/03/2024 | 14:03', '2024-03-17T14:03'],
  ['2024-03-17 2:03 p.m.', '2024-03-17T14:03'],
  ['17/03/2024 02:03 p. m.', '2024-03-17T14:03'],
  ['2024-03-17 PM 2:03', '2024-03-17T14:03'],
  ['1er mars 2024', '2024-03-01'],
  ['the 5th of March 2021', '2021-03-05'],
  ['Week 01, 2024', '2024-01-01'],
  ['2024 Week 01', '2024-01-01'],
  ['Woche 1/2024', '2024-01-01'],
  ['2024 kvartal 2', '2024-04-01'],
  ['II кв. 2024', '2024-04-01'],
  ['Q III 2024', '2024-07-01'],
];

const NO_TIMES =
  'v1.2.3|10.0.0.1|192.168.1.24|+49 30 1234567|(030) 1234-5678|3/4|3 / 4|12-34|12 - 34|A2021U01|10x20|18-24|18 - 24|2:1|2 : 1|DE89 3704 0044 0532 0130 00|AB-2021-X7|ART 2021 / 4711|SKU-2024-01-XL|2021-INV-0007|1200 - Debtors|2 of 3|No. 12 of 2021'.split(
    '|',
  );

describe('time in a cell', () => {
  it('is read as well with words, weekdays, ordinals and blanks, where a column has them', () => {
    const read = WRITINGS.map(([text]) => {
      const times = plainFormats(TIME_FORMATS, [text]).map(({ parse }) => parse(text));
      const own = TIME_FORMATS.map(({ parse }) => parse(text));
      const time = [...own, ...times].find((each) => !Number.isNaN(each));
      return [text, time === undefined ? undefined : isoInstant(time).replace(/T00:00:00Z$|:00Z$/, '')];
    });
    assert.deepEqual(read, WRITINGS);
  });

  it('is none in versions, addresses, numbers, ratios, ids, sizes, ranges and scores, whatever blanks they have', () => {
    for (const text of NO_TIMES) {
      const ways = [...TIME_FORMATS, ...plainFormats(TIME_FORMATS, [text])].filter(({ id }) => id !== 'clock');
      assert.deepEqual(ways.filter(({ parse }) => !Number.isNaN(parse(text))).map(({ id }) => id), [], text); // prettier-ignore
    }
  });

  it('is a week behind a letter of any language only where the weeks go on', () => {
    const plain = (texts: readonly string[]) => plainFormats(TIME_FORMATS, texts).find(({ id }) => id === 'week');
    const weeks = ['2021U01', '2021U02', '2021U03', '2021U04'];
    assert.deepEqual(weeks.map((text) => plain(weeks)!.parse(text)), [4, 11, 18, 25].map((day) => Date.UTC(2021, 0, day))); // prettier-ignore
    assert.equal(plain(['2021U01', '2021U11', '2021U21', '2021U31']), undefined);
  });

  it('is a numeric date in either order, with two-digit years on both sides of 2000', () => {
    assert.deepEqual([as('mdy', '3/4/2021'), as('dmy', '3/4/2021')], ['2021-03-04', '2021-04-03']);
    assert.deepEqual([as('dmy', '31.12.40'), as('dmy', '31.12.41')], ['2040-12-31', '1941-12-31']);
    assert.equal(as('mdy', '12-31-99 1:05 pm'), '1999-12-31T13:05');
    assert.equal(as('dmy', '31 12 2021, 23:59'), '2021-12-31T23:59');
    for (const wrong of ['3/4-2021', '3/4/021', '13/13/2021', '30.02.2021', '3/4/2021 noon', '3/4/2021 25:00'])
      assert.deepEqual([as('mdy', wrong), as('dmy', wrong)], [undefined, undefined], wrong);
  });

  it('is a date with dots as in Hungary and Korea, also beside a weekday', () => {
    for (const text of ['2021.03.05.', '2021. 3. 5.', '2021. 3. 5', '2021/3/5(金)', '2021-03-05 (Fri)', 'Fri 2021-03-05', 'Fr., 2021-03-05'])
      assert.equal(as('iso', text), '2021-03-05', text); // prettier-ignore
    assert.equal(as('iso', '2021. 03. 05. 13:05'), '2021-03-05T13:05');
    assert.deepEqual([as('iso', '2021-03-05T13'), as('iso', '2021-03-05 24'), as('iso', '2021-03-05 25')], ['2021-03-05T13:00', '2021-03-06', undefined]); // prettier-ignore
    assert.deepEqual([as('clock', '05 - 06'), as('clock', '23-24'), as('clock', '23 - 00'), as('clock', '5-7')], ['1970-01-01T05:00', '1970-01-01T23:00', '1970-01-01T23:00', undefined]); // prettier-ignore
    assert.equal(as('compact', '20210305:1310'), '2021-03-05T13:10');
    const names = [as('quarter', 'T 100'), as('quarter', 'Q 124'), as('half', 'S 210')];
    assert.deepEqual(names, [undefined, undefined, undefined], 'a letter and a number are a name');
    assert.deepEqual([as('quarter', 'Q 1 24'), as('quarter', 'Q124'), as('quarter', 'Q 12024')], ['2024-01-01', '2024-01-01', '2024-01-01']); // prettier-ignore
    assert.deepEqual([as('dmy', 'Fr, 05.03.2021'), as('mdy', 'Friday 3/5/2021 1:05 PM')], ['2021-03-05', '2021-03-05T13:05']); // prettier-ignore
    for (const wrong of ['2021. 3. 32.', 'Store 2021-03-05', '2021-03-05 (revised)'])
      assert.equal(as('iso', wrong), undefined, wrong);
  });

  it('is an ISO date with a day padded by a blank, but none with a sign in place of a digit', () => {
    for (const text of [
      '2017-07-3  01:10',
      '2017-07-3 01:10',
      '2017-07-3T01:10',
      '2017-07-03: 01:10',
      '2017-7-3, 01:10',
    ])
      assert.equal(as('iso', text), '2017-07-03T01:10', text);
    for (const wrong of ['2087-04-2: 03:26:59', '2087-04-2T 03:26Z', '2087-04-2_ 03:26', '20x7-04-21 03:26', '2087-04-:1'])
      assert.equal(as('iso', wrong), undefined, wrong); // prettier-ignore
  });

  it('is a date with a month name in the languages of statistics offices', () => {
    for (const text of ['5 March 2021', '5th of March 2021', 'March 5, 2021', 'Fri, 5 Mar 2021', '05-mar-21', '2021 Mar 5', '5. März 2021', '5 de marzo de 2021', '5 mars 2021', 'Freitag, 5. Mrz. 2021'])
      assert.equal(as('names', text), '2021-03-05', text); // prettier-ignore
    assert.equal(as('names', 'Fri Mar  5 13:05:00 2021'), '2021-03-05T13:05');
    assert.equal(as('names', 'March 5, 2021 at 1:05 PM'), '2021-03-05T13:05');
    assert.deepEqual([as('names', 'Mar-21'), as('names', "Sept '21"), as('names', '2021 août'), as('names', 'agosto de 2021')], ['2021-03-01', '2021-09-01', '2021-08-01', '2021-08-01']); // prettier-ignore
    for (const wrong of ['31 February 2021', 'March', 'Smarch 2021', '5 March', '2021 5 March'])
      assert.equal(as('names', wrong), undefined, wrong);
  });

  it('keeps the zone in the middle of C’s format', () => {
    const written: WrittenZone = { offset: undefined, name: undefined };
    const { parse } = TIME_FORMATS.find(({ id }) => id === 'names')!;
    parse('Fri Mar  5 13:05:00 CET 2021', written);
    assert.ok(written.name === 'CET' || written.offset === 3_600_000, JSON.stringify(written));
  });

  it('is a quarter, half or season as its first day', () => {
    for (const text of ['2021Q3', '2021-Q3', 'Q3 2021', 'Q3/21', '3Q21', '3. Q 2021', '2021 T3', 'K3 2021', '3. Quartal 2021', '3rd quarter of 2021', '3e trimestre 2021', 'Q3 FY21', "Q3 FY'21", 'Trim. 3 2021'])
      assert.equal(as('quarter', text), '2021-07-01', text); // prettier-ignore
    assert.deepEqual([as('quarter', '2021Q5'), as('quarter', 'Q0 2021')], [undefined, undefined]);
    assert.deepEqual([as('half', '2021H2'), as('half', 'S1 2021'), as('half', '2021H3')], ['2021-07-01', '2021-01-01', undefined]); // prettier-ignore
    assert.deepEqual([as('season', '2020/21'), as('season', '1999/2000'), as('season', 'FY2021'), as('season', 'FY21'), as('season', 'FY 20-21')], ['2020-01-01', '1999-01-01', '2021-01-01', '2021-01-01', '2020-01-01']); // prettier-ignore
    assert.deepEqual([as('season', '2020/22'), as('season', '2020'), as('season', '20-21'), as('season', 'FY20/22')], [undefined, undefined, undefined, undefined]); // prettier-ignore
  });

  it('is a week as its Monday, also in the year before', () => {
    assert.deepEqual([as('week', '2021-W01'), as('week', '2020W53'), as('week', 'KW 1/2020')], ['2021-01-04', '2020-12-28', '2019-12-30']); // prettier-ignore
    assert.equal(as('week', '2021-W01-7'), '2021-01-10');
    assert.equal(as('week', '2021-W53'), undefined, '2021 has 52 weeks');
    assert.deepEqual([0, 54, NaN].map((week) => instantOfWeek(2020, week)), [NaN, NaN, NaN]); // prettier-ignore
    assert.equal(as('year-week', '202105'), '2021-02-01');
  });

  it('is digits alone: days, months, years and epoch times', () => {
    assert.deepEqual([as('compact', '20210331'), as('compact', '202103311305'), as('compact', '20210332')], ['2021-03-31', '2021-03-31T13:05', undefined]); // prettier-ignore
    assert.deepEqual([as('compact-month', '202113'), as('year', '2021.0'), as('year', '2021.5')], [undefined, '2021-01-01', undefined]); // prettier-ignore
    const nine = TIME_FORMATS.filter(({ id }) => id.startsWith('epoch')).map(({ id, parse }) => [
      id,
      parse(`1616936400${{ 'epoch-s': '', 'epoch-ms': '000', 'epoch-us': '000000' }[id as string] ?? '000000000'}`),
    ]);
    for (const [id, time] of nine) assert.equal(time, Date.UTC(2021, 2, 28, 13), String(id));
    assert.equal(TIME_FORMATS.find(({ id }) => id === 'epoch-s')!.parse('1616936400.25') % 1000, 250);
    assert.deepEqual([as('dotted-month', '03.2021'), as('dotted-month', '3.2021'), as('dotted-month', '13.2021')], ['2021-03-01', undefined, undefined]); // prettier-ignore
  });

  it('is a month of a numbered year or a clock, but not a decimal number', () => {
    assert.equal(as('cycle', '1-01')?.slice(0, 10), '0001-01-01');
    assert.equal(as('cycle', '1-13'), undefined);
    assert.equal(as('clock', '13:05'), '1970-01-01T13:05');
    assert.equal(as('clock', '13.05'), undefined);
  });

  it('is a year, quarter or month in one column, distinguished by form', () => {
    const cells = ['2021', '2021Q1', '2021-01', 'Jan 2021'];
    assert.deepEqual(cells.map((cell) => MIXED_PERIODS.parse(cell)), cells.map(() => Date.UTC(2021, 0, 1))); // prettier-ignore
    assert.deepEqual(cells.map(grainOf), [0, 1, 2, 2]);
    assert.ok(Number.isNaN(MIXED_PERIODS.parse('soon')));
  });

  it('is the start of a range', () => {
    assert.equal(startOfSpan('01.01.2021 00:00 - 01.01.2021 01:00'), '01.01.2021 00:00');
    assert.equal(startOfSpan('2021-01-01/2021-01-07'), '2021-01-01');
    assert.equal(startOfSpan('1 Jan 2021 bis 7 Jan 2021'), '1 Jan 2021');
    for (const text of ['2021-01-01', '2020/21', 'Mon - Fri', '1200 - Debtors and others', '1-1-2021 12:00:00'])
      assert.equal(startOfSpan(text), text);
  });

  it('has month names of many languages, but no abbreviation that two months share', () => {
    assert.deepEqual(['jan', 'Jänner', 'Février', 'MÄR.', 'déc.', 'des.', 'lis', 'listopad'].map(monthOfName), [1, 1, 2, 3, 12, 12, 11, 11]); // prettier-ignore
    assert.deepEqual(['ja', '', 'sun', 'juniper'].map(monthOfName), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(['mar', 'jul', 'jun', 'sept', 'mai'].map(monthOfName), [3, 7, 6, 9, 5]);
  });
});

describe('total label', () => {
  it('is recognized in many languages anywhere in a cell, but not within a word', () => {
    for (const text of ['Total', 'Grand total', 'Summe 2023', '*** Gesamt ***', 'Итого', '合计', '총 계', 'Sub-Total:'])
      assert.ok(namesTotal(text), text);
    for (const text of ['Totally', 'Summer', 'mediation', '2023-01', '']) assert.ok(!namesTotal(text), text);
  });

  it('is the whole cell in a column of months or names', () => {
    assert.ok(isTotalWord(' TOTAL: ') && isTotalWord('合计'));
    assert.ok(!isTotalWord('Total sales') && !isTotalWord('Summe 2023'));
  });
});

describe('dates with the year first', () => {
  const read = (text: string, id = 'iso') => {
    const time = TIME_FORMATS.find((format) => format.id === id)!.parse(text);
    return Number.isNaN(time) ? 'none' : isoInstant(time);
  };

  it('have valid days of their year in each form', () => {
    const last = '2024-02-29T00:00:00Z';
    for (const text of ['2024-02-29', '2024-2-29', '2024/02/29', '2024.02.29', '2024-060', '2024年2月29日', '2024년 2월 29일'])
      assert.equal(read(text), last, text); // prettier-ignore
    for (const text of ['2023-02-29', '2023/02/29', '2023-366', '2024-000', '2024-367', '2023年2月29日', '0000-01-01', '2024/02-29', '2024-02-29T'])
      assert.equal(read(text), 'none', text); // prettier-ignore
    assert.equal(read('20240229', 'compact'), last);
    assert.equal(read('20230229', 'compact'), 'none');
  });

  it('allow 24:00, leap seconds and zones of half and quarter hours', () => {
    for (const text of ['2024-02-29T24:00', '2024-02-29T23:59:60Z', '2024-03-01T05:45:00+05:45', '2024-02-29T14:30:00-09:30'])
      assert.equal(read(text), '2024-03-01T00:00:00Z', text); // prettier-ignore
    assert.equal(read('20240301T0530+05:30', 'compact'), '2024-03-01T00:00:00Z');
    for (const text of ['2024-02-29T24:01', '2024-02-29T12:00+15:30', '2024-02-29T12:00+05:60', '2024-02-29 13:00 PM'])
      assert.equal(read(text), 'none', text);
    assert.equal(read('20240229 1360', 'compact'), 'none');
  });
});

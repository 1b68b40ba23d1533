import { DAY, civilOf } from '../../calendar/civil.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';
import { TIME_FORMATS } from '../values/dates.ts';
import { monthOfName } from '../values/months.ts';
import { namesTotal } from '../values/totals.ts';
import { isTimeName, isTimeWord } from '../columns/names.ts';
import { codesOf } from './groups.ts';
import { countsRows } from './values.ts';

const DATE = /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|(?<!\d)(?:19|20)\d{6}(?!\d)/g;
const YEAR = /(?<![\d.,])(?:19|20)\d{2}(?![\d.,])/g;
const FORMATS = TIME_FORMATS.filter(({ id }) => id === 'iso' || id === 'mdy' || id === 'dmy' || id === 'compact');

/** Days that are written above a table, or in its name, in their order. */
function daysAbove(table: Table): number[] {
  return textsAbove(table)
    .flatMap((line) => line.match(DATE) ?? [])
    .map((text) => {
      const formats = text.includes('.') ? FORMATS.toReversed() : FORMATS;
      return formats.map(({ parse }) => parse(text)).find((time) => !Number.isNaN(time)) ?? NaN;
    })
    .filter((time) => !Number.isNaN(time));
}

const textsAbove = ({ preamble, name = '' }: Table): readonly string[] => [name, ...preamble];

/** The year that a table is of, by what is written above it, or by its name. */
function yearAbove(table: Table): number | undefined {
  const years = [
    ...daysAbove(table).map((time) => civilOf(time).year),
    ...textsAbove(table).flatMap((line) => (line.match(YEAR) ?? []).map(Number)),
  ];
  const counts = new Map<number, number>();
  for (const year of years) counts.set(year, (counts.get(year) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

const axis = (column: Column, times: Float64Array, kind: TimeAxis['kind']): TimeAxis => ({
  times,
  kind,
  columns: [column.name],
  bad: [],
  badCount: 0,
  samples: [],
});

/** Days that are only counted, from the first to the last of those that stand above the table. */
export function countedDays(table: Table): TimeAxis | undefined {
  const days = daysAbove(table);
  const column = table.columns.find((each) => each.numbers && countsRows(each));
  const pair = days.findIndex((day, index) => days[index + 1] === day + (table.rows - 1) * DAY);
  if (!column || pair < 0) return undefined;
  return axis(
    column,
    Float64Array.from({ length: table.rows }, (_, row) => days[pair]! + row * DAY),
    'date',
  );
}

/**
 * Times of day without a day: from the day above the table on, else from the first of January 1970, a day later each time
 * the clock begins anew.
 */
export function clockTimes(table: Table): TimeAxis | undefined {
  const column = table.columns.find(({ times }) => times.length === 1 && times[0]?.format.id === 'clock');
  const reading = column?.times[0]?.reading;
  if (!column || !reading || reading.badCount > reading.bad.length) return undefined;
  if (!reading.bad.every(({ text }) => namesTotal(text)) || column.filled < column.rows) return undefined;
  const [first = 0] = daysAbove(table);
  let [days, last] = [0, -1];
  const times = reading.values.all().map((inDay) => {
    if (inDay < last) days++;
    if (!Number.isNaN(inDay)) last = inDay;
    return first + inDay + days * DAY;
  });
  const { bad, badCount } = reading;
  return { ...axis(column, times, 'instant'), bad, badCount, format: 'clock', samples: column.samples };
}

/** Days or months without a year, which stands above the table or in its name. */
export function timesOfYear(table: Table): TimeAxis | undefined {
  const year = yearAbove(table);
  if (year === undefined) return undefined;
  for (const column of table.columns) {
    const isTimed = isTimeName(column.name) || isTimeWord(column.name) || column === table.columns[0];
    if (column.filled === 0 || (!isTimed && column.numbers !== undefined && !column.texts)) continue;
    const { codes, names } = codesOf(column);
    for (const [kind, parse] of PARTS) {
      const known = names.map((text) => (text === '' || namesTotal(text) ? NaN : parse(text.trim(), year)));
      const isAll = known.every((time, code) => !Number.isNaN(time) || names[code] === '' || namesTotal(names[code]!));
      if (!isAll || new Set(known).size < FEWEST) continue;
      const bad = Array.from(codes, (code, row) => ({ row, text: names[code]! })).filter(({ text }) =>
        namesTotal(text),
      );
      return {
        ...axis(
          column,
          codes.map((code) => known[code]!),
          kind,
        ),
        bad,
        badCount: bad.length,
      };
    }
  }
  return undefined;
}

const FEWEST = 3;
const DAY_MONTH = /^(\d{1,2})[./-](\d{1,2})\.?$|^(\d{1,2})(\d{2})$/;

/** Days with the day first, with the month first, and months by their names. */
const PARTS: readonly (readonly [TimeAxis['kind'], (text: string, year: number) => number])[] = [
  ['period', (text, year) => instantOf(year, monthOfName(text) ?? NaN, 1)],
  ['date', (text, year) => dayOf(text, year, false)],
  ['date', (text, year) => dayOf(text, year, true)],
];

function dayOf(text: string, year: number, isMonthFirst: boolean): number {
  const [, a, b, c, d] = DAY_MONTH.exec(text) ?? [];
  const [first, second] = [Number(a ?? c ?? NaN), Number(b ?? d ?? NaN)];
  return isMonthFirst ? instantOf(year, first, second) : instantOf(year, second, first);
}

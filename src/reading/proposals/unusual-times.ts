import { DAY, civilOf, daysInMonth } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/order.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import { isTimeName, isTimeWord } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { TIME_FORMATS } from '../values/dates.ts';
import { namesTotal } from '../values/totals.ts';
import { codesOf } from './groups.ts';
import { countsRows } from './values.ts';

/**
 * Times that are numbers, or parts of which stand above the table: years with a fraction, days of a spreadsheet, days that
 * are only counted, clocks and days without a year. The first that a table has.
 */
export function findUnusualTimes(table: Table): TimeAxis | undefined {
  const isCalled = ({ name }: Column) => isTimeName(name) || isTimeWord(name);
  const first = <T>(columns: readonly Column[], of: (column: Column) => T | undefined): T | undefined => {
    for (const column of columns) {
      const found = of(column);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return (
    first(
      table.columns.filter((column, index) => index < 2 || isCalled(column)),
      decimalYears,
    ) ??
    first(table.columns.filter(isCalled), serialDays) ??
    countedDays(table) ??
    first(table.columns, (column) => clockTimes(table, column)) ??
    timesOfYear(table)
  );
}

/** Numbers that a person says are times. */
export const numbersAsTimes = (column: Column): TimeAxis | undefined => decimalYears(column) ?? serialDays(column);

const axis = (column: Column, times: Float64Array, kind: TimeAxis['kind'], format?: TimeAxis['format']): TimeAxis => ({
  times,
  kind,
  columns: [column.name],
  bad: [],
  badCount: 0,
  ...(format === undefined ? {} : { format }),
  samples: format === undefined ? [] : column.samples,
});

function numbersOf(column: Column): Float64Array | undefined {
  if (!column.numbers || column.filled === 0) return undefined;
  const { decimal } = column.numbers.verdict();
  const { reading } = column.numbers.reading(decimal);
  const isClean = reading.badCount === reading.bad.length && reading.bad.every(({ text }) => namesTotal(text));
  return isClean ? reading.values.all() : undefined;
}

/** 1949.083: the second month of 1949. Fractions that are no twelfths are parts of the year's days. */
function instantOfDecimalYear(value: number): number {
  const year = Math.floor(value);
  const months = (value - year) * 12;
  const month = Math.round(months);
  if (Math.abs(months - month) < 0.02) return instantOf(year + Math.floor(month / 12), (month % 12) + 1, 1);
  const days = 337 + daysInMonth(year, 2);
  return instantOf(year, 1, 1) + Math.round((value - year) * days) * DAY;
}

/** Years with a fraction, as R writes its monthly and quarterly series. */
function decimalYears(column: Column): TimeAxis | undefined {
  const years = numbersOf(column);
  const isYear = (year: number) => Number.isNaN(year) || (year >= 1000 && year < 3000);
  if (!years || column.numbers?.whole || !years.every(isYear) || !isRising(years, true)) return undefined;
  // half of the months have their middle at x.04: shift those to the months' beginnings
  const middles = years.every((year) => Number.isNaN(year) || Math.abs(((year * 12) % 1) - 0.5) < 0.05);
  const times = years.map((year) => instantOfDecimalYear(middles ? year - 1 / 24 : year));
  return axis(column, times, 'period', 'decimal-year');
}

/** 1970-01-01 in the day count of spreadsheets. */
const EPOCH_SERIAL = 25_569;

/** Day numbers of a spreadsheet (44197 for 2021-01-01). */
function serialDays(column: Column): TimeAxis | undefined {
  const days = numbersOf(column);
  if (!days?.every((day) => Number.isNaN(day) || (day >= 10_000 && day < 80_000))) return undefined;
  if (!isTimeName(column.name) && !isRising(days)) return undefined;
  // fractions of a day are written with few digits: to the second
  const times = days.map((day) => Math.round(((day - EPOCH_SERIAL) * DAY) / 1000) * 1000);
  return axis(column, times, column.numbers?.whole ? 'date' : 'instant', 'serial-day');
}

const DATE = /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|(?<!\d)(?:19|20)\d{6}(?!\d)/g;
const YEAR = /(?<![\d.,])(?:19|20)\d{2}(?![\d.,])/g;
const DAYS = TIME_FORMATS.filter(({ id }) => id === 'iso' || id === 'mdy' || id === 'dmy' || id === 'compact');

const textsAbove = ({ preamble, name = '' }: Table): readonly string[] => [name, ...preamble];

/** Days that are written above a table, or in its name, in their order. */
function daysAbove(table: Table): number[] {
  const dayOf = (text: string) => {
    const formats = text.includes('.') ? DAYS.toReversed() : DAYS;
    return formats.map(({ parse }) => parse(text)).find((time) => !Number.isNaN(time)) ?? [];
  };
  return textsAbove(table).flatMap((line) => (line.match(DATE) ?? []).flatMap(dayOf));
}

/** The year that a table is of, by what is written above it, or by its name. */
function yearAbove(table: Table): number | undefined {
  const written = textsAbove(table).flatMap((line) => (line.match(YEAR) ?? []).map(Number));
  const counts = new Map<number, number>();
  for (const year of [...daysAbove(table).map((time) => civilOf(time).year), ...written]) {
    counts.set(year, (counts.get(year) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Days that are only counted, from the first to the last of those that stand above the table. */
function countedDays(table: Table): TimeAxis | undefined {
  const days = daysAbove(table);
  const column = table.columns.find((each) => each.numbers && countsRows(each));
  const first = days.find((day, index) => days[index + 1] === day + (table.rows - 1) * DAY);
  if (!column || first === undefined) return undefined;
  return axis(
    column,
    Float64Array.from({ length: table.rows }, (_, row) => first + row * DAY),
    'date',
  );
}

/**
 * Times of day without a day: from the day above the table on, else from the first of January 1970, a day later each time
 * the clock begins anew.
 */
function clockTimes(table: Table, column: Column): TimeAxis | undefined {
  const [only, other] = column.times;
  if (other || only?.format.id !== 'clock' || column.filled < column.rows) return undefined;
  const { bad, badCount, values } = only.reading;
  if (badCount > bad.length || !bad.every(({ text }) => namesTotal(text))) return undefined;
  const [start = 0] = daysAbove(table);
  let [days, last] = [0, -1];
  const times = values.all().map((inDay) => {
    if (inDay < last) days++;
    if (!Number.isNaN(inDay)) last = inDay;
    return start + inDay + days * DAY;
  });
  return { ...axis(column, times, 'instant', 'clock'), bad, badCount };
}

const FEWEST = 3;
/** A day or month without a year, written with it. */
const WITH_YEAR = [
  (text: string, year: number) => `${text} ${year}`,
  (text: string, year: number) => text.replace(/^(\d{1,2})([./-])(\d{1,2})\.?$/, `$1$2$3$2${year}`),
  (text: string, year: number) => text.replace(/^(\d{1,2})(\d{2})$/, `$1/$2/${year}`),
];
const NAMED_OR_DIGITS = ['names', 'dmy', 'mdy'].map((id) => TIME_FORMATS.find((format) => format.id === id)!);

/** Days or months without a year, which stands above the table or in its name. */
function timesOfYear(table: Table): TimeAxis | undefined {
  const year = yearAbove(table);
  if (year === undefined) return undefined;
  for (const column of table.columns) {
    const isTimed = isTimeName(column.name) || isTimeWord(column.name) || column === table.columns[0];
    if (column.filled === 0 || (!isTimed && column.numbers !== undefined && !column.texts)) continue;
    const { codes, names } = codesOf(column);
    const isLeft = (text: string) => text === '' || namesTotal(text);
    for (const { id, parse } of NAMED_OR_DIGITS) {
      for (const full of WITH_YEAR) {
        const known = names.map((text) => (isLeft(text) ? NaN : parse(full(text.trim(), year))));
        if (names.some((text, code) => Number.isNaN(known[code]!) && !isLeft(text)) || new Set(known).size < FEWEST)
          continue;
        const kind = id === 'names' && names.every((text) => !/\d/.test(text)) ? 'period' : 'date';
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
  }
  return undefined;
}

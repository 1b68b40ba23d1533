import { DAY, civilOf, daysInMonth } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/order.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { areAll, axisOf, type TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import { isTimeName, isTimeWord } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { TIME_FORMATS } from '../values/dates.ts';
import { namesTotal } from '../values/totals.ts';
import { withoutWeekday } from '../values/weekdays.ts';
import { isClean, WITH_YEAR } from './time-parts.ts';
import { codesOf, countsRows, valuesOf } from './values.ts';

const isCalled = ({ name }: Column) => isTimeName(name) || isTimeWord(name);

/** Times that are numbers, or parts of which stand above the table. The first that a table has. */
export function findUnusualTimes(table: Table): TimeAxis | undefined {
  const ways: readonly ((column: Column, index: number) => TimeAxis | undefined)[] = [
    (column, index) => (index < 2 || isCalled(column) ? decimalYears(column) : undefined),
    (column) => (isCalled(column) ? serialDays(column) : undefined),
    (column) => countedDays(table, column),
    (column) => clockTimes(table, column),
    (column, index) => timesOfYear(table, column, index),
  ];
  for (const way of ways) {
    for (const [index, column] of table.columns.entries()) {
      const found = way(column, index);
      if (found) return found;
    }
  }
  return undefined;
}

export const numbersAsTimes = (column: Column): TimeAxis | undefined => decimalYears(column) ?? serialDays(column);

function numbersOf(column: Column): Float64Array | undefined {
  if (!column.numbers || column.filled === 0) return undefined;
  const { reading } = column.numbers.reading(column.numbers.verdict().decimal);
  return isClean(reading) ? reading.values.all() : undefined;
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

function decimalYears(column: Column): TimeAxis | undefined {
  const years = numbersOf(column);
  if (!years || column.numbers?.whole || !areAll(years, (year) => year >= 1000 && year < 3000)) return undefined;
  if (!isRising(years, true)) return undefined;
  // half of the months have their middle at x.04: shift those to the months' beginnings
  const middles = areAll(years, (year) => Math.abs(((year * 12) % 1) - 0.5) < 0.05);
  const times = years.map((year) => instantOfDecimalYear(middles ? year - 1 / 24 : year));
  return axisOf([column], 'period', times, { format: 'decimal-year', samples: column.samples });
}

const EPOCH_SERIAL = 25_569;

function serialDays(column: Column): TimeAxis | undefined {
  const days = numbersOf(column);
  if (!days || !areAll(days, (day) => day >= 10_000 && day < 80_000)) return undefined;
  if (!isTimeName(column.name) && !isRising(days)) return undefined;
  // fractions of a day are written with few digits: to the second
  const times = days.map((day) => Math.round(((day - EPOCH_SERIAL) * DAY) / 1000) * 1000);
  const kind = column.numbers?.whole ? 'date' : 'instant';
  return axisOf([column], kind, times, { format: 'serial-day', samples: column.samples });
}

const DATE = /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|(?<!\d)(?:19|20)\d{6}(?!\d)/g;
const YEAR = /(?<![\d.,])(?:19|20)\d{2}(?![\d.,])/g;
const DAYS = TIME_FORMATS.filter(({ id }) => id === 'iso' || id === 'mdy' || id === 'dmy' || id === 'compact');

const textsAbove = ({ preamble, name = '' }: Table): readonly string[] => [name, ...preamble];

function daysAbove(table: Table): number[] {
  const dayOf = (text: string) => {
    const formats = text.includes('.') ? DAYS.toReversed() : DAYS;
    return formats.map(({ parse }) => parse(text)).find((time) => !Number.isNaN(time)) ?? [];
  };
  return textsAbove(table).flatMap((line) => (line.match(DATE) ?? []).flatMap(dayOf));
}

export function yearAbove(table: Table): number | undefined {
  const written = textsAbove(table).flatMap((line) => (line.match(YEAR) ?? []).map(Number));
  const years = Map.groupBy([...daysAbove(table).map((time) => civilOf(time).year), ...written], (year) => year);
  return [...years].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

function countedDays(table: Table, column: Column): TimeAxis | undefined {
  if (!column.numbers || !countsRows(column)) return undefined;
  const first = daysAbove(table).find((day, index, days) => days[index + 1] === day + (table.rows - 1) * DAY);
  return first === undefined
    ? undefined
    : axisOf(
        [column],
        'date',
        valuesOf(column).map((_, row) => first + row * DAY),
      );
}

/** Times of day, a day later each time the clock begins anew; from the day above the table on, else from 1970. */
function clockTimes(table: Table, column: Column): TimeAxis | undefined {
  const [only, other] = column.times;
  if (other || only?.format.id !== 'clock' || column.filled < column.rows || !isClean(only.reading)) return undefined;
  const { bad, badCount, values } = only.reading;
  const [start = 0] = daysAbove(table);
  let [days, last] = [0, -1];
  const times = values.all().map((inDay) => {
    if (inDay < last) days++;
    if (!Number.isNaN(inDay)) last = inDay;
    return start + inDay + days * DAY;
  });
  return axisOf([column], 'instant', times, { format: 'clock', samples: column.samples, bad, badCount });
}

const FEWEST = 3;
const NAMED_OR_DIGITS = ['names', 'dmy', 'mdy'].map((id) => TIME_FORMATS.find((format) => format.id === id)!);

function timesOfYear(table: Table, column: Column, index: number): TimeAxis | undefined {
  const isFree = column.numbers === undefined || column.texts !== undefined;
  const year = column.filled > 0 && (isCalled(column) || index === 0 || isFree) ? yearAbove(table) : undefined;
  if (year === undefined) return undefined;
  const { codes, names } = codesOf(column);
  const isLeft = (text: string) => text === '' || namesTotal(text);
  for (const { id, parse } of NAMED_OR_DIGITS) {
    for (const full of WITH_YEAR) {
      const known = names.map((text) => (isLeft(text) ? NaN : parse(full(withoutWeekday(text.trim()), year))));
      const isRead = names.every((text, code) => !Number.isNaN(known[code]!) || isLeft(text));
      if (!isRead || new Set(known).size < FEWEST) continue;
      const kind = id === 'names' && names.every((text) => !/\d/.test(text)) ? 'period' : 'date';
      const bad = Array.from(codes, (code, row) => ({ row, text: names[code]! })).filter(({ text }) =>
        namesTotal(text),
      );
      const times = codes.map((code) => known[code]!);
      return axisOf([column], kind, times, { bad, badCount: bad.length });
    }
  }
  return undefined;
}

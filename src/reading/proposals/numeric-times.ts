import { DAY, daysInMonth } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/order.ts';
import type { Column } from '../columns/column.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { namesTotal } from '../values/totals.ts';
import { isTimeName, isTimeWord } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import type { TimeAxis } from '../columns/axis.ts';

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

/** Years with a fraction, as R writes its monthly and quarterly series; `only` names the column that must be it. */
export function decimalYears(table: Table, only?: Column): TimeAxis | undefined {
  const candidates = only
    ? [only]
    : table.columns.filter(({ name }, index) => index < 2 || isTimeName(name) || isTimeWord(name));
  for (const column of candidates) {
    const years = numbersOf(column);
    const isYear = (year: number) => Number.isNaN(year) || (year >= 1000 && year < 3000);
    if (!years || column.numbers?.whole || !years.every(isYear) || !isRising(years, true)) continue;
    // Half of the months have their middle at x.04: shift those to the months' beginnings.
    const middles = years.every((year) => Number.isNaN(year) || Math.abs(((year * 12) % 1) - 0.5) < 0.05);
    const times = years.map((year) => instantOfDecimalYear(middles ? year - 1 / 24 : year));
    return {
      times,
      kind: 'period',
      columns: [column.name],
      bad: [],
      badCount: 0,
      format: 'decimal-year',
      samples: column.samples,
    };
  }
  return undefined;
}

/** 1970-01-01 in the day count of spreadsheets. */
const EPOCH_SERIAL = 25_569;

/** Day numbers of a spreadsheet (44197 for 2021-01-01), only in a column that is called a time. */
export function serialDays(table: Table, only?: Column): TimeAxis | undefined {
  const candidates = only ? [only] : table.columns.filter(({ name }) => isTimeName(name) || isTimeWord(name));
  for (const column of candidates) {
    const days = numbersOf(column);
    if (!days?.every((day) => Number.isNaN(day) || (day >= 10_000 && day < 80_000))) continue;
    if (!isTimeName(column.name) && !isRising(days)) continue;
    // Fractions of a day are written with few digits: to the second.
    const times = days.map((day) => Math.round(((day - EPOCH_SERIAL) * DAY) / 1000) * 1000);
    const kind = column.numbers?.whole ? 'date' : 'instant';
    return { times, kind, columns: [column.name], bad: [], badCount: 0, format: 'serial-day', samples: column.samples };
  }
  return undefined;
}

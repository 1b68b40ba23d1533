import { HOUR, civilOf, timeOfDay } from '../../calendar/civil.ts';
import type { Column } from '../columns/column.ts';
import { instantOfWeek } from '../values/dates.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { monthOfName } from '../values/months.ts';
import { isTotalWord, namesTotal } from '../values/totals.ts';
import { isUnnamed } from '../columns/names.ts';
import { findSlots } from './slots.ts';
import { countRepeats } from './groups.ts';
import type { Table } from '../columns/table.ts';
import type { TimeAxis } from '../columns/axis.ts';
import { findColumnZone, shiftTimes, writtenOffsets } from '../columns/zones.ts';

/** Numbers of a column of whole numbers within bounds; `undefined` for any other column. */
function wholeNumbers(column: Column, low: number, high: number): Float64Array | undefined {
  if (!column.numbers?.whole || column.filled === 0) return undefined;
  const { reading } = column.numbers.reading('.');
  if (!reading.bad.every(({ text }) => namesTotal(text)) || reading.badCount > reading.bad.length) return undefined;
  const values = reading.values.all();
  return values.every((value) => Number.isNaN(value) || (value >= low && value <= high)) ? values : undefined;
}

function monthNumbers(column: Column): Float64Array | undefined {
  const numbers = wholeNumbers(column, 1, 12);
  if (numbers || !column.texts) return numbers;
  const months = [...column.texts.numbers.keys()].map((text) =>
    text === '' || isTotalWord(text) ? NaN : (monthOfName(text) ?? monthOfCode(text)),
  );
  return months.includes(Infinity) ? undefined : column.texts.codes.all().map((code) => months[code]!);
}

/** `M01` to `M12`, and `P07`; the part after the last is the year's mean or sum, and none. */
function monthOfCode(text: string): number {
  const month = Number(/^[MP](\d{1,2})$/i.exec(text)?.[1] ?? Infinity);
  return month === 13 ? NaN : month >= 1 && month <= 12 ? month : Infinity;
}

/** Whether a column only says the year, month, day or hour of the times once more. */
export function isPartAgain(name: string, values: Float64Array, times: Float64Array): boolean {
  const part = (['year', 'month', 'day', 'hour'] as const).find((each) => NAMES[each].test(name.trim()));
  if (part === undefined) return false;
  return values.every((value, row) => {
    const time = times[row]!;
    return Number.isNaN(time) || value === (part === 'hour' ? Math.floor(timeOfDay(time) / HOUR) : civilOf(time)[part]);
  });
}

function partNumbers(column: Column, letter: string, most: number): Float64Array | undefined {
  const numbers = wholeNumbers(column, 1, most);
  if (numbers || !column.texts) return numbers;
  const parts = [...column.texts.numbers.keys()].map((text) =>
    text === '' || isTotalWord(text) ? NaN : Number(new RegExp(`^${letter}(\\d+)$`, 'i').exec(text)?.[1] ?? Infinity),
  );
  // one part more than there are is the whole year
  const known = parts.map((part) => (part === most + 1 ? NaN : part));
  return known.every((part) => Number.isNaN(part) || (part >= 1 && part <= most))
    ? column.texts.codes.all().map((code) => known[code]!)
    : undefined;
}

const NAMES = {
  year: /^(?:year|yr|jahr|année|annee|año|ano|anno|yyyy|rok|jaar|år)$/i,
  month: /^(?:month|mon|mo|monat|mois|mes|mês|mm|maand|mese|period)$/i,
  quarter: /^(?:quarter|qtr|quartal|trimestre|q)$/i,
  week: /^(?:week|wk|woche|kw|semaine|semana|week_?(?:number|no|nr))$/i,
  day: /^(?:day|dy|tag|jour|dia|día|dd|day_?of_?month)$/i,
  hour: /^(?:hour|hr|hh|stunde|heure|hora|he|hour_?ending|interval)$/i,
} as const;

const named = (table: Table, part: keyof typeof NAMES) =>
  table.columns.find(({ name }) => NAMES[part].test(name.trim()));

function axis(
  table: Table,
  columns: readonly Column[],
  kind: TimeAxis['kind'],
  timeOf: (row: number) => number,
): TimeAxis {
  const times = Float64Array.from({ length: table.rows }, (_, row) => timeOf(row));
  const bad: { row: number; text: string }[] = [];
  return { times, kind, columns: columns.map(({ name }) => name), bad, badCount: 0, samples: [] };
}

/** Year with month (and day, and hour), quarter or week in columns of their own; `undefined` where there are none. */
export function axisFromParts(table: Table): TimeAxis | undefined {
  const yearColumn = named(table, 'year') ?? unnamedAfter(table, undefined);
  const years = yearColumn && wholeNumbers(yearColumn, 1000, 2999);
  if (!years) return undefined;
  const monthColumn = named(table, 'month') ?? unnamedAfter(table, yearColumn);
  const months = monthColumn && monthNumbers(monthColumn);
  if (monthColumn && months && (!isUnnamed(monthColumn.name) || cycles(months, 1, 12))) {
    const dayColumn = named(table, 'day');
    const days = dayColumn && wholeNumbers(dayColumn, 1, 31);
    const hourColumn = days && named(table, 'hour');
    const hours = hourColumn && wholeNumbers(hourColumn, 0, 24);
    const columns = [yearColumn, monthColumn, ...(days ? [dayColumn] : []), ...(hours ? [hourColumn] : [])];
    const kind = hours ? 'instant' : days ? 'date' : 'period';
    return axis(
      table,
      columns,
      kind,
      (row) => instantOf(years[row]!, months[row]!, days?.[row] ?? 1) + (hours?.[row] ?? 0) * HOUR,
    );
  }
  const quarterColumn = named(table, 'quarter');
  const quarters = quarterColumn && partNumbers(quarterColumn, 'Q', 4);
  if (quarterColumn && quarters) {
    return axis(table, [yearColumn, quarterColumn], 'period', (row) =>
      instantOf(years[row]!, quarters[row]! * 3 - 2, 1),
    );
  }
  const weekColumn = named(table, 'week');
  const weeks = weekColumn && partNumbers(weekColumn, 'W', 53);
  if (!weekColumn || !weeks) return undefined;
  return axis(table, [yearColumn, weekColumn], 'date', (row) => instantOfWeek(years[row]!, weeks[row]!));
}

/** The unnamed column behind another one, or the first of the table. */
function unnamedAfter(table: Table, column: Column | undefined): Column | undefined {
  const next = table.columns[column ? table.columns.indexOf(column) + 1 : 0];
  return next && isUnnamed(next.name) ? next : undefined;
}

/** Whether numbers go round: each is one more than the last, the first after the last of a round, but for a few. */
function cycles(numbers: Float64Array, first: number, last: number): boolean {
  let next = 0;
  for (let row = 1; row < numbers.length; row++) {
    if (numbers[row] === (numbers[row - 1] === last ? first : numbers[row - 1]! + 1)) next++;
  }
  return numbers.length > 2 && next >= (numbers.length - 1) * 0.9;
}

/** A part of a time that each row has: a month, or a time of day in milliseconds. */
interface RowPart {
  readonly column: Column;
  readonly timeOf: Float64Array;
}

/**
 * What rows add to times that run across: months to years, and times of day to days.
 * @param across epoch milliseconds of the columns
 */
export function rowParts(columns: readonly Column[], across: readonly number[]): readonly RowPart[] {
  const areYears = across.every(
    (time) => civilOf(time).month === 1 && civilOf(time).day === 1 && timeOfDay(time) === 0,
  );
  return columns.slice(0, MOST_PARTS).flatMap((column): RowPart[] => {
    const clock = column.times.find(({ format }) => format.id === 'clock')?.reading;
    if (!areYears) return clock && clock.badCount === 0 ? [{ column, timeOf: clock.values.all() }] : [];
    const months = monthNumbers(column);
    return months && new Set(months).size > 2 ? [{ column, timeOf: months }] : [];
  });
}

/** Columns before the values in which a part of their time may stand. */
const MOST_PARTS = 5;

/** Columns of clocks that are tried beside a day: where a span begins, where it ends. */
const MOST_CLOCKS = 3;

/**
 * The days of an axis with the time of day from another column, where days repeat: `13:00`, whole hours, or the numbers of
 * the day's parts; and the days alone. A clock that changes beside days that are each another one is a duration or a note.
 */
export function withClocks(table: Table, days: TimeAxis): readonly TimeAxis[] {
  if (days.kind !== 'date') return [days];
  const clocks = table.columns
    .filter(({ times }) => times.length === 1 && times[0]?.format.id === 'clock')
    .slice(0, MOST_CLOCKS);
  if (!repeats(days.times))
    return clocks
      .filter(isFixed)
      .map((column) => withClock(table, days, column))
      .concat(days);
  if (clocks.length > 0) return [...clocks.map((column) => withClock(table, days, column)), days];
  const dayColumn = table.columns.find(({ name }) => name === days.columns[0]);
  const hourColumn = named(table, 'hour') ?? unnamedAfter(table, dayColumn);
  const hours = hourColumn && wholeNumbers(hourColumn, 0, 24);
  if (hours && (!isUnnamed(hourColumn.name) || cycles(hours, 0, 23) || cycles(hours, 1, 24)))
    return [
      withHours(
        days,
        hourColumn,
        hours.map((hour) => hour * HOUR),
      ),
      days,
    ];
  const slots = findSlots(table);
  return slots ? [withSlots(days, slots), days] : [days];
}

/** Whether a clock is the same every day, but for an hour in summer. */
const isFixed = ({ times }: Column): boolean =>
  new Set(times[0]!.reading.values.all().filter((time) => !Number.isNaN(time))).size <= 2;

const withHours = (days: TimeAxis, column: Column, inDay: Float64Array): TimeAxis => ({
  ...days,
  times: days.times.map((day, row) => day + inDay[row]!),
  kind: 'instant',
  columns: [...days.columns, column.name],
  clockSamples: column.samples,
});

function withClock(table: Table, days: TimeAxis, column: Column): TimeAxis {
  const { reading: clock, zones } = column.times[0]!;
  const inDay = clock.values.all();
  const offsets = writtenOffsets(zones, table.rows);
  const times = days.times.map((day, row) => day + inDay[row]! - (offsets?.[row] ?? 0));
  const { zone, shifts, otherOffsets } = findColumnZone(zones, times, {}, column);
  shiftTimes(times, shifts);
  return {
    ...days,
    times,
    zone,
    ...(otherOffsets ? { otherOffsets } : {}),
    kind: 'instant',
    columns: [...days.columns, column.name],
    clockSamples: column.samples,
    bad: [...days.bad, ...clock.bad],
    badCount: days.badCount + clock.badCount,
  };
}

const withSlots = (days: TimeAxis, slots: NonNullable<ReturnType<typeof findSlots>>): TimeAxis => ({
  ...days,
  times: days.times.map((day, row) => day + slots.inDay[row]!),
  kind: 'instant',
  columns: [...days.columns, slots.column.name],
});

const repeats = (times: Float64Array): boolean => countRepeats(times) > 0;

import { HOUR, civilOf, timeOfDay } from '../../calendar/civil.ts';
import type { Column } from './column.ts';
import { instantOfWeek } from '../values/dates.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { monthOfName } from '../values/months.ts';
import { isTotalWord, namesTotal } from '../values/totals.ts';
import { isUnnamed } from './names.ts';
import { findSlots } from './slots.ts';
import type { Table } from './table.ts';
import type { TimeAxis } from './axis.ts';
import { findColumnZone, shiftTimes, writtenOffsets } from './zones.ts';

/** Numbers of a column of whole numbers within bounds; `undefined` for any other column. */
function wholeNumbers(column: Column, low: number, high: number): Float64Array | undefined {
  if (!column.numbers?.whole || column.filled === 0) return undefined;
  const { reading } = column.numbers.reading('.');
  if (!reading.bad.every(({ text }) => namesTotal(text)) || reading.badCount > reading.bad.length) return undefined;
  const values = reading.values.peek();
  return values.every((value) => Number.isNaN(value) || (value >= low && value <= high)) ? values : undefined;
}

function monthNumbers(column: Column): Float64Array | undefined {
  const numbers = wholeNumbers(column, 1, 12);
  if (numbers || !column.texts) return numbers;
  const months = [...column.texts.numbers.keys()].map((text) =>
    text === '' || isTotalWord(text) ? NaN : (monthOfName(text) ?? monthOfCode(text)),
  );
  return months.includes(Infinity) ? undefined : column.texts.codes.peek().map((code) => months[code]!);
}

/** `M01` to `M12`, as the Bureau of Labor Statistics writes months. */
function monthOfCode(text: string): number {
  const month = Number(/^M(\d{1,2})$/i.exec(text)?.[1] ?? Infinity);
  return month >= 1 && month <= 12 ? month : Infinity;
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
  return parts.every((part) => Number.isNaN(part) || (part >= 1 && part <= most))
    ? column.texts.codes.peek().map((code) => parts[code]!)
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
  const headless = table.columns.every(({ name }) => isUnnamed(name));
  const yearColumn = headless ? table.columns[0] : named(table, 'year');
  const years = yearColumn && wholeNumbers(yearColumn, 1000, 2999);
  if (!years) return undefined;
  const monthColumn = headless ? table.columns[1] : named(table, 'month');
  const months = monthColumn && monthNumbers(monthColumn);
  if (monthColumn && months && (!headless || cycles(months))) {
    const dayColumn = headless ? undefined : named(table, 'day');
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
  const quarterColumn = headless ? undefined : named(table, 'quarter');
  const quarters = quarterColumn && partNumbers(quarterColumn, 'Q', 4);
  if (quarterColumn && quarters) {
    return axis(table, [yearColumn, quarterColumn], 'period', (row) =>
      instantOf(years[row]!, quarters[row]! * 3 - 2, 1),
    );
  }
  const weekColumn = headless ? undefined : named(table, 'week');
  const weeks = weekColumn && partNumbers(weekColumn, 'W', 53);
  if (!weekColumn || !weeks) return undefined;
  return axis(table, [yearColumn, weekColumn], 'date', (row) => instantOfWeek(years[row]!, weeks[row]!));
}

/** Whether months go round: each is one more than the last, January after December, but for a few. */
function cycles(months: Float64Array): boolean {
  let next = 0;
  for (let row = 1; row < months.length; row++) if ((months[row - 1]! % 12) + 1 === months[row]) next++;
  return months.length > 2 && next >= (months.length - 1) * 0.9;
}

/**
 * The days of an axis with the time of day from another column: `13:00`, or whole hours where days repeat. The axis
 * itself where there is no such column.
 */
export function withClockColumn(table: Table, days: TimeAxis): TimeAxis {
  if (days.kind !== 'date') return days;
  const clockColumn = table.columns.find(({ times }) => times.length === 1 && times[0]?.format.id === 'clock');
  const hourColumn = clockColumn || !repeats(days.times) ? undefined : named(table, 'hour');
  const clock = clockColumn?.times[0]?.reading;
  const inDay = clock ? clock.values.peek() : hourColumn && wholeNumbers(hourColumn, 0, 24)?.map((hour) => hour * HOUR);
  const column = clockColumn ?? hourColumn;
  if (!column || !inDay) return withSlots(table, days);
  const bad = [...days.bad, ...(clock?.bad ?? [])];
  const columns = [...days.columns, column.name];
  const zones = clockColumn?.times[0]?.zones;
  const offsets = zones && writtenOffsets(zones, table.rows);
  const times = days.times.map((day, row) => day + inDay[row]! - (offsets?.[row] ?? 0));
  const found = zones && findColumnZone(zones, times, {}, column);
  if (found) shiftTimes(times, found.shifts);
  const zone = found ? found.zone : days.zone;
  return {
    ...days,
    times,
    ...(zone ? { zone } : {}),
    ...(found?.otherOffsets ? { otherOffsets: found.otherOffsets } : {}),
    kind: 'instant',
    columns,
    clockSamples: column.samples,
    bad,
    badCount: days.badCount + (clock?.badCount ?? 0),
  };
}

/** The days of an axis with the parts of the day that another column numbers; the axis itself where there is none. */
function withSlots(table: Table, days: TimeAxis): TimeAxis {
  const slots = repeats(days.times) ? findSlots(table) : undefined;
  if (!slots) return days;
  const times = days.times.map((day, row) => day + slots.inDay[row]!);
  return { ...days, times, kind: 'instant', columns: [...days.columns, slots.column.name] };
}

function repeats(times: Float64Array): boolean {
  return times.some((time, row) => row > 0 && time === times[row - 1]);
}

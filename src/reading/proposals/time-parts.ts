import { DAY, HOUR, MINUTE } from '../../calendar/civil.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { axisOf, type TimeAxis } from '../columns/axis.ts';
import type { Reading } from '../columns/cells.ts';
import type { Column } from '../columns/column.ts';
import { isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { findColumnZone } from '../columns/zones.ts';
import { instantOfWeek } from '../values/dates.ts';
import { isTotalWord, namesTotal } from '../values/totals.ts';
import { monthOfCell, PARTS_OF_DAY } from './header-times.ts';
import { codesOf, countRepeats } from './values.ts';

/** Parts of a time that stand in a column of their own: what it is called, its numbers, and how else they are written. */
const PARTS = {
  year: { name: /^(?:year|yr|jahr|année|annee|año|ano|anno|yyyy|yy|rok|jaar|år)$/i, low: 1000, high: 2999, letter: '' },
  month: { name: /^(?:month|mon|mo|monat|mois|mes|mês|mm|maand|mese|period)$/i, low: 1, high: 12, letter: 'MP' },
  quarter: { name: /^(?:quarter|qtr|quartal|trimestre|q)$/i, low: 1, high: 4, letter: 'Q' },
  week: { name: /^(?:week|wk|woche|kw|semaine|semana|week_?(?:number|no|nr))$/i, low: 1, high: 53, letter: 'W' },
  yearDay: { name: /^(?:doy|jday|(?:day_?of_?(?:the_?)?year)|julian_?day|yday)$/i, low: 1, high: 366, letter: '' },
  day: { name: /^(?:day|dy|tag|jour|dia|día|dd|day_?of_?month)$/i, low: 1, high: 31, letter: '' },
  hour: { name: /^(?:hour|hr|hh|stunde|heure|hora|he|hour_?ending|interval)$/i, low: 0, high: 24, letter: '' },
  minute: { name: /^(?:minute|min|mm|mn)$/i, low: 0, high: 59, letter: '' },
  slot: {
    name: /^(?:settlement|trading|dispatch|time|market)?[_ ]?(?:period|interval|slot|sp|hh|pte|ptu|half[_ -]?hour(?:ly)?|quarter[_ -]?hour)(?:[_ ]?(?:no|nr|num|number|id|index))?$/i,
    low: 1,
    high: 300,
    letter: '',
  },
} as const;

type Part = keyof typeof PARTS;

/** Whose years and weeks they are. */
const CALENDAR = /^(?:iso|mmwr|epi|calendar|cal|fiscal|fy)[_ ]?(?=\w)/i;

const isCalled = (name: string, part: Part): boolean => PARTS[part].name.test(name.trim().replace(CALENDAR, ''));

/** The column that is called like a part of the time, but for those that are another part. */
const named = (table: Table, part: Part, others: readonly Column[] = []) =>
  table.columns.find((column) => isCalled(column.name, part) && !others.includes(column));

/** The numbers of a part of the time in a column, beside words for totals; `undefined` where it has anything else. */
export function partNumbers(column: Column, part: Part): Float64Array | undefined {
  const { numbers, texts, filled } = column;
  const reading = numbers?.whole ? numbers.reading('.').reading : undefined;
  if (filled === 0 || !(reading ?? texts)) return undefined;
  if (reading && !isClean(reading)) return undefined;
  const { codes, names } = codesOf(column);
  const parts = names.map((name) => partOfText(name, part));
  return parts.includes(Infinity) ? undefined : codes.map((code) => parts[code]!);
}

/** Whether cells that are no numbers are words for totals. */
export const isClean = ({ bad, badCount }: Reading): boolean =>
  badCount === bad.length && bad.every(({ text }) => namesTotal(text));

/** The number of a part; `NaN` for no part and for all of them, `Infinity` for anything else. */
function partOfText(text: string, part: Part): number {
  if (text === '' || isTotalWord(text)) return NaN;
  const { low, high, letter } = PARTS[part];
  const [, sign = '', digits] = /^(\p{L}?)(\d+)$/u.exec(text) ?? [];
  const isPart = sign === '' || letter.includes(sign.toUpperCase());
  const number = isPart ? Number(digits ?? NaN) : NaN;
  // one part more than there are is the whole year
  if (sign !== '' && number === high + 1) return NaN;
  if (number >= low && number <= high) return number;
  const month = part === 'month' ? monthOfCell(text) : NaN;
  return Number.isNaN(month) ? Infinity : month;
}

/** Year with month (and day, hour and minute), quarter or week in columns of their own; `undefined` where there are none. */
export function axisFromParts(table: Table): TimeAxis | undefined {
  const found: Column[] = [];
  const take = (part: Part, column = named(table, part, found)) => {
    const numbers = column && partNumbers(column, part);
    if (numbers) found.push(column);
    return numbers;
  };
  const first = unnamedAfter(table, undefined);
  const years = filledDown(take('year', named(table, 'year') ?? first));
  if (!years) return undefined;
  const months = take('month');
  const parts = months ? [years, months] : [];
  for (const part of ['day', 'hour', 'minute'] as const) {
    const numbers = parts.length > 1 ? take(part) : undefined;
    if (!numbers) break;
    parts.push(numbers);
  }
  if (months) return axisOf(found, KINDS[parts.length]!, instantsOf(parts));
  const axis = (kind: TimeAxis['kind'], timeOf: (year: number, row: number) => number) =>
    axisOf(found, kind, years.map(timeOf));
  const days = take('yearDay');
  if (days) return axis('date', (year, row) => instantOf(year, 1, 1) + (days[row]! - 1) * DAY);
  const quarters = take('quarter');
  if (quarters) return axis('period', (year, row) => instantOf(year, quarters[row]! * 3 - 2, 1));
  const weeks = take('week');
  if (weeks) return axis('date', (year, row) => instantOfWeek(year, weeks[row]!));
  return axisFromUnnamed(table, found[0]!, years);
}

/** What rows are that have so many parts: month, day, hour, minute behind the year. */
const KINDS: readonly TimeAxis['kind'][] = ['period', 'period', 'period', 'date', 'instant', 'instant'];

/** The instants of a year, month, day, hour and minute, as far as they are there. */
function instantsOf([years, months, days, hours, minutes]: readonly Float64Array[]): Float64Array {
  return years!.map((year, row) => {
    const inDay = (hours?.[row] ?? 0) * HOUR + (minutes?.[row] ?? 0) * MINUTE;
    return instantOf(year, months?.[row] ?? 1, days?.[row] ?? 1) + inDay;
  });
}

/** Rows that may stand against the order of the others. */
const MOST_TURNS = 0.1;

/** Parts without a name behind a year that repeats: as few of them as put the rows in the order of time, without repeats. */
function axisFromUnnamed(table: Table, year: Column, years: Float64Array): TimeAxis | undefined {
  const found = [year];
  const parts = [years];
  for (const part of ['month', 'day', 'hour', 'minute'] as const) {
    const column = unnamedAfter(table, found.at(-1));
    const numbers = column && partNumbers(column, part);
    const times = instantsOf(parts);
    if (!numbers || turns(times) <= times.length * MOST_TURNS) return undefined;
    found.push(column);
    parts.push(numbers);
    const read = instantsOf(parts);
    if (turns(read) <= read.length * MOST_TURNS) return axisOf(found, KINDS[parts.length]!, read);
  }
  return undefined;
}

/** How many rows are not later than the one before. */
const turns = (times: Float64Array): number =>
  times.reduce((count, time, row) => count + (row > 0 && !(time > times[row - 1]!) ? 1 : 0), 0);

/** A year that stands only in the first of its rows, as where cells were joined, is that of the rows below. */
function filledDown(years: Float64Array | undefined): Float64Array | undefined {
  let last = NaN;
  return years?.map((year) => (last = Number.isNaN(year) ? last : year));
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

/** Columns of clocks that are tried beside a day: where a span begins, where it ends. */
const MOST_CLOCKS = 3;

/**
 * The days of an axis with the time of day from another column, where days repeat: `13:00`, whole hours, or the numbers of
 * the day's parts; and the days alone. A clock that changes beside days that are each another one is a duration or a note.
 */
export function withClocks(table: Table, days: TimeAxis): readonly TimeAxis[] {
  if (days.kind !== 'date') return [days];
  const isRepeated = countRepeats(days.times) > 0;
  const clocks = table.columns
    .filter(({ times }) => times.length === 1 && times[0]?.format.id === 'clock')
    .slice(0, MOST_CLOCKS)
    .filter((column) => isRepeated || isFixed(column));
  if (clocks.length > 0) return [...clocks.map((column) => withClock(table, days, column)), days];
  const numbered = isRepeated ? (hoursOfDay(table, days) ?? slotsOfDay(table)) : undefined;
  if (!numbered) return [days];
  const { column, inDay, clockSamples } = numbered;
  const times = days.times.map((day, row) => day + inDay[row]!);
  const columns = [...days.columns, column.name];
  return [{ ...days, times, kind: 'instant', columns, ...(clockSamples ? { clockSamples } : {}) }, days];
}

/** Whether a clock is the same every day, but for an hour in summer. */
const isFixed = ({ times }: Column): boolean =>
  new Set(times[0]!.reading.values.all().filter((time) => !Number.isNaN(time))).size <= 2;

interface DayPart {
  readonly column: Column;
  /** Milliseconds since midnight of each row. */
  readonly inDay: Float64Array;
  readonly clockSamples?: readonly string[];
}

function hoursOfDay(table: Table, days: TimeAxis): DayPart | undefined {
  const dayColumn = table.columns.find(({ name }) => name === days.columns[0]);
  const column = named(table, 'hour') ?? unnamedAfter(table, dayColumn);
  const hours = column && partNumbers(column, 'hour');
  if (!hours || (isUnnamed(column.name) && !cycles(hours, 0, 23) && !cycles(hours, 1, 24))) return undefined;
  return { column, inDay: hours.map((hour) => hour * HOUR), clockSamples: column.samples };
}

/**
 * A column that numbers the parts of each day from 1 on, such as `SETTLEMENT_PERIOD` of the British market. The day on
 * which clocks go back may have an hour more: its last parts are the first of the next day.
 */
function slotsOfDay(table: Table): DayPart | undefined {
  for (const column of table.columns) {
    const slots = isCalled(column.name, 'slot') ? partNumbers(column, 'slot') : undefined;
    const high = slots?.reduce((most, slot) => (slot > most ? slot : most), 0) ?? 0;
    const parts = PARTS_OF_DAY.find((each) => high >= each - each / 24 && high <= each + each / 24);
    if (slots?.includes(1) && parts !== undefined)
      return { column, inDay: slots.map((slot) => ((slot - 1) * DAY) / parts) };
  }
  return undefined;
}

function withClock(table: Table, days: TimeAxis, column: Column): TimeAxis {
  const { reading: clock, zones } = column.times[0]!;
  const inDay = clock.values.all();
  const offsets = zones.offsets(table.rows);
  const read = days.times.map((day, row) => day + inDay[row]! - offsets[row]!);
  const { zone, times, otherOffsets } = findColumnZone(zones, read, {}, column);
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

import { DAY, HOUR, MINUTE } from '../../calendar/civil.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { axisOf, type TimeAxis } from '../columns/axis.ts';
import type { Reading } from '../columns/cells.ts';
import type { Column } from '../columns/column.ts';
import { isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { findColumnZone } from '../columns/zones.ts';
import type { TimeKind } from '../types.ts';
import { instantOfWeek, TIME_FORMATS } from '../values/dates.ts';
import { monthOfName } from '../values/months.ts';
import { isMissing } from '../values/numbers.ts';
import { isTotalWord, namesTotal } from '../values/totals.ts';
import { weekdayOf } from '../values/weekdays.ts';
import { codesOf, countRepeats } from './values.ts';

/** Times that stand in a header, over columns of plain numbers. */
export interface HeaderTimes {
  /**
   * Whole times, a part of the time of each row (a month of its year, a day of its month or its week, an hour of its day),
   * or only their order.
   */
  readonly kind: 'times' | 'months' | 'hours' | 'days' | 'weekdays' | 'steps';
  /**
   * For each cell, `NaN` for those that say nothing: epoch milliseconds, the month from 1, milliseconds since midnight, the
   * day or the step from 0, the day of the week from 0 for Monday, counted on from the first.
   */
  readonly at: readonly number[];
  readonly timeKind: TimeKind;
}

const known = (at: readonly number[]): readonly number[] => at.filter((each) => !Number.isNaN(each));

/** All that a header can be read as. @param year that is written above the table */
export function namesAcross(names: readonly string[], year?: number): readonly HeaderTimes[] {
  const cells = names.map((name) => name.trim());
  const parts = [
    { kind: 'months', timeKind: 'period', at: monthsOf(cells) },
    { kind: 'hours', timeKind: 'instant', at: hoursOfNames(cells) },
    { kind: 'days', timeKind: 'date', at: daysOf(cells) },
    { kind: 'weekdays', timeKind: 'date', at: weekdaysOf(cells) },
    { kind: 'steps', timeKind: 'row', at: stepsOf(cells) },
  ] as const;
  const ofYear = year === undefined ? [] : WITH_YEAR.map((full) => cells.map((cell) => full(cell, year)));
  const whole = [cells, ...ofYear].map(headerTimes).find((each) => each !== undefined);
  return [whole, ...parts.map(({ at, ...part }) => at && { ...part, at })].filter((each) => each !== undefined);
}

/** A day or month without a year, written with it. */
export const WITH_YEAR: readonly ((text: string, year: number) => string)[] = [
  (text, year) => `${text} ${year}`,
  (text, year) => text.replace(/^(\d{1,2})([./-])(\d{1,2})\.?( \d{1,2}:\S+)?$/, `$1$2$3$2${year}$4`),
  (text, year) => text.replace(/^(\d{1,2})(\d{2})$/, `$1/$2/${year}`),
];

/** Formats that a header is written in; numbers of any other kind are too likely to be values. */
const FORMATS = TIME_FORMATS.filter(({ id }) => !/epoch|clock|cycle|compact|year-week|dotted/.test(id));
const FEWEST = 3;

/** Whether years stand at equal distances, as columns do and values do not. */
function isEven(years: readonly number[]): boolean {
  const steps = years.slice(1).map((year, index) => Math.round((year - years[index]!) / (365.25 * DAY)));
  return steps.every((step) => step === steps[0]);
}

/**
 * The times of a header: at least three cells and half of all, rising, in one format, beside cells that are texts.
 * `undefined` for any other row.
 */
export function headerTimes(cells: readonly string[]): HeaderTimes | undefined {
  const texts = cells.map((cell) => cell.trim());
  let best: HeaderTimes | undefined;
  let most = Math.max(FEWEST, texts.length / 2) - 1;
  for (const { id, parse, period } of FORMATS) {
    const at = texts.map((text) => parse(text));
    const times = known(at);
    if (times.length <= most || times.length === texts.length) continue;
    if (!times.every((time, index) => index === 0 || time > times[index - 1]!)) continue;
    if (id === 'year' && !isEven(times)) continue;
    if (!texts.every((text, index) => !Number.isNaN(at[index]!) || isLabel(text))) continue;
    most = times.length;
    best = { kind: 'times', at, timeKind: period === true || id === 'names' ? 'period' : 'date' };
  }
  return best;
}

/** Words or nothing, neither a number nor a time. */
function isLabel(text: string): boolean {
  return isMissing(text) || (/\p{L}/u.test(text) && TIME_FORMATS.every(({ parse }) => Number.isNaN(parse(text))));
}

/** Months or quarters of a year, each once. */
function monthsOf(names: readonly string[]): readonly number[] | undefined {
  const quarters = names.map((name) => Number(/^[QTK]([1-4])$/i.exec(name)?.[1] ?? NaN) * 3 - 2);
  if (known(quarters).length === 4) return quarters;
  const all = names.map(monthOfCell);
  const once = all.map((month, index) => (all.indexOf(month) === index ? month : NaN));
  const [first = 1] = known(once);
  // a year that begins in April ends in the next one
  return known(once).length === 12 ? once.map((month) => (month < first ? month + 12 : month)) : undefined;
}

/** A month by its name, as `M01` and `P07`, or as it is counted in East Asia; `NaN` for anything else. */
export function monthOfCell(text: string): number {
  const [, coded, counted] = /^(?:[MP](\d{1,2})|(\d{1,2})\s?[月월])$/iu.exec(text) ?? [];
  const month = Number(coded ?? counted ?? NaN);
  if (month >= 1 && month <= 12) return month;
  return /^\p{L}{3,}\.?$/u.test(text) ? (monthOfName(text) ?? NaN) : NaN;
}

/**
 * The numbers of names that are numbered one after the other, alone or behind the same word; `NaN` for the names beside
 * them. @param pattern with a group for the word and one for the number
 */
function numbered(names: readonly string[], pattern: RegExp): readonly number[] | undefined {
  const parts = names.map((name) => pattern.exec(name));
  const wordOf = (part: RegExpExecArray | null) => (part?.[1] as string | undefined)?.toLowerCase();
  const word = wordOf(parts.findLast((part) => part !== null) ?? null);
  const numbers = parts.map((part) => (wordOf(part) === word ? Number(part?.[2] ?? NaN) : NaN));
  const own = known(numbers);
  return own.length > 0 && own.every((each, index) => each === own[0]! + index) ? numbers : undefined;
}

/** The days of a month, 1 to 28 or more. */
function daysOf(names: readonly string[]): readonly number[] | undefined {
  const days = numbered(names, /^()(\d{1,2})\.?$/);
  const own = known(days ?? []);
  const areDays = own.length >= 28 && own.length <= 31 && own.length < names.length && own[0] === 1;
  return areDays ? days?.map((day) => day - 1) : undefined;
}

/** A week of work has as many days. */
const FEWEST_WEEKDAYS = 5;

/** The days of a week, one after the other. */
function weekdaysOf(names: readonly string[]): readonly number[] | undefined {
  const named = names.map(weekdayOf);
  const first = named.find((day) => day !== undefined) ?? 0;
  const days = named.map((day) => (day === undefined ? NaN : first + ((day - first + 7) % 7)));
  const own = known(days);
  const areInOrder = own.every((day, index) => day === own[0]! + index);
  return areInOrder && own.length >= FEWEST_WEEKDAYS && own.length <= 7 ? days : undefined;
}

/** Fewer numbered columns are measures rather than steps. */
const FEWEST_STEPS = 5;

/** `d_1 … d_1913`, `Week 1 …`: one word and numbers one after the other, in most columns. */
function stepsOf(names: readonly string[]): readonly number[] | undefined {
  const steps = numbered(names, /^(\p{L}[\p{L}_ .-]{0,20}?)[_ .-]?(\d{1,6})$/u);
  const own = known(steps ?? []);
  return own.length < Math.max(FEWEST_STEPS, names.length / 2) ? undefined : steps?.map((step) => step - own[0]!);
}

const CLOCK = /^(\d{1,2})[:h](\d{2})(?::00)?(?:\s?(?:-|–|to|bis)\s?\d{1,2}[:h]\d{2}(?::00)?)?$/i;
const NUMBERED =
  /^(h|he|hr|hour|hour[_ ]?ending|hh|half[_ -]?hour|sp|settlement[_ ]?period|period|slot|interval|stunde|hora|heure|uur)?[_ -]?0?(\d{1,2})$/i;
/** Hours, half hours, quarters of an hour and five minutes of a day, where they are only numbered. */
export const PARTS_OF_DAY: readonly number[] = [24, 48, 96, 288];
const FEWEST_HOURS = 12;

/**
 * The time of day of columns that are all parts of a day, as meters and markets write a day to each row: `00:00`, `00:30`,
 * … or `H01` to `H24`, in milliseconds since midnight; `NaN` for the columns beside them. Clocks from the end of the first
 * part to midnight are left as they say. `undefined` where columns are no such parts.
 */
export function hoursOfNames(names: readonly string[]): readonly number[] | undefined {
  const texts = names.map((name) => name.trim());
  return fromClocks(texts) ?? fromNumbers(texts);
}

function fromClocks(texts: readonly string[]): readonly number[] | undefined {
  const times = texts.map((text) => {
    const [, hour, minute] = CLOCK.exec(text) ?? [];
    return hour === undefined || Number(hour) > 24 ? NaN : Number(hour) * HOUR + Number(minute) * MINUTE;
  });
  const own = known(times);
  const step = DAY / own.length;
  const [first] = own;
  if (own.length < FEWEST_HOURS || (first !== 0 && first !== step)) return undefined;
  if (!own.every((time, part) => time % DAY === (first + part * step) % DAY)) return undefined;
  const last = times.findLastIndex((time) => !Number.isNaN(time));
  return first === 0 ? times : times.map((time, index) => (index === last ? DAY : time));
}

function fromNumbers(texts: readonly string[]): readonly number[] | undefined {
  const numbers = numbered(texts, NUMBERED);
  const parts = texts.map((text) => NUMBERED.exec(text));
  const own = known(numbers ?? []);
  const count = parts.filter((each) => each !== null).length;
  if (!numbers || own.length !== count || !PARTS_OF_DAY.includes(count) || own[0]! > 1) return undefined;
  if (count < texts.length / 2 || count === texts.length) return undefined;
  // numbers alone are the head of a table only beside words: a first row may count too
  const isAlone = parts.some((part) => part !== null && part[1] === undefined);
  if (isAlone && !texts.every((text, index) => parts[index] !== null || /^\p{L}/u.test(text))) return undefined;
  return numbers.map((number) => ((number - own[0]!) * DAY) / count);
}

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

export type Part = keyof typeof PARTS;

/** Whose years and weeks they are. */
const CALENDAR = /^(?:iso|mmwr|epi|calendar|cal|fiscal|fy)[_ ]?(?=\w)/i;

/** Whether a column is called like a part of the time. */
export const isCalled = (name: string, part: Part): boolean => PARTS[part].name.test(name.trim().replace(CALENDAR, ''));

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
  const isYear = (column: Column) => isUnnamed(column.name) && partNumbers(column, 'year') !== undefined;
  const first = table.columns.slice(0, MOST_LABELS).find(isYear);
  const written = take('year', named(table, 'year') ?? first);
  if (!written) return undefined;
  const years = filledDown(written);
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

/** Columns before a year without a name: of the station, of its place. */
const MOST_LABELS = 5;
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

/** A year or a day that stands only in the first of its rows, as where cells were joined, is that of the rows below. */
export function filledDown(times: Float64Array): Float64Array {
  let last = NaN;
  return times.map((time) => (last = Number.isNaN(time) ? last : time));
}

/** The unnamed column behind another one. */
function unnamedAfter(table: Table, column: Column | undefined): Column | undefined {
  const next = column && table.columns[table.columns.indexOf(column) + 1];
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

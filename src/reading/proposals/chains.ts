import { DAY, civilOf, timeOfDay, weekdayOfDays } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/grid.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { areAll, axisOf, codesOf, type Column, type TimeAxis } from '../columns/column.ts';
import { isIdName, isTimeName, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { findColumnZone } from '../columns/zones.ts';
import { TIME_FORMATS } from '../values/dates.ts';
import { namesTotal } from '../values/totals.ts';
import { suggestAggregate } from '../series/aggregate.ts';
import { countRepeats, countsRows } from './proposal.ts';
import { evidentPart, highestOf, lowestOf, isCalled, isCalledTime, isClean, isKnown, type Level, type Part, partNumbers, PARTS, PARTS_OF_DAY, partsOf } from './time-parts.ts'; // prettier-ignore

/** Parts that nothing names are numbers of anything else unless all of them are there. */
const LAST: Partial<Record<Part, number>> = { yearDay: 365, week: 52, hour: 23 };
const MOST_TURNS = 0.1;

interface Link {
  readonly axis: TimeAxis;
  readonly is?: Level | undefined;
}

/** The times of a whole, such as years, with columns that say a part of it, and parts of those: the finest first. */
export function chainsOf(table: Table, whole: TimeAxis, level: Level): readonly TimeAxis[] {
  const clocks = level === 'day' ? clocksBeside(table, whole) : [];
  const links = clocks.length > 0 ? [] : linksOf(table, whole, level);
  const longer = links.flatMap(({ axis, is }) => (is ? chainsOf(table, axis, is) : [axis]));
  const isTime = level === 'day' || level === 'hour' || links.every(({ axis }) => axis.guess);
  return [...clocks, ...longer, ...(isTime ? [whole] : [])];
}

/** A column that is called a part, or has no name and puts the rows in order; else one with all numbers of a part; else by its cells. */
function linksOf(table: Table, whole: TimeAxis, level: Level): readonly Link[] {
  const isRepeated = countRepeats(whole.times) > 0;
  if ((level === 'day' || level === 'week') && !isRepeated) return [];
  const free = table.columns.filter(({ name }) => !whole.columns.includes(name));
  const next = columnAfter(table, whole);
  for (const part of partsOf(level)) {
    const own = free.find((each) => isCalled(each.name, part) && partNumbers(each, part));
    const column = own ?? (next && isUnnamed(next.name) ? next : undefined);
    const numbers = column && partNumbers(column, part);
    if (numbers && (own || highestOf(numbers) >= (LAST[part] ?? 0))) return [linkOf(whole, column, part, numbers)];
  }
  for (const part of partsOf(level)) {
    const numbers = next && numbersOfAll(next, whole, part);
    if (numbers) return [guessed(linkOf(whole, next, part, numbers), table, part)];
  }
  return isRepeated && (level === 'year' || level === 'week') ? evidentLinks(free, whole, level) : [];
}

const evidentLinks = (free: readonly Column[], whole: TimeAxis, level: Level): readonly Link[] =>
  free.flatMap((column) =>
    partsOf(level).flatMap((part) => {
      // beside years, 1/3 is a share as often as a day
      const mayBeShare = part === 'date' && whole.columns.length > 0 && !/\p{L}/u.test(column.samples[0] ?? '');
      if (mayBeShare && !isCalledTime(column.name, part)) return [];
      const numbers = evidentPart(column, part, false);
      // below a year, the fifth of five questions tells that the others are no quarters
      const isRead = numbers && (whole.columns.length > 0 || isWhole(column, numbers));
      return isRead ? [linkOf(whole, column, part, numbers)] : [];
    }),
  );

function isWhole(column: Column, numbers: Float64Array): boolean {
  const { codes, names } = codesOf(column);
  const isOther = (text: string) => text !== '' && !namesTotal(text);
  return numbers.every((each, row) => isKnown(each) || !isOther(names[codes[row]!]!));
}

function linkOf(whole: TimeAxis, column: Column, part: Part, numbers: Float64Array): Link {
  const { of, is, kind, at } = PARTS[part];
  const isClock = of === 'day' || of === 'hour';
  const clock = isClock ? { clockSamples: [...(whole.clockSamples ?? []), column.samples] } : {};
  const timesFrom = (first: number) => whole.times.map((time, row) => at(time, numbers[row]!, first));
  const times = part === 'weekday' ? timesOfWeeks(whole.times, timesFrom) : timesFrom(0);
  const hasClock = part === 'date' && !areAll(times, (time) => timeOfDay(time) === 0);
  const { codes, names } = numbers.some(Number.isNaN) ? codesOf(column) : { codes: [], names: [] };
  const totals = Array.from(codes, (code, row) => ({ row, text: names[code]! })).filter(({ text }) => namesTotal(text));
  const bad = { bad: [...whole.bad, ...totals], badCount: whole.badCount + totals.length };
  const columns = [...whole.columns, column.name];
  return { axis: { ...whole, ...clock, ...bad, kind: hasClock ? 'instant' : kind, columns, times }, is };
}

/** The days of weeks in which their dates lie: the weeks begin as the rows are most in order, up or down, else with the date. */
function timesOfWeeks(dates: Float64Array, timesFrom: (first: number) => Float64Array): Float64Array {
  const own = weekdayOfDays(Math.floor(dates.find(isKnown)! / DAY)) + 1;
  const order = (times: Float64Array) =>
    Math.abs(times.reduce((sum, time, row) => sum + (Math.sign(time - times[row - 1]!) || 0), 0));
  const ways = Array.from({ length: 7 }, (_, later) => timesFrom(own + later));
  return ways.reduce((best, times) => (order(times) > order(best) ? times : best));
}

/** The column that may say a part by its effect: the next one, where the rows are in no order yet. */
const columnAfter = ({ columns }: Table, whole: TimeAxis): Column | undefined =>
  whole.columns.slice(1).every(isUnnamed) && !isInOrder(whole)
    ? columns[columns.findIndex(({ name }) => name === whole.columns.at(-1)) + 1]
    : undefined;

const COUNTS: Partial<Record<Part, readonly number[]>> = { month: [12], hour: [24], slot: PARTS_OF_DAY };

/** The numbers of a part that a column has whatever its name: as many as a day or a year has, and all of them nearly each time. */
function numbersOfAll(column: Column, { times }: TimeAxis, part: Part): Float64Array | undefined {
  const { numbers, filled, rows } = column;
  if (!numbers?.whole || filled < rows || isIdName(column.name)) return undefined;
  const { values } = numbers;
  const all = new Set(values).size;
  const least = lowestOf(values);
  const isFirst = least === 1 || (least === 0 && part === 'hour');
  if (!isFirst || highestOf(values) - least + 1 !== all || !COUNTS[part]?.includes(all)) return undefined;
  const byWhole = [...Map.groupBy(values.keys(), (row) => times[row]!).values()];
  const full = byWhole.filter((own) => new Set(own.map((row) => values[row]!)).size === all);
  return full.length > 1 && full.length >= byWhole.length - MOST_CUT ? partNumbers(column, part) : undefined;
}

const MOST_CUT = 2; // the first and the last

/** As likely numbers of something else as parts, unless their name says time, or neighboring values are alike. */
function guessed({ axis, is }: Link, { columns }: Table, guess: Part): Link {
  const isLevel = ({ numbers, name }: Column) =>
    numbers && !axis.columns.includes(name) && suggestAggregate(axis.times, numbers.values) === 'mean';
  return isCalledTime(axis.columns.at(-1)!, guess) || columns.some(isLevel)
    ? { axis, is }
    : { axis: { ...axis, guess }, is };
}

function isInOrder({ times }: TimeAxis): boolean {
  const turns = times.filter((time, row) => row > 0 && !(time > times[row - 1]!)).length;
  return turns <= times.length * MOST_TURNS;
}

export const isTold = (axis: TimeAxis): boolean =>
  !isUnnamed(axis.columns.at(-1)!) || isInOrder(axis) || isRising(axis.times);

const MOST_CLOCKS = 3;

function clocksBeside(table: Table, days: TimeAxis): readonly TimeAxis[] {
  const isRepeated = countRepeats(days.times) > 0;
  const isClock = (column: Column): boolean => {
    const [clock, other] = column.times;
    if (other || !clock?.format.id.endsWith('clock')) return false;
    // a clock with a point, which is a number too, is called a time, or puts the rows in the order of time
    return clock.format.digits !== true || isTimeName(column.name) || isInOrder(withClock(days, column));
  };
  const clocks = table.columns
    .filter(isClock)
    .slice(0, MOST_CLOCKS)
    // one that changes beside days that are each another one is a duration or a note
    .filter(({ times }) => isRepeated || new Set(times[0]!.reading.values.all().filter(isKnown)).size <= 2);
  return clocks.map((each) => withClock(days, each));
}

function withClock(days: TimeAxis, column: Column): TimeAxis {
  const { reading, zones } = column.times[0]!;
  const inDay = reading.values.all();
  const offsets = zones.offsets(inDay.length);
  const read = days.times.map((day, row) => day + inDay[row]! - offsets[row]!);
  const { choice: _, ...found } = findColumnZone(zones, read, {}, column);
  return {
    ...days,
    kind: 'instant',
    columns: [...days.columns, column.name],
    ...found,
    clockSamples: [column.samples],
    bad: [...days.bad, ...reading.bad],
    badCount: days.badCount + reading.badCount,
  };
}

export function filledDown(times: Float64Array, isRow = (_: number) => true): Float64Array {
  let last = NaN;
  return times.map((time, row) => {
    if (isKnown(time)) last = time;
    return isRow(row) ? last : time;
  });
}

const MOST_LABELS = 5;

/** Years in a column that is called so, or in one of the first that has no name, with parts behind them. */
export function axesOfYears(table: Table): readonly TimeAxis[] {
  const isYear = (column: Column) => isUnnamed(column.name) && partNumbers(column, 'year') !== undefined;
  const year =
    table.columns.find(({ name }) => isCalled(name, 'year')) ?? table.columns.slice(0, MOST_LABELS).find(isYear);
  const numbers = year && partNumbers(year, 'year');
  if (!numbers) return [];
  const times = filledDown(numbers).map((each) => instantOf(each, 1, 1));
  const chains = chainsOf(table, axisOf([year], 'period', times), 'year');
  return chains.filter((axis) => axis.columns.length > 1 && isTold(axis));
}

/** Parts of years, such as months, below their year in the same column, as spreadsheets write pivot tables. */
export function axisBelowYears({ columns }: Table): TimeAxis | undefined {
  const found = columns.flatMap((column) => {
    if (!column.texts) return [];
    const { codes, names } = codesOf(column);
    const yearOf = names.map((name) => YEARS[0]!.parse(name));
    if (yearOf.every(Number.isNaN)) return [];
    const years = filledDown(codes.map((code) => yearOf[code]!));
    return partsOf('year').flatMap((part) => {
      const times = partNumbers(column, part)?.map((number, row) => PARTS[part].at(years[row]!, number, 0));
      return times && isRising(times, true) ? [axisOf([column], PARTS[part].kind, times)] : [];
    });
  });
  return found[0];
}

/** What the times of rows may be the whole of. */
export function levelsOf({ kind, times, format, grains }: TimeAxis): readonly Level[] {
  if (kind === 'period') return format === 'season' || grains ? [] : [levelOf(times)];
  return kind !== 'date' ? [] : levelOf(times) === 'week' ? ['week', 'day'] : ['day'];
}

export function levelOf(times: Float64Array): Level {
  const isFirst = areAll(times, (time) => timeOfDay(time) === 0 && civilOf(time).day === 1);
  if (!isFirst) return areApart(times, 7) ? 'week' : 'day';
  return areAll(times, (time) => civilOf(time).month === 1) ? 'year' : 'month';
}

/** Whether all times are of one level: of months and weeks, columns are no hours, whatever they are called. */
export function isOf({ times, kind, columns, choice }: TimeAxis, level: Level): boolean {
  if (level === 'year') return kind === 'period' && levelOf(times) === 'year';
  if (level === 'month') return kind === 'period' || ['year', 'month'].includes(levelOf(times));
  const isSo = kind === 'date' && (level === 'week' || columns.length === 1);
  return isSo && (areApart(times, level === 'week' ? 7 : 1) || choice?.kind === 'date-order');
}

const COMPARED = 5000; // rows, which tell the step of millions too

function areApart(times: Float64Array, days: number): boolean {
  const dates = Float64Array.from(new Set(times.subarray(0, COMPARED).filter(isKnown))).sort();
  const next = dates.filter((date, index) => index > 0 && date === dates[index - 1]! + days * DAY).length;
  return next * 2 >= dates.length - 1;
}

const DATE = /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|(?<!\d)(?:19|20)\d{6}(?!\d)/g;
const MONTH = /(?<![\d\p{L}])\p{L}{3,12}\.? (?:19|20)\d{2}(?!\d)|(?<![\d.-])(?:19|20)\d{2}-\d{2}(?![\d-])/gu;
const YEAR = /(?<![\d.,])(?:19|20)\d{2}(?![\d.,])/g;
const formatsOf = (...ids: readonly string[]) => TIME_FORMATS.filter(({ id }) => ids.includes(id));
const DAYS = formatsOf('iso', 'mdy', 'dmy', 'compact');
const [MONTHS, YEARS] = [formatsOf('month', 'names'), formatsOf('year')];

function timesAbove({ preamble, name = '' }: Table, pattern: RegExp, formats: typeof DAYS): number[] {
  const timeOf = (text: string) => {
    const ways = text.includes('.') ? formats.toReversed() : formats;
    return ways.map(({ parse }) => parse(text)).find(isKnown) ?? [];
  };
  return [name, ...preamble].flatMap((line) => (line.match(pattern) ?? []).flatMap(timeOf));
}

/** The year, or the month, that the texts above a table and its name say most often. */
export function axisAbove(table: Table, level: Level): TimeAxis | undefined {
  const years = () => [...timesAbove(table, DATE, DAYS), ...timesAbove(table, YEAR, YEARS)].map((time) => instantOf(civilOf(time).year, 1, 1)); // prettier-ignore
  const all = level === 'month' ? timesAbove(table, MONTH, MONTHS) : level === 'year' ? years() : [];
  const [time] = [...Map.groupBy(all, (each) => each)].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  return time === undefined ? undefined : axisOf([], 'period', new Float64Array(table.rows).fill(time));
}

/** The times of rows whose columns say only a part of what stands above the table: a count of days, clocks, months, dates. */
export function axisFromAbove(table: Table): TimeAxis | undefined {
  const ways = [countedDays, clockTimes];
  const [own] = ways.flatMap((way) => table.columns.flatMap((column) => way(table, column) ?? []));
  const chains = (level: Level) => {
    const whole = own ? undefined : axisAbove(table, level);
    return whole ? chainsOf(table, whole, level).filter((axis) => axis !== whole && isTold(axis)) : [];
  };
  return own ?? chains('month')[0] ?? chains('year')[0];
}

function countedDays(table: Table, column: Column): TimeAxis | undefined {
  if (!column.numbers || !countsRows(column)) return undefined;
  const days = timesAbove(table, DATE, DAYS);
  const first = days.find((day, index) => days[index + 1] === day + (table.rows - 1) * DAY);
  if (first === undefined) return undefined;
  const times = column.numbers.values.map((_, row) => first + row * DAY);
  return axisOf([column], 'date', times);
}

/** Times of day, a day later each time the clock begins anew; from the day above the table on, else from 1970. */
function clockTimes(table: Table, column: Column): TimeAxis | undefined {
  const [only, other] = column.times;
  if (other || only?.format.id !== 'clock' || column.filled < column.rows || !isClean(only.reading)) return undefined;
  const { bad, badCount, values } = only.reading;
  const [start = 0] = timesAbove(table, DATE, DAYS);
  let [days, last] = [0, -1];
  const times = values.all().map((inDay) => {
    if (inDay < last) days++;
    if (isKnown(inDay)) last = inDay;
    return start + inDay + days * DAY;
  });
  return axisOf([column], 'instant', times, { format: 'clock', samples: column.samples, bad, badCount });
}

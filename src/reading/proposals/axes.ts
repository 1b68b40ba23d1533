import { DAY, MINUTE, civilOf, daysInMonth } from '../../calendar/civil.ts';
import { medianOf, withoutRepeats, isRising } from '../../calendar/grid.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { said } from '../phrase.ts';
import { choiceOf, SeriesError, type Choice, type LayoutChoice } from '../types.ts';
import { areAll, axisOf, type TimeAxis, type Column, type TimeReading } from '../columns/column.ts';
import { isIdName, isNumberOfRow, isTimeName, isTimeWord, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { findColumnZone, unknownZoneError } from '../columns/zones.ts';
import { SERIAL_DAYS, isTime, unknownZone } from '../values/dates.ts';
import { plainTime } from '../values/time-words.ts';
import { isClean } from './time-parts.ts';
import { axesOfYears, axisBelowYears, axisFromAbove, chainsOf, filledDown, isTold, levelsOf } from './chains.ts';
import { type Proposal, countsOn, countSteps } from './proposal.ts';

export type DateOrder = 'dmy' | 'mdy';

export type AxisProposal = Pick<Proposal, 'axis' | 'prior'>;
type Candidate = ReturnType<typeof candidatesOf>[number];

const MOST_AXES = 4;
/** What a name is worth beside what an axis gives: it breaks ties. Of several times the first one is when it began. */
const PRIOR = 0.02;
const PARTS_PRIOR = 10 * PRIOR;
const COUNTED_PRIOR = -0.15; // less than times in a header, more than rows in their order, which have no even steps

/** The times that rows may have, those first that are most likely by their names and places. @throws SeriesError */
export function findAxes(table: Table, layout: LayoutChoice, hint: DateOrder): readonly AxisProposal[] {
  const { timeColumn } = layout;
  if (timeColumn === null) return [{ axis: rowAxis(table), prior: 0 }];
  const candidates =
    timeColumn === undefined ? candidatesOf(table) : [{ column: wantedColumn(table, timeColumn), score: 0 }];
  const hasClock = table.columns.some(({ times }) => times.some(({ format }) => format.id === 'clock'));
  const isWritten = candidates[0]?.column.times.some(({ format }) => !format.digits);
  const ofParts = timeColumn !== undefined || isWritten ? [] : axesOfYears(table);
  const found = candidates.flatMap((candidate, rank): AxisProposal[] => {
    const axis = columnAxis(candidate.column, layout, { hint, hasClock, isRow: labelledRow(table) });
    if (!axis) return [];
    const rivals = candidates.filter((other) => other !== candidate && isRival(other, candidate));
    const options = [candidate, ...rivals].map(
      ({ column: { name, samples } }) => [name, { timeColumn: name }, samples.slice(0, 3).join(', ')] as const,
    );
    const question = options.length > 1 ? choiceOf('time-column', said`Which column is the time?`, options) : undefined;
    const choice = axis.choice ?? question;
    const whole = choice ? { ...axis, choice } : axis;
    const levels = levelsOf(axis).filter((level) => level !== 'year' || ofParts.length === 0);
    const longer = levels.flatMap((level) => chainsOf(table, whole, level)).filter((each) => each !== whole);
    return ranked([...longer.filter(isTold), whole], (candidate.score - rank) * PRIOR);
  });
  if (timeColumn !== undefined) {
    if (found.length > 0) return found;
    refuseUnknownZone(candidates.map(({ column }) => column));
    throw new SeriesError('not-a-time', said`The column “${timeColumn}” has no times. Choose another one.`);
  }
  if (ofParts.length > 0) return [...ranked(ofParts, PARTS_PRIOR), ...found];
  if (found.length > 0) return found;
  const unusual = axisBelowYears(table) ?? axisFromAbove(table);
  if (!unusual) {
    refuseUnknownZone(table.columns);
    return [...ranked(countersOf(table), COUNTED_PRIOR), ...ranked([rowAxis(table)], 0)];
  }
  const chains = levelsOf(unusual).flatMap((level) => chainsOf(table, unusual, level));
  return ranked(chains.length > 0 ? chains : [unusual], 0);
}

const ranked = (axes: readonly TimeAxis[], prior: number): AxisProposal[] =>
  axes.map((axis, rank) => ({ axis, prior: prior - rank * PRIOR }));

function candidatesOf(table: Table) {
  const firstNamed = table.columns.find(({ name }) => !isUnnamed(name));
  return (
    table.columns
      .map((column, index) => ({ column, score: scoreOf(column, index, index === 0 || column === firstNamed) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      // numbers that count the rows beside dates are those of documents
      .filter(({ column }, _, [best]) => !countsOn(column) || !best!.column.times.some(isWritten))
      .slice(0, MOST_AXES)
  );
}

const isOfDay = ({ format }: TimeReading) => !format.id.endsWith('clock');
const isWritten = (reading: TimeReading) => isOfDay(reading) && !reading.format.digits;
const readingsOf = ({ times }: Column): readonly TimeReading[] =>
  times.filter(isOfDay).sort((a, b) => a.reading.badCount - b.reading.badCount);

const LEAST_SHARE = 0.6;
const LEAST_DIGITS = 0.8; // of cells that are only digits more must be, as some numbers are times by chance

/** Formats that numbers of rows fit: the years of invoices stand before them too. */
const NUMBERS: ReadonlySet<string> = new Set(['short', 'compact-day']);

function scoreOf(column: Column, index: number, first: boolean): number {
  const [best] = readingsOf(column);
  const named = isTimeName(column.name) ? 3 : isTimeWord(column.name) ? 2 : 0;
  const early = first ? 1.5 : 1 / (index + 2);
  if (!best)
    return (named > 0 && numbersAsTimes(column)) || (index < 2 && decimalYears(column)) ? 1 + named + early : 0;
  const { id, digits } = best.format;
  if (best.parsed() - (column.rows - column.filled) < column.filled * (digits ? LEAST_DIGITS : LEAST_SHARE)) return 0;
  if (id === 'cycle') return first ? 1 + named : 0;
  if (!digits) return 5 + named + early;
  const times = best.reading.values.all();
  const isEpoch = id.startsWith('epoch');
  const isInOrder = () => first && !isEpoch && !NUMBERS.has(id) && isRising(times);
  const isLikely = isTimeOfDigits(best, times, column.name) || named > 0 || isInOrder();
  return isLikely ? (isEpoch ? 3 : 1) + named + early : 0;
}

const OLDEST = instantOf(1750, 1, 1);
const FEWEST_DAYS = 6;

const knownTimes = (times: Float64Array): Float64Array =>
  withoutRepeats(times.filter((time) => !Number.isNaN(time)).sort());

const isSorted = (times: Float64Array): boolean => isRising(times) || isRising(times.toReversed());

function isTimeOfDigits({ format, reading }: TimeReading, times: Float64Array, name: string): boolean {
  // nanoseconds have 18 digits until September 2001: others than whole milliseconds are ids rather
  const isLate = (time: number) => time >= 1e12 || Number.isInteger(time);
  if (format.id === 'epoch-ns' && !areAll(times, isLate)) return false;
  // counts of seconds since 1970 have as many digits as numbers of orders and ids that rise, and as values that fall
  const areMinutes = () => areAll(times, (time) => time % MINUTE === 0) && isRising(times.toReversed());
  if (format.id.startsWith('epoch')) return (isRising(times) || areMinutes()) && !isNumberOfRow(name);
  if (reading.badCount > 0) return false;
  const distinct = knownTimes(times);
  if (distinct.length < FEWEST_DAYS) return false;
  // numbers that count on by one are days of a month by chance, but not of two
  if (format.id === 'short') return isSorted(times) && distinct.at(-1)! - distinct[0]! > 31 * DAY;
  if (format.id === 'compact-day')
    return isSorted(times) && civilOf(distinct[0]!).year < civilOf(distinct.at(-1)!).year;
  if (format.id === 'compact') return areAll(times, (time) => time % DAY === 0 && time > OLDEST);
  const isNext = (month: number, at: number) => at === 0 || month - distinct[at - 1]! < 32 * DAY;
  return format.id === 'dotted-month' && distinct.every(isNext);
}

export function wantedColumn(table: Table, name: string): Column {
  const wanted = table.columns.find((column) => column.name === name);
  if (wanted) return wanted;
  const names = table.columns.slice(0, 12).map((column) => `“${column.name}”`);
  throw new SeriesError('unknown-column', said`There is no column “${name}”. Choose one of ${names.join(', ')}.`);
}

function refuseUnknownZone(columns: readonly Column[]): void {
  for (const { samples } of columns) {
    const words = samples.map(unknownZone);
    const row = words.findIndex((word) => word !== undefined);
    const times = words.filter((word, index) => word !== undefined || isTime(samples[index]!));
    if (row >= 0 && times.length > samples.length * LEAST_SHARE) throw unknownZoneError(samples[row]!, words[row]!);
  }
}

const CLEARLY = 1.5;
const COMPARED = 5000;

/** Whether a column of dates is as likely the time, and says neither the same (in another zone, its day, the end of each row) nor one time. */
function isRival({ column, score }: Candidate, best: Candidate): boolean {
  const mine = column.times.find(isWritten)?.reading.values.all();
  const other = best.column.times.find(isWritten)?.reading.values.all();
  if (!mine || !other || best.score - score >= CLEARLY) return false;
  const isWhole = (times: Float64Array) => areAll(times, (time) => time % DAY === 0);
  const isOne = isWhole(mine) !== isWhole(other);
  if (areWithin(mine, other) || areWithin(other, mine)) return false;
  const compared = mine.subarray(0, COMPARED);
  const apart = compared.map((time, row) => {
    const isDayOf = isOne && Math.abs(time - other[row]!) <= 1.5 * DAY;
    return isDayOf ? 0 : time - other[row]!;
  });
  return knownTimes(compared).length > 1 && knownTimes(apart).length > 4;
}

/** Whether each row begins at one time and ends at the other, before the next one begins. */
function areWithin(ends: Float64Array, starts: Float64Array): boolean {
  const isUp = starts[0]! < starts.at(-1)!;
  const [from, to] = isUp ? [starts, ends] : [starts.toReversed(), ends.toReversed()];
  return isRising(from, true) && to.every((end, row) => !(end < from[row]! || end > from[row + 1]!));
}

interface OrderContext {
  readonly hint: DateOrder;
  readonly hasClock: boolean;
  readonly isRow: (row: number) => boolean;
}

/** Share of the days that stand above rows without one where cells were joined; fewer are slips, totals and notes. */
const LEAST_JOINED = 0.5;

function areJoined(times: Float64Array): boolean {
  const isKnown = (time = NaN) => !Number.isNaN(time);
  const last = times.filter((time, row) => isKnown(time) && !isKnown(times[row + 1])).length;
  return isKnown(times[0]) && last >= times.filter(isKnown).length * LEAST_JOINED;
}

const LEAST_LABELLED = 0.9;

/** Whether a row is not below the last one with any of the texts that nearly all rows have; totals there have none. */
function labelledRow({ columns, rows }: Table): (row: number) => boolean {
  const labels = columns.flatMap(({ texts, filled }) => (texts && filled >= rows * LEAST_LABELLED ? [texts] : []));
  const last = labels.map(({ codes, numbers }) => codes.all().findLastIndex((code) => code !== numbers.get('')));
  return (row) => last.length === 0 || row <= Math.max(...last);
}

function columnAxis(column: Column, layout: LayoutChoice, context: OrderContext): TimeAxis | undefined {
  const readings = readingsOf(column);
  const mdy = readings.find(({ format }) => format.id === 'mdy');
  const dmy = readings.find(({ format }) => format.id === 'dmy');
  const order = mdy && dmy ? orderOf({ mdy, dmy }, column, layout, context) : undefined;
  const best = mdy && dmy ? { mdy, dmy }[order ?? context.hint] : readings[0];
  if (!best) return numbersAsTimes(column) ?? counterOf(column);
  const { format, reading } = best;
  const samples = column.samples.filter((text) => !Number.isNaN(format.parse(text)));
  const read = reading.values.all();
  const written = reading.badCount === 0 && areJoined(read) ? filledDown(read, context.isRow) : read;
  const { zone, times, otherOffsets, ...found } = findColumnZone(best.zones, written, layout, column);
  const isDate = () => areAll(times, (time) => zone.toWall(time) % DAY === 0);
  const choice = mdy && dmy && !order ? orderChoice(column, context.hint) : found.choice;
  const isPeriod = format.period || isMonthNames(samples.map(plainTime));
  return axisOf([column], isPeriod ? 'period' : isDate() ? 'date' : 'instant', times, {
    bad: reading.bad,
    badCount: reading.badCount,
    format: format.id,
    samples,
    zone,
    ...(column.grains ? { grains: column.grains.all() } : {}),
    ...(choice ? { choice } : {}),
    ...(otherOffsets ? { otherOffsets } : {}),
  });
}

const CLEARLY_FULLER = 0.25;

function disorder(times: Float64Array, hasClock: boolean): { back: number; empty: number } {
  const back = times.filter((time, row) => time < times[row - 1]!).length;
  const distinct = knownTimes(times);
  const days = withoutRepeats(distinct.map((time) => Math.floor(time / DAY)));
  // of times within days the days follow each other, also where the times are irregular
  const isWithin = hasClock || distinct.length >= 2 * days.length;
  const usual = isWithin ? 1 : medianOf(days.subarray(1).map((day, index) => day - days[index]!));
  const isShort = days.length < (isWithin ? 2 : 3);
  return { back, empty: isShort ? 0 : 1 - days.length / ((days.at(-1)! - days[0]!) / usual + 1) };
}

/** Day or month first: by the cells, by dots (which no country writes month first), by the order of the rows, by their grid. */
function orderOf(
  readings: Readonly<Record<DateOrder, TimeReading>>,
  { samples }: Column,
  { dateOrder }: LayoutChoice,
  { hasClock }: OrderContext,
): DateOrder | undefined {
  if (dateOrder) return dateOrder;
  const [mdy, dmy] = [readings.mdy.reading, readings.dmy.reading];
  const less = (month: number, day: number, by = 0): DateOrder | undefined =>
    Math.abs(month - day) > by ? (month < day ? 'mdy' : 'dmy') : undefined;
  const byCells = less(mdy.badCount, dmy.badCount);
  if (byCells) return byCells;
  if (samples.some((text) => /^\d+\.\d+\.\d/.test(plainTime(text)))) return 'dmy';
  const [byMonth, byDay] = [mdy.values.all(), dmy.values.all()];
  if (byMonth.every((time, row) => Object.is(time, byDay[row]))) return 'mdy';
  const [month, day] = [disorder(byMonth, hasClock), disorder(byDay, hasClock)];
  return less(month.back, day.back) ?? less(month.empty, day.empty, CLEARLY_FULLER);
}

function orderChoice({ name, samples }: Column, hint: DateOrder): Choice {
  const sample = samples.find((text) => /^(\d+)\D+(?!\1\D)/.test(text)) ?? samples[0] ?? '';
  return choiceOf(
    'date-order',
    said`How are the dates in “${name}” written?`,
    [
      [said`Day first`, { dateOrder: 'dmy' }, said`${sample} is read as day, month, year`],
      [said`Month first`, { dateOrder: 'mdy' }, said`${sample} is read as month, day, year`],
    ],
    hint === 'dmy' ? 0 : 1,
  );
}

const isMonthNames = (samples: readonly string[]): boolean =>
  samples.length > 0 &&
  samples.every((text) => /^\p{L}+\.?[\s\-/,']*(?:del?\s)?(?:\d{4}|\d{2})$|^\d{4}[\s\-/]*\p{L}+\.?$/u.test(text));

/** Rows without a time: one second apart from 1970, so that they keep their order wherever instants are wanted. */
export const rowAxis = ({ rows }: Table): TimeAxis =>
  axisOf(
    [],
    'row',
    Float64Array.from({ length: rows }, (_, row) => row * 1000),
  );

const MOST_COLUMNS = 24; // among which a counter stands

/** Columns that may count steps without a date, such as weeks from 1 on; what is called an id counts things. */
function countersOf({ columns, rows }: Table): readonly TimeAxis[] {
  const full = columns.slice(0, MOST_COLUMNS).filter(({ filled }) => filled === rows);
  const named = full.filter(({ name }) => isTimeName(name) || isTimeWord(name));
  const likely = new Set([...named, ...full.filter(({ name }) => !isIdName(name))]);
  return [...likely].flatMap((column) => counterOf(column) ?? []).slice(0, MOST_AXES);
}

/** Each step a second apart, by its number as that of a row. */
function counterOf(column: Column): TimeAxis | undefined {
  const numbers = column.numbers?.whole ? numbersOf(column) : undefined;
  const times = numbers?.map((number) => (number - 1) * 1000);
  return times && countSteps(knownTimes(times)).usual === 1000 ? axisOf([column], 'row', times) : undefined;
}

const numbersAsTimes = (column: Column): TimeAxis | undefined => decimalYears(column) ?? serialDays(column);

function numbersOf(column: Column): Float64Array | undefined {
  return column.numbers && column.filled > 0 && isClean(column.numbers) ? column.numbers.values : undefined;
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

function serialDays(column: Column): TimeAxis | undefined {
  const days = numbersOf(column);
  const times = days?.map((day) => SERIAL_DAYS.parse(String(day)));
  if (!times || times.includes(NaN) || !(isTimeName(column.name) || isRising(times))) return undefined;
  const kind = column.numbers?.whole ? 'date' : 'instant';
  return axisOf([column], kind, times, { format: SERIAL_DAYS.id, samples: column.samples });
}

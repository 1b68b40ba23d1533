import { DAY, MINUTE } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/order.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { axisOf, type TimeAxis } from '../columns/axis.ts';
import type { Column, TimeReading } from '../columns/column.ts';
import { isNumberOfRow, isTimeName, isTimeWord, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { findColumnZone, unknownZoneError } from '../columns/zones.ts';
import { said } from '../phrase.ts';
import { SeriesError, type Choice, type LayoutChoice } from '../types.ts';
import { isTime, unknownZone } from '../values/clock-words.ts';
import { decideOrder, type DateOrder } from './date-order.ts';
import { axisFromParts, withClocks } from './time-parts.ts';
import { findUnusualTimes, numbersAsTimes } from './unusual-times.ts';

/** An axis that rows may have, and how much its names speak for it. */
export interface AxisProposal {
  readonly axis: TimeAxis;
  readonly prior: number;
}

interface Candidate {
  readonly column: Column;
  readonly score: number;
}

/** Axes that are tried: more columns of times than this are rarely in a table. */
const MOST_AXES = 4;
/** Of several times the first one is when it began. */
const RANK_PRIOR = 0.02;
/** What a name is worth beside what an axis gives: it breaks ties. */
const PRIOR = 0.02;
/** Parts of a date in columns of their own outweigh one of them alone. */
const PARTS_PRIOR = 10 * PRIOR;

/**
 * The times that the rows of a table may have, those first that are most likely by their names and places: a column of
 * times, a day with a clock or a part of the day beside it, the parts of a date, and at last the numbers of the rows.
 * @throws SeriesError for a column that the layout names and that is not there or has no times
 */
export function findAxes(table: Table, layout: LayoutChoice, hint: DateOrder): readonly AxisProposal[] {
  if (layout.timeColumn === null) return [{ axis: rowAxis(table), prior: 0 }];
  const candidates =
    layout.timeColumn === undefined
      ? candidatesOf(table)
      : [{ column: wantedColumn(table, layout.timeColumn), score: 0 }];
  const parts = candidates[0]?.column.times.some(({ format }) => !format.digits) ? undefined : axisFromParts(table);
  const hasClock = table.columns.some(({ times }) => times.some((time) => !isOfDay(time)));
  const found = candidates.flatMap((candidate, rank): AxisProposal[] => {
    const axis = columnAxis(candidate.column, layout, { hint, hasClock });
    if (!axis) return [];
    const rivals = candidates.filter((other) => other !== candidate && isRival(other, candidate));
    const asked = rivals.length > 0 ? { ...axis, choice: axis.choice ?? columnChoice([candidate, ...rivals]) } : axis;
    const prior = candidate.score * PRIOR - rank * RANK_PRIOR;
    return withClocks(table, asked).map((each, index) => ({ axis: each, prior: prior - index / 1e4 }));
  });
  if (layout.timeColumn !== undefined) {
    if (found.length === 0) throw noTimes(candidates[0]!.column);
    return found;
  }
  if (parts) return [{ axis: parts, prior: PARTS_PRIOR }, ...found];
  if (found.length > 0) return found;
  const unusual = findUnusualTimes(table);
  if (!unusual) refuseUnknownZone(table.columns);
  return [{ axis: unusual ?? rowAxis(table), prior: 0 }];
}

function candidatesOf(table: Table): readonly Candidate[] {
  const firstNamed = table.columns.find(({ name }) => !isUnnamed(name));
  return table.columns
    .map((column, index) => ({ column, score: scoreOf(column, index, index === 0 || column === firstNamed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_AXES);
}

const isOfDay = ({ format }: TimeReading) => format.id !== 'clock';
/** Times that are more than digits and clocks. */
const isWritten = (reading: TimeReading) => isOfDay(reading) && !reading.format.digits;

/** Share of a column's cells that must be times for it to be the time column. */
const LEAST_SHARE = 0.6;
/** Of cells that are only digits more must be, as some numbers are times by chance. */
const LEAST_DIGITS = 0.8;

/** How much speaks for a column as the time column; 0 or less: nothing. Texts that are dates speak for themselves. */
function scoreOf(column: Column, index: number, first: boolean): number {
  // the first rows may leave open which number is the day
  const readings = column.times.filter(isOfDay).toSorted((a, b) => a.reading.badCount - b.reading.badCount);
  const best = readings[0];
  if (!best) return 0;
  const { id, digits } = best.format;
  if (best.parsed() - (column.rows - column.filled) < column.filled * (digits ? LEAST_DIGITS : LEAST_SHARE)) return 0;
  const named = isTimeName(column.name) ? 3 : isTimeWord(column.name) ? 2 : 0;
  const early = first ? 1.5 : 1 / (index + 2);
  if (id === 'cycle') return first ? 1 + named : 0;
  if (!digits) return 5 + named + early;
  const times = best.reading.values.all();
  const isEpoch = id.startsWith('epoch');
  const isLikely = isTimeOfDigits(best, times, column.name) || named > 0 || (!isEpoch && first && isRising(times));
  return isLikely ? (isEpoch ? 3 : 1) + named + early : 0;
}

const OLDEST = instantOf(1750, 1, 1);
const LATEST = instantOf(2100, 1, 1);
/** Fewest different days of eight digits that are no numbers by chance: few numbers of as many are days. */
const FEWEST_DAYS = 6;

/** Whether numbers are times whatever their column is called. */
function isTimeOfDigits({ format, reading }: TimeReading, times: Float64Array, name: string): boolean {
  const areAll = (test: (time: number) => boolean) => times.every((time) => Number.isNaN(time) || test(time));
  // counts of seconds since 1970 have as many digits as numbers of orders and ids that rise, and as values that fall
  const areMinutes = () => areAll((time) => time % MINUTE === 0) && isRising(times.toReversed());
  if (format.id.startsWith('epoch')) return (isRising(times) || areMinutes()) && !isNumberOfRow(name);
  if (reading.badCount > 0) return false;
  const areDays = () => areAll((time) => time % DAY === 0 && time > OLDEST && time < LATEST);
  if (format.id === 'compact') return areDays() && new Set(times.subarray(0, 1000)).size >= FEWEST_DAYS;
  if (format.id !== 'dotted-month') return false;
  const months = Float64Array.from(new Set(times.filter((time) => !Number.isNaN(time)))).sort();
  return months.length >= FEWEST_DAYS && months.every((month, at) => at === 0 || month - months[at - 1]! < 32 * DAY);
}

/** @throws SeriesError where there is none of this name */
export function wantedColumn(table: Table, name: string): Column {
  const wanted = table.columns.find((column) => column.name === name);
  if (wanted) return wanted;
  const names = table.columns.slice(0, 12).map((column) => `“${column.name}”`);
  throw new SeriesError('unknown-column', said`There is no column “${name}”. Choose one of ${names.join(', ')}.`);
}

function noTimes(column: Column): SeriesError {
  refuseUnknownZone([column]);
  return new SeriesError('not-a-time', said`The column “${column.name}” has no times. Choose another one.`);
}

/** @throws SeriesError for a column whose cells are times but for the name of their zone, or that of some */
function refuseUnknownZone(columns: readonly Column[]): void {
  for (const { samples } of columns) {
    const words = samples.map(unknownZone);
    const row = words.findIndex((word) => word !== undefined);
    const times = words.filter((word, index) => word !== undefined || isTime(samples[index]!));
    if (row < 0 || times.length <= samples.length * LEAST_SHARE) continue;
    throw unknownZoneError(samples[row]!, words[row]!);
  }
}

/** By how much one column's name must be better than another's for nobody to be asked. */
const CLEARLY = 1.5;

/**
 * Whether a column of dates is as likely the time as the best one. One that says the same (the end of each span, another
 * zone, its day) or the same for all rows is not.
 */
function isRival({ column, score }: Candidate, best: Candidate): boolean {
  const mine = column.times.find(isWritten)?.reading.values.all();
  const other = best.column.times.find(isWritten)?.reading.values.all();
  if (!mine || !other || best.score - score >= CLEARLY) return false;
  const isWhole = (times: Float64Array) => times.every((time) => Number.isNaN(time) || time % DAY === 0);
  const isOne = isWhole(mine) !== isWhole(other);
  // the day may be that of another zone
  const isDayOf = (one: number, two: number) => isOne && Math.abs(one - two) <= 1.5 * DAY;
  const apart = new Set<number>();
  const distinct = new Set<number>();
  for (let row = 0; row < Math.min(mine.length, 5000); row++) {
    if (Number.isNaN(mine[row]!) || Number.isNaN(other[row]!)) continue;
    apart.add(isDayOf(mine[row]!, other[row]!) ? 0 : mine[row]! - other[row]!);
    distinct.add(mine[row]!);
  }
  return distinct.size > 1 && apart.size > 4;
}

const columnChoice = (candidates: readonly Candidate[]): Choice => ({
  kind: 'time-column',
  question: said`Which column is the time?`.message,
  options: candidates.map(({ column: { name, samples } }) => ({
    label: name,
    detail: samples.slice(0, 3).join(', '),
    layout: { timeColumn: name },
  })),
  suggested: 0,
});

/** @param hasClock whether times of day stand in another column */
function columnAxis(
  column: Column,
  layout: LayoutChoice,
  { hint, hasClock }: { readonly hint: DateOrder; readonly hasClock: boolean },
): TimeAxis | undefined {
  const readings = column.times.filter(isOfDay);
  const mdy = readings.find(({ format }) => format.id === 'mdy');
  const dmy = readings.find(({ format }) => format.id === 'dmy');
  const order =
    mdy && dmy ? decideOrder({ mdy: mdy.reading, dmy: dmy.reading, hasClock }, column, layout, hint) : undefined;
  const sorted = readings.toSorted((a, b) => a.reading.badCount - b.reading.badCount);
  const best = order ? (order.order === 'mdy' ? mdy : dmy) : sorted[0];
  if (!best) return numbersAsTimes(column);
  const { format, reading } = best;
  const samples = column.samples.filter((text) => !Number.isNaN(format.parse(text)));
  const { zone, times, otherOffsets, ...found } = findColumnZone(best.zones, reading.values.all(), layout, column);
  const isDate = () => times.every((time) => Number.isNaN(time) || zone.toWall(time) % DAY === 0);
  const choice = order?.choice ?? found.choice;
  return axisOf([column], format.period || isMonthNames(samples) ? 'period' : isDate() ? 'date' : 'instant', times, {
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

/** Whether the cells are a month's name and a year without a day. */
const isMonthNames = (samples: readonly string[]): boolean =>
  samples.length > 0 &&
  samples.every((text) => /^\p{L}+\.?[\s\-/,']*(?:del?\s)?(?:\d{4}|\d{2})$|^\d{4}[\s\-/]*\p{L}+\.?$/u.test(text));

/** Rows without a time: one second apart from 1970, so that they keep their order wherever instants are wanted. */
export function rowAxis(table: Table): TimeAxis {
  const times = new Float64Array(table.rows);
  for (let row = 0; row < times.length; row++) times[row] = row * 1000;
  return axisOf([], 'row', times);
}

import { said } from '../phrase.ts';
import { DAY, MINUTE } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/order.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import type { Zone } from '../../calendar/zone.ts';
import type { TimeAxis } from '../columns/axis.ts';
import { axisFromParts, withClocks } from './time-parts.ts';
import type { Column, TimeReading } from '../columns/column.ts';
import { decideOrder } from './date-order.ts';
import { findUnusualTimes, numbersAsTimes } from './unusual-times.ts';
import { isNumberOfRow, isTimeName, isTimeWord, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { isTime, unknownZone } from '../values/clock-words.ts';
import { findColumnZone, shiftTimes, unknownZoneError } from '../columns/zones.ts';
import { SeriesError, type Choice, type LayoutChoice } from '../types.ts';

const OLDEST = instantOf(1750, 1, 1);
const LATEST = instantOf(2100, 1, 1);
/** Share of a column's cells that must be times for it to be the time column. */
const LEAST_SHARE = 0.6;
/** Of cells that are only digits more must be, as some numbers are times by chance. */
const LEAST_DIGITS = 0.8;

interface Candidate {
  readonly column: Column;
  readonly index: number;
  readonly score: number;
}

/** How much speaks for a column as the time column; 0 or less: nothing. Texts that are dates speak for themselves. */
function scoreOf(column: Column, index: number, first: boolean): number {
  const best = column.times.find(({ format }) => format.id !== 'clock');
  if (!best) return 0;
  const least = best.format.digits ? LEAST_DIGITS : LEAST_SHARE;
  if (best.parsed() - (column.rows - column.filled) < column.filled * least) return 0;
  const named = isTimeName(column.name) ? 3 : isTimeWord(column.name) ? 2 : 0;
  const early = first ? 1.5 : 1 / (index + 2);
  const { id, digits } = best.format;
  if (id === 'cycle') return first ? 1 + named : 0;
  if (!digits) return 5 + named + early;
  const times = best.reading.values.all();
  const isLikely =
    isTimeOfDigits(best, times, column.name) || named > 0 || (!id.startsWith('epoch') && first && isRising(times));
  return isLikely ? (id.startsWith('epoch') ? 3 : 1) + named + early : 0;
}

/** Whether numbers are times whatever their column is called. */
function isTimeOfDigits(best: TimeReading, times: Float64Array, name: string): boolean {
  const { id } = best.format;
  // counts of seconds since 1970 have as many digits as numbers of orders and ids that rise
  if (id.startsWith('epoch')) return (isRising(times) || areFallingMinutes(times)) && !isNumberOfRow(name);
  return (id === 'compact' && areDays(best, times)) || (id === 'dotted-month' && areMonths(best, times));
}

/** Whether times fall, each at a whole minute: other numbers of as many digits that fall are values. */
const areFallingMinutes = (times: Float64Array): boolean =>
  times.every((time) => Number.isNaN(time) || time % MINUTE === 0) && isRising(times.toReversed());

/** Whether all cells are months that follow each other, whatever their column is called. */
function areMonths(best: TimeReading, times: Float64Array): boolean {
  const months = Float64Array.from(new Set(times.filter((time) => !Number.isNaN(time)))).sort();
  if (best.reading.badCount > 0 || months.length < FEWEST_DAYS) return false;
  return months.every((month, index) => index === 0 || month - months[index - 1]! < 32 * DAY);
}

/** Fewest different days of eight digits that are no numbers by chance: few numbers of as many are days. */
const FEWEST_DAYS = 6;

/** Whether all cells are such days, of years in which there are series, whatever their column is called. */
function areDays(reading: TimeReading, times: Float64Array): boolean {
  const isDay = (time: number) => Number.isNaN(time) || (time % DAY === 0 && time > OLDEST && time < LATEST);
  return reading.reading.badCount === 0 && times.every(isDay) && new Set(times.subarray(0, 1000)).size >= FEWEST_DAYS;
}

/** An axis that rows may have, and how much its names speak for it. */
export interface AxisProposal {
  readonly axis: TimeAxis;
  readonly prior: number;
}

/** Axes that are tried: more columns of times than this are rarely in a table. */
const MOST_AXES = 4;
/** Of several times the first one is when it began. */
const RANK_PRIOR = 0.02;
/** What a name is worth beside what an axis gives: it breaks ties. */
const PRIOR = 0.02;

/**
 * The times that the rows of a table may have, those first that are most likely by their names and places: a column of
 * times, a day with a clock or a part of the day beside it, the parts of a date, and at last the numbers of the rows.
 * @throws SeriesError for a column that the layout names and that is not there or has no times
 */
export function findAxes(table: Table, layout: LayoutChoice, hint: 'dmy' | 'mdy'): readonly AxisProposal[] {
  if (layout.timeColumn === null) return [{ axis: rowAxis(table), prior: 0 }];
  if (layout.timeColumn !== undefined) return wantedAxis(table, layout.timeColumn, layout, hint);
  const named = table.columns.filter(({ name }) => !isUnnamed(name));
  const candidates = table.columns
    .map((column, index): Candidate => {
      const first = index === 0 || column === named[0];
      return { column, index, score: scoreOf(column, index, first) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, MOST_AXES);
  const best = candidates[0];
  const parts = best && !best.column.times.some(({ format }) => format.digits) ? undefined : axisFromParts(table);
  const found = candidates.flatMap((candidate, rank): AxisProposal[] => {
    const axis = columnAxis(candidate.column, layout, hint);
    if (!axis) return [];
    const rivals = candidates.filter((other) => other !== candidate && isRival(other, candidate));
    const asked = rivals.length > 0 ? { ...axis, choice: axis.choice ?? columnChoice([candidate, ...rivals]) } : axis;
    return withClocks(table, asked).map((each, index) => ({
      axis: each,
      prior: candidate.score * PRIOR - rank * RANK_PRIOR - index / 1e4,
    }));
  });
  const all = parts ? [{ axis: parts, prior: PARTS_PRIOR }, ...found] : found;
  if (all.length > 0) return all;
  const unusual = findUnusualTimes(table);
  if (!unusual) refuseUnknownZone(table.columns);
  return [{ axis: unusual ?? rowAxis(table), prior: 0 }];
}

/** Parts of a date in columns of their own outweigh one of them alone. */
const PARTS_PRIOR = 10 * PRIOR;

function wantedAxis(table: Table, name: string, layout: LayoutChoice, hint: 'dmy' | 'mdy'): readonly AxisProposal[] {
  const wanted = table.columns.find((column) => column.name === name);
  if (!wanted) throw unknownColumn(name, table);
  const axis = columnAxis(wanted, layout, hint);
  if (!axis) refuseUnknownZone([wanted]);
  if (!axis) throw new SeriesError('not-a-time', said`The column “${wanted.name}” has no times. Choose another one.`);
  return withClocks(table, axis).map((each, index) => ({ axis: each, prior: -index / 1e4 }));
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

/** The error for a column that the layout names and the document does not have. */
export function unknownColumn(name: string, table: Table): SeriesError {
  const names = table.columns.slice(0, 12).map((column) => `“${column.name}”`);
  return new SeriesError('unknown-column', said`There is no column “${name}”. Choose one of ${names.join(', ')}.`);
}

/** By how much one column's name must be better than another's for nobody to be asked. */
const CLEARLY = 1.5;

/**
 * Whether a column of dates is as likely the time as the best one. One that says the same (the end of each span, another
 * zone) or the same for all rows is not.
 */
function isRival({ column, score }: Candidate, best: Candidate): boolean {
  const mine = column.times.find(({ format }) => !format.digits && format.id !== 'clock');
  const other = best.column.times.find(({ format }) => !format.digits && format.id !== 'clock');
  if (!mine || !other || best.score - score >= CLEARLY) return false;
  const times = mine.reading.values.all();
  const theirs = other.reading.values.all();
  const apart = new Set<number>();
  const distinct = new Set<number>();
  for (let row = 0; row < Math.min(times.length, 5000); row++) {
    if (Number.isNaN(times[row]!) || Number.isNaN(theirs[row]!)) continue;
    apart.add(times[row]! - theirs[row]!);
    distinct.add(times[row]!);
  }
  return distinct.size > 1 && apart.size > 4;
}

function columnChoice(candidates: readonly Candidate[]): Choice {
  return {
    kind: 'time-column',
    question: said`Which column is the time?`.message,
    options: candidates.map(({ column }) => ({
      label: column.name,
      detail: column.samples.slice(0, 3).join(', '),
      layout: { timeColumn: column.name },
    })),
    suggested: 0,
  };
}

function columnAxis(column: Column, layout: LayoutChoice, hint: 'dmy' | 'mdy'): TimeAxis | undefined {
  const readings = column.times.filter(({ format }) => format.id !== 'clock');
  const mdy = readings.find(({ format }) => format.id === 'mdy');
  const dmy = readings.find(({ format }) => format.id === 'dmy');
  const order = mdy && dmy ? decideOrder({ mdy: mdy.reading, dmy: dmy.reading }, column, layout, hint) : undefined;
  const sorted = readings.toSorted((a, b) => a.reading.badCount - b.reading.badCount);
  const reading = order ? (order.order === 'mdy' ? mdy : dmy) : sorted[0];
  if (!reading) return numbersAsTimes(column);
  const read = reading.reading.values.all();
  const samples = column.samples.filter((text) => !Number.isNaN(reading.format.parse(text)));
  const { zone, shifts, choice: zoneChoice, otherOffsets } = findColumnZone(reading.zones, read, layout, column);
  const times = shifts.length > 0 ? read.slice() : read;
  shiftTimes(times, shifts);
  const kind =
    reading.format.period || isMonthNames(samples) ? 'period' : isWholeDays(times, zone) ? 'date' : 'instant';
  const choice = order?.choice ?? zoneChoice;
  return {
    times,
    kind,
    columns: [column.name],
    bad: reading.reading.bad,
    badCount: reading.reading.badCount,
    format: reading.format.id,
    samples,
    ...(column.grains ? { grains: column.grains.all() } : {}),
    ...(choice ? { choice } : {}),
    zone,
    ...(otherOffsets ? { otherOffsets } : {}),
  };
}

function isWholeDays(times: Float64Array, zone: Zone): boolean {
  return times.every((time) => Number.isNaN(time) || zone.toWall(time) % DAY === 0);
}

/** Whether the cells are a month's name and a year without a day. */
function isMonthNames(samples: readonly string[]): boolean {
  return (
    samples.length > 0 &&
    samples.every((text) => /^\p{L}+\.?[\s\-/,']*(?:del?\s)?(?:\d{4}|\d{2})$|^\d{4}[\s\-/]*\p{L}+\.?$/u.test(text))
  );
}

/** Rows without a time: one second apart from 1970, so that they keep their order wherever instants are wanted. */
export function rowAxis(table: Table): TimeAxis {
  const times = Float64Array.from({ length: table.rows }, (_, row) => row * 1000);
  return { times, kind: 'row', columns: [], bad: [], badCount: 0, samples: [] };
}

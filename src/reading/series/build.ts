import { type Phrase, said } from '../phrase.ts';
import { DAY } from '../../calendar/civil.ts';
import { formatInstant } from '../../calendar/format.ts';
import { approximateStep, type Frequency, isBelowDay, openDaysIn } from '../../calendar/frequency.ts';
import { describeFrequency } from '../../calendar/words.ts';
import { clockOf, type Grid, type GridOptions, inOpenTime, toGrid } from '../../calendar/grid.ts';
import { hasNaN, isRising } from '../../calendar/order.ts';
import { UTC, type Zone } from '../../calendar/zone.ts';
import type { LayoutChoice, ReadSeries, Resampling, TimeKind } from '../types.ts';
import { aggregate } from './aggregate.ts';
import { rowPattern, toPace } from './events.ts';
import { holidaysOf, stepsOn } from './gaps.ts';
import { remarksOf, type DocumentRows } from './remarks.ts';
import { inDigits } from '../../calendar/digits.ts';

/** Rows of one series on their way to it. */
export interface SeriesRows {
  readonly id: string;
  readonly name: string;
  readonly valueColumn?: string;
  readonly timeColumn?: string;
  readonly idColumn?: string;
  readonly timeKind: TimeKind;
  /** The zone that the times are written in; UTC where this is absent. */
  readonly zone?: Zone;
  /** In which the summary writes them; their own where this is absent. */
  readonly shownZone?: Zone;
  /** In the order of the document, `NaN` where a row has no time. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** A frequency that was chosen; `null` for irregular. */
  readonly frequency?: Frequency | null;
  /** `false`: no time is closed. */
  readonly closed?: boolean;
  /** How the rows are put together to longer steps. */
  readonly aggregate?: Resampling;
  /** Whether the rows are events: of a step without any the sum is 0. */
  readonly areEvents?: boolean;
  /** The cells that tell the series from the others, by their columns. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Where the rows stand in their document, for what is to be said about them. */
  readonly origin?: Omit<DocumentRows, 'times' | 'values'>;
}

type Counts = Pick<ReadSeries, 'points' | 'gaps' | 'holidays' | 'outside' | 'duplicates' | 'missing' | 'frequency'>;

/** "144 points, no gaps", with holidays, rows in closed time, duplicates and missing values only where there are any. */
function countsInWords({ points, gaps, holidays, outside, duplicates, missing, frequency }: Counts): string {
  const count = (n: number, one: Phrase, many: (count: string) => Phrase) =>
    (n === 1 ? one : many(inDigits(n))).message;
  const parts = [
    count(points, said`1 point`, (n) => said`${n} points`),
    gaps === 0 ? said`no gaps`.message : count(gaps, said`1 gap`, (n) => said`${n} gaps`),
  ];
  const days = frequency ? openDaysIn(frequency, holidays) : holidays;
  if (days > 0) parts.push(count(days, said`1 holiday`, (n) => said`${n} holidays`));
  if (outside > 0) parts.push(said`${inDigits(outside)} in closed time`.message);
  if (duplicates > 0) parts.push(count(duplicates, said`1 duplicate`, (n) => said`${n} duplicates`));
  if (missing > 0) parts.push(said`${inDigits(missing)} missing`.message);
  return parts.join(', ');
}

/** One line that says what was read: "Passengers · monthly · Jan 1949 – Dec 1960 · 144 points, no gaps". */
export function summarize(series: Omit<ReadSeries, 'summary' | 'remarks'>, zone: Zone): string {
  const { name, times, frequency, timeKind } = series;
  const counts = countsInWords(series);
  if (timeKind === 'row') return `${name} · ${said`by row`.message} · ${counts}`;
  const rhythm = frequency
    ? describeFrequency(frequency)
    : (times.length > 1 ? said`irregular` : said`a single time`).message;
  const from = formatInstant(times[0] ?? NaN, frequency, zone);
  const to = formatInstant(times.at(-1) ?? NaN, frequency, zone);
  return `${name} · ${rhythm} · ${from} – ${to} · ${counts}`;
}

/** What a person chose about the steps of series. */
export const chosenSteps = ({ frequency, closed }: LayoutChoice): Pick<SeriesRows, 'frequency' | 'closed'> => ({
  ...(frequency === undefined ? {} : { frequency }),
  ...(closed === undefined ? {} : { closed }),
});

/** Rows with a time in time order, those of one instant merged to the mean of their numbers. */
function ordered(times: Float64Array, values: Float64Array) {
  if (isRising(times, true) && !hasNaN(times)) return { times, values, duplicates: 0 };
  const { values: merged, duplicates, timeAt } = toGrid(times, values, { frequency: null });
  return { times: Float64Array.from(merged, (_, row) => timeAt(row)), values: merged, duplicates };
}

/** Days and longer steps are dates of the document's own calendar, and must not move with the zone they are shown in. */
export function shownZoneOf(
  { timeKind, frequency }: Pick<ReadSeries, 'timeKind' | 'frequency'>,
  zone: Zone,
  wanted: Zone = zone,
): Zone {
  const isDated = timeKind !== 'instant' || (frequency && !isBelowDay(frequency) && zone !== UTC);
  return isDated ? zone : wanted;
}

/** The rows of a series on their grid. */
interface Placed extends Rows {
  readonly duplicates: number;
  readonly grid: Grid;
  readonly aggregate?: Resampling;
  /** Rows of a period that is not over, or that began before them. */
  readonly partial?: number;
}

/**
 * Makes a series of rows: sorts, merges rows of one instant or puts them together to longer steps, leaves out rows without
 * a value before the first and after the last value and those in closed time, finds the frequency and counts. `undefined`
 * where no row has both a time and a value.
 */
export function buildSeries(rows: SeriesRows): ReadSeries | undefined {
  const placed = rows.aggregate ? putTogether(rows, rows.aggregate) : placeRows(rows);
  if (!placed) return undefined;
  const { zone = UTC, closed } = rows;
  const { grid, duplicates, aggregate: made, partial = 0 } = placed;
  const { frequency } = grid;
  const inRange = { times: placed.times, values: placed.values };
  const { kept, ...counts } = frequency ? onSteps(inRange, grid, frequency, zone) : { kept: inRange, ...NONE };
  const missing = countMissing(kept.values);
  const { id, name, valueColumn, timeColumn, idColumn, keys } = rows;
  const timeKind = rows.aggregate ? kindOf(rows.aggregate.step) : rows.timeKind;
  const series = {
    id,
    name,
    ...(valueColumn === undefined ? {} : { valueColumn }),
    ...(timeColumn === undefined ? {} : { timeColumn }),
    ...(idColumn === undefined ? {} : { idColumn }),
    ...(keys ? { keys } : {}),
    ...kept,
    ...(zone === UTC || timeKind === 'row' ? {} : { timeZone: zone.name }),
    ...(frequency ? { frequency } : {}),
    ...counts,
    ...(closed === false ? { closed } : {}),
    duplicates,
    missing,
    points: kept.values.length - missing,
    timeKind,
    ...(made ? { aggregate: made } : {}),
  };
  const remarks = rows.origin ? remarksOf({ times: rows.times, values: rows.values, ...rows.origin }, series) : [];
  const cut = partial === 0 ? [] : [{ kind: 'left-out' as const, rows: partial, text: partialInWords(partial), lines: [] }]; // prettier-ignore
  const summary = summarize(series, shownZoneOf(series, zone, rows.shownZone));
  return { ...series, remarks: [...remarks, ...cut], summary };
}

const partialInWords = (rows: number): string =>
  (rows === 1
    ? said`1 row left out of a period that the file does not hold as a whole`
    : said`${inDigits(rows)} rows left out of a period that the file does not hold as a whole`
  ).message;

function kindOf(step: Frequency): TimeKind {
  if (isBelowDay(step)) return 'instant';
  return approximateStep(step) < 27 * DAY ? 'date' : 'period';
}

/** Rows put together to the periods of a step. */
function putTogether(rows: SeriesRows, resampling: Resampling): Placed | undefined {
  const { zone = UTC, areEvents = false, closed } = rows;
  const known = areEvents ? rows : withoutMissing(rows);
  try {
    // files are made of whole days
    const since = startOfDay(known.times, zone);
    const empty = areEvents ? 'zero' : 'missing';
    const made = aggregate(known.times, known.values, resampling, { zone, since, empty, ...(closed === false ? { closed } : {}) }); // prettier-ignore
    const kept = trimmed({ times: made.times, values: made.values });
    if (!kept) return undefined;
    const grid = toGrid(kept.times, kept.values, { frequency: made.frequency, zone });
    return { ...kept, duplicates: 0, grid, aggregate: resampling, partial: made.unfinished + made.unstarted };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function startOfDay(times: Float64Array, zone: Zone): number {
  const first = times.reduce((least, time) => (time < least ? time : least), Infinity);
  return zone.fromWall(Math.floor(zone.toWall(first) / DAY) * DAY);
}

function placeRows(rows: SeriesRows): Placed | undefined {
  const { zone = UTC, closed, timeKind } = rows;
  const { duplicates, ...all } = ordered(rows.times, rows.values);
  const kept = trimmed(all);
  if (!kept) return undefined;
  const wanted = timeKind === 'row' ? null : rows.frequency;
  const options = { zone, ...(closed === false ? { open: null } : {}) };
  const grid = toGrid(kept.times, kept.values, { ...options, ...(wanted === undefined ? {} : { frequency: wanted }) });
  if (grid.frequency || wanted !== undefined) return { ...kept, duplicates, grid };
  const better = placeFilled(kept, options) ?? onPace(kept, zone);
  return { ...kept, grid, ...better, duplicates };
}

/** Of rows that are regular only where they have a value, those. */
function placeFilled(rows: Rows, options: GridOptions): Pick<Placed, 'times' | 'values' | 'grid'> | undefined {
  const filled = withoutMissing(rows);
  if (filled.times.length === rows.times.length) return undefined;
  const grid = toGrid(filled.times, filled.values, options);
  return grid.frequency ? { ...filled, grid } : undefined;
}

/** Fewer readings say nothing about a pace. */
const FEWEST_READINGS = 30;

/** Readings of a sensor whose clock is not exact, on its pace; of days and longer steps the time of day is kept. */
function onPace(rows: Rows, zone: Zone): Pick<Placed, 'times' | 'values' | 'grid' | 'aggregate'> | undefined {
  const { kind, frequency } = rowPattern(rows.times, zone);
  if (kind !== 'readings' || !frequency || rows.times.length < FEWEST_READINGS) return undefined;
  if (!isBelowDay(frequency)) return undefined;
  const present = withoutMissing(toPace(rows.times, rows.values, frequency, zone));
  const grid = toGrid(present.times, present.values, { frequency, zone });
  return { ...present, grid, aggregate: { step: frequency, by: 'mean' } };
}

/** Without the rows before the first and after the last value; `undefined` where there is none. */
function trimmed({ times, values }: Rows): Rows | undefined {
  const first = values.findIndex((value) => !Number.isNaN(value));
  if (first < 0) return undefined;
  const end = values.findLastIndex((value) => !Number.isNaN(value)) + 1;
  return first === 0 && end === values.length ? { times, values } : { times: times.slice(first, end), values: values.slice(first, end) }; // prettier-ignore
}

const withoutMissing = ({ times, values }: Rows): Rows =>
  hasNaN(values) ? filtered({ times, values }, (_, value) => !Number.isNaN(value)) : { times, values };

interface Rows {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

const NONE = { gaps: 0, holidays: 0, outside: 0 };

const countMissing = (values: Float64Array): number =>
  values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);

/** The rows in open time, and what there is between them. A row without a value on a holiday is as good as none. */
function onSteps(rows: Rows, grid: Grid, frequency: Frequency, zone: Zone) {
  const clock = clockOf(rows.times, frequency, zone);
  const open = inOpenTime(rows, frequency, clock);
  const left = rows.values.length - open.values.length;
  const outside = left - (countMissing(rows.values) - countMissing(open.values));
  const valued = filtered(open, (_, value) => !Number.isNaN(value));
  const holidays = holidaysOf(valued.times, frequency, zone);
  const kept = filtered(
    open,
    (time, value) => !Number.isNaN(value) || !holidays.has(Math.floor(clock.toWall(time) / DAY)),
  );
  const { gaps } = kept === open ? grid : toGrid(kept.times, kept.values, { frequency, zone });
  const free = stepsOn(holidays, frequency);
  return { kept, gaps: Math.max(0, gaps - free), holidays: free, outside };
}

/** Rows that are wanted; the same ones where all are. */
function filtered(rows: Rows, isWanted: (time: number, value: number) => boolean): Rows {
  const { times, values } = rows;
  if (times.every((time, row) => isWanted(time, values[row]!))) return rows;
  const wanted = (_: number, row: number) => isWanted(times[row]!, values[row]!);
  return { times: times.filter(wanted), values: values.filter(wanted) };
}

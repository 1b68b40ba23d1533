import { said, type Phrase } from './phrase.ts';
import { HOUR } from '../calendar/civil.ts';
import { clockChange } from '../calendar/clock-changes.ts';
import { formatInstant } from '../calendar/format.ts';
import { describeFrequency, type Frequency } from '../calendar/frequency.ts';
import { clockOf } from '../calendar/grid.ts';
import { stepIndex } from '../calendar/steps.ts';
import { UTC, zoneOf, type Zone } from '../calendar/zone.ts';
import type { BadCell } from './columns/cells.ts';
import { MOST_PROBLEMS, type Problem, type ReadSeries } from './types.ts';

/** Where a cell stands in its document; without `columns` where that is not known. */
export type Locate = (row: number, columnName: string) => { line: number; column?: number; endColumn?: number };

/** Collects problems: counts all, keeps the first thousand. */
export class ProblemList {
  readonly problems: Problem[] = [];
  count = 0;

  /** Whether further problems are only counted. */
  get isFull(): boolean {
    return this.problems.length >= MOST_PROBLEMS;
  }

  add(problem: Problem): void {
    this.count++;
    if (!this.isFull) this.problems.push(problem);
  }

  /** In the order of the lines. */
  sorted(): Problem[] {
    return this.problems.toSorted((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  }
}

/** What is wrong with cells that should be numbers or times, as a sentence. */
export function badCellMessage(text: string, kind: 'not-a-number' | 'not-a-time'): Phrase {
  if (kind === 'not-a-number') return said`“${text}” is not a number.`;
  return text === ''
    ? said`This row has a value and no time.`
    : said`“${text}” is not a time like those of the other rows.`;
}

/** Adds one problem for each cell that could not be read. */
export function addBadCells(
  list: ProblemList,
  cells: readonly BadCell[],
  count: number,
  about: { kind: 'not-a-number' | 'not-a-time'; column: string; locate: Locate; severity: 'error' | 'warning' },
): void {
  for (const { row, text } of cells) {
    if (list.isFull) {
      list.count++;
      continue;
    }
    const words = badCellMessage(text, about.kind);
    list.add({ ...about.locate(row, about.column), ...words, severity: about.severity, kind: about.kind });
  }
  list.count += count - cells.length;
}

const MOST_PER_SERIES = 100;

interface OrderRows {
  /** Times in the order of the document, with the rows they stand on. */
  readonly times: Float64Array;
  readonly rowOf: (index: number) => number;
  readonly locate: (row: number) => { line: number };
}

/** Adds what is odd about the order of a series' rows: back in time, twice the same time, steps left out. */
export function addOrderProblems(list: ProblemList, series: ReadSeries, rows: OrderRows): void {
  const at = (index: number) => rows.locate(rows.rowOf(index));
  const { id, frequency } = series;
  const zone = zoneOf(series.timeZone ?? 'UTC');
  const clock = frequency && clockOf(series.times, frequency, zone);
  let back = 0;
  const seen: number[] = [];
  for (let index = 1; index < rows.times.length; index++) if (rows.times[index]! < rows.times[index - 1]!) back++;
  const newestFirst = back > 0 && back >= (rows.times.length - 1) * 0.9;
  if (newestFirst) {
    list.add({
      line: at(0).line,
      ...said`Rows run from the newest to the oldest; they were put in time order.`,
      severity: 'info',
      kind: 'out-of-order',
      series: id,
    });
  }
  const order = Array.from(rows.times.keys()).filter((index) => !Number.isNaN(rows.times[index]!));
  if (back > 0) order.sort((a, b) => rows.times[a]! - rows.times[b]! || a - b);
  for (let i = 1; i < order.length && seen.length < MOST_PER_SERIES; i++) {
    const [index, before] = [order[i]!, order[i - 1]!];
    const [time, last] = [rows.times[index]!, rows.times[before]!];
    if (time === last) {
      seen.push(list.count);
      list.add({ ...duplicateOf(time, frequency, zone), line: at(index).line, series: id });
    } else if (frequency && clock) {
      const left = stepIndex(clock.toWall(last), clock.toWall(time), frequency) - 1;
      if (left > 0) list.add({ ...gapOf(last, time, left, frequency, zone), line: at(index).line, series: id });
      if (left > 0) seen.push(list.count);
    }
  }
  if (!newestFirst && back > 0) addBackwards(list, series, rows, at);
}

function addBackwards(
  list: ProblemList,
  series: ReadSeries,
  rows: OrderRows,
  at: (index: number) => { line: number },
): void {
  let found = 0;
  for (let index = 1; index < rows.times.length && found < MOST_PER_SERIES; index++) {
    if (!(rows.times[index]! < rows.times[index - 1]!)) continue;
    found++;
    const times = [rows.times[index]!, rows.times[index - 1]!].map((time) =>
      formatInstant(time, series.frequency, zoneOf(series.timeZone ?? 'UTC')),
    );
    list.add({
      line: at(index).line,
      ...said`${times[0]!} comes after ${times[1]!}; the rows were put in time order.`,
      severity: 'info',
      kind: 'out-of-order',
      series: series.id,
    });
  }
}

type Found = Phrase & Pick<Problem, 'severity' | 'kind'>;

function duplicateOf(time: number, frequency: Frequency | undefined, zone: Zone): Found {
  const when = formatInstant(time, frequency, zone);
  const hourly = frequency && (frequency.unit === 'hour' || frequency.unit === 'minute');
  const where = hourly && zone === UTC ? clockChange(time, time) : undefined;
  if (where !== undefined) {
    return {
      ...said`${when} occurs twice, as local time does when clocks go back (in ${where}, for one); the mean of its values was taken. Times with a zone such as +01:00 avoid this.`,
      severity: 'info',
      kind: 'clock-change',
    };
  }
  return {
    ...said`${when} occurs more than once; the mean of its values was taken.`,
    severity: 'warning',
    kind: 'duplicate',
  };
}

function gapOf(last: number, time: number, steps: number, frequency: Frequency, zone: Zone): Found {
  const hourly = frequency.unit === 'hour' || frequency.unit === 'minute';
  const where = hourly && zone === UTC && time - last <= 2 * HOUR ? clockChange(last, time) : undefined;
  const between = said`between ${formatInstant(last, frequency, zone)} and ${formatInstant(time, frequency, zone)}`;
  if (where !== undefined) {
    return {
      ...said`There is no row ${between}, as in local time when clocks go forward (in ${where}, for one).`,
      severity: 'info',
      kind: 'clock-change',
    };
  }
  const rows = steps === 1 ? said`One row is` : said`${steps.toLocaleString('en-US')} rows are`;
  return {
    ...said`${rows} missing ${between}; the series is ${describeFrequency(frequency)}.`,
    severity: 'warning',
    kind: 'gap',
  };
}

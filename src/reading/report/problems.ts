import { said, type Phrase } from '../phrase.ts';
import { HOUR } from '../../calendar/civil.ts';
import { clockChange } from '../../calendar/clock-changes.ts';
import { formatInstant } from '../../calendar/format.ts';
import type { Frequency } from '../../calendar/frequency.ts';
import { clockOf } from '../../calendar/grid.ts';
import { isInOpenTime } from '../../calendar/steps.ts';
import { describeOpenTime } from '../../calendar/words.ts';
import { UTC, zoneOf } from '../../calendar/zone.ts';
import type { BadCell } from '../columns/cells.ts';
import { holidaysOf, missingBetween } from '../series/gaps.ts';
import { MOST_PROBLEMS, type Problem, type ReadSeries } from '../types.ts';
import { inDigits } from '../../calendar/digits.ts';

/** Where a cell stands in its document; without `columns` where that is not known. */
export type Locate = (
  row: number,
  columnName: string,
) => { line: number; column?: number; endColumn?: number; place?: string };

/** What a place is called in a file that is no text. Lines count from 1, cells of a line from 0. */
export type PlaceName = (line: number, cell?: number) => string;

/** What several places of a document have in common, and is said once for all of them. */
type Common = 'gap' | 'clock-back' | 'clock-forward';

interface Place {
  readonly line: number;
  /** A sentence; of a gap only what it lies between. */
  readonly words: Phrase;
  /** Missing rows. */
  readonly rows: number;
}

/** The places of one series; of very many only the first are kept. */
interface Places {
  count: number;
  rows: number;
  readonly kept: Place[];
}

/** Places that a problem about many of them keeps. */
const MOST_PLACES = 100;
/** Places, or series, that its message names. */
const MOST_NAMED = 5;

/** Collects problems: counts all, keeps the first thousand. What many places share is one problem. */
export class ProblemList {
  readonly problems: Problem[] = [];
  count = 0;
  readonly #common = new Map<Common, Map<string, Places>>();

  /** Whether further problems are only counted. */
  get isFull(): boolean {
    return this.problems.length >= MOST_PROBLEMS;
  }

  add(problem: Problem): void {
    this.count++;
    if (!this.isFull) this.problems.push(problem);
  }

  /** Notes a place of a series, for the one problem that is made of all of its kind. */
  note(kind: Common, series: string, place: Omit<Place, 'words'> & { readonly words: () => Phrase }): void {
    const bySeries = this.#common.get(kind) ?? new Map<string, Places>();
    this.#common.set(kind, bySeries);
    const own = bySeries.get(series) ?? { count: 0, rows: 0, kept: [] };
    bySeries.set(series, own);
    own.count++;
    own.rows += place.rows;
    if (own.kept.length < MOST_PER_SERIES) own.kept.push({ ...place, words: place.words() });
  }

  /** Takes over what another list has. */
  take(other: ProblemList): void {
    for (const problem of other.problems) this.add(problem);
    this.count += other.count - other.problems.length;
    for (const [kind, bySeries] of other.#common) {
      const own = this.#common.get(kind) ?? new Map<string, Places>();
      this.#common.set(kind, new Map([...own, ...bySeries]));
    }
  }

  /** All, in the order of the lines. */
  sorted(): Problem[] {
    for (const [kind, places] of this.#common) this.add(summaryOf(kind, places));
    this.#common.clear();
    return this.problems.toSorted((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  }
}

function summaryOf(kind: Common, bySeries: ReadonlyMap<string, Places>): Problem {
  const kept = [...bySeries.values()].flatMap((own) => own.kept);
  const count = [...bySeries.values()].reduce((sum, own) => sum + own.count, 0);
  const line = kept.reduce((least, place) => Math.min(least, place.line), Infinity);
  const isGap = kind === 'gap';
  const shared = { line, severity: isGap ? 'warning' : 'info', kind: isGap ? kind : 'clock-change' } as const;
  const sentences = kept.slice(0, MOST_PLACES).map(({ rows, words }) => (isGap ? gapInWords(rows, words) : words));
  const sentence = sentences[0]!;
  if (count === 1) return { ...shared, ...(isGap ? said`${sentence}.` : sentence) };
  const places = sentences.map(({ message }, index) => ({ line: kept[index]!.line, message }));
  const summary = isGap ? gapsInWords(bySeries, count) : said`${sentence} There are ${count} such places.`;
  return { ...shared, ...summary, places };
}

/** “87 rows are missing in 26 places: 3 between … and …; and 21 more.”, or how many of which series. */
function gapsInWords(bySeries: ReadonlyMap<string, Places>, count: number): Phrase {
  const total = inDigits([...bySeries.values()].reduce((sum, { rows }) => sum + rows, 0));
  if (bySeries.size > 1) {
    const most = [...bySeries].toSorted(([, a], [, b]) => b.rows - a.rows).slice(0, MOST_NAMED);
    const named = most.map(([name, { rows }]) => said`${inDigits(rows)} of ${name}`);
    return said`${total} rows are missing in ${bySeries.size} series: ${listInWords(named, bySeries.size)}.`;
  }
  const kept = [...bySeries.values()].flatMap((own) => own.kept);
  const widest = kept.toSorted((a, b) => b.rows - a.rows).slice(0, MOST_NAMED);
  const inOrder = widest.toSorted((a, b) => a.line - b.line);
  const named = inOrder.map(({ rows, words }) => said`${inDigits(rows)} ${words}`);
  return said`${total} rows are missing in ${inDigits(count)} places: ${listInWords(named, count)}.`;
}

function listInWords(named: readonly Phrase[], all: number): Phrase {
  const list = named.reduce((before, each) => said`${before}; ${each}`);
  return all > named.length ? said`${list}; and ${inDigits(all - named.length)} more` : list;
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
  const holidays = frequency && series.holidays > 0 ? holidaysOf(series.times, frequency, zone) : new Set<number>();
  let repeats = 0;
  for (let i = 1; i < order.length; i++) {
    const [index, before] = [order[i]!, order[i - 1]!];
    const [time, last] = [rows.times[index]!, rows.times[before]!];
    if (time === last) {
      if (repeats++ >= MOST_PER_SERIES) continue;
      const { line } = at(index);
      const where = isHourly(frequency) && zone === UTC ? clockChange(time, time) : undefined;
      const when = formatInstant(time, frequency, zone);
      if (where === undefined) list.add({ ...duplicateOf(when), line, series: id });
      else list.note('clock-back', series.name, { line, rows: 0, words: () => clockBack(when, where) });
    } else if (frequency && clock) {
      const steps = missingBetween(clock.toWall(last), clock.toWall(time), frequency, holidays);
      if (steps === 0) continue;
      const isShort = isHourly(frequency) && zone === UTC && time - last <= 2 * HOUR;
      const where = isShort ? clockChange(last, time) : undefined;
      const between = () =>
        said`between ${formatInstant(last, frequency, zone)} and ${formatInstant(time, frequency, zone)}`;
      list.note(where === undefined ? 'gap' : 'clock-forward', series.name, {
        line: at(index).line,
        rows: steps,
        words: () => (where === undefined ? between() : clockForward(between(), where)),
      });
    }
  }
  if (!newestFirst && back > 0) addBackwards(list, series, rows, at);
  if (series.outside > 0) addOutside(list, series, rows, at);
}

/** Rows that are left out because nothing else is ever open then. */
function addOutside(
  list: ProblemList,
  series: ReadSeries,
  rows: OrderRows,
  at: (index: number) => { line: number },
): void {
  const { id, frequency, outside, times, timeZone } = series;
  if (!frequency?.open) return;
  const clock = clockOf(times, frequency, zoneOf(timeZone ?? 'UTC'));
  const index = rows.times.findIndex((time) => !Number.isNaN(time) && !isInOpenTime(clock.toWall(time), frequency));
  const open = describeOpenTime(frequency.open);
  list.add({
    line: at(Math.max(0, index)).line,
    ...(outside === 1
      ? said`One row is in closed time (open: ${open}) and is left out.`
      : said`${inDigits(outside)} rows are in closed time (open: ${open}) and are left out.`),
    severity: 'info',
    kind: 'closed',
    series: id,
  });
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

const isHourly = (frequency: Frequency | undefined): boolean =>
  frequency !== undefined && (frequency.unit === 'hour' || frequency.unit === 'minute');

const clockBack = (when: string, where: string): Phrase =>
  said`${when} occurs twice, as local time does when clocks go back (in ${where}, for one); the mean of its values was taken. Times with a zone such as +01:00 avoid this.`;

const clockForward = (between: Phrase, where: string): Phrase =>
  said`There is no row ${between}, as in local time when clocks go forward (in ${where}, for one).`;

function duplicateOf(when: string): Found {
  return {
    ...said`${when} occurs more than once; the mean of its values was taken.`,
    severity: 'warning',
    kind: 'duplicate',
  };
}

function gapInWords(rows: number, between: Phrase): Phrase {
  return rows === 1 ? said`One row is missing ${between}` : said`${inDigits(rows)} rows are missing ${between}`;
}

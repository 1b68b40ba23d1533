import { HOUR } from '../../calendar/civil.ts';
import { clockChange } from '../../calendar/clock-changes.ts';
import { inDigits } from '../../calendar/digits.ts';
import { formatInstant } from '../../calendar/format.ts';
import { clockOf } from '../../calendar/grid.ts';
import { isInOpenTime } from '../../calendar/steps.ts';
import { describeOpenTime } from '../../calendar/words.ts';
import { UTC, type Zone, zoneOf } from '../../calendar/zone.ts';
import type { BadCell } from '../columns/cells.ts';
import { said, type Phrase } from '../phrase.ts';
import { holidaysOf, missingBetween } from '../series/gaps.ts';
import type { Problem, ReadSeries } from '../types.ts';

export type Locate = (row: number, columnName: string) => Pick<Problem, 'line' | 'column' | 'endColumn' | 'place'>;

/** What a place is called in a file that is no text. Lines count from 1, cells of a line from 0. */
export type PlaceName = (line: number, cell?: number) => string;

interface Cause extends Pick<Problem, 'kind' | 'severity' | 'series'> {
  readonly about?: string;
}

interface Place extends ReturnType<Locate> {
  /** A sentence; of a gap only what it lies between. */
  readonly words: Phrase;
  readonly rows: number;
}

interface Found {
  readonly cause: Cause;
  readonly bySeries: Map<string, { count: number; rows: number }>;
  readonly kept: Place[];
}

interface Counted {
  readonly name?: string;
  readonly rows?: number;
  readonly count?: number;
}

const MOST_PLACES = 1000;
const MOST_NAMED = 5;

export class ProblemList {
  readonly #alone: Problem[] = [];
  readonly #found = new Map<string, Found>();

  add(problem: Problem): void {
    this.#alone.push(problem);
  }

  note(
    cause: Cause,
    at: ReturnType<Locate>,
    words: () => Phrase,
    { name = '', rows = 0, count = 1 }: Counted = {},
  ): void {
    const key = [cause.kind, cause.about, cause.severity].join();
    const found = this.#found.get(key) ?? {
      cause,
      bySeries: new Map<string, { count: number; rows: number }>(),
      kept: [],
    };
    this.#found.set(key, found);
    const own = found.bySeries.get(name) ?? { count: 0, rows: 0 };
    found.bySeries.set(name, own);
    own.count += count;
    own.rows += rows;
    if (found.kept.length < MOST_PLACES) found.kept.push({ ...at, words: words(), rows });
  }

  noteCells(cause: Cause, cells: readonly BadCell[], count: number, locate: Locate): void {
    cells.forEach(({ row, text }, index) => {
      const isLast = index === cells.length - 1;
      const words = () => badCellMessage(text, cause.kind);
      this.note(cause, locate(row, cause.about ?? ''), words, { count: isLast ? 1 + count - cells.length : 1 });
    });
  }

  sorted(): Problem[] {
    const all = [...this.#alone, ...Array.from(this.#found.values(), summaryOf)];
    return all.sort((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
  }
}

function summaryOf({ cause: { kind, severity, series }, bySeries, kept }: Found): Problem {
  const count = [...bySeries.values()].reduce((sum, own) => sum + own.count, 0);
  const first = kept.reduce((least, place) => (place.line < least.line ? place : least));
  const { words: _, rows: __, ...at } = first;
  const sentenceOf = ({ rows, words }: Place) => (kind === 'gap' ? said`${gapInWords(rows, words)}.` : words);
  const shared = { ...at, severity, kind, ...(series !== undefined && bySeries.size === 1 ? { series } : {}) };
  if (count === 1) return { ...shared, ...sentenceOf(first) };
  const places = kept.map(({ rows, words, ...place }) => ({
    ...place,
    ...(kind === 'gap' ? gapInWords(rows, words) : words),
  }));
  const summary =
    kind === 'gap' ? gapsInWords(bySeries, kept, count) : said`${sentenceOf(first)} This occurs in ${count} places.`;
  return { ...shared, ...summary, places };
}

const gapInWords = (rows: number, between: Phrase): Phrase =>
  rows === 1 ? said`One row is missing ${between}` : said`${inDigits(rows)} rows are missing ${between}`;

function gapsInWords(bySeries: Found['bySeries'], kept: readonly Place[], count: number): Phrase {
  const total = inDigits([...bySeries.values()].reduce((sum, { rows }) => sum + rows, 0));
  if (bySeries.size > 1) {
    const most = [...bySeries].toSorted(([, a], [, b]) => b.rows - a.rows).slice(0, MOST_NAMED);
    const named = most.map(([name, { rows }]) => said`${inDigits(rows)} of ${name}`);
    return said`${total} rows are missing in ${bySeries.size} series: ${listInWords(named, bySeries.size)}.`;
  }
  const widest = kept.toSorted((a, b) => b.rows - a.rows).slice(0, MOST_NAMED);
  const named = widest.sort((a, b) => a.line - b.line).map(({ rows, words }) => said`${inDigits(rows)} ${words}`);
  return said`${total} rows are missing in ${inDigits(count)} places: ${listInWords(named, count)}.`;
}

function listInWords(named: readonly Phrase[], all: number): Phrase {
  const list = named.reduce((before, each) => said`${before}; ${each}`);
  return all > named.length ? said`${list}; and ${inDigits(all - named.length)} more` : list;
}

function badCellMessage(text: string, kind: Problem['kind']): Phrase {
  if (kind === 'not-a-number') return said`“${text}” is not a number.`;
  return text === ''
    ? said`This row has a value but no time.`
    : said`“${text}” is not a time like those in the other rows.`;
}

interface OrderRows {
  readonly times: Float64Array;
  readonly lineOf: (index: number) => number;
}

export function noteOrder(list: ProblemList, series: ReadSeries, rows: OrderRows): void {
  const { times } = rows;
  const back = Array.from(times.keys()).filter((index) => times[index]! < times[index - 1]!);
  noteBackwards(list, series, rows, back);
  const order = Array.from(times.keys()).filter((index) => !Number.isNaN(times[index]!));
  if (back.length > 0) order.sort((a, b) => times[a]! - times[b]! || a - b);
  noteSteps(list, series, rows, order);
  if (series.outside > 0) noteOutside(list, series, rows);
}

const zoneIn = ({ timeZone = 'UTC' }: ReadSeries): Zone => zoneOf(timeZone);
const inWords = (series: ReadSeries) => (time: number) => formatInstant(time, series.frequency, zoneIn(series));

function noteBackwards(
  list: ProblemList,
  series: ReadSeries,
  { times, lineOf }: OrderRows,
  back: readonly number[],
): void {
  const cause = { kind: 'out-of-order', severity: 'info', series: series.id } as const;
  const written = inWords(series);
  if (back.length > 0 && back.length >= (times.length - 1) * NEWEST_FIRST) {
    const words = said`Rows are sorted newest first; they were put in chronological order.`;
    list.note({ ...cause, about: '1' }, { line: lineOf(0) }, () => words, series);
    return;
  }
  for (const index of back) {
    const words = () =>
      said`${written(times[index]!)} comes after ${written(times[index - 1]!)}; the rows were put in chronological order.`;
    list.note(cause, { line: lineOf(index) }, words, series);
  }
}

function noteSteps(
  list: ProblemList,
  series: ReadSeries,
  { times, lineOf }: OrderRows,
  order: readonly number[],
): void {
  const { name, frequency, id } = series;
  const zone = zoneIn(series);
  const clock = frequency && clockOf(series.times, frequency, zone);
  const holidays = frequency && series.holidays > 0 ? holidaysOf(series.times, frequency, zone) : new Set<number>();
  // clocks without a zone skip an hour in spring and show one twice in autumn
  const mayChange = zone === UTC && (frequency?.unit === 'hour' || frequency?.unit === 'minute');
  const missing = (last: number, time: number) =>
    frequency && clock ? missingBetween(clock.toWall(last), clock.toWall(time), frequency, holidays) : 0;
  for (let place = 1; place < order.length; place++) {
    const index = order[place]!;
    const [last, time] = [times[order[place - 1]!]!, times[index]!];
    const rows = time > last ? missing(last, time) : 0;
    if (time > last && rows === 0) continue;
    const where = mayChange && time - last <= 2 * HOUR ? clockChange(last, time) : undefined;
    const { words, ...cause } = stepOf(last, time, where, inWords(series));
    list.note({ ...cause, series: id }, { line: lineOf(index) }, words, { name, rows });
  }
}

function stepOf(last: number, time: number, where: string | undefined, written: (time: number) => string) {
  const between = () => said`between ${written(last)} and ${written(time)}`;
  if (where !== undefined) {
    const about = time === last ? 'back' : 'forward';
    const words = () =>
      time === last
        ? said`${written(time)} occurs twice, as in local time when clocks go back (for example in ${where}); the mean of its values is used. Times with an offset such as +01:00 avoid this.`
        : said`There is no row ${between()}, as in local time when clocks go forward (for example in ${where}).`;
    return { kind: 'clock-change', severity: 'info', about, words } as const;
  }
  if (time > last) return { kind: 'gap', severity: 'warning', words: between } as const;
  const words = () => said`${written(time)} occurs more than once; the mean of its values is used.`;
  return { kind: 'duplicate', severity: 'warning', words } as const;
}

const NEWEST_FIRST = 0.9;

function noteOutside(list: ProblemList, { id, frequency, outside, ...series }: ReadSeries, rows: OrderRows): void {
  if (!frequency?.open) return;
  const clock = clockOf(series.times, frequency, zoneOf(series.timeZone ?? 'UTC'));
  const index = rows.times.findIndex((time) => !Number.isNaN(time) && !isInOpenTime(clock.toWall(time), frequency));
  const open = describeOpenTime(frequency.open);
  const words =
    outside === 1
      ? said`One row is in closed time (open: ${open}) and was left out.`
      : said`${inDigits(outside)} rows are in closed time (open: ${open}) and were left out.`;
  list.add({ line: rows.lineOf(Math.max(0, index)), ...words, severity: 'info', kind: 'closed', series: id });
}

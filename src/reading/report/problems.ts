import { DAY, HOUR } from '../../calendar/civil.ts';
import { inDigits } from '../../calendar/digits.ts';
import { formatInstant, describeOpenTime } from '../../calendar/format.ts';
import { isInOpenTime } from '../../calendar/frequency.ts';
import { clockOf } from '../../calendar/grid.ts';
import { clockChange, UTC, type Zone, zoneOf } from '../../calendar/zone.ts';
import type { BadCell, TimeAxis } from '../columns/column.ts';
import { said, type Phrase } from '../phrase.ts';
import type { Delimiter, LayoutChoice, Problem, ReadSeries } from '../types.ts';
import { missingRows } from '../series/build.ts';

export type Locate = (row: number, columnName: string) => Pick<Problem, 'line' | 'column' | 'endColumn' | 'place'>;

export type PlaceName = (line: number, cell?: number) => string;

interface Cause extends Pick<Problem, 'kind' | 'severity' | 'series'> {
  readonly about?: string;
}

interface Found {
  readonly cause: Cause;
  readonly bySeries: Map<string, number>;
  readonly kept: (ReturnType<Locate> & { readonly words: Phrase; readonly rows: number })[];
  count: number;
}

const MOST_PLACES = 1000;
const MOST_NAMED = 5;

export class ProblemList {
  readonly #alone: Problem[] = [];
  readonly #found = new Map<string, Found>();

  add(problem: Problem): void {
    this.#alone.push(problem);
  }

  note(cause: Cause, at: ReturnType<Locate>, words: () => Phrase, { name = '', rows = 0, count = 1 } = {}): void {
    const key = [cause.kind, cause.about, cause.severity].join();
    const found = this.#found.get(key) ?? { cause, bySeries: new Map<string, number>(), kept: [], count: 0 };
    this.#found.set(key, found);
    found.count += count;
    found.bySeries.set(name, (found.bySeries.get(name) ?? 0) + rows);
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

function summaryOf(found: Found): Problem {
  const { kept, count } = found;
  const { kind, severity, series } = found.cause;
  const wordsOf = (rows: number, words: Phrase) => (kind === 'gap' ? gapInWords(rows, words) : words);
  const places = kept.map(({ rows, words, ...place }) => ({ ...place, ...wordsOf(rows, words) }));
  const first = places.reduce((least, place) => (place.line < least.line ? place : least));
  const sentence = kind === 'gap' ? said`${first}.` : first;
  const shared = { ...first, severity, kind, ...(found.bySeries.size === 1 ? { series } : {}) };
  if (count === 1) return { ...shared, ...sentence };
  const summary = kind === 'gap' ? gapsInWords(found) : said`${sentence} This occurs in ${count} places.`;
  return { ...shared, ...summary, places };
}

const gapInWords = (rows: number, between: Phrase): Phrase =>
  rows === 1 ? said`One row is missing ${between}` : said`${inDigits(rows)} rows are missing ${between}`;

function gapsInWords({ bySeries, kept, count }: Found): Phrase {
  const total = inDigits([...bySeries.values()].reduce((sum, rows) => sum + rows, 0));
  if (bySeries.size > 1) {
    const most = [...bySeries].sort(([, a], [, b]) => b - a).slice(0, MOST_NAMED);
    const named = most.map(([name, rows]) => said`${inDigits(rows)} of ${name}`);
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

export interface TableContext {
  readonly layout: LayoutChoice;
  readonly delimiter: Delimiter | undefined;
  readonly fallbackName: string;
  readonly severity: 'error' | 'warning';
  readonly locate: Locate;
  readonly problems: ProblemList;
  readonly tell: (row: number, column: string, words: Phrase, severity?: Problem['severity']) => void;
  readonly shownZone?: Zone;
}

const MOST_NOTED = 1000;

export function noteTimes(
  axis: TimeAxis,
  columns: readonly { readonly values: Float64Array }[],
  left: ReadonlySet<number>,
  { problems, locate, severity, tell }: TableContext,
): void {
  const { bad, badCount, times, format } = axis;
  const [about = ''] = axis.columns;
  const cause = { kind: 'not-a-time', severity, about } as const;
  problems.noteCells(cause, bad, badCount, locate);
  if (format === 'clock' && times[0]! < DAY) {
    const words = said`The times have no date; the first day is shown as 1 January 1970.`;
    tell(0, about, words);
  }
  const known = new Set([...bad.map(({ row }) => row), ...left]);
  const isTimeless = (row: number) =>
    Number.isNaN(times[row]!) && !known.has(row) && columns.some(({ values }) => !Number.isNaN(values[row]!));
  const cells = [];
  for (let row = 0; row < times.length && cells.length < MOST_NOTED; row++)
    if (isTimeless(row)) cells.push({ row, text: '' });
  problems.noteCells(cause, cells, cells.length, locate);
}

const NEWEST_FIRST = 0.9;

export function noteOrder(
  list: ProblemList,
  series: ReadSeries,
  times: Float64Array,
  lineOf: (index: number) => number,
): void {
  const { id, name, frequency, timeZone = 'UTC', outside } = series;
  const zone = zoneOf(timeZone);
  const written = (time: number) => formatInstant(time, frequency, zone);
  const back = Array.from(times.keys()).filter((index) => times[index]! < times[index - 1]!);
  const isBackwards = back.length > 0 && back.length >= (times.length - 1) * NEWEST_FIRST;
  for (const index of isBackwards ? [0] : back) {
    const cause = { kind: 'out-of-order', severity: 'info', series: id, about: String(isBackwards) } as const;
    const words = () =>
      isBackwards
        ? said`Rows are sorted newest first; they were put in chronological order.`
        : said`${written(times[index]!)} comes after ${written(times[index - 1]!)}; the rows were put in chronological order.`;
    list.note(cause, { line: lineOf(index) }, words, { name });
  }
  const order = Array.from(times.keys()).filter((index) => !Number.isNaN(times[index]!));
  if (back.length > 0) order.sort((a, b) => times[a]! - times[b]! || a - b);
  const missing = missingRows(series, zone);
  // clocks without a zone skip an hour in spring and show one twice in autumn
  const mayChange = zone === UTC && (frequency?.unit === 'hour' || frequency?.unit === 'minute');
  for (let place = 1; place < order.length; place++) {
    const index = order[place]!;
    const [last, time] = [times[order[place - 1]!]!, times[index]!];
    const rows = time > last ? missing(last, time) : 0;
    if (time > last && rows === 0) continue;
    const where = mayChange && time - last <= 2 * HOUR ? clockChange(last, time) : undefined;
    const { words, ...cause } = stepOf(last, time, where, written);
    list.note({ ...cause, series: id }, { line: lineOf(index) }, words, { name, rows });
  }
  if (!frequency?.open || outside === 0) return;
  const clock = clockOf(series.times, frequency, zone);
  const first = times.findIndex((time) => !Number.isNaN(time) && !isInOpenTime(clock.toWall(time), frequency));
  const open = describeOpenTime(frequency.open);
  const words =
    outside === 1
      ? said`One row is in closed time (open: ${open}) and was left out.`
      : said`${inDigits(outside)} rows are in closed time (open: ${open}) and were left out.`;
  list.add({ line: lineOf(Math.max(0, first)), ...words, severity: 'info', kind: 'closed', series: id });
}

function stepOf(last: number, time: number, where: string | undefined, written: (time: number) => string) {
  const between = () => said`between ${written(last)} and ${written(time)}`;
  const change = { kind: 'clock-change', severity: 'info' } as const;
  if (time > last) {
    if (where === undefined) return { kind: 'gap', severity: 'warning', words: between } as const;
    const words = () =>
      said`There is no row ${between()}, as in local time when clocks go forward (for example in ${where}).`;
    return { ...change, about: '+', words };
  }
  const words = () =>
    where === undefined
      ? said`${written(time)} occurs more than once; the mean of its values is used.`
      : said`${written(time)} occurs twice, as in local time when clocks go back (for example in ${where}); the mean of its values is used. Times with an offset such as +01:00 avoid this.`;
  return where === undefined
    ? ({ kind: 'duplicate', severity: 'warning', words } as const)
    : { ...change, about: '-', words };
}

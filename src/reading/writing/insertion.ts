import Papa from 'papaparse';
import { HOUR, timeOfDay } from '../../calendar/civil.ts';
import { parseClock } from '../../calendar/clock.ts';
import { UTC, zoneOf } from '../../calendar/zone.ts';
import { formatPattern } from '../columns/patterns.ts';
import { linesFromEnd, rowsFromEnd } from '../json/last-rows.ts';
import { said } from '../phrase.ts';
import { hasWord } from '../values/clock-words.ts';
import { startOfSpan, TIME_FORMATS } from '../values/dates.ts';
import { isMissing } from '../values/numbers.ts';
import { commonUnit, withoutUnit } from '../values/units.ts';
import { withoutWeekday } from '../values/weekdays.ts';
import { type DocumentFormat, type LineRange, SeriesError } from '../types.ts';
import { namedTimes } from './month-names.ts';
import { tableOf, type WritableSeries, writeSeries } from './write.ts';

/** Between the names of columns that make up a time together. */
const SEVERAL = ' + ';

/** Where in a text something is put in, and what. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
  /** How many rows it has. */
  readonly rows: number;
}

/** The file that rows are put into. */
export interface Target {
  readonly text: string;
  readonly fileName: string;
  /** As in its head. */
  readonly columns: readonly string[];
  readonly format: DocumentFormat;
  /** As in {@link SeriesDocument}; where they are absent the rows are put at the end. */
  readonly lines?: LineRange | undefined;
  readonly isNewestFirst?: boolean | undefined;
}

/**
 * The rows of a forecast, to be put below the last row of its file (above the first, where the newest stand on top), in the
 * file's own columns; columns that a forecast knows nothing of stay empty.
 * @throws SeriesError for a file in which such rows have no place
 */
export function insertionOf(target: Target, series: WritableSeries): Insertion {
  const { quantiles: _, forecast: __, ...plain } = series;
  return target.format.kind === 'csv' ? ofDelimited(target, plain) : ofJson(target, plain);
}

const newlineOf = ({ text }: Target): string => (text.includes('\r\n') ? '\r\n' : '\n');

function ofDelimited(target: Target, series: WritableSeries): Insertion {
  const { text, columns, format } = target;
  const newline = newlineOf(target);
  const delimiter = format.delimiter === '' || format.delimiter === undefined ? ',' : format.delimiter;
  const written = Papa.parse<string[]>(writeSeries([series], { ...format, delimiter, header: true }).trimEnd(), {
    delimiter: delimiter === ' ' ? '\t' : delimiter,
  }).data;
  const [head = [], ...rows] = written;
  const own = ownColumns(series);
  const times = inTwoColumns(target, series);
  const timePlace = own.indexOf(series.timeColumn);
  const places = head.map((name, index) => (columns.length === 1 ? 0 : columns.indexOf(own[index] ?? name)));
  if (times) places[timePlace] = times.places[0]!;
  if (columns.length === 0 || places.includes(-1)) throw noPlace(target);
  let likeBefore: readonly (string | undefined)[] = [];
  const lines = text.trimEnd().slice(-TAIL).split(/\r?\n/).slice(1);
  const tail = lines.flatMap((line) => Papa.parse<string[]>(line, { delimiter }).data);
  const unit = unitBehind(tail.map((row) => row[places[own.length - 1]!]?.trim() ?? ''));
  if (series.timeKind !== 'row' && format.dateFormat === undefined && !times) {
    const before = tail.map((row) => row[places[timePlace]!]);
    likeBefore = timesLike(before, rows.map((row) => row[timePlace]), series); // prettier-ignore
    if (likeBefore.includes(undefined)) throw noPlace(target);
  }
  const cells = rows.map((row, step) => {
    const out = columns.map(() => '');
    for (const [index, place] of places.entries()) out[place] = row[index] ?? '';
    if (row[own.length - 1]) out[places[own.length - 1]!] += unit;
    if (likeBefore[step] !== undefined) out[places[timePlace]!] = likeBefore[step];
    times?.places.forEach((place, part) => (out[place] = times.rows[step]![part]!));
    return out;
  });
  const write = (all: readonly string[][]) =>
    delimiter === ' ' ? all.map(withBlanks).join(newline) : Papa.unparse([...all], { delimiter, newline });
  const top = target.isNewestFirst ? startOfLine(text, target.lines?.[0]) : undefined;
  if (top !== undefined) return { offset: top, text: `${write(cells.toReversed())}${newline}`, rows: rows.length };
  return { offset: endOfRows(target, delimiter), text: `${newline}${write(cells)}`, rows: rows.length };
}

/** What is written behind the numbers of a column, with the blank before it. */
function unitBehind(cells: readonly string[]): string {
  const unit = commonUnit(cells.filter((cell) => !isMissing(cell)));
  const last = unit === undefined ? undefined : cells.findLast((cell) => cell.endsWith(unit));
  return last === undefined || unit === undefined ? '' : last.slice(withoutUnit(last, unit).length);
}

/** Where a line of a text begins; `undefined` where it has no such line. */
function startOfLine(text: string, line: number | undefined): number | undefined {
  const ends = /\r\n?|\n/g;
  for (let at = 1; line !== undefined && at < line; at++) if (!ends.test(text)) return undefined;
  return line === undefined ? undefined : ends.lastIndex;
}

/** The end of the last row, before totals and remarks below the table; of the text where that is not known. */
function endOfRows({ text, lines }: Target, delimiter: string): number {
  const start = startOfLine(text, lines?.[1]);
  if (start === undefined) return withoutBlanks(text, delimiter);
  // a quoted cell may go over several lines
  const rest = text.slice(start);
  const isQuoted = delimiter !== ' ' && (/^[^\n]*/.exec(rest)?.[0] ?? '').includes('"');
  const { cursor } = isQuoted ? Papa.parse(rest, { delimiter, preview: 1 }).meta : { cursor: rest.indexOf('\n') };
  return start + withoutBlanks(cursor < 0 ? rest : rest.slice(0, cursor), delimiter);
}

/** The end of a text without the blanks and line ends there; tabs that end empty cells belong to it. */
function withoutBlanks(text: string, delimiter: string): number {
  const end = text.trimEnd().length;
  const after = text.slice(end);
  return delimiter === '\t' ? end + (/^\t*/.exec(after)?.[0].length ?? 0) : end;
}

/** Letters at the end of a file that tell how its times are written: more than a year of days. */
const TAIL = 20_000;

/**
 * Times of a file whose way of writing them has no pattern: as they are written, where they are read in a way in which any
 * of those before them are (of half-years, dates are no more of them); with the file's own names of months.
 * @returns `undefined` for each that would be written in another way: all, where words stand after the clocks
 */
function timesLike(
  before: readonly (string | undefined)[],
  written: readonly (string | undefined)[],
  { times, timeZone = 'UTC' }: WritableSeries,
): readonly (string | undefined)[] {
  const cells = before.map((cell = '') => startOfSpan(cell.trim()));
  if (cells.some((cell) => hasWord(cell))) return written.map(() => undefined);
  const ways = TIME_FORMATS.filter(({ parse }) => cells.some((cell) => !Number.isNaN(parse(cell))));
  const hasWeekdays = cells.some((cell) => withoutWeekday(cell) !== cell);
  const isAlike = (text = '') => ways.length === 0 || ways.some(({ parse }) => !Number.isNaN(parse(text)));
  if (!hasWeekdays && written.every(isAlike)) return written;
  const zone = zoneOf(timeZone);
  const write = namedTimes(cells);
  return Array.from(times, (time) => write?.(zone.toWall(time)));
}

/** Times of a day and a clock as the file writes them, with the places of those columns; `undefined` for other times. */
function inTwoColumns(
  target: Target,
  { timeColumn = '', times, timeZone = 'UTC' }: WritableSeries,
): { readonly places: readonly number[]; readonly rows: readonly (readonly string[])[] } | undefined {
  if (!timeColumn.includes(SEVERAL)) return undefined;
  const { format, columns } = target;
  const places = timeColumn.split(SEVERAL).map((name) => columns.indexOf(name));
  if (!format.dayAndClock || places.length !== 2 || places.includes(-1)) throw noPlace(target);
  const [day, clock] = format.dayAndClock;
  const zone = zoneOf(timeZone);
  const walls = Array.from(times, (time) => (clock.includes('[Z]') ? time : zone.toWall(time)));
  // a day may be written with a clock too, which is midnight in each row
  const midnights = walls.map((wall) => wall - timeOfDay(wall));
  const rows = midnights.map((midnight, step) => [
    formatPattern(midnight, day),
    formatPattern(times[step]!, clock, zone),
  ]);
  const isKept = rows.every(([date = '', text = ''], step) => {
    const inDay = /^\d+$/.test(text) ? Number(text) * HOUR : parseClock(text)?.inDay;
    const isDay = day === 'serial-day' || TIME_FORMATS.some(({ parse }) => parse(date) === midnights[step]);
    const isRight = !clock.includes('{') || parseClock(text)?.offset === walls[step]! - times[step]!;
    return isDay && isRight && inDay === timeOfDay(walls[step]!);
  });
  const isTold = /[Z{]/.test(clock) && !day.replace('[Z]', '').includes('Z');
  if (!isKept || (zone !== UTC && !isTold)) throw noPlace(target);
  return { places, rows };
}

/** What the columns of a series are called in its file, in the order in which they are written: `Column n` without a head. */
function ownColumns({ idColumn, timeKind, timeColumn, valueColumn }: WritableSeries): (string | undefined)[] {
  return [...(idColumn === undefined ? [] : [idColumn]), ...(timeKind === 'row' ? [] : [timeColumn]), valueColumn];
}

/** Between blanks an empty cell is none, and those after it would be in the column before. */
const withBlanks = (cells: readonly string[]): string => cells.map((cell) => cell || 'NA').join(' ');

function ofJson(target: Target, series: WritableSeries): Insertion {
  const { text, columns, format } = target;
  const newline = newlineOf(target);
  const { head, rows } = tableOf([series], format);
  // times of several keys are written as one
  if (series.timeColumn?.includes(SEVERAL) || !head.every((key) => columns.includes(key))) throw noPlace(target);
  const before = format.kind === 'ndjson' ? text.trimEnd() : text.slice(0, text.lastIndexOf(']')).trimEnd();
  const isRows = /^\s*\[\s*\{/.test(text) && text.slice(text.lastIndexOf(']') + 1).trim() === '';
  if (format.kind !== 'ndjson' && !isRows) throw noPlace(target);
  const { paths, models } = placesOf(format.kind === 'ndjson' ? linesFromEnd(before) : rowsFromEnd(before), head);
  if (paths.size < head.length) throw noPlace(target);
  const timeKey = series.timeColumn ?? 'time';
  let likeBefore: readonly (string | undefined)[] = [];
  if (series.timeKind !== 'row' && format.dateFormat === undefined) {
    const place = head.indexOf(timeKey);
    const told = models.map((row) => cellAt(row, paths.get(timeKey) ?? []));
    const written = rows.map((row) => String(row[place]));
    const like = timesLike(told, written, series);
    if (like.includes(undefined)) throw noPlace(target);
    if (like !== written) likeBefore = like;
  }
  const lines = writeSeries([series], { ...format, kind: 'ndjson' })
    .trimEnd()
    .split('\n')
    .map((line, step) => likeRows(line, paths, likeBefore[step] === undefined ? {} : { [timeKey]: likeBefore[step] }));
  if (format.kind === 'ndjson')
    return { offset: before.length, text: `${newline}${lines.join(newline)}`, rows: lines.length };
  const indent = /\n([ \t]*)\{/.exec(text)?.[1] ?? '';
  return {
    offset: before.length,
    text: lines.map((line) => `,${newline}${indent}${line}`).join(''),
    rows: lines.length,
  };
}

type Row = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rows that tell how times are written. */
const TELLING = 20;

type Paths = ReadonlyMap<string, readonly string[]>;

/**
 * Where rows have the cells of columns, and the last rows. A row may lack what is missing: they are looked through, the
 * last one first, until one has been found for each column.
 */
function placesOf(rows: Iterable<unknown>, head: readonly string[]): { paths: Paths; models: readonly Row[] } {
  const paths = new Map<string, readonly string[]>();
  const models: Row[] = [];
  for (const row of rows) {
    if (!isRow(row)) continue;
    if (models.length < TELLING) models.push(row);
    for (const key of head) {
      const path = paths.has(key) ? undefined : pathOf(row, key);
      if (path) paths.set(key, path);
    }
    if (paths.size === head.length && models.length === TELLING) break;
  }
  return { paths, models };
}

/** What a row has at a path, as a text; `undefined` where it has nothing or no cell there. */
function cellAt(row: Row, path: readonly string[]): string | undefined {
  const cell = path.reduce<unknown>((at, step) => (isRow(at) && Object.hasOwn(at, step) ? at[step] : undefined), row);
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : undefined;
}

/** An object that inherits nothing: a file may call a key `constructor`. */
const bare = () => Object.create(null) as Record<string, unknown>;

/** Puts the cells of a row, as JSON, some of them others, where other rows have them: `a.b` may be nested. */
function likeRows(line: string, paths: Paths, others: Row): string {
  const nested = bare();
  for (const [key, cell] of Object.entries({ ...(JSON.parse(line) as Row), ...others })) {
    const path = paths.get(key) ?? [key];
    let at = nested;
    for (const step of path.slice(0, -1)) at = (at[step] ??= bare()) as Record<string, unknown>;
    at[path.at(-1)!] = cell;
  }
  return JSON.stringify(nested);
}

/** Where a row has the cell of a column; `undefined` where it has none, or something that is no cell. */
function pathOf(row: Row, key: string): readonly string[] | undefined {
  if (Object.hasOwn(row, key)) return typeof row[key] === 'object' && row[key] !== null ? undefined : [key];
  for (const [outer, inner] of Object.entries(row)) {
    const rest = isRow(inner) && key.startsWith(`${outer}.`) ? pathOf(inner, key.slice(outer.length + 1)) : undefined;
    if (rest) return [outer, ...rest];
  }
  return undefined;
}

const noPlace = ({ fileName }: Target): SeriesError =>
  new SeriesError(
    'no-series',
    said`The rows of this forecast have no place in ${fileName}: it holds its series in another shape. Save the forecast as a file of its own.`,
  );

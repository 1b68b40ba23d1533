import { said } from '../phrase.ts';
import { isRising } from '../../calendar/order.ts';
import { zoneOf } from '../../calendar/zone.ts';
import { ProblemList, type Locate, type PlaceName } from './problems.ts';
import type { CellFinder } from '../text/cell-range.ts';
import { readTable, type TableSeries } from './read.ts';
import type { TableContext } from './value-columns.ts';
import type { Table } from '../columns/table.ts';
import {
  SeriesError,
  type Choice,
  type DocumentFormat,
  type ReadOptions,
  type ReadSeries,
  type SeriesDocument,
} from '../types.ts';
import { rolesAndProposals } from './roles.ts';
import { DistinctNames } from '../columns/names.ts';
import { describeDayAndClock, describeTimes } from '../columns/patterns.ts';

/** The parts of a document's format that are known before its columns are. */
export type RawFormat = Omit<DocumentFormat, 'decimal' | 'thousands' | 'dateFormat' | 'dayAndClock'>;

/** How places of a document are found again, and called. */
export interface Places {
  readonly cells?: CellFinder | undefined;
  readonly placeName?: PlaceName | undefined;
}

/** Makes a document of the tables found in it; throws where there is nothing to forecast or a cell must not be passed over. */
export function assemble(
  tables: readonly Table[],
  format: RawFormat,
  options: ReadOptions,
  places: Places = {},
): SeriesDocument {
  const problems = new ProblemList();
  const found = tables.map((table) => {
    for (const problem of table.problems) problems.add(problem);
    return readTable(table, { ...contextOf(format, options, problems), locate: locateIn(table, places) });
  });
  const { placeName } = places;
  const sorted = problems
    .sorted()
    .map((problem) => (placeName ? { ...problem, place: problem.place ?? placeName(problem.line) } : problem));
  if ((options.missing ?? 'error') === 'error') refuseFirst(sorted, options.fileName);
  const series = distinct(found.flatMap((each) => each.series));
  const first = found.find((each) => each.series.length > 0);
  const [table] = tables;
  if (!first || !table) throw nothingToRead(tables, options.fileName);
  const columns = table.columns.map(({ name }) => name);
  return {
    format: { ...format, ...writtenAs(first) },
    series,
    problems: sorted,
    problemCount: sorted.length + tables.reduce((more, each) => more + each.problemCount - each.problems.length, 0),
    choices: onceEach(found.flatMap((each) => each.choices)),
    ...rolesAndProposals(table, found[0]?.proposals ?? [], series, options.layout),
    columns,
    ...(format.kind === 'csv' && tables.length === 1 ? extentOf(table, first.axis.times) : {}),
    preview: table.preview,
    shape: JSON.stringify([format.kind, format.delimiter ?? null, format.header, columns]),
  };
}

/** How the numbers and times of a table are written. */
function writtenAs({ axis, decimal, thousands }: TableSeries): Omit<DocumentFormat, keyof RawFormat> {
  const dateFormat = describeTimes(axis);
  const dayAndClock = describeDayAndClock(axis);
  return {
    decimal,
    ...(thousands === undefined ? {} : { thousands }),
    ...(dateFormat === undefined ? {} : { dateFormat }),
    ...(dayAndClock ? { dayAndClock } : {}),
  };
}

/** Where the rows with a time begin and end, and whether they fall. */
function extentOf(table: Table, times: Float64Array): Pick<SeriesDocument, 'lines' | 'isNewestFirst'> {
  const hasTime = (time: number) => !Number.isNaN(time);
  const [first, last] = [times.findIndex(hasTime), times.findLastIndex(hasTime)];
  if (first < 0 || times.length !== table.rows) return {};
  const isNewestFirst = times[first]! > times[last]! && isRising(times.toReversed());
  return { lines: [table.lineOf(first), table.lineOf(last)], isNewestFirst };
}

function locateIn(table: Table, { cells, placeName }: Places): Locate {
  const indexes = new Map(table.columns.map(({ name }, index) => [name, index]));
  return (row, name) => {
    const line = table.lineOf(row);
    const index = indexes.get(name);
    const place = placeName?.(line, index);
    return {
      line,
      ...(index === undefined ? {} : cells?.range(line, index)),
      ...(place === undefined ? {} : { place }),
    };
  };
}

function contextOf(format: RawFormat, options: ReadOptions, problems: ProblemList): Omit<TableContext, 'locate'> {
  const { timeZone = 'file' } = options;
  return {
    layout: options.layout ?? {},
    delimiter: format.delimiter,
    fallbackName: stemOf(options.fileName),
    severity: options.missing === 'treat-as-missing' ? 'warning' : 'error',
    problems,
    ...(timeZone === 'file' ? {} : { shownZone: zoneOf(timeZone) }),
  };
}

/** A file's name without folders and ending. */
export function stemOf(fileName: string): string {
  const name = fileName.replace(/^.*[\\/]/, '');
  return name.replace(/(?<=.)\.[^.]*$/, '') || 'Series';
}

/** Makes ids unique, in case two tables or rows have the same. */
function distinct(series: readonly ReadSeries[]): ReadSeries[] {
  const names = new DistinctNames();
  return series.map((each) => {
    const id = names.of(each.id);
    return id === each.id ? each : { ...each, id };
  });
}

/** Each question once, though several tables raise it. */
function onceEach(choices: readonly Choice[]): Choice[] {
  const asked = new Map(choices.map((choice) => [choice.question, choice]));
  return [...asked.values()];
}

function refuseFirst(problems: SeriesDocument['problems'], fileName: string): void {
  const found = problems.find(({ severity }) => severity === 'error');
  if (!found) return;
  const first = { ...found, ...found.places?.[0] };
  const reason = first.kind === 'not-a-time' || first.kind === 'ragged' ? first.kind : 'not-a-number';
  const way = first.kind === 'ragged' ? '' : said` Treat these cells as missing, or fix the line.`;
  const where = first.place === undefined ? said`line ${first.line}` : first.place;
  throw new SeriesError(reason, said`${fileName}, ${where}: ${first}${way}`, {
    line: first.line,
    column: first.column,
  });
}

function nothingToRead(tables: readonly Table[], fileName: string): SeriesError {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (rows === 0) {
    return new SeriesError(
      'no-series',
      said`${fileName} has no data rows. Open a file with a column of times and a column of numbers.`,
    );
  }
  return new SeriesError(
    'no-numbers',
    said`${fileName} has no column of numbers, so there is nothing to forecast. Open a file with at least one.`,
  );
}

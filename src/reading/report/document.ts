import { said } from '../phrase.ts';
import { isRising } from '../../calendar/order.ts';
import { zoneOf } from '../../calendar/zone.ts';
import { ProblemList, type Locate, type PlaceName } from './problems.ts';
import type { CellFinder } from '../text/cell-range.ts';
import { readTable } from './read.ts';
import type { TableContext, TableSeries } from './context.ts';
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

/** Makes a document of the tables found in it; throws where there is nothing to forecast or a cell must not be passed over. */
export function assemble(
  tables: readonly Table[],
  format: RawFormat,
  options: ReadOptions,
  cells?: CellFinder,
  placeName?: PlaceName,
): SeriesDocument {
  const problems = new ProblemList();
  const missing = options.missing ?? 'error';
  const found: TableSeries[] = [];
  for (const table of tables) {
    for (const problem of table.problems) problems.add(problem);
    problems.count += table.problemCount - table.problems.length;
    found.push(readTable(table, contextOf(table, format, options, problems, { cells, placeName })));
  }
  const series = distinct(found.flatMap((each) => each.series));
  const sorted = problems
    .sorted()
    .map((problem) => (placeName ? { ...problem, place: problem.place ?? placeName(problem.line) } : problem));
  if (missing === 'error') refuseFirst(sorted, options.fileName);
  const [table] = tables;
  if (series.length === 0) throw nothingToRead(tables, options.fileName);
  const columns = table?.columns.map(({ name }) => name) ?? [];
  const first = found.find((each) => each.series.length > 0) ?? found[0];
  const dateFormat = first && describeTimes(first.axis);
  const dayAndClock = first && describeDayAndClock(first.axis);
  return {
    format: {
      ...format,
      decimal: first?.decimal ?? '.',
      ...(first?.thousands === undefined ? {} : { thousands: first.thousands }),
      ...(dateFormat === undefined ? {} : { dateFormat }),
      ...(dayAndClock ? { dayAndClock } : {}),
    },
    series,
    problems: sorted,
    problemCount: problems.count,
    choices: onceEach(found.flatMap((each) => each.choices)),
    ...rolesAndProposals(table, found[0]?.proposals ?? [], series, options.layout),
    columns,
    ...(format.kind === 'csv' && tables.length === 1 && first ? extentOf(table!, first.axis.times) : {}),
    preview: table?.preview ?? [],
    shape: JSON.stringify([format.kind, format.delimiter ?? null, format.header, columns]),
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

function contextOf(
  table: Table,
  format: RawFormat,
  options: ReadOptions,
  problems: ProblemList,
  { cells, placeName }: { readonly cells: CellFinder | undefined; readonly placeName: PlaceName | undefined },
): TableContext {
  const indexes = new Map(table.columns.map(({ name }, index) => [name, index]));
  const locate: Locate = (row, name) => {
    const line = table.lineOf(row);
    const index = indexes.get(name);
    const place = placeName?.(line, index);
    return {
      line,
      ...(index === undefined ? {} : cells?.range(line, index)),
      ...(place === undefined ? {} : { place }),
    };
  };
  const { timeZone = 'file' } = options;
  const shownZone = timeZone === 'file' ? undefined : zoneOf(timeZone);
  return {
    layout: options.layout ?? {},
    delimiter: format.delimiter,
    fallbackName: stemOf(options.fileName),
    severity: options.missing === 'treat-as-missing' ? 'warning' : 'error',
    locate,
    problems,
    ...(shownZone ? { shownZone } : {}),
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
  const first = problems.find(({ severity }) => severity === 'error');
  if (!first) return;
  const reason = first.kind === 'not-a-time' || first.kind === 'ragged' ? first.kind : 'not-a-number';
  const way = first.kind === 'ragged' ? '' : said` Treat such cells as missing, or fix the line.`;
  const where = first.place === undefined ? said`line ${first.line}` : first.place;
  throw new SeriesError(reason, said`${fileName}, ${where}: ${first}${way}`, {
    line: first.line,
    ...(first.column === undefined ? {} : { column: first.column }),
  });
}

function nothingToRead(tables: readonly Table[], fileName: string): SeriesError {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (rows === 0) {
    return new SeriesError(
      'no-series',
      said`${fileName} has no rows of data. Open a file with a column of times and a column of numbers.`,
    );
  }
  return new SeriesError(
    'no-numbers',
    said`${fileName} has no column of numbers, so there is nothing to forecast. Open a file with at least one.`,
  );
}

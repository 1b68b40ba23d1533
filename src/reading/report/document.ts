import { inDigits } from '../../calendar/digits.ts';
import { isRising } from '../../calendar/order.ts';
import { UTC, zoneOf } from '../../calendar/zone.ts';
import type { Column } from '../columns/column.ts';
import { DistinctNames, isCodeName } from '../columns/names.ts';
import { describeDayAndClock, describeTimes } from '../columns/patterns.ts';
import type { Table } from '../columns/table.ts';
import { type Phrase, said } from '../phrase.ts';
import type { Scored } from '../proposals/score.ts';
import { isConstant, isFlag, isNumeric, valuesOf, variety } from '../proposals/values.ts';
import { aggregate } from '../series/aggregate.ts';
import type { CellFinder } from '../text/cell-range.ts';
import {
  type ColumnRole,
  type DocumentFormat,
  type LayoutChoice,
  MOST_PREVIEWED,
  MOST_PROPOSALS,
  type ReadingProposal,
  type ReadOptions,
  type ReadSeries,
  type SeriesDocument,
  SeriesError,
} from '../types.ts';
import { sumInWords } from './choices.ts';
import { type Locate, type PlaceName, ProblemList } from './problems.ts';
import { readTable } from './read.ts';
import type { TableContext } from './value-columns.ts';

export type RawFormat = Omit<DocumentFormat, 'decimal' | 'thousands' | 'dateFormat' | 'dayAndClock'>;

export interface Places {
  readonly cells?: CellFinder | undefined;
  readonly placeName?: PlaceName | undefined;
}

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
    // several tables may raise the same question
    choices: [...new Map(found.flatMap((each) => each.choices.map((one) => [one.question, one] as const))).values()],
    ...rolesAndProposals(table, found[0]?.proposals ?? [], series, options.layout),
    columns,
    ...(format.kind === 'csv' && tables.length === 1 ? extentOf(table, first.axis.times) : {}),
    preview: table.preview,
    shape: JSON.stringify([format.kind, format.delimiter ?? null, format.header, columns]),
  };
}

function writtenAs({ axis, decimal, thousands }: ReturnType<typeof readTable>): Omit<DocumentFormat, keyof RawFormat> {
  const dateFormat = describeTimes(axis);
  const dayAndClock = describeDayAndClock(axis);
  return {
    decimal,
    ...(thousands === undefined ? {} : { thousands }),
    ...(dateFormat === undefined ? {} : { dateFormat }),
    ...(dayAndClock ? { dayAndClock } : {}),
  };
}

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

export function stemOf(fileName: string): string {
  const name = fileName.replace(/^.*[\\/]/, '');
  return name.replace(/(?<=.)\.[^.]*$/, '') || 'Series';
}

function distinct(series: readonly ReadSeries[]): ReadSeries[] {
  const names = new DistinctNames();
  return series.map((each) => {
    const id = names.of(each.id);
    return id === each.id ? each : { ...each, id };
  });
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

const NEAR = 0.01;

export function rolesAndProposals(
  table: Table | undefined,
  scored: readonly Scored[],
  series: readonly ReadSeries[],
  layout: LayoutChoice = {},
): Pick<SeriesDocument, 'roles' | 'proposals' | 'isUncertain'> {
  const [taken, second] = scored;
  if (!table || !taken) return { roles: [], proposals: [], isUncertain: false };
  const shown = scored.slice(0, MOST_PROPOSALS).filter(({ evidence }) => evidence.points > 0);
  const isOpen = Object.keys(layout).length === 0 && second !== undefined && areOther(taken, second);
  return {
    roles: table.columns.map((column) => roleOf(column, table, taken, series)),
    proposals: shown.map((proposal) => proposalOf(proposal, table)),
    isUncertain: isOpen && taken.evidence.score - second.evidence.score < NEAR,
  };
}

const areOther = (one: Scored, other: Scored): boolean =>
  one.groups?.columns.join() !== other.groups?.columns.join() || Boolean(one.across) !== Boolean(other.across);

function roleOf(column: Column, table: Table, taken: Scored, series: readonly ReadSeries[]): ColumnRole {
  const { name } = column;
  if (taken.axis.columns.includes(name)) return { column: name, role: 'time' };
  if (taken.groups?.columns.includes(name)) return { column: name, role: 'key' };
  if ((taken.across && taken.columns.includes(column)) || series.some(({ valueColumn }) => valueColumn === name)) {
    return { column: name, role: 'value' };
  }
  if (series[0]?.beside?.columns.some((beside) => beside.name === name) && !taken.columns.includes(column)) {
    return { column: name, role: 'covariate' };
  }
  return { column: name, role: 'left-out', reason: reasonOf(column, table).message };
}

function reasonOf(column: Column, table: Table): Phrase {
  if (column.filled === 0) return said`It is empty.`;
  if (isFlag(column)) return said`It contains yes or no.`;
  if (isNumeric(column) && isConstant(column)) return said`It is the same in all rows.`;
  const many = column.texts ? variety(column) : 0;
  if (many === 1) return said`It is the same in all rows.`;
  if (many * 2 > table.rows) return said`It differs in nearly every row.`;
  if (isNumeric(column) && isCodeName(column.name)) return said`It is a code, not a measurement.`;
  return column.times.length > 0 ? said`It is another time.` : said`It is not needed for this interpretation.`;
}

function proposalOf(proposal: Scored, table: Table): ReadingProposal {
  const { id, evidence, aggregate: resampling, areEvents = false } = proposal;
  const value = proposal.columns[0];
  return {
    id,
    label: labelOf(proposal).message,
    reasons: reasonsOf(proposal),
    layout: {
      reading: id,
      ...(areEvents && resampling && value ? { aggregate: resampling, valueColumns: [value.name] } : {}),
      ...(areEvents || proposal.across ? {} : { aggregate: null }),
    },
    series: evidence.series,
    points: evidence.points,
    ...previewOf(proposal, table),
  };
}

function labelOf({ axis, groups, across, aggregate: resampling, columns }: Scored): Phrase {
  const time = axis.columns.join(' + ');
  if (resampling) return sumInWords(resampling, columns[0]?.name);
  if (across)
    return axis.columns.length > 0
      ? said`Times in ${time} and in the header`
      : said`One series per row, times in the header`;
  if (axis.columns.length === 0) return said`Rows without a time`;
  return groups ? said`Series by ${groups.columns.join(', ')}, along ${time}` : said`One series along ${time}`;
}

function reasonsOf({ evidence }: Scored): string[] {
  const percent = (share: number) => Math.round(share * 100);
  return [
    said`${inDigits(evidence.points)} points per series`,
    said`${percent(evidence.regular)}% of the steps are even`,
    said`${percent(evidence.unique)}% of the rows have a unique time`,
  ].map(({ message }) => message);
}

const MOST_CELLS = 20_000;

function previewOf(proposal: Scored, table: Table): Pick<ReadingProposal, 'times' | 'values'> {
  const { axis, groups, across, aggregate: resampling } = proposal;
  const columns = across ? proposal.columns : proposal.columns.slice(0, 1);
  const read = columns.map((column) => (column.numbers ? valuesOf(column) : undefined));
  const points: (readonly [time: number, value: number])[] = [];
  for (let row = table.rows - 1; row >= 0 && points.length < MOST_CELLS; row--) {
    if ((groups?.codes[row] ?? 0) !== 0) continue;
    for (let index = 0; index < Math.max(1, columns.length); index++)
      points.push([across?.timeOf(row, index) ?? axis.times[row]!, read[index]?.[row] ?? (across ? NaN : 1)]);
  }
  const known = points.filter(([time]) => !Number.isNaN(time)).sort(([a], [b]) => a - b);
  const all = {
    times: Float64Array.from(known, ([time]) => time),
    values: Float64Array.from(known, ([, value]) => value),
  };
  const made = resampling && aggregate(all.times, all.values, resampling, { zone: axis.zone ?? UTC, partial: true });
  const { times, values } = made && known.length > 0 ? made : all;
  return { times: times.slice(-MOST_PREVIEWED), values: values.slice(-MOST_PREVIEWED) };
}

import { inDigits } from '../../calendar/digits.ts';
import { isRising } from '../../calendar/grid.ts';
import { UTC, zoneOf } from '../../calendar/zone.ts';
import { type Column, isConstant, isNumeric } from '../columns/column.ts';
import { DistinctNames, isCodeName } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { type Phrase, said } from '../phrase.ts';
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
import { type Scored, timesIn } from '../proposals/score.ts';
import { isFlag, variety } from '../proposals/values.ts';
import { aggregate } from '../series/aggregate.ts';
import { ordered } from '../series/build.ts';
import type { CellFinder } from '../text/rows.ts';
import { sumInWords, type TableContext } from './choices.ts';
import { type Locate, type PlaceName, ProblemList } from './problems.ts';
import { readTable, cellsOf } from './read.ts';

type RawFormat = Omit<DocumentFormat, 'decimal' | 'thousands' | 'dateFormat'>;

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
  const names = new DistinctNames();
  const series = found.flatMap((each) => each.series).map((each) => ({ ...each, id: names.of(each.id) }));
  const first = found.find((each) => each.series.length > 0);
  const [table] = tables;
  if (!first || !table) throw nothingToRead(tables, options.fileName);
  const columns = table.columns.map(({ name }) => name);
  return {
    format: { ...format, ...first.format },
    series,
    problems: sorted,
    problemCount: sorted.length + tables.reduce((more, each) => more + each.problemCount - each.problems.length, 0),
    // several tables may raise the same question
    choices: [...new Map(found.flatMap((each) => each.choices.map((one) => [one.question, one] as const))).values()],
    ...rolesAndProposals(table, found[0]!.proposals, series, options.layout),
    columns,
    ...(format.kind === 'csv' && tables.length === 1 ? extentOf(table, first.times) : {}),
    preview: table.preview,
    shape: JSON.stringify([format.kind, format.delimiter ?? null, format.header, columns]),
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
      ...(index === undefined ? {} : cells?.(line, index)),
      ...(place === undefined ? {} : { place }),
    };
  };
}

function contextOf(format: RawFormat, options: ReadOptions, problems: ProblemList): Omit<TableContext, 'locate'> {
  const { timeZone = 'file', layout = {}, fileName, missing } = options;
  const stem = fileName.replace(/^.*[\\/]/, '').replace(/(?<=.)\.[^.]*$/, '');
  return {
    layout,
    delimiter: format.delimiter,
    fallbackName: stem || 'Series',
    severity: missing === 'treat-as-missing' ? 'warning' : 'error',
    problems,
    shownZone: timeZone === 'file' ? undefined : zoneOf(timeZone),
  };
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
  return tables.every(({ rows }) => rows === 0)
    ? new SeriesError(
        'no-series',
        said`${fileName} has no data rows. Open a file with a column of times and a column of numbers.`,
      )
    : new SeriesError(
        'no-numbers',
        said`${fileName} has no column of numbers, so there is nothing to forecast. Open a file with at least one.`,
      );
}

const NEAR = 0.01;

function rolesAndProposals(
  table: Table,
  scored: readonly Scored[],
  series: readonly ReadSeries[],
  layout: LayoutChoice = {},
): Pick<SeriesDocument, 'roles' | 'proposals' | 'isUncertain'> {
  const [taken, second] = scored as [Scored, ...Scored[]];
  const shown = scored.slice(0, MOST_PROPOSALS).filter(({ evidence }) => evidence.points > 0);
  const shapeOf = ({ groups, across }: Scored) => `${groups?.columns.join()} ${across !== undefined}`;
  const isOpen = Object.keys(layout).length === 0 && second && shapeOf(taken) !== shapeOf(second);
  return {
    roles: table.columns.map((column) => ({ column: column.name, ...roleOf(column, table, taken, series) })),
    proposals: shown.map((proposal) => proposalOf(proposal, table)),
    isUncertain: Boolean(isOpen && taken.evidence.score - second.evidence.score < NEAR),
  };
}

function roleOf(
  column: Column,
  table: Table,
  { axis, groups, across, columns }: Scored,
  series: readonly ReadSeries[],
): Omit<ColumnRole, 'column'> {
  const { name } = column;
  if (axis.columns.includes(name)) return { role: 'time' };
  if (groups?.columns.includes(name)) return { role: 'key' };
  const isTaken = columns.includes(column);
  if ((across && isTaken) || series.some(({ valueColumn }) => valueColumn === name)) return { role: 'value' };
  const isBeside = !isTaken && series[0]?.beside?.columns.some((beside) => beside.name === name);
  return isBeside ? { role: 'covariate' } : { role: 'left-out', reason: reasonOf(column, table).message };
}

function reasonOf(column: Column, table: Table): Phrase {
  if (column.filled === 0) return said`It is empty.`;
  if (isFlag(column)) return said`It contains yes or no.`;
  if (isNumeric(column) && isConstant(column.numbers!.values)) return said`It is the same in all rows.`;
  const many = column.texts ? variety(column) : 0;
  if (many === 1) return said`It is the same in all rows.`;
  if (many * 2 > table.rows) return said`It differs in nearly every row.`;
  if (isNumeric(column) && isCodeName(column.name)) return said`It is a code, not a measurement.`;
  return column.times.length > 0 ? said`It is another time.` : said`It is not needed for this interpretation.`;
}

function proposalOf(proposal: Scored, table: Table): ReadingProposal {
  const { id, evidence, aggregate, areEvents = false, across, columns } = proposal;
  const [value] = columns;
  const percent = (share: number) => Math.round(share * 100);
  const reasons = [
    said`${inDigits(evidence.points)} points per series`,
    said`${percent(evidence.regular)}% of the steps are even`,
    said`${percent(evidence.unique)}% of the rows have a unique time`,
  ];
  return {
    id,
    label: labelOf(proposal).message,
    reasons: reasons.map(({ message }) => message),
    layout: {
      reading: id,
      ...(areEvents && aggregate && value ? { aggregate, valueColumns: [value.name] } : {}),
      ...(areEvents || across ? {} : { aggregate: null }),
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

const MOST_CELLS = 20_000;

function previewOf(proposal: Scored, table: Table): Pick<ReadingProposal, 'times' | 'values'> {
  const { axis, groups, across, aggregate: resampling } = proposal;
  const columns = across ? proposal.columns : proposal.columns.slice(0, 1);
  const width = Math.max(1, columns.length);
  const read = columns.map(({ numbers }) => numbers?.values);
  const last: number[] = [];
  for (let row = table.rows - 1; row >= 0 && last.length * width < MOST_CELLS; row--)
    if ((groups?.codes[row] ?? 0) === 0) last.push(row);
  const rows = Uint32Array.from(last).reverse();
  const times = cellsOf(rows, width, timesIn(proposal));
  const values = cellsOf(rows, width, (row, index) => read[index]?.[row] ?? (across ? NaN : 1));
  const made = resampling && aggregate(times, values, resampling, { zone: axis.zone ?? UTC, partial: true });
  const shown = made ?? ordered({ times, values });
  return { times: shown.times.slice(-MOST_PREVIEWED), values: shown.values.slice(-MOST_PREVIEWED) };
}

import { inDigits } from '../../calendar/digits.ts';
import { addSteps } from '../../calendar/frequency.ts';
import { inferFrequency, isRising, medianOf } from '../../calendar/grid.ts';
import { UTC, zoneOf } from '../../calendar/zone.ts';
import { type BadCell, Column, codesOf, isConstant, isNumeric, type TimeAxis } from '../columns/column.ts';
import { DistinctNames, isCodeName, isPlainName, isUnnamed } from '../columns/names.ts';
import { describeTimes } from '../columns/patterns.ts';
import type { Table } from '../columns/table.ts';
import { type Phrase, said } from '../phrase.ts';
import type { Proposal, Scored } from '../proposals/proposal.ts';
import { areSeriesRows, timesIn, isFlag, joinGroups, rowsByGroup, variety } from '../proposals/proposal.ts';
import { propose } from '../proposals/propose.ts';
import { MOST_OTHERS } from '../proposals/time-parts.ts';
import { aggregate } from '../series/aggregate.ts';
import { besideColumns, besideOf, buildSeries, ordered } from '../series/build.ts';
import type { CellFinder } from '../text/rows.ts';
import type {
  Choice,
  ColumnRole,
  DocumentFormat,
  LayoutChoice,
  ReadingProposal,
  ReadOptions,
  ReadSeries,
  Resampling,
  SeriesDocument,
} from '../types.ts';
import { choiceOf, MOST_PREVIEWED, MOST_PROPOSALS, SeriesError } from '../types.ts';
import { GRAINS } from '../values/dates.ts';
import { isTotalWord, namesTotal } from '../values/totals.ts';
import { choicesOf, plainColumn, readAll, readingChoice, sumInWords, type ValueColumn } from './choices.ts';
import { type Locate, noteOrder, noteTimes, type PlaceName, ProblemList, type TableContext } from './problems.ts';

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
    return readTable(table, contextOf(format, options, problems, locateIn(table, places)));
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
    const cell = index === undefined ? {} : cells?.(line, index);
    return { line, ...cell, ...(place === undefined ? {} : { place }) };
  };
}

function contextOf(format: RawFormat, options: ReadOptions, problems: ProblemList, locate: Locate): TableContext {
  const { timeZone = 'file', layout = {}, fileName, missing } = options;
  const stem = fileName.replace(/^.*[\\/]/, '').replace(/(?<=.)\.[^.]*$/, '');
  return {
    layout,
    delimiter: format.delimiter,
    fallbackName: stem || 'Series',
    severity: missing === 'treat-as-missing' ? 'warning' : 'error',
    problems,
    locate,
    tell: (row, column, words, severity = 'info') =>
      problems.add({ ...locate(row, column), ...words, severity, kind: 'note' }),
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
  const isEmpty = tables.every(({ rows }) => rows === 0);
  const words = isEmpty
    ? said`${fileName} has no data rows. Open a file with a column of times and a column of numbers.`
    : said`${fileName} has no column of numbers, so there is nothing to forecast. Open a file with at least one.`;
  return new SeriesError(isEmpty ? 'no-series' : 'no-numbers', words);
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
  return column.times.some(({ format }) => format.id !== 'dotted-clock')
    ? said`It is another time.`
    : said`It is not needed for this interpretation.`;
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

function readTable(table: Table, context: TableContext) {
  const { proposals, decimal: usual } = propose(table, context.layout, context.delimiter);
  const { axis, left, choices: ofTotals } = settleTotals(table, proposals[0]!, context);
  const proposal = { ...proposals[0]!, axis };
  const { across } = proposal;
  const read = readAll(proposal, left, context);
  noteTimes(axis, across ? [] : read, left, context);
  const { choices, columns, aggregate } = choicesOf(proposal, read, table, context);
  const ofReading = context.layout.reading === undefined ? readingChoice(proposals) : undefined;
  const source = { table, proposal, columns, left, aggregate, context };
  return {
    series: [...seriesOf(aggregate?.by === 'count' && proposal.areEvents ? ofRows(source) : source)],
    choices: [...(ofReading ? [ofReading] : []), ...ofTotals, ...choices],
    format: {
      decimal: columns[0]?.column.numbers?.decimal ?? usual ?? '.',
      thousands: columns.map(({ column }) => column.numbers?.group).find((group) => group !== undefined),
      // no single pattern writes the times of a forecast into a table whose times run across
      dateFormat: across ? undefined : describeTimes(axis),
    },
    times: axis.times,
    proposals,
  };
}

/** Counts rows, whatever the currency of their amounts. */
function ofRows(source: SourceTable): SourceTable {
  const { table, proposal } = source;
  const keys = proposal.groups?.columns.flatMap((key) => table.columns.filter(({ name }) => name === key)) ?? [];
  const columns = [plainColumn(new Column(''), new Float64Array(table.rows).fill(1))];
  return { ...source, proposal: { ...proposal, groups: joinGroups(keys) }, columns };
}

interface SourceTable {
  readonly table: Table;
  readonly proposal: Proposal;
  readonly columns: readonly ValueColumn[];
  readonly left: ReadonlySet<number>;
  readonly aggregate: Resampling | undefined;
  readonly context: TableContext;
}

function* seriesOf(source: SourceTable): Generator<ReadSeries, void> {
  const { table, proposal, columns, aggregate } = source;
  const { axis, across } = proposal;
  const taken = [...axis.columns, ...(proposal.groups?.columns ?? [])];
  const isPlain = !across && !aggregate;
  const besides = isPlain ? besideColumns(table.columns, columns, taken, source.context.layout) : [];
  const shared = sharedOf(source);
  const timeOf = timesIn(proposal);
  const width = across ? columns.length : 1;
  const timesOfAll = areSeriesRows(proposal) ? cellsOf(Uint32Array.of(0), width, timeOf) : undefined;
  for (const { name, rows, keys } of rowsOfSeries(source)) {
    const rowOf = (cell: number) => (rows ? rows[Math.floor(cell / width)]! : cell);
    const times = timesOfAll ?? (rows ? cellsOf(rows, width, timeOf) : axis.times);
    for (const own of across ? [columns] : columns.map((column) => [column])) {
      const built = buildSeries({
        ...shared,
        ...labelsOf(source, across ? undefined : own[0], name),
        keys,
        times,
        values: rows ? cellsOf(rows, width, (row, index) => own[index]!.values[row]!) : own[0]!.values,
        origin: originOf(source, own, rowOf),
      });
      if (!built) continue;
      if (own[0] === columns[0] && isPlain && hasProblems(built, times))
        noteOrder(source.context.problems, built, times, (cell) => table.lineOf(rowOf(cell)));
      const beside = besides.length > 0 ? besideOf(built, besides, times, rowOf) : undefined;
      yield beside ? { ...built, beside } : built;
    }
  }
}

const hasProblems = ({ timeKind, gaps, duplicates, outside }: ReadSeries, times: Float64Array): boolean =>
  timeKind !== 'row' && (gaps + duplicates + outside > 0 || !isRising(times));

function rowsOfSeries({ table, proposal }: SourceTable) {
  const { axis, across, groups: byKeys } = proposal;
  const groups = axis.grains ? { codes: axis.grains, names: GRAINS, columns: axis.columns } : byKeys;
  const timed = (rows: Uint32Array) => (across ? rows.filter((row) => !Number.isNaN(axis.times[row]!)) : rows);
  const all = across && timed(Uint32Array.from({ length: table.rows }, (_, row) => row));
  if (!groups) return [{ name: undefined, keys: undefined, rows: all }];
  const parts = table.columns
    .filter(({ name }) => groups === byKeys && groups.columns.includes(name))
    .map((column) => ({ name: column.name, ...codesOf(column) }));
  return rowsByGroup(groups).map((rows, code) => {
    const keys = Object.fromEntries(parts.map(({ name, codes, names }) => [name, names[codes[rows[0]!]!] ?? '']));
    return { name: groups.names[code], rows: timed(rows), keys: parts.length > 0 ? keys : undefined };
  });
}

function sharedOf({ proposal, aggregate, context: { shownZone, layout } }: SourceTable) {
  const { axis, across, groups, areEvents } = proposal;
  return {
    timeKind: across?.timeKind ?? axis.kind,
    zone: axis.zone,
    shownZone,
    frequency: layout.frequency,
    closed: layout.closed,
    timeColumn: axis.columns.join(' + ') || undefined,
    idColumn: groups && !areSeriesRows(proposal) ? groups.columns.join('/') : undefined,
    aggregate,
    areEvents: aggregate && areEvents,
    // what is known of the end of a file is known of all of its series
    until: across ? undefined : axis.times.reduce((most, time) => (time > most ? time : most), -Infinity),
  };
}

function cellsOf(rows: Uint32Array, width: number, of: (row: number, index: number) => number): Float64Array {
  const cells = new Float64Array(rows.length * width);
  let cell = 0;
  for (const row of rows) for (let index = 0; index < width; index++) cells[cell++] = of(row, index);
  return cells;
}

function originOf(
  { table, proposal: { axis }, left }: SourceTable,
  own: readonly ValueColumn[],
  rowOf: (cell: number) => number,
) {
  const { otherOffsets } = axis;
  const isTreated = (cell: number) => own[cell % own.length]!.treated.has(rowOf(cell));
  return {
    lineOf: (cell: number) => table.lineOf(rowOf(cell)),
    isTreated: own.some(({ treated }) => treated.size > 0) ? isTreated : undefined,
    isTotal: left.size > 0 ? (cell: number) => left.has(rowOf(cell)) : undefined,
    otherOffset: otherOffsets && ((cell: number) => otherOffsets[rowOf(cell)]!),
  };
}

function labelsOf(
  { table, proposal, columns, aggregate, context: { fallbackName } }: SourceTable,
  value: ValueColumn | undefined,
  group: string | undefined,
) {
  if (aggregate?.by === 'count' && proposal.areEvents && group === undefined)
    return { id: fallbackName, name: fallbackName };
  const column = value?.column.name ?? '';
  const several = value !== undefined && columns.length > 1;
  const own = isUnnamed(column) && !several ? fallbackName : column;
  const above = group || table.name;
  const id = !above ? own : several ? `${above}/${own}` : above;
  // “y” or “value” says nothing to a person; the file's name does
  const plain = id === column && !several && isPlainName(id);
  const name = proposal.axis.grains ? `${column}, ${id}` : plain ? fallbackName : id;
  return { id, name, valueColumn: column || undefined };
}

/** Two rows and their sum prove nothing. */
const LEAST_SUMMED = 3;

/** Rows without a time that are called totals, in any column of texts, or whose number is the sum of all others, or of a block. */
function findTotals(table: Table, { axis, columns }: Proposal): BadCell[] {
  if (axis.kind === 'row') return [];
  const labels = new Map(axis.bad.map(({ row, text }) => [row, text]));
  const [timed, untimed]: [number[], number[]] = [[], []];
  for (const [row, time] of axis.times.entries()) (Number.isNaN(time) ? untimed : timed).push(row);
  if (untimed.length === 0 || untimed.length > Math.max(1, axis.times.length * MOST_OTHERS)) return [];
  return untimed.flatMap((row, at): BadCell[] => {
    const text = labels.get(row) ?? '';
    const label = namesTotal(text) ? text : table.columns.map((column) => textAt(column, row)).find(isTotalWord);
    if (label !== undefined) return [{ row, text: label }];
    const [before = -1, after = axis.times.length] = [untimed[at - 1], untimed[at + 1]];
    const [above, below] = [range(before + 1, row), range(row + 1, after)];
    // that of all rows is the first or the last
    const all = at === 0 || at === untimed.length - 1 ? timed : [];
    const isSum = columns.some((column) => [all, above, below].some((rows) => isSumOf(column, row, rows)));
    return isSum ? [{ row, text }] : [];
  });
}

function textAt({ texts, times }: Column, row: number): string {
  if (texts) return [...texts.numbers.keys()][texts.codes.all()[row]!] ?? '';
  return times[0]?.reading.bad.find((cell) => cell.row === row)?.text ?? '';
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

function isSumOf({ numbers }: Column, row: number, rows: readonly number[]): boolean {
  if (!numbers) return false;
  const others = rows.map((each) => numbers.values[each]!).filter((value) => !Number.isNaN(value));
  const sum = others.reduce((all, value) => all + value, 0);
  const size = others.reduce((all, value) => all + Math.abs(value), 0);
  // sums of rounded numbers are off by less than a millionth of what was added
  return others.length >= LEAST_SUMMED && sum !== 0 && Math.abs(numbers.values[row]! - sum) <= 1e-6 * size;
}

function settleTotals(table: Table, proposal: Proposal, { layout, locate, problems }: TableContext) {
  const { axis, across } = proposal;
  const totals = findTotals(table, proposal);
  const isTaken = layout.totals === 'take' && !across;
  for (const { row, text } of totals) {
    const words = () => {
      const sum = said`This row has no time and contains the sum of the others`;
      const why = text === '' ? sum : said`“${text}” is in place of a time`;
      return isTaken ? said`${why}; it was included as one more step.` : said`${why}; it was left out as a total.`;
    };
    problems.note({ kind: 'note', severity: 'info' }, locate(row, axis.columns[0] ?? ''), words);
  }
  const rows = new Set(totals.map(({ row }) => row));
  const bad = axis.bad.filter(({ row }) => !rows.has(row));
  const badCount = axis.badCount - (axis.bad.length - bad.length);
  const [first] = totals;
  return {
    axis: { ...axis, bad, badCount, times: isTaken ? withSteps(axis, rows) : axis.times },
    left: isTaken ? new Set<number>() : rows,
    choices: first && !across ? [totalsChoice(first, table.lineOf(first.row))] : [],
  };
}

function withSteps(axis: TimeAxis, rows: ReadonlySet<number>): Float64Array {
  const known = axis.times.filter((time) => !Number.isNaN(time)).sort();
  const frequency = inferFrequency(known);
  const spacing = medianOf(known.subarray(1).map((time, index) => time - known[index]!));
  const step = (time: number, steps: number) => (frequency ? addSteps(time, frequency, steps) : time + steps * spacing);
  const times = axis.times.slice();
  for (const row of rows) {
    const before = times.subarray(0, row).findLast((time) => !Number.isNaN(time));
    const after = times.subarray(row).find((time) => !Number.isNaN(time));
    times[row] = before === undefined ? step(after ?? NaN, -1) : step(before, 1);
  }
  return times;
}

const totalsChoice = ({ text }: BadCell, line: number): Choice =>
  choiceOf(
    'totals',
    text === ''
      ? said`Is the row without a time (line ${line}) a total of the others?`
      : said`Is the row “${text}” (line ${line}) a total of the others?`,
    [
      [said`Leave it out`, { totals: 'leave' }, said`It is a total of the other rows`],
      [said`Include it`, { totals: 'take' }, said`It is one more step of the series`],
    ],
  );

import { DAY } from '../../calendar/civil.ts';
import { addSteps } from '../../calendar/frequency.ts';
import { isRising, inferFrequency, medianOf } from '../../calendar/grid.ts';
import { type TimeAxis, type BadCell, Column } from '../columns/column.ts';
import { describeTimes } from '../columns/patterns.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { type LayoutChoice, type ReadSeries, type Resampling, type Choice, choiceOf } from '../types.ts';
import { proposeAcross } from '../proposals/across.ts';
import { score, type Scored, areSeriesRows, type Proposal, timesIn } from '../proposals/score.ts';
import { proposeLong } from '../proposals/long.ts';
import { choicesOf, readingChoice, plainColumn, readAll, type TableContext, type ValueColumn } from './choices.ts';
import { isPlainName, isUnnamed } from '../columns/names.ts';
import { codesOf, rowsByGroup } from '../proposals/values.ts';
import { besideColumns, besideOf, buildSeries } from '../series/build.ts';
import { GRAINS } from '../values/dates.ts';
import { noteOrder } from './problems.ts';
import { isTotalWord, namesTotal } from '../values/totals.ts';

const isPoor = ({ points }: Scored['evidence']): boolean => points <= 1;

/** All readings of a table, the best first. @throws SeriesError @param hint of what a date of small numbers is */
function propose(table: Table, layout: LayoutChoice, hint: 'dmy' | 'mdy'): readonly Scored[] {
  const all = [...proposeLong(table, layout, hint), ...proposeAcross(table, layout, hint)];
  const scored = all.map((each) => ({ ...each, evidence: score(each, table) }));
  const sorted = scored.toSorted(
    (a, b) => Number(isPoor(a.evidence)) - Number(isPoor(b.evidence)) || b.evidence.score - a.evidence.score,
  );
  const wanted = sorted.find(({ id }) => id === layout.reading);
  return wanted ? [wanted, ...sorted.filter((each) => each !== wanted)] : sorted;
}

export function readTable(table: Table, context: TableContext) {
  const usual = table.settle(context.layout, context.delimiter);
  const hint = context.delimiter === ';' || usual === ',' ? 'dmy' : 'mdy';
  const proposals = propose(table, context.layout, hint);
  const { axis, left, choices: ofTotals } = settleTotals(table, proposals[0]!, context);
  const proposal = { ...proposals[0]!, axis };
  const { across } = proposal;
  const read = readAll(proposal.columns, left, context);
  noteTimes(axis, across ? [] : read, left, context);
  const { choices, columns, aggregate } = choicesOf(proposal, read, table, context);
  const ofReading = context.layout.reading === undefined ? readingChoice(proposals) : undefined;
  const isCount = aggregate && proposal.areEvents && columns.length === 0;
  const values = isCount ? [plainColumn(new Column(''), new Float64Array(table.rows).fill(1))] : columns;
  return {
    series: [...seriesOf({ table, proposal, columns: values, left, aggregate, context })],
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

const MOST_NOTED = 1000;

function noteTimes(
  axis: TimeAxis,
  columns: readonly ValueColumn[],
  left: ReadonlySet<number>,
  { problems, locate, severity }: TableContext,
): void {
  const {
    bad,
    badCount,
    times,
    format,
    columns: [about = ''],
  } = axis;
  const cause = { kind: 'not-a-time', severity, about } as const;
  problems.noteCells(cause, bad, badCount, locate);
  if (format === 'clock' && times[0]! < DAY) {
    const words = said`The times have no date; the first day is shown as 1 January 1970.`;
    problems.add({ ...locate(0, about), ...words, severity: 'info', kind: 'note' });
  }
  const known = new Set([...bad.map(({ row }) => row), ...left]);
  const isTimeless = (row: number) =>
    Number.isNaN(times[row]!) && !known.has(row) && columns.some(({ values }) => !Number.isNaN(values[row]!));
  const cells = [];
  for (let row = 0; row < times.length && cells.length < MOST_NOTED; row++)
    if (isTimeless(row)) cells.push({ row, text: '' });
  problems.noteCells(cause, cells, cells.length, locate);
}

interface SourceTable {
  readonly table: Table;
  readonly proposal: Proposal;
  readonly columns: readonly ValueColumn[];
  readonly left: ReadonlySet<number>;
  readonly aggregate: Resampling | undefined;
  readonly context: TableContext;
}

export function* seriesOf(source: SourceTable): Generator<ReadSeries, void> {
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
      // problems with the order of the rows are the same for all columns
      if (own[0] === columns[0] && isPlain && hasProblems(built, times))
        noteOrder(source.context.problems, built, { times, lineOf: (cell) => table.lineOf(rowOf(cell)) });
      const beside = besides.length > 0 ? besideOf(built, besides, times, rowOf) : undefined;
      yield beside ? { ...built, beside } : built;
    }
  }
}

const hasProblems = ({ timeKind, gaps, duplicates, outside }: ReadSeries, times: Float64Array): boolean =>
  timeKind !== 'row' && (gaps > 0 || duplicates > 0 || outside > 0 || !isRising(times));

function rowsOfSeries({ table, proposal }: SourceTable) {
  const { axis, across, groups: byKeys } = proposal;
  const groups = axis.grains ? { codes: axis.grains, names: GRAINS, columns: axis.columns } : byKeys;
  const timed = (rows: Uint32Array) => (across ? rows.filter((row) => !Number.isNaN(axis.times[row]!)) : rows);
  if (!groups)
    return [
      {
        name: undefined,
        keys: undefined,
        rows: across && timed(Uint32Array.from({ length: table.rows }, (_, row) => row)),
      },
    ];
  const parts = table.columns
    .filter(({ name }) => groups === byKeys && groups.columns.includes(name))
    .map((column) => ({ name: column.name, ...codesOf(column) }));
  return rowsByGroup(groups).map((rows, code) => ({
    name: groups.names[code]!,
    rows: timed(rows),
    keys:
      parts.length > 0
        ? Object.fromEntries(parts.map(({ name, codes, names }) => [name, names[codes[rows[0]!]!] ?? '']))
        : undefined,
  }));
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

export function cellsOf(rows: Uint32Array, width: number, of: (row: number, index: number) => number): Float64Array {
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
  // each of them costs a look at every row
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
  return { id, name, valueColumn: value && column };
}

const MOST = 0.25;
/** Two rows and their sum prove nothing. */
const LEAST_SUMMED = 3;

/** Rows without a time that are called totals, in any column of texts, or whose number is the sum of all others. */
function findTotals(table: Table, { axis, across, columns }: Proposal): BadCell[] {
  if (axis.kind === 'row') return [];
  const labels = new Map(axis.bad.map(({ row, text }) => [row, text]));
  const untimed: number[] = [];
  for (let row = 0; row < axis.times.length; row++) if (Number.isNaN(axis.times[row]!)) untimed.push(row);
  if (untimed.length === 0 || untimed.length > Math.max(1, axis.times.length * MOST)) return [];
  return untimed.flatMap((row): BadCell[] => {
    const text = labels.get(row) ?? '';
    const label = namesTotal(text) ? text : table.columns.map((column) => textAt(column, row)).find(isTotalWord);
    if (label !== undefined) return [{ row, text: label }];
    const maySum = text === '' && untimed.length === 1 && !across;
    return maySum && columns.some((column) => isSumOfOthers(column, row)) ? [{ row, text: '' }] : [];
  });
}

function textAt({ texts, times }: Column, row: number): string {
  if (texts) return [...texts.numbers.keys()][texts.codes.all()[row]!] ?? '';
  return times[0]?.reading.bad.find((cell) => cell.row === row)?.text ?? '';
}

function isSumOfOthers(column: Column, row: number): boolean {
  if (!column.numbers) return false;
  const { values } = column.numbers;
  const others = values.filter((value, index) => index !== row && !Number.isNaN(value));
  const sum = others.reduce((all, value) => all + value, 0);
  const size = others.reduce((all, value) => all + Math.abs(value), 0);
  // sums of rounded numbers are off by less than a millionth of what was added
  return others.length >= LEAST_SUMMED && sum !== 0 && Math.abs(values[row]! - sum) <= 1e-6 * size;
}

function settleTotals(table: Table, proposal: Proposal, { layout, locate, problems }: TableContext) {
  const { axis, across } = proposal;
  const totals = findTotals(table, proposal);
  const isTaken = layout.totals === 'take' && !across;
  for (const { row, text } of totals) {
    const words = () => {
      const why =
        text === ''
          ? said`This row has no time and contains the sum of the others`
          : said`“${text}” is in place of a time`;
      return isTaken ? said`${why}; it was included as one more step.` : said`${why}; it was left out as a total.`;
    };
    problems.note({ kind: 'note', severity: 'info' }, locate(row, axis.columns[0] ?? ''), words);
  }
  const rows = new Set(totals.map(({ row }) => row));
  const bad = axis.bad.filter(({ row }) => !rows.has(row));
  const settled = { ...axis, bad, badCount: axis.badCount - (axis.bad.length - bad.length) };
  const [first] = totals;
  return {
    axis: isTaken ? { ...settled, times: withSteps(axis, rows) } : settled,
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

import Papa from 'papaparse';
import type { DocumentFormat, ReadSeries } from '../types.ts';
import { defuse } from '../values/numbers.ts';
import { writtenTimes } from './times.ts';

/** A series or a forecast to write. Both arrays, and those of the quantiles, have the same length. */
export interface WritableSeries {
  readonly id: string;
  readonly valueColumn?: string;
  readonly timeColumn?: string;
  readonly idColumn?: string;
  readonly timeKind: ReadSeries['timeKind'];
  readonly timeZone?: string;
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly quantiles?: Readonly<Record<string, ArrayLike<number>>>;
  readonly file?: string;
  /** Of a forecast: what its columns are called, and the history to write before it in the column of the values. */
  readonly forecast?: { readonly names: ColumnNames; readonly history?: Pick<WritableSeries, 'times' | 'values'> };
}

export function writeSeries(series: readonly WritableSeries[], format: DocumentFormat): string {
  const layout = layoutOf(series);
  const [start, , end] = frameOf(layout, format);
  return [start, ...writtenRows(series, layout, format), end].join('');
}

/** What stands before, between and after the rows of the pieces of a file. */
export function frameOf(layout: Layout, format: DocumentFormat): readonly [string, string, string] {
  if (format.kind !== 'csv') return format.kind === 'json' ? ['[\n', ',\n', '\n]\n'] : ['', '', ''];
  const { head, plain } = tableOf([], layout, format);
  return [format.header || !plain ? delimited([head.map(defuse)], format) : '', '', ''];
}

/** Of series that can be written by themselves, see {@link piecesOf}. */
export function* writtenRows(series: readonly WritableSeries[], layout: Layout, format: DocumentFormat) {
  const { head, rows } = tableOf(series, layout, format);
  if (format.kind === 'csv') return yield* delimitedParts(head.length === 1, rows, format);
  const [indent, between, end] = format.kind === 'json' ? ['  ', ',\n', ''] : ['', '', '\n'];
  let before = '';
  for (const row of rows) {
    const object = Object.fromEntries(row.map((cell, index) => [head[index]!, asJson(cell)]));
    yield `${before}${indent}${JSON.stringify(object)}${end}`;
    before = between;
  }
}

export type Cell = string | number;

const named = (name: string | undefined, other: string): string =>
  name === undefined || /^Column \d+$/.test(name) ? other : name;
const columnOf = ({ valueColumn }: WritableSeries) => named(valueColumn, 'value');

export function groupOf(series: WritableSeries): string {
  const ending = `/${series.valueColumn ?? ''}`;
  return series.id.endsWith(ending) ? series.id.slice(0, -ending.length) : series.id;
}

const timesOf = (series: readonly WritableSeries[]): readonly number[] => {
  const all = series.flatMap(({ times, forecast }) => [forecast?.history?.times ?? [], times]);
  return [...new Set(all.flatMap((times) => Array.from(times)))].sort((a, b) => a - b);
};

/** Whether each series has all times between its own first and last: side by side, no cell in between would be empty. */
function goTogether(series: readonly WritableSeries[]): boolean {
  const places = new Map(timesOf(series).map((time, place) => [time, place]));
  const placeOf = (time = NaN) => places.get(time) ?? 0;
  return series.every((one) => {
    const own = timesOf([one]);
    return placeOf(own.at(-1)) - placeOf(own[0]) === Math.max(0, own.length - 1);
  });
}

export type Layout = ReturnType<typeof layoutOf>;

/** What a series tells about the table: it goes to the thread with each piece, so it has none of the points. */
function withoutPoints({ quantiles: _, forecast, ...series }: WritableSeries): WritableSeries {
  const none = { times: [], values: [] };
  const { names, history } = forecast ?? {};
  return { ...series, ...none, ...(names && { forecast: { names, ...(history && { history: none }) } }) };
}

/** What a table has to be like for all of the series: the rows of each group can then be written by themselves. */
export function layoutOf(series: readonly WritableSeries[]) {
  const areFiles = series.some(({ file }) => file !== undefined);
  const isLong = areFiles || series[0]?.idColumn !== undefined || !goTogether(series);
  const areNamed = isLong || new Set(series.map(columnOf)).size === series.length;
  const layout = { first: series.slice(0, 1).map(withoutPoints).at(0), areFiles, isLong, areNamed };
  const columns = [...new Set(series.map((one) => nameOf(one, layout)))];
  return { ...layout, columns, levels: [...new Set(series.flatMap(({ quantiles = {} }) => Object.keys(quantiles)))] };
}

const nameOf = (one: WritableSeries, { areFiles, areNamed }: { areFiles: boolean; areNamed: boolean }): string =>
  areFiles ? 'value' : areNamed ? columnOf(one) : one.id;

const groupsOf = (series: readonly WritableSeries[], { areFiles, isLong }: Layout) =>
  areFiles ? series.map((one) => [one]) : isLong ? [...Map.groupBy(series, groupOf).values()] : [series];

/** Series that can be written one piece after the other, as their rows do not mix. */
export function* piecesOf(series: readonly WritableSeries[], layout: Layout, most = 5_000) {
  let [piece, rows]: [(readonly WritableSeries[])[], number] = [[], 0];
  for (const group of groupsOf(series, layout)) {
    piece.push(group);
    for (const { times, forecast } of group) rows += times.length + (forecast?.history?.times.length ?? 0);
    if (rows < most) continue;
    yield piece.flat();
    [piece, rows] = [[], 0];
  }
  if (piece.length > 0) yield piece.flat();
}

export function tableOf(series: readonly WritableSeries[], layout: Layout, format: DocumentFormat) {
  const { first, areFiles, isLong, columns } = layout;
  if (!first) return { head: [], rows: [], plain: true };
  const lists = listsOf(layout.levels, first);
  const isTimed = areFiles || first.timeKind !== 'row' || first.timeColumn !== undefined;
  const prefix = (column: string, name: string) =>
    columns.length > 1 && name !== column ? `${column}${first.forecast ? '_' : ' '}${name}` : name;
  const head = [
    ...(areFiles ? ['file', 'series'] : isLong ? [first.idColumn ?? 'series'] : []),
    ...(isTimed
      ? [areFiles ? 'timestamp' : first.timeColumn?.includes(' + ') ? 'time' : named(first.timeColumn, 'time')]
      : []),
    ...columns.flatMap((column) => lists.map(({ name }) => prefix(column, name(column)))),
  ];
  const rowsOf = (group: readonly WritableSeries[]) => {
    const times = timesOf(group);
    const [{ file = '', id }] = group as [WritableSeries];
    const keys = areFiles ? [file, id] : isLong ? [groupOf(group[0]!)] : [];
    const written = writtenTimes({ ...group[0]!, times }, areFiles ? 'YYYY-MM-DD' : format.dateFormat);
    const inColumns = columns.map((column) => group.find((one) => nameOf(one, layout) === column));
    const cells = inColumns.flatMap((one) => lists.map(({ of }) => cellsByTime(one && of(one))));
    return times.map((time, row) => [
      ...keys,
      ...(isTimed ? [written[row]!] : []),
      ...cells.map((own) => own.get(time) ?? NaN),
    ]);
  };
  function* rows() {
    for (const group of groupsOf(series, layout)) yield* rowsOf(group);
  }
  return { head, rows: rows(), plain: !isLong && lists.length === 1 && columns.length === 1 };
}

type Points = Pick<WritableSeries, 'times' | 'values'>;

const cellsByTime = (points: Points | undefined): ReadonlyMap<number, number> =>
  new Map(Array.from(points?.times ?? [], (time, row) => [time, points?.values[row] ?? NaN]));

function listsOf(levels: readonly string[], { forecast }: WritableSeries) {
  const listOf = (name?: string, level?: string) => ({
    name: (column: string) => name ?? column,
    of: ({ times, values, quantiles }: WritableSeries): Points | undefined => ({
      times,
      values: level === undefined ? values : (quantiles?.[level] ?? []),
    }),
  });
  if (!forecast) return [listOf(), ...levels.map((level) => listOf(level, level))];
  const past: ReturnType<typeof listOf> = {
    name: (column) => (column === FORECAST ? 'value' : column),
    of: (series) => series.forecast?.history,
  };
  const future = forecastColumns(levels, forecast.names).map(({ name, level }) => listOf(name, level));
  return [...(forecast.history ? [past] : []), ...future];
}

export function asJson(cell: Cell): Cell | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  return /^\d{9,}(?:\.\d+)?$/.test(cell) && String(Number(cell)) === cell ? Number(cell) : cell;
}

/** A cell of delimited text; three decimals get a fourth, lest they look like a group of thousands. */
export function cellText(cell: Cell, decimal: '.' | ',', delimiter: string): string {
  if (typeof cell === 'string') return defuse(cell);
  if (!Number.isFinite(cell)) return '';
  const text = String(cell);
  const isClear = (decimal === '.' && delimiter === ',') || !/^-?[1-9]\d{0,2}\.\d{3}$/.test(text);
  const written = isClear ? text : `${text}0`;
  return decimal === ',' ? written.replace('.', ',') : written;
}

function* delimitedParts(isSingle: boolean, rows: Iterable<readonly Cell[]>, format: DocumentFormat) {
  let some: string[][] = [];
  for (const row of rows) {
    some.push(
      row.map((cell) => cellText(cell, format.decimal, separatorOf(isSingle, format)) || (isSingle ? 'NA' : '')),
    );
    if (some.length < SOME) continue;
    yield delimited(some, format);
    some = [];
  }
  if (some.length > 0) yield delimited(some, format);
}

// Runs of blanks cannot hold an empty cell or a time with a blank.
const separatorOf = (isSingle: boolean, { delimiter: given }: DocumentFormat): string =>
  isSingle ? ',' : given === ' ' || !given ? '\t' : given;

const delimited = (rows: string[][], format: DocumentFormat): string =>
  `${Papa.unparse(rows, { delimiter: separatorOf(rows[0]!.length === 1, format), newline: '\n' })}\n`;

const SOME = 1000;

export const PLAIN_FORMAT: DocumentFormat = {
  kind: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  decimal: '.',
  dateFormat: 'YYYY-MM-DD[T]HH:mm:ss[Z]',
  header: true,
  skippedLines: 0,
};

export function plainTable(rows: readonly (readonly (string | number | undefined)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? defuse(cell) : (cell ?? ''))));
  return `${Papa.unparse(cells, { newline: '\n' })}\n`;
}

export type ColumnNames = 'limits' | 'quantiles';

export interface WritingOptions {
  readonly names: ColumnNames;
  readonly withHistory: boolean;
}

const FORECAST = 'forecast';

/** `lower_95, lower_80, forecast, upper_80, upper_95`, or quantiles after the forecast. @param levels such as `0.025` */
export function forecastColumns(
  levels: readonly string[],
  names: ColumnNames,
): readonly { readonly name: string; readonly level: string | undefined }[] {
  const rising = levels.toSorted((a, b) => Number(a) - Number(b));
  const median = { name: FORECAST, level: undefined };
  if (names === 'quantiles') return [median, ...rising.map((level) => ({ name: level, level }))];
  const named = rising.map((level) => {
    const tail = Math.min(Number(level), 1 - Number(level));
    const isPaired = rising.some((other) => Math.abs(Number(other) + Number(level) - 1) < 1e-9);
    const percent = Number(((1 - 2 * tail) * 100).toPrecision(6));
    const name = isPaired ? `${Number(level) < 0.5 ? 'lower' : 'upper'}_${percent}` : `quantile_${level}`;
    return { name, level };
  });
  const at = named.findIndex(({ level }) => Number(level) > 0.5);
  return at < 0 ? [...named, median] : [...named.slice(0, at), median, ...named.slice(at)];
}

interface Interval {
  readonly level: number;
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
}

export function writtenForecast(
  { values, intervals }: Pick<WritableSeries, 'values'> & { readonly intervals: readonly Interval[] },
  decimals: number,
) {
  const limits = intervals.flatMap(({ level, lower, upper }) => {
    const tail = (1 - level / 100) / 2;
    return [
      [tail, rounded(lower, decimals)],
      [1 - tail, rounded(upper, decimals)],
    ] as const;
  });
  const rising = limits
    .toSorted(([a], [b]) => a - b)
    .map(([level, all]) => [Number(level.toPrecision(6)), all] as const);
  return { values: rounded(values, decimals), quantiles: Object.fromEntries(rising) as Record<string, number[]> };
}

/** A list, as thousands of typed arrays of a few numbers take several times its memory. */
export const rounded = (values: ArrayLike<number>, decimals: number): number[] =>
  Array.from(values, (value) => (Math.abs(value) < 1e15 ? Number(value.toFixed(decimals)) : value));

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

export const writeSeries = (series: readonly WritableSeries[], format: DocumentFormat): string =>
  [...writtenParts(series, format)].join('');

export function writtenParts(series: readonly WritableSeries[], format: DocumentFormat): Iterable<string> {
  const table = tableOf(series, format);
  return format.kind === 'csv' ? delimitedParts(table, format) : jsonParts(table, format.kind === 'ndjson');
}

function* jsonParts({ head, rows }: ReturnType<typeof tableOf>, areLines: boolean): Iterable<string> {
  const [start, indent, between, end] = areLines ? ['', '', '\n', '\n'] : ['[\n', '  ', ',\n', '\n]\n'];
  let before = start;
  for (const row of rows) {
    const object = Object.fromEntries(row.map((cell, index) => [head[index]!, asJson(cell)]));
    yield `${before}${indent}${JSON.stringify(object)}`;
    before = between;
  }
  if (before === between) yield end;
  else if (!areLines) yield `${start}${end}`;
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

export function tableOf(series: readonly WritableSeries[], format: DocumentFormat) {
  const [first] = series;
  if (!first) return { head: [], rows: [], plain: true };
  const areFiles = series.some(({ file }) => file !== undefined);
  const isLong = areFiles || first.idColumn !== undefined || !goTogether(series);
  const areNamed = isLong || new Set(series.map(columnOf)).size === series.length;
  const nameOf = (one: WritableSeries) => (areFiles ? 'value' : areNamed ? columnOf(one) : one.id);
  const columns = [...new Set(series.map(nameOf))];
  const lists = listsOf(series);
  const isTimed = areFiles || first.timeKind !== 'row';
  const prefix = (column: string, name: string) =>
    columns.length > 1 && name !== column ? `${column}${first.forecast ? '_' : ' '}${name}` : name;
  const head = [
    ...(areFiles ? ['file', 'series'] : isLong ? [first.idColumn ?? 'series'] : []),
    ...(isTimed
      ? [areFiles ? 'timestamp' : first.timeColumn?.includes(' + ') ? 'time' : named(first.timeColumn, 'time')]
      : []),
    ...columns.flatMap((column) => lists.map(({ name }) => prefix(column, name(column)))),
  ];
  const groups = areFiles ? series.map((one) => [one]) : isLong ? [...Map.groupBy(series, groupOf).values()] : [series];
  const rowsOf = (group: readonly WritableSeries[]) => {
    const times = timesOf(group);
    const [{ file = '', id }] = group as [WritableSeries];
    const keys = areFiles ? [file, id] : isLong ? [groupOf(group[0]!)] : [];
    const written = writtenTimes({ ...group[0]!, times }, areFiles ? 'YYYY-MM-DD' : format.dateFormat);
    const inColumns = columns.map((column) => group.find((one) => nameOf(one) === column));
    const cells = inColumns.flatMap((one) => lists.map(({ of }) => cellsByTime(one && of(one))));
    return times.map((time, row) => [
      ...keys,
      ...(isTimed ? [written[row]!] : []),
      ...cells.map((own) => own.get(time) ?? NaN),
    ]);
  };
  function* rows() {
    for (const group of groups) yield* rowsOf(group);
  }
  return { head, rows: rows(), plain: !isLong && lists.length === 1 && columns.length === 1 };
}

type Points = Pick<WritableSeries, 'times' | 'values'>;

const cellsByTime = (points: Points | undefined): ReadonlyMap<number, number> =>
  new Map(Array.from(points?.times ?? [], (time, row) => [time, points?.values[row] ?? NaN]));

function listsOf(all: readonly WritableSeries[]) {
  const levels = [...new Set(all.flatMap(({ quantiles = {} }) => Object.keys(quantiles)))];
  const forecast = all[0]?.forecast;
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

function* delimitedParts(
  { head, rows, plain }: ReturnType<typeof tableOf>,
  { delimiter: given, decimal, header }: DocumentFormat,
): Iterable<string> {
  const single = head.length === 1;
  // Runs of blanks cannot hold an empty cell or a time with a blank.
  const delimiter = single ? ',' : given === ' ' || !given ? '\t' : given;
  const isHeaded = header || !plain;
  let some = isHeaded ? [head.map(defuse)] : [];
  const text = () => `${Papa.unparse(some, { delimiter, newline: '\n' })}\n`;
  for (const row of rows) {
    some.push(row.map((cell) => cellText(cell, decimal, delimiter) || (single ? 'NA' : '')));
    if (some.length < SOME) continue;
    yield text();
    some = [];
  }
  if (some.length > 0) yield text();
}

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

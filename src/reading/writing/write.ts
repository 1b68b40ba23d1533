import { defuse } from '../values/formulas.ts';
import Papa from 'papaparse';
import type { WrittenZone } from '../../calendar/clock.ts';
import { isoInstant } from '../../calendar/format.ts';
import { UTC, zoneOf, type Zone } from '../../calendar/zone.ts';
import { MIXED_PERIODS, TIME_FORMATS } from '../values/dates.ts';
import { formatPattern, type TimePattern } from '../columns/patterns.ts';
import type { DocumentFormat, ReadSeries } from '../types.ts';
import { FORECAST, forecastColumns, type ColumnNames } from './forecast-columns.ts';

/** A series or a forecast to write. Both arrays, and those of the quantiles, have the same length. */
export interface WritableSeries {
  readonly id: string;
  readonly valueColumn?: string;
  readonly timeColumn?: string;
  /** Name of the column of ids, where the series came from a long table. */
  readonly idColumn?: string;
  readonly timeKind: ReadSeries['timeKind'];
  /** The zone that its times are written in; UTC where this is absent. */
  readonly timeZone?: string;
  /** Epoch milliseconds, UTC. */
  readonly times: ArrayLike<number>;
  /** `NaN` where a value is missing. */
  readonly values: ArrayLike<number>;
  /** Further columns of numbers, such as `0.1` and `0.9` for the quantiles of a forecast. */
  readonly quantiles?: Readonly<Record<string, ArrayLike<number>>>;
  /** The file it came from, where the series of one document come from several. */
  readonly file?: string;
  /** Of a forecast: what its columns are called, and the history to write before it in the column of the values. */
  readonly forecast?: { readonly names: ColumnNames; readonly history?: Pick<WritableSeries, 'times' | 'values'> };
}

/**
 * Writes series as a document of the given format: its delimiter, date format, decimal sign and column names. Series stand
 * side by side, those of a long table (or of times that do not go together) below each other with a column of ids. Texts
 * that a spreadsheet would run as formulas are defused. What is written reads back as the same series.
 */
export function writeSeries(series: readonly WritableSeries[], format: DocumentFormat): string {
  const table = tableOf(series, format);
  if (format.kind === 'csv') return writeDelimited(table, format);
  const objects = table.rows.map((row) =>
    JSON.stringify(Object.fromEntries(row.map((cell, index) => [table.head[index]!, asJson(cell)]))),
  );
  if (format.kind === 'ndjson') return objects.map((object) => `${object}\n`).join('');
  return `[\n${objects.map((object) => `  ${object}`).join(',\n')}\n]\n`;
}

type Cell = string | number;

export interface WrittenTable {
  readonly head: readonly string[];
  /** Numbers are values, `NaN` for missing ones; texts are ids and times. */
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the table can be understood without its head. */
  readonly plain: boolean;
}

/** Series that stand side by side: one for each column, over all times that any of them has. */
interface Band {
  readonly id: string;
  readonly series: readonly WritableSeries[];
  readonly times: readonly number[];
}

const unnamed = (name: string | undefined) => name === undefined || /^Column \d+$/.test(name);
const columnOf = ({ valueColumn }: WritableSeries) => (unnamed(valueColumn) ? 'value' : valueColumn!);

/** A time column of one name; times that came from several columns are written into one. */
function timeColumnOf({ timeColumn }: WritableSeries): string {
  return unnamed(timeColumn) || timeColumn!.includes(' + ') ? 'time' : timeColumn!;
}

/** The id without the name of the value column, which has a column of its own. */
function groupOf(series: WritableSeries): string {
  const ending = `/${series.valueColumn ?? ''}`;
  return series.id.endsWith(ending) ? series.id.slice(0, -ending.length) : series.id;
}

function bandOf(id: string, series: readonly WritableSeries[]): Band {
  const times = new Set(series.flatMap((each) => Array.from(each.times)));
  return { id, series, times: [...times].sort((a, b) => a - b) };
}

/** Whether each series has all times of the band between its own first and last: no cell in between would be empty. */
function goTogether({ series, times }: Band): boolean {
  const index = new Map(times.map((time, row) => [time, row]));
  return series.every((each) => {
    const size = each.times.length;
    const [first = 0, last = 0] = [index.get(each.times[0] ?? NaN), index.get(each.times[size - 1] ?? NaN)];
    return last - first === Math.max(0, size - 1);
  });
}

/** The cells of such a document. */
export function tableOf(series: readonly WritableSeries[], format: DocumentFormat): WrittenTable {
  const [first] = series;
  if (!first) return { head: [], rows: [], plain: true };
  if (series.some(({ file }) => file !== undefined)) return neutralTable(series, format);
  const whole = series.map(withHistory);
  const aside = bandOf('', whole);
  const long = first.idColumn !== undefined || !goTogether(aside);
  const bands = long ? [...Map.groupBy(whole, groupOf)].map(([id, each]) => bandOf(id, each)) : [aside];
  const columns = long ? [...new Set(whole.map(columnOf))] : asideNames(whole);
  const lists = listsOf(first);
  const timed = first.timeKind !== 'row';
  const prefix = (column: string, name: string) =>
    columns.length > 1 && name !== column ? `${column}${first.forecast ? '_' : ' '}${name}` : name;
  const head = [
    ...(long ? [first.idColumn ?? 'series'] : []),
    ...(timed ? [timeColumnOf(first)] : []),
    ...columns.flatMap((column) => lists.map(({ name }) => prefix(column, name(column)))),
  ];
  const rows = bands.flatMap((band) => {
    const write = timeWriter(band, first.timeKind, format);
    const inColumns = columns.map((column, index) =>
      long ? band.series.find((each) => columnOf(each) === column) : band.series[index],
    );
    const rowOf = inColumns.map((each) => new Map(Array.from(each?.times ?? [], (time, row) => [time, row])));
    return band.times.map((time) => [
      ...(long ? [band.id] : []),
      ...(timed ? [write(time)] : []),
      ...inColumns.flatMap((each, index) => {
        const row = rowOf[index]?.get(time);
        return lists.map(({ of }) => (row === undefined || !each ? NaN : (of(each)?.[row] ?? NaN)));
      }),
    ]);
  });
  return { head, rows, plain: !long && lists.length === 1 && columns.length === 1 };
}

/** A column of numbers of a series: its name, given that of the values, and where its numbers are. */
interface List {
  readonly name: (column: string) => string;
  readonly of: (series: WritableSeries) => ArrayLike<number> | undefined;
}

const PAST = 'past';

/** The columns of numbers that each series has. */
function listsOf({ quantiles = {}, forecast }: WritableSeries): List[] {
  const levels = Object.keys(quantiles);
  if (!forecast) {
    const values: List = { name: (column) => column, of: (series) => series.values };
    return [values, ...levels.map((level): List => ({ name: () => level, of: (series) => series.quantiles?.[level] }))];
  }
  const past: List = {
    name: (column) => (column === FORECAST ? 'value' : column),
    of: (series) => series.quantiles?.[PAST],
  };
  const future = forecastColumns(levels, forecast.names).map(({ name, level }): List => ({
    name: () => name,
    of: (series) => (level === undefined ? series.values : series.quantiles?.[level]),
  }));
  return [...(forecast.history ? [past] : []), ...future];
}

/** A forecast with its history before it: the times of both, and the past in a list of its own. */
function withHistory(series: WritableSeries): WritableSeries {
  const history = series.forecast?.history;
  if (!history) return series;
  const after = <T>(list: ArrayLike<T>, before: T) => [...Array.from(history.times, () => before), ...Array.from(list)];
  const quantiles = Object.entries(series.quantiles ?? {}).map(([level, list]) => [level, after(list, NaN)] as const);
  return {
    ...series,
    times: [...Array.from(history.times), ...Array.from(series.times)],
    values: after(series.values, NaN),
    quantiles: {
      ...(Object.fromEntries(quantiles) as Record<string, number[]>),
      [PAST]: [...Array.from(history.values), ...Array.from(series.times, () => NaN)],
    },
  };
}

/** Series of several files below each other, under names that are right for all of them. */
function neutralTable(series: readonly WritableSeries[], format: DocumentFormat): WrittenTable {
  const levels = [...new Set(series.flatMap(({ quantiles = {} }) => Object.keys(quantiles)))];
  const [first] = series;
  const lists = listsOf({ ...first!, quantiles: Object.fromEntries(levels.map((level) => [level, []])) });
  const rows = series.flatMap((one) => {
    const each = withHistory(one);
    const write = timeWriter(bandOf(each.id, [each]), each.timeKind, { ...format, dateFormat: 'YYYY-MM-DD' });
    const time = (instant: number) =>
      each.timeKind === 'row' ? String(Math.round(instant / 1000) + 1) : write(instant);
    return Array.from(each.times, (instant, row) => [
      each.file ?? '',
      each.id,
      time(instant),
      ...lists.map(({ of }) => of(each)?.[row] ?? NaN),
    ]);
  });
  return { head: ['file', 'series', 'timestamp', ...lists.map(({ name }) => name('value'))], rows, plain: false };
}

/** Names of columns side by side: the value columns', or the ids where those are not distinct. */
function asideNames(series: readonly WritableSeries[]): string[] {
  const names = series.map(columnOf);
  return new Set(names).size === names.length ? names : series.map(({ id }) => id);
}

/** Writes times in the document's pattern where it loses nothing of any of them, else in ISO 8601. */
function timeWriter(
  { times, series }: Band,
  kind: WritableSeries['timeKind'],
  format: DocumentFormat,
): (time: number) => string {
  const pattern = format.dateFormat;
  const zone = zoneOf(series[0]?.timeZone ?? 'UTC');
  if (pattern !== undefined && keepsAll(times, pattern, zone)) return (time) => formatPattern(time, pattern, zone);
  if (kind === 'period' && keepsAll(times, 'YYYY-MM', UTC)) return (time) => formatPattern(time, 'YYYY-MM');
  const isDated = zone === UTC && times.every((time) => time % 86_400_000 === 0);
  return isDated ? (time) => isoInstant(time).slice(0, 10) : (time) => isoInstant(time, zone);
}

function keepsAll(times: readonly number[], pattern: TimePattern, zone: Zone): boolean {
  if (pattern === 'decimal-year' || pattern === 'serial-day') return true;
  const formats = [...TIME_FORMATS, MIXED_PERIODS];
  return times.every((time) => {
    const text = formatPattern(time, pattern, zone);
    return formats.some(({ parse }) => {
      const written: WrittenZone = { offset: undefined, name: undefined };
      const read = parse(text, written);
      const isWall = written.name === zone.name && written.offset === undefined;
      return (isWall ? zone.fromWall(read) : read) === time;
    });
  });
}

/** A count of seconds or less since 1970 as a number; an id that would lose a zero or its last digits stays a text. */
function asJson(cell: Cell): Cell | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  return /^\d{9,}(?:\.\d+)?$/.test(cell) && String(Number(cell)) === cell ? Number(cell) : cell;
}

/**
 * A number with as many digits as it takes to read it back; three digits after the sign get a fourth, lest they look like
 * a group of thousands.
 */
function writeNumber(value: number, decimal: '.' | ',', delimiter: string): string {
  const text = String(value);
  const closed = decimal === '.' && delimiter === ',';
  const clear = !closed && /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text;
  return decimal === ',' ? clear.replace('.', ',') : clear;
}

function writeDelimited({ head, rows, plain }: WrittenTable, format: DocumentFormat): string {
  const single = head.length === 1;
  // Runs of blanks cannot hold an empty cell or a time with a blank.
  const delimiter = single ? ',' : format.delimiter === ' ' || !format.delimiter ? '\t' : format.delimiter;
  const cells = rows.map((row) =>
    row.map((cell) => {
      if (typeof cell === 'string') return defuse(cell);
      if (!Number.isFinite(cell)) return single ? 'NA' : '';
      return writeNumber(cell, format.decimal, delimiter);
    }),
  );
  const named = format.header || !plain;
  return Papa.unparse(named ? [head.map(defuse), ...cells] : cells, { delimiter, newline: '\n' }) + '\n';
}

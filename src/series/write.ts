import Papa from 'papaparse';
import { isoInstant } from '../calendar/format.ts';
import { MIXED_PERIODS, TIME_FORMATS } from './dates.ts';
import { formatPattern, type TimePattern } from './patterns.ts';
import type { DocumentFormat, ReadSeries } from './types.ts';

/** A series or a forecast to write. Both arrays, and those of the quantiles, have the same length. */
export interface WritableSeries {
  readonly id: string;
  readonly valueColumn?: string;
  readonly timeColumn?: string;
  /** Name of the column of ids, where the series came from a long table. */
  readonly idColumn?: string;
  readonly timeKind: ReadSeries['timeKind'];
  /** Epoch milliseconds, UTC. */
  readonly times: ArrayLike<number>;
  /** `NaN` where a value is missing. */
  readonly values: ArrayLike<number>;
  /** Further columns of numbers, such as `0.1` and `0.9` for the quantiles of a forecast. */
  readonly quantiles?: Readonly<Record<string, ArrayLike<number>>>;
}

/** Cells that a spreadsheet would run. */
const FORMULA = /^[=+\-@\t\r]/;

/** Puts an apostrophe before a text that a spreadsheet would take for a formula; reading takes it away again. */
export function defuse(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/**
 * Writes series as a document of the given format: its delimiter, date format, decimal sign and column names. Several
 * series of the same times stand side by side where they have no id column and no quantiles, else below each other with an
 * id column. Texts that a spreadsheet would run as formulas are defused. What is written reads back as the same series.
 */
export function writeSeries(series: readonly WritableSeries[], format: DocumentFormat): string {
  if (format.kind === 'csv') return writeDelimited(series, format);
  const rows = series.flatMap((each) => [...objectRows(each, series.length > 1, timeWriter(each, format))]);
  if (format.kind === 'ndjson') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`;
}

/** Writes times in the document's pattern where it loses nothing of any of them, else as full ISO 8601 instants. */
function timeWriter(series: WritableSeries, format: DocumentFormat): (time: number) => string {
  const pattern = format.dateFormat;
  if (pattern !== undefined && keepsAll(series.times, pattern)) return (time) => formatPattern(time, pattern);
  const whole = Array.from(series.times).every((time) => time % 86_400_000 === 0);
  return whole ? (time) => isoInstant(time).slice(0, 10) : isoInstant;
}

function keepsAll(times: ArrayLike<number>, pattern: TimePattern): boolean {
  if (pattern === 'decimal-year' || pattern === 'serial-day') return true;
  const formats = [...TIME_FORMATS, MIXED_PERIODS];
  return Array.from(times).every((time) => {
    const text = formatPattern(time, pattern);
    return formats.some(({ parse }) => parse(text) === time);
  });
}

/** A number with as many digits as it takes to read it back; three digits after the sign get a fourth, lest they look like a group. */
function writeNumber(value: number, format: DocumentFormat, missing: string): string {
  if (!Number.isFinite(value)) return missing;
  const text = String(value);
  const closed = format.decimal === '.' && format.delimiter === ',';
  const clear = !closed && /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text;
  return format.decimal === ',' ? clear.replace('.', ',') : clear;
}

function sameTimes(series: readonly WritableSeries[]): boolean {
  const first = series[0]?.times ?? [];
  return series.every(
    ({ times }) => times.length === first.length && Array.from(times).every((time, index) => time === first[index]),
  );
}

const columnOf = ({ valueColumn }: WritableSeries) => valueColumn ?? 'value';

/** The id without the name of the value column, which has a column of its own. */
function groupOf(series: WritableSeries): string {
  const ending = `/${columnOf(series)}`;
  return series.id.endsWith(ending) ? series.id.slice(0, -ending.length) : series.id;
}

function writeDelimited(series: readonly WritableSeries[], format: DocumentFormat): string {
  const [first] = series;
  if (!first) return '';
  const side = series.length === 1 || (sameTimes(series) && series.every((each) => !each.idColumn && !each.quantiles));
  const long = !side || first.idColumn !== undefined;
  const timed = first.timeKind !== 'row';
  const levels = Object.keys(first.quantiles ?? {});
  const alone = !timed && !long && levels.length === 0 && series.length === 1;
  const delimiter = alone
    ? ','
    : format.delimiter === ' ' || format.delimiter === ''
      ? '\t'
      : (format.delimiter ?? ',');
  const shape = { ...format, delimiter };
  const missing = alone ? 'NA' : '';
  const head = [
    ...(long ? [first.idColumn ?? 'series'] : []),
    ...(timed ? [timeColumnOf(first)] : []),
    ...(side && !long
      ? series.map((each) => (series.length > 1 ? nameAside(each) : columnOf(each)))
      : [columnOf(first)]),
    ...levels,
  ];
  const body = (long ? series.map((each) => [each]) : [series]).flatMap((group) => {
    const [lead = first] = group;
    const write = timeWriter(lead, format);
    return Array.from(lead.times, (time, index) => [
      ...(long ? [defuse(groupOf(lead))] : []),
      ...(timed ? [write(time)] : []),
      ...group.map(({ values }) => writeNumber(values[index] ?? NaN, shape, missing)),
      ...levels.map((level) => writeNumber(lead.quantiles?.[level]?.[index] ?? NaN, shape, missing)),
    ]);
  });
  const named = format.header || long || levels.length > 0 || series.length > 1;
  const rows = named ? [head.map(defuse), ...body] : body;
  return Papa.unparse(rows, { delimiter, newline: '\n' }) + '\n';
}

/** A time column of one name; times that came from several columns are written into one. */
function timeColumnOf({ timeColumn }: WritableSeries): string {
  return timeColumn === undefined || timeColumn.includes(' + ') ? 'time' : timeColumn;
}

const nameAside = (series: WritableSeries) => (series.valueColumn === undefined ? series.id : series.valueColumn);

function* objectRows(
  series: WritableSeries,
  several: boolean,
  write: (time: number) => string,
): Iterable<Record<string, unknown>> {
  for (let index = 0; index < series.times.length; index++) {
    const text = write(series.times[index]!);
    const value = series.values[index] ?? NaN;
    yield {
      ...(several ? { [series.idColumn ?? 'series']: groupOf(series) } : {}),
      ...(series.timeKind === 'row'
        ? {}
        : { [timeColumnOf(series)]: /^\d{5,}(?:\.\d+)?$/.test(text) ? Number(text) : text }),
      [columnOf(series)]: Number.isFinite(value) ? value : null,
      ...Object.fromEntries(
        Object.entries(series.quantiles ?? {}).map(([level, values]) => [level, values[index] ?? null]),
      ),
    };
  }
}

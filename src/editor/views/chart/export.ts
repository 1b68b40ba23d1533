import { forecastDecimals } from '../../../calendar/digits.ts';
import type { Source } from '../../connection/memory.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { DocumentFormat } from '../../../reading/types.ts';
import { type WritableSeries, writeSeries } from '../../../reading/writing/write.ts';
import { writtenForecast, type WritingOptions } from '../../../reading/writing/forecast-columns.ts';
import { PLAIN_FORMAT } from '../../../reading/writing/plain.ts';
import type { ChartView, Forecast } from '../../../chart/types.ts';

/** A forecast as text, and what such a text is called. */
export interface Written {
  readonly text: string;
  /** Ending of a file of it, such as `tsv`. */
  readonly extension: string;
  /** As the editor calls its language. */
  readonly language: string;
}

/** `same`: as the file it was made from; CSV for a prediction that came from elsewhere. */
export type Form = 'csv' | 'json' | 'same';

/** One series as it is written, and how. */
export interface Table {
  readonly series: WritableSeries;
  readonly format: DocumentFormat;
}

const NOTHING: Forecast = { times: new Float64Array(), values: new Float64Array(), bands: [] };
const LIMITS: WritingOptions = { names: 'limits', withHistory: false };

/**
 * The forecast as the file it was made from has its rows, with the limits of each band or its quantiles, in the digits of
 * the history; of a prediction from elsewhere in plain rows.
 */
export function forecastTable(
  { forecast, history, valueLabel }: ChartView,
  source: Source | undefined,
  { names, withHistory }: WritingOptions = LIMITS,
): Table {
  const { times, ...written } = forecast ?? NOTHING;
  const decimals = forecastDecimals(history.values, written.bands);
  const { id = valueLabel, valueColumn, timeColumn, idColumn, timeKind, timeZone } = source ?? PLAIN_ROWS(valueLabel);
  const series: WritableSeries = {
    id,
    valueColumn,
    timeColumn,
    idColumn,
    timeKind,
    timeZone,
    times,
    ...writtenForecast(written, decimals),
    forecast: { names, ...(withHistory ? { history } : {}) },
  };
  return { series, format: source?.format ?? PLAIN_FORMAT };
}

type Columns = Pick<Source, 'valueColumn' | 'timeColumn' | 'idColumn' | 'timeKind' | 'timeZone'> & { id?: string };
const PLAIN_ROWS = (valueColumn: string): Columns => ({ valueColumn, timeColumn: 'timestamp', timeKind: 'instant' });

/**
 * The forecast in the shape of its file: delimiter, date format, decimal sign and column names. Of a prediction from elsewhere
 * in a plain form, or as the points of the interface.
 */
export function writeForecast(
  chart: ChartView,
  prediction: LocalPrediction,
  source: Source | undefined,
  form: Form,
  options: WritingOptions = LIMITS,
): Written {
  if (!source && form === 'json') return plainPoints(prediction);
  const table = forecastTable(chart, source, options);
  const format = source ? formatOf(table.format, form) : table.format;
  return { text: writeSeries([table.series], format), ...kindOf(format, source?.fileName ?? '') };
}

/** The series of a chart by itself, as its file has it; plain rows for one from elsewhere. */
export function historyTable({ history, valueLabel }: ChartView, source: Source | undefined): Table {
  const { times, values } = history;
  const { id = valueLabel, valueColumn = valueLabel, timeColumn = 'timestamp', idColumn } = source ?? {};
  const { timeKind = 'instant', timeZone } = source ?? {};
  const series = { id, valueColumn, timeColumn, idColumn, timeKind, timeZone, times, values, quantiles: {} };
  return { series, format: source?.format ?? PLAIN_FORMAT };
}

/** The same as text. */
export function writeHistory(chart: ChartView, source: Source | undefined, form: Form): Written {
  const table = historyTable(chart, source);
  const format = formatOf(table.format, form);
  return { text: writeSeries([table.series], format), ...kindOf(format, source?.fileName ?? '') };
}

/** The format of the file, or the nearest of the other kind: its date format and column names. */
function formatOf(format: DocumentFormat, form: Form): DocumentFormat {
  const isText = format.kind === 'csv';
  const { dateFormat, encoding, decimal } = format;
  if (form === 'same' || isText === (form === 'csv')) {
    // a file of one column says nothing about how several would stand side by side
    return format.delimiter === '' ? { ...format, delimiter: decimal === ',' ? ';' : ',' } : format;
  }
  const common = { dateFormat, encoding, decimal: '.', skippedLines: 0 } as const;
  return isText ? { ...common, kind: 'json', header: false } : { ...common, kind: 'csv', header: true, delimiter: ',' };
}

const ENDINGS = { csv: ['csv', 'tsv', 'txt'], json: ['json'], ndjson: ['ndjson', 'jsonl'] } as const;
const LANGUAGES = { csv: 'csv', json: 'json', ndjson: 'jsonl' } as const;

function kindOf({ kind }: DocumentFormat, fileName: string): Omit<Written, 'text'> {
  const ending = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase();
  const known = ENDINGS[kind].find((each) => each === ending);
  return { extension: known ?? ENDINGS[kind][0], language: LANGUAGES[kind] };
}

function plainPoints({ prediction_series }: LocalPrediction): Written {
  const text = `${JSON.stringify(prediction_series ?? [], undefined, 2)}\n`;
  return { text, extension: 'json', language: 'json' };
}

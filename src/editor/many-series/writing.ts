import * as vscode from 'vscode';
import { forecastDecimals } from '../../calendar/digits.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { ServiceError } from '../../client/errors.ts';
import { PointQuantiles, type LocalPrediction } from '../../contract/local.ts';
import type { DocumentFormat } from '../../reading/types.ts';
import { rounded, type WritingOptions } from '../../reading/writing/forecast-columns.ts';
import type { WritableSeries } from '../../reading/writing/write.ts';
import type { App } from '../app.ts';
import type { Member, Source } from '../connection/memory.ts';
import { BETWEEN } from '../files/sources.ts';
import { withPatience } from '../ui/progress.ts';
import { nameParts, saveAs, writingOptions } from '../views/chart/export.ts';
import { type ForecastSet, predictionsOfDataset } from './dataset.ts';

/** How often a stream is begun that breaks off. */
const STREAMS = 3;
/** Of forecasts that add up. */
const MORE_DECIMALS = 4;
/** The format of forecasts whose file is not known. */
const PLAIN: DocumentFormat = {
  kind: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  decimal: '.',
  header: true,
  skippedLines: 0,
};

interface Writing {
  readonly label: string;
  readonly source: Source | undefined;
  readonly forecasts: (options: WritingOptions, signal: AbortSignal) => Promise<readonly WritableSeries[]>;
}

/** Saves forecasts in one file: CSV in the shape of their file, JSON, or an Excel workbook. */
export async function saveAll(
  app: App,
  { label, source, forecasts }: Writing,
  kind: 'csv' | 'json' | 'xlsx',
): Promise<void> {
  const isOfOne = source?.members === undefined;
  const own = (isOfOne && source?.format) || PLAIN;
  const { encoding, dateFormat } = own;
  const isWorkbook = kind === 'xlsx';
  const other: DocumentFormat = {
    ...PLAIN,
    kind: isWorkbook ? 'csv' : kind,
    encoding,
    ...(dateFormat ? { dateFormat } : {}),
  };
  const format = isWorkbook || own.kind === kind ? own : other;
  const bytes = await withPatience(vscode.l10n.t('Writing the forecasts of {0}', label), async (signal) =>
    app.reader.write(await forecasts(writingOptions(), signal), format, isWorkbook),
  );
  await saveAs(app.log, { parts: nameParts(label), extension: kind }, bytes, isOfOne ? source?.uri : undefined);
}

/** The forecasts of a set, to be written in one document. @throws ServiceError */
export async function forecastsOf(
  { session: { client }, datasetId, predictions, source }: ForecastSet,
  writing: WritingOptions,
  signal = new AbortController().signal,
): Promise<WritableSeries[]> {
  const left = new Map(predictions.map((one) => [one.id, one]));
  const written: WritableSeries[] = [];
  const take = (all: WritableSeries[], id: string, forecast: Partial<LocalPrediction>) => {
    const one = left.get(id);
    left.delete(id);
    if (one && forecast.prediction_series)
      all.push(writableForecast({ ...one, ...forecast, id, name: one.name ?? forecast.name }, source, writing));
  };
  if (datasetId === undefined) {
    const { jobs } = await client.findPredictions(new Set(left.keys()), signal);
    const byId = new Map(jobs.map((job) => [job.id, job]));
    for (const { id } of predictions) take(written, id, byId.get(id) ?? {});
    return written;
  }
  const isStreamed = !writing.withHistory && (await client.capabilities()).of('listForecasts')?.givesLines;
  for (let attempt = 0; attempt < STREAMS && left.size > 0 && isStreamed; attempt++) {
    try {
      for await (const { prediction_id: id, name, prediction_series } of client.lines(
        'listForecasts',
        datasetId,
        signal,
      )) {
        take(written, id, { name, prediction_series });
        if (left.size === 0) break;
      }
      break;
    } catch (error) {
      // keeps what was received; if the stream breaks repeatedly, reads the rest page by page
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  if (left.size === 0) return written;
  const query = { wanted: new Set(left.keys()), withSeries: true, withInput: writing.withHistory };
  const listed: WritableSeries[] = [];
  for await (const page of predictionsOfDataset(client, datasetId, query, signal)) {
    for (const one of page)
      take(listed, one.id, one.series_left_out === undefined ? one : await client.getPrediction(one.id, signal));
    if (left.size === 0) break;
  }
  return [...written, ...listed.reverse()];
}

/** The file of a series and its name there, if several files were forecast: names begin with the name of the file. */
function memberOf(name: string, members: readonly Member[]): Member & { readonly series: string } {
  const [own] = members
    .filter(({ file }) => name === file || name.startsWith(`${file}${BETWEEN}`))
    .sort((a, b) => b.file.length - a.file.length);
  return own
    ? { ...own, series: own.series ?? name.slice(own.file.length + BETWEEN.length) }
    : { file: '', series: name };
}

/** What is said of each step ahead: its quantiles, and its value: the median, but for sums. */
const stepsOf = (points: NonNullable<LocalPrediction['prediction_series']>, isSummed: boolean) =>
  points.map(({ value, metadata }) => {
    const quantiles = PointQuantiles.safeParse(metadata).data?.quantiles ?? {};
    return { quantiles, value: (isSummed ? undefined : quantiles['0.5']) ?? value ?? NaN };
  });

/** A forecast as it is written: by the name of its series, with a column for each quantile but the median. */
export function writableForecast(
  { id, name = id, input_series = [], prediction_series = [], details }: LocalPrediction,
  source: Partial<Source> = {},
  { names, withHistory }: WritingOptions,
): WritableSeries {
  const { timeColumn = 'timestamp', idColumn = 'series', valueColumn = 'value', timeZone } = source;
  const member = source.members && memberOf(name, source.members);
  const past = Float64Array.from(input_series, ({ value }) => value ?? NaN);
  const usual = member?.decimals ?? source.decimals ?? forecastDecimals(past);
  // what adds up is still to do so when thousands of parts are rounded; the medians of counts do not add up
  const isSummed = details?.totals !== undefined;
  const decimals = isSummed ? usual + MORE_DECIMALS : usual;
  const steps = stepsOf(prediction_series, isSummed);
  const levels = Object.keys(steps[0]?.quantiles ?? {}).filter((level) => level !== '0.5');
  const column = (valueAt: (step: (typeof steps)[number]) => number) =>
    rounded(Float64Array.from(steps, valueAt), decimals);
  const times = (points: readonly { readonly timestamp: string }[]) =>
    Float64Array.from(points, ({ timestamp }) => parseTimestamp(timestamp));
  return {
    id: member?.series ?? name,
    ...(member ? { file: member.file } : {}),
    forecast: { names, ...(withHistory ? { history: { times: times(input_series), values: past } } : {}) },
    valueColumn,
    timeColumn,
    idColumn,
    timeKind: member?.timeKind ?? source.timeKind ?? 'instant',
    timeZone,
    times: times(prediction_series),
    values: column(({ value }) => value),
    quantiles: Object.fromEntries(
      levels
        .sort((a, b) => Number(a) - Number(b))
        .map((level) => [level, column(({ quantiles }) => quantiles[level] ?? NaN)]),
    ),
  };
}

import * as vscode from 'vscode';
import { forecastDecimals } from '../../calendar/digits.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import type { ServiceClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import { type LocalPrediction, PointQuantiles } from '../../contract/resources.ts';
import { rounded, type WritingOptions } from '../../reading/writing/forecast-columns.ts';
import { PLAIN_FORMAT } from '../../reading/writing/plain.ts';
import type { WritableSeries } from '../../reading/writing/write.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import type { Member, Source } from '../connection/memory.ts';
import { BETWEEN } from '../files/sources.ts';
import { withPatience } from '../ui/say.ts';
import { nameParts, saveAs, writingOptions } from '../views/chart/export.ts';
import type { SetRef } from './protocol.ts';

const PAGE = 200;
const LARGE_PAGE = 100;
const IDS_AT_ONCE = 20;
/** More decimals of forecasts that add up. */
const MORE_DECIMALS = 4;
const { dateFormat: _, ...PLAIN } = PLAIN_FORMAT;

export interface ForecastSet {
  readonly ref: SetRef;
  readonly session: Session;
  readonly source: Source | undefined;
  /** Without their input; a service that cannot leave it out sends it. */
  readonly predictions: readonly LocalPrediction[];
  readonly shortfall?: string | undefined;
}

/** The predictions of a set, newest first, a page at a time: by their IDs, or of a dataset the newest of each series. */
export async function* pagesOf(
  client: ServiceClient,
  { datasetId, batchId, predictionIds = [] }: SetRef,
  signal?: AbortSignal,
): AsyncGenerator<readonly LocalPrediction[]> {
  if (datasetId === undefined) {
    for (let at = 0; at < predictionIds.length; at += IDS_AT_ONCE) {
      const ids = new Set(predictionIds.slice(at, at + IDS_AT_ONCE));
      yield (await client.findPredictions(ids, signal ?? new AbortController().signal)).jobs;
    }
    return;
  }
  const seen = new Set<string>();
  for await (const page of pagesOfDataset(client, datasetId, { batchId }, signal)) {
    yield page.filter(({ input_series_id: series }) => {
      const isNew = series === undefined || !seen.has(series);
      if (series !== undefined) seen.add(series);
      return isNew;
    });
  }
}

/** All predictions of a dataset, newest first, a page at a time. */
export async function* pagesOfDataset(
  client: ServiceClient,
  datasetId: string,
  query: { readonly batchId?: string | undefined; readonly withSeries?: boolean; readonly withInput?: boolean } = {},
  signal?: AbortSignal,
): AsyncGenerator<readonly LocalPrediction[]> {
  const { withSeries = false } = query;
  const size = withSeries ? LARGE_PAGE : PAGE;
  let cursor: string | undefined;
  do {
    const asked = { withInput: false, ...query, withSeries, withSketch: !withSeries, size, cursor, signal };
    const page = await client.listDatasetPredictions(datasetId, asked);
    yield page.items;
    cursor = page.next === cursor ? undefined : page.next;
  } while (cursor !== undefined);
}

/** The forecasts of a dataset or of one batch, in the order of their series. */
export async function setOfDataset(
  app: App,
  session: Session,
  ref: SetRef,
  source?: Source,
  signal?: AbortSignal,
): Promise<ForecastSet> {
  const predictions: LocalPrediction[] = [];
  for await (const page of pagesOf(session.client, ref, signal)) predictions.push(...page);
  const noted = source ?? app.memory.recall(ref.serviceId, ref.datasetId ?? '')?.source;
  return { ref, session, source: noted, predictions: predictions.reverse() };
}

/** Saves forecasts in one file: CSV in the shape of their file, JSON, or an Excel workbook. */
export async function saveAll(app: App, set: ForecastSet, kind: 'csv' | 'json' | 'xlsx'): Promise<void> {
  const { ref, source } = set;
  const isOfOne = source?.members === undefined;
  const own = (isOfOne && source?.format) || PLAIN;
  const { encoding, dateFormat } = { dateFormat: undefined, ...own };
  const isWorkbook = kind === 'xlsx';
  const other = { ...PLAIN, kind: isWorkbook ? 'csv' : kind, encoding, ...(dateFormat ? { dateFormat } : {}) } as const;
  const format = isWorkbook || own.kind === kind ? own : other;
  const bytes = await withPatience(vscode.l10n.t('Writing the forecasts of {0}', ref.label), async (signal) =>
    app.reader.write(await forecastsOf(set, writingOptions(), signal), format, isWorkbook),
  );
  await saveAs(app.log, { parts: nameParts(ref.label), extension: kind }, bytes, isOfOne ? source?.uri : undefined);
}

/** The forecasts of a set, to be written in one document. @throws ServiceError */
export async function forecastsOf(
  { ref: { datasetId }, session: { client }, predictions, source }: ForecastSet,
  writing: WritingOptions,
  signal = new AbortController().signal,
): Promise<WritableSeries[]> {
  const missing = new Map(predictions.map((one) => [one.id, one]));
  // kept as numbers: the points of many series would fill the memory
  const found = new Map<string, WritableSeries>();
  const take: Take = (id, forecast) => {
    const one = missing.get(id);
    missing.delete(id);
    if (one && forecast.prediction_series)
      found.set(id, writableForecast({ ...one, ...forecast, id, name: one.name ?? forecast.name }, source, writing));
    return missing.size === 0;
  };
  if (datasetId === undefined) {
    for (const job of (await client.findPredictions(new Set(missing.keys()), signal)).jobs) take(job.id, job);
  } else {
    const isStreamed = !writing.withHistory && (await client.capabilities()).of('listForecasts')?.givesLines;
    if (isStreamed) await takeStream(client, datasetId, take, signal);
    // everything, or the rest of a stream that broke off
    const query = { withSeries: true, withInput: writing.withHistory };
    if (missing.size > 0)
      for await (const page of pagesOfDataset(client, datasetId, query, signal)) {
        for (const one of page.filter(({ id }) => missing.has(id)))
          take(one.id, one.series_left_out === undefined ? one : await client.getPrediction(one.id, signal));
        if (missing.size === 0) break;
      }
  }
  return predictions.flatMap(({ id }) => found.get(id) ?? []);
}

type Take = (id: string, forecast: Partial<LocalPrediction>) => boolean;

async function takeStream(client: ServiceClient, datasetId: string, take: Take, signal: AbortSignal): Promise<void> {
  try {
    for await (const { prediction_id: id, name, prediction_series } of client.lines('listForecasts', datasetId, signal))
      if (take(id, { name, prediction_series })) return;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
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

/** A forecast as it is written: by the name of its series, with a column for each quantile but the median. */
function writableForecast(
  { id, name = id, input_series = [], prediction_series = [], details }: LocalPrediction,
  source: Partial<Source> = {},
  { names, withHistory }: WritingOptions,
): WritableSeries {
  const { timeColumn = 'timestamp', idColumn = 'series', valueColumn = 'value', timeZone } = source;
  const member = source.members && memberOf(name, source.members);
  const past = Float64Array.from(input_series, ({ value }) => value ?? NaN);
  const usual = member?.decimals ?? source.decimals ?? forecastDecimals(past);
  // sums must still add up when thousands of series are rounded; the medians of counts do not add up
  const isSummed = details?.totals !== undefined;
  const decimals = isSummed ? usual + MORE_DECIMALS : usual;
  const steps = prediction_series.map(({ value, metadata }) => {
    const quantiles = PointQuantiles.safeParse(metadata).data?.quantiles ?? {};
    return { quantiles, value: (isSummed ? undefined : quantiles['0.5']) ?? value ?? NaN };
  });
  const levels = Object.keys(steps[0]?.quantiles ?? {})
    .filter((level) => level !== '0.5')
    .sort((a, b) => Number(a) - Number(b));
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
    quantiles: Object.fromEntries(levels.map((level) => [level, column(({ quantiles }) => quantiles[level] ?? NaN)])),
  };
}

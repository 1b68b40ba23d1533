import * as vscode from 'vscode';
import { forecastDecimals, inDigits } from '../../calendar/digits.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import type { ServiceClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import { ended } from '../../client/poller.ts';
import type { CreatePrediction } from '../../contract/requests.ts';
import { isPending, type LocalPrediction, PointQuantiles } from '../../contract/resources.ts';
import { orAborted, pause } from '../../platform/pause.ts';
import { PLAIN_FORMAT, rounded, type WritableSeries, type WritingOptions } from '../../reading/writing/write.ts';
import type { App } from '../app.ts';
import { type Session, sessionOf } from '../connection/connection.ts';
import type { Member, Source } from '../connection/memory.ts';
import { BETWEEN } from '../files/sources.ts';
import type { RequestOptions } from '../forecast/forecast.ts';
import { Cancelled, inBackground, withProgress, type Work } from '../ui/say.ts';
import { formatOf, saveAs, writingOptions } from '../views/chart/export.ts';
import { noteKeyOfRun } from '../views/tree/kinds.ts';
import type { SetRef } from './protocol.ts';

const PAGE = 200;
const LARGE_PAGE = 100;
const IDS_AT_ONCE = 20;
const MORE_DECIMALS = 4;
const { dateFormat: _, ...PLAIN } = PLAIN_FORMAT;

export interface ForecastSet {
  readonly ref: SetRef;
  readonly predictions: readonly LocalPrediction[];
  readonly shortfall?: string | undefined;
}

export const noteKeyOf = ({ datasetId, predictionIds = [] }: SetRef): string =>
  datasetId ?? `set ${predictionIds[0] ?? ''}`;

export const sourceOf = ({ memory }: App, ref: SetRef): Source | undefined =>
  memory.recall(ref.serviceId, noteKeyOf(ref))?.source;

export async function* pagesOf(
  client: ServiceClient,
  { datasetId, batchId, predictionIds = [] }: Omit<SetRef, 'serviceId' | 'label'>,
  { withSeries = false, withInput = false }: { readonly withSeries?: boolean; readonly withInput?: boolean },
  signal: AbortSignal,
): AsyncGenerator<readonly LocalPrediction[]> {
  if (datasetId === undefined) {
    for (let at = 0; at < predictionIds.length; at += IDS_AT_ONCE)
      yield (await client.findPredictions(new Set(predictionIds.slice(at, at + IDS_AT_ONCE)), signal)).jobs;
    return;
  }
  const size = withSeries ? LARGE_PAGE : PAGE;
  let cursor: string | undefined;
  do {
    const asked = { batchId, withInput, withSeries, withSparkline: !withSeries, size, cursor, signal };
    const page = await client.listDatasetPredictions(datasetId, asked);
    yield page.items;
    cursor = page.next === cursor ? undefined : page.next;
  } while (cursor !== undefined);
}

/** The predictions of a set: by their IDs, or of a dataset the newest of each series. @param onFirst gets the first page */
export async function readSet(
  client: ServiceClient,
  ref: SetRef,
  signal = new AbortController().signal,
  onFirst?: (first: readonly LocalPrediction[]) => void,
): Promise<ForecastSet> {
  const newest = new Map<string, LocalPrediction>();
  for await (const page of pagesOf(client, ref, {}, signal)) {
    const isFirst = newest.size === 0;
    for (const one of page) {
      const key = (ref.datasetId !== undefined && one.input_series_id) || one.id;
      if (!newest.has(key)) newest.set(key, { ...one, name: one.name ?? (ref.datasetId ? undefined : ref.label) });
    }
    if (isFirst) onFirst?.([...newest.values()]);
  }
  const predictions = [...newest.values()];
  return { ref, predictions: ref.datasetId === undefined ? predictions : predictions.reverse() };
}

export async function saveAll(app: App, set: ForecastSet, kind: 'csv' | 'json' | 'xlsx'): Promise<void> {
  const { label, serviceId } = set.ref;
  const source = sourceOf(app, set.ref);
  const isOfOne = source?.members === undefined;
  const format = formatOf((isOfOne && source?.format) || PLAIN, kind === 'xlsx' ? 'same' : kind);
  const { client } = sessionOf(app.connection, serviceId);
  const bytes = await withProgress(vscode.l10n.t('Writing the forecasts of {0}', label), async ({ signal }) =>
    app.reader.write(await forecastsOf(client, { ...set, source }, writingOptions(), signal), format, kind === 'xlsx'),
  );
  const extension = kind === 'xlsx' ? kind : format.kind;
  await saveAs(app.log, { title: label, extension }, bytes, isOfOne ? source?.uri : undefined);
}

export async function forecastsOf(
  client: ServiceClient,
  { ref: { datasetId }, predictions, source }: ForecastSet & { readonly source?: Source | undefined },
  writing: WritingOptions,
  signal = new AbortController().signal,
): Promise<WritableSeries[]> {
  const missing = new Map(predictions.map((one) => [one.id, one]));
  // kept as numbers: the points of many series would fill the memory
  const found = new Map<string, WritableSeries>();
  const take = (id: string, forecast: Partial<LocalPrediction>) => {
    const one = missing.get(id);
    missing.delete(id);
    if (one && forecast.prediction_series)
      found.set(id, writableForecast({ ...one, ...forecast, id, name: one.name ?? forecast.name }, source, writing));
  };
  const isStreamed = !writing.withHistory && (await client.capabilities()).of('listForecasts')?.givesLines;
  if (datasetId !== undefined && isStreamed) {
    try {
      for await (const { prediction_id, ...forecast } of client.lines('listForecasts', datasetId, signal)) {
        take(prediction_id, forecast);
        if (missing.size === 0) break;
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  const rest = { datasetId, predictionIds: [...missing.keys()] };
  const query = { withSeries: true, withInput: writing.withHistory };
  if (missing.size > 0)
    for await (const page of pagesOf(client, rest, query, signal)) {
      for (const one of page.filter(({ id }) => missing.has(id)))
        take(one.id, one.series_left_out === undefined ? one : await client.getPrediction(one.id, signal));
      if (missing.size === 0) break;
    }
  return predictions.flatMap(({ id }) => found.get(id) ?? []);
}

function memberOf(name: string, members: readonly Member[]): Member {
  const [own] = members
    .filter(({ file }) => name === file || name.startsWith(`${file}${BETWEEN}`))
    .sort((a, b) => b.file.length - a.file.length);
  return own ? { series: name.slice(own.file.length + BETWEEN.length), ...own } : { file: '', series: name };
}

const pointsOf = (points: LocalPrediction['input_series']) => ({
  times: Array.from(points ?? [], ({ timestamp }) => parseTimestamp(timestamp)),
  values: Array.from(points ?? [], ({ value }) => value ?? NaN),
});

function writableForecast(
  { id, name = id, input_series, prediction_series = [], details }: LocalPrediction,
  source: Partial<Source> = {},
  { names, withHistory }: WritingOptions,
): WritableSeries {
  const member: Partial<Member> = source.members ? memberOf(name, source.members) : {};
  const { idColumn = 'series', valueColumn = 'value', timeZone } = source;
  const { file, series = name, timeKind = source.timeKind ?? 'instant', decimals = source.decimals } = member;
  const timeColumn = source.timeColumn ?? (timeKind === 'row' ? undefined : 'timestamp');
  const history = pointsOf(input_series);
  const usual = decimals ?? forecastDecimals(history.values);
  // sums must still add up when thousands of series are rounded; the medians of counts do not add up
  const isSummed = details?.totals !== undefined;
  const { times, values } = pointsOf(prediction_series);
  const quantiles = prediction_series.map(({ metadata }) => PointQuantiles.safeParse(metadata).data?.quantiles ?? {});
  const levels = Object.keys(quantiles[0] ?? {}).filter((level) => level !== '0.5');
  // in one piece: thousands of small buffers, or lists of numbers, would take several times the memory
  const numbers = new Float64Array((levels.length + 2) * times.length);
  let used = 0;
  const put = (list: ArrayLike<number>) => {
    numbers.set(list, used);
    return numbers.subarray(used, (used += list.length));
  };
  const column = (valueAt: (step: number) => number | undefined) => {
    const own = times.map((_time, step) => valueAt(step) ?? NaN);
    return put(rounded(own, isSummed ? usual + MORE_DECIMALS : usual));
  };
  return {
    id: series,
    ...(file === undefined ? {} : { file }),
    forecast: { names, ...(withHistory ? { history } : {}) },
    valueColumn,
    timeColumn,
    idColumn,
    timeKind,
    timeZone,
    times: put(times),
    values: column((step) => (isSummed ? undefined : quantiles[step]['0.5']) ?? values[step]),
    quantiles: Object.fromEntries(levels.map((level) => [level, column((step) => quantiles[step][level])])),
  };
}

const POLL = 500;
const AT_ONCE = 4; // requests to a remote service at a time
const MOST_NOTED = 500; // predictions of one run whose names are kept here

interface Wanted {
  readonly id: string;
  readonly label: string;
  readonly options?: RequestOptions;
  readonly key?: string;
}

/** As one batch. After a stop or a failure, finished ones are kept. @throws ServiceError, or the signal's reason, if none is */
export async function predictAll(app: App, { client, info }: Session, wanted: Wanted, { signal, report }: Work) {
  const { id, label, key } = wanted;
  const { batch_id: batchId, prediction_ids } = await queueBatch(app, client, wanted, signal);
  const count = prediction_ids.length;
  const ref = { serviceId: info.id, label, datasetId: id, batchId };
  app.memory.note(info.id, noteKeyOfRun(batchId), { label, made: id });
  if (key !== undefined)
    app.memory.note(info.id, id, { label, source: sourceOf(app, ref), key, run: { batchId, count } });
  const countOf = async (status: string) =>
    (await client.listDatasetPredictions(id, { status, batchId, size: 1, withSeries: false, signal })).total ?? 0;
  let failure: unknown;
  let set: ForecastSet | undefined;
  try {
    for (;;) {
      const waiting = await countOf('QUEUED');
      if (waiting + (await countOf('IN_PROGRESS')) === 0) break;
      report(vscode.l10n.t('{0} of {1}', inDigits(Math.max(0, count - waiting)), inDigits(count)));
      await pause(POLL, signal);
      signal.throwIfAborted();
    }
    set = await readSet(client, ref, signal);
  } catch (error) {
    failure = signal.aborted ? signal.reason : error;
  }
  const unread = (problem: unknown) => app.log.warn(`${label}: ${String(problem)}`);
  let stillRuns = '';
  if (failure !== undefined)
    await cancel(client, id, batchId).catch((problem: unknown) => {
      unread(problem);
      stillRuns = STILL_RUNS;
    });
  set ??= await readSet(client, ref).catch((problem: unknown) => {
    unread(problem);
    throw withSentence(failure instanceof Cancelled ? problem : failure, stillRuns);
  });
  const over = set.predictions.filter(({ status }) => !isPending(status));
  if (over.length === count) return set;
  const predictions = failure === undefined ? over : over.filter(({ status }) => status === 'COMPLETED');
  const shortfall = shortfallOf(predictions.length, count, label, failure);
  if (predictions.length > 0) return { ref, predictions, shortfall: `${shortfall} ${stillRuns}`.trim() };
  throw withSentence(failure ?? new ServiceError('not-found', shortfall), stillRuns);
}

const STILL_RUNS = vscode.l10n.t(
  'Waiting forecasts could not be removed from the queue and may still run; find them in their dataset.',
);

function withSentence(failure: unknown, sentence: string): unknown {
  if (sentence === '' || !(failure instanceof Error)) return failure;
  const text = failure instanceof Cancelled ? sentence : `${failure.message} ${sentence}`;
  return new ServiceError('failed', text, { cause: failure });
}

/** A stop during the request returns at once; the batch is canceled as soon as its ID is known. */
async function queueBatch({ log }: App, client: ServiceClient, { id, options }: Wanted, signal: AbortSignal) {
  signal.throwIfAborted();
  const idempotencyKey = crypto.randomUUID();
  const queue = () => client.do('predictDataset', { id, body: { ...options }, idempotencyKey });
  const queueing = queue();
  try {
    return await orAborted(queueing, signal);
  } catch (error) {
    const cancelLate = async (): Promise<void> => {
      const late = await queueing.catch(async (lost: unknown) => {
        const isLost = lost instanceof ServiceError && lost.outcomeUnknown;
        if (isLost && (await client.capabilities()).of('predictDataset')?.isRepeatable) return queue();
        throw lost;
      });
      await cancel(client, id, late.batch_id);
    };
    if (signal.aborted) inBackground(log, cancelLate());
    throw error;
  }
}

const cancel = async (client: ServiceClient, id: string, batchId: string): Promise<unknown> =>
  client.do('cancelDatasetPredictions', { id, query: { batch_id: batchId } });

/** Makes each, and waits for it. Those created before a stop or a failure are kept. @throws ServiceError, or the signal's reason, if none is created */
export async function predictEach(
  app: App,
  { client, info, predictions }: Session,
  { label, requests }: { readonly label: string; readonly requests: readonly CreatePrediction[] },
  work: Work,
) {
  const isNoted = requests.length <= MOST_NOTED && !(await client.capabilities()).takes('createPrediction', 'name');
  const { found, failure, refusals } = await forEach<CreatePrediction, LocalPrediction>(
    requests,
    async (request, keep, signal) => {
      const first = await client.createPrediction(request, signal);
      keep(first);
      if (isNoted) app.memory.note(info.id, first.id, { label: `${label} · ${request.name ?? first.id}` });
      keep(await ended(predictions, first, signal));
    },
    work,
  );
  for (const { message } of refusals) app.log.warn(`${label}: ${message}`);
  const count = found.filter((one) => one !== undefined).length;
  const shortfall =
    count < requests.length ? shortfallOf(count, requests.length, label, failure ?? refusals[0]) : undefined;
  return { made: found, shortfall };
}

const isRefused = (error: ServiceError): boolean => error.kind === 'refused' && !error.isAbout('ai_model_id');

/** A failure stops other items only if it affects all. @param find keeps what it finds @throws if nothing is */
export async function forEach<T, R>(
  all: readonly T[],
  find: (one: T, keep: (found: R) => void, signal: AbortSignal) => Promise<void>,
  { signal, report }: Work,
  isOfOne: (error: ServiceError) => boolean = isRefused,
) {
  const found = all.map((): R | undefined => undefined);
  const refusals: ServiceError[] = [];
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const queue = all.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, one] of queue) {
      if (either.aborted) return;
      try {
        await find(one, (result) => (found[index] = result), either);
        report(vscode.l10n.t('{0} of {1}', inDigits(++done), inDigits(all.length)));
      } catch (error) {
        if (error instanceof ServiceError && isOfOne(error)) refusals.push(error);
        else stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const failure: unknown = signal.aborted ? signal.reason : stop.signal.reason;
  const why = failure ?? refusals[0];
  if (why !== undefined && found.every((one) => one === undefined)) throw why;
  return { found, failure, refusals };
}

function shortfallOf(done: number, all: number, label: string, why: unknown): string {
  const counts = [inDigits(done), inDigits(all), label] as const;
  const kept = vscode.l10n.t('{0} of {1} series of {2} were forecast; these forecasts are kept.', ...counts);
  if (why === undefined)
    return `${kept} ${vscode.l10n.t('The others were deleted, or removed from the queue, elsewhere.')}`;
  return why instanceof Error && !(why instanceof Cancelled)
    ? `${kept} ${vscode.l10n.t('The others were not: {0}', why.message)}`
    : `${vscode.l10n.t('Stopped.')} ${kept}`;
}

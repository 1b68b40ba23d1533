import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import type { ServiceClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import { orAborted, pause } from '../../client/pause.ts';
import type { DatasetPredictions, LocalPrediction } from '../../contract/local.ts';
import { isPending } from '../../contract/operation.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import type { Source } from '../connection/memory.ts';
import type { RequestOptions } from '../request/request.ts';
import { inBackground } from '../ui/background.ts';
import { Cancelled } from '../ui/failure.ts';
import { noteKeyOfRun } from '../views/tree/arrange.ts';

const LOOK_AGAIN = 500;
const PAGE = 200;
/** Of predictions with their series. */
const LARGE_PAGE = 100;

export interface ForecastSet {
  readonly label: string;
  readonly session: Session;
  /** How the file of their series is written. */
  readonly source: Source | undefined;
  /** Where the service has their series; absent where it forecasts one at a time. */
  readonly datasetId?: string | undefined;
  /** Of the one request that made all of them. */
  readonly batchId?: string | undefined;
  /** Without their input; a service that cannot leave it out sends it. */
  readonly predictions: readonly LocalPrediction[];
  /** Why there are fewer than there should be, in a sentence. */
  readonly shortfall?: string | undefined;
}

export interface Stored {
  readonly id: string;
  readonly label: string;
  /** How its file is written; what is remembered of the dataset where absent. */
  readonly source?: Source | undefined;
}

/** Which predictions of a dataset, and with what of them. */
interface Query {
  readonly wanted?: ReadonlySet<string> | undefined;
  /** Of the request that made them. */
  readonly batchId?: string | undefined;
  readonly withSeries?: boolean;
  readonly withInput?: boolean;
}

/** The predictions of a dataset, newest first, a page at a time. */
export async function* predictionsOfDataset(
  client: ServiceClient,
  datasetId: string,
  { wanted, withSeries = false, ...query }: Query = {},
  signal?: AbortSignal,
): AsyncGenerator<readonly LocalPrediction[]> {
  const size = withSeries ? LARGE_PAGE : PAGE;
  let cursor: string | undefined;
  do {
    const asked = { withInput: false, ...query, withSeries, withSketch: !withSeries, size, cursor, signal };
    const page = await client.listDatasetPredictions(datasetId, asked);
    yield page.items.filter(({ id }) => wanted?.has(id) !== false);
    cursor = page.next === cursor ? undefined : page.next;
  } while (cursor !== undefined);
}

/** Of predictions that come newest first, those that are the newest of their series. */
export async function* newestOfEach(
  pages: AsyncIterable<readonly LocalPrediction[]>,
): AsyncGenerator<readonly LocalPrediction[]> {
  const seen = new Set<string>();
  for await (const page of pages) {
    yield page.filter(({ input_series_id: series }) => {
      const isNew = series === undefined || !seen.has(series);
      if (series !== undefined) seen.add(series);
      return isNew;
    });
  }
}

/** The newest forecast of each series of a dataset, of all of them or of some; the oldest first. */
export async function setOfDataset(
  app: App,
  session: Session,
  stored: Stored & { readonly wanted?: ReadonlySet<string> | undefined; readonly batchId?: string | undefined },
  signal?: AbortSignal,
): Promise<ForecastSet> {
  const { id, label, wanted, batchId } = stored;
  const predictions: LocalPrediction[] = [];
  for await (const page of newestOfEach(predictionsOfDataset(session.client, id, { wanted, batchId }, signal)))
    predictions.push(...page);
  const source = stored.source ?? app.memory.recall(session.info.id, id)?.source;
  return { label, session, source, datasetId: id, batchId, predictions: predictions.reverse() };
}

/**
 * Forecasts all series of a dataset. Where the person stops it, or it fails, what waits is taken out of the queue again, and
 * what is done is kept.
 * @throws ServiceError, or the signal's reason, where nothing is done yet
 */
export async function predictAll(
  app: App,
  session: Session,
  asked: Stored & {
    readonly options?: RequestOptions;
    readonly onQueued?: (queued: DatasetPredictions) => Promise<void>;
  },
  work: Work,
): Promise<ForecastSet> {
  const queued = await queueAll(app, session, asked, work.signal);
  const { prediction_ids: ids, batch_id: batchId } = queued;
  if (batchId !== undefined)
    await app.memory.note(session.info.id, noteKeyOfRun(batchId), { label: asked.label, made: asked.id });
  await asked.onQueued?.(queued);
  const done = { ...asked, wanted: new Set(ids), batchId };
  let set: ForecastSet;
  try {
    await waitFor(session.client, queued, work);
    set = await setOfDataset(app, session, done, work.signal);
  } catch (error) {
    return whatIsDone(app, session, { ...done, queued }, work.signal.aborted ? work.signal.reason : error);
  }
  if (set.predictions.length === ids.length) return set;
  const [there, all] = [set.predictions.length, ids.length].map((count) => inDigits(count));
  const shortfall = vscode.l10n.t(
    '{0} of {1} series of {2} were forecast; these forecasts are kept. The others were deleted, or removed from the queue, elsewhere.',
    there,
    all,
    asked.label,
  );
  if (set.predictions.length === 0) throw new ServiceError('not-found', shortfall);
  return { ...set, shortfall };
}

/** Waits until none of them is queued or running. Services without batches count all predictions of the dataset. */
async function waitFor(client: ServiceClient, queued: DatasetPredictions, { signal, report }: Work): Promise<void> {
  const { dataset_id: id, batch_id: batchId, prediction_ids: ids } = queued;
  const count = async (status: string): Promise<number> =>
    (await client.listDatasetPredictions(id, { status, batchId, size: 1, withSeries: false, signal })).total ?? 0;
  for (;;) {
    const waiting = await count('QUEUED');
    if (waiting + (await count('IN_PROGRESS')) === 0) return;
    report(vscode.l10n.t('{0} of {1}', inDigits(Math.max(0, ids.length - waiting)), inDigits(ids.length)));
    await pause(LOOK_AGAIN, signal);
    signal.throwIfAborted();
  }
}

/** A stop while the service still queues them is heard at once; they are taken out again as soon as they are in. */
async function queueAll(
  { log }: App,
  { client }: Session,
  { id, options }: { readonly id: string; readonly options?: RequestOptions },
  signal: AbortSignal,
): Promise<DatasetPredictions> {
  signal.throwIfAborted();
  const idempotencyKey = crypto.randomUUID();
  const queue = () => client.do('predictDataset', { id, body: { ...options }, idempotencyKey });
  const queueing = queue();
  try {
    return await orAborted(queueing, signal);
  } catch (error) {
    const cancel = async (): Promise<void> => {
      const queued = await queueing.catch(async (lost: unknown) => {
        const isLost = lost instanceof ServiceError && lost.outcomeUnknown;
        // what it queued must not go on without anybody to see it
        if (isLost && (await client.capabilities()).of('predictDataset')?.isRepeatable) return queue();
        throw lost;
      });
      await cancelPending(client, queued);
    };
    if (signal.aborted) inBackground(log, cancel());
    throw error;
  }
}

/**
 * Takes the predictions that one request queued out of the queue again, and no others of their dataset: another window may
 * wait for those.
 * @throws ServiceError
 */
async function cancelPending(client: ServiceClient, queued: DatasetPredictions): Promise<void> {
  const { dataset_id: id, batch_id: batchId, prediction_ids: ids } = queued;
  const offers = await client.capabilities();
  if (batchId !== undefined && offers.asks('cancelDatasetPredictions', 'batch_id')) {
    await client.do('cancelDatasetPredictions', { id, query: { batch_id: batchId } });
    return;
  }
  const pending: string[] = [];
  for await (const page of predictionsOfDataset(client, id, { wanted: new Set(ids) }))
    pending.push(...page.filter(({ status }) => isPending(status)).map((one) => one.id));
  const { failure } = await forEach(
    pending,
    (one, _index, signal) => client.delete('deletePrediction', one, signal),
    { signal: new AbortController().signal, report: () => undefined },
    ({ kind }) => kind === 'not-found',
  );
  if (failure !== undefined) throw failure;
}

/**
 * After a stop or a failure.
 * @param why the signal's reason, or the failure
 * @throws why, where nothing is done yet, or what is done cannot be read
 */
async function whatIsDone(
  app: App,
  session: Session,
  done: Parameters<typeof setOfDataset>[2] & { readonly queued: DatasetPredictions },
  why: unknown,
): Promise<ForecastSet> {
  const { label, queued } = done;
  const noted = (error: unknown): unknown => {
    app.log.warn(`${label}: ${String(error)}`);
    return error;
  };
  const isOver = await cancelPending(session.client, queued).then(
    () => true,
    (error: unknown) => !noted(error),
  );
  const goesOn = isOver
    ? ''
    : vscode.l10n.t(
        'Waiting forecasts could not be removed from the queue and may still run; find them in their dataset.',
      );
  const failed = (reason: unknown): unknown =>
    goesOn === '' || !(reason instanceof Error)
      ? reason
      : new ServiceError('failed', reason instanceof Cancelled ? goesOn : `${reason.message} ${goesOn}`, {
          cause: reason,
        });
  const set = await setOfDataset(app, session, done).catch((error: unknown) => {
    throw failed(why instanceof Cancelled ? noted(error) : why);
  });
  const all = queued.prediction_ids.length;
  const ended = set.predictions.filter(({ status }) => !isPending(status));
  // it was over already
  if (ended.length === all) return set;
  const predictions = ended.filter(({ status }) => status === 'COMPLETED');
  if (predictions.length === 0) throw failed(why);
  const shortfall = shortfallOf(predictions.length, all, label, { failure: why, refusals: [] });
  return { ...set, predictions, shortfall: [shortfall, goesOn].filter(Boolean).join(' ') };
}

/** Canceled by its signal; reports progress. */
export interface Work {
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
}

export interface Ends {
  /** What ended them before their time: a failure that the others would meet too, or the signal's reason. */
  readonly failure: unknown;
  readonly refusals: readonly ServiceError[];
}

/** Requests to a remote service at a time. */
const AT_ONCE = 4;

/** A request that is refused for its own series says nothing of the others. */
const isRefused = (error: ServiceError): boolean => error.kind === 'refused' && !error.isAbout('ai_model_id');

/**
 * Sends a request for each item and reports progress. A failure of one item does not stop the others, unless it would
 * affect all of them; the signal stops all. Never rejects.
 */
export async function forEach<T>(
  all: readonly T[],
  send: (one: T, index: number, signal: AbortSignal) => Promise<void>,
  { signal, report }: Work,
  isOfOne: (error: ServiceError) => boolean = isRefused,
): Promise<Ends> {
  const refusals: ServiceError[] = [];
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const queue = all.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (let next = queue.next(); !next.done && !either.aborted; next = queue.next()) {
      const [index, one] = next.value;
      try {
        await send(one, index, either);
        report(vscode.l10n.t('{0} of {1}', inDigits(++done), inDigits(all.length)));
      } catch (error) {
        if (error instanceof ServiceError && isOfOne(error)) refusals.push(error);
        else stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { failure: signal.aborted ? signal.reason : stop.signal.reason, refusals };
}

/** What is said where not all of many series were forecast. */
export function shortfallOf(done: number, all: number, label: string, ends: Ends): string | undefined {
  if (done === all) return undefined;
  const [some, whole] = [done, all].map((count) => inDigits(count));
  const why = ends.failure ?? ends.refusals[0];
  return !(why instanceof Error) || why instanceof Cancelled
    ? vscode.l10n.t('Stopped. {0} of {1} series of {2} were forecast; these forecasts are kept.', some, whole, label)
    : vscode.l10n.t(
        '{0} of {1} series of {2} were forecast; these forecasts are kept. The others were not: {3}',
        some,
        whole,
        label,
        why.message,
      );
}

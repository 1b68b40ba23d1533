import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import type { ServiceClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import type { CreatePrediction } from '../../contract/requests.ts';
import { isPending, type LocalPrediction } from '../../contract/resources.ts';
import { orAborted, pause } from '../../platform/pause.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import type { Source } from '../connection/memory.ts';
import type { RequestOptions } from '../request/request.ts';
import { Cancelled, inBackground, type Work } from '../ui/say.ts';
import { noteKeyOfRun } from '../views/tree/arrange.ts';
import { type ForecastSet, setOfDataset } from './forecast-set.ts';

/** Milliseconds between two reads of the progress of a batch. */
const POLL = 500;
/** Requests to a remote service at a time. */
const AT_ONCE = 4;

interface Batch {
  readonly id: string;
  readonly dataset: string;
  readonly count: number;
}

interface Wanted {
  readonly id: string;
  readonly label: string;
  readonly source?: Source | undefined;
  readonly options?: RequestOptions;
  /** Identifies its series and options, so that the batch is found again. */
  readonly key?: string;
}

/**
 * Forecasts all series of a dataset as one batch. After a stop or a failure, pending predictions leave the queue, and
 * finished ones are kept.
 * @throws ServiceError, or the signal's reason, if none is finished
 */
export async function predictAll(app: App, session: Session, wanted: Wanted, work: Work): Promise<ForecastSet> {
  const { id, label, source, key } = wanted;
  const { client, info } = session;
  const batch = await queueBatch(app, client, wanted, work.signal);
  const { id: batchId, count } = batch;
  await app.memory.note(info.id, noteKeyOfRun(batchId), { label, made: id });
  if (key !== undefined) await app.memory.note(info.id, id, { label, source, key, run: { batchId, count } });
  const ref = { serviceId: info.id, label, datasetId: id, batchId };
  let failure: unknown;
  let stillRuns = '';
  let set: ForecastSet;
  try {
    await waitFor(client, batch, work);
    set = await setOfDataset(app, session, ref, source, work.signal);
  } catch (error) {
    failure = work.signal.aborted ? work.signal.reason : error;
    await cancel(client, batch).catch((problem: unknown) => {
      app.log.warn(`${label}: ${String(problem)}`);
      stillRuns = STILL_RUNS;
    });
    set = await setOfDataset(app, session, ref, source).catch((unread: unknown) => {
      app.log.warn(`${label}: ${String(unread)}`);
      throw withSentence(failure instanceof Cancelled ? unread : failure, stillRuns);
    });
  }
  const ended = set.predictions.filter(({ status }) => !isPending(status));
  if (ended.length === count) return set;
  const predictions = failure === undefined ? ended : ended.filter(({ status }) => status === 'COMPLETED');
  const shortfall =
    failure === undefined
      ? vscode.l10n.t(
          '{0} of {1} series of {2} were forecast; these forecasts are kept. The others were deleted, or removed from the queue, elsewhere.',
          inDigits(predictions.length),
          inDigits(count),
          label,
        )
      : shortfallOf(predictions.length, count, label, failure);
  if (predictions.length > 0) return { ...set, predictions, shortfall: `${shortfall} ${stillRuns}`.trim() };
  throw failure === undefined ? new ServiceError('not-found', shortfall) : withSentence(failure, stillRuns);
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
async function queueBatch(
  { log }: App,
  client: ServiceClient,
  { id, options }: Wanted,
  signal: AbortSignal,
): Promise<Batch> {
  signal.throwIfAborted();
  const idempotencyKey = crypto.randomUUID();
  const queue = async (): Promise<Batch> => {
    const queued = await client.do('predictDataset', { id, body: { ...options }, idempotencyKey });
    return { id: queued.batch_id, dataset: id, count: queued.prediction_ids.length };
  };
  const queueing = queue();
  try {
    return await orAborted(queueing, signal);
  } catch (error) {
    const cancelLate = async (): Promise<void> => {
      const batch = await queueing.catch(async (lost: unknown) => {
        const isLost = lost instanceof ServiceError && lost.outcomeUnknown;
        if (isLost && (await client.capabilities()).of('predictDataset')?.isRepeatable) return queue();
        throw lost;
      });
      await cancel(client, batch);
    };
    if (signal.aborted) inBackground(log, cancelLate());
    throw error;
  }
}

/** Cancels the pending predictions of a batch. @throws ServiceError */
async function cancel(client: ServiceClient, { id, dataset }: Batch): Promise<void> {
  await client.do('cancelDatasetPredictions', { id: dataset, query: { batch_id: id } });
}

async function waitFor(client: ServiceClient, { id, dataset, count }: Batch, { signal, report }: Work): Promise<void> {
  const countOf = async (status: string): Promise<number> => {
    const query = { status, batchId: id, size: 1, withSeries: false, signal };
    return (await client.listDatasetPredictions(dataset, query)).total ?? 0;
  };
  for (;;) {
    const waiting = await countOf('QUEUED');
    if (waiting + (await countOf('IN_PROGRESS')) === 0) return;
    report(vscode.l10n.t('{0} of {1}', inDigits(Math.max(0, count - waiting)), inDigits(count)));
    await pause(POLL, signal);
    signal.throwIfAborted();
  }
}

interface Requests {
  readonly label: string;
  readonly requests: readonly CreatePrediction[];
  /** Follows a prediction that was created; the prediction is kept even if this fails. */
  readonly finish?: (made: LocalPrediction, request: CreatePrediction, signal: AbortSignal) => Promise<LocalPrediction>;
}

/**
 * Creates a prediction per request. Those created before a stop or a failure are kept.
 * @throws ServiceError, or the signal's reason, if none is created
 */
export async function predictEach(
  app: App,
  { client }: Session,
  { label, requests, finish }: Requests,
  work: Work,
): Promise<{ readonly made: readonly (LocalPrediction | undefined)[]; readonly shortfall: string | undefined }> {
  const made = Array.from(requests, (): LocalPrediction | undefined => undefined);
  const send = async (request: CreatePrediction, index: number, signal: AbortSignal): Promise<void> => {
    const first = (made[index] = await client.createPrediction(request, signal));
    if (finish) made[index] = await finish(first, request, signal);
  };
  const { failure, refusals } = await forEach(requests, send, work);
  for (const { message } of refusals) app.log.warn(`${label}: ${message}`);
  const count = made.filter((one) => one !== undefined).length;
  const why = failure ?? refusals[0];
  if (count === 0 && why) throw why;
  return { made, shortfall: count < requests.length ? shortfallOf(count, requests.length, label, why) : undefined };
}

interface Ends {
  /** The failure that stopped all, or the signal's reason. */
  readonly failure: unknown;
  readonly refusals: readonly ServiceError[];
}

/** A request refused for its own series says nothing about the others. */
const isRefused = (error: ServiceError): boolean => error.kind === 'refused' && !error.isAbout('ai_model_id');

/**
 * Sends a request for each item. A failure of one item does not stop the others, unless it would affect all of them; the
 * signal stops all. Never rejects.
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
    for (const [index, one] of queue) {
      if (either.aborted) return;
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

function shortfallOf(done: number, all: number, label: string, why: unknown): string {
  const [some, whole] = [done, all].map((count) => inDigits(count));
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

import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import type { DatasetPredictions, LocalPrediction } from '../../contract/local.ts';
import { isPending } from '../../contract/operation.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import type { Run } from '../connection/memory.ts';
import { storeForJob } from '../files/store-series.ts';
import { inBackground } from '../ui/background.ts';
import { Cancelled } from '../ui/failure.ts';
import { forecastsOfDataset, type ForecastSet, newestOfEach, predictionsOfDataset, type Report } from './forecasts.ts';
import type { RequestOptions } from '../request/request.ts';
import type { SeriesSet } from '../files/sources.ts';
import { cancelPending, pendingOf } from './queued.ts';
import { goesOn, shortfallOf, vanishedOf } from './shortfall.ts';
import { inDigits } from '../../calendar/digits.ts';

const LOOK_AGAIN = 500;

interface Stored {
  readonly id: string;
  readonly label: string;
  /** How its file is written; what is remembered of the dataset where absent. */
  readonly source?: ForecastSet['source'];
}

/** Stores the series as a dataset and forecasts all of them. */
export async function throughDataset(
  app: App,
  session: Session,
  { label, series, source }: SeriesSet,
  asked: { readonly options: RequestOptions; readonly key: string },
  signal: AbortSignal,
  report: Report,
): Promise<ForecastSet> {
  report(vscode.l10n.t('storing'));
  const { id } = await storeForJob(app, session.client, label, series, signal, {
    tags: ['forecast', label],
    report,
  });
  await app.memory.note(session.info.id, id, { label, source });
  return predictAll(app, session, { id, label, source }, asked.options, signal, report, (ids) => {
    const run = { first: ids[0], last: ids[ids.length - 1], count: ids.length };
    return app.memory.note(session.info.id, id, { label, source, key: asked.key, run });
  });
}

/**
 * Forecasts all series of a dataset. Where the person stops it, or it fails, what waits is taken out of the queue again, and
 * what is done is kept.
 * @throws ServiceError, or the signal's reason, where nothing is done yet
 */
export async function predictAll(
  app: App,
  session: Session,
  stored: Stored,
  options: RequestOptions,
  signal: AbortSignal,
  report: Report,
  onQueued: (ids: readonly string[]) => Promise<void> = () => Promise.resolve(),
): Promise<ForecastSet> {
  const queued = await queueAll(app, session, stored, options, signal);
  const { prediction_ids: ids } = queued;
  await onQueued(ids);
  let set: ForecastSet;
  try {
    for (;;) {
      const { waiting, running } = await pendingOf(session.client, queued, signal);
      if (waiting + running === 0) break;
      const [done, all] = [Math.max(0, ids.length - waiting), ids.length].map((count) => inDigits(count));
      report(vscode.l10n.t('{0} of {1}', done, all));
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
      signal.throwIfAborted();
    }
    set = await setOfDataset(app, session, stored, new Set(ids), signal);
  } catch (error) {
    return whatIsDone(app, session, stored, queued, signal.aborted ? signal.reason : error);
  }
  if (set.predictions.length === ids.length) return set;
  const shortfall = vanishedOf(set.predictions.length, ids.length, stored.label);
  if (set.predictions.length === 0) throw new ServiceError('not-found', shortfall);
  return { ...set, shortfall };
}

/** Whoever stops while the service still queues them is let go; they are taken out again as soon as they are in. */
async function queueAll(
  app: App,
  { client }: Session,
  { id }: Stored,
  options: RequestOptions,
  signal: AbortSignal,
): Promise<DatasetPredictions> {
  signal.throwIfAborted();
  const idempotencyKey = crypto.randomUUID();
  const queue = () => client.predictDataset(id, { ...options }, { idempotencyKey });
  const queueing = queue();
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => {
    stopped.reject(signal.reason as Error);
  };
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([queueing, stopped.promise]);
  } catch (error) {
    const cancel = async (): Promise<void> => {
      const queued = await queueing.catch(async (lost: unknown) => {
        const isLost = lost instanceof ServiceError && lost.outcomeUnknown;
        // what it queued must not go on without anybody to see it
        if (isLost && (await client.capabilities()).isRepeatable('predictDataset')) return queue();
        throw lost;
      });
      await cancelPending(client, queued);
    };
    if (signal.aborted) inBackground(app.log, cancel());
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * After a stop or a failure.
 * @param why the signal's reason, or the failure
 * @throws why, where nothing is done yet, or what is done cannot be read
 */
async function whatIsDone(
  app: App,
  session: Session,
  stored: Stored,
  queued: DatasetPredictions,
  why: unknown,
): Promise<ForecastSet> {
  const { prediction_ids: ids } = queued;
  const further = await cancelPending(session.client, queued).then(
    () => undefined,
    (error: unknown) => {
      app.log.warn(`${stored.label}: ${String(error)}`);
      return goesOn();
    },
  );
  const set = await setOfDataset(app, session, stored, new Set(ids)).catch((error: unknown) => {
    app.log.warn(`${stored.label}: ${String(error)}`);
    throw more(why instanceof Cancelled ? error : why, further);
  });
  const ended = set.predictions.filter(({ status }) => !isPending(status));
  // it was over already
  if (ended.length === ids.length) return set;
  const predictions = ended.filter(({ status }) => status === 'COMPLETED');
  if (predictions.length === 0) throw more(why, further);
  const shortfall = shortfallOf(predictions.length, ids.length, stored.label, { failure: why, refusals: [] });
  const forecasts = formsOf(session, stored, predictions, set.source);
  return { ...set, predictions, forecasts, shortfall: [shortfall, further].filter(Boolean).join(' ') };
}

/** The same failure, which says more. */
function more(why: unknown, further: string | undefined): unknown {
  if (further === undefined || !(why instanceof Error)) return why;
  if (why instanceof Cancelled) return new ServiceError('failed', further, { cause: why });
  const known = why instanceof ServiceError ? why : undefined;
  const { status, reason } = known ?? {};
  return new ServiceError(known?.kind ?? 'failed', `${why.message} ${further}`, { status, reason, cause: why });
}

/** The newest forecast of each series of a dataset. @param wanted ids of predictions; all of them where absent */
export async function setOfDataset(
  app: App,
  session: Session,
  stored: Stored,
  wanted: ReadonlySet<string> | undefined,
  signal?: AbortSignal,
): Promise<ForecastSet> {
  const predictions: LocalPrediction[] = [];
  for await (const page of newestOfEach(predictionsOfDataset(session.client, stored.id, wanted, false, signal)))
    predictions.push(...page);
  predictions.reverse();
  const source = stored.source ?? app.memory.recall(session.info.id, stored.id)?.source;
  const forecasts = formsOf(session, stored, predictions, source);
  return { label: stored.label, session, source, datasetId: stored.id, predictions, forecasts };
}

/** The forecasts that were made together, where they are all still there. */
export async function setOfRun(
  app: App,
  session: Session,
  stored: Stored,
  { first, last, count }: Run,
): Promise<ForecastSet | undefined> {
  const all: LocalPrediction[] = [];
  for await (const page of predictionsOfDataset(session.client, stored.id, undefined, false)) all.push(...page);
  const ends = [first, last].map((id) => all.findIndex((prediction) => prediction.id === id));
  const predictions = all.slice(Math.min(...ends), Math.max(...ends) + 1).reverse();
  if (Math.min(...ends) < 0 || predictions.length !== count) return undefined;
  const { label, source = app.memory.recall(session.info.id, stored.id)?.source } = stored;
  const forecasts = formsOf(session, stored, predictions, source);
  // what is shown by its dataset is the newest of each series
  const isNewest = Math.min(...ends) === 0;
  return { label, session, source, ...(isNewest ? { datasetId: stored.id } : {}), predictions, forecasts };
}

const formsOf =
  (
    { client }: Session,
    { id }: Stored,
    predictions: readonly LocalPrediction[],
    source: ForecastSet['source'],
  ): ForecastSet['forecasts'] =>
  (writing) =>
    forecastsOfDataset(client, id, predictions, source, writing);

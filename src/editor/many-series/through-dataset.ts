import * as vscode from 'vscode';
import type { LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import type { Run } from '../connection/memory.ts';
import { storeForJob } from '../files/store-series.ts';
import { inBackground } from '../ui/background.ts';
import { forecastsOfDataset, type ForecastSet, newestOfEach, predictionsOfDataset, type Report } from './forecasts.ts';
import type { RequestOptions } from '../forecast/request.ts';
import type { SeriesSet } from './sources.ts';

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
 * Forecasts all series of a dataset. Where the person stops it, what waits is taken out of the queue again, and what is
 * done is kept.
 * @throws the signal's reason where nothing is done yet
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
  const ids = await queueAll(app, session, stored, options, signal);
  await onQueued(ids);
  try {
    for (;;) {
      const left = await countOf(session, stored.id, 'QUEUED', signal);
      const running = await countOf(session, stored.id, 'IN_PROGRESS', signal);
      if (left + running === 0) break;
      const [done, all] = [Math.max(0, ids.length - left), ids.length].map((count) => count.toLocaleString('en'));
      report(vscode.l10n.t('{0} of {1}', done, all));
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
      signal.throwIfAborted();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    await session.client.cancelDatasetPredictions(stored.id);
    return whatIsDone(app, session, stored, new Set(ids), signal);
  }
  return setOfDataset(app, session, stored, new Set(ids), signal);
}

/** Whoever stops while the service still queues them is let go; they are taken out again as soon as they are in. */
async function queueAll(
  app: App,
  { client }: Session,
  { id }: Stored,
  options: RequestOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  signal.throwIfAborted();
  const queueing = client.predictDataset(id, { ...options });
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => {
    stopped.reject(signal.reason as Error);
  };
  signal.addEventListener('abort', stop);
  try {
    return (await Promise.race([queueing, stopped.promise])).prediction_ids;
  } catch (error) {
    // also where the answer was lost: what it queued must not go on without anybody to see it
    const cancel = () => client.cancelDatasetPredictions(id);
    if (signal.aborted) inBackground(app.log, queueing.then(cancel, cancel));
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** After a stop. @throws the signal's reason where nothing is done yet */
async function whatIsDone(
  app: App,
  session: Session,
  stored: Stored,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ForecastSet> {
  const set = await setOfDataset(app, session, stored, wanted);
  const predictions = set.predictions.filter(({ status }) => status === 'COMPLETED');
  if (predictions.length === 0) throw signal.reason;
  const shortfall = stoppedAfter(predictions.length, wanted.size, stored.label);
  return { ...set, predictions, forecasts: formsOf(session, stored, predictions, set.source), shortfall };
}

/** What is said where the person stopped. */
export const stoppedAfter = (done: number, all: number, label: string): string =>
  vscode.l10n.t(
    'Stopped. {0} of {1} series of {2} are forecast and kept.',
    done.toLocaleString('en'),
    all.toLocaleString('en'),
    label,
  );

async function countOf({ client }: Session, datasetId: string, status: string, signal: AbortSignal): Promise<number> {
  const { total } = await client.listDatasetPredictions(datasetId, { status, size: 1, withSeries: false, signal });
  return total ?? 0;
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

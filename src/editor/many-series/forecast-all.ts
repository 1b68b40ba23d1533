import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { isGone, ServiceError } from '../../client/errors.ts';
import { ended } from '../../client/poller.ts';
import { LONGEST_NAME } from '../../client/store-series.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { LocalCreatePrediction } from '../../contract/requests.ts';
import { fromPoints, toPoints } from '../../reading/points.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { fileNameOf } from '../files/document.ts';
import { seriesFilesOf } from '../files/find-files.ts';
import { readSeriesOf, type SeriesSet, tellUnread } from '../files/sources.ts';
import { storeForJob, storeSeries } from '../files/store-series.ts';
import { VIEWS } from '../names.ts';
import { chooseModel } from '../request/pick-model.ts';
import { fingerprint, MOST_LETTERS, type RequestOptions, withDefaults } from '../request/request.ts';
import { inBackground } from '../ui/background.ts';
import { Cancelled } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import { say } from '../ui/say.ts';
import { alone, askName } from '../ui/steps.ts';
import { noteKeyOfRun } from '../views/tree/arrange.ts';
import type { Group, ResourceNode } from '../views/tree/kinds.ts';
import { forEach, type ForecastSet, predictAll, setOfDataset, shortfallOf, type Work } from './dataset.ts';
import type { SetRef } from './protocol.ts';
import { settleColumns, settleSums, sumsAgain } from './settle.ts';

/** More series than this are only sent one by one to a remote service when the person says so. */
const MANY = 20;
/** Forecasts of one request whose names are kept here. */
const MOST_NOTED = 500;

/**
 * Forecasts all series of files and folders, and shows the forecasts by their accuracy. They are stored as a dataset
 * where the service offers that; another service is sent one request for each series. What is done when it is stopped,
 * or when the service fails, is kept and shown.
 * @throws Cancelled, SeriesError, ServiceError
 */
export async function forecastAll(app: App, uris: readonly vscode.Uri[], options: RequestOptions = {}): Promise<void> {
  const label = uris.length === 1 ? fileNameOf(uris[0]) : vscode.l10n.t('{0} files and folders', uris.length);
  const read = await withPatience(vscode.l10n.t('Reading {0}', label), async (signal, report) =>
    readSeriesOf(app, await seriesFilesOf(uris, signal), label, { signal, report }),
  );
  inBackground(app.log, tellUnread(read.unread));
  await forecastMany(app, read, options);
}

/**
 * Forecasts series that belong together, and shows the forecasts as a list. What was forecast before in the same way is
 * shown again.
 * @param wanted columns that were chosen for it; those that were chosen before where absent
 * @throws Cancelled, SeriesError, ServiceError
 */
export async function forecastMany(
  app: App,
  all: SeriesSet,
  asked: RequestOptions,
  wanted?: readonly string[],
): Promise<void> {
  const session = app.connection.inUse;
  const offers = await session.client.capabilities();
  const isStored = offers.has('createDataset') && offers.has('predictDataset');
  const usual = { read: all, options: await withDefaults(app, asked, !isStored) };
  const { read, options } = isStored
    ? await settleSums(app, await settleColumns(app, usual, offers, wanted), offers)
    : usual;
  const key = fingerprint(read.series, { ...options, label: read.label });
  const known = await madeBefore(app, session, key, read);
  if (known) {
    await tellAndShow(app, known);
    return;
  }
  if (!isStored) await confirm(read, session);
  const title = vscode.l10n.t('Forecasting {0} series of {1}', inDigits(read.series.length), read.label);
  const set = await withPatience(title, (signal, report) =>
    (isStored ? throughDataset : oneByOne)(app, session, { read, options, key }, { signal, report }),
  );
  for (const view of [VIEWS.predictions, VIEWS.datasets]) inBackground(app.log, app.trees.get(view)?.refresh());
  await tellAndShow(app, set);
}

interface Asked {
  readonly read: SeriesSet;
  readonly options: RequestOptions;
  readonly key: string;
}

/** Stores the series as a dataset and forecasts all of them. */
async function throughDataset(
  app: App,
  session: Session,
  { read, options, key }: Asked,
  work: Work,
): Promise<ForecastSet> {
  const { label, series, source } = read;
  work.report(vscode.l10n.t('storing'));
  const { id } = await storeForJob(app, session.client, { name: label, series, tags: ['forecast', label] }, work);
  await app.memory.note(session.info.id, id, { label, source });
  return predictAll(
    app,
    session,
    {
      id,
      label,
      source,
      options,
      onQueued: ({ batch_id: batchId, prediction_ids: { length: count } }) =>
        app.memory.note(session.info.id, id, { label, source, key, ...(batchId ? { run: { batchId, count } } : {}) }),
    },
    work,
  );
}

/** For a service that forecasts only one series at a time. @throws ServiceError, or the signal's reason, where nothing is done */
async function oneByOne(app: App, session: Session, { read, options }: Asked, work: Work): Promise<ForecastSet> {
  const { label, series, source } = read;
  const { client, info } = session;
  // a service that keeps no names would list them as numbers; very many would crowd out what is known of others
  const isNoted = series.length <= MOST_NOTED && !(await client.capabilities()).takes('createPrediction', 'name');
  const requests = series.map((one) => ({ ...options, series: toPoints(one), name: one.name }));
  const finish = async (first: LocalPrediction, { name }: LocalCreatePrediction, either: AbortSignal) => {
    if (isNoted) await app.memory.note(info.id, first.id, { label: `${label} · ${name ?? first.id}` });
    return ended(session.predictions, first, either);
  };
  const { made, shortfall } = await predictEach(app, session, { label, requests, finish }, work);
  const predictions = made.flatMap((one, index) => (one ? [{ ...one, name: series[index].name }] : []));
  return { label, session, source, predictions, shortfall };
}

/** Many requests for a series each. */
interface Requests {
  readonly label: string;
  readonly requests: readonly LocalCreatePrediction[];
  /** What is done with one that was made; it is kept even where this fails. */
  readonly finish?: (
    made: LocalPrediction,
    request: LocalCreatePrediction,
    signal: AbortSignal,
  ) => Promise<LocalPrediction>;
}

/**
 * Sends a request for each of many series. What is made when it is stopped, or fails, is kept.
 * @throws ServiceError, or the signal's reason, where nothing is made
 */
export async function predictEach(
  app: App,
  { client }: Session,
  { label, requests, finish }: Requests,
  work: Work,
): Promise<{ readonly made: readonly (LocalPrediction | undefined)[]; readonly shortfall: string | undefined }> {
  const made = Array.from(requests, (): LocalPrediction | undefined => undefined);
  const send = async (request: LocalCreatePrediction, index: number, signal: AbortSignal): Promise<void> => {
    const first = (made[index] = await client.createPrediction(request, signal));
    if (finish) made[index] = await finish(first, request, signal);
  };
  const ends = await forEach(requests, send, work);
  for (const { message } of ends.refusals) app.log.warn(`${label}: ${message}`);
  const count = made.filter((one) => one !== undefined).length;
  const why = ends.failure ?? ends.refusals[0];
  if (count === 0 && why) throw why;
  return { made, shortfall: shortfallOf(count, requests.length, label, ends) };
}

/** The forecasts of the same series made before in the same way, where they are all still there. */
async function madeBefore(app: App, session: Session, key: string, read: SeriesSet): Promise<ForecastSet | undefined> {
  const id = app.memory.find(session.info.id, key);
  const run = app.memory.findRun(session.info.id, key);
  if (id === undefined || run === undefined) return undefined;
  try {
    const { label, source } = read;
    const set = await setOfDataset(app, session, { id, label, source, batchId: run.batchId });
    const isWhole =
      set.predictions.length === run.count && set.predictions.every(({ status }) => status === 'COMPLETED');
    return isWhole ? set : undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** Shows the forecasts of the series of a stored dataset, which gets some first where it has none. @throws Cancelled, ServiceError */
export async function browseDataset(app: App, node: ResourceNode & { kind: 'dataset' }): Promise<void> {
  const session = app.connection.session(node.serviceId) ?? app.connection.inUse;
  const { id } = node;
  const label = node.item.name ?? id;
  const found = await withPatience(vscode.l10n.t('Reading the forecasts of {0}', label), (signal) =>
    setOfDataset(app, session, { id, label }, signal),
  );
  if (found.predictions.length > 0) return showForecasts(app, found);
  const button = vscode.l10n.t('Forecast All Series');
  if (!(await say.info(vscode.l10n.t('The series of {0} have no forecasts yet.', label), button))) return;
  const title = vscode.l10n.t('Forecasting the series of {0}', label);
  const made = await withPatience(title, (signal, report) =>
    predictAll(app, session, { id, label }, { signal, report }),
  );
  await tellAndShow(app, made);
}

/** Says why a set is not whole, while what there is of it is looked at. */
async function tellAndShow(app: App, set: ForecastSet): Promise<void> {
  if (set.shortfall !== undefined) inBackground(app.log, say.warning(set.shortfall));
  await showForecasts(app, set);
}

/** Shows forecasts of many series as a page. */
async function showForecasts(app: App, { label, session, datasetId, batchId, predictions, source }: ForecastSet) {
  const serviceId = session.info.id;
  const ids = { predictionIds: predictions.map(({ id }) => id) };
  const ref: SetRef = { serviceId, label, ...(datasetId === undefined ? ids : { datasetId, batchId }) };
  if (datasetId === undefined) await app.memory.note(serviceId, noteKeyOf(ref), { label, source });
  app.manyPages.show(ref, predictions);
}

/** Shows the forecasts that one request made, as a row of the side bar has them. */
export async function openRun(app: App, { entries, label, batchId = '' }: Group): Promise<void> {
  const [{ serviceId, item, offers }] = entries;
  const seriesId = 'input_series_id' in item && typeof item.input_series_id === 'string' ? item.input_series_id : '';
  const client = app.connection.session(serviceId)?.client;
  const noted = app.memory.recall(serviceId, noteKeyOfRun(batchId))?.made;
  const datasetId =
    noted ?? (offers.has('getSeries') ? (await client?.do('getSeries', { id: seriesId }))?.dataset_id : undefined);
  const which = datasetId === undefined ? { predictionIds: entries.map(({ id }) => id) } : { datasetId, batchId };
  app.manyPages.show({ serviceId, label, ...which });
}

/** What the notes of a set are kept under: its dataset, or the first of its predictions. */
export const noteKeyOf = ({ datasetId, predictionIds = [] }: SetRef): string =>
  datasetId ?? `set ${predictionIds[0] ?? ''}`;

async function confirm({ series, label }: SeriesSet, { info }: Session): Promise<void> {
  if (series.length <= MANY) return;
  const question = vscode.l10n.t(
    'Send {0} series of {1} to {2}? The service takes one series per request, so this makes {0} requests.',
    inDigits(series.length),
    label,
    info.name,
  );
  if (!(await say.confirm(question, vscode.l10n.t('Send')))) throw new Cancelled();
}

/**
 * Forecasts chosen series again with another model that the person chooses, as far ahead as before.
 * @param whole its dataset where all series of one are chosen
 * @returns ids of the new predictions by those of the ones before
 * @throws Cancelled, ServiceError, where none is made; what is made before a failure is kept, and said
 */
export async function forecastAnew(
  app: App,
  session: Session,
  whole: { readonly label: string; readonly datasetId?: string | undefined },
  chosen: readonly LocalPrediction[],
): Promise<ReadonlyMap<string, string>> {
  if (session.info.id !== app.connection.current.id)
    throw new ServiceError(
      'refused',
      vscode.l10n.t('These forecasts belong to a different service. Switch to that service first.'),
    );
  const { label, datasetId: id } = whole;
  const count = inDigits(chosen.length);
  const place = alone(vscode.l10n.t('Forecast {0} Series Again', count));
  const { id: model } = await chooseModel(app, { place, placeholder: vscode.l10n.t('Which model?') });
  const horizon = chosen[0]?.prediction_length;
  const options = await withDefaults(app, { ai_model_id: model, prediction_length: horizon }, false);
  const made = new Map<string, string>();
  await withPatience(vscode.l10n.t('Forecasting {0} series of {1}', count, label), async (signal, report) => {
    const offers = await session.client.capabilities();
    const work = { signal, report };
    const again = async (): Promise<string | undefined> => {
      if (id !== undefined && offers.has('predictDataset')) {
        const asked = { id, label, options: { ...options, ...sumsAgain(chosen, offers) } };
        return (await predictAll(app, session, asked, work)).shortfall;
      }
      const requests = chosen.map(({ name, input_series: series, input_series_id: series_id, prediction_length }) => ({
        ...options,
        ...(series_id === undefined ? { series } : { series_id }),
        prediction_length: prediction_length ?? options.prediction_length,
        name: name?.slice(0, MOST_LETTERS),
      }));
      const each = await predictEach(app, session, { label, requests }, work);
      for (const [index, one] of each.made.entries()) if (one) made.set(chosen[index].id, one.id);
      return each.shortfall;
    };
    const shortfall = await again();
    if (shortfall !== undefined) inBackground(app.log, say.warning(shortfall));
  });
  inBackground(app.log, app.trees.get(VIEWS.predictions)?.refresh());
  return made;
}

/**
 * Stores the series of chosen forecasts as a dataset of their own, and shows it. A forecast that was deleted meanwhile is
 * left out, which is said; where another cannot be read, nothing more is, and nothing is stored.
 * @throws Cancelled, ServiceError
 */
export async function storeSelected(
  app: App,
  { client }: Session,
  label: string,
  chosen: readonly LocalPrediction[],
): Promise<void> {
  const count = inDigits(chosen.length);
  const name = await askName({
    place: alone(vscode.l10n.t('Create Dataset of {0} Series', count)),
    prompt: vscode.l10n.t('What should the dataset be called?'),
    value: vscode.l10n.t('{0} series of {1}', count, label),
    most: LONGEST_NAME,
  });
  const id = await withPatience(vscode.l10n.t('Storing {0}', name), async (signal, report) => {
    const read = chosen.map((): ReturnType<typeof fromPoints> | undefined => undefined);
    const { failure, refusals } = await forEach(
      chosen,
      async (prediction, index, either) => {
        const { input_series = [] } = prediction.input_series
          ? prediction
          : await client.getPrediction(prediction.id, either);
        read[index] = fromPoints(input_series, prediction.name ?? prediction.id);
      },
      { signal, report },
      isGone,
    );
    const series = read.filter((one) => one !== undefined);
    const reason = failure ?? (series.length === 0 ? refusals[0] : undefined);
    if (reason !== undefined) throw reason;
    const stored = await storeSeries(app, client, { name, series }, { signal, report });
    const [refusal] = refusals;
    if (refusal)
      inBackground(
        app.log,
        say.warning(
          vscode.l10n.t(
            '{0} of {1} series are stored in {2}. The others are not: {3}',
            inDigits(series.length),
            count,
            name,
            refusal.message,
          ),
        ),
      );
    return stored.id;
  });
  await app.trees.get(VIEWS.datasets)?.refresh();
  await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  await app.trees.get(VIEWS.datasets)?.reveal(id);
}

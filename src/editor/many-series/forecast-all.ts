import * as vscode from 'vscode';
import type { Session } from '../connection/connection.ts';
import { VIEWS } from '../names.ts';
import { say } from '../ui/say.ts';
import type { ResourceNode } from '../views/tree/node.ts';
import type { App } from '../app.ts';
import { showForecasts } from './deeds.ts';
import { fileNameOf } from '../files/document.ts';
import { inBackground } from '../ui/background.ts';
import { Cancelled } from '../ui/failure.ts';
import type { ForecastSet } from './forecasts.ts';
import { settleSums } from './add-up.ts';
import { settleColumns } from './columns.ts';
import { oneByOne } from './one-by-one.ts';
import { readSeriesOf, type SeriesSet, tellUnread } from '../files/sources.ts';
import { predictAll, setOfDataset, setOfRun, throughDataset } from './through-dataset.ts';
import { ServiceError } from '../../client/errors.ts';
import { fingerprint, type RequestOptions, withDefaults } from '../request/request.ts';
import { withPatience } from '../ui/progress.ts';
import { seriesFilesOf } from '../files/series-files.ts';
import { inDigits } from '../../calendar/digits.ts';

/** More series than this are only sent one by one to a remote service when the person says so. */
const MANY = 20;

/**
 * Forecasts all series of files and folders, and shows the forecasts by their accuracy. They are stored as a dataset
 * where the service offers that; another service is sent one request for each series. What is done when it is stopped,
 * or when the service fails, is kept and shown.
 * @throws Cancelled, SeriesError, ServiceError
 */
export async function forecastAll(app: App, uris: readonly vscode.Uri[], options: RequestOptions = {}): Promise<void> {
  const label = uris.length === 1 ? fileNameOf(uris[0]) : vscode.l10n.t('{0} files and folders', uris.length);
  const read = await withPatience(vscode.l10n.t('Reading {0}', label), async (signal, report) =>
    readSeriesOf(app, await seriesFilesOf(uris, signal), label, signal, report),
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
  const usual = await withDefaults(app, asked, !isStored);
  const settled = isStored ? await settleColumns(app, all, offers, usual, wanted) : { read: all, steps: undefined };
  const { read, sums } = isStored ? await settleSums(app, settled.read, offers) : { read: all, sums: undefined };
  const steps = settled.steps === undefined ? {} : { prediction_length: settled.steps };
  const options = { ...usual, ...steps, ...(sums ? { sums } : {}) };
  const key = fingerprint(read.series, { ...options, label: read.label });
  const known = await madeBefore(app, session, key, read);
  if (known) {
    await tellAndShow(app, known);
    return;
  }
  if (!isStored) await confirm(read, session);
  const count = inDigits(read.series.length);
  const title = vscode.l10n.t('Forecasting {0} series of {1}', count, read.label);
  const set = await withPatience(title, (signal, report) =>
    isStored
      ? throughDataset(app, session, read, { options, key }, signal, report)
      : oneByOne(app, session, read, options, signal, report),
  );
  for (const view of [VIEWS.predictions, VIEWS.datasets]) inBackground(app.log, app.trees.get(view)?.refresh());
  await tellAndShow(app, set);
}

/** The forecasts of the same series made before in the same way, where they are all still there. */
async function madeBefore(
  app: App,
  session: Session,
  key: string,
  { label, source }: SeriesSet,
): Promise<ForecastSet | undefined> {
  const id = app.memory.find(session.info.id, key);
  const run = app.memory.findRun(session.info.id, key);
  if (id === undefined || run === undefined) return undefined;
  try {
    const set = await setOfRun(app, session, { id, label, source }, run);
    return set?.predictions.every(({ status }) => status === 'COMPLETED') ? set : undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

/** Shows the forecasts of the series of a stored dataset, made here or elsewhere. @throws Cancelled, ServiceError */
export async function browseDataset(app: App, node: ResourceNode & { kind: 'dataset' }): Promise<void> {
  const session = app.connection.session(node.serviceId) ?? app.connection.inUse;
  const label = node.item.name ?? node.id;
  const set = await withPatience(vscode.l10n.t('Reading the forecasts of {0}', label), (signal) =>
    setOfDataset(app, session, { id: node.id, label }, undefined, signal),
  );
  if (set.predictions.length > 0) await showForecasts(app, set);
  else await forecastDataset(app, session, node.id, label);
}

/** A dataset without forecasts gets them first. */
async function forecastDataset(app: App, session: Session, id: string, label: string): Promise<void> {
  const button = vscode.l10n.t('Forecast All Series');
  const answer = await say.info(vscode.l10n.t('The series of {0} have no forecasts yet.', label), button);
  if (!answer) return;
  const set = await withPatience(vscode.l10n.t('Forecasting the series of {0}', label), (signal, report) =>
    predictAll(app, session, { id, label }, {}, signal, report),
  );
  await tellAndShow(app, set);
}

/** Says why a set is not whole, while what there is of it is looked at. */
async function tellAndShow(app: App, set: ForecastSet): Promise<void> {
  if (set.shortfall !== undefined) inBackground(app.log, say.warning(set.shortfall));
  await showForecasts(app, set);
}

async function confirm({ series, label }: SeriesSet, { info }: Session): Promise<void> {
  if (series.length <= MANY) return;
  const question = vscode.l10n.t(
    'Send {0} series of {1} to {2}? It takes one at a time, so that makes {0} requests.',
    inDigits(series.length),
    label,
    info.name,
  );
  if (!(await say.confirm(question, vscode.l10n.t('Send')))) throw new Cancelled();
}

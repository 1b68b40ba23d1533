import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import type { Session } from '../connection/connection.ts';
import type { Source } from '../connection/memory.ts';
import { VIEWS } from '../connection/names.ts';
import { say } from '../ui/say.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import { toPoints } from '../../reading/points.ts';
import type { WritableSeries } from '../../reading/writing/write.ts';
import type { ResourceNode } from '../views/tree/node.ts';
import type { App } from '../app.ts';
import { browsePanel } from './browse.ts';
import { fileNameOf } from '../files/document.ts';
import { Cancelled } from '../ui/failure.ts';
import { panelForecasts, panelPredictions, writableForecast } from './forecasts.ts';
import { type PanelSource, readPanel, tellUnread } from './sources.ts';
import { withPatience } from '../ui/progress.ts';
import { seriesFilesOf } from '../files/series-files.ts';

/** Forecasts of many series that belong together. */
export interface Panel {
  readonly label: string;
  readonly session: Session;
  readonly source: Source | undefined;
  /** Without their input; a service that cannot leave it out sends it. */
  readonly predictions: readonly LocalPrediction[];
  /** The forecasts, to be written in one document. */
  readonly forecasts: () => Promise<readonly WritableSeries[]>;
}

type Report = (message: string) => void;

const LOOK_AGAIN = 500;
/** Requests to a remote service at a time. */
const AT_ONCE = 4;
/** More series than this are only sent one by one to a remote service when the person says so. */
const MANY = 20;

/**
 * Forecasts all series of files and folders, and shows the forecasts by their accuracy. They are stored as a dataset
 * where the service offers that; another service is sent one request for each series.
 * @throws Cancelled, SeriesError, ServiceError
 */
export async function forecastAll(app: App, uris: readonly vscode.Uri[]): Promise<void> {
  const label = uris.length === 1 ? fileNameOf(uris[0]) : `${uris.length} files and folders`;
  const session = app.connection.inUse;
  const offers = await session.client.capabilities();
  const isStored = offers.has('createDataset') && offers.has('predictDataset');
  const read = await withPatience(`Reading ${label}`, async (signal, report) =>
    readPanel(app, await seriesFilesOf(uris), label, signal, report),
  );
  if (!isStored) await confirm(read, session);
  const title = `Forecasting ${read.series.length.toLocaleString('en')} series of ${read.label}`;
  const panel = await withPatience(title, (signal, report) =>
    isStored ? throughDataset(app, session, read, signal, report) : oneByOne(app, session, read, signal, report),
  );
  void app.trees.get(VIEWS.predictions)?.refresh();
  void app.trees.get(VIEWS.datasets)?.refresh();
  void tellUnread(read.unread);
  await browsePanel(app, panel);
}

/** Shows the forecasts of the series of a stored dataset, made here or elsewhere. @throws Cancelled, ServiceError */
export async function browseDataset(app: App, node: ResourceNode & { kind: 'dataset' }): Promise<void> {
  const session = app.connection.session(node.serviceId) ?? app.connection.inUse;
  const label = node.item.name ?? node.id;
  const panel = await withPatience(`Reading the forecasts of ${label}`, (signal) =>
    datasetPanel(app, session, node.id, label, undefined, signal),
  );
  if (panel.predictions.length > 0) await browsePanel(app, panel);
  else await forecastDataset(app, session, node.id, label);
}

/** A dataset without forecasts gets them first. */
async function forecastDataset(app: App, session: Session, id: string, label: string): Promise<void> {
  const answer = await say.info(`The series of ${label} have no forecasts yet.`, 'Forecast All Series');
  if (!answer) return;
  const panel = await withPatience(`Forecasting the series of ${label}`, (signal, report) =>
    predictAll(app, session, { id, label }, signal, report),
  );
  await browsePanel(app, panel);
}

async function throughDataset(
  app: App,
  session: Session,
  { label, series, source }: PanelSource,
  signal: AbortSignal,
  report: Report,
): Promise<Panel> {
  report('storing');
  const fields = { name: label.slice(0, 200), tags: ['forecast', label.slice(0, 100)] };
  const body = await app.reader.bodyOf(fields, series, signal);
  const { id } = await session.client.createDatasetFrom(body, signal);
  await app.memory.note(session.info.id, id, { label, source });
  return predictAll(app, session, { id, label }, signal, report);
}

async function predictAll(
  app: App,
  session: Session,
  { id, label }: { id: string; label: string },
  signal: AbortSignal,
  report: Report,
): Promise<Panel> {
  const { client } = session;
  const { prediction_ids: ids } = await client.predictDataset(id, {}, signal);
  try {
    for (;;) {
      const left = await countOf(session, id, 'QUEUED', signal);
      const running = await countOf(session, id, 'IN_PROGRESS', signal);
      if (left + running === 0) break;
      report(`${(ids.length - left).toLocaleString('en')} of ${ids.length.toLocaleString('en')}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
      signal.throwIfAborted();
    }
  } catch (error) {
    if (signal.aborted) await client.cancelDatasetPredictions(id);
    throw error;
  }
  return datasetPanel(app, session, id, label, new Set(ids), signal);
}

async function countOf({ client }: Session, datasetId: string, status: string, signal: AbortSignal): Promise<number> {
  const { total } = await client.listDatasetPredictions(datasetId, { status, size: 1, withSeries: false, signal });
  return total ?? 0;
}

async function datasetPanel(
  app: App,
  session: Session,
  datasetId: string,
  label: string,
  wanted: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<Panel> {
  const predictions: LocalPrediction[] = [];
  for await (const page of panelPredictions(session.client, datasetId, wanted, false, signal))
    predictions.push(...page);
  predictions.reverse();
  const source = app.memory.recall(session.info.id, datasetId)?.source;
  return {
    label,
    session,
    source,
    predictions,
    forecasts: () => panelForecasts(session.client, datasetId, wanted, source),
  };
}

/** For a service that forecasts only one series at a time. The first failure that the others would meet too ends it. */
async function oneByOne(
  app: App,
  session: Session,
  { label, series, source }: PanelSource,
  signal: AbortSignal,
  report: Report,
): Promise<Panel> {
  const made: (LocalPrediction | undefined)[] = Array.from(series, () => undefined);
  const failures: ServiceError[] = [];
  const queue = series.entries();
  let done = 0;
  const work = async () => {
    for (const [index, one] of queue) {
      signal.throwIfAborted();
      try {
        const request = { series: toPoints(one), name: one.name };
        made[index] = { ...(await session.client.createPrediction(request, signal)), name: one.name };
      } catch (error) {
        if (!(error instanceof ServiceError) || error.kind !== 'refused') throw error;
        failures.push(error);
      }
      report(`${(++done).toLocaleString('en')} of ${series.length.toLocaleString('en')}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const predictions = made.filter((prediction) => prediction !== undefined);
  if (predictions.length === 0 && failures.length > 0) throw failures[0];
  for (const { message } of failures) app.log.warn(`${label}: ${message}`);
  return {
    label,
    session,
    source,
    predictions,
    forecasts: () => Promise.resolve(predictions.map((prediction) => writableForecast(prediction, source))),
  };
}

async function confirm({ series, label }: PanelSource, { info }: Session): Promise<void> {
  if (series.length <= MANY) return;
  const count = series.length.toLocaleString('en');
  const question = `Send ${count} series of ${label} to ${info.name}? It takes one at a time, so that makes ${count} requests.`;
  if (!(await say.confirm(question, 'Send'))) throw new Cancelled();
}

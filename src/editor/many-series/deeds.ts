import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { readPredictions } from '../../client/poller.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { createFineTunedModel } from '../training/fine-tune.ts';
import { Cancelled, showFailure } from '../ui/failure.ts';
import type { ManyDeeds } from '../views/many-series/panel.ts';
import type { Deed, SetRef } from '../views/many-series/protocol.ts';
import { forecastAnew } from './anew.ts';
import {
  forecastsOfDataset,
  type ForecastSet,
  newestOfEach,
  predictionsOfDataset,
  writableForecast,
} from './forecasts.ts';
import { saveAll } from './save-all.ts';
import { storeSelected } from './store-selected.ts';
import { inDigits } from '../../calendar/digits.ts';

const FORMS = { 'save-csv': 'csv', 'save-json': 'json', 'save-xlsx': 'xlsx' } as const;

/** Predictions that are read at once where a service has no dataset of them. */
const AT_ONCE = 20;

/** What can be done from the page of many forecasts; a failure is told. */
export function manyDeeds(app: App): ManyDeeds {
  const telling = async <T>(deed: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await deed();
    } catch (error) {
      if (!(error instanceof Cancelled)) await showFailure(app, error);
      return undefined;
    }
  };
  return {
    load: (ref, signal) => load(sessionOf(app, ref), ref, signal),
    open: async (ref, prediction) => {
      await telling(() => openChart(app, ref, prediction));
    },
    do: (deed, ref, chosen, isAll) => telling(() => doDeed(app, deed, ref, chosen, isAll)),
  };
}

/** Shows forecasts of many series as a page. */
export async function showForecasts(app: App, set: ForecastSet): Promise<void> {
  const { label, session, datasetId, predictions, source } = set;
  const serviceId = session.info.id;
  const predictionIds = predictions.map(({ id }) => id);
  const ref = { serviceId, label, ...(datasetId === undefined ? { predictionIds } : { datasetId }) };
  if (datasetId === undefined) await app.memory.note(serviceId, noteOf(ref), { label, source });
  app.manyPanels.open(ref, predictions);
}

/** @throws ServiceError where its service is not set up any more */
function sessionOf(app: App, { serviceId, label }: SetRef): Session {
  const session = app.connection.session(serviceId);
  if (session) return session;
  throw new ServiceError('not-found', vscode.l10n.t('The service of {0} is not set up any more.', label));
}

/** What the notes of a set are kept under: its dataset, or the first of its predictions. */
const noteOf = ({ datasetId, predictionIds = [] }: SetRef): string => datasetId ?? `set ${predictionIds[0] ?? ''}`;

async function* load(session: Session, ref: SetRef, signal: AbortSignal): AsyncGenerator<readonly LocalPrediction[]> {
  const { datasetId, predictionIds = [], label } = ref;
  if (datasetId !== undefined) {
    yield* newestOfEach(predictionsOfDataset(session.client, datasetId, undefined, false, signal));
    return;
  }
  for (let at = 0; at < predictionIds.length; at += AT_ONCE) {
    const ids = predictionIds.slice(at, at + AT_ONCE);
    const { jobs } = await readPredictions(session.client, new Set(ids), signal);
    yield jobs.map((job) => ({ ...job, name: job.name ?? label }));
  }
}

async function openChart(app: App, ref: SetRef, prediction: LocalPrediction): Promise<void> {
  const { serviceId, label } = ref;
  const name = prediction.name ?? prediction.id;
  const source = app.memory.recall(serviceId, noteOf(ref))?.source;
  const valueColumn = source?.valueColumn ?? name;
  await app.memory.note(serviceId, prediction.id, {
    label: name.startsWith(label) ? name : `${label} · ${name}`,
    valueLabel: valueColumn,
    source: source && { ...source, id: name, valueColumn },
  });
  app.panels.open({ serviceId, predictionId: prediction.id }, prediction, true, undefined, vscode.ViewColumn.Beside);
}

async function doDeed(
  app: App,
  deed: Deed,
  ref: SetRef,
  chosen: readonly LocalPrediction[],
  isAll: boolean,
): Promise<SetRef | undefined> {
  const session = sessionOf(app, ref);
  const { label, datasetId, predictionIds } = ref;
  switch (deed) {
    case 'save-csv':
    case 'save-json':
    case 'save-xlsx':
      await saveAll(app, chosenSet(app, session, ref, chosen), FORMS[deed]);
      return undefined;
    case 'dataset':
      await storeSelected(app, session, label, chosen);
      return undefined;
    case 'tune': {
      const name = isAll ? label : vscode.l10n.t('{0} series of {1}', inDigits(chosen.length), label);
      const ids = chosen.flatMap(({ input_series_id: id }) => (id === undefined ? [] : [id]));
      const whole = isAll ? datasetId : undefined;
      await createFineTunedModel(app, { stored: { label: name, ids, datasetId: whole } });
      return undefined;
    }
    case 'again': {
      const made = await forecastAnew(app, session, { label, datasetId: isAll ? datasetId : undefined }, chosen);
      if (datasetId !== undefined || !predictionIds) return ref;
      const source = app.memory.recall(ref.serviceId, noteOf(ref))?.source;
      const next = { ...ref, predictionIds: predictionIds.map((id) => made.get(id) ?? id) };
      await app.memory.note(ref.serviceId, noteOf(next), { label, source });
      return next;
    }
  }
}

/** Some of the forecasts of a page, to be written. */
function chosenSet(app: App, session: Session, ref: SetRef, chosen: readonly LocalPrediction[]) {
  const { label, datasetId } = ref;
  const source = app.memory.recall(ref.serviceId, noteOf(ref))?.source;
  const ids = new Set(chosen.map(({ id }) => id));
  const forecasts: ForecastSet['forecasts'] = async (writing) => {
    if (datasetId !== undefined) return forecastsOfDataset(session.client, datasetId, chosen, source, writing);
    const { jobs } = await readPredictions(session.client, ids, new AbortController().signal);
    const byId = new Map(jobs.map((job) => [job.id, job]));
    return chosen.flatMap(({ id, name }) => {
      const job = byId.get(id);
      return job?.prediction_series ? [writableForecast({ ...job, name: name ?? job.name }, source, writing)] : [];
    });
  };
  return { label, source, forecasts };
}

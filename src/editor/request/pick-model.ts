import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/client.ts';
import { isPassing, ServiceError } from '../../client/errors.ts';
import { describeEntry, type Entry, isUsable } from '../views/tree/kinds.ts';
import { forgetModel, knownModels, loadModels } from '../views/tree/sources.ts';
import type { ModelChoice } from '../views/chart/controls.ts';
import type { Session } from '../connection/connection.ts';
import { VIEWS } from '../names.ts';
import { inBackground, type Way } from '../ui/say.ts';
import type { App } from '../app.ts';
import { pagesOf } from '../ui/paged-list.ts';
import { after, alone, askText, Back, pickOne, type Place } from '../ui/steps.ts';

export interface ModelItem extends vscode.QuickPickItem {
  readonly id: string | undefined;
  readonly horizon?: number | undefined;
  readonly isTuned?: boolean;
  readonly leastContext?: number | undefined;
}

const OTHER = vscode.l10n.t('Another model…');
const DEFAULT = vscode.l10n.t('The service’s default model');

interface ModelQuestion {
  readonly session?: Session;
  readonly place: Place;
  readonly placeholder?: string;
  readonly before?: Pick<ModelItem, 'id'> | undefined;
  readonly isBase?: boolean;
}

/** Fine-tuned models come page by page; of a remote service, known ones at once. @throws Cancelled, ServiceError */
export async function chooseModel(app: App, question: ModelQuestion): Promise<ModelItem> {
  const { session = await app.connection.ready(), place, before, isBase = false } = question;
  const { placeholder = vscode.l10n.t('Which model?') } = question;
  const { client, info } = session;
  const { signal } = new AbortController();
  const more = pagesOf(
    async (cursor) => {
      const page = await loadModels(session, { cursor, signal }, app);
      return isBase ? { ...page, next: undefined } : page;
    },
    (entries) => modelItems(client, entries, isBase),
  );
  const items = info.kind === 'local' ? undefined : await modelItems(client, knownModels(session, app), isBase);
  const isBefore = ({ id, label }: ModelItem) => (before?.id === undefined ? label === DEFAULT : id === before.id);
  const isKnown = items?.some(isBefore) ?? true;
  const picked = before && ((item: ModelItem) => (isKnown ? isBefore(item) : item.label === OTHER));
  const chosen = await pickOne({ place, placeholder, items, more, picked });
  if (chosen.id !== undefined || chosen.label !== OTHER) return chosen;
  try {
    const id = await askText({
      place: after(place),
      prompt: vscode.l10n.t('The model’s id'),
      value: isKnown ? '' : (before?.id ?? ''),
      check: (text) => (text.trim() ? undefined : vscode.l10n.t('Enter an ID.')),
    });
    return { id, label: id };
  } catch (error) {
    if (error instanceof Back) return chooseModel(app, question);
    throw error;
  }
}

async function modelItems(client: ServiceClient, entries: readonly Entry[], isBase: boolean): Promise<ModelItem[]> {
  const offers = await client.capabilities();
  const creation = isBase ? 'createFineTunedModel' : 'createPrediction';
  const described = (await client.describedModels(creation)).filter((id) => entries.every((entry) => entry.id !== id));
  const known = (isUsed: boolean) =>
    entries.filter((entry) => entry.kind === 'baseModel' && isUsed === (entry.used !== undefined)).map(itemOf);
  const base = [
    ...known(false),
    ...described.map((id) => ({ id, label: id, description: vscode.l10n.t('named by the service') })),
  ];
  const tuned = entries.filter((entry) => entry.kind === 'fineTunedModel' && isUsable(entry.item, offers));
  const items = [
    ...group(vscode.l10n.t('Base models'), base),
    ...group(vscode.l10n.t('Fine-tuned models'), isBase ? [] : tuned.map(itemOf)),
    ...group(vscode.l10n.t('Used before'), known(true)),
  ];
  if (offers.has('listBaseModels')) return items;
  const byDefault: ModelItem = { id: undefined, label: DEFAULT, description: vscode.l10n.t('no model is named') };
  return [
    ...((await client.requiresModel(creation)) ? [] : [byDefault]),
    ...items,
    { id: undefined, label: OTHER, description: vscode.l10n.t('by its ID') },
  ];
}

export async function modelChoices(app: App, session: Session): Promise<ModelChoice[]> {
  const { client } = session;
  const offers = await client.capabilities();
  const isListed = offers.has('listBaseModels') || offers.has('listFineTunedModels');
  const query = { cursor: undefined, signal: new AbortController().signal };
  const entries = isListed ? (await loadModels(session, query, app)).items : knownModels(session, app);
  const items = await modelItems(client, entries, false);
  return items.flatMap(({ id, label, isTuned = false }) => (id === undefined ? [] : [{ id, label, isTuned }]));
}

const group = (label: string, items: readonly ModelItem[]): ModelItem[] =>
  items.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator, id: undefined }, ...items] : [];

function itemOf(entry: Entry): ModelItem {
  const { label, description } = describeEntry(entry);
  const item = { id: entry.id, label, description };
  if (entry.kind === 'fineTunedModel')
    return { ...item, isTuned: true, horizon: entry.item.horizon ?? entry.item.config?.prediction_length };
  if (entry.kind !== 'baseModel') return item;
  const { description: detail, min_context_length: leastContext } = entry.item;
  return { ...item, leastContext, ...(detail ? { detail } : {}) };
}

/** The model chosen for this service. Asked once if the service requires a model, or may require one. @throws Cancelled, ServiceError */
export async function usualModel(app: App, { client, info }: Session): Promise<string | undefined> {
  if (info.kind === 'local') return undefined;
  const chosen = app.memory.chosenModel(info.id);
  const isRequired = await client.requiresModel('createPrediction');
  const isUnknown = chosen === undefined && !(await client.capabilities()).isDescribed;
  return isUnknown || (isRequired && chosen?.model === undefined) ? chooseUsualModel(app) : chosen?.model;
}

export async function chooseUsualModel(app: App): Promise<string | undefined> {
  const { info } = await app.connection.ready();
  const placeholder = vscode.l10n.t(
    'Which model of {0} should make your forecasts? Your choice is remembered for this service.',
    info.name,
  );
  const place = alone(vscode.l10n.t('Choose a Model'));
  const { id } = await chooseModel(app, { place, placeholder, before: { id: app.memory.chosenModel(info.id)?.model } });
  app.memory.chooseModel(info.id, id);
  return id;
}

/** The ways out if a service is unavailable, or refuses a forecast for its model. */
export function waysAfter(app: App, error: unknown, again: () => unknown, withoutModel = again): Way[] {
  if (isPassing(error)) return [{ label: vscode.l10n.t('Try Again'), go: again }];
  const isOfModel = error instanceof ServiceError && error.isAbout('ai_model_id');
  if (!isOfModel || app.connection.current.kind === 'local') return [];
  const go = async () => {
    await chooseUsualModel(app);
    await withoutModel();
  };
  return [{ label: vscode.l10n.t('Choose a Model…'), go }];
}

/** Remembers what a forecast revealed about its model: that it is usable, gone, or not trained yet. */
export async function noteModelUse(app: App, serviceId: string, modelId: string, error?: unknown): Promise<void> {
  let isNew = false;
  if (error === undefined) {
    isNew = app.madeModels.settle(serviceId, modelId);
    const needs = await app.connection.session(serviceId)?.client.requiresModel('createPrediction');
    if (needs && app.memory.chosenModel(serviceId)?.model === undefined) app.memory.chooseModel(serviceId, modelId);
  } else if (error instanceof ServiceError && error.kind === 'not-found') {
    isNew = forgetModel(app, serviceId, modelId);
    if (app.memory.chosenModel(serviceId)?.model === modelId) app.memory.chooseModel(serviceId, undefined);
  } else if (error instanceof ServiceError && error.status === 409 && error.reason !== undefined) {
    isNew = app.madeModels.refused(serviceId, modelId, error.reason);
  }
  if (isNew) inBackground(app.log, app.trees.get(VIEWS.models)?.refresh());
}

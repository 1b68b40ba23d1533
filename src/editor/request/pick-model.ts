import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { describeEntry } from '../views/tree/describe.ts';
import { type Entry, isUsable } from '../views/tree/node.ts';
import { knownModels, loadModels } from '../views/tree/sources.ts';
import type { ModelChoice } from '../views/analysis/controls.ts';
import type { Session } from '../connection/connection.ts';
import { VIEWS } from '../names.ts';
import { setting } from '../connection/settings.ts';
import { say } from '../ui/say.ts';
import type { App } from '../app.ts';
import type { Way } from '../ui/failure.ts';
import { alone, askText, Back, pickOne, type Place } from '../ui/steps.ts';
import { inBackground } from '../ui/background.ts';
import { inDigits } from '../../calendar/digits.ts';

export interface ModelItem extends vscode.QuickPickItem {
  /** `undefined`: leave it to the service. */
  readonly id: string | undefined;
  /** The horizon it was tuned for: what its service says, else what was asked for. */
  readonly horizon?: number | undefined;
  /** How many points a base model must see at least to be trained on, where its service says. */
  readonly leastContext?: number | undefined;
}

const OTHER = vscode.l10n.t('Another model…');
const DEFAULT = vscode.l10n.t('The service’s default model');
const MORE = vscode.l10n.t('Load more…');

/**
 * The models that are known, base models first, the fine-tuned ones page by page; any other by its id.
 * @param before what was chosen earlier, to begin with
 * @throws Cancelled, ServiceError
 */
export async function chooseModel(
  app: App,
  place: Place,
  placeholder: string,
  before?: Pick<ModelItem, 'id'>,
  only?: 'base',
): Promise<ModelItem> {
  const { kind } = app.connection.current;
  // of a service far away what is known is offered at once, and the rest as it comes
  let page = kind === 'local' ? await readModels(app) : undefined;
  let entries = page?.items ?? (await modelsAtHand(app));
  let first = before?.id;
  const rest = async () => {
    page = await readModels(app);
    entries = page.items;
    return modelItems(app, entries, only, page.next !== undefined);
  };
  for (;;) {
    const items = await modelItems(app, entries, only, page?.next !== undefined);
    const fill = page ? undefined : rest();
    const byDefault = before && items.find(({ label }) => label === DEFAULT);
    const known = first === undefined ? byDefault : items.find(({ id }) => id === first);
    const other = items.find(({ label }) => label === OTHER);
    const picked = known ?? (before && other);
    const chosen = await pickOne({ place, placeholder, items, fill, ...(picked ? { picked: [picked] } : {}) });
    if (chosen.id === undefined && chosen.label === MORE) {
      page = await readModels(app, page?.next);
      entries = [...entries, ...page.items];
      first = page.items[0]?.id;
      continue;
    }
    if (chosen.id !== undefined || chosen.label !== OTHER) return chosen;
    try {
      const id = await askText({
        place: { ...place, step: place.step + 1, totalSteps: place.totalSteps + 1 },
        prompt: vscode.l10n.t('The model’s id'),
        value: known ? '' : (before?.id ?? ''),
        check: (text) => (text.trim() ? undefined : vscode.l10n.t('Enter an id.')),
      });
      return { id, label: id };
    } catch (error) {
      // back to the list that this input came from
      if (!(error instanceof Back)) throw error;
    }
  }
}

/** The models that are known without asking: those made here, of the settings, and seen before. */
async function modelsAtHand(app: App): Promise<readonly Entry[]> {
  const { client } = await app.connection.ready();
  return knownModels(client, app);
}

/** A page of the models, base models with the first. @throws ServiceError */
async function readModels(app: App, cursor?: string) {
  const { client } = await app.connection.ready();
  const { items, next } = await loadModels(client, { cursor, signal: new AbortController().signal }, app);
  // a list that repeats itself has no more to give
  return { items, next: next === cursor ? undefined : next };
}

/** The models to choose from, in groups, and the ways to name none or another, or to read more of them. */
async function modelItems(
  app: App,
  entries: readonly Entry[],
  only: 'base' | undefined,
  isMore: boolean,
): Promise<ModelItem[]> {
  const { client } = await app.connection.ready();
  const offers = await client.capabilities();
  const creation = only === 'base' ? 'createFineTunedModel' : 'createPrediction';
  const base: ModelItem[] = [];
  const tuned: ModelItem[] = [];
  const met: ModelItem[] = [];
  for (const entry of entries) {
    if (entry.kind === 'baseModel' && entry.origin?.from === 'prediction') met.push(itemOf(entry));
    else if (entry.kind === 'baseModel') base.push({ ...itemOf(entry), leastContext: entry.item.min_context_length });
    else if (entry.kind === 'fineTunedModel' && only !== 'base' && isUsable({ item: entry.item, offers }))
      tuned.push({ ...itemOf(entry), horizon: entry.item.horizon ?? entry.item.config?.prediction_length });
  }
  for (const id of await client.describedModels(creation)) {
    if (![...base, ...tuned].some((item) => item.id === id))
      base.push({ id, label: id, description: vscode.l10n.t('named by the service') });
  }
  const count = inDigits(entries.filter(({ kind }) => kind === 'fineTunedModel').length);
  const more: ModelItem = {
    id: undefined,
    label: MORE,
    description: vscode.l10n.t('{0} are listed, there are more', count),
    alwaysShow: true,
  };
  const items = [
    ...group(vscode.l10n.t('Base models'), base),
    ...group(vscode.l10n.t('Fine-tuned models'), isMore && only !== 'base' ? [...tuned, more] : tuned),
    ...group(vscode.l10n.t('Used before'), met),
  ];
  if (offers.has('listBaseModels')) return items;
  const isRequired = await client.requiresModel(creation);
  const byDefault: ModelItem = { id: undefined, label: DEFAULT, description: vscode.l10n.t('no model is named') };
  return [
    ...(isRequired ? [] : [byDefault]),
    ...items,
    { id: undefined, label: OTHER, description: vscode.l10n.t('by its id') },
  ];
}

/** The models that a forecast can be made with, without asking a service for more than it lists. */
export async function modelChoices(app: App, { client, info }: Session): Promise<ModelChoice[]> {
  const offers = await client.capabilities();
  const isListed = offers.has('listBaseModels') || offers.has('listFineTunedModels');
  const query = { cursor: undefined, signal: new AbortController().signal };
  const entries = isListed ? (await loadModels(client, query, app)).items : [];
  const choices = entries.flatMap((entry): ModelChoice[] => {
    if (entry.kind === 'fineTunedModel' && !isUsable({ item: entry.item, offers })) return [];
    const isTuned = entry.kind === 'fineTunedModel';
    return [{ id: entry.id, label: describeEntry(entry, Date.now()).label, isTuned }];
  });
  const named = info.kind === 'remote' && !isListed ? setting('baseModels') : [];
  const seen = isListed ? [] : Object.keys(client.learned.models);
  for (const id of [...named, ...(await client.describedModels('createPrediction')), ...seen]) {
    if (!choices.some((choice) => choice.id === id)) choices.push({ id, label: id, isTuned: false });
  }
  return choices;
}

const group = (label: string, items: readonly ModelItem[]): ModelItem[] =>
  items.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator, id: undefined }, ...items] : [];

function itemOf(entry: Entry): ModelItem {
  const { label, description } = describeEntry(entry, Date.now());
  const detail = entry.kind === 'baseModel' ? entry.item.description : undefined;
  return { id: entry.id, label, description, ...(detail ? { detail } : {}) };
}

/**
 * The model for forecasts where the person names none: the one that they chose for this service; asked for once where the
 * service needs one, and where nothing tells whether it does.
 * @throws Cancelled, ServiceError
 */
export async function usualModel(app: App): Promise<string | undefined> {
  const { client, info } = await app.connection.ready();
  if (info.kind === 'local') return undefined;
  const chosen = app.memory.chosenModel(info.id);
  const isRequired = await client.requiresModel('createPrediction');
  const isUntold = chosen === undefined && !(await client.capabilities()).isDescribed;
  return isUntold || (isRequired && chosen?.model === undefined) ? chooseUsualModel(app) : chosen?.model;
}

/** Asks which model this service’s forecasts are made with from now on. @throws Cancelled, ServiceError */
export async function chooseUsualModel(app: App): Promise<string | undefined> {
  const { info } = await app.connection.ready();
  const placeholder = vscode.l10n.t(
    'Which model of {0} should make your forecasts? It is remembered for this service.',
    info.name,
  );
  const { id } = await chooseModel(app, alone(vscode.l10n.t('Choose a Model')), placeholder, {
    id: app.memory.model(info.id),
  });
  app.memory.chooseModel(info.id, id);
  return id;
}

/** A way out where a service refuses a forecast for its model. */
export function modelWay(app: App, error: unknown, again: () => unknown): Way | undefined {
  const isOfModel = error instanceof ServiceError && error.isAbout('ai_model_id');
  if (!isOfModel || app.connection.current.kind === 'local') return undefined;
  const go = async () => {
    await chooseUsualModel(app);
    await again();
  };
  return { label: vscode.l10n.t('Choose a Model…'), go };
}

/** Keeps what a forecast has told of its model: that it can be used, or what became of one that was made here, whose state its service may not tell. */
export async function noteModelUse(app: App, serviceId: string, modelId: string, error?: unknown): Promise<void> {
  const label = app.memory.recall(serviceId, modelId)?.label ?? vscode.l10n.t('The model {0}', modelId);
  let isNew = false;
  if (error === undefined) {
    isNew = await app.madeModels.settle(serviceId, modelId);
    // where each forecast needs a model, the first one that was taken need not be asked for again
    const needs = await app.connection.session(serviceId)?.client.requiresModel('createPrediction');
    if (needs && app.memory.model(serviceId) === undefined) app.memory.chooseModel(serviceId, modelId);
  } else if (error instanceof ServiceError && error.kind === 'not-found') {
    isNew = await app.madeModels.forget(serviceId, modelId);
    if (app.memory.model(serviceId) === modelId) app.memory.chooseModel(serviceId, undefined);
    if (isNew)
      inBackground(
        app.log,
        say.warning(vscode.l10n.t('{0} is not known to its service any more, and has left the list of models.', label)),
      );
  } else if (error instanceof ServiceError && error.status === 409 && error.reason !== undefined) {
    // still being trained, or failed: services tell which in words of their own, which are for the person
    isNew = await app.madeModels.refused(serviceId, modelId, error.reason);
  }
  if (isNew) inBackground(app.log, app.trees.get(VIEWS.models)?.refresh());
}

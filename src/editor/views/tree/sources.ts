import * as vscode from 'vscode';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { ServiceClient } from '../../../client/client.ts';
import { isGone } from '../../../client/errors.ts';
import type { ListPage } from '../../../client/page.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import { isPending } from '../../../contract/operation.ts';
import type { Connection } from '../../connection/connection.ts';
import type { MadeModels } from '../../connection/made-models.ts';
import type { Memory, Note } from '../../connection/memory.ts';
import type { KeptFiles } from '../../files/kept-files.ts';
import { VIEWS } from '../../names.ts';
import { inBackground } from '../../ui/background.ts';
import { say } from '../../ui/say.ts';
import { noteKeyOfRun, runOf } from './arrange.ts';
import type { Entry } from './kinds.ts';
import type { PageQuery, TreeSource } from './resource-tree.ts';

/** Entries that the views read at a time, and of one run. */
const PAGE = 50;
const PAGE_OF_RUN = 200;
/** A run is read on for so many pages at most: its entries are one row. */
const MOST_OF_RUN = 60;

const mapPage = <T, E extends Entry>(page: ListPage<T>, toEntry: (item: T) => E): ListPage<E> => ({
  ...page,
  items: page.items.map(toEntry),
});

/** What the editor knows that the service does not return. */
export interface Known {
  readonly log: Pick<vscode.LogOutputChannel, 'error'>;
  readonly connection: Connection;
  readonly memory: Memory;
  readonly madeModels: MadeModels;
}

interface KnownOfViews extends Known {
  /** Of all windows. */
  readonly globalState: vscode.Memento;
  /** Whether a secret is the token of the service in use. */
  readonly isToken: (secret: string) => Promise<boolean>;
  /** Whether an entry is about to be deleted. */
  readonly isPendingDeletion: (serviceId: string, id: string) => boolean;
  /** The files that are kept up to date. */
  readonly kept: KeptFiles;
  /** Stores files that were dropped as datasets. */
  readonly storeFiles: (files: readonly vscode.Uri[]) => void;
}

const JOB_DATA = 'forecasts.showsJobData';

/** Whether what was stored only for forecasts or a training is listed among the datasets; kept over reloads. */
export const showsJobData = ({ globalState }: Pick<KnownOfViews, 'globalState'>): boolean =>
  globalState.get(JOB_DATA) === true;

export function treeSources(known: KnownOfViews): TreeSource[] {
  const { memory, isPendingDeletion } = known;
  return [
    predictionsSource(known),
    {
      viewId: VIEWS.datasets,
      isPendingDeletion,
      onDrop: known.storeFiles,
      load: async (client, query) =>
        mapPage(await client.listDatasets({ ...query, size: PAGE }, showsJobData(known)), (item) => {
          return { kind: 'dataset', id: item.id, item };
        }),
      loadChildren: async (client, parent, query) =>
        mapPage(await client.list('listDatasetSeries', { ...query, size: PAGE }, {}, parent.id), (item) => {
          return { kind: 'series', id: item.id, item };
        }),
    },
    {
      viewId: VIEWS.models,
      isPendingDeletion,
      load: async (client, query) => {
        const page = await loadModels(client, query, known);
        // the person's own models come first
        const [own, others] = [true, false].map((isOwn) =>
          page.items.filter(({ kind }) => (kind === 'fineTunedModel') === isOwn),
        );
        return { ...page, items: [...own, ...others] };
      },
      again: (entries) =>
        entries.map((entry) =>
          entry.kind === 'fineTunedModel' ? { ...entry, note: memory.recall(entry.serviceId, entry.id) } : entry,
        ),
    },
    {
      viewId: VIEWS.keys,
      load: async (client, query) => {
        const page = await client.list('listKeys', { ...query, size: PAGE });
        const items = page.items.map(async (item): Promise<Entry> => {
          const isOwn = item.secret !== undefined && (await known.isToken(item.secret));
          return { kind: 'key', id: item.id, item, isOwn };
        });
        return { ...page, items: await Promise.all(items) };
      },
    },
  ];
}

function predictionsSource({ connection, memory, kept, isPendingDeletion }: KnownOfViews): TreeSource {
  const met = new Set<string>();
  const knownOf = (serviceId: string, items: readonly LocalPrediction[], before: Set<string>) => {
    const pins = memory.pins(serviceId);
    const newest = keptOf(items, (id) => memory.recall(serviceId, id), kept, before);
    return ({ id, ai_model_id: model }: LocalPrediction) => ({
      note: memory.recall(serviceId, id),
      modelLabel: memory.recall(serviceId, model ?? '')?.label,
      isPinned: pins.includes(id),
      isKept: newest.has(id),
    });
  };
  return {
    viewId: VIEWS.predictions,
    isPendingDeletion,
    labelOfRun: (serviceId, batchId) => memory.recall(serviceId, noteKeyOfRun(batchId))?.label,
    load: async (client, query) => {
      const { id: serviceId } = connection.current;
      const page = await withPinned(client, query, memory.pins(serviceId));
      if (query.cursor === undefined) met.clear();
      const further = knownOf(serviceId, page.items, met);
      return mapPage(page, (item) => ({ kind: 'prediction', id: item.id, item, ...further(item) }));
    },
    again: (entries) => {
      const [first] = entries;
      if (!first) return entries;
      const items = entries.flatMap((entry) => (entry.kind === 'prediction' ? [entry.item] : []));
      const further = knownOf(first.serviceId, items, new Set());
      const pins = memory.pins(first.serviceId);
      const place = ({ id }: Entry) => (pins.includes(id) ? pins.indexOf(id) : Infinity);
      return entries
        .map((entry) => (entry.kind === 'prediction' ? { ...entry, ...further(entry.item) } : entry))
        .sort((a, b) => (place(a) === place(b) ? byTime(a, b) : place(a) - place(b)));
    },
  };
}

/** Newest first, as far as their service returns times. */
function byTime(a: Entry, b: Entry): number {
  const [one, other] = [a, b].map(({ item }) => parseTimestamp('created_at' in item ? String(item.created_at) : ''));
  return Number.isNaN(one) || Number.isNaN(other) ? 0 : other - one;
}

/**
 * Of files that are kept up to date, the newest predictions: those that the next ones are made as.
 * @param met the files whose newest one was on an earlier page; added to
 */
function keptOf(
  items: readonly LocalPrediction[],
  noteOf: (id: string) => Note | undefined,
  kept: KeptFiles,
  met: Set<string>,
): ReadonlySet<string> {
  const newest = new Map<string, LocalPrediction>();
  for (const item of items) {
    const { uri, isPart } = noteOf(item.id)?.source ?? {};
    if (uri === undefined || isPart || met.has(uri) || !kept.has(uri)) continue;
    const before = newest.get(uri);
    if (!before || (item.created_at ?? '') > (before.created_at ?? '')) newest.set(uri, item);
  }
  for (const uri of newest.keys()) met.add(uri);
  return new Set([...newest.values()].map(({ id }) => id));
}

/** A page of predictions, read on while all of it is one run, so that what comes after that is in sight. */
async function pageOfRuns(client: ServiceClient, query: PageQuery): Promise<ListPage<LocalPrediction>> {
  let page = await client.listPredictions({ ...query, size: PAGE }, false);
  const runOfItem = (item: LocalPrediction) => runOf({ kind: 'prediction', id: item.id, item });
  const [first] = page.items;
  const run = first && runOfItem(first);
  for (let pages = 1; pages < MOST_OF_RUN && run !== undefined; pages++) {
    const { next: cursor, items } = page;
    if (cursor === undefined || cursor === query.cursor || items.some((item) => runOfItem(item) !== run)) break;
    const more = await client.listPredictions({ ...query, cursor, size: PAGE_OF_RUN }, false);
    page = { ...more, items: [...items, ...more.items], unreadable: [...page.unreadable, ...more.unreadable] };
    if (more.next === cursor) break;
  }
  return page;
}

/** A page of predictions; the first one begins with those that are pinned, wherever they stand in the list. */
async function withPinned(
  client: ServiceClient,
  query: PageQuery,
  pins: readonly string[],
): Promise<ListPage<LocalPrediction>> {
  const page = await pageOfRuns(client, query);
  if (query.cursor !== undefined || pins.length === 0) return page;
  const here = page.items.filter(({ id }) => pins.includes(id));
  const missing = pins.filter((id) => !here.some((one) => one.id === id));
  const isReadable = missing.length > 0 && (await client.capabilities()).has('getPrediction');
  const others = isReadable ? (await client.findPredictions(new Set(missing), query.signal)).jobs : [];
  const pinned = [...here, ...others].sort((a, b) => pins.indexOf(a.id) - pins.indexOf(b.id));
  return { ...page, items: [...pinned, ...page.items.filter(({ id }) => !pins.includes(id))] };
}

/**
 * Models, wherever they are known from. The service’s own lists come first where it announces them; else fine-tuned ones
 * are those that were made here; and last come the ids that predictions name.
 */
export async function loadModels(client: ServiceClient, query: PageQuery, known: Known): Promise<ListPage<Entry>> {
  const offers = await client.capabilities();
  const serviceId = known.connection.current.id;
  const note = (id: string) => known.memory.recall(serviceId, id);
  const isFirst = query.cursor === undefined && offers.has('listBaseModels');
  const listed = isFirst ? (await client.list('listBaseModels', { signal: query.signal })).items : [];
  const base = listed.map((item): Entry => ({ kind: 'baseModel', id: item.id, item }));
  if (offers.has('listFineTunedModels')) {
    const page = await client.list('listFineTunedModels', { ...query, size: PAGE });
    const tuned = page.items.map((item): Entry => ({ kind: 'fineTunedModel', id: item.id, item, note: note(item.id) }));
    return { ...page, items: [...base, ...tuned], total: undefined };
  }
  const made = await madeHere(client, query, known);
  const predictions = await client.listPredictions({ ...query, size: PAGE }, false);
  const met = predictions.items.flatMap(
    ({ id: predictionId, ai_model_id: id, created_at: lastUsed, name }): Entry[] => {
      const usedOn = note(predictionId)?.label ?? name;
      return id === undefined
        ? []
        : [{ kind: 'baseModel', id, item: { id }, origin: { from: 'prediction', lastUsed, usedOn } }];
    },
  );
  const items = distinct([...base, ...made, ...met, ...seenModels(client)]);
  return { items, unreadable: [], total: undefined, next: undefined, previous: undefined };
}

const distinct = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ id }, index) => entries.findIndex((one) => one.id === id) === index);

/** Models that predictions of the service named once, the one that was used last first. */
const seenModels = ({ learned: { models } }: ServiceClient): Entry[] =>
  Object.entries(models)
    .sort(([, a], [, b]) => b - a)
    .map(([id, at]) => {
      const lastUsed = new Date(at).toISOString();
      return { kind: 'baseModel', id, item: { id }, origin: { from: 'prediction', lastUsed } };
    });

/** As {@link loadModels}, as far as they are known without asking the service. */
export const knownModels = (client: ServiceClient, known: Known): readonly Entry[] =>
  distinct([...madeModels(known).map(({ entry }) => entry), ...seenModels(client)]);

/** Models created here, as their service last reported them. */
function madeModels({ connection, memory, madeModels: made }: Known) {
  const { id: serviceId } = connection.current;
  return made.of(serviceId).map(({ model, asOf, said }) => {
    const note = memory.recall(serviceId, model.id);
    const origin = { from: 'made here', asOf, said } as const;
    return { model, entry: { kind: 'fineTunedModel', id: model.id, item: model, note, origin } as const };
  });
}

/** Models created here. One that its service no longer has is removed with a notification. */
async function madeHere(client: ServiceClient, { signal }: PageQuery, known: Known): Promise<Entry[]> {
  const { connection, log } = known;
  const { id: serviceId } = connection.current;
  const isReadable = (await client.capabilities()).has('getFineTunedModel');
  const entries = madeModels(known).map(async ({ model, entry }): Promise<Entry | undefined> => {
    if (!isReadable || !isPending(model.status)) return entry;
    try {
      const item = await client.do('getFineTunedModel', { id: model.id, signal });
      await known.madeModels.keep(serviceId, item);
      return { ...entry, item, origin: { from: 'made here', asOf: Date.now() } };
    } catch (error) {
      signal.throwIfAborted();
      if (!isGone(error)) return entry;
      await known.madeModels.forget(serviceId, model.id);
      inBackground(log, say.warning(goneWords(entry.note?.label, model.id)));
      return undefined;
    }
  });
  return (await Promise.all(entries)).filter((entry) => entry !== undefined);
}

/** Lists what was stored only for forecasts or a training, or leaves it out. */
export async function showJobData(
  {
    globalState,
    trees,
  }: Pick<KnownOfViews, 'globalState'> & { readonly trees: ReadonlyMap<string, { refresh: () => Promise<void> }> },
  isShown: boolean,
): Promise<void> {
  await globalState.update(JOB_DATA, isShown ? true : undefined);
  await trees.get(VIEWS.datasets)?.refresh();
}

/** The notification that a model no longer exists. */
export const goneWords = (label: string | undefined, id: string): string =>
  vscode.l10n.t(
    '{0} no longer exists on its service and was removed from the list of models.',
    label ?? vscode.l10n.t('The model {0}', id),
  );

import * as vscode from 'vscode';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { ServiceClient } from '../../../client/client.ts';
import { isGone } from '../../../client/errors.ts';
import type { ListPage } from '../../../client/page.ts';
import { isPending, type LocalPrediction } from '../../../contract/resources.ts';
import type { App } from '../../app.ts';
import { VIEWS } from '../../names.ts';
import { inBackground, say } from '../../ui/say.ts';
import { noteKeyOfRun } from './rows.ts';
import type { Entry, ResourceNode } from './kinds.ts';
import type { PageQuery, TreeSource } from './resource-tree.ts';

const PAGE = 50;
const PAGE_OF_RUN = 200;
/** The most pages of a run, which is one row, that are loaded at once. */
const MOST_OF_RUN = 60;

export type Known = Pick<App, 'connection' | 'memory' | 'madeModels'> & { readonly log: Pick<App['log'], 'error'> };

interface KnownOfViews extends Known, Pick<App, 'globalState' | 'kept'> {
  readonly isToken: (secret: string) => Promise<boolean>;
  readonly isPendingDeletion: (serviceId: string, id: string) => boolean;
  readonly storeFiles: (files: readonly vscode.Uri[]) => void;
}

const JOB_DATA = 'forecasts.showsJobData';

export const showsJobData = ({ globalState }: Pick<App, 'globalState'>): boolean => globalState.get(JOB_DATA) === true;

export async function showJobData({ globalState, trees }: Pick<App, 'globalState' | 'trees'>, isShown: boolean) {
  await globalState.update(JOB_DATA, isShown ? true : undefined);
  await trees.get(VIEWS.datasets)?.refresh();
}

const entryOf =
  <K extends 'dataset' | 'series'>(kind: K) =>
  <T extends { readonly id: string }>(item: T) => ({ kind, id: item.id, item });

const mapPage = <T, E extends Entry>(page: ListPage<T>, toEntry: (item: T) => E): ListPage<E> => ({
  ...page,
  items: page.items.map(toEntry),
});

export function treeSources(known: KnownOfViews): TreeSource[] {
  const { memory, isPendingDeletion } = known;
  return [
    predictionsSource(known),
    {
      viewId: VIEWS.datasets,
      isPendingDeletion,
      onDrop: known.storeFiles,
      load: async (client, query) =>
        mapPage(await client.listDatasets({ ...query, size: PAGE }, showsJobData(known)), entryOf('dataset')),
      loadChildren: async (client, parent, query) =>
        mapPage(await client.list('listDatasetSeries', { ...query, size: PAGE }, {}, parent.id), entryOf('series')),
    },
    {
      viewId: VIEWS.models,
      isPendingDeletion,
      load: async (client, query) => {
        const page = await loadModels(client, query, known);
        const isBase = ({ kind }: Entry) => Number(kind !== 'fineTunedModel');
        return { ...page, items: page.items.toSorted((a, b) => isBase(a) - isBase(b)) };
      },
      update: (entries) =>
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
  /** Files with a newer prediction on an earlier page. */
  const seen = new Set<string>();
  const entriesOf = (serviceId: string, items: readonly LocalPrediction[], before: Set<string>) => {
    const pins = memory.pins(serviceId);
    const newest = keptOf(items, serviceId, { memory, kept }, before);
    return items.map((item) => ({
      kind: 'prediction' as const,
      id: item.id,
      item,
      note: memory.recall(serviceId, item.id),
      modelLabel: memory.recall(serviceId, item.ai_model_id ?? '')?.label,
      isPinned: pins.includes(item.id),
      isKept: newest.has(item.id),
    }));
  };
  return {
    viewId: VIEWS.predictions,
    isPendingDeletion,
    labelOfRun: (serviceId, batchId) => memory.recall(serviceId, noteKeyOfRun(batchId))?.label,
    load: async (client, query) => {
      const { id: serviceId } = connection.current;
      const page = await withPinned(client, query, memory.pins(serviceId));
      if (query.cursor === undefined) seen.clear();
      return { ...page, items: entriesOf(serviceId, page.items, seen) };
    },
    update: (entries) => {
      const nodes = entries.filter((entry) => entry.kind === 'prediction');
      const [first] = nodes;
      if (!first) return entries;
      const items = nodes.map(({ item }) => item);
      const updated = entriesOf(first.serviceId, items, new Set());
      const pins = memory.pins(first.serviceId);
      const place = ({ id }: Entry) => (pins.includes(id) ? pins.indexOf(id) : Infinity);
      return nodes
        .map((node, index): ResourceNode => ({ ...node, ...updated[index] }))
        .sort((a, b) => (place(a) === place(b) ? byTime(a, b) : place(a) - place(b)));
    },
  };
}

function byTime(a: Entry, b: Entry): number {
  const [one, other] = [a, b].map(({ item }) => parseTimestamp('created_at' in item ? String(item.created_at) : ''));
  return Number.isNaN(one) || Number.isNaN(other) ? 0 : other - one;
}

/** The newest predictions of files that are kept up to date. @param seen files with a newer one; added to */
function keptOf(
  items: readonly LocalPrediction[],
  serviceId: string,
  { memory, kept }: Pick<App, 'memory' | 'kept'>,
  seen: Set<string>,
): ReadonlySet<string> {
  const newest = new Map<string, LocalPrediction>();
  for (const item of items) {
    const { uri, isPart } = memory.recall(serviceId, item.id)?.source ?? {};
    if (uri === undefined || isPart || seen.has(uri) || !kept.has(uri)) continue;
    const before = newest.get(uri);
    if (!before || (item.created_at ?? '') > (before.created_at ?? '')) newest.set(uri, item);
  }
  for (const uri of newest.keys()) seen.add(uri);
  return new Set([...newest.values()].map(({ id }) => id));
}

/** A page of predictions. While all of it is one run, further pages are added. */
async function pageOfRuns(client: ServiceClient, query: PageQuery): Promise<ListPage<LocalPrediction>> {
  let page = await client.listPredictions({ ...query, size: PAGE }, false);
  const run = page.items[0]?.batch_id;
  for (let pages = 1; pages < MOST_OF_RUN && run !== undefined; pages++) {
    const { next: cursor, items } = page;
    if (cursor === undefined || cursor === query.cursor || items.some((item) => item.batch_id !== run)) break;
    const more = await client.listPredictions({ ...query, cursor, size: PAGE_OF_RUN }, false);
    page = { ...more, items: [...items, ...more.items], unreadable: [...page.unreadable, ...more.unreadable] };
    if (more.next === cursor) break;
  }
  return page;
}

/** A page of predictions; the first one begins with the pinned ones. */
async function withPinned(client: ServiceClient, query: PageQuery, pins: readonly string[]) {
  const page = await pageOfRuns(client, query);
  if (query.cursor !== undefined || pins.length === 0) return page;
  const here = page.items.filter(({ id }) => pins.includes(id));
  const missing = pins.filter((id) => !here.some((one) => one.id === id));
  const isReadable = missing.length > 0 && (await client.capabilities()).has('getPrediction');
  const others = isReadable ? (await client.findPredictions(new Set(missing), query.signal)).jobs : [];
  const pinned = [...here, ...others].sort((a, b) => pins.indexOf(a.id) - pins.indexOf(b.id));
  return { ...page, items: [...pinned, ...page.items.filter(({ id }) => !pins.includes(id))] };
}

/** From its lists; fine-tuned ones that it does not list as far as they were made here, base models as predictions name them. */
export async function loadModels(client: ServiceClient, query: PageQuery, known: Known): Promise<ListPage<Entry>> {
  const offers = await client.capabilities();
  const note = (id: string) => known.memory.recall(known.connection.current.id, id);
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
  const used = predictions.items.flatMap(({ id: predictionId, ai_model_id: id, created_at: lastUsed, name }) =>
    id === undefined ? [] : [usedModel(id, lastUsed, note(predictionId)?.label ?? name)],
  );
  const items = distinct([...base, ...made, ...used, ...seenModels(client)]);
  return { items, unreadable: [], total: undefined, next: undefined, previous: undefined };
}

const distinct = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ id }, index) => entries.findIndex((one) => one.id === id) === index);

const usedModel = (id: string, lastUsed: string | undefined, usedOn?: string): Entry => ({
  kind: 'baseModel',
  id,
  item: { id },
  origin: { from: 'prediction', lastUsed, usedOn },
});

/** Models that earlier predictions of the service named, the last used first. */
const seenModels = ({ learned: { models } }: ServiceClient): Entry[] =>
  Object.entries(models)
    .sort(([, a], [, b]) => b - a)
    .map(([id, at]) => usedModel(id, new Date(at).toISOString()));

export const knownModels = (client: ServiceClient, known: Known): readonly Entry[] =>
  distinct([...madeModels(known), ...seenModels(client)]);

function madeModels({ connection, memory, madeModels: made }: Known) {
  const { id: serviceId } = connection.current;
  return made.of(serviceId).map(({ model: item, asOf, said }) => {
    const origin = { from: 'made here', asOf, said } as const;
    return { kind: 'fineTunedModel', id: item.id, item, note: memory.recall(serviceId, item.id), origin } as const;
  });
}

/** Models that were made here. One that its service no longer has is removed with a notification. */
async function madeHere(client: ServiceClient, { signal }: PageQuery, known: Known): Promise<Entry[]> {
  const { connection, log } = known;
  const { id: serviceId } = connection.current;
  const isReadable = (await client.capabilities()).has('getFineTunedModel');
  const entries = madeModels(known).map(async (entry): Promise<Entry[]> => {
    const { id } = entry;
    if (!isReadable || !isPending(entry.item.status)) return [entry];
    try {
      const item = await client.do('getFineTunedModel', { id, signal });
      known.madeModels.keep(serviceId, item);
      return [{ ...entry, item, origin: { from: 'made here', asOf: Date.now() } }];
    } catch (error) {
      signal.throwIfAborted();
      if (!isGone(error)) return [entry];
      known.madeModels.forget(serviceId, id);
      inBackground(log, say.warning(goneWords(entry.note?.label, id)));
      return [];
    }
  });
  return (await Promise.all(entries)).flat();
}

export const goneWords = (label: string | undefined, id: string): string =>
  vscode.l10n.t(
    '{0} no longer exists on its service and was removed from the list of models.',
    label ?? vscode.l10n.t('The model {0}', id),
  );

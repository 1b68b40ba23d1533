import * as vscode from 'vscode';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { ServiceClient } from '../../../client/client.ts';
import { isGone } from '../../../client/errors.ts';
import { readPredictions } from '../../../client/poller.ts';
import { isPending } from '../../../contract/operation.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import { say } from '../../ui/say.ts';
import type { ListPage } from '../../../client/page.ts';
import type { Connection } from '../../connection/connection.ts';
import type { MadeModels } from '../../connection/made-models.ts';
import type { Memory, Note } from '../../connection/memory.ts';
import { VIEWS } from '../../names.ts';
import { setting } from '../../connection/settings.ts';
import type { KeptFiles } from '../../files/kept-files.ts';
import type { JobData } from './job-data.ts';
import type { Entry } from './node.ts';
import type { PageQuery, TreeSource } from './resource-tree.ts';
import { inBackground } from '../../ui/background.ts';

const sized = (query: PageQuery) => ({ ...query, size: setting('pageSize') });

const mapPage = <T, E extends Entry>(page: ListPage<T>, toEntry: (item: T) => E): ListPage<E> => ({
  ...page,
  items: page.items.map(toEntry),
});

/** What the editor knows besides what the service tells. */
export interface Known {
  readonly log: Pick<vscode.LogOutputChannel, 'error'>;
  readonly connection: Connection;
  readonly memory: Memory;
  readonly madeModels: MadeModels;
}

/** As {@link Known}, whether a secret is the token of the service in use, and which datasets are wanted. */
interface KnownOfViews extends Known {
  readonly jobData: JobData;
  readonly isToken: (secret: string) => Promise<boolean>;
  /** Whether an entry is about to be deleted. */
  readonly isHeld: (serviceId: string, id: string) => boolean;
  /** The files that are kept up to date. */
  readonly kept: KeptFiles;
  /** Stores files that were dropped as datasets. */
  readonly storeFiles: (files: readonly vscode.Uri[]) => void;
}

/** The four views. */
export function treeSources(known: KnownOfViews): TreeSource[] {
  const { connection, memory, jobData, isHeld, kept } = known;
  const followed = new Set<string>();
  const labelOf = (serviceId: string, { id, ai_model_id: model }: LocalPrediction) => ({
    note: memory.recall(serviceId, id),
    modelLabel: memory.recall(serviceId, model ?? '')?.label,
    isPinned: memory.pins(serviceId).includes(id),
  });
  return [
    {
      viewId: VIEWS.predictions,
      isHeld,
      load: async (client, query) => {
        const serviceId = connection.current.id;
        const pins = memory.pins(serviceId);
        const page = await withPinned(client, query, pins);
        if (query.cursor === undefined) followed.clear();
        const newest = keptOf(page.items, (id) => memory.recall(serviceId, id), kept, followed);
        return mapPage(page, (item) => ({
          kind: 'prediction',
          id: item.id,
          item,
          isKept: newest.has(item.id),
          ...labelOf(serviceId, item),
        }));
      },
      again: (entries) => {
        const items = entries.flatMap((entry) => (entry.kind === 'prediction' ? [entry.item] : []));
        const newest = keptOf(items, (id) => memory.recall(connection.current.id, id), kept, new Set());
        const told = entries.map((entry) =>
          entry.kind === 'prediction'
            ? { ...entry, ...labelOf(entry.serviceId, entry.item), isKept: newest.has(entry.id) }
            : entry,
        );
        const pins = told.length > 0 ? memory.pins(told[0].serviceId) : [];
        const pinned = told.filter(({ id }) => pins.includes(id));
        const others = told.filter(({ id }) => !pins.includes(id));
        return [...pinned.sort((a, b) => pins.indexOf(a.id) - pins.indexOf(b.id)), ...others.sort(byTime)];
      },
    },
    {
      viewId: VIEWS.datasets,
      isHeld,
      onDrop: known.storeFiles,
      load: async (client, query) =>
        mapPage(await client.listDatasets(sized(query), jobData.isShown), (item) => ({
          kind: 'dataset',
          id: item.id,
          item,
        })),
      loadChildren: async (client, parent, query) =>
        mapPage(await client.listDatasetSeries(parent.id, sized(query)), (item) => ({
          kind: 'series',
          id: item.id,
          item,
        })),
    },
    {
      viewId: VIEWS.models,
      isHeld,
      load: async (client, query) => ownFirst(await loadModels(client, query, known)),
      again: (entries) => entries.map((entry) => (entry.kind === 'fineTunedModel' ? { ...entry, note: memory.recall(entry.serviceId, entry.id) } : entry)), // prettier-ignore
    },
    {
      viewId: VIEWS.keys,
      load: (client, query) => loadKeys(client, query, known),
    },
  ];
}

/** Newest first, as far as their service tells. */
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

/** A page of predictions; the first one begins with those that are pinned, wherever they stand in the list. */
async function withPinned(
  client: ServiceClient,
  query: PageQuery,
  pins: readonly string[],
): Promise<ListPage<LocalPrediction>> {
  const page = await client.listPredictions(sized(query), false);
  if (query.cursor !== undefined || pins.length === 0) return page;
  const here = page.items.filter(({ id }) => pins.includes(id));
  const missing = pins.filter((id) => !here.some((one) => one.id === id));
  const isReadable = missing.length > 0 && (await client.capabilities()).has('getPrediction');
  const others = isReadable ? (await readPredictions(client, new Set(missing), query.signal)).jobs : [];
  const pinned = [...here, ...others].sort((a, b) => pins.indexOf(a.id) - pins.indexOf(b.id));
  return { ...page, items: [...pinned, ...page.items.filter(({ id }) => !pins.includes(id))] };
}

async function loadKeys(client: ServiceClient, query: PageQuery, { isToken }: KnownOfViews): Promise<ListPage<Entry>> {
  const page = await client.listKeys(sized(query));
  const items = page.items.map(async (item) => {
    const isOwn = item.secret !== undefined && (await isToken(item.secret));
    return { kind: 'key', id: item.id, item, isOwn } as const;
  });
  return { ...page, items: await Promise.all(items) };
}

/** What a person has trained is in sight before what came along. */
function ownFirst(page: ListPage<Entry>): ListPage<Entry> {
  const isOwn = ({ kind }: Entry) => kind === 'fineTunedModel';
  return { ...page, items: [...page.items.filter(isOwn), ...page.items.filter((entry) => !isOwn(entry))] };
}

/**
 * Models, wherever they are known from. The service’s own lists come first where it announces them; else base models are
 * those of the settings, and fine-tuned ones those that were made here; and last the ids that predictions name.
 */
export async function loadModels(client: ServiceClient, query: PageQuery, known: Known): Promise<ListPage<Entry>> {
  const offers = await client.capabilities();
  const serviceId = known.connection.current.id;
  const note = (id: string) => known.memory.recall(serviceId, id);
  const first = query.cursor === undefined;
  const base = first ? await baseModels(client, query, known.connection) : [];
  if (offers.has('listFineTunedModels')) {
    const page = await client.listFineTunedModels(sized(query));
    const tuned = page.items.map(
      (item) => ({ kind: 'fineTunedModel', id: item.id, item, note: note(item.id) }) as const,
    );
    return { ...page, items: [...base, ...tuned], total: undefined };
  }
  const made = await madeHere(client, query, known, offers.has('getFineTunedModel'));
  const ids = new Set([...base, ...made].map((entry) => entry.id));
  const predictions = await client.listPredictions(sized(query), false);
  const met = new Map<string, Entry>();
  for (const { id: predictionId, ai_model_id: id, created_at: lastUsed, name } of predictions.items) {
    if (id === undefined || ids.has(id) || met.has(id)) continue;
    const usedOn = note(predictionId)?.label ?? name;
    met.set(id, { kind: 'baseModel', id, item: { id }, origin: { from: 'prediction', lastUsed, usedOn } });
  }
  for (const entry of seenModels(client)) if (!ids.has(entry.id) && !met.has(entry.id)) met.set(entry.id, entry);
  const items = [...base, ...made, ...met.values()];
  return { items, unreadable: [], total: undefined, next: undefined, previous: undefined };
}

/** Models that predictions of the service named once, the one that was used last first. */
const seenModels = ({ learned: { models } }: ServiceClient): Entry[] =>
  Object.entries(models)
    .sort(([, a], [, b]) => b - a)
    .map(([id, at]) => {
      const lastUsed = new Date(at).toISOString();
      return { kind: 'baseModel', id, item: { id }, origin: { from: 'prediction', lastUsed } } as const;
    });

/** As {@link loadModels}, as far as they are known without asking the service. */
export function knownModels(client: ServiceClient, { connection, memory, madeModels }: Known): readonly Entry[] {
  const serviceId = connection.current.id;
  const named = setting('baseModels').map((id) => ({ kind: 'baseModel', id, item: { id }, origin: { from: 'settings' } }) as const); // prettier-ignore
  const made = madeModels.of(serviceId).map(({ model, asOf, said }) => {
    const origin = { from: 'made here', asOf, said } as const;
    return {
      kind: 'fineTunedModel',
      id: model.id,
      item: model,
      note: memory.recall(serviceId, model.id),
      origin,
    } as const;
  });
  const ids = new Set([...named, ...made].map(({ id }) => id));
  return [...named, ...made, ...seenModels(client).filter(({ id }) => !ids.has(id))];
}

/** The models that were made here; one that its service does not have any more leaves the list with a word. */
async function madeHere(
  client: ServiceClient,
  { signal }: PageQuery,
  { connection, log, memory, madeModels }: Known,
  isReadable: boolean,
): Promise<Entry[]> {
  const serviceId = connection.current.id;
  const entries = madeModels.of(serviceId).map(async ({ model, asOf, said }): Promise<Entry | undefined> => {
    const entry = { kind: 'fineTunedModel', id: model.id, note: memory.recall(serviceId, model.id) } as const;
    const old: Entry = { ...entry, item: model, origin: { from: 'made here', asOf, said } };
    if (!isReadable || !isPending(model.status)) return old;
    try {
      const item = await client.getFineTunedModel(model.id, signal);
      await madeModels.keep(serviceId, item);
      return { ...entry, item, origin: { from: 'made here', asOf: Date.now() } };
    } catch (error) {
      signal.throwIfAborted();
      if (!isGone(error)) return old;
      await madeModels.forget(serviceId, model.id);
      const label = entry.note?.label ?? vscode.l10n.t('The model {0}', model.id);
      inBackground(
        log,
        say.warning(vscode.l10n.t('{0} is not known to its service any more, and has left the list of models.', label)),
      );
      return undefined;
    }
  });
  return (await Promise.all(entries)).filter((entry) => entry !== undefined);
}

async function baseModels(client: ServiceClient, { signal }: PageQuery, connection: Connection): Promise<Entry[]> {
  const isListed = (await client.capabilities()).has('listBaseModels');
  const listed = isListed ? (await client.listBaseModels({ signal })).items : [];
  const named = connection.current.kind === 'remote' ? setting('baseModels') : [];
  return [
    ...listed.map((item) => ({ kind: 'baseModel', id: item.id, item }) as const),
    ...named
      .filter((id) => !listed.some((model) => model.id === id))
      .map((id) => ({ kind: 'baseModel', id, item: { id }, origin: { from: 'settings' } }) as const),
  ];
}

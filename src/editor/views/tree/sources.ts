import * as vscode from 'vscode';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { ServiceClient } from '../../../client/client.ts';
import { isGone } from '../../../client/errors.ts';
import { isPending, type LocalPrediction } from '../../../contract/resources.ts';
import type { App } from '../../app.ts';
import { COMMANDS, VIEWS } from '../../names.ts';
import { NOTHING, type Page, readWhile } from '../../ui/paged-list.ts';
import { inBackground, say } from '../../ui/say.ts';
import type { Entry, ResourceNode } from './kinds.ts';
import type { PageQuery, Service, TreeSource } from './resource-tree.ts';

const PAGE = 50;
const PAGE_OF_RUN = 200;
const MOST_OF_RUN = 60; // the most pages of a run, which is one row, that are loaded at once

export type Known = Pick<App, 'memory' | 'madeModels'> & { readonly log: Pick<App['log'], 'error'> };

type KnownOfViews = Known & Pick<App, 'globalState' | 'kept' | 'connection' | 'tokens'>;

const JOB_DATA = 'forecasts.showsJobData';

export const showsJobData = ({ globalState }: Pick<App, 'globalState'>): boolean => globalState.get(JOB_DATA) === true;

export async function showJobData({ globalState, trees }: Pick<App, 'globalState' | 'trees'>, isShown: boolean) {
  await globalState.update(JOB_DATA, isShown ? true : undefined);
  await trees.get(VIEWS.datasets)?.refresh();
}

const entriesOf = (kind: Entry['kind'], page: Page<{ readonly id: string }>): Page<Entry> => ({
  ...page,
  items: page.items.map((item) => ({ kind, id: item.id, item }) as Entry),
});

export function treeSources(known: KnownOfViews): TreeSource[] {
  return [
    {
      viewId: VIEWS.predictions,
      load: async ({ client, info }, query) =>
        entriesOf('prediction', await withPinned(client, query, known.memory.pins(info.id))),
      arrange: (entries) => arranged(entries, known),
    },
    {
      viewId: VIEWS.datasets,
      isNested: true,
      onDrop: (files) =>
        inBackground(known.log, vscode.commands.executeCommand(COMMANDS.createDataset, files[0], files)),
      load: async ({ client }, query, parent) => {
        const asked = { ...query, size: PAGE };
        return parent
          ? entriesOf('series', await client.list('listDatasetSeries', asked, {}, parent.id))
          : entriesOf('dataset', await client.listDatasets(asked, showsJobData(known)));
      },
    },
    {
      viewId: VIEWS.models,
      load: (session, query) => loadModels(session, query, known),
      arrange: (entries) => {
        const isBase = ({ kind }: Entry) => Number(kind !== 'fineTunedModel');
        return entries.toSorted((a, b) => isBase(a) - isBase(b));
      },
    },
    {
      viewId: VIEWS.keys,
      load: async ({ client }, query) => {
        const page = await client.list('listKeys', { ...query, size: PAGE });
        const token = await known.tokens.get(known.connection.current.origin);
        const isOwn = (secret: string | undefined) => secret !== undefined && secret === token;
        const items = page.items.map((item): Entry => ({ kind: 'key', id: item.id, item, isOwn: isOwn(item.secret) }));
        return { ...page, items };
      },
    },
  ];
}

/** Predictions with the pinned ones first, then by time. The newest of a file that is kept up to date is marked. */
function arranged(entries: readonly ResourceNode[], { memory, kept }: KnownOfViews): ResourceNode[] {
  const pins = new Map(memory.pins(entries[0]?.serviceId ?? '').map((id, place) => [id, place]));
  const nodes = entries.filter((entry) => entry.kind === 'prediction');
  const newest = new Map<string, LocalPrediction>();
  for (const { item, note } of nodes) {
    const { uri, isPart } = note?.source ?? {};
    if (uri === undefined || isPart) continue;
    const other = newest.get(uri);
    if (!other || (item.created_at ?? '') > (other.created_at ?? '')) newest.set(uri, item);
  }
  const ofKept = new Set([...newest].filter(([uri]) => kept.has(uri)).map(([, item]) => item));
  const placed = nodes.map((node) => {
    const { id, item } = node;
    const known: ResourceNode = { ...node, isPinned: pins.has(id), isKept: ofKept.has(item) };
    return { known, place: pins.get(id) ?? pins.size, time: parseTimestamp(item.created_at ?? '') };
  });
  // without their times, predictions stay in the order of the service
  return placed.sort((a, b) => a.place - b.place || b.time - a.time || 0).map(({ known }) => known);
}

/** A page of predictions. While all of it is one run, further pages are added. */
async function pageOfRuns(client: ServiceClient, { cursor: first, signal }: PageQuery) {
  const load = (cursor: string | undefined) =>
    client.listPredictions({ cursor, signal, size: cursor === first ? PAGE : PAGE_OF_RUN }, false);
  const isOneRun = ({ items, pages }: { readonly items: readonly LocalPrediction[]; readonly pages: number }) => {
    const run = items[0]?.batch_id;
    return run !== undefined && pages < MOST_OF_RUN && items.every((item) => item.batch_id === run);
  };
  return readWhile(load, isOneRun, { from: { ...NOTHING, next: first }, signal });
}

async function withPinned(client: ServiceClient, query: PageQuery, pins: readonly string[]) {
  const page = await pageOfRuns(client, query);
  if (query.cursor !== undefined || pins.length === 0) return page;
  const missing = pins.filter((id) => page.items.every((one) => one.id !== id));
  const isReadable = missing.length > 0 && (await client.capabilities()).has('getPrediction');
  const others = isReadable ? (await client.findPredictions(new Set(missing), query.signal)).jobs : [];
  return { ...page, items: [...others, ...page.items] };
}

/** From its lists; fine-tuned ones that it does not list as far as they were made here, base models as predictions name them. */
export async function loadModels(session: Service, query: PageQuery, known: Known): Promise<Page<Entry>> {
  const { client, info } = session;
  const offers = await client.capabilities();
  const note = (id: string) => known.memory.recall(info.id, id);
  const isFirst = query.cursor === undefined && offers.has('listBaseModels');
  const listed = isFirst ? (await client.list('listBaseModels', { signal: query.signal })).items : [];
  const base = listed.map((item): Entry => ({ kind: 'baseModel', id: item.id, item }));
  if (offers.has('listFineTunedModels')) {
    const page = await client.list('listFineTunedModels', { ...query, size: PAGE });
    const tuned = page.items.map((item): Entry => ({ kind: 'fineTunedModel', id: item.id, item, note: note(item.id) }));
    return { ...page, items: [...base, ...tuned], total: undefined };
  }
  const made = await madeHere(session, query, known);
  const predictions = await client.listPredictions({ ...query, size: PAGE }, false);
  const used = predictions.items.flatMap(({ id: predictionId, ai_model_id: id, created_at: lastUsed, name }) =>
    id === undefined ? [] : [usedModel(id, lastUsed, note(predictionId)?.label ?? name)],
  );
  return { ...NOTHING, items: distinct([...base, ...made, ...used, ...seenModels(client)]) };
}

const distinct = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ id }, index) => entries.findIndex((one) => one.id === id) === index);

const usedModel = (id: string, at: string | undefined, by?: string): Entry => ({
  kind: 'baseModel',
  id,
  item: { id },
  used: { at, by },
});

const seenModels = ({ learned: { models } }: ServiceClient): Entry[] =>
  Object.entries(models)
    .sort(([, a], [, b]) => b - a)
    .map(([id, at]) => usedModel(id, new Date(at).toISOString()));

export const knownModels = ({ client, info }: Service, known: Known): readonly Entry[] =>
  distinct([...madeModels(info.id, known), ...seenModels(client)]);

const madeModels = (serviceId: string, { memory, madeModels: made }: Known) =>
  made.of(serviceId).map(({ model: item, asOf, said }) => {
    const note = memory.recall(serviceId, item.id);
    return { kind: 'fineTunedModel', id: item.id, item, note, made: { asOf, said } } as const;
  });

async function madeHere({ client, info }: Service, { signal }: PageQuery, known: Known): Promise<Entry[]> {
  const isReadable = (await client.capabilities()).has('getFineTunedModel');
  const entries = madeModels(info.id, known).map(async (entry): Promise<Entry[]> => {
    const { id } = entry;
    if (!isReadable || !isPending(entry.item.status)) return [entry];
    try {
      const item = await client.do('getFineTunedModel', { id, signal });
      known.madeModels.keep(info.id, item);
      return [{ ...entry, item, made: { asOf: Date.now() } }];
    } catch (error) {
      signal.throwIfAborted();
      if (!isGone(error)) return [entry];
      forgetModel(known, info.id, id);
      return [];
    }
  });
  return (await Promise.all(entries)).flat();
}

/** Forgets a model that its service no longer has. @returns whether it was made here, which is then said */
export function forgetModel({ memory, madeModels: made, log }: Known, serviceId: string, id: string): boolean {
  if (!made.forget(serviceId, id)) return false;
  const text = vscode.l10n.t(
    '{0} no longer exists on its service and was removed from the list of models.',
    memory.recall(serviceId, id)?.label ?? vscode.l10n.t('The model {0}', id),
  );
  inBackground(log, say.warning(text));
  return true;
}

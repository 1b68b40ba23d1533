import type { ServiceClient } from '../../../client/client.ts';
import { isPending } from '../../../client/poller.ts';
import type { ListPage } from '../../../client/page.ts';
import type { Connection } from '../../connection/connection.ts';
import type { MadeModels } from '../../connection/made-models.ts';
import type { Memory } from '../../connection/memory.ts';
import { VIEWS } from '../../connection/names.ts';
import { setting } from '../../connection/settings.ts';
import type { Entry } from './node.ts';
import type { PageQuery, TreeSource } from './resource-tree.ts';

const sized = (query: PageQuery) => ({ ...query, size: setting('pageSize') });

const mapPage = <T, E extends Entry>(page: ListPage<T>, toEntry: (item: T) => E): ListPage<E> => ({
  ...page,
  items: page.items.map(toEntry),
});

/** What the editor knows besides what the service tells. */
export interface Known {
  readonly connection: Connection;
  readonly memory: Memory;
  readonly madeModels: MadeModels;
}

/** The four views. */
export function treeSources(known: Known): TreeSource[] {
  const { connection, memory } = known;
  return [
    {
      viewId: VIEWS.predictions,
      load: async (client, query) =>
        mapPage(await client.listPredictions(sized(query), false), (item) => ({
          kind: 'prediction',
          id: item.id,
          item,
          note: memory.recall(connection.current.id, item.id),
          modelLabel: memory.recall(connection.current.id, item.ai_model_id ?? '')?.label,
        })),
    },
    {
      viewId: VIEWS.datasets,
      load: async (client, query) =>
        mapPage(await client.listDatasets(sized(query)), (item) => ({ kind: 'dataset', id: item.id, item })),
      loadChildren: async (client, parent, query) =>
        mapPage(await client.listDatasetSeries(parent.id, sized(query)), (item) => ({
          kind: 'series',
          id: item.id,
          item,
        })),
    },
    { viewId: VIEWS.models, load: (client, query) => loadModels(client, query, known) },
    {
      viewId: VIEWS.keys,
      load: async (client, query) =>
        mapPage(await client.listKeys(sized(query)), (item) => ({ kind: 'key', id: item.id, item })),
    },
  ];
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
  const made: Entry[] = await Promise.all(
    known.madeModels.of(serviceId).map(async ({ model, asOf }) => {
      const isReadable = isPending(model.status) && offers.has('getFineTunedModel');
      const item = isReadable ? await client.getFineTunedModel(model.id, query.signal) : model;
      if (item !== model) await known.madeModels.keep(serviceId, item);
      const origin = { from: 'made here', asOf: item === model ? asOf : Date.now() } as const;
      return { kind: 'fineTunedModel', id: model.id, item, note: note(model.id), origin } as const;
    }),
  );
  const ids = new Set([...base, ...made].map((entry) => entry.id));
  const predictions = await client.listPredictions(sized(query), false);
  const met = [...new Set(predictions.items.map((item) => item.ai_model_id))]
    .filter((id) => id !== undefined && !ids.has(id))
    .map((id) => ({ kind: 'baseModel', id: id!, item: { id: id! }, origin: { from: 'prediction' } }) as const);
  return { items: [...base, ...made, ...met], unreadable: [], total: undefined, next: undefined, previous: undefined };
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

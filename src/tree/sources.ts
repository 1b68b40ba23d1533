import type { ServiceClient } from '../client/client.ts';
import type { ListPage } from '../client/page.ts';
import type { Connection } from '../connection/connection.ts';
import type { Memory } from '../connection/memory.ts';
import { VIEWS } from '../connection/names.ts';
import { setting } from '../connection/settings.ts';
import type { Entry } from './node.ts';
import type { PageQuery, TreeSource } from './resource-tree.ts';

const sized = (query: PageQuery) => ({ ...query, size: setting('pageSize') });

const mapPage = <T, E extends Entry>(page: ListPage<T>, toEntry: (item: T) => E): ListPage<E> => ({
  ...page,
  items: page.items.map(toEntry),
});

/** The four views. */
export function treeSources(connection: Connection, memory: Memory): TreeSource[] {
  return [
    {
      viewId: VIEWS.predictions,
      load: async (client, query) =>
        mapPage(await client.listPredictions(sized(query), false), (item) => ({
          kind: 'prediction',
          id: item.id,
          item,
          note: memory.recall(connection.current.id, item.id),
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
    { viewId: VIEWS.models, load: (client, query) => loadModels(client, query, connection, memory) },
    {
      viewId: VIEWS.keys,
      load: async (client, query) =>
        mapPage(await client.listKeys(sized(query)), (item) => ({ kind: 'key', id: item.id, item })),
    },
  ];
}

/** Base models first, as the service lists them or the settings name them; then fine-tuned models, page by page. */
async function loadModels(
  client: ServiceClient,
  query: PageQuery,
  connection: Connection,
  memory: Memory,
): Promise<ListPage<Entry>> {
  const offers = await client.capabilities();
  const base: Entry[] = [];
  if (query.cursor === undefined) {
    const listed = offers.has('get', '/base_models')
      ? (await client.listBaseModels({ signal: query.signal })).items
      : [];
    const named = setting('baseModels').filter((id) => !listed.some((model) => model.id === id));
    base.push(...listed.map((item) => ({ kind: 'baseModel', id: item.id, item }) as const));
    if (connection.current.kind === 'remote') {
      base.push(...named.map((id) => ({ kind: 'baseModel', id, item: { id } }) as const));
    }
  }
  if (!offers.has('get', '/fine_tuned_models')) {
    return { items: base, unreadable: [], total: undefined, next: undefined, previous: undefined };
  }
  const page = await client.listFineTunedModels(sized(query));
  const tuned = page.items.map((item) => ({
    kind: 'fineTunedModel' as const,
    id: item.id,
    item,
    note: memory.recall(connection.current.id, item.id),
  }));
  return { ...page, items: [...base, ...tuned], total: undefined };
}

import type { ServiceClient } from '../../client/client.ts';
import type { ListPage } from '../../client/page.ts';

const PAGE_SIZE = 200;
const MOST = 2000;
const MOST_PAGES = 50;

/** The items of all pages of a list, up to a limit. @returns `isAll`: whether there are no others */
export async function allItems<T extends { readonly id: string }>(load: (cursor?: string) => Promise<ListPage<T>>) {
  const found = new Map<string, T>();
  let isAll = true;
  let cursor: string | undefined;
  for (let pages = 1; pages === 1 || cursor !== undefined; pages++) {
    const { items, unreadable, next } = await load(cursor);
    const before = found.size;
    for (const item of items) found.set(item.id, item);
    // a page of known items is a list that repeats itself
    const isLast = next === undefined || found.size === before || found.size >= MOST || pages === MOST_PAGES;
    isAll &&= unreadable.length === 0 && !(isLast && next !== undefined);
    cursor = isLast ? undefined : next;
  }
  return { items: [...found.values()], isAll };
}

export const allDatasets = (client: Pick<ServiceClient, 'listDatasets'>, signal?: AbortSignal, withJobs = false) =>
  allItems((cursor) => client.listDatasets({ size: PAGE_SIZE, cursor, signal }, withJobs));

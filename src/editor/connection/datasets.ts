import type { ServiceClient } from '../../client/client.ts';
import type { LocalDataset } from '../../contract/resources.ts';

const PAGE_SIZE = 200;
/** More are no help in a list to choose from. */
const MOST = 2000;
const MOST_PAGES = 50;

/** The datasets of a service over all pages, up to a limit. @param withJobs whether also those stored for jobs */
export async function allDatasets(client: Pick<ServiceClient, 'listDatasets'>, signal?: AbortSignal, withJobs = false) {
  const found = new Map<string, LocalDataset>();
  let isAll = true;
  let cursor: string | undefined;
  for (let pages = 1; pages === 1 || cursor !== undefined; pages++) {
    const { items, unreadable, next } = await client.listDatasets({ size: PAGE_SIZE, cursor, signal }, withJobs);
    const before = found.size;
    for (const item of items) found.set(item.id, item);
    // a page of known items is a list that repeats itself
    const isLast = next === undefined || found.size === before || found.size >= MOST || pages === MOST_PAGES;
    isAll &&= unreadable.length === 0 && !(isLast && next !== undefined);
    cursor = isLast ? undefined : next;
  }
  return { datasets: [...found.values()], isAll };
}

import type { ServiceClient } from '../../client/client.ts';
import type { LocalDataset } from '../../contract/local.ts';

const PAGE_SIZE = 200;
/** More than this are no help in a list to choose from, and would keep the person waiting. */
const MOST = 2000;
const MOST_PAGES = 50;

/**
 * The datasets of a service over all pages of its list, up to a limit; `isAll` tells whether these are all it has.
 * @param withJobs whether also those that were stored for jobs
 */
export async function allDatasets(
  client: Pick<ServiceClient, 'listDatasets'>,
  signal?: AbortSignal,
  withJobs = false,
): Promise<{ readonly datasets: readonly LocalDataset[]; readonly isAll: boolean }> {
  const found = new Map<string, LocalDataset>();
  let isReadable = true;
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES && found.size < MOST; pages++) {
    const { items, unreadable, next } = await client.listDatasets({ size: PAGE_SIZE, cursor, signal }, withJobs);
    const before = found.size;
    for (const item of items) found.set(item.id, item);
    isReadable &&= unreadable.length === 0;
    if (next === undefined) return { datasets: [...found.values()], isAll: isReadable };
    // a list that repeats itself has no more to give
    if (found.size === before) break;
    cursor = next;
  }
  return { datasets: [...found.values()], isAll: false };
}

import assert from 'node:assert/strict';
import type { ListPage, ListQuery } from '../../../../src/client/page.ts';
import { allItems } from '../../../../src/editor/ui/paged-list.ts';
import type { LocalDataset } from '../../../../src/contract/resources.ts';

/** A service with so many datasets, which gives at most `most` with a page. */
const service = (count: number, most = 200, more: Partial<ListPage<LocalDataset>> = {}) => ({
  listDatasets: ({ cursor, size = 20 }: ListQuery = {}): Promise<ListPage<LocalDataset>> => {
    const start = Number(cursor ?? 0);
    const end = Math.min(count, start + Math.min(size, most));
    const items = Array.from({ length: end - start }, (_, index) => ({ id: `d${start + index}` }));
    const next = end < count ? String(end) : undefined;
    return Promise.resolve({ items, unreadable: [], total: undefined, next, previous: undefined, ...more });
  },
});

const allDatasets = (client: ReturnType<typeof service>) =>
  allItems((cursor) => client.listDatasets({ size: 200, cursor }));

describe('all datasets of a service', () => {
  it('are read over all pages of any size', async () => {
    for (const client of [service(0), service(201), service(90, 7)]) {
      const datasets = await allDatasets(client);
      assert.equal(new Set(datasets.map(({ id }) => id)).size, datasets.length);
    }
    assert.equal((await allDatasets(service(201))).length, 201);
    assert.equal((await allDatasets(service(90, 7))).length, 90);
  });

  it('end at their limit', async () => {
    assert.equal((await allDatasets(service(3000))).length, 2000);
  });

  it('take at most 50 requests', async () => {
    assert.equal((await allDatasets(service(60, 1))).length, 50);
  });

  it('end if a list repeats itself', async () => {
    assert.equal((await allDatasets(service(5, 200, { next: '0' }))).length, 5);
  });
});

import assert from 'node:assert/strict';
import type { ListPage } from '../../../../src/client/page.ts';
import { PagedList } from '../../../../src/editor/ui/paged-list.ts';

interface Item {
  readonly id: string;
}

/** A list of `count` items, `size` to a page; cursors are offsets. */
function source(count: number, size = 3) {
  const state = { count, calls: [] as (string | undefined)[] };
  const load = (cursor: string | undefined): Promise<ListPage<Item>> => {
    state.calls.push(cursor);
    const from = Number(cursor ?? 0);
    const to = Math.min(from + size, state.count);
    return Promise.resolve({
      items: Array.from({ length: to - from }, (_, i) => ({ id: `i${from + i}` })),
      unreadable: [],
      total: state.count,
      next: to < state.count ? String(to) : undefined,
      previous: undefined,
    });
  };
  return { state, load };
}

const ids = (list: PagedList<Item>) => list.items.map((item) => item.id).join(' ');

describe('PagedList', () => {
  it('reads the first page once, and further pages only on request', async () => {
    const { state, load } = source(7);
    let changes = 0;
    const list = new PagedList(load, () => changes++);
    await Promise.all([list.first(), list.first()]);
    await list.first();
    assert.equal(ids(list), 'i0 i1 i2');
    assert.equal(list.hasMore, true);
    assert.equal(list.read.total, 7);
    await list.more();
    await list.more();
    assert.equal(ids(list), 'i0 i1 i2 i3 i4 i5 i6');
    assert.equal(list.hasMore, false);
    await list.more();
    assert.deepEqual(state.calls, [undefined, '3', '6']);
    assert.equal(changes, 3);
  });

  it('keeps its length over a refresh', async () => {
    const { state, load } = source(9);
    const list = new PagedList(load, () => undefined);
    await list.first();
    await list.more();
    state.count = 8;
    await list.refresh();
    assert.equal(ids(list), 'i0 i1 i2 i3 i4 i5');
    assert.equal(list.hasMore, true);
  });

  it('reads once more for refreshes during a read', async () => {
    const { state, load } = source(2);
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const list = new PagedList<Item>(
      async (cursor) => {
        const page = await load(cursor);
        await gate;
        return page;
      },
      () => undefined,
    );
    const reading = list.first();
    state.count = 3;
    const refreshes = [list.refresh(), list.refresh()];
    release();
    await Promise.all([reading, ...refreshes]);
    assert.equal(ids(list), 'i0 i1 i2');
    assert.equal(state.calls.length, 2);
    assert.equal(list.isLoading, false);
    await list.refresh();
    assert.equal(state.calls.length, 3);
  });

  it('reads nothing for a queued refresh after dispose', async () => {
    const { state, load } = source(2);
    const list = new PagedList(load, () => undefined);
    const reading = list.first();
    const refresh = list.refresh();
    list.dispose();
    await Promise.all([reading, refresh]);
    assert.equal(state.calls.length, 1);
    assert.equal(list.isLoaded, false);
  });

  it('keeps its items if a read fails, and reports why', async () => {
    const { load } = source(9);
    let fail = false;
    const list = new PagedList<Item>(
      (cursor) => (fail ? Promise.reject(new Error('down')) : load(cursor)),
      () => undefined,
    );
    await list.first();
    fail = true;
    await list.refresh();
    assert.equal(ids(list), 'i0 i1 i2');
    assert.match(String(list.read.problem), /down/);
    fail = false;
    await list.refresh();
    assert.equal(list.read.problem, undefined);
  });

  it('ends if the service repeats a page', async () => {
    const page: ListPage<Item> = {
      items: [{ id: 'a' }],
      unreadable: [],
      total: undefined,
      next: 'again',
      previous: undefined,
    };
    const list = new PagedList<Item>(
      () => Promise.resolve(page),
      () => undefined,
    );
    await list.first();
    await list.more();
    assert.match(String(list.read.problem), /sent the same page again/);
    assert.equal(list.hasMore, false);
    assert.equal(ids(list), 'a');
  });

  it('has an item once that a page lists twice, since ids must be unique', async () => {
    const [a, b] = ['a', 'b'].map((id) => ({ id }));
    const page: ListPage<Item> = { items: [a, b, a], unreadable: [], total: 3, next: undefined, previous: undefined };
    const list = new PagedList<Item>(() => Promise.resolve(page));
    await list.first();
    assert.equal(ids(list), 'a b');
  });

  it('ignores an answer after dispose', async () => {
    const { load } = source(5);
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const list = new PagedList<Item>(
      async (cursor) => {
        await gate;
        return load(cursor);
      },
      () => undefined,
    );
    const reading = list.first();
    list.dispose();
    release();
    await reading;
    assert.equal(ids(list), '');
    assert.equal(list.isLoaded, false);
  });
});

import assert from 'node:assert/strict';
import { clientOf } from './client-of.ts';

const jobs = (count: number, timeOf = (index: number) => 1e12 + index * 1000) =>
  Array.from({ length: count }, (_, index) => ({
    id: `i${index}`,
    status: 'IN_PROGRESS',
    created_at: new Date(timeOf(index)).toISOString(),
  }));
/** A number in letters, so that no cursor shows a place. */
const inLetters = (value: number) => `p${[...String(value)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
const fromLetters = (text: string) => Number([...text.slice(1)].map((letter) => 'abcdefghij'.indexOf(letter)).join(''));

interface Oldest {
  readonly items: readonly object[];
  readonly cursorOf: (at: number) => string;
  readonly parameter?: string;
  /** The answer to a cursor that was never given; none is the first page. */
  readonly strange?: number;
  /** The request that fails first, and on from there. */
  readonly broken?: { from: number; to: number };
}

/** A service whose list is oldest first, with cursors of its own. */
function oldestFirst({ items, cursorOf, parameter = 'cursor', strange, broken = { from: 0, to: 0 } }: Oldest) {
  const given = new Map<string, number>();
  let count = 0;
  return clientOf(({ url }) => {
    count++;
    if (count >= broken.from && count < broken.to) return new Response('', { status: 500 });
    const { searchParams } = new URL(url);
    const cursor = searchParams.get(parameter) ?? '';
    if (cursor !== '' && !given.has(cursor) && strange)
      return Response.json({ error: `invalid ${parameter}` }, { status: strange });
    const at = given.get(cursor) ?? 0;
    const end = at + Number(searchParams.get('size') ?? 2);
    const next_page = end < items.length ? cursorOf(end) : null;
    if (next_page !== null) given.set(next_page, end);
    return Response.json({ items: items.slice(at, end), total: items.length, next_page });
  });
}

const find = (client: ReturnType<typeof clientOf>['client'], ...ids: string[]) =>
  client.findPredictions(new Set(ids), AbortSignal.timeout(30_000));

describe('a list with misleading pages', () => {
  it('ends even where its cursors never do, whatever its total is', async () => {
    for (const total of [3, 1e6, 1e300, -5, 'many']) {
      const { client, requests } = clientOf(({ url }) => {
        const at = fromLetters(new URL(url).searchParams.get('cursor') ?? 'pa');
        return Response.json({ items: at === 0 ? jobs(2) : [], total, next_page: inLetters(at + 1) });
      });
      assert.deepEqual((await find(client, 'other')).isAll, false);
      assert.ok(requests.length < (total === 1e6 ? 1_100 : 100), `${requests.length} requests for ${total}`);
    }
  });

  it('may repeat items of the page before, as where an item was created in the meantime', async () => {
    const items = jobs(40, (index) => Date.now() - index);
    const { client } = clientOf(({ url }) => {
      const { searchParams } = new URL(url);
      const [at, size] = [Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('size') ?? 2)];
      const from = Math.max(0, at - 1);
      return Response.json({ items: items.slice(from, from + size), total: 40, next_page: String(at + size) });
    });
    assert.deepEqual((await find(client, 'i5', 'i20')).jobs.map(({ id }) => id), ['i5', 'i20']); // prettier-ignore
  });

  it('may refuse cursors that it did not give: then its pages are read one by one, with the same parameter names', async () => {
    for (const strange of [400, 404, 500, undefined]) {
      const cursorOf = (at: number) => `sig-${at}`;
      const { client, requests } = oldestFirst({ items: jobs(250), cursorOf, parameter: 'page_token', strange });
      assert.equal((await client.listPredictions({ size: 10 })).items[0].id, 'i249');
      assert.equal(client.learned.paging.cursor, 'page_token');
      assert.ok(requests.length < 20, `${requests.length} requests`);
    }
  });

  it('is resumed from the last page read, where the search for its newest end failed', async () => {
    const items = jobs(400).map((job) => ({ ...job, text: 'x'.repeat(200_000) }));
    const { client, requests } = oldestFirst({ items, cursorOf: inLetters, broken: { from: 30, to: 34 } });
    await assert.rejects(find(client, 'i399'));
    const before = requests.length;
    assert.equal((await find(client, 'i399')).jobs.length, 1);
    const first = new URL(requests[before].url).searchParams.get('cursor');
    assert.ok(fromLetters(first ?? 'pa') > 100, `went on at ${first}`);
  });

  it('reports a missing job for a list of one page whose order shows for the first time', async () => {
    const items = jobs(1);
    const { client } = oldestFirst({ items, cursorOf: inLetters });
    for (const _ of [1, 2]) {
      assert.equal((await find(client, 'other')).isAll, true);
      items.push(...jobs(3).slice(1));
    }
  });

  it('keeps the time of a model with any ID', async () => {
    const items = jobs(2).map((job) => ({ ...job, ai_model_id: 'constructor' }));
    const { client } = oldestFirst({ items, cursorOf: inLetters });
    await client.listPredictions({ size: 2 });
    assert.deepEqual(Object.entries(client.learned.models), [['constructor', 1e12 + 1000]]);
  });

  it('forgets of many models those that were not used for longest', async () => {
    const models = jobs(250, (index) => 1e12 - index * 1000).map((job, place) => ({
      ...job,
      ai_model_id: `m${place}`,
    }));
    const { client } = oldestFirst({ items: models, cursorOf: inLetters });
    for (let cursor: string | undefined, pages = 0; pages < 5; pages++)
      ({ next: cursor } = await client.lists.page('listPredictions', { cursor, size: 50 }));
    const known = Object.keys(client.learned.models);
    assert.equal(known.length, 200);
    assert.ok(
      ['m0', 'm199'].every((id) => known.includes(id)),
      known.join(),
    );
  });
});

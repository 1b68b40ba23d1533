import assert from 'node:assert/strict';
import type { Page } from '../../../../src/contract/resources.ts';
import { StillApp } from '../http/still-app.ts';

const series = [{ timestamp: '2024-01-01', value: 1 }];

interface Item {
  readonly id: string;
  readonly name: string;
}

describe('pages of a list', () => {
  const app = new StillApp();
  const { call } = app;
  const page = async (query: string) => (await call<Page<Item>>('GET', `/datasets?${query}`)).body;
  const names = ({ items }: Page<Item>) => items.map(({ name }) => name).join(' ');
  const make = async (count: number, from = 0) => {
    const ids = [];
    for (let n = from; n < from + count; n++) {
      ids.push((await call<Item>('POST', '/datasets', { name: String(n), series: [{ series }] })).body.id);
    }
    return ids;
  };

  it('have a cursor of this service, and others are refused', async () => {
    for (const text of ['', 'c1', 'a-1', 'a1.5', 'a1e3', 'ab', ' a1', 'a1\n', 'a1 ', 'a٣', `a${'9'.repeat(17)}`]) {
      const { status } = await call('GET', `/datasets?cursor=${encodeURIComponent(text)}`);
      assert.equal(status, 422, JSON.stringify(text));
    }
  });

  it('lead to the end and back, each item once', async () => {
    await make(7);
    const down = [];
    for (let at = await page('size=3'); ; at = await page(`size=3&cursor=${at.next_page}`)) {
      down.push(at);
      assert.equal(at.total, 7);
      if (!at.next_page) break;
    }
    assert.deepEqual(down.map(names), ['6 5 4', '3 2 1', '0']);
    assert.ok(!down[0].previous_page);
    const up = [];
    for (let at = down[2]; at.previous_page;) up.push((at = await page(`size=3&cursor=${at.previous_page}`)));
    assert.deepEqual(up.map(names), ['3 2 1', '6 5 4']);
    // what was asked for again, from either end of it
    assert.equal(names(await page(`size=3&cursor=${down[1].current_page}`)), '3 2 1');
    assert.equal(names(await page(`size=3&cursor=${down[1].current_page_backwards}`)), '3 2 1');
  });

  it('continue while items are added and deleted, also next to the cursor', async () => {
    const ids = await make(6);
    const first = await page('size=2');
    assert.equal(names(first), '5 4');
    await make(2, 6);
    for (const gone of [4, 3]) await call('DELETE', `/datasets/${ids[gone]}`);
    const second = await page(`size=2&cursor=${first.next_page}`);
    assert.equal(names(second), '2 1');
    assert.equal(names(await page(`size=2&cursor=${second.previous_page}`)), '6 5');
    assert.equal(names(await page(`size=9&cursor=${second.previous_page}`)), '7 6 5');
  });

  it('are defined at the last page, beyond the end and in an empty list', async () => {
    assert.deepEqual(names(await page('cursor=b')), '');
    await make(3);
    for (const [query, expected, hasPrevious, hasNext] of [
      ['size=2&cursor=b', '1 0', true, false], // the end of the list, going up
      ['size=2&cursor=B', '1 0', true, false],
      ['size=2&cursor=a', '2 1', false, true],
      ['size=2&cursor=a0', '', false, false],
      ['size=2&cursor=b0', '1 0', true, false],
      ['size=2&cursor=b999999', '', false, false],
      ['size=2&cursor=A999999', '2 1', false, true],
      ['size=2&cursor=A0001', '0', true, false],
      ['size=1&size=2', '2', false, true], // the first of what is said twice
    ] as const) {
      const found = await page(query);
      assert.equal(names(found), expected, query);
      assert.equal(found.total, 3, query);
      assert.deepEqual([Boolean(found.previous_page), Boolean(found.next_page)], [hasPrevious, hasNext], query);
    }
  });

  it('lead back to the start if the list became empty', async () => {
    const ids = await make(3);
    const { next_page: next } = await page('size=2');
    await call('DELETE', `/datasets/${ids[0]}`);
    const empty = await page(`size=2&cursor=${next}`);
    assert.equal(names(empty), '');
    assert.deepEqual([empty.previous_page, empty.next_page], [null, null], 'every field is there');
    assert.equal(names(await page(`size=2&cursor=${empty.current_page}`)), '2 1');
    assert.equal(names(await page(`size=2&cursor=${empty.current_page_backwards}`)), '2 1');
  });
});

import assert from 'node:assert/strict';
import { envelopeOf, readItems } from '../../../src/client/page.ts';
import { LocalPrediction } from '../../../src/contract/local.ts';
import { Dataset, Key } from '../../../src/contract/resources.ts';

describe('a page of a list', () => {
  const items = [{ id: 'a' }];
  const read = (body: unknown) => {
    const { items: found, total, next, previous } = readItems(Dataset, envelopeOf(body));
    return [found.map(({ id }) => id), total, next, previous];
  };

  it('is read in every shape that makes sense: bare, without cursors, with numbers for cursors, with digits for a total', () => {
    assert.deepEqual(read(items), [['a'], undefined, undefined, undefined]);
    assert.deepEqual(read({ items }), [['a'], undefined, undefined, undefined]);
    assert.deepEqual(read({ items, total: null, next_page: null, previous_page: '' }), [['a'], undefined, undefined, undefined]); // prettier-ignore
    assert.deepEqual(read({ items, total: '57', current_page: 2, next_page: 3, previous_page: 1 }), [['a'], 57, '3', '1']); // prettier-ignore
    assert.deepEqual(read({ items, total: { about: 57 }, next_page: 'x==' }), [['a'], undefined, 'x==', undefined]);
  });

  it('is read under other names, beside or below what is said of it, and by the place where that is all that is told', () => {
    assert.deepEqual(read({ count: 57, next: 'https://x.test/v1/datasets?page=2', previous: null, results: items }), [['a'], 57, 'https://x.test/v1/datasets?page=2', undefined]); // prettier-ignore
    assert.deepEqual(read({ data: items, meta: { next_cursor: 'c2', total_count: 3 } }), [['a'], 3, 'c2', undefined]);
    assert.deepEqual(read({ items, total: 3, limit: 1, offset: 1 }), [['a'], 3, '?offset=2&limit=1', undefined]);
    assert.deepEqual(read({ items, total: 2, limit: 1, offset: 1 }), [['a'], 2, undefined, undefined]);
    assert.deepEqual(read({ items, total: 3, page: 1, size: 1, pages: 3 }), [['a'], 3, '?page=2&size=1', undefined]);
    assert.deepEqual(read({ items, total: 3, page: 3, size: 1, pages: 3 }), [['a'], 3, undefined, undefined]);
  });

  it('is empty where its items are null beside what else a page has, and its states are those of the interface in any letters', () => {
    assert.deepEqual(read({ items: null, total: 0 }), [[], 0, undefined, undefined]);
    assert.deepEqual(read({ items: null, next_page: null, previous_page: null }), [[], undefined, undefined, undefined]); // prettier-ignore
    const statusOf = (status: string) => readItems(LocalPrediction, envelopeOf([{ id: 'a', status }])).items[0]?.status;
    const words = ['completed', 'Queued', 'in_progress', 'in-progress', 'In progress', 'FAILED', 'succeeded'];
    assert.deepEqual(words.map(statusOf), ['COMPLETED', 'QUEUED', 'IN_PROGRESS', 'IN_PROGRESS', 'IN_PROGRESS', 'FAILED', 'succeeded']); // prettier-ignore
    assert.equal(readItems(Key, envelopeOf([{ id: 'k', status: 'active' }])).items[0]?.status, 'ACTIVE');
  });

  it('is none where there are no items, or where what comes next cannot be told', () => {
    for (const body of [
      { data: items, tags: [] },
      { items: 'a', data: items },
      'items',
      null,
      { items: null },
      { items, next_page: { cursor: 'x' } },
    ])
      assert.throws(() => read(body), { kind: 'not-a-service' }, JSON.stringify(body));
  });

  it('keeps numbers that are texts, gaps and unknown words, and says of what it cannot read where it is wrong', () => {
    const at = '2024-01-01T00:00:00Z';
    const { items: found, unreadable } = readItems(
      LocalPrediction,
      envelopeOf([
        { id: 1, status: 'PONDERING', input_series: ['4.5', ' NaN ', 'Infinity', null].map((value) => ({ timestamp: at, value })) }, // prettier-ignore
        { id: 2, status: 'COMPLETED', prediction_series: [{ timestamp: at, value: 'many' }] },
        { id: 3, status: 'COMPLETED', prediction_series: [{ timestamp: 1704067200, value: 1 }] },
        { id: 4 },
      ]),
    );
    const [{ id, status, input_series }] = found;
    assert.deepEqual([found.length, id, status], [1, '1', 'PONDERING']);
    assert.deepEqual(input_series?.map(({ value }) => value), [4.5, undefined, undefined, undefined]); // prettier-ignore
    const places = unreadable.map((why) => why.split(': ')[0]);
    assert.deepEqual(places, ['prediction_series.0.value', 'prediction_series.0.timestamp', 'status']);
  });
});

import assert from 'node:assert/strict';
import { errorOfAnswer } from '../../../src/client/errors.ts';
import { envelopeOf, readItems } from '../../../src/client/page.ts';
import { LocalDataset, LocalKey, LocalPrediction } from '../../../src/contract/resources.ts';

describe('a page of a list', () => {
  const items = [{ id: 'a' }];
  const read = (body: unknown) => {
    const { items: found, total, next, previous } = readItems(LocalDataset, envelopeOf(body));
    return [found.map(({ id }) => id), total, next, previous];
  };

  it('is read as a bare list, without cursors, with numbers as cursors, and with a total in digits', () => {
    assert.deepEqual(read(items), [['a'], undefined, undefined, undefined]);
    assert.deepEqual(read({ items }), [['a'], undefined, undefined, undefined]);
    assert.deepEqual(read({ items, total: null, next_page: null, previous_page: '' }), [['a'], undefined, undefined, undefined]); // prettier-ignore
    assert.deepEqual(read({ items, total: '57', current_page: 2, next_page: 3, previous_page: 1 }), [['a'], 57, '3', '1']); // prettier-ignore
    assert.deepEqual(read({ items, total: { about: 57 }, next_page: 'x==' }), [['a'], undefined, 'x==', undefined]);
  });

  it('is read with other field names, beside or below its metadata, and by its position where it has no cursor', () => {
    assert.deepEqual(read({ count: 57, next: 'https://x.test/v1/datasets?page=2', previous: null, results: items }), [['a'], 57, 'https://x.test/v1/datasets?page=2', undefined]); // prettier-ignore
    assert.deepEqual(read({ data: items, meta: { next_cursor: 'c2', total_count: 3 } }), [['a'], 3, 'c2', undefined]);
    assert.deepEqual(read({ items, total: 3, limit: 1, offset: 1 }), [['a'], 3, '?offset=2&limit=1', undefined]);
    assert.deepEqual(read({ items, total: 2, limit: 1, offset: 1 }), [['a'], 2, undefined, undefined]);
    assert.deepEqual(read({ items, total: 3, page: 1, size: 1, pages: 3 }), [['a'], 3, '?page=2&size=1', undefined]);
    assert.deepEqual(read({ items, total: 3, page: 3, size: 1, pages: 3 }), [['a'], 3, undefined, undefined]);
  });

  it('is read in the forms of HAL, Spring, OData, Stripe and Laravel, and within another object', () => {
    const next = 'https://x.test/v1/datasets?page=2';
    assert.deepEqual(read({ _embedded: { datasets: items }, _links: { next: { href: next } }, page: { size: 1, totalElements: 2 } }), [['a'], 2, next, undefined]); // prettier-ignore
    assert.deepEqual(read({ content: items, number: 0, size: 1, totalElements: 2, totalPages: 2 }), [['a'], 2, '?page=1&size=1', undefined]); // prettier-ignore
    assert.deepEqual(read({ content: items, pageable: { offset: 0, pageNumber: 0, pageSize: 1 }, number: 0, size: 1, totalElements: 2, totalPages: 2 })[2], '?page=1&size=1&page_size=1'); // prettier-ignore
    assert.deepEqual(read({ value: items, '@odata.count': 2, '@odata.nextLink': next }), [['a'], 2, next, undefined]);
    assert.deepEqual(read({ object: 'list', data: items, has_more: true }), [['a'], undefined, '?starting_after=a', undefined]); // prettier-ignore
    assert.deepEqual(read({ data: items, current_page: 1, last_page: 2, per_page: 1, total: 2 }), [['a'], 2, '?page=2&per_page=1', undefined]); // prettier-ignore
    assert.deepEqual(read({ success: true, data: { items, continuationToken: 'c' } }), [['a'], undefined, 'c', undefined]); // prettier-ignore
    assert.deepEqual(read({ results: items, paging: { next: { after: 'c', link: '' } } }), [['a'], undefined, 'c', undefined]); // prettier-ignore
  });

  it('continues at its cursor, unless it is the last page or names the next one', () => {
    assert.deepEqual(read({ data: items, paging: { cursor: 'c', has_more: true } })[2], 'c');
    assert.deepEqual(read({ data: { items, page_info: { endCursor: 'c', hasNextPage: true } } })[2], 'c');
    assert.deepEqual(read({ data: items, meta: { pagination: { cursor: 'c' } } })[2], 'c');
    assert.deepEqual(read({ data: items, paging: { cursor: 'c', has_more: false } })[2], undefined);
    assert.deepEqual(read({ data: items, paging: { cursor: 'c', next_cursor: null } })[2], undefined);
  });

  it('may have other fields whose names begin like those of pages', () => {
    const beside = [
      { next_available: true },
      { meta: { previous_sync: { at: 'noon' } } },
      { quota: { next_reset: 'noon' } },
    ];
    for (const fields of beside) assert.deepEqual(read({ items, ...fields }), [['a'], undefined, undefined, undefined]);
    assert.deepEqual(read({ items, total_tokens: 99_999, total: 3 })[1], 3);
    assert.deepEqual(read({ items, total_cost: 1.5, total_items: 3 })[1], 3);
    assert.deepEqual(read({ items, next_offset: 20, prev_page_url: '?page=1' }).slice(2), ['20', '?page=1']);
  });

  it('keeps items whose fields have another type, such as times as numbers', () => {
    const seconds = { id: 1, status: 'COMPLETED', created_at: 1704067200 };
    const { items: found, unreadable } = readItems(
      LocalPrediction,
      envelopeOf([seconds, { ...seconds, created_at: {} }]),
    );
    assert.deepEqual(unreadable, []);
    assert.deepEqual(found.map(({ created_at }) => created_at), ['2024-01-01T00:00:00.000Z', undefined]); // prettier-ignore
    const stats = { size: 1234, rows: '7', freq: null, start_timestamp: 1704067200000 };
    const [{ stats: known }] = readItems(LocalDataset, envelopeOf([{ id: 'a', stats }])).items;
    assert.deepEqual([known?.size, known?.rows, known?.start_timestamp], ['1234', 7, '2024-01-01T00:00:00.000Z']);
  });

  it('keeps the other items where one has an object in place of a string', () => {
    const no = { toString: 1, valueOf: 1 };
    const job = { id: 'a', status: 'COMPLETED', created_at: no, input_series: [{ timestamp: no }, { timestamp: 1 }] };
    const items = [{ ...job, status: no }, { ...job, error: { code: 'deleted', params: [no] } }, job, { id: 'b', status: 'QUEUED' }]; // prettier-ignore
    const read = readItems(LocalPrediction, envelopeOf({ items, total: no, pages: no, has_more: true }));
    assert.deepEqual([read.items.map(({ id }) => id), read.unreadable.length], [['b'], 3]);
    assert.match(errorOfAnswer({ status: 422, body: { loc: [no], msg: 'Wrong' }, name: 'x' }).message, /Wrong/);
  });

  it('may have points with numeric times, all in seconds or all in milliseconds', () => {
    const days = ['1949-01-01', '1970-01-01', '1970-06-01', '2024-01-01'].map((day) => `${day}T00:00:00.000Z`);
    for (const unit of [1, 1000]) {
      const series = days.map((day) => ({ timestamp: Date.parse(day) / unit, value: 1 }));
      const item = { id: 1, status: 'COMPLETED', created_at: Date.parse(days[0]) / unit, input_series: series };
      const { items: found, unreadable } = readItems(LocalPrediction, envelopeOf([item]));
      assert.deepEqual(unreadable, []);
      assert.deepEqual(found[0].input_series?.map(({ timestamp }) => timestamp), days); // prettier-ignore
      assert.equal(found[0].created_at, days[0]);
    }
    const { unreadable } = readItems(
      LocalPrediction,
      envelopeOf([{ id: 1, status: 'COMPLETED', input_series: [{ timestamp: 1e300 }] }]),
    );
    assert.equal(unreadable.length, 1);
  });

  it('is empty where its items are null beside other fields, and reads statuses in any case', () => {
    assert.deepEqual(read({ items: null, total: 0 }), [[], 0, undefined, undefined]);
    assert.deepEqual(read({ items: null, next_page: null, previous_page: null }), [[], undefined, undefined, undefined]); // prettier-ignore
    assert.deepEqual(read({ data: { items: null, total: 0 } }), [[], 0, undefined, undefined]);
    for (const next of [false, {}, { href: null }, { after: '', link: '' }])
      assert.deepEqual(read({ items, next, previous: false }), [['a'], undefined, undefined, undefined]);
    const statusOf = (status: string) => readItems(LocalPrediction, envelopeOf([{ id: 'a', status }])).items[0]?.status;
    const words = ['completed', 'Queued', 'in_progress', 'in-progress', 'In progress', 'FAILED', 'succeeded'];
    assert.deepEqual(words.map(statusOf), ['COMPLETED', 'QUEUED', 'IN_PROGRESS', 'IN_PROGRESS', 'IN_PROGRESS', 'FAILED', 'succeeded']); // prettier-ignore
    assert.equal(readItems(LocalKey, envelopeOf([{ id: 'k', status: 'active' }])).items[0]?.status, 'ACTIVE');
  });

  it('is refused where it has no items, or an unreadable cursor', () => {
    for (const body of [
      { data: items, tags: [] },
      { items: 'a', data: items },
      'items',
      null,
      { items: null },
      { items, next_page: { odd: 'x' } },
    ])
      assert.throws(() => read(body), { kind: 'not-a-service' }, JSON.stringify(body));
  });

  it('keeps numbers in strings, gaps, and unknown words, and reports where an item is unreadable', () => {
    const at = '2024-01-01T00:00:00Z';
    const { items: found, unreadable } = readItems(
      LocalPrediction,
      envelopeOf([
        { id: 1, status: 'PONDERING', input_series: ['4.5', ' NaN ', 'Infinity', null].map((value) => ({ timestamp: at, value })) }, // prettier-ignore
        { id: 2, status: 'COMPLETED', prediction_series: [{ timestamp: at, value: 'many' }] },
        { id: 3, status: 'COMPLETED', prediction_series: [{ timestamp: true, value: 1 }] },
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

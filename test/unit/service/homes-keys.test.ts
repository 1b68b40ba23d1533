/** Keys, and creations under a key, on both homes of the store. */
import assert from 'node:assert/strict';
import type { LocalDataset, LocalPrediction } from '../../../src/contract/local.ts';
import type { Key, Page } from '../../../src/contract/resources.ts';
import { callOf, onEachHome } from './homes.ts';
import { monthly } from './local-service.ts';

onEachHome((running) => {
  const call = callOf(running);
  const several = Array.from({ length: 7 }, (_, i) => ({
    name: `s${i}`,
    series: monthly.slice(i).map((point) => ({ ...point, value: point.value + i })),
  }));

  it('holds keys to their scope and their limits', async () => {
    const { body: key } = await call<Key>('POST', '/keys', { scope: 'write', series_per_day: 1 });
    const request = { series: monthly, ai_model_id: 'seasonal-naive' };
    const statuses = [];
    for (let n = 0; n < 2; n++) statuses.push((await call('POST', '/predictions', request, key.secret)).status);
    assert.deepEqual(statuses, [201, 429]);
    assert.equal((await call<Page<Key>>('GET', '/keys', undefined, key.secret)).body.items.length, 1);
    assert.equal((await call('DELETE', `/keys/${key.id}`, undefined, key.secret)).status, 403);
    assert.equal((await call('DELETE', `/keys/${key.id}`)).status, 204);
    assert.equal((await call('GET', '/keys', undefined, key.secret)).status, 401);
    const { items } = (await call<Page<LocalPrediction>>('GET', '/predictions')).body;
    for (const { id } of items) await call('DELETE', `/predictions/${id}`);
  });

  it('makes once what comes again under one key, however it comes', async () => {
    const under = <T extends object>(key: string, path: string, body: object) =>
      call<T & { readonly detail: string }>('POST', path, body, undefined, { 'idempotency-key': key });
    const settings = { ai_model_id: 'seasonal-naive', prediction_length: 2 };
    const request = { series: monthly, ...settings };
    const many = await Promise.all(
      Array.from({ length: 4 }, () => under<LocalPrediction>('one', '/predictions', request)),
    );
    assert.deepEqual(many.map(({ status }) => status), [201, 201, 201, 201]); // prettier-ignore
    assert.equal(new Set(many.map(({ body }) => body.id)).size, 1);
    assert.equal(many[3].body.status, 'COMPLETED');
    const other = await under('one', '/predictions', { ...request, prediction_length: 3 });
    assert.equal(other.status, 422);
    assert.match(other.body.detail, /came with another request before/);
    assert.equal((await under('one', '/datasets', { series: several })).status, 422);
    assert.equal((await under('two words', '/datasets', { series: several })).status, 400);
    const [first, second] = await Promise.all(
      [0, 1].map(() => under<LocalDataset>('data', '/datasets', { series: several })),
    );
    assert.deepEqual([first.status, first.body.id], [201, second.body.id]);
    const panels = await Promise.all(
      [0, 1].map(() =>
        under<{ prediction_ids: string[] }>('panel', `/datasets/${first.body.id}/predictions`, settings),
      ),
    );
    assert.equal(panels[0].body.prediction_ids.length, several.length);
    assert.deepEqual(panels[0].body, panels[1].body);
    const keys = [await under<Key>('key', '/keys', {}), await under<Key>('key', '/keys', {})];
    assert.deepEqual(keys[0].body, keys[1].body);
    const all = (await call<Page<LocalPrediction>>('GET', '/predictions?size=200')).body.items;
    assert.equal(all.length, 1 + several.length);
    for (const { id } of all) await call('DELETE', `/predictions/${id}`);
    await call('DELETE', `/datasets/${first.body.id}`);
    await call('DELETE', `/keys/${keys[0].body.id}`);
  });
});

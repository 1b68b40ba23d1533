/** Keys, and creations under a key, on both homes of the store. */
import { failure } from '../../../src/contract/failures.ts';
import assert from 'node:assert/strict';
import type { LocalKey, LocalDataset, LocalPrediction, Page } from '../../../src/contract/resources.ts';
import { callOf, onEachHome } from './homes.ts';
import { monthly } from './local-service.ts';
import { until } from '../editor/until.ts';

onEachHome((running) => {
  const call = callOf(running);
  const several = Array.from({ length: 7 }, (_, i) => ({
    name: `s${i}`,
    series: monthly.slice(i).map((point) => ({ ...point, value: point.value + i })),
  }));

  const request = { series: monthly, ai_model_id: 'seasonal-naive' };

  it('enforces scopes and limits of keys', async () => {
    const { body: key } = await call<LocalKey>('POST', '/keys', { scope: 'write', series_per_day: 1 });
    const statuses = [];
    for (let n = 0; n < 2; n++) statuses.push((await call('POST', '/predictions', request, key.secret)).status);
    assert.deepEqual(statuses, [201, 429]);
    assert.equal((await call<Page<LocalKey>>('GET', '/keys', undefined, key.secret)).body.items.length, 1);
    assert.equal((await call('DELETE', `/keys/${key.id}`, undefined, key.secret)).status, 403);
    assert.equal((await call('DELETE', `/keys/${key.id}`)).status, 204);
    assert.equal((await call('GET', '/keys', undefined, key.secret)).status, 401);
    const { items } = (await call<Page<LocalPrediction>>('GET', '/predictions')).body;
    for (const { id } of items) await call('DELETE', `/predictions/${id}`);
  });

  it('gives no answer to a waiting request of a deleted key, and stops its downloads', async () => {
    const { body: key } = await call<LocalKey>('POST', '/keys', { scope: 'write' });
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' };
    running().hold();
    const waited = running().service.fetch(
      new Request('http://local/predictions', { method: 'POST', headers, body: JSON.stringify(request), signal: abort.signal }),
    ); // prettier-ignore
    const asked = async () => (await call<Page<LocalPrediction>>('GET', '/predictions')).body.items;
    await until(asked, (items) => items.length > 0);
    assert.equal((await call('DELETE', `/keys/${key.id}`)).status, 204);
    running().release();
    assert.equal((await waited).status, 401);
    for (const { id } of await asked()) await call('DELETE', `/predictions/${id}`);

    const many = Array.from({ length: 201 }, (_, n) => ({ series: [{ timestamp: '2024-01-01T00:00:00Z', value: n }] }));
    const { body: data } = await call<LocalDataset>('POST', '/datasets', { series: many });
    await call('POST', `/datasets/${data.id}/predictions`, { ai_model_id: 'seasonal-naive' });
    const { body: reading } = await call<LocalKey>('POST', '/keys', { scope: 'read' });
    const answer = await running().service.fetch(
      new Request(`http://local/datasets/${data.id}/forecasts.ndjson`, { headers: { authorization: `Bearer ${reading.secret}` } }),
    ); // prettier-ignore
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    assert.equal((await reader.read()).done, false);
    assert.equal((await call('DELETE', `/keys/${reading.id}`)).status, 204);
    await assert.rejects(reader.read(), /token is not valid/);
    await call('DELETE', `/datasets/${data.id}/predictions`);
    for (let left = await asked(); left.length > 0; left = await asked()) {
      for (const { id } of left) await call('DELETE', `/predictions/${id}`);
    }
    await call('DELETE', `/datasets/${data.id}`);
  });

  it('refuses a request whose key is deleted before it is done, and stores nothing', async () => {
    const { body: data } = await call<LocalDataset>('POST', '/datasets', { series: several });
    const limited = { scope: 'write', series_per_day: 100 };
    for (const [path, body, wanted] of [
      ['/predictions', request, limited],
      ['/predictions', request, { scope: 'write' }],
      [`/datasets/${data.id}/predictions`, { ai_model_id: 'seasonal-naive' }, limited],
      [`/datasets/${data.id}/predictions`, { ai_model_id: 'seasonal-naive' }, { scope: 'write' }],
    ] as const) {
      const { body: key } = await call<LocalKey>('POST', '/keys', wanted);
      const used = await call<LocalPrediction>('POST', '/predictions', request, key.secret);
      await call('DELETE', `/predictions/${used.body.id}`);
      // its body is read once it was let in
      const late = new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            assert.equal((await call('DELETE', `/keys/${key.id}`)).status, 204);
            controller.enqueue(new TextEncoder().encode(JSON.stringify(body)));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const headers = { authorization: `Bearer ${key.secret}` };
      const init = { method: 'POST', headers, body: late, duplex: 'half' } as const;
      const answer = await running().service.fetch(new Request(`http://local${path}`, init));
      assert.deepEqual([answer.status, await answer.json()], [401, { status: 401, ...failure('token_invalid') }]);
    }
    assert.deepEqual((await call<Page<LocalPrediction>>('GET', '/predictions')).body.items, []);
    await call('DELETE', `/datasets/${data.id}`);
  });

  it('counts concurrent requests under one idempotency key once, also at the limit', async () => {
    const { body: key } = await call<LocalKey>('POST', '/keys', { scope: 'write', series_per_day: several.length });
    const { body: data } = await call<LocalDataset>('POST', '/datasets', { series: several });
    const send = (under: string) =>
      call('POST', `/datasets/${data.id}/predictions`, { ai_model_id: 'seasonal-naive' }, key.secret, {
        'idempotency-key': under,
      });
    const answers = await Promise.all(Array.from({ length: 3 }, () => send('limit')));
    assert.deepEqual([...answers, await send('limit')].map(({ status }) => status), [201, 201, 201, 201]); // prettier-ignore
    assert.equal((await send('other')).status, 429);
    await call('DELETE', `/datasets/${data.id}/predictions`);
    const { items } = (await call<Page<LocalPrediction>>('GET', '/predictions')).body;
    for (const { id } of items) await call('DELETE', `/predictions/${id}`);
    await call('DELETE', `/datasets/${data.id}`);
    await call('DELETE', `/keys/${key.id}`);
  });

  it('repeats a request that ended because its service stopped, under the same idempotency key', async () => {
    const { body: key } = await call<LocalKey>('POST', '/keys', { scope: 'write', series_per_day: 1 });
    const send = (under = 'stopped') =>
      call<LocalPrediction>('POST', '/predictions', request, key.secret, { 'idempotency-key': under });
    running().hold();
    const stopped = send();
    const listed = async () => (await call<Page<LocalPrediction>>('GET', '/predictions')).body.items;
    await until(listed, ({ length }) => length > 0);
    await running().restart();
    const { status, body } = await stopped;
    assert.deepEqual([status, (body as unknown as { detail: string }).detail.slice(0, 38)], [429, 'The service is stopping before this is']); // prettier-ignore
    running().release();
    const again = await send();
    assert.deepEqual([again.status, again.body.status], [201, 'COMPLETED']);
    assert.equal((await send()).body.id, again.body.id);
    // what was not done did not count, and what was done did
    assert.equal((await send('other')).status, 429);
    for (const { id } of await listed()) await call('DELETE', `/predictions/${id}`);
    await call('DELETE', `/keys/${key.id}`);
  });

  it('counts once what it computes again for another client after the first disconnected', async () => {
    const { body: key } = await call<LocalKey>('POST', '/keys', { scope: 'write', series_per_day: 1 });
    const send = (under: string, signal?: AbortSignal) =>
      call<LocalPrediction>('POST', '/predictions', request, key.secret, { 'idempotency-key': under }, signal);
    running().hold();
    const lost = new AbortController();
    const first = send('lost', lost.signal);
    const listed = async () => (await call<Page<LocalPrediction>>('GET', '/predictions')).body.items;
    await until(listed, ({ length }) => length > 0);
    const second = send('lost');
    lost.abort();
    assert.equal((await first).status, 400);
    running().release();
    const { status, body } = await second;
    assert.deepEqual([status, body.status], [201, 'COMPLETED'], JSON.stringify(body));
    assert.equal((await send('other')).status, 429);
    for (const { id } of await listed()) await call('DELETE', `/predictions/${id}`);
    await call('DELETE', `/keys/${key.id}`);
  });

  it('creates once what is requested repeatedly under one idempotency key', async () => {
    const under = <T extends object>(key: string, path: string, body: object) =>
      call<T & { readonly detail: string }>('POST', path, body, undefined, { 'idempotency-key': key });
    const settings = { ai_model_id: 'seasonal-naive', prediction_length: 2 };
    const asked = { series: monthly, ...settings };
    const many = await Promise.all(
      Array.from({ length: 4 }, () => under<LocalPrediction>('one', '/predictions', asked)),
    );
    assert.deepEqual(many.map(({ status }) => status), [201, 201, 201, 201]); // prettier-ignore
    assert.equal(new Set(many.map(({ body }) => body.id)).size, 1);
    assert.equal(many[3].body.status, 'COMPLETED');
    const other = await under('one', '/predictions', { ...asked, prediction_length: 3 });
    assert.equal(other.status, 422);
    assert.match(other.body.detail, /was used before with a different request/);
    assert.equal((await under('one', '/datasets', { series: several })).status, 422);
    assert.equal((await under('two words', '/datasets', { series: several })).status, 400);
    const [first, second] = await Promise.all(
      [0, 1].map(() => under<LocalDataset>('data', '/datasets', { series: several })),
    );
    assert.deepEqual([first.status, first.body.id], [201, second.body.id]);
    const panels = await Promise.all(
      [0, 1].map(() => under<{ prediction_ids: string[] }>('many', `/datasets/${first.body.id}/predictions`, settings)),
    );
    assert.equal(panels[0].body.prediction_ids.length, several.length);
    assert.deepEqual(panels[0].body, panels[1].body);
    const keys = [await under<LocalKey>('key', '/keys', {}), await under<LocalKey>('key', '/keys', {})];
    assert.deepEqual(keys[0].body, keys[1].body);
    const all = (await call<Page<LocalPrediction>>('GET', '/predictions?size=200')).body.items;
    assert.equal(all.length, 1 + several.length);
    for (const { id } of all) await call('DELETE', `/predictions/${id}`);
    await call('DELETE', `/datasets/${first.body.id}`);
    await call('DELETE', `/keys/${keys[0].body.id}`);
  });
});

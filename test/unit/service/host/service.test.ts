import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Operation, operations } from '../../../../src/contract/operations.ts';
import type { LocalKey, LocalDataset, LocalPrediction, Page } from '../../../../src/contract/resources.ts';
import { serviceOver } from '../../../../src/service/host/service.ts';
import type { Queue } from '../../../../src/service/jobs/queue.ts';
import { openDatabase, sqliteStore } from '../../../../src/service/database/sqlite.ts';
import { newToken } from '../../../../src/service/store/token.ts';
import { LocalService, monthly } from '../local-service.ts';
import { until } from '../../editor/until.ts';

describe('local service', () => {
  const local = new LocalService();
  const { call, token } = local;

  it('requires a valid bearer token for every operation', async () => {
    for (const path of ['/predictions', '/datasets', '/keys', '/series/x']) {
      assert.equal((await call('GET', path, undefined, 'wrong')).status, 401);
    }
    const bare = await local.service.fetch(new Request('http://local/predictions'));
    assert.equal(bare.status, 401);
    assert.equal(bare.headers.get('www-authenticate'), 'Bearer');
  });

  it('serves every operation of the contract', async () => {
    for (const { method, path, body } of Object.values<Operation>(operations)) {
      const { status, body: answer } = await call<{ detail: unknown }>(
        method,
        path.replace('{id}', 'none'),
        body && {},
      );
      const isServed = status < 300 || status === 422 || (status === 404 && answer.detail !== 'Not Found');
      assert.ok(isServed, `${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    }
  });

  it('refuses invalid requests and names the field', async () => {
    const cases: [string, unknown, (string | number)[]][] = [
      ['/predictions', {}, ['body', 'series']],
      ['/predictions', { series: [] }, ['body', 'series']],
      ['/predictions', { series: monthly, series_id: 'x' }, ['body', 'series']],
      ['/predictions', { series_id: 'x' }, ['body', 'series_id']],
      ['/predictions', { series: monthly, ai_model_id: 'nope' }, ['body', 'ai_model_id']],
      ['/predictions', { series: [{ timestamp: 'yesterday', value: 1 }] }, ['body', 'series', 0, 'timestamp']],
      ['/predictions', { series: [{ timestamp: '2020-01-01', value: 'x' }] }, ['body', 'series', 0, 'value']],
      ['/predictions', { series: monthly, prediction_length: 0 }, ['body', 'prediction_length']],
      ['/predictions', { series: monthly, quantile_levels: [1.5] }, ['body', 'quantile_levels', 0]],
      ['/predictions', '{broken', ['body']],
      ['/fine_tuned_models', { input_config: {} }, ['body', 'input_config']],
      ['/fine_tuned_models', { input_config: { dataset_ids: ['x'] } }, ['body', 'input_config', 'dataset_ids', 0]],
      ['/fine_tuned_models', { base_model: 'x', input_config: { series: monthly } }, ['body', 'base_model']],
      [
        '/fine_tuned_models',
        { base_model: 'hybrid', input_config: { series: monthly }, config: { use_rope_scaling: true } },
        ['body', 'config', 'use_rope_scaling'],
      ],
      [
        '/fine_tuned_models',
        { input_config: { series: monthly }, config: { max_epochs: 1001 } },
        ['body', 'config', 'max_epochs'],
      ],
      [
        '/predictions',
        { series: monthly, ai_model_id: 'theta', fine_tuning_epochs: 3 },
        ['body', 'fine_tuning_epochs'],
      ],
      ['/predictions', { series: monthly, fine_tuning_epochs: 5000 }, ['body', 'fine_tuning_epochs']],
      ['/datasets', { series: [] }, ['body', 'series']],
    ];
    const notStored = new Set(['series_id', 'ai_model_id', 'dataset_ids', 'base_model']);
    for (const [path, request, loc] of cases) {
      const { status, body } = await call<{ errors: { loc: unknown; detail: string }[] }>('POST', path, request);
      const expected = loc.some((name) => notStored.has(String(name))) ? 404 : 422;
      assert.equal(status, expected, JSON.stringify(request));
      assert.deepEqual(body.errors[0].loc, loc);
      assert.ok(body.errors[0].detail.length > 5);
    }
    assert.equal((await call('GET', '/predictions?cursor=!!!')).status, 422);
    assert.equal((await call('GET', '/predictions?size=0')).status, 422);
    assert.equal((await call('GET', '/predictions/none')).status, 404);
    assert.equal((await call('GET', '/nothing')).status, 404);
    assert.equal((await call('PUT', '/predictions')).status, 405);
    assert.equal((await call<Page<unknown>>('GET', '/predictions')).body.total, 0);
  });

  it('describes the expected type of a field', async () => {
    const message = async (request: object) => {
      const { status, body } = await call<{ errors: { detail: string }[] }>('POST', '/predictions', request);
      assert.equal(status, 422);
      return body.errors[0].detail;
    };
    assert.match(await message({ series: monthly, prediction_length: 10_001 }), /^Expected 10000 or less\.$/);
    assert.match(await message({ series: monthly, quantile_levels: [0] }), /^Expected more than 0\.$/);
    assert.match(await message({ series: 'x' }), /^Expected a list\.$/);
  });

  it('pages forward and backward, stable while items are added', async () => {
    const add = async (count: number) => {
      for (let i = 0; i < count; i++)
        await call('POST', '/datasets', { name: `d${n++}`, series: [{ series: monthly.slice(0, 3) }] });
    };
    const names = (page: Page<LocalDataset>) => page.items.map((item) => item.name);
    const at = async (cursor: string | undefined) =>
      (
        await call<Page<LocalDataset>>(
          'GET',
          `/datasets?size=3${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
        )
      ).body;
    let n = 0;
    await add(7);
    const first = await at(undefined);
    assert.deepEqual(names(first), ['d6', 'd5', 'd4']);
    assert.equal(first.total, 7);
    assert.equal(first.previous_page, null);
    await add(2);
    const second = await at(first.next_page);
    assert.deepEqual(names(second), ['d3', 'd2', 'd1']);
    assert.deepEqual(names(await at(second.current_page)), ['d3', 'd2', 'd1']);
    assert.deepEqual(names(await at(second.current_page_backwards)), ['d3', 'd2', 'd1']);
    assert.deepEqual(names(await at(second.previous_page)), ['d6', 'd5', 'd4']);
    const third = await at(second.next_page);
    assert.deepEqual(names(third), ['d0']);
    assert.equal(third.next_page, null);
    const newest = await at((await at(second.previous_page)).previous_page);
    assert.deepEqual(names(newest), ['d8', 'd7']);
    assert.equal(newest.previous_page, null);
    await call('DELETE', `/datasets/${second.items[2].id}`);
    assert.deepEqual(names(await at(second.next_page)), ['d0']);
  });

  it('lists keys with their secrets, and stores no readable secret on disk', async () => {
    const made = await call<LocalKey>('POST', '/keys', { name: 'notebook', scope: 'admin' });
    const secret = made.body.secret ?? '';
    assert.equal((await call('GET', '/predictions', undefined, secret)).status, 200);
    const { body } = await call<Page<LocalKey>>('GET', '/keys');
    assert.deepEqual(
      body.items.map((key) => [key.status, key.secret]),
      [
        ['ACTIVE', secret],
        ['ACTIVE', token],
      ],
    );
    for (const file of readdirSync(local.folder)) {
      const bytes = readFileSync(join(local.folder, file));
      assert.equal(bytes.includes(secret) || bytes.includes(token), false, file);
    }
    assert.equal((await call('DELETE', `/keys/${made.body.id}`, undefined, secret)).status, 409);
    assert.equal((await call('DELETE', `/keys/${made.body.id}`)).status, 204);
    assert.equal((await call('GET', '/predictions', undefined, secret)).status, 401);
  });

  it('keeps everything over a restart, and finishes queued jobs', async () => {
    const { body } = await call<LocalPrediction>('POST', '/predictions', { series: monthly, is_async: true });
    await local.restart();
    const get = async () => (await call<LocalPrediction>('GET', `/predictions/${body.id}`)).body;
    const last = await until(get, ({ status }) => status === 'COMPLETED' || status === 'FAILED');
    assert.equal(last.status, 'COMPLETED', last.error);
    assert.equal(last.prediction_series?.length, last.prediction_length);
  });

  it('lets two programs share the store', async () => {
    const other = local.program();
    const body = JSON.stringify({ series: monthly });
    const theirs = async () => {
      const init = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body };
      return (await (await other.fetch('http://local/predictions', init)).json()) as LocalPrediction;
    };
    const mine = async () => (await call<LocalPrediction>('POST', '/predictions', body)).body;
    const first = await theirs();
    const made = await Promise.all([mine, theirs, mine, theirs, mine, theirs].map((make) => make()));
    await other.stop();
    assert.deepEqual(
      [first, ...made].map(({ status }) => status),
      Array(7).fill('COMPLETED'),
    );
    assert.equal((await call<Page<unknown>>('GET', '/predictions')).body.total, 7);
  });

  it('describes itself in OpenAPI 3.1', async () => {
    const response = await local.service.fetch(new Request('http://local/openapi.json'));
    const description = (await response.json()) as { openapi: string; paths: Record<string, Record<string, unknown>> };
    assert.equal(description.openapi, '3.1.0');
    for (const [path, methods] of [
      ['/predictions', ['get', 'post']],
      ['/fine_tuned_models', ['get', 'post']],
      ['/datasets', ['get', 'post']],
      ['/keys', ['get', 'post']],
      ['/predictions/{id}', ['delete', 'get']],
    ] as const) {
      assert.deepEqual(Object.keys(description.paths[path]).toSorted(), methods);
    }
    assert.match(JSON.stringify(description.paths['/predictions'].post), /prediction_length/);
  });
});

describe('service whose queue cannot be closed', () => {
  it('still closes the store, and reports the reason', async () => {
    const store = sqliteStore(await openDatabase(':memory:'));
    const stuck = new Error('stuck');
    let isClosed = false;
    const service = await serviceOver(
      {
        ...store,
        close: () => {
          isClosed = true;
          return store.close();
        },
      },
      () => Promise.resolve({ close: () => Promise.reject(stuck) } as unknown as Queue),
      { token: newToken(), computeScript: 'none', report: (error) => assert.fail(String(error)) },
    );
    await assert.rejects(service.close(), stuck);
    assert.ok(isClosed);
  });
});

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalKey } from '../../../../src/contract/resources.ts';
import type { Watch } from '../../../../src/service/http/routes.ts';
import { openService, type Service } from '../../../../src/service/host/service.ts';
import { openDatabase, sqliteStore } from '../../../../src/service/database/sqlite.ts';
import { newToken } from '../../../../src/service/store/token.ts';
import { Keys } from '../../../../src/service/store/keys.ts';
import { threads } from '../../threads.ts';

const series = [1, 2, 3, 4].map((value, day) => ({ timestamp: `2024-01-0${day + 1}`, value }));
const settings = { ai_model_id: 'seasonal-naive', prediction_length: 2 };
interface Listed {
  readonly items: { readonly id: string }[];
}

describe('keys of a team service', () => {
  const token = newToken();
  let folder = '';
  let service: Service;
  let writes: Parameters<Watch['audit']>[1][] = [];
  let ended: string[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
    writes = [];
    ended = [];
    service = await openService({
      folder,
      token,
      computeScript: threads.engine,
      report: (error) => {
        throw error;
      },
      watch: {
        audit: (_, write) => writes.push(write),
        ended: (kind, outcome) => ended.push(`${kind} ${outcome}`),
      },
    });
  });
  afterEach(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const inFile = (sql: string) => {
    const database = new DatabaseSync(join(folder, 'forecasts.db'));
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  };

  async function call<T = { readonly detail: string; readonly id: string }>(
    method: string,
    path: string,
    body?: unknown,
    secret: string | undefined = token,
  ) {
    const response = await service.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as T };
  }

  const newKey = async (fields: object = {}) => (await call<LocalKey>('POST', '/keys', fields)).body;

  /** A key of another team, as only the program itself makes one. */
  async function otherTeam(scope: 'write' | 'admin' = 'admin') {
    // the queue has had its first look: another program that writes just then would fail it
    await call('POST', '/predictions', { series, ...settings });
    const store = sqliteStore(await openDatabase(folder));
    const key = await (await Keys.open(store, token)).create({ scope, tenant: 'other' });
    await store.close();
    return key;
  }

  it('allow what their scope says', async () => {
    const { secret: read } = await newKey({ scope: 'read' });
    const { secret: write, scope } = await newKey({});
    assert.equal(scope, 'write');
    assert.equal((await call('GET', '/predictions', undefined, read)).status, 200);
    assert.equal((await call('POST', '/anomalies', { series: [...series, ...series] }, read)).status !== 403, true);
    const refused = await call('POST', '/predictions', { series, ...settings }, read);
    assert.equal(refused.status, 403);
    assert.match(refused.body.detail, /requires a key with the scope write; this key has read/);
    assert.equal((await call('POST', '/predictions', { series, ...settings }, write)).status, 201);
    assert.equal((await call('POST', '/keys', {}, write)).status, 403);
  });

  it('list themselves, and those of scope admin all of their tenant', async () => {
    const own = await newKey({ scope: 'write', name: 'job' });
    const foreign = await otherTeam();
    const ids = async (secret?: string) =>
      (await call<Listed>('GET', '/keys', undefined, secret)).body.items.map(({ id }) => id);
    assert.deepEqual(await ids(own.secret), [own.id]);
    assert.equal((await ids()).length, 2);
    assert.ok(!(await ids()).includes(foreign.id));
    assert.deepEqual(await ids(foreign.secret), [foreign.id]);
    assert.equal((await call('DELETE', `/keys/${own.id}`, undefined, foreign.secret)).status, 404);
  });

  it('show their last use, expire, and are refused at once when deleted', async () => {
    const key = await newKey({ expires_in_days: 1, scope: 'write' });
    assert.equal(key.last_used_at, null);
    assert.equal((await call('GET', '/datasets', undefined, key.secret)).status, 200);
    const { items } = (await call<{ items: LocalKey[] }>('GET', '/keys', undefined, key.secret)).body;
    assert.ok(Math.abs(Date.parse(items[0].last_used_at!) - Date.now()) < 60_000);
    inFile(`update keys set expires_at = '2020-01-01T00:00:00Z' where id = '${key.id}'`);
    assert.equal((await call('GET', '/datasets', undefined, key.secret)).status, 401);
    const listed = (await call<{ items: LocalKey[] }>('GET', '/keys')).body.items.find(({ id }) => id === key.id);
    assert.equal(listed?.status, 'EXPIRED');
    const other = await newKey();
    assert.equal((await call('GET', '/datasets', undefined, other.secret)).status, 200);
    assert.equal((await call('DELETE', `/keys/${other.id}`)).status, 204);
    assert.equal((await call('GET', '/datasets', undefined, other.secret)).status, 401);
  });

  it('are limited, with the time to wait', async () => {
    const often = await newKey({ requests_per_minute: 2 });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push(await call('GET', '/datasets', undefined, often.secret));
    assert.deepEqual(statuses.map(({ status }) => status), [200, 200, 429]); // prettier-ignore
    assert.ok(Number(statuses[2].headers.get('retry-after')) <= 60);
    assert.equal((await call('GET', '/datasets')).status, 200);

    const few = await newKey({ series_per_day: 2 });
    const predict = () => call('POST', '/predictions', { series, ...settings, is_async: true }, few.secret);
    const { body: dataset } = await call('POST', '/datasets', { series: [{ series }, { series }, { series }] });
    const tooMany = await call('POST', `/datasets/${dataset.id}/predictions`, settings, few.secret);
    assert.equal(tooMany.status, 429);
    assert.deepEqual([(await predict()).status, (await predict()).status], [201, 201]);
    const refused = await predict();
    assert.equal(refused.status, 429);
    assert.match(refused.body.detail, /allows forecasts of 2 series per day/);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  });

  it('have an audit line for each write, done or refused, and none for reads', async () => {
    const reader = await newKey({ scope: 'read' });
    const { body } = await call('POST', '/predictions', { series, ...settings });
    await call('GET', `/predictions/${body.id}`);
    await call('DELETE', `/predictions/${body.id}`, undefined, reader.secret);
    await call('DELETE', `/predictions/${body.id}`);
    await call('DELETE', `/predictions/${body.id}`);
    assert.deepEqual(
      writes.map(({ operation, target, status }) => [operation, target, status]),
      [
        ['createKey', reader.id, 201],
        ['createPrediction', body.id, 201],
        ['deletePrediction', body.id, 403],
        ['deletePrediction', body.id, 204],
        ['deletePrediction', body.id, 404],
      ],
    );
    assert.deepEqual(ended, ['prediction completed']);
    assert.ok(writes.every(({ key, tenant }) => /^key_/.test(String(key)) && tenant === 'default'));
  });

  it('have an audit line with the response status if the client disconnected, which is no defect', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const asked = { method: 'POST', headers, body: JSON.stringify({ series }), signal: AbortSignal.abort() };
    const answer = await service.fetch(new Request('http://localhost/predictions', asked));
    assert.deepEqual([answer.status, writes.map(({ status }) => status)], [400, [400]]);
  });

  it('of one tenant can neither see nor change those of another', async () => {
    const { secret } = await otherTeam();
    const { body: dataset } = await call('POST', '/datasets', { name: 'ours', tags: ['t'], series: [{ series }] });
    const stored = (await call<Listed>('GET', `/datasets/${dataset.id}/series`)).body.items[0];
    const { body: made } = await call<{ id: string; prediction_series_id: string }>('POST', '/predictions', {
      series_id: stored.id,
      ...settings,
    });
    const { body: model } = await call('POST', '/fine_tuned_models', {
      base_model: 'theta',
      config: { prediction_length: 1 },
      input_config: { series: [...series, ...series.map((point) => ({ ...point, timestamp: point.timestamp.replace('-01-', '-02-') }))] }, // prettier-ignore
    });
    const { body: batch } = await call<{ batch_id: string; prediction_ids: string[] }>(
      'POST',
      `/datasets/${dataset.id}/predictions`,
      settings,
    );
    const ofBatch = `batch_id=${batch.batch_id}`;
    const { id: key } = await newKey({});
    const lists = ['predictions', 'datasets', 'datasets?for_jobs=true', 'fine_tuned_models', 'batches'];
    const filtered = ['status=COMPLETED', `dataset_id=${dataset.id}`, ofBatch].map((filter) => `predictions?${filter}`);
    for (const list of [...lists, ...filtered, `batches?dataset_id=${dataset.id}`]) {
      assert.deepEqual((await call<Listed>('GET', `/${list}`, undefined, secret)).body.items, [], list);
    }
    for (const [method, path, body] of [
      ['GET', `/predictions/${made.id}`],
      ['GET', `/predictions/${made.id}/backtest`],
      ['GET', `/predictions/${made.id}/decomposition`],
      ['DELETE', `/predictions/${made.id}`],
      ['GET', `/datasets/${dataset.id}`],
      ['GET', `/datasets/${dataset.id}/series`],
      ['POST', `/datasets/${dataset.id}/series`, { series }],
      ['GET', `/datasets/${dataset.id}/forecasts.ndjson`],
      ['POST', `/datasets/${dataset.id}/predictions`, settings],
      ['DELETE', `/datasets/${dataset.id}/predictions`],
      ['DELETE', `/datasets/${dataset.id}`],
      ['DELETE', `/datasets/${dataset.id}/predictions?${ofBatch}`],
      ['GET', `/batches/${batch.batch_id}`],
      ['POST', `/batches/${batch.batch_id}/predictions`],
      ['GET', `/predictions/${batch.prediction_ids[0]}`],
      ['DELETE', `/keys/${key}`],
      ['GET', `/series/${stored.id}`],
      ['GET', `/series/${made.prediction_series_id}`],
      ['GET', `/fine_tuned_models/${model.id}`],
      ['POST', `/fine_tuned_models/${model.id}/stop`],
      ['DELETE', `/fine_tuned_models/${model.id}`],
      ['POST', '/predictions', { series_id: stored.id, ...settings }],
      ['POST', '/predictions', { series, ai_model_id: model.id }],
      ['POST', '/anomalies', { series_id: stored.id }],
      ['POST', '/fine_tuned_models', { base_model: 'theta', input_config: { dataset_ids: [dataset.id] } }],
      ['POST', '/fine_tuned_models', { base_model: 'theta', input_config: { dataset_tags: ['t'] } }],
      ['POST', '/fine_tuned_models', { base_model: 'theta', input_config: { series_ids: [stored.id] } }],
      ['POST', '/fine_tuned_models', { start_model: model.id }],
    ] as const) {
      const { status } = await call(method, path, body, secret);
      assert.equal(status, 404, `${method} ${path} ${JSON.stringify(body)}`);
    }
    const { body: empty } = await call<{ predictions: number; datasets: number; bytes: number }>('GET', '/storage', undefined, secret); // prettier-ignore
    assert.deepEqual([empty.predictions, empty.datasets, empty.bytes], [0, 0, 0]);
    assert.equal((await call<Listed>('GET', '/keys', undefined, secret)).body.items.length, 1);
    // the same series for a job are stored once in each tenant
    const job = { for_job: true, series: [{ series: series.slice(1) }] };
    const [first, second] = [await call('POST', '/datasets', job), await call('POST', '/datasets', job, secret)];
    assert.notEqual(first.body.id, second.body.id);
    const own = await call<{ id: string; prediction_series_id: string }>('POST', '/predictions', { series, ...settings }, secret); // prettier-ignore
    assert.equal((await call('GET', `/series/${own.body.prediction_series_id}`, undefined, secret)).status, 200);
    assert.equal((await call('GET', `/predictions/${own.body.id}`)).status, 404);
    assert.equal((await call('GET', `/predictions/${made.id}`)).status, 200);
  });
});

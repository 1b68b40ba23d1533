import assert from 'node:assert/strict';
import type { LocalKey } from '../../../../src/contract/resources.ts';
import type { JobKind } from '../../../../src/service/jobs/queue.ts';
import { settled } from '../turns.ts';
import { StillApp } from './still-app.ts';

const series = [1, 2, 3].map((value) => ({ timestamp: `2024-01-0${value}`, value }));
const request = { series, ai_model_id: 'seasonal-naive', is_async: true };

interface Made {
  readonly id: string;
  readonly status: string;
  readonly detail: string;
  readonly prediction_ids: readonly string[];
}

describe('query parameter', () => {
  const { call } = new StillApp();

  it('is refused with what is wrong with its value', async () => {
    for (const [query, detail] of [
      ['cursor=5', 'This is not a cursor of this service.'],
      ['cursor=true', 'This is not a cursor of this service.'],
      ['size=0', 'Expected 1 or more.'],
      ['size=-1', 'Expected 1 or more.'],
      ['size=-01', 'Expected 1 or more.'],
      ['size=1000000', 'Expected 200 or less.'],
      ['size=1.5', 'Expected a whole number.'],
      ['size=', 'Expected a number.'],
      ['size=ten', 'Expected a number.'],
      ['include_input=1', 'Expected true or false.'],
      ['status=1', 'Expected one of "QUEUED", "IN_PROGRESS", "COMPLETED", "FAILED".'],
    ]) {
      const { status, body } = await call<Made>('GET', `/predictions?${query}`);
      assert.deepEqual([status, body.detail], [422, `${query.replace(/=.*/, '')}: ${detail}`], query);
    }
  });

  it('is parsed as a number or Boolean only if one is expected', async () => {
    for (const query of ['size=001', 'size=200', 'include_input=false', 'dataset_id=5', 'batch_id=true'])
      assert.equal((await call('GET', `/predictions?${query}`)).status, 200, query);
  });
});

describe('daily limit of a key', () => {
  const app = new StillApp();
  const { call } = app;
  const keyOf = async (series_per_day: number) => {
    const { body } = await call<LocalKey>('POST', '/keys', { series_per_day });
    return { as: body.secret! };
  };

  it('does not count refused forecasts', async () => {
    const key = await keyOf(2);
    const { body: data } = await call<Made>('POST', '/datasets', { series: [{ series }, { series }] });
    for (const [path, body, status] of [
      ['/predictions', { ...request, ai_model_id: 'nobody' }, 404],
      ['/predictions', { is_async: true }, 422],
      ['/predictions', { ...request, series: undefined, series_id: 'nothing' }, 404],
      [`/datasets/${data.id}/predictions`, { ai_model_id: 'nobody' }, 404],
      [`/datasets/${data.id}/predictions`, { sums: [{ total: 'a', parts: ['b'] }] }, 422],
    ] as const) {
      assert.equal((await call('POST', path, body, key)).status, status, JSON.stringify(body));
    }
    const made = await call<Made>('POST', `/datasets/${data.id}/predictions`, {}, key);
    assert.equal(made.body.prediction_ids.length, 2);
    assert.equal((await call('POST', '/predictions', request, key)).status, 429);
  });

  it('counts all that is created: nothing remains of an excess request, and a smaller one still fits', async () => {
    const key = await keyOf(2);
    const { body: data } = await call<Made>('POST', '/datasets', { series: [{ series }, { series }, { series }] });
    const refused = await call<Made>('POST', `/datasets/${data.id}/predictions`, {}, key);
    assert.equal(refused.status, 429);
    assert.match(refused.body.detail, /allows forecasts of 2 series per day/);
    assert.deepEqual([app.count('predictions'), app.count('jobs')], [0, 0]);
    const stored = app.count('series');
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await call('POST', '/predictions', request, key)).status);
    assert.deepEqual(statuses, [201, 201, 429]);
    assert.deepEqual([app.count('predictions'), app.count('jobs'), app.count('series')], [2, 2, stored + 2]);
  });

  it('answers 429 while too many jobs and trainings of the tenant wait', async () => {
    const key = await keyOf(2);
    app.database.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
      insert into jobs (lane, tenant, rank, kind, targets, suspect, added)
      select 'training', 'default', i, 'fine_tuned_model', '["model_' || i || '"]', 0, 0 from n`);
    const response = await call<Made>('POST', '/fine_tuned_models', { input_config: { series } }, key);
    assert.equal(response.status, 429);
    assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(app.count('fine_tuned_models'), 0);
    assert.equal((await call('POST', '/predictions', request, key)).status, 201);
  });

  it('is checked before anything is stored', async () => {
    const key = await keyOf(1);
    const { body: data } = await call<Made>('POST', '/datasets', { series: [{ series }, { series }] });
    assert.equal((await call('POST', '/predictions', request, key)).status, 201);
    app.database.exec(`create trigger none_more before insert on predictions begin select raise(abort, 'stored'); end;
      create trigger no_series before insert on series begin select raise(abort, 'stored'); end`);
    assert.equal((await call('POST', '/predictions', request, key)).status, 429);
    assert.equal((await call('POST', `/datasets/${data.id}/predictions`, {}, key)).status, 429);
  });

  it('counts repeated and concurrent requests under one idempotency key once', async () => {
    const { as } = await keyOf(1);
    const send = () => call<Made>('POST', '/predictions', request, { as, headers: { 'idempotency-key': 'again' } });
    const answers = [...(await Promise.all([send(), send(), send()])), await send()];
    assert.deepEqual(answers.map(({ status }) => status), [201, 201, 201, 201]); // prettier-ignore
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    assert.equal((await call('POST', '/predictions', request, { as })).status, 429);
  });
});

describe('request with an Idempotency-Key', () => {
  /** Runs that wait for their cancellation. */
  let started: () => void = () => undefined;
  const waiting: JobKind = {
    run: (_id, signal) => {
      started();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    },
  };
  const app = new StillApp(() => ({ prediction: waiting }));
  const { call } = app;
  const send = (path: string, body: object | string, signal?: AbortSignal) =>
    call<Made>('POST', path, body, { headers: { 'idempotency-key': 'k' }, signal });

  it('may succeed under the same key after a refusal', async () => {
    assert.equal((await send('/datasets', { series: 'none' })).status, 422);
    assert.equal((await send('/predictions', { ...request, ai_model_id: 'nobody' })).status, 404);
    assert.equal((await send('/datasets', { series: [{ series }] })).status, 201);
  });

  it('conflicts if its path, a value or a character of its body differs', async () => {
    const body = { name: 'one', series: [{ series }] };
    const first = await send('/datasets', body);
    for (const other of [{ ...body, name: 'two' }, `${JSON.stringify(body)} `]) {
      const { status, body: reported } = await send('/datasets', other);
      assert.equal(status, 422);
      assert.match(reported.detail, /was used before with a different request/);
    }
    assert.equal((await send(`/datasets/${first.body.id}/predictions`, {})).status, 422);
    assert.deepEqual([app.count('datasets'), app.count('predictions')], [1, 0]);
    assert.equal((await send('/datasets', body)).body.id, first.body.id);
  });

  it('reports that its resource was deleted, and does not create it again', async () => {
    const { body } = await send('/datasets', { series: [{ series }] });
    await call('DELETE', `/datasets/${body.id}`);
    assert.equal((await send('/datasets', { series: [{ series }] })).status, 404);
    assert.equal(app.count('datasets'), 0);
  });

  it('is repeated if its client disconnected before the end, without a cancelled answer', async () => {
    const body = { ...request, is_async: false };
    const ids = [];
    for (let time = 0; time < 2; time++) {
      const isUnderWay = new Promise<void>((resolve) => (started = resolve));
      const client = new AbortController();
      const lost = send('/predictions', body, client.signal);
      await isUnderWay;
      client.abort();
      assert.equal((await lost).status, 400);
      const { items } = (await call<{ items: Made[] }>('GET', '/predictions')).body;
      assert.equal(items[0].status, 'FAILED');
      ids.push(items[0].id);
    }
    assert.equal(new Set(ids).size, 2, 'the second was not the first one again');
  });

  it('is repeated for a waiting client after its program or another client ended', async () => {
    const body = { ...request, is_async: false };
    const underWay = () => new Promise<void>((resolve) => (started = resolve));
    let begun = underWay();
    const client = new AbortController();
    const lost = send('/predictions', body, client.signal);
    await begun;
    begun = underWay();
    const other = send('/predictions', body);
    await settled();
    client.abort();
    assert.equal((await lost).status, 400);
    await begun;
    app.database.exec(`update predictions set status = 'COMPLETED' where status = 'QUEUED'; delete from jobs`);
    assert.equal((await other).body.status, 'COMPLETED');
    assert.equal(app.count('predictions'), 2);
    assert.equal((await send('/predictions', body)).body.id, (await other).body.id);
  });

  it('is answered with the result if its client disconnected just after the end', async () => {
    const body = { ...request, is_async: false };
    const isUnderWay = new Promise<void>((resolve) => (started = resolve));
    const client = new AbortController();
    const lost = send('/predictions', body, client.signal);
    await isUnderWay;
    app.database.exec(`update predictions set status = 'COMPLETED'; delete from jobs`);
    client.abort();
    assert.equal((await lost).status, 400);
    assert.equal((await send('/predictions', body)).body.status, 'COMPLETED');
    assert.equal(app.count('predictions'), 1);
  });

  it('has a key of ASCII without blanks', async () => {
    for (const key of ['', 'a b', 'x'.repeat(201), 'ä']) {
      const { status } = await call('POST', '/keys', {}, { headers: { 'idempotency-key': key } });
      assert.equal(status, 400, key);
    }
    const long = { headers: { 'idempotency-key': '~'.repeat(200) } };
    const [one, two] = [await call<Made>('POST', '/keys', {}, long), await call<Made>('POST', '/keys', {}, long)];
    assert.deepEqual([one.status, one.body.id], [201, two.body.id]);
  });
});

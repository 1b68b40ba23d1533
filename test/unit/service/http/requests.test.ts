import { said } from '../said.ts';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalDataset, LocalPrediction, Page } from '../../../../src/contract/resources.ts';
import { RequestBodies } from '../../../../src/service/http/request-bodies.ts';
import { guard } from '../../../../src/server/front.ts';
import { Threads } from '../../../../src/service/tasks/pool.ts';
import { RequestError } from '../../../../src/service/errors.ts';
import { endless, LocalService, monthly } from '../local-service.ts';
import { until } from '../../editor/until.ts';

describe('requests to the local service', () => {
  const local = new LocalService();
  const { call, token } = local;
  const send = (path: string, init: RequestInit = {}) =>
    local.service.fetch(
      new Request(`http://local${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } }),
    );
  const refused = async (response: Response): Promise<string> =>
    JSON.stringify(((await response.json()) as { detail: unknown }).detail);

  it('are refused if nested too deeply, before any work', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ]) {
      const deep = open.repeat(100_000) + '1' + close.repeat(100_000);
      for (const body of [deep, `{"series":[{"timestamp":"2024-01-01","value":1,"metadata":{"a":${deep}}}]}`]) {
        for (const path of ['/predictions', '/datasets', '/fine_tuned_models', '/keys']) {
          const response = await send(path, { method: 'POST', body });
          assert.equal(response.status, 422);
          assert.match(await refused(response), /nests arrays and objects deeper than 64/);
        }
      }
    }
    const flat = { series: monthly.map((point) => ({ ...point, metadata: { note: '[[{{"\\"[['.repeat(30) } })) };
    assert.equal((await call('POST', '/predictions', { ...flat, is_async: true })).status, 201);
  });

  it('get 405 with the allowed methods, and refusals of encoded bodies, other charsets and broken UTF-8', async () => {
    for (const [path, allowed] of [
      ['/predictions', 'GET, HEAD, POST'],
      ['/keys/x', 'DELETE'],
      ['/openapi.json', 'GET, HEAD'],
    ]) {
      const response = await send(path, { method: 'PATCH' });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), allowed);
    }
    const post = (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer> = '{}') =>
      send('/predictions', { method: 'POST', headers, body });
    for (const encoding of ['gzip', 'br', 'deflate, gzip']) {
      assert.equal((await post({ 'content-encoding': encoding })).status, 415);
    }
    assert.equal((await post({ 'content-type': 'application/json; charset=utf-16' })).status, 415);
    const broken = await post({}, new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]));
    assert.equal(broken.status, 422);
    assert.match(await refused(broken), /UTF-8/);
  });

  it('accept only cursors and parameters that the description has', async () => {
    for (const query of ['size=1e2', 'size=%205', 'size=', 'size=0x10', 'cursor=', 'cursor=PjEw', 'cursor=a-1']) {
      assert.equal((await call('GET', `/predictions?${query}`)).status, 422, query);
    }
    assert.equal((await call('GET', '/predictions?status=DONE')).status, 422);
    assert.equal((await call('GET', '/predictions?include_series=1')).status, 422);
    for (const cursor of ['a', 'B', 'A999999999999999', 'b0']) {
      assert.equal((await call('GET', `/predictions?cursor=${cursor}`)).status, 200, cursor);
    }
  });

  it('are refused while they arrive if too large, and time out if idle', async () => {
    let sent = 0;
    let isCancelled = false;
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 100_000;
          controller.enqueue(new Uint8Array(100_000).fill(32));
        },
        cancel: () => {
          isCancelled = true;
        },
      });
    const bodies = new RequestBodies(new Threads('none', 1), undefined, { together: 1_500_000, silence: 30 });
    const read = (body: ReadableStream) =>
      bodies.read('createKey', new Request('http://local/', { method: 'POST', body, duplex: 'half' }));
    const status = (expected: number) => (error: unknown) => error instanceof RequestError && error.status === expected;
    await assert.rejects(read(endless()), status(413));
    assert.ok(sent < 1_500_000 && isCancelled, String(sent));
    const silent = (first: number) =>
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new Uint8Array(first));
        },
      });
    const three = [read(silent(900_000)), read(silent(500_000)), read(silent(900_000))];
    const outcomes = await Promise.allSettled(three);
    const reasons = outcomes.map((one) => (one.status === 'rejected' ? (one.reason as RequestError).status : 200));
    assert.deepEqual(reasons, [408, 408, 429]);
    // all of it is there at once: a slow machine does not make it silent
    const whole = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from('{}'));
        controller.close();
      },
    });
    assert.deepEqual(await read(whole), {});
  });

  it('that break off are no defect', async () => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from('{"series":['));
        controller.error(new Error('ECONNRESET'));
      },
    });
    const response = await send('/predictions', { method: 'POST', body, duplex: 'half' } as RequestInit);
    assert.equal(response.status, 400);
  });

  it('are answered while a large dataset is stored', async () => {
    const series = Array.from({ length: 4000 }, (_, index) => ({ name: `s${index}`, series: monthly }));
    const ended: string[] = [];
    const large = call<LocalDataset>('POST', '/datasets', { name: 'large', series }).then((answer) => {
      ended.push('large');
      return answer;
    });
    await sleep(0);
    for (let index = 0; index < 3; index++) {
      const { body } = await call<Page<LocalDataset>>('GET', '/datasets');
      if (!ended.includes('large')) assert.deepEqual(body.items, [], 'it is there whole or not at all');
      ended.push('small');
    }
    const { status, body } = await large;
    assert.equal(status, 201);
    assert.equal(ended.at(-1), 'large');
    assert.equal(body.series_count, 4000);
    assert.equal(body.stats?.rows, 240_000);
    assert.match(body.stats.size ?? '', /^\d+\.\d MB$/);
    assert.equal(body.stats.freq, 'P1M');
    const listed = await call<Page<LocalDataset>>('GET', `/datasets/${body.id}/series?size=2`);
    assert.deepEqual(
      listed.body.items.map(({ name }) => name),
      ['s0', 's1'],
    );
  });

  it('have the same error for a large body as for a small one', async () => {
    const series = Array.from({ length: 40_000 }, () => ({ timestamp: '2024-01-01T00:00:00Z', value: 1 }));
    series[39_999].timestamp = 'yesterday';
    const { status, body } = await call<{ errors: [{ loc: unknown }] }>('POST', '/predictions', { series });
    assert.equal(status, 422);
    assert.deepEqual(body.errors[0].loc, ['body', 'series', 39_999, 'timestamp']);
  });

  it('for a page leave out series that would make it too large, and say so', async () => {
    const series = Array.from({ length: 120_000 }, (_, index) => ({
      timestamp: new Date(index * 3_600_000).toISOString(),
      value: index % 24,
    }));
    const made = await call<LocalDataset>('POST', '/datasets', { series: [{ series }, { series: monthly }] });
    const options = { ai_model_id: 'seasonal-naive', prediction_length: 2 };
    for (let time = 0; time < 2; time++) {
      assert.equal((await call('POST', `/datasets/${made.body.id}/predictions`, options)).status, 201);
    }
    const { body } = await call<Page<LocalPrediction>>('GET', '/predictions');
    const points = body.items.map(({ input_series }) => input_series?.length ?? 0);
    assert.deepEqual(
      points.toSorted((a, b) => a - b),
      [0, 60, 60, 120_000],
    );
    const left = body.items.find(({ input_series }) => !input_series)!;
    assert.match(said(left.series_left_out), /include_series=false/);
    const alone = await call<LocalPrediction>('GET', `/predictions/${left.id}`);
    assert.equal(alone.body.input_series?.length, 120_000);
    await call('DELETE', `/datasets/${made.body.id}/predictions`);
  }).timeout(60_000);

  /** The prediction that was asked for, once it is there. */
  const stored = async (): Promise<LocalPrediction> => {
    const read = async () => (await call<Page<LocalPrediction>>('GET', '/predictions')).body.items;
    return (await until(read, ({ length }) => length > 0))[0];
  };

  it('for a prediction are cancelled if their client disconnects', async () => {
    const body = JSON.stringify({ series: monthly, ai_model_id: 'theta' });
    await send('/predictions', { method: 'POST', body, signal: AbortSignal.abort() }).catch(() => undefined);
    assert.equal((await call<Page<unknown>>('GET', '/predictions')).body.total, 0);
    await local.restart({ computeScript: endless });
    const abort = new AbortController();
    const asked = send('/predictions', { method: 'POST', body, signal: abort.signal });
    await stored();
    abort.abort();
    await asked.catch(() => undefined);
    const only = await until(stored, ({ status }) => status === 'FAILED');
    assert.match(said(only.error), /Canceled/);
  });

  it('for a prediction end with the service', async () => {
    await local.restart({ computeScript: endless });
    const asked = call<LocalPrediction>('POST', '/predictions', { series: monthly, ai_model_id: 'theta' });
    await stored();
    await local.restart();
    assert.equal((await asked).body.status, 'FAILED');
    assert.match(said((await asked).body.error), /service stopped before/);
  });
});

describe('service on a loopback port', () => {
  const ask = async (url: string, headers: Record<string, string>, options = {}, method = 'GET') => {
    const guarded = guard(() => Promise.resolve(new Response('in')), options);
    return guarded(new Request(url, { method, headers }));
  };
  const status = async (...args: Parameters<typeof ask>) => (await ask(...args)).status;

  it('answers only to host names of this machine', async () => {
    for (const host of ['127.0.0.1:8787', 'localhost', 'LOCALHOST:1', '[::1]:8787', '127.1.2.3']) {
      assert.equal(await status(`http://${host}/keys`, { host }), 200, host);
    }
    for (const host of [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example:8787',
      '10.0.0.1',
      '',
      'a b',
    ]) {
      assert.equal(await status('http://127.0.0.1/keys', { host }), 403, host);
    }
    assert.equal(await status('http://evil.example/keys', { host: '127.0.0.1' }), 403);
    assert.equal(await status('http://127.0.0.1/keys', {}), 403);
    const hosts = ['Forecasts.example'];
    assert.equal(await status('http://forecasts.example/', { host: 'forecasts.example:80' }, { hosts }), 200);
  });

  it('allows only listed origins', async () => {
    const host = '127.0.0.1:8787';
    const url = `http://${host}/keys`;
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000', `https://${host}`]) {
      assert.equal(await status(url, { host, origin }), 403, origin);
      assert.equal(await status(url, { host, origin }, {}, 'OPTIONS'), 403, origin);
    }
    assert.equal(await status(url, { host, origin: `http://${host}` }), 200);
    const origins = ['https://notebooks.example'];
    const allowed = await ask(url, { host, origin: origins[0] }, { origins });
    assert.equal(allowed.status, 200);
    assert.equal(allowed.headers.get('access-control-allow-origin'), origins[0]);
    const before = { host, origin: origins[0], 'access-control-request-method': 'POST' };
    const preflight = await ask(url, before, { origins }, 'OPTIONS');
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers')!, /Authorization,.*Idempotency-Key/);
    assert.match(preflight.headers.get('access-control-allow-methods')!, /POST,DELETE/);
    assert.match(preflight.headers.get('vary')!, /Origin/);
    assert.equal(allowed.headers.get('access-control-allow-credentials'), null);
    assert.match(allowed.headers.get('access-control-expose-headers')!, /Retry-After/);
  });

  it('trusts a proxy’s host and protocol only if configured', async () => {
    const url = 'http://127.0.0.1:8787/keys';
    const headers = { host: '127.0.0.1:8787', 'x-forwarded-host': 'forecasts.example', 'x-forwarded-proto': 'https' };
    const hosts = ['forecasts.example'];
    const origin = 'https://forecasts.example';
    assert.equal(await status(url, { ...headers, origin }, { hosts }), 403);
    assert.equal(await status(url, { ...headers, origin }, { hosts, trustsProxy: true }), 200);
    assert.equal(await status(url, headers, { hosts: [], trustsProxy: true }), 403);
    assert.equal(await status('http://forecasts.example/keys', { host: 'forecasts.example' }, { hosts: 'any' }), 200);
  });
});

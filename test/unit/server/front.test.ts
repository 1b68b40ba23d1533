import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { front, type FrontOptions, vitals } from '../../../src/server/front.ts';
import { newLog } from '../../../src/server/log.ts';
import { Metrics, routeOf } from '../../../src/server/metrics.ts';
import { openService } from '../../../src/service/host/service.ts';
import { newToken } from '../../../src/service/store/token.ts';
import { threads } from '../threads.ts';

const token = newToken();
const otherToken = 'a-token-of-another-form-0123456789';

interface Line {
  readonly level: string;
  readonly msg?: string;
  readonly request?: string;
  readonly path?: string;
  readonly status?: number;
  readonly from?: string;
}

function newFront(fetch: (request: Request) => Promise<Response>, options: Partial<FrontOptions> = {}) {
  const written: string[] = [];
  const log = newLog('debug', (line) => written.push(line), [otherToken]);
  const metrics = new Metrics(() => Promise.resolve([{ lane: 'forecast', jobs: 3, age: 7.5 }]));
  const answer = front(fetch, {
    log,
    metrics,
    ready: () => Promise.resolve({ store: true, queue: true }),
    mayMeasure: (given) => Promise.resolve(given === token),
    ...options,
  });
  const call = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    answer(new Request(`http://localhost${path}`, { ...init, headers: { host: 'localhost', ...init.headers } }), '::1');
  return { call, written, log, lines: () => written.map((line) => JSON.parse(line) as Line) };
}

const nothing = () => Promise.resolve(Response.json({}));
const authorization = `Bearer ${token}`;

describe('front of a service', () => {
  it('gives each request an id, the client’s if valid, and logs it', async () => {
    const { call, lines } = newFront(nothing);
    const own = await call('/predictions/p1?cursor=x', { headers: { 'x-request-id': 'trace-1' } });
    assert.equal(own.headers.get('x-request-id'), 'trace-1');
    const ids = ['', 'two words', 'x'.repeat(200), 'a"b'];
    for (const given of ids) {
      const response = await call('/predictions', { headers: { 'x-request-id': given } });
      assert.match(response.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/, given);
    }
    const [first] = lines();
    assert.deepEqual(
      [first.level, first.request, first.path, first.status, first.from],
      ['info', 'trace-1', '/predictions/p1', 200, '::1'],
    );
  });

  it('reports liveness and readiness without a token', async () => {
    const { call } = newFront(nothing);
    assert.deepEqual(await (await call('/health/live')).json(), { status: 'ok' });
    assert.equal((await call('/health/ready')).status, 200);
    const without = newFront(nothing, { ready: () => Promise.resolve({ store: true, queue: false }) });
    const answer = await without.call('/health/ready');
    assert.equal(answer.status, 503);
    assert.deepEqual(await answer.json(), { status: 'not ready', store: true, queue: false });
    const broken = newFront(nothing, { ready: () => Promise.reject(new Error('no store')) });
    assert.equal((await broken.call('/health/ready')).status, 503);
    assert.equal((await broken.call('/health/live')).status, 200);
  });

  it('allows only listed origins to read health and metrics', async () => {
    const page = 'https://status.example';
    const { call } = newFront(nothing, {
      origins: [page],
      ready: () => Promise.resolve({ store: false, queue: true }),
    });
    for (const path of ['/health/live', '/health/ready', '/metrics', '/predictions']) {
      for (const method of ['GET', 'HEAD']) {
        const { headers } = await call(path, { method, headers: { origin: page, authorization } });
        assert.equal(headers.get('access-control-allow-origin'), page, path);
        assert.match(headers.get('access-control-expose-headers')!, /X-Request-Id/i, path);
        assert.ok(headers.get('x-request-id'), path);
      }
      for (const headers of [{}, { origin: 'https://evil.example', authorization }] as Record<string, string>[]) {
        const answer = await call(path, { headers });
        assert.equal(answer.headers.get('access-control-allow-origin'), null, path);
        assert.match(answer.headers.get('vary') ?? '', /Origin/i, path);
      }
      const first = await call(path, { method: 'OPTIONS', headers: { origin: page, 'access-control-request-method': 'GET' } }); // prettier-ignore
      assert.equal(first.headers.get('access-control-allow-origin'), page, path);
    }
    assert.equal((await call('/metrics', { headers: { origin: page } })).status, 401, 'with a key as before');
    assert.equal((await newFront(nothing).call('/health/live')).headers.get('vary'), null);
  });

  it('has Prometheus metrics of routes without ids and of the queue, with a key only', async () => {
    const { call } = newFront(nothing);
    await call(`/predictions/${'f'.repeat(32)}`);
    await call('/nowhere/secret-name');
    await call('/keys', { method: 'PATCH' });
    assert.equal((await call('/metrics')).status, 401);
    assert.equal((await call('/metrics', { headers: { authorization: 'Bearer nobody' } })).status, 401);
    const answer = await call('/metrics', { headers: { authorization } });
    assert.match(answer.headers.get('content-type')!, /^text\/plain/);
    const text = await answer.text();
    assert.match(text, /request_duration_seconds_count\{method="GET",route="\/predictions\/\{id\}",status="200"\} 1/);
    assert.match(text, /request_duration_seconds_count\{method="other",route="\/keys",status="200"\} 1/);
    assert.match(text, /forecasts_queue_jobs\{lane="forecast"\} 3/);
    assert.match(text, /forecasts_queue_oldest_age_seconds\{lane="forecast"\} 7\.5/);
    assert.match(text, /process_cpu_seconds_total/);
    assert.ok(!/ffff|secret-name|tsf_/.test(text));
  });

  it('serves metrics while the store is away, to keys that it knew before', async () => {
    const gone = new Error('away');
    let isAway = false;
    const metrics = new Metrics(() => (isAway ? Promise.reject(gone) : Promise.resolve([])));
    const mayMeasure = (given: string) => (isAway ? Promise.reject(gone) : Promise.resolve(given === token));
    const { call, lines } = newFront(nothing, { metrics, mayMeasure });
    const ask = async (given: string) => {
      const answer = await call('/metrics', { headers: { authorization: `Bearer ${given}` } });
      return { status: answer.status, text: await answer.text(), after: answer.headers.get('retry-after') };
    };
    const first = await ask(token);
    assert.match(first.text, /^forecasts_store_up 1$/m);
    assert.equal((await ask(otherToken)).status, 401);
    isAway = true;
    const away = await ask(token);
    assert.equal(away.status, 200);
    assert.match(away.text, /^forecasts_store_up 0$/m);
    assert.match(away.text, /process_cpu_seconds_total/);
    assert.ok(lines().some(({ level, msg }) => level === 'warn' && msg === 'metrics without the store'));
    const refused = await ask(otherToken);
    assert.deepEqual([refused.status, refused.after], [503, '5']);
    assert.match(refused.text, /cannot be reached/);
    assert.equal((await call('/metrics')).status, 401);
    assert.ok(lines().some(({ level }) => level === 'error'));
    isAway = false;
    assert.match((await ask(token)).text, /^forecasts_store_up 1$/m);
  });

  it('serves metrics although the store hangs', async () => {
    let answers = true;
    const silent = new Promise<never>(() => undefined);
    const metrics = new Metrics(() => (answers ? Promise.resolve([]) : silent));
    const mayMeasure = () => (answers ? Promise.resolve(true) : silent);
    const { call } = newFront(nothing, { metrics, mayMeasure });
    const ask = () => call('/metrics', { headers: { authorization } });
    assert.equal((await ask()).status, 200);
    answers = false;
    mock.timers.enable({ apis: ['setTimeout'] });
    const asked = ask();
    let isTold = false;
    const reported = () => (isTold = true);
    asked.then(reported, reported);
    try {
      // a minute of its clock
      for (let seconds = 0; seconds < 60 && !isTold; seconds++) {
        await new Promise(setImmediate);
        mock.timers.tick(1_000);
      }
    } finally {
      mock.timers.reset();
    }
    assert.ok(isTold, 'nothing was told within a minute');
    assert.match(await (await asked).text(), /^forecasts_store_up 0$/m);
  });

  it('of a worker serves health and metrics alone', async () => {
    const metrics = new Metrics(() => Promise.resolve([]));
    let isThere = true;
    let hasQueue = true;
    const ready = () =>
      isThere
        ? Promise.resolve({ store: true, queue: hasQueue, row_security: true })
        : Promise.reject(new Error('away'));
    const answer = vitals({ metrics, ready, log: newLog('silent', () => undefined) });
    const status = async (path: string) => (await answer(new Request(`http://localhost${path}`))).status;
    assert.deepEqual(
      [await status('/health/live'), await status('/health/ready'), await status('/keys')],
      [200, 200, 404],
    );
    const reported: unknown = await (await answer(new Request('http://localhost/health/ready'))).json();
    assert.deepEqual(reported, { status: 'ready', store: true, queue: true, row_security: true });
    hasQueue = false;
    assert.deepEqual([await status('/health/live'), await status('/health/ready')], [200, 503]);
    isThere = false;
    assert.deepEqual([await status('/health/live'), await status('/health/ready')], [200, 503]);
    metrics.ended('prediction', 'completed', 0.2);
    metrics.ended('prediction', 'failed', 0.1);
    const text = await (await answer(new Request('http://localhost/metrics'))).text();
    assert.match(text, /forecasts_series_total 1/);
    assert.match(text, /forecasts_job_duration_seconds_count\{kind="prediction",outcome="failed"\} 1/);
  });

  it('routes each path of the interface and no other', () => {
    assert.equal(routeOf('/datasets/d/series'), '/datasets/{id}/series');
    assert.equal(routeOf('/datasets'), '/datasets');
    assert.equal(routeOf('/datasets/'), '/datasets/{id}');
    assert.equal(routeOf('/datasets/a/b/c'), 'other');
    assert.equal(routeOf('/openapi.json'), '/openapi.json');
  });

  it('trusts a proxy’s client address only if configured', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    const plain = newFront(nothing);
    await plain.call('/predictions', { headers });
    assert.equal(plain.lines()[0].from, '::1');
    const behind = newFront(nothing, { trustsProxy: true });
    await behind.call('/predictions', { headers });
    assert.equal(behind.lines()[0].from, '198.51.100.7');
  });

  it('logs no secret, whatever is requested and whatever fails', async () => {
    const service = await openService({
      folder: ':memory:',
      token,
      computeScript: threads.engine,
      report: (error) => {
        log.error({ err: error }, 'defect');
      },
    });
    const { call, log, written } = newFront(service.fetch);
    try {
      const made = await call('/keys', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'one' }),
      });
      const { secret } = (await made.json()) as { secret: string };
      const sealed = 'c2VhbGVkLXNlYWxlZC1zZWFsZWQ';
      await call(`/keys?token=${secret}`, { headers: { authorization } });
      await call(`/keys/${secret}`, { method: 'DELETE', headers: { authorization } });
      await call(`/predictions/${token}`, { headers: { authorization, 'x-request-id': token } });
      await call('/predictions', { headers: { authorization: `bearer  ${otherToken}`, 'x-request-id': otherToken } });
      log.error({ err: new Error(`refused: Authorization: Bearer ${secret} at postgres://me:hunter2@db/x`) }, 'defect');
      log.info({ headers: { authorization, cookie: 'biscuit' }, row: { sealed, digest: 'dig-dig' } }, `with ${secret}`);
      const all = written.join('');
      assert.ok(written.length >= 6);
      for (const text of [token, otherToken, secret, 'hunter2', 'biscuit', sealed, 'dig-dig', 'cursor']) {
        assert.ok(!all.includes(text), `${text} is in the log: ${all}`);
      }
      assert.match(all, /postgres:\/\/me:…@db\/x/);
      for (const line of written) JSON.parse(line);
    } finally {
      await service.close();
    }
  });
});

import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/client/errors.ts';
import { failure } from '../../../src/contract/failures.ts';
import { FailureError } from '../../../src/service/errors.ts';
import { newToken } from '../../../src/service/store/token.ts';
import { type Answer, clientOf, fails, monthly } from './client-of.ts';

describe('client, where a service fails', () => {
  it('waits for Retry-After, and repeats a GET but not a POST', async () => {
    let count = 0;
    const busy = clientOf(() =>
      ++count < 3 ? new Response('', { status: 429, headers: { 'retry-after': '2' } }) : Response.json({ items: [] }),
    );
    await busy.client.list('listKeys');
    assert.deepEqual(busy.sleeps, [2000, 2000]);
    const broken = clientOf(() => new Response('oops', { status: 500 }));
    const error = await fails(broken.client.createPrediction({ series: monthly }));
    assert.equal(error.kind, 'failed');
    assert.equal(error.outcomeUnknown, true);
    assert.equal(broken.requests.filter((request) => request.method === 'POST').length, 1);
    await fails(broken.client.list('listKeys'));
    assert.equal(broken.requests.filter((request) => request.url.endsWith('/keys')).length, 4);
    const long = clientOf(() => new Response('', { status: 503, headers: { 'retry-after': '3600' } }));
    assert.equal((await fails(long.client.list('listKeys'))).kind, 'busy');
    assert.deepEqual(long.sleeps, []);
  });

  it('repeats a POST only where the service says that it was not carried out', async () => {
    for (const [status, headers, posts] of [
      [503, {}, 1],
      [503, { 'retry-after': '1' }, 4],
      [429, {}, 4],
    ] as const) {
      const put = clientOf(() => new Response('', { status, headers }));
      await fails(put.client.createPrediction({ series: monthly }));
      assert.equal(put.requests.filter((request) => request.method === 'POST').length, posts, String(status));
    }
  });

  describe('of a service that supports idempotency keys', () => {
    const takesKey = { parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }] };
    const description = { openapi: '3.1.0', paths: { '/predictions': { post: takesKey, get: {} } } };
    const made = () => Response.json({ id: 'p', status: 'QUEUED' }, { status: 201 });
    const posts = (requests: readonly Request[]) => requests.filter(({ method }) => method === 'POST');
    const refused = () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
    };
    const cut = () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('cut'), { code: 'ECONNRESET' }) });
    };

    it('repeats a lost creation under its key, even after a restart of the service', async () => {
      const answers = [cut, refused, () => new Response('oops', { status: 500 }), made];
      const again = clientOf(({ method }) => (method === 'POST' ? answers.shift()!() : Response.json({ items: [] })), { description }); // prettier-ignore
      assert.equal((await again.client.createPrediction({ series: monthly })).id, 'p');
      const keys = posts(again.requests).map(({ headers }) => headers.get('idempotency-key'));
      assert.equal(keys.length, 4);
      assert.equal(new Set(keys).size, 1);
      assert.match(keys[0]!, /^[0-9a-f-]{36}$/);
      answers.push(made);
      await again.client.createPrediction({ series: monthly });
      assert.notEqual(posts(again.requests).at(-1)!.headers.get('idempotency-key'), keys[0]);
    });

    it('reports that the outcome is unknown where the service no longer answers', async () => {
      const answers = [cut, refused, refused, refused];
      const gone = clientOf(({ method }) => (method === 'POST' ? answers.shift()!() : refused()), { description });
      const error = await fails(gone.client.createPrediction({ series: monthly }));
      assert.deepEqual([error.kind, error.outcomeUnknown, answers.length], ['unreachable', true, 0]);
    });

    it('fails at once where the service cannot be reached, and sends no key where none is announced', async () => {
      const down = clientOf(refused, { description });
      const error = await fails(down.client.createPrediction({ series: monthly }));
      assert.deepEqual([error.outcomeUnknown, posts(down.requests).length], [false, 1]);
      const plain = clientOf(made);
      await plain.client.createPrediction({ series: monthly });
      assert.equal(plain.requests[0].headers.get('idempotency-key'), null);
    });
  });

  it('reports at once why the local service cannot be opened', async () => {
    const closed = clientOf(() => {
      throw new FailureError(failure('newer_store'));
    });
    const error = await fails(closed.client.list('listKeys'));
    assert.equal(error.kind, 'unavailable');
    assert.match(error.message, /newer version/);
    assert.equal(closed.requests.length, 1);
    const damaged = clientOf(() => {
      throw new FailureError(failure('store_damaged', 'forecasts.sqlite'));
    });
    assert.equal((await fails(damaged.client.list('listKeys'))).kind, 'damaged');
  });

  it('does not follow a redirect to another origin', async () => {
    const { client, requests } = clientOf(
      () => new Response(null, { status: 302, headers: { location: 'https://evil.example/x' } }),
    );
    const error = await fails(client.list('listKeys'));
    assert.equal(error.kind, 'redirected');
    assert.equal(requests.length, 1);
    const near = clientOf((request) =>
      request.url.endsWith('/')
        ? Response.json({ items: [] })
        : new Response(null, { status: 307, headers: { location: `${request.url}/` } }),
    );
    assert.deepEqual((await near.client.list('listKeys')).items, []);
  });

  it('remembers the permanent redirect of a list only while its target exists', async () => {
    const moves: Record<string, string> = { '/v1/keys': '/v1/new' };
    const lists = new Set(['/v1/new']);
    const { client, requests } = clientOf(({ url }) => {
      const { pathname, search } = new URL(url);
      if (pathname === '/login') return new Response('<p>', { headers: { 'content-type': 'text/html' } });
      const location = moves[pathname] && moves[pathname] + search;
      if (location) return new Response(null, { status: 308, headers: { location } });
      return lists.has(pathname) ? Response.json({ items: [] }) : new Response('Not Found', { status: 404 });
    });
    const paths = async () => {
      requests.length = 0;
      await client.list('listKeys').catch(() => undefined);
      return requests.map(({ url }) => new URL(url).pathname).join(' ');
    };
    assert.deepEqual([await paths(), await paths()], ['/v1/keys /v1/new', '/v1/new']);
    Object.assign(moves, { '/v1/keys': '', '/v1/new': '/v1/new/' });
    lists.add('/v1/keys');
    assert.deepEqual([await paths(), await paths()], ['/v1/new /v1/new/ /v1/keys', '/v1/keys']);
    moves['/v1/keys'] = '/v1/newer';
    lists.add('/v1/newer');
    assert.deepEqual([await paths(), await paths()], ['/v1/keys /v1/newer', '/v1/newer']);
    Object.assign(moves, { '/v1/keys': '', '/v1/newer': '/v1/keys' });
    assert.deepEqual([await paths(), await paths()], ['/v1/newer /v1/keys', '/v1/keys']);
    moves['/v1/keys'] = '/login';
    await paths();
    moves['/v1/keys'] = '';
    assert.equal(await paths(), '/v1/keys', 'a page to log in is not where the list is');
  });

  it('redacts the token in the reason before it is cut', async () => {
    const secret = newToken();
    for (const [before, said] of [
      [290, secret],
      [299, `${secret} and more`],
      [10, secret.slice(0, 20)],
      [10, `Bearer ${encodeURIComponent(secret)}`],
      [10, btoa(`Bearer ${secret}`)],
      [10, secret.slice(5)],
      [270, `${secret.slice(0, 15)}\n${secret.slice(15)}`],
    ] as const) {
      const detail = `${'x'.repeat(before)} ${said}`;
      for (const body of [{ detail }, { detail: [{ loc: ['body'], msg: detail }] }, { error: { message: detail } }]) {
        const { client } = clientOf(() => Response.json(body, { status: 422 }), { token: secret });
        const error = await client.call({ method: 'GET', path: '/keys' }).catch((reason: unknown) => reason);
        assert.ok(error instanceof ServiceError);
        for (let at = 0; at + 8 <= secret.length; at++) {
          assert.ok(!error.message.includes(secret.slice(at, at + 8)), error.message);
        }
        assert.match(error.message, /xx/);
      }
    }
  });

  it('reports each failure with a kind and a sentence without the token', async () => {
    const cases: [Response, ServiceError['kind'], RegExp][] = [
      [
        Response.json({ detail: 'bad s3cret-token' }, { status: 401 }),
        'unauthorized',
        /does not accept the token.*“bad …”/,
      ],
      [new Response('{}', { status: 403 }), 'forbidden', /not allowed/],
      [new Response('<!doctype html><p>hi'), 'not-a-service', /web page/],
      [new Response('items: none'), 'not-a-service', /other than JSON/],
      [Response.json({ hello: 1 }), 'not-a-service', /did not return a list/],
      [Response.json({ error: { message: 'no such key' } }, { status: 400 }), 'refused', /“no such key”/],
      [new Response('x', { headers: { 'content-length': '200000000' } }), 'too-large', /64 MB/],
    ];
    for (const [response, kind, sentence] of cases) {
      const error = await fails(clientOf(() => response).client.list('listKeys'));
      assert.equal(error.kind, kind);
      assert.match(error.message, sentence);
      assert.doesNotMatch(JSON.stringify(error) + String(error.cause) + error.message + error.stack, /s3cret/);
    }
  });

  it('stops reading a body that never ends', async () => {
    const endless = () =>
      new Response(new ReadableStream({ pull: (controller) => void controller.enqueue(new Uint8Array(8 << 20)) }));
    assert.equal((await fails(clientOf(endless).client.list('listKeys'))).kind, 'too-large');
  });

  it('distinguishes a timeout from a cancellation, and a lost answer from an unreachable service', async () => {
    const never: Answer = (request) =>
      new Promise((_, reject) => {
        request.signal.throwIfAborted();
        request.signal.addEventListener('abort', () => {
          reject(request.signal.reason as Error);
        });
      });
    assert.equal((await fails(clientOf(never, { timeout: 20 }).client.list('listKeys'))).kind, 'timeout');
    const abort = new AbortController();
    const work = clientOf(never).client.list('listKeys', { signal: abort.signal });
    abort.abort(new Error('enough'));
    await assert.rejects(work, /enough/);
    const refused = clientOf(() => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
    });
    const down = await fails(refused.client.createPrediction({ series: monthly }));
    assert.equal(down.kind, 'unreachable');
    assert.equal(down.outcomeUnknown, false);
    const cut = clientOf(() => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('cut'), { code: 'ECONNRESET' }) });
    });
    const lost = await fails(cut.client.createPrediction({ series: monthly }));
    assert.equal(lost.outcomeUnknown, true);
    assert.equal(cut.requests.filter((request) => request.method === 'POST').length, 1);
  });
});

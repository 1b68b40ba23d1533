import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { Capabilities } from '../../../src/client/capabilities.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { reasonOf, ServiceError } from '../../../src/client/errors.ts';
import { newToken } from '../../../src/service/store/keys.ts';
import { openService, type Service } from '../../../src/service/host/service.ts';

const monthly = Array.from({ length: 48 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2020, month, 1)).toISOString(),
  value: 100 + month + 20 * Math.sin((month * Math.PI) / 6),
}));

type Answer = (request: Request) => Response | Promise<Response>;

/** A client whose service is this function; `sleeps` are the waits before retries. */
function clientOf(answer: Answer, options: { token?: string; timeout?: number } = {}) {
  const requests: Request[] = [];
  const sleeps: number[] = [];
  const client = new ServiceClient({
    baseUrl: parseBaseUrl('https://forecasts.example.com/v1/'),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.url.endsWith('/openapi.json')) return new Response('Not Found', { status: 404 });
      requests.push(request);
      return answer(request);
    },
    token: () => Promise.resolve(options.token ?? 's3cret-token'),
    timeout: options.timeout,
    sleep: (ms) => {
      sleeps.push(ms);
      return Promise.resolve();
    },
  });
  return { client, requests, sleeps };
}

const fails = async (work: Promise<unknown>): Promise<ServiceError> => {
  const error = await work.then(
    () => assert.fail('no error'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
};

describe('client, against the local service', () => {
  const token = newToken();
  let service: Service;
  let client: ServiceClient;

  before(async () => {
    service = await openService({
      folder: ':memory:',
      token,
      computeScript: new URL('../../../src/service/jobs/pool-thread.ts', import.meta.url),
      report: (error) => {
        throw error;
      },
    });
    client = new ServiceClient({
      baseUrl: parseBaseUrl('http://localhost'),
      fetch: async (input, init) => service.fetch(new Request(input, init)),
      token: () => Promise.resolve(token),
    });
  });
  after(() => service.close());

  it('does the five operations', async () => {
    const prediction = await client.createPrediction({ series: monthly, prediction_length: 7, name: 'mine' });
    assert.equal(prediction.status, 'COMPLETED');
    assert.equal(prediction.prediction_series?.length, 7);
    assert.equal(prediction.name, 'mine');
    const model = await client.createFineTunedModel({ base_model: 'theta', input_config: { series: monthly } });
    assert.ok(model.id);
    const lists = await Promise.all([client.listPredictions(), client.listDatasets(), client.listKeys()]);
    assert.deepEqual(
      lists.map((list) => list.items.length),
      [1, 0, 1],
    );
    assert.equal(lists[0].total, 1);
  });

  it('takes points without a value, as it announces', async () => {
    assert.equal(await client.unsendable([{ value: null }, { value: 1 }]), 0);
    assert.equal(await client.unsendable([{ value: null }, { value: 1 }], 'createFineTunedModel'), 0);
    assert.equal(await client.requiresModel('createPrediction'), false);
  });

  it('leaves the series out of a list where it can', async () => {
    const { items } = await client.listPredictions({}, false);
    assert.equal(items[0].input_series, undefined);
    assert.equal((await client.getPrediction(items[0].id)).input_series?.length, 48);
  });

  it('tells what was refused and where', async () => {
    const error = await fails(client.createPrediction({ series: [{ timestamp: 'soon', value: 1 }] }));
    assert.equal(error.kind, 'refused');
    assert.match(error.message, /series\.0\.timestamp: “soon” is not an ISO 8601 date-time/);
  });
});

describe('client, against other services', () => {
  it('sends only what the interface knows to a service that announces nothing', async () => {
    const { client, requests } = clientOf(() =>
      Response.json({ id: 7, status: 'THINKING', input_series: null, extra: { kept: true } }, { status: 202 }),
    );
    const made = await client.createPrediction({ series: monthly, prediction_length: 7, name: 'x' });
    assert.equal(made.id, '7');
    assert.equal(made.status, 'THINKING');
    assert.deepEqual(made.extra, { kept: true });
    const post = requests.find((request) => request.method === 'POST');
    assert.equal(post?.url, 'https://forecasts.example.com/v1/predictions');
    assert.equal(post.headers.get('authorization'), 'Bearer s3cret-token');
    assert.deepEqual(Object.keys((await post.json()) as object), ['series']);
    assert.equal((await fails(client.getPrediction('7'))).kind, 'refused');
  });

  it('sends a cursor back as it came, quoted once', async () => {
    const { client, requests } = clientOf(() => Response.json({ items: [], next_page: '%3Ei%3A2~x==', total: null }));
    const { next } = await client.listDatasets({ size: 5 });
    await client.listDatasets({ cursor: next });
    assert.equal(requests[1].url, 'https://forecasts.example.com/v1/datasets?cursor=%253Ei%253A2%7Ex%3D%3D');
    assert.equal(new URL(requests[1].url).searchParams.get('cursor'), '%3Ei%3A2~x==');
  });

  it('goes on without a size where the service refuses it', async () => {
    const { client, requests } = clientOf((request) =>
      new URL(request.url).searchParams.has('size')
        ? Response.json({ detail: [{ loc: ['query', 'size'], msg: 'too large', type: 'x' }] }, { status: 422 })
        : Response.json({ items: [{ id: 'a' }] }),
    );
    assert.equal((await client.listDatasets({ size: 60 })).items.length, 1);
    assert.equal((await client.listDatasets({ size: 60 })).items.length, 1);
    assert.equal(requests.length, 3, 'a refused size is not sent again');
    const other = clientOf(() => Response.json({ detail: 'no' }, { status: 400 }));
    assert.match((await fails(other.client.listKeys({ size: 5 }))).message, /“no”/);
  });

  it('sends a creation on where only the slash differs or the status says so, and nowhere else', async () => {
    for (const [status, location, isFollowed] of [
      [307, '/v1/elsewhere', true],
      [308, '/v1/predictions/', true],
      [301, '/v1/predictions/', true],
      [302, '/v1/login', false],
      [307, 'http://forecasts.example.com/v1/predictions/', true],
    ] as const) {
      const { client, requests } = clientOf((request) =>
        request.url.endsWith('/v1/predictions')
          ? new Response(null, { status, headers: { location } })
          : Response.json({ id: 'a', status: 'QUEUED' }, { status: 201 }),
      );
      const work = client.createPrediction({ series: monthly });
      if (!isFollowed) {
        assert.equal((await fails(work)).kind, 'redirected');
        continue;
      }
      assert.equal((await work).id, 'a');
      const [first, second] = requests;
      assert.equal(second.method, 'POST');
      assert.equal(await second.text(), await first.text());
      assert.match(second.url, /^https:/, 'never from https to http');
      assert.equal(second.headers.get('authorization'), 'Bearer s3cret-token');
    }
  });

  it('ends a sentence of the service before its own begins, and quotes nobody but the service', async () => {
    for (const [body, status, sentence] of [
      [
        { detail: 'Expired' },
        401,
        'forecasts.example.com does not accept the token. It says: “Expired”. Set a valid token and try again.',
      ],
      [
        { detail: 'Expired.' },
        401,
        'forecasts.example.com does not accept the token. It says: “Expired.” Set a valid token and try again.',
      ],
      [
        '<!doctype html><h1>Gone</h1>',
        404,
        'forecasts.example.com does not have what was asked for. It answers with a web page. Check the base URL.',
      ],
    ] as const) {
      const answer = typeof body === 'string' ? body : JSON.stringify(body);
      assert.equal((await fails(clientOf(() => new Response(answer, { status })).client.listKeys())).message, sentence);
    }
  });

  it('keeps the readable items of a page and says what is wrong with the others', async () => {
    const { client } = clientOf(() =>
      Response.json({ items: [{ id: 'a' }, { tags: [] }, { id: 'b', tags: null, stats: { size: null } }] }),
    );
    const { items, unreadable } = await client.listDatasets();
    assert.deepEqual(
      items.map((item) => item.id),
      ['a', 'b'],
    );
    assert.equal(unreadable.length, 1);
    assert.match(unreadable[0], /^id: /);
  });

  it('waits as Retry-After says, and repeats a GET but not a POST', async () => {
    let count = 0;
    const busy = clientOf(() =>
      ++count < 3 ? new Response('', { status: 429, headers: { 'retry-after': '2' } }) : Response.json({ items: [] }),
    );
    await busy.client.listKeys();
    assert.deepEqual(busy.sleeps, [2000, 2000]);
    const broken = clientOf(() => new Response('oops', { status: 500 }));
    const error = await fails(broken.client.createPrediction({ series: monthly }));
    assert.equal(error.kind, 'failed');
    assert.equal(error.outcomeUnknown, true);
    assert.equal(broken.requests.filter((request) => request.method === 'POST').length, 1);
    await fails(broken.client.listKeys());
    assert.equal(broken.requests.filter((request) => request.url.endsWith('/keys')).length, 4);
    const long = clientOf(() => new Response('', { status: 503, headers: { 'retry-after': '3600' } }));
    assert.equal((await fails(long.client.listKeys())).kind, 'busy');
    assert.deepEqual(long.sleeps, []);
  });

  it('repeats a POST only where the service says that it was put off', async () => {
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

  it('passes on why the local service cannot be opened, at once', async () => {
    const closed = clientOf(() => {
      throw Object.assign(new Error('The stored forecasts were made by a newer version.'), {
        name: 'ServiceUnavailableError',
      });
    });
    const error = await fails(closed.client.listKeys());
    assert.equal(error.kind, 'unavailable');
    assert.match(error.message, /newer version/);
    assert.equal(closed.requests.length, 1);
  });

  it('does not follow a redirect to another origin', async () => {
    const { client, requests } = clientOf(
      () => new Response(null, { status: 302, headers: { location: 'https://evil.example/x' } }),
    );
    const error = await fails(client.listKeys());
    assert.equal(error.kind, 'redirected');
    assert.equal(requests.length, 1);
    const near = clientOf((request) =>
      request.url.endsWith('/')
        ? Response.json({ items: [] })
        : new Response(null, { status: 307, headers: { location: `${request.url}/` } }),
    );
    assert.deepEqual((await near.client.listKeys()).items, []);
  });

  it('takes the token out of what a service says before anything of it is cut', async () => {
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

  it('gives each failure a kind and a sentence without the token', async () => {
    const cases: [Response, ServiceError['kind'], RegExp][] = [
      [
        Response.json({ detail: 'bad s3cret-token' }, { status: 401 }),
        'unauthorized',
        /does not accept the token.*“bad …”/,
      ],
      [new Response('{}', { status: 403 }), 'forbidden', /not allowed/],
      [new Response('<!doctype html><p>hi'), 'not-a-service', /web page/],
      [new Response('items: none'), 'not-a-service', /not JSON/],
      [Response.json({ hello: 1 }), 'not-a-service', /not a list/],
      [Response.json({ error: { message: 'no such key' } }, { status: 400 }), 'refused', /“no such key”/],
      [new Response('x', { headers: { 'content-length': '200000000' } }), 'too-large', /64 MB/],
    ];
    for (const [response, kind, sentence] of cases) {
      const error = await fails(clientOf(() => response).client.listKeys());
      assert.equal(error.kind, kind);
      assert.match(error.message, sentence);
      assert.doesNotMatch(JSON.stringify(error) + String(error.cause) + error.message + error.stack, /s3cret/);
    }
  });

  it('stops reading a body that never ends', async () => {
    const endless = () =>
      new Response(new ReadableStream({ pull: (controller) => void controller.enqueue(new Uint8Array(8 << 20)) }));
    assert.equal((await fails(clientOf(endless).client.listKeys())).kind, 'too-large');
  });

  it('tells a time limit from a cancellation, and a lost answer from an unreachable service', async () => {
    const never: Answer = (request) =>
      new Promise((_, reject) => {
        request.signal.throwIfAborted();
        request.signal.addEventListener('abort', () => {
          reject(request.signal.reason as Error);
        });
      });
    assert.equal((await fails(clientOf(never, { timeout: 20 }).client.listKeys())).kind, 'timeout');
    const abort = new AbortController();
    const work = clientOf(never).client.listKeys({ signal: abort.signal });
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

describe('client, reading', () => {
  it('understands descriptions with references, prefixes and combinations', () => {
    const capabilities = new Capabilities(
      {
        paths: {
          '/api/predictions/{prediction_id}': { get: {} },
          '/api/predictions': {
            post: {
              requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/New' } } } },
            },
          },
        },
        components: {
          schemas: {
            New: { allOf: [{ properties: { series: {} } }, { $ref: '#/components/schemas/More' }] },
            More: { properties: { prediction_length: {} } },
          },
        },
      },
      '/api',
    );
    assert.ok(capabilities.has('getPrediction'));
    assert.ok(capabilities.takes('createPrediction', 'prediction_length'));
    assert.equal(capabilities.takes('createPrediction', 'name'), false);
    assert.deepEqual(new Capabilities('nonsense').operations, []);
  });

  it('finds the reason in the usual error bodies', () => {
    assert.equal(
      reasonOf({ detail: [{ loc: ['body', 'series', 3], msg: 'field required', type: 'x' }] }),
      'series.3: field required',
    );
    assert.equal(reasonOf({ title: 'Out of credit', status: 402 }), 'Out of credit');
    assert.equal(reasonOf({ error: { message: 'm' } }), 'm');
    assert.equal(reasonOf('  plain \n text '), 'plain text');
    assert.equal(reasonOf({ code: 4 }), undefined);
  });

  it('takes only addresses that keep a token safe', () => {
    assert.equal(parseBaseUrl(' https://x.example/v1/?a=1 ').href, 'https://x.example/v1');
    assert.equal(parseBaseUrl('http://127.0.0.1:8787').href, 'http://127.0.0.1:8787/');
    for (const [text, why] of [
      ['', /No base URL is set/],
      ['x.example', /is not an address/],
      ['http://x.example', /Use https/],
      ['ftp://x.example', /not a web address/],
      ['https://me:pw@x.example', /user name or password/],
    ] as const) {
      assert.throws(() => parseBaseUrl(text), why);
    }
  });
});

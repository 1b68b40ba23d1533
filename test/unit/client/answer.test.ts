import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { type Answer, clientOf, fails } from './client-of.ts';

/** What is waited for where the first answer is `headers`, and the second is a list. */
async function waits(headers: Record<string, string>): Promise<readonly number[]> {
  const answers = [new Response('', { status: 429, headers }), Response.json({ items: [] })];
  const { client, sleeps } = clientOf(() => answers.shift()!);
  await client.list('listKeys');
  return sleeps;
}

describe('Retry-After', () => {
  it('is read in seconds, or as a date by the clock of the service, however wrong that is', async () => {
    assert.deepEqual(await waits({ 'retry-after': '0' }), [0]);
    assert.deepEqual(await waits({ 'retry-after': '1.5' }), [1500]);
    const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
    assert.deepEqual(await waits({ date, 'retry-after': 'Wed, 21 Oct 2015 07:28:07 GMT' }), [7000]);
    assert.deepEqual(await waits({ date, 'retry-after': 'Wed, 21 Oct 2015 07:20:00 GMT' }), [0]);
    const ahead = new Date(Date.now() + 3_600_000).toUTCString();
    const later = new Date(Date.parse(ahead) + 2000).toUTCString();
    assert.deepEqual(await waits({ date: ahead, 'retry-after': later }), [2000]);
  });

  it('is read by our own clock where the service sends no Date header', async () => {
    const from = Date.now();
    const at = new Date(from + 10_000).toUTCString();
    const [wait] = await waits({ 'retry-after': at });
    // whole seconds, less what has passed meanwhile
    assert.ok(wait >= Date.parse(at) - Date.now() && wait <= Date.parse(at) - from, String(wait));
  });

  it('is ignored where it cannot be read: the request is retried after a moment', async () => {
    for (const odd of ['soon', '']) {
      const [wait] = await waits({ 'retry-after': odd });
      assert.ok(wait >= 150 && wait < 600, `${odd}: ${wait}`);
    }
  });

  it('ends its wait when the request is aborted', async () => {
    const stop = new AbortController();
    let asked = 0;
    const client = new ServiceClient({
      baseUrl: parseBaseUrl('https://forecasts.example.com'),
      fetch: () => {
        asked++;
        return Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': '25' } }));
      },
      token: () => Promise.resolve(undefined),
    });
    const work = client.call({ method: 'GET', path: '/keys', signal: stop.signal });
    setImmediate(() => {
      stop.abort(new Error('enough'));
    });
    await assert.rejects(work, /enough/);
    assert.equal(asked, 1);
  });
});

describe('the answer of a service', () => {
  const bytes = (text: string, type = 'application/json') =>
    new Response(new TextEncoder().encode(text), { headers: { 'content-type': type } });

  it('may begin with a byte order mark, and have any content type except that of a web page', async () => {
    for (const answer of [
      bytes('\uFEFF{"items": [{"id": "a"}]}'),
      bytes('{"items": [{"id": "a"}]}', 'text/plain'),
      bytes('\n {"items": [{"id": "a"}]} \n', 'application/hal+json; charset=utf-8'),
    ])
      assert.equal((await clientOf(() => answer).client.list('listKeys')).items[0].id, 'a');
    const page = await fails(clientOf(() => bytes('{"items": []}', 'text/html')).client.list('listKeys'));
    assert.match(page.message, /web page/);
  });

  it('reads NaN and Infinity as missing values, except in strings', async () => {
    const points =
      '[{"timestamp": "2024-01-01T00:00:00Z", "value": NaN}, {"timestamp": "2024-01-02T00:00:00Z", "value": -Infinity}, {"timestamp": "2024-01-03T00:00:00Z", "value": 3}]';
    const text = `{"items": [{"id": "a", "status": "COMPLETED", "name": "say \\"NaN\\", Infinity", "prediction_series": ${points}}]}`;
    const { items } = await clientOf(() => bytes(text)).client.listPredictions();
    assert.deepEqual(items[0].prediction_series?.map(({ value }) => value), [undefined, undefined, 3]); // prettier-ignore
    assert.equal(items[0].name, 'say "NaN", Infinity');
    assert.equal((await fails(clientOf(() => bytes('{"items": [NaN')).client.list('listKeys'))).kind, 'not-a-service');
  });

  it('to a creation may be empty or another body: the result is searched for in the list', async () => {
    const series = [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }];
    const made = () => ({ id: 'a', status: 'QUEUED', ai_model_id: 'm', created_at: new Date().toISOString(), input_series: series }); // prettier-ignore
    for (const answer of [
      new Response(null, { status: 202 }),
      new Response('Accepted', { status: 202 }),
      Response.json({ accepted: true }, { status: 201 }),
    ]) {
      const { client, requests } = clientOf(({ method }) => (method === 'POST' ? answer : Response.json({ items: [made()] }))); // prettier-ignore
      assert.equal((await client.createPrediction({ ai_model_id: 'm', series })).id, 'a');
      assert.deepEqual(requests.map(({ method }) => method), ['POST', 'GET']); // prettier-ignore
    }
    const { client } = clientOf(({ method }) => (method === 'POST' ? new Response(null, { status: 202 }) : Response.json({ items: [] }))); // prettier-ignore
    const error = await fails(client.createPrediction({ ai_model_id: 'm', series }));
    assert.deepEqual([error.kind, error.outcomeUnknown], ['not-a-service', true]);
  });

  it('to a creation may have a Location that cannot be read: the result is searched for in the list', async () => {
    const series = [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }];
    const made = () => ({ id: 'a', status: 'QUEUED', created_at: new Date().toISOString(), input_series: series });
    for (const status of [301, 302, 303]) {
      const { client, requests } = clientOf(({ method, url }) => {
        if (method === 'POST') return new Response(null, { status, headers: { location: '/v1/predictions/a' } });
        return url.endsWith('/a') ? new Response('Not Found', { status: 404 }) : Response.json({ items: [made()] });
      });
      assert.equal((await client.createPrediction({ series })).id, 'a');
      assert.deepEqual(requests.map(({ method }) => method), ['POST', 'GET', 'GET']); // prettier-ignore
      assert.deepEqual(Object.keys(await client.listPredictions()).toSorted(), ['items', 'next', 'previous', 'total', 'unreadable']); // prettier-ignore
    }
  });

  it('does not repeat a creation whose Location is busy', async () => {
    const series = [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }];
    const made = () => ({ id: 'a', status: 'QUEUED', created_at: new Date().toISOString(), input_series: series });
    for (const status of [429, 503]) {
      const { client, requests } = clientOf(({ method, url }) => {
        if (method === 'POST') return new Response(null, { status: 303, headers: { location: '/v1/predictions/a' } });
        const busy = new Response('Busy', { status, headers: { 'retry-after': '1' } });
        return url.endsWith('/a') ? busy : Response.json({ items: [made()] });
      });
      assert.equal((await client.createPrediction({ series })).id, 'a');
      assert.deepEqual(requests.map(({ method }) => method), ['POST', 'GET', 'GET', 'GET', 'GET', 'GET']); // prettier-ignore
    }
  });

  it('leaves the outcome of a creation unknown where its Location cannot be reached or has another origin', async () => {
    const refused = () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
    };
    for (const location of ['/v1/predictions/a', 'https://elsewhere.example/v1/predictions/a'])
      for (const status of [202, 303]) {
        const seen: Answer = ({ method }) => (method === 'POST' ? new Response(null, { status, headers: { location } }) : refused()); // prettier-ignore
        const { client, requests } = clientOf(seen);
        const error = await fails(client.createPrediction({ series: [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }] })); // prettier-ignore
        assert.equal(error.outcomeUnknown, true);
        assert.match(error.message, /may have succeeded/);
        assert.equal(requests.filter(({ method }) => method === 'POST').length, 1);
        assert.ok(requests.every(({ url }) => url.startsWith('https://forecasts.example.com/')));
      }
  });

  it('does not repeat a creation whose Location is refused', async () => {
    for (const status of [201, 202, 303]) {
      const { client, requests } = clientOf(({ method, url }) => {
        if (method === 'POST') return new Response(null, { status, headers: { location: '/v1/predictions/a' } });
        if (!url.endsWith('/a')) return Response.json({ items: [] });
        return Response.json({ detail: [{ loc: ['body', 'metadata'], msg: 'Field required' }] }, { status: 422 });
      });
      const error = await fails(client.createPrediction({ series: [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }] }));
      assert.deepEqual([error.outcomeUnknown, requests.filter(({ method }) => method === 'POST').length], [true, 1]);
    }
  });

  it('to a creation never leads to another origin with the token, even where its path looks like a host', async () => {
    const paths = ['https://forecasts.example.com//other.example/a', '/v1/..//other.example/a', '//other.example/a'];
    const below = 'https://other.example/v1/predictions/a';
    for (const location of [...paths, below])
      for (const status of [201, 302, 303]) {
        const { client, requests } = clientOf(({ method, url }) => {
          if (method === 'POST') return new Response(null, { status, headers: { location } });
          return url.endsWith('/a') ? Response.json({ id: 'a', status: 'QUEUED' }) : Response.json({ items: [] });
        });
        const making = client.createPrediction({ series: [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }] });
        const made = await making.catch((error: unknown) => error);
        assert.ok(
          requests.every(({ url }) => url.startsWith('https://forecasts.example.com/')),
          location,
        );
        if (status === 201 || location !== below) continue;
        assert.match(String(made), /redirects to https:\/\/other\.example\. The token was not sent there/);
        assert.equal((made as { outcomeUnknown?: boolean }).outcomeUnknown, status === 303);
      }
  });

  it('to a lost creation is recognized by its points, whatever their metadata became', async () => {
    const at = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'];
    const series = at.map((timestamp, value) => ({ timestamp, value, metadata: { source: 'own' } }));
    const find = async (stored: readonly object[]) => {
      const made = () => ({ id: 'a', status: 'QUEUED', created_at: new Date().toISOString(), input_series: stored });
      const { client } = clientOf(({ method }) => {
        if (method !== 'POST') return Response.json({ items: [made()] });
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
      });
      return client.createPrediction({ series }).then(({ id }) => id, ({ looked }: { looked?: number }) => looked); // prettier-ignore
    };
    assert.equal(await find(series.map((point) => ({ ...point, metadata: { source: 'OWN' } }))), 'a');
    assert.equal(await find(series.map(({ timestamp }) => ({ timestamp, value: null }))), 1);
  });

  it('may be an error with status 200: its reason is shown, and a creation is not repeated', async () => {
    for (const body of [
      { error: 'Quota used up' },
      { success: false, error: { code: 'E1', message: 'Quota used up' } },
      { items: null, error: 'Quota used up' },
      { status: 'error', message: 'Quota used up' },
    ]) {
      const { client, requests } = clientOf(() => Response.json(body));
      const error = await fails(client.createPrediction({ series: [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }] }));
      assert.match(error.message, /It says: “Quota used up”\. The request may have succeeded/);
      assert.deepEqual([error.outcomeUnknown, requests.filter(({ method }) => method === 'POST').length], [true, 1]);
      assert.match((await fails(client.listPredictions())).message, /It says: “Quota used up”\.$/);
    }
    const failed = { id: 'a', status: 'FAILED', error: 'Too short' };
    const { client } = clientOf(() => Response.json(failed));
    assert.equal((await client.createPrediction({ series: [] })).error, 'Too short');
    const said = clientOf(() => Response.json({ id: 'a', status: 'error', message: 'Too short' })).client;
    const { status, error } = await said.createPrediction({ series: [] });
    assert.deepEqual([status, error], ['FAILED', 'Too short']);
    const list = clientOf(() =>
      Response.json({ status: ['error'], items: [{ id: 'a', status: ' failed ', message: 'x' }] }),
    );
    assert.equal((await list.client.listPredictions()).items[0].error, 'x');
  });

  it('shows no control characters of a refusal', async () => {
    const { client } = clientOf(() => Response.json({ detail: 'red\u001b[31m \u202etxt\u0000' }, { status: 400 }));
    assert.match((await fails(client.listPredictions())).message, /“red\\u001b\[31m \\u202etxt\\u0000”/);
  });

  it('to a creation that is empty is replaced only by the prediction of that request', async () => {
    const series = [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }];
    const items: object[] = [];
    const add = () => items.unshift({ id: String(items.length), status: 'QUEUED', created_at: new Date().toISOString(), input_series: series }); // prettier-ignore
    const { client } = clientOf(({ method }) => {
      if (method === 'GET') return Response.json({ items });
      if (items.length < 3) add();
      return items.length === 1 ? Response.json(items[0], { status: 201 }) : new Response(null, { status: 202 });
    });
    assert.equal((await client.createPrediction({ series })).id, '0');
    const both = await Promise.all([client.createPrediction({ series }), client.createPrediction({ series })]);
    assert.deepEqual(both.map(({ id }) => id).toSorted(), ['1', '2']);
    assert.equal((await fails(client.createPrediction({ series }))).outcomeUnknown, true, 'the fourth made nothing');
  });

  it('to a training that is empty is not replaced by a training of other data or settings', async () => {
    const paths = { '/fine_tuned_models': { get: {}, post: {} } };
    const made = { id: 'm', status: 'QUEUED', created_at: new Date().toISOString(), base_model: 'b' };
    const input_config = { dataset_ids: ['one', 'two'] };
    const config = { prediction_length: 12 };
    const like = async (reported: object) => {
      const items = [{ ...made, created_at: new Date().toISOString(), ...reported }];
      const answer: Answer = ({ method }) => (method === 'POST' ? new Response(null, { status: 202 }) : Response.json({ items })); // prettier-ignore
      const { client } = clientOf(answer, { description: { openapi: '3.1.0', paths } });
      return client.createFineTunedModel({ base_model: 'b', input_config, config });
    };
    for (const reported of [
      {},
      { input_config: { dataset_ids: ['two', 'one'] } },
      { input_config: { dataset_ids: [] } },
      { config: { max_epochs: 5 } },
    ])
      assert.equal((await like(reported)).id, 'm');
    for (const reported of [{ input_config: { dataset_ids: ['three'] } }, { config: { prediction_length: 13 } }])
      assert.equal((await fails(like(reported))).outcomeUnknown, true);
  });

  it('to a deletion may be empty or have any body', async () => {
    const paths = { '/predictions/{prediction_id}': { delete: {} } };
    for (const answer of [new Response(null, { status: 204 }), new Response(''), Response.json({ deleted: true })]) {
      const { client, requests } = clientOf(() => answer, { description: { paths } });
      await client.delete('deletePrediction', 'a/b c');
      assert.equal(requests[0].url, 'https://forecasts.example.com/v1/predictions/a%2Fb%20c');
    }
  });
});

import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { fitPoints } from '../../../src/client/fit.ts';
import { ended, Poller } from '../../../src/client/poller.ts';
import { newToken } from '../../../src/service/store/token.ts';
import { openService, type Service } from '../../../src/service/host/service.ts';
import { clientOf, fails, monthly } from './client-of.ts';
import { threads } from '../threads.ts';

describe('client, against the local service', () => {
  const token = newToken();
  let service: Service;
  let client: ServiceClient;

  before(async () => {
    service = await openService({
      folder: ':memory:',
      token,
      computeScript: threads.engine,
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
    const lists = await Promise.all([client.listPredictions(), client.listDatasets(), client.list('listKeys')]);
    assert.deepEqual(
      lists.map((list) => list.items.length),
      [1, 0, 1],
    );
    assert.equal(lists[0].total, 1);
  });

  it('sends points without a value, as the service announces them', async () => {
    for (const name of ['createPrediction', 'createFineTunedModel'] as const)
      assert.equal(fitPoints([{ value: null }, { value: 1 }], await client.capabilities(), name).length, 2);
    assert.equal(await client.requiresModel('createPrediction'), false);
  });

  it('leaves the series out of a list where it can', async () => {
    const { items } = await client.listPredictions({}, false);
    assert.equal(items[0].input_series, undefined);
    assert.equal((await client.getPrediction(items[0].id)).input_series?.length, 48);
  });

  it('keeps the series of the request instead of reading it back', async () => {
    const answers: unknown[] = [];
    const sender = new ServiceClient({
      baseUrl: parseBaseUrl('http://localhost'),
      fetch: async (input, init) => {
        const answer = await service.fetch(new Request(input, init));
        if (!String(input).endsWith('/openapi.json')) answers.push(await answer.clone().json());
        return answer;
      },
      token: () => Promise.resolve(token),
      isAsync: true,
    });
    const series = [
      { ...monthly[0], metadata: { covariates: { price: 3 } } },
      { timestamp: monthly[1].timestamp, value: null, metadata: null },
      ...monthly.slice(2),
    ];
    const made = await sender.createPrediction({ series, prediction_length: 2 });
    const poller = new Poller((ids: ReadonlySet<string>, signal) => sender.findPredictions(ids, signal));
    const done = await ended(poller, made);
    assert.equal(done.prediction_series?.length, 2);
    assert.ok(answers.length > 1 && !JSON.stringify(answers).includes(monthly[2].timestamp));
    // as another client reads it
    const stored = (await client.getPrediction(made.id)).input_series;
    assert.equal(stored?.length, 48);
    for (const one of [made, done, await sender.getPrediction(made.id)])
      assert.deepEqual(JSON.parse(JSON.stringify(one.input_series)), JSON.parse(JSON.stringify(stored)));
    assert.doesNotMatch(JSON.stringify(answers), /"input_series":\[/);
  });

  it('reports what was refused and where', async () => {
    const error = await fails(client.createPrediction({ series: [{ timestamp: 'soon', value: 1 }] }));
    assert.equal(error.kind, 'refused');
    assert.match(error.message, /series\.0\.timestamp: “soon” is not an ISO 8601 date-time/);
  });
});

describe('client, against other services', () => {
  it('sends only fields of the interface to a service that announces nothing', async () => {
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
    assert.equal((await fails(client.do('getDataset', { id: '7' }))).kind, 'refused');
  });

  it('sends a cursor back unchanged, quoted once', async () => {
    const { client, requests } = clientOf(() => Response.json({ items: [], next_page: '%3Ei%3A2~x==', total: null }));
    const { next } = await client.listDatasets({ size: 5 });
    await client.listDatasets({ cursor: next });
    assert.equal(requests[1].url, 'https://forecasts.example.com/v1/datasets?cursor=%253Ei%253A2%7Ex%3D%3D');
    assert.equal(new URL(requests[1].url).searchParams.get('cursor'), '%3Ei%3A2~x==');
  });

  it('retries without a size where the service refuses it', async () => {
    const { client, requests } = clientOf((request) =>
      new URL(request.url).searchParams.has('size')
        ? Response.json({ detail: [{ loc: ['query', 'size'], msg: 'too large', type: 'x' }] }, { status: 422 })
        : Response.json({ items: [{ id: 'a' }] }),
    );
    assert.equal((await client.listDatasets({ size: 60 })).items.length, 1);
    assert.equal((await client.listDatasets({ size: 60 })).items.length, 1);
    assert.equal(requests.length, 3, 'a refused size is not sent again');
    const other = clientOf(() => Response.json({ detail: 'no' }, { status: 400 }));
    assert.match((await fails(other.client.list('listKeys', { size: 5 }))).message, /“no”/);
  });

  it('follows the redirect of a creation only where the slash alone differs or the status keeps the method', async () => {
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

  it('ends the sentence of the service before its own, and quotes only the service', async () => {
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
        'forecasts.example.com does not have what was requested. It returned a web page. Check the base URL.',
      ],
    ] as const) {
      const answer = typeof body === 'string' ? body : JSON.stringify(body);
      assert.equal(
        (await fails(clientOf(() => new Response(answer, { status })).client.list('listKeys'))).message,
        sentence,
      );
    }
  });

  it('keeps the readable items of a page, and reports what is wrong with the others', async () => {
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

  it('returns a created prediction, even where its series has a value that JSON does not have', async () => {
    const { client, requests } = clientOf(() => Response.json({ id: 'a', status: 'QUEUED' }, { status: 201 }));
    const series = [...monthly, { timestamp: '2024-01-01T00:00:00Z', value: Infinity }];
    assert.equal((await client.createPrediction({ ai_model_id: 'm', series })).id, 'a');
    assert.equal(requests.length, 1);
  });
});

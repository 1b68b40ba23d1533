import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { checkService, reportText } from '../../../src/client/check.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { ServiceError } from '../../../src/client/errors.ts';
import { fitPoints } from '../../../src/client/fit.ts';
import { ended, Poller } from '../../../src/client/poller.ts';
import { allItems } from '../../../src/editor/ui/paged-list.ts';
import { type StrictService, startStrictService } from '../../harness/strict.ts';

const monthly = Array.from({ length: 24 }, (_, i) => ({
  timestamp: new Date(Date.UTC(2022, i, 1)).toISOString(),
  value: i === 5 ? null : i + 0.5,
}));
const MODEL = { ai_model_id: 'chronos-small' };

const failure = async (work: Promise<unknown>): Promise<ServiceError> => {
  const error = await work.then(
    () => assert.fail('no error'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
};

describe('client, against an ordinary service over HTTP', function () {
  this.timeout(60_000);
  let service: StrictService;

  before(async () => {
    service = await startStrictService();
  });
  after(() => service.close());
  afterEach(() => {
    mock.restoreAll();
  });
  beforeEach(() => {
    Object.assign(service.mood, { description: 200, gateway: 30_000, work: 400 });
    service.requests.length = 0;
  });

  const clientOf = (token = service.token, url = service.url) =>
    new ServiceClient({ baseUrl: parseBaseUrl(url), fetch, token: () => Promise.resolve(token), isAsync: true });
  const pollerOf = (client: ServiceClient) =>
    new Poller((ids: ReadonlySet<string>, signal) => client.findPredictions(ids, signal));
  const posted = () => service.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

  it('is found by its description at the root of the origin: required fields, the limit of a page, no nulls', async () => {
    const client = clientOf();
    assert.equal(await client.requiresModel('createPrediction'), true);
    assert.equal(await client.requiresModel('createFineTunedModel'), true);
    const offers = await client.capabilities();
    assert.deepEqual(offers.operations.includes('GET /health'), false, 'what stands elsewhere is not its own');
    assert.equal(offers.of('listDatasets')?.query.get('size')?.maximum, 100);
    assert.equal(offers.rules('createPrediction', 'series', 'value')?.nullable, false);
    assert.equal(offers.rules('createFineTunedModel', 'config', 'max_epochs')?.minimum, 1);
    assert.equal(fitPoints(monthly, offers, 'createPrediction').length, monthly.length - 1);
  });

  it('creates a prediction asynchronously, without points that have no value, and polls the list', async () => {
    const client = clientOf();
    const made = await client.createPrediction({ ...MODEL, series: monthly, prediction_length: 3, name: 'x' });
    assert.equal(made.status, 'QUEUED');
    const done = await ended(pollerOf(client), made);
    assert.equal(done.status, 'COMPLETED');
    assert.equal(done.input_series?.length, 23);
    assert.equal(done.prediction_series?.length, 12);
    const [body] = posted() as Record<string, unknown>[];
    assert.deepEqual(Object.keys(body).sort(), ['ai_model_id', 'is_async', 'series']);
    const looks = service.requests.filter(({ method, url }) => method === 'GET' && url.startsWith('/v1/predictions'));
    for (const { url } of looks) assert.match(url, /size=[1-5]$/);
  });

  it('reports the address that does not answer, also where fetch itself refuses it', async () => {
    for (const url of ['http://127.0.0.1:9', 'http://127.0.0.1:9/v1']) {
      const client = new ServiceClient({
        baseUrl: parseBaseUrl(url),
        fetch,
        token: () => Promise.resolve('t'),
        sleep: () => Promise.resolve(),
      });
      const { kind, message } = await failure(client.list('listKeys'));
      assert.deepEqual(
        [kind, message],
        ['unreachable', 'Nothing answers at 127.0.0.1:9. Check the base URL and your connection.'],
      );
      const made = await failure(client.createPrediction({ series: monthly }));
      assert.equal(made.outcomeUnknown, false, 'nothing was sent');
    }
  });

  it('reports a missing model by its field, not by the words of the refusal', async () => {
    service.mood.description = 404;
    const client = clientOf();
    const refused = await failure(client.createPrediction({ series: monthly.slice(8) }));
    assert.equal(refused.kind, 'refused');
    assert.equal(refused.isAbout('ai_model_id'), true);
    assert.equal(await client.requiresModel('createPrediction'), true, 'it is learned');
    const unknown = await failure(client.createPrediction({ ai_model_id: 'nobody', series: monthly.slice(8) }));
    assert.equal(unknown.kind, 'not-found');
    assert.match(unknown.message, /It says: “Model nobody not found”\.$/);
  });

  it('requests no page that is larger than the service allows', async () => {
    const client = clientOf();
    const datasets = await allItems((cursor) => client.listDatasets({ size: 200, cursor }));
    assert.equal(datasets.length, 130);
    for (const { url } of service.requests) assert.doesNotMatch(url, /size=[2-9]\d\d/);
  });

  it('follows the redirect of a slash with method, body, and query, and needs none where the description has the path', async () => {
    service.mood.description = 404;
    const client = clientOf();
    const made = await client.createPrediction({ ...MODEL, series: monthly });
    assert.ok(made.id);
    const page = await client.listDatasets({ size: 7 });
    assert.equal(page.items.length, 7);
    assert.equal((await client.listDatasets({ size: 7, cursor: page.next })).items.length, 7);
    service.mood.description = 200;
    service.requests.length = 0;
    await clientOf().listDatasets({ size: 7 });
    assert.deepEqual(
      service.requests.map(({ url }) => url.replace(/\?.*/, '')),
      ['/openapi.json', '/v1/datasets/'],
      'the description, and the list at its own path',
    );
  });

  it('requests a description again after a failure', async () => {
    service.mood.description = 500;
    const client = new ServiceClient({
      baseUrl: parseBaseUrl(service.url),
      fetch,
      token: () => Promise.resolve(service.token),
      sleep: () => Promise.resolve(),
    });
    let time = performance.now();
    mock.method(performance, 'now', () => time);
    assert.deepEqual((await client.capabilities()).operations, []);
    service.mood.description = 200;
    const asked = service.requests.length;
    assert.deepEqual((await client.capabilities()).operations, []);
    assert.equal(service.requests.length, asked, 'not at once');
    time += 2_100;
    assert.equal((await client.capabilities()).has('createPrediction'), true);
  });

  it('is not cut by a gateway, because it does not wait in one request', async () => {
    Object.assign(service.mood, { gateway: 100, work: 600 });
    const client = clientOf();
    assert.equal(
      (await ended(pollerOf(client), await client.createPrediction({ ...MODEL, series: monthly }))).status,
      'COMPLETED',
    );
  });

  it('reports a wrong token, a revoked key, and a wrong path', async () => {
    const wrong = await failure(clientOf('wrong').list('listKeys'));
    assert.equal(wrong.kind, 'unauthorized');
    assert.match(wrong.message, /“Invalid authentication credentials”\. Set a valid token/);
    assert.equal((await failure(clientOf(service.revoked).list('listKeys'))).kind, 'forbidden');
    const path = await failure(clientOf(service.token, service.url.replace('/v1', '/v2')).list('listKeys'));
    assert.equal(path.kind, 'not-offered');
    assert.match(path.message, /Check the base URL\.$/);
    service.requests.length = 0;
    const odd = await failure(clientOf('tökén').list('listKeys'));
    assert.match(odd.message, /“ö” at position 2/);
    assert.deepEqual(service.requests, [], 'nothing is sent');
  });

  it('trains on datasets, on tags and on a series', async () => {
    const client = clientOf();
    const [dataset] = (await client.listDatasets({ size: 1 })).items;
    for (const input_config of [{ dataset_ids: [dataset.id] }, { dataset_tags: ['retail'] }, { series: monthly }]) {
      const made = await client.createFineTunedModel({ base_model: 'chronos-small', input_config, name: 'n' });
      assert.equal(made.status, 'QUEUED');
    }
    const early = await failure(client.createPrediction({ ai_model_id: service.models.at(-1)?.id, series: monthly }));
    assert.equal(early.status, 409);
  });

  it('is checked: with a model, without one, with a wrong token', async () => {
    const lines: string[] = [];
    const good = await checkService(clientOf(), {
      create: true,
      model: 'chronos-base',
      onProgress: (line) => lines.push(line),
    });
    assert.equal(good.usable, true, reportText(good));
    assert.equal(lines.filter((line) => line.startsWith('✓')).length, 6);
    assert.match(reportText(good), /created prediction [\w-]+, COMPLETED/);
    for (const list of ['datasets', 'keys']) {
      const read = service.requests.filter(({ method, url }) => method === 'GET' && url === `/v1/${list}/?size=5`);
      assert.equal(read.length, 1, list);
    }
    const missing = await checkService(clientOf(), { create: true });
    assert.equal(missing.usable, false);
    assert.match(reportText(missing), /requires a model.*--model ID/);
    const untried = await checkService(clientOf());
    assert.equal(untried.usable, true);
    assert.match(reportText(untried), /Not tested: creating a prediction/);
    assert.doesNotMatch(reportText(untried), /All five/);
    const lost = await checkService(clientOf(service.token, new URL('/wrong', service.url).href));
    assert.equal(lost.usable, false);
    assert.ok(
      reportText(lost).includes(
        `The service’s description lists the operations under ${service.url}. Use that base URL.`,
      ),
    );
    const wrong = await checkService(clientOf('wrong'));
    assert.equal(wrong.usable, false);
    assert.equal(
      wrong.operations.every(({ usable }) => !usable),
      true,
      'a body that is refused first says nothing of the token',
    );
  });

  it('reports during a check that an operation is slow', async () => {
    const lines: string[] = [];
    const answers = Promise.withResolvers<undefined>();
    const client = new ServiceClient({
      baseUrl: parseBaseUrl(service.url),
      fetch: async (input, init) => {
        await answers.promise;
        return fetch(input, init);
      },
      token: () => Promise.resolve(service.token),
    });
    const onProgress = (line: string) => {
      lines.push(line);
      if (line.startsWith('…')) answers.resolve(undefined);
    };
    const report = await checkService(client, { onProgress, late: 5 });
    assert.match(lines[0], /^… Authorization is still running after \d+ s$/);
    assert.equal(report.usable, true, reportText(report));
  });

  it('is not usable where the created prediction fails', async () => {
    const failing = new ServiceClient({
      baseUrl: parseBaseUrl(service.url),
      fetch: (input, init) =>
        fetch(
          input,
          init?.method === 'POST' && typeof init.body === 'string' && init.body.length > 10
            ? { ...init, body: JSON.stringify({ ...MODEL, is_async: true, series: monthly.slice(20) }) }
            : init,
        ),
      token: () => Promise.resolve(service.token),
    });
    const report = await checkService(failing, { create: true, ...{ model: 'chronos-small' } });
    assert.equal(report.usable, false);
    assert.match(reportText(report), /FAILED: the service gives no reason/);
  });
});

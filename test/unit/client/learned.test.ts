import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { ServiceError } from '../../../src/client/errors.ts';
import type { ClientOptions, Learned } from '../../../src/client/operations.ts';
import { ended, Poller } from '../../../src/client/poller.ts';
import { type Mood, PLAIN, type StrictService, startStrictService } from '../../harness/strict.ts';
import { until } from '../editor/until.ts';
import { fails } from './client-of.ts';

const monthly = Array.from({ length: 24 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2022, month, 1)).toISOString(),
  value: month + 0.5,
}));
const MODEL = { ai_model_id: 'chronos-small' };

describe('what the client learns about a service', function () {
  this.timeout(60_000);
  let service: StrictService | undefined;
  let record: Learned | undefined;
  let said: string[] = [];
  let logged: string[] = [];

  afterEach(async () => {
    await service?.close();
    service = record = undefined;
    said = [];
    logged = [];
  });

  const start = async (ways: Partial<Mood>) => (service = await startStrictService(ways));
  /** A client that begins with the record of the one before, as after a restart of the editor. */
  const clientOf = ({ url, token }: StrictService, options: Partial<ClientOptions> = {}) =>
    new ServiceClient({
      baseUrl: parseBaseUrl(url),
      fetch,
      token: () => Promise.resolve(token),
      isAsync: true,
      sleep: () => Promise.resolve(),
      learned: {
        get: () => record,
        set: (learned) => {
          record = learned;
        },
      },
      onLearned: (sentence) => said.push(sentence),
      log: (line) => logged.push(line),
      ...options,
    });
  const follow = async (client: ServiceClient, series = monthly) => {
    const made = await client.createPrediction({ ...MODEL, series });
    return ended(new Poller((ids: ReadonlySet<string>, signal) => client.findPredictions(ids, signal)), made);
  };
  const lists = () =>
    service!.requests.filter(({ method, url }) => method === 'GET' && /predictions\/?(\?|$)/.test(url));
  const since = async <T>(work: () => Promise<T>) => {
    service!.requests.length = 0;
    service!.sent.bytes = 0;
    const result = await work();
    return { result, requests: service!.requests.length, bytes: service!.sent.bytes };
  };

  describe('the order of a list', () => {
    it('may be oldest first: items are returned newest first, and the newest end is searched for once', async () => {
      const strict = await start({ ...PLAIN, paging: { cursor: 'cursor', size: 'size', isStrict: true } });
      strict.seed(480, 12);
      const client = clientOf(strict);
      const { items, next } = await client.listPredictions({ size: 20 }, false);
      const newest = strict.predictions.map(({ id }) => id);
      assert.deepEqual(items.map(({ id }) => id).slice(0, 10), newest.slice(0, 10));
      const more = await client.listPredictions({ size: 20, cursor: next }, false);
      const all = [...items, ...more.items].map(({ id }) => id);
      assert.deepEqual(all, newest.slice(0, all.length), 'on and on towards the oldest');
      assert.equal(record?.lists.listPredictions.order, 'oldest');
      const again = await since(() => clientOf(strict).listPredictions({ size: 1 }, false));
      assert.equal(again.result.items[0].id, newest[0]);
      assert.deepEqual([again.requests, lists().length], [2, 1], 'the description, and the page at the end');
    });

    it('lets a job be polled at the newest end, whatever is added in between', async () => {
      const strict = await start({ ...PLAIN, required: ['ai_model_id'] });
      strict.seed(300, 12);
      const client = clientOf(strict);
      await client.listPredictions({ size: 20 }, false);
      const { result, requests } = await since(() => follow(client));
      assert.equal(result.status, 'COMPLETED');
      assert.ok(requests <= 8, `${requests} requests`);
      for (const { url } of lists()) assert.match(url, /after=/, 'never again from page one');
    });

    it('is not searched where that is expensive: the client waits for the answer instead', async () => {
      const strict = await start({ ...PLAIN, required: ['ai_model_id'] });
      strict.seed(1000, 15_000);
      const series = Array.from({ length: 15_000 }, (_, hour) => ({
        timestamp: new Date(Date.UTC(2024, 0, 1, hour)).toISOString(),
        value: hour % 24,
      }));
      const { result, requests, bytes } = await since(() => follow(clientOf(strict), series));
      assert.equal(result.status, 'COMPLETED');
      assert.ok(requests <= 8, `${requests} requests`);
      assert.ok(bytes <= 4e6, `${bytes} bytes`);
    });

    // cursors that are items have to be read once, a page each
    const most = { places: { requests: 12, bytes: 12e6 }, items: { requests: 80, bytes: 80e6 } };
    for (const cursors of ['places', 'items'] as const)
      it(`leads to the newest end at once for an asynchronous prediction, whatever was read before: cursors of ${cursors}`, async () => {
        const strict = await start({ ...PLAIN, required: ['ai_model_id'], isAlwaysAsync: true, cursors, work: 1_000 });
        strict.seed(60, 15_000);
        const series = Array.from({ length: 15_000 }, (_, hour) => ({
          timestamp: new Date(Date.UTC(2024, 0, 1, hour)).toISOString(),
          value: hour % 24,
        }));
        const client = clientOf(strict);
        const first = await since(() => follow(client, series));
        assert.equal(first.result.status, 'COMPLETED');
        assert.ok(first.requests <= most[cursors].requests, `${first.requests} requests`);
        assert.ok(first.bytes < most[cursors].bytes, `${first.bytes} bytes`);
        const second = await since(() => follow(client, series));
        assert.ok(second.requests <= 8 && second.bytes < 6e6, `${second.requests} requests, ${second.bytes} bytes`);
      });

    it('is found out where a proxy cuts the answer', async () => {
      const strict = await start({ ...PLAIN, required: ['ai_model_id'], gateway: 50, work: 300 });
      strict.seed(30, 12);
      record = {
        lists: { listPredictions: { order: 'oldest', bytes: 4096 } },
        paging: {},
        required: {},
        moved: {},
        models: {},
      };
      assert.equal((await follow(clientOf(strict))).status, 'COMPLETED');
      assert.equal(record.cuts, true);
      assert.equal(strict.predictions.filter(({ isSeed }) => !isSeed).length, 1);
    });
  });

  it('pages stay below their size limit, after a first page of two items', async () => {
    const strict = await start({});
    strict.seed(70, 15_000);
    const { result, requests, bytes } = await since(() => clientOf(strict).listPredictions({ size: 20 }, false));
    assert.equal(result.items[0].input_series, undefined, 'nobody needs them');
    assert.deepEqual([result.items.length, requests - 1], [1, 2]);
    assert.ok(bytes < 6e6, `${bytes} bytes`);
  });

  it('a first page without a next cursor is not mistaken for the whole list', async () => {
    const items = Array.from({ length: 9 }, (_, at) => ({ id: `p${at}`, status: 'COMPLETED' }));
    const client = new ServiceClient({
      baseUrl: parseBaseUrl('https://forecasts.example.com'),
      fetch: (input) => {
        const { pathname, searchParams } = new URL(input as string);
        if (pathname.endsWith('openapi.json')) return Promise.resolve(new Response('', { status: 404 }));
        return Promise.resolve(Response.json({ items: items.slice(0, Number(searchParams.get('size') ?? 5)) }));
      },
      token: () => Promise.resolve(undefined),
    });
    assert.equal((await client.listPredictions({ size: 20 }, false)).items.length, 9);
  });

  it('the search for an item in a long list ends before it becomes expensive', async () => {
    for (const order of ['newest', 'oldest'] as const) {
      const strict = await start({ order, page: { usual: 10, most: 100 } });
      strict.seed(1000, 15_000);
      const client = clientOf(strict);
      const ids = new Set([strict.predictions[500].id]);
      const { result, bytes } = await since(() => client.findPredictions(ids, new AbortController().signal));
      assert.deepEqual([result.jobs.length, result.isAll], [0, false], order);
      assert.ok(bytes < 8e6, `${order}: ${bytes} bytes`);
      await strict.close();
    }
  });

  it('a job is not reported missing before the newest end of the list is reached', async () => {
    const strict = await start({ ...PLAIN, required: ['ai_model_id'], gateway: 50, work: 300 });
    strict.seed(1000, 15_000);
    record = { lists: { listPredictions: { order: 'oldest', bytes: 1 << 20 } }, paging: {}, required: {}, moved: {}, models: {}, cuts: true }; // prettier-ignore
    const client = clientOf(strict);
    const made = await client.createPrediction({ ...MODEL, series: monthly });
    const { result, bytes } = await since(() => client.findPredictions(new Set([made.id]), new AbortController().signal)); // prettier-ignore
    assert.deepEqual([result.jobs.length, result.isAll], [0, false]);
    assert.ok(bytes < 8e6, `${bytes} bytes`);
  });

  it('polls of a shared account read only the newest items, however many others add', async () => {
    const strict = await start({});
    strict.seed(200, 2_000);
    const client = clientOf(strict);
    await client.listPredictions({ size: 1 });
    const made = await client.createPrediction({ ...MODEL, series: monthly });
    strict.predictions.unshift(...strict.predictions.splice(1, 3).map((one) => ({ ...one, from: Date.now() })));
    const poller = new Poller((ids: ReadonlySet<string>, signal) => client.findPredictions(ids, signal));
    const { requests, bytes } = await since(() => ended(poller, made));
    assert.ok(requests <= 12 && bytes < 4e6, `${requests} requests, ${bytes} bytes`);
    for (const { url } of lists()) assert.match(url, /size=[1-5]$|cursor=/);
  });

  describe('the names of the paging parameters', () => {
    it('are learned from a refusal', async () => {
      const strict = await start({ ...PLAIN, order: 'newest' });
      strict.seed(40, 3);
      const client = clientOf(strict);
      const { next } = await client.listPredictions({ size: 7 });
      const second = await client.listPredictions({ size: 7, cursor: next });
      assert.equal(second.items.length, 7);
      assert.deepEqual(record?.paging, { size: 'limit', cursor: 'after' });
    });

    it('are learned from their effect, where unknown ones are ignored', async () => {
      const strict = await start({ ...PLAIN, order: 'newest', paging: { cursor: 'page_token', size: 'per_page', isStrict: false } }); // prettier-ignore
      strict.seed(40, 3);
      const client = clientOf(strict);
      const { items, next } = await client.listPredictions({ size: 3 });
      const second = await client.listPredictions({ size: 3, cursor: next });
      assert.notEqual(second.items[0].id, items[0].id);
      for (let reads = 0; reads < 4; reads++) await client.listPredictions({ size: 3 });
      assert.equal((await client.listPredictions({ size: 3 })).items.length, 3);
      assert.deepEqual(record?.paging, { size: 'per_page', cursor: 'page_token' });
      const { requests } = await since(() => clientOf(strict).listPredictions({ size: 3, cursor: next }));
      assert.equal(requests, 2, 'the description, and the page at once');
    });
  });

  it('a page size that was refused is not requested again', async () => {
    const strict = await start({ ...PLAIN, order: 'newest', page: { usual: 10, most: 10 } });
    strict.seed(40, 3);
    await clientOf(strict).listPredictions({ size: 2 });
    assert.equal((await clientOf(strict).listPredictions({ size: 20 })).items.length, 10);
    const { requests } = await since(() => clientOf(strict).listPredictions({ size: 20 }));
    assert.equal(requests, 2, 'the description, and the page');
  });

  it('required fields of a creation are sent empty, remembered, and reported', async () => {
    const strict = await start({ ...PLAIN, order: 'newest' });
    const client = clientOf(strict);
    const made = await client.createPrediction({ ...MODEL, series: monthly });
    assert.ok(made.id);
    const body = strict.requests.at(-1)?.body as { fine_tuning_epochs: number; series: { metadata: object }[] };
    assert.deepEqual([body.fine_tuning_epochs, body.series[0].metadata], [0, {}]);
    assert.match(said.join(), /requires the field fine_tuning_epochs.*requires the field metadata/);
    await clientOf(strict).createPrediction({ ...MODEL, series: monthly });
    assert.equal(strict.requests.filter(({ method }) => method === 'POST').length, 4, 'two refusals, and no third');
    const refused = await fails(clientOf(strict).createPrediction({ series: monthly }));
    assert.equal(refused.isAbout('ai_model_id'), true, 'in words alone');
    assert.equal(await clientOf(strict).requiresModel('createPrediction'), true);
  });

  it('a refusal is about the model or another field, in any format', async () => {
    const strict = await start({ ...PLAIN, order: 'newest', required: ['ai_model_id'], refusesGaps: true });
    const client = clientOf(strict);
    await client.listPredictions({ size: 2 });
    const unknown = await fails(client.createPrediction({ ai_model_id: 'nobody', series: monthly }));
    assert.deepEqual([unknown.kind, unknown.isAbout('ai_model_id')], ['not-found', true]);
    const gap = await fails(client.createPrediction({ ...MODEL, series: monthly.toSpliced(5, 1) }));
    assert.deepEqual([gap.kind, gap.isAbout('ai_model_id')], ['refused', false]);
  });

  it('a lost creation is searched for among new items, and the error has the number of items searched', async () => {
    const strict = await start({ ...PLAIN, required: ['ai_model_id'], losesAnswers: true });
    strict.seed(60, 12);
    const client = clientOf(strict);
    await client.listPredictions({ size: 20 });
    const made = await client.createPrediction({ ...MODEL, series: monthly });
    assert.equal(strict.predictions[0].id, made.id);
    const never = clientOf(strict, {
      fetch: (input, init) => (init?.method === 'POST' ? Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })) : fetch(input, init)), // prettier-ignore
    });
    const lost = await fails(never.createPrediction({ ai_model_id: 'chronos-base', series: monthly }));
    assert.equal(lost.outcomeUnknown, true);
    assert.ok(lost.looked! >= 1, String(lost.looked));
  });

  describe('GET requests', () => {
    it('that are equal and concurrent are sent once, and unchanged answers are not sent again', async () => {
      const strict = await start({ etags: true });
      strict.seed(20, 500);
      const client = clientOf(strict);
      await client.listPredictions({ size: 2 });
      const { result, requests } = await since(() =>
        Promise.all([1, 2, 3].map(() => client.listPredictions({ size: 5 }, true))),
      );
      assert.deepEqual([requests, new Set(result.map(({ items }) => items[4].id)).size], [1, 1]);
      const again = await since(() => client.listPredictions({ size: 5 }, true));
      assert.equal(again.bytes, 0);
      assert.equal(again.result.items[4].input_series?.length, 500);
    });

    it('of a permanently redirected path go to its target at once', async () => {
      const strict = await start({ description: 404, redirect: 308 });
      await clientOf(strict).listDatasets({ size: 5 });
      const { requests } = await since(() => clientOf(strict).listDatasets({ size: 5 }));
      assert.equal(requests, 2, 'the description, and the list');
      assert.deepEqual(record?.moved, { '/v1/datasets': '/v1/datasets/' });
      strict.mood.slash = false;
      strict.mood.redirect = 307;
      assert.equal((await clientOf(strict).listDatasets({ size: 5 })).items.length, 5, 'it moved back');
    });

    it('of permanently redirected paths store the target once', async () => {
      const strict = await start({ description: 404, redirect: 308 });
      const stored: string[] = [];
      const set = (learned: Learned) => {
        record = learned;
        stored.push(JSON.stringify(learned.moved));
      };
      const client = clientOf(strict, { learned: { get: () => record, set } });
      const read = () => [client.listDatasets({ size: 5 }), client.list('listKeys')];
      for (let times = 0; times < 4; times++) await Promise.all(read());
      assert.deepEqual([Object.keys(record!.moved).length, new Set(stored).size], [2, 2], stored.join('\n'));
    });

    it('are aborted with the last caller that waits for them, and not before', async () => {
      const strict = await start({ latency: 300 });
      const client = clientOf(strict);
      await client.capabilities();
      const leaves = new AbortController();
      const one = client.list('listKeys', { signal: leaves.signal });
      const other = client.list('listKeys');
      leaves.abort(new Error('enough'));
      await assert.rejects(one, /enough/);
      assert.equal((await other).items.length, 2);
    });

    it('of a finished prediction that was just read are not sent again', async () => {
      const strict = await start({ work: 10 });
      const client = clientOf(strict);
      const done = await follow(client);
      const { result, requests } = await since(() => client.findPredictions(new Set([done.id]), new AbortController().signal)); // prettier-ignore
      assert.deepEqual([result.jobs[0], requests], [done, 0]);
    });
  });

  describe('the Location of a created prediction', () => {
    it('is read where the body has no prediction', async () => {
      const strict = await start({ description: 404, location: 'instead', reads: true });
      const made = await clientOf(strict).createPrediction({ ...MODEL, series: monthly });
      assert.equal(made.id, strict.predictions[0].id);
      assert.equal(record?.reads, true);
    });

    it('is read where the status is 303', async () => {
      const strict = await start({ description: 404, location: 'see', reads: true });
      const made = await clientOf(strict).createPrediction({ ...MODEL, series: monthly });
      assert.equal(made.id, strict.predictions[0].id);
      assert.deepEqual([strict.predictions.length, strict.requests.at(-1)?.method], [1, 'GET']);
    });

    it('is polled instead of the list', async () => {
      const strict = await start({ ...PLAIN, required: ['ai_model_id'], location: 'beside', reads: true });
      strict.seed(300, 12);
      const client = clientOf(strict);
      await follow(client);
      const { requests } = await since(() => follow(client));
      assert.equal(lists().length, 0);
      assert.ok(requests <= 8, `${requests} requests`);
    });
  });

  it('whether a prediction can be read by its ID is found out with the first one created', async () => {
    const strict = await start({ description: 404, reads: true });
    await follow(clientOf(strict));
    assert.equal(record?.reads, true);
    strict.mood.reads = false;
    record = undefined;
    await follow(clientOf(strict));
    assert.equal(record!.reads, false);
  });

  it('models of predictions are remembered with the time of their use', async () => {
    const strict = await start({});
    strict.seed(3, 3);
    await clientOf(strict).listPredictions({ size: 2 });
    await follow(clientOf(strict));
    assert.deepEqual(Object.keys(record!.models).sort(), ['chronos-base', 'chronos-small']);
    assert.ok(record!.models['chronos-small'] > record!.models['chronos-base']);
  });

  it('an expired token is sent once; polling resumes when another token is set', async () => {
    const strict = await start({ work: 60_000, reads: true });
    const client = clientOf(strict);
    const poller = new Poller((ids: ReadonlySet<string>, signal) => client.findPredictions(ids, signal), 20);
    const made = await client.createPrediction({ ...MODEL, series: monthly });
    const problems: ServiceError[] = [];
    poller.watch(made.id, { onChange: () => undefined, onProblem: (problem) => problems.push(problem) });
    await until(() => service!.requests.length, (count) => count > 5); // prettier-ignore
    strict.mood.isExpired = true;
    await until(() => problems.length, (count) => count > 0); // prettier-ignore
    const { requests } = await since(async () => {
      for (let turns = 0; turns < 20; turns++) await client.list('listKeys').catch(() => undefined);
    });
    assert.equal(requests, 20, 'nothing but what is asked here');
    strict.mood.isExpired = false;
    poller.resume();
    await until(() => service!.requests.length, (count) => count > 21); // prettier-ignore
    assert.deepEqual(problems.map(({ kind }) => kind), ['unauthorized']); // prettier-ignore
    poller.stop();
  });

  it('a job with an unknown status is polled until its status is final', async () => {
    const strict = await start({ running: 'WARMING_UP', work: 300 });
    const done = await follow(clientOf(strict));
    assert.equal(done.status, 'COMPLETED');
  });

  it('each request is logged without its query values, body, and token', async () => {
    const strict = await start({ ...PLAIN, order: 'newest' });
    await clientOf(strict).listPredictions({ size: 7 });
    await clientOf(strict).createPrediction({ ...MODEL, series: monthly });
    await strict.down();
    await fails(clientOf(strict).list('listKeys'));
    await strict.up();
    assert.match(logged[0], /^GET \/v1\/openapi\.json 404 \(seen-\d+\) \d+ms$/);
    assert.ok(
      logged.some((line) => /^POST \/v1\/predictions 201 \(seen-\d+\) \d+ms$/.test(line)),
      logged.join('\n'),
    );
    assert.ok(
      logged.some((line) => /^GET \/v1\/keys .*ECONNREFUSED \d+ms$/.test(line)),
      logged.join('\n'),
    );
    assert.doesNotMatch(logged.join(), /\?|strict-token|limit|chronos|2022/);
  });
});

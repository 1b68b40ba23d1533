import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkService, reportText } from '../../../src/client/check.ts';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { ServiceError } from '../../../src/client/errors.ts';
import { ended, Poller } from '../../../src/client/poller.ts';
import type { LocalPrediction } from '../../../src/contract/resources.ts';
import { PagedList } from '../../../src/editor/ui/paged-list.ts';
import { type AwkwardService, type Personality, startAwkwardService } from '../../harness/awkward.ts';

const monthly = Array.from({ length: 24 }, (_, i) => ({
  timestamp: new Date(Date.UTC(2022, i, 1)).toISOString(),
  value: i + 0.5,
}));

const failure = async (work: Promise<unknown>): Promise<ServiceError> => {
  const error = await work.then(
    () => assert.fail('no error'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
};

describe('client, against an awkward service over HTTP', function () {
  this.timeout(60_000);
  let service: AwkwardService;
  let elsewhere: Server;
  const stolen: (string | undefined)[] = [];

  before(async () => {
    elsewhere = createServer((request, response) => {
      stolen.push(request.headers.authorization);
      response.end('{"items": []}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    service = await startAwkwardService(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`);
  });
  after(async () => {
    await service.close();
    elsewhere.close();
  });

  const clientOf = (personality: Personality, token = service.token) =>
    new ServiceClient({
      baseUrl: parseBaseUrl(service.base(personality)),
      fetch,
      token: () => Promise.resolve(token),
      sleep: () => Promise.resolve(),
    });

  it('reads pages by cursors that need quoting', async () => {
    const client = clientOf('quoted');
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listDatasets({ cursor, size: 3 });
      ids.push(...page.items.map((item) => item.id));
      cursor = page.next;
    } while (cursor);
    assert.deepEqual(ids, ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6']);
  });

  it('reads sparse items, and reports which items it cannot read', async () => {
    const client = clientOf('sparse');
    const { items } = await client.listPredictions();
    assert.deepEqual(
      items.map((item) => item.id),
      ['1', '2', '3'],
    );
    assert.deepEqual(
      items[1].input_series?.map((one) => one.value),
      [3.5, undefined, undefined, undefined, 4],
    );
    assert.equal(items[1].prediction_series?.[0].value, 4.25);
    assert.equal(items[2].error, 'not enough history');
    const datasets = await client.listDatasets();
    assert.equal(datasets.items.length, 2);
    assert.equal(datasets.unreadable.length, 1);
  });

  it('keeps unknown fields and status words', async () => {
    const made = await clientOf('strange').createPrediction({ series: monthly, prediction_length: 3 });
    assert.equal(made.status, 'PONDERING');
    assert.deepEqual(made.cost, { amount: 3 });
    const sent = service.requests.findLast((request) => request.method === 'POST');
    assert.deepEqual(Object.keys(sent?.body as object), ['series']);
  });

  it('waits for late answers, retries after 429, and reports 401', async () => {
    assert.equal((await clientOf('late').list('listKeys')).items.length, 2);
    assert.equal((await clientOf('limited').list('listKeys')).items.length, 2);
    const moody = clientOf('moody');
    assert.equal((await failure(moody.list('listKeys'))).kind, 'unauthorized');
    assert.equal((await moody.list('listKeys')).items.length, 2);
  });

  it('uses a token that was set in the meantime', async () => {
    const tokens = ['old-token', service.token];
    const client = new ServiceClient({
      baseUrl: parseBaseUrl(service.base('quoted')),
      fetch,
      token: () => Promise.resolve(tokens.length > 1 ? tokens.shift() : tokens[0]),
    });
    assert.equal((await client.list('listKeys')).items.length, 2);
  });

  it('finds the prediction of a creation whose answer was cut off, and does not create it twice', async () => {
    const made = await clientOf('cut').createPrediction({ series: monthly });
    assert.equal(made.status, 'COMPLETED');
    const posts = service.requests.filter((request) => request.method === 'POST' && request.url.startsWith('/cut/'));
    assert.equal(posts.length, 1);
  });

  it('does not mistake an older prediction of the same series for the lost one', async () => {
    const client = clientOf('cut');
    const first = await client.createPrediction({ series: monthly, ai_model_id: 'a' });
    service.age(2_100);
    const error = await failure(
      new ServiceClient({
        baseUrl: parseBaseUrl(service.base('cut')),
        fetch: (input, init) =>
          init?.method === 'POST' ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init),
        token: () => Promise.resolve(service.token),
      }).createPrediction({ series: monthly, ai_model_id: 'a' }),
    );
    assert.equal(error.outcomeUnknown, true);
    assert.ok(first.id);
  });

  it('gives each failure its kind', async () => {
    const kinds: [Personality, string][] = [
      ['broken', 'failed'],
      ['html', 'not-a-service'],
      ['redirect', 'redirected'],
      ['huge', 'too-large'],
    ];
    for (const [personality, kind] of kinds)
      assert.equal((await failure(clientOf(personality).listPredictions())).kind, kind, personality);
    assert.deepEqual(stolen, []);
    assert.equal((await failure(clientOf('quoted', 'wrong').list('listKeys'))).kind, 'unauthorized');
  });

  it('stops reading a list whose pages never end', async () => {
    const client = clientOf('endless');
    const list = new PagedList(
      (cursor) => client.listDatasets({ cursor }),
      () => undefined,
    );
    await list.first();
    await list.more();
    assert.match(String(list.read.problem), /sent the same page again/);
    assert.equal(list.items.length, 1);
  });

  it('follows a job through the list until it is done', async () => {
    const client = clientOf('slow');
    const made = await client.createPrediction({ series: monthly });
    assert.equal(made.status, 'QUEUED');
    const statuses: string[] = [];
    let looks = 0;
    const quick = (onLook: () => void) =>
      new Poller<LocalPrediction>((ids, signal) => {
        onLook();
        return client.findPredictions(ids, signal);
      }, 20);
    const poller = quick(() => looks++);
    const done = await new Promise<LocalPrediction>((resolve) => {
      poller.watch(made.id, {
        onChange: (now) => {
          statuses.push(now.status);
          if (now.status === 'COMPLETED') resolve(now);
        },
      });
    });
    assert.deepEqual([...new Set(statuses)], ['QUEUED', 'IN_PROGRESS', 'COMPLETED'].slice(-new Set(statuses).size));
    assert.equal(done.prediction_series?.length, 2);
    const before = looks;
    // one of the same pace has followed another job from its first look to its last meanwhile
    await ended(
      quick(() => undefined),
      await client.createPrediction({ series: monthly }),
    );
    poller.stop();
    assert.equal(looks, before, 'it goes on asking');
  });

  it('is checked: reports which operations are usable and which deviate', async () => {
    const good = await checkService(clientOf('quoted'), { create: true });
    assert.equal(good.usable, true, reportText(good));
    assert.deepEqual(good.announced, []);
    const before = service.created.length;
    const sparse = await checkService(clientOf('sparse'));
    assert.equal(service.created.length, before, 'a check creates nothing');
    assert.equal(sparse.usable, true, reportText(sparse));
    assert.match(reportText(sparse), /deviates: the page has no total/);
    assert.match(reportText(sparse), /1 items do not have the expected format/);
    for (const personality of ['html', 'broken', 'redirect', 'huge'] as const) {
      const report = await checkService(clientOf(personality));
      assert.equal(report.usable, false, reportText(report));
    }
    const refused = await checkService(clientOf('quoted', 'not-the-token'));
    assert.equal(refused.usable, false);
    assert.doesNotMatch(reportText(refused), /not-the-token/);
    for (const report of [good, sparse]) assert.doesNotMatch(reportText(report), /awkward-(token|secret)/);
  });
});

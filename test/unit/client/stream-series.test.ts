import assert from 'node:assert/strict';
import { storeForJob, storeSeries, type Sending } from '../../../src/client/store-series.ts';
import { fails } from './client-of.ts';
import { type Named, Texts, many } from './series-texts.ts';
import { StreamingService } from './streaming-service.ts';

const namesOf = (series: readonly Named[]) => series.map(({ name }) => name);
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe('the upload of many series', () => {
  const service = new StreamingService();

  const store = (
    series: readonly Named[],
    events: Omit<Sending, 'signal'> = {},
    signal = new AbortController().signal,
  ) =>
    storeForJob(service.client, new Texts(), { name: 'shops.csv', series, tags: ['forecast'] }, { signal, ...events });

  it('sends batches, each under its own idempotency key, and keeps the order of the series', async () => {
    const series = many(1234);
    const reported: string[] = [];
    const { id, isOwn } = await store(series, { onStored: (done, all) => reported.push(`${done} of ${all}`) });
    assert.deepEqual(service.names, namesOf(series));
    assert.deepEqual(reported, ['500 of 1234', '1000 of 1234', '1234 of 1234']);
    assert.deepEqual([service.only.id, isOwn, new Set(service.keys).size], [id, false, 3]);
    assert.deepEqual(service.only.fields, { name: 'shops.csv', tags: [], for_job: true, fingerprint: '1234-s0' });
    assert.deepEqual([...service.only.lines.keys()].slice(0, 2), ['s1233', 's1232'], 'named by what they are called');
  });

  it('serializes only the batch that is sent and the next one', async () => {
    const texts = new Texts();
    let most = 0;
    service.onSeries(() => {
      most = Math.max(most, texts.lines - sum(service.counts.slice(0, -1)));
    });
    await storeSeries(
      service.client,
      texts,
      { name: 'd', series: many(5000) },
      { signal: new AbortController().signal },
    );
    assert.equal(service.only.lines.size, 5000);
    assert.equal(most, 1000);
  });

  it('splits batches by points too, and numbers series whose names are not distinct', async () => {
    const series = [...many(40, 5000), { name: 's0', times: new Float64Array(1) }];
    await store(series);
    assert.deepEqual(service.counts, [10, 10, 10, 10, 1]);
    assert.deepEqual(service.names, namesOf(series));
    assert.equal(service.only.lines.get('41')?.name, 's0');
  });

  it('repeats a batch under the same key where the connection is lost, and stores it once', async () => {
    service.mishaps.push('cut before it is stored', undefined, 'cut after it is stored', 'cut after it is stored');
    const series = many(1100);
    await store(series);
    assert.deepEqual(service.names, namesOf(series));
    assert.deepEqual(service.counts, [500, 500, 500, 500, 500, 100]);
    assert.equal(new Set(service.keys).size, 3);
  });

  it('waits for Retry-After of a busy service, and continues', async () => {
    const busy = (status: number, after: string) => ({ status, headers: { 'retry-after': after } });
    service.mishaps.push(busy(429, '61'), busy(503, '2'), undefined, busy(429, '1'), busy(429, '1'), busy(429, '1'), busy(429, '1')); // prettier-ignore
    const series = many(900);
    await store(series);
    assert.deepEqual(service.names, namesOf(series));
    assert.deepEqual(service.sleeps, [61_000, 2_000, 1_000, 1_000, 1_000, 1_000]);
  });

  it('pauses before each retry, longer each time, even where Retry-After is 0', async () => {
    const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
    const afters = ['0', '0', date, '0', '0.1', date, '0'];
    service.mishaps.push(...afters.map((after) => ({ status: 429, headers: { 'retry-after': after } })));
    await store(many(600));
    assert.equal(service.sleeps.length, afters.length);
    for (const [n, ms] of service.sleeps.entries()) {
      assert.ok(ms >= Math.min(5000, Math.max(300, 150 * 2 ** n)) && ms <= 10_000, String(service.sleeps));
    }
  });

  it('ends, and leaves nothing, where Retry-After is too long', async () => {
    service.mishaps.push(undefined, { status: 429, headers: { 'retry-after': '7200' } });
    const error = await fails(store(many(900)));
    assert.equal(error.kind, 'busy');
    assert.equal(service.datasets.size, 0);
  });

  it('sends smaller batches where a proxy refuses their size, and no series twice', async () => {
    service.most = 40_000;
    const series = many(1000);
    const reported: number[] = [];
    await store(series, { onStored: (done) => reported.push(done) });
    assert.deepEqual(service.names, namesOf(series));
    assert.deepEqual(
      reported,
      reported.toSorted((a, b) => a - b),
    );
    assert.equal(reported.at(-1), 1000);
    assert.ok(
      service.counts.slice(3).every((count) => count <= 250),
      String(service.counts),
    );
    service.most = 10;
    assert.equal((await fails(storeSeries(service.client, new Texts(), { name: 'd', series: many(600) }, { signal: new AbortController().signal }))).status, 413); // prettier-ignore
    assert.equal(service.datasets.size, 1, 'what could not be sent is not left');
  });

  it('fails and leaves nothing where the service skips or refuses a series', async () => {
    service.mishaps.push(undefined, 'the last line is passed over');
    const ignored = await fails(store(many(600)));
    assert.equal(ignored.message, 'The service accepted 99 of the 100 series sent to it.');
    assert.equal(service.datasets.size, 0);
    const refused = await fails(store([{ name: 'bad one', times: [1] }, ...many(600)]));
    assert.equal(refused.message, 'The service refused the series bad one: It cannot be read.');
    assert.deepEqual([refused.kind, service.datasets.size], ['refused', 0]);
  });

  it('fails with a sentence where the answer is a web page or unreadable', async () => {
    for (const body of ['<!doctype html><h1>Sign in</h1>', 'OK', '{"status": "ok"}']) {
      service.mishaps.push(undefined, { status: 200, body });
      assert.equal((await fails(store(many(600)))).kind, 'not-a-service', body);
      assert.equal(service.datasets.size, 0);
    }
  });

  it('deletes the dataset when aborted, and sends nothing more', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    service.mishaps.push(undefined, 'no answer');
    service.onSeries(() => {
      if (service.counts.length === 2) stop.abort(reason);
    });
    await assert.rejects(store(many(2000), {}, stop.signal), (error) => error === reason);
    assert.deepEqual([service.counts.length, service.datasets.size], [2, 0]);
  });

  it('keeps the dataset that another upload of the same series uses, when the first is aborted', async () => {
    const series = many(1200);
    const stop = new AbortController();
    service.mishaps.push(undefined, 'no answer');
    let other: Promise<string> | undefined;
    service.onSeries(() => {
      if (service.counts.length === 2) {
        other = store(series).then(({ id }) => {
          stop.abort(new Error('stopped'));
          return id;
        });
      }
    });
    await assert.rejects(store(series, {}, stop.signal), /stopped/);
    assert.equal(await other, service.only.id);
    assert.deepEqual(service.names, namesOf(series));
  });

  it('shows the dataset of a person only once it is complete', async () => {
    const series = many(1200);
    const save = (signal: AbortSignal) =>
      storeSeries(service.client, new Texts(), { name: 'mine', series, tags: ['t'] }, { signal });
    const seen = () => [...service.datasets.values()].filter(({ fields }) => fields.for_job !== true);
    const stop = new AbortController();
    // a job that ended in the middle left a part
    service.mishaps.push(undefined, 'no answer');
    const job = store(series, {}, stop.signal);
    service.onSeries(() => {
      if (service.counts.length === 2) stop.abort(new Error('ended'));
    });
    service.announced = { deletion: false };
    await assert.rejects(job, /ended/);
    const again = new AbortController();
    service.onSeries(() => {
      assert.deepEqual(seen(), []);
      again.abort(new Error('stopped'));
    });
    await assert.rejects(save(again.signal), /stopped/);
    assert.deepEqual([seen().length, service.datasets.size], [0, 1]);
    service.onSeries(() => {
      assert.deepEqual(seen(), []);
    });
    const { id, name, series_count } = await save(new AbortController().signal);
    assert.deepEqual([id, name, series_count], [service.only.id, 'mine', 1200]);
    assert.deepEqual([service.only.fields.for_job, service.only.fields.tags], [undefined, ['t']]);
    assert.deepEqual(service.names, namesOf(series));
  });

  it('creates two datasets for a person who saves twice', async () => {
    const series = many(600);
    const save = () =>
      storeSeries(service.client, new Texts(), { name: 'mine', series }, { signal: new AbortController().signal });
    const [first, second] = [await save(), await save()];
    assert.notEqual(first.id, second.id);
    assert.deepEqual([...service.datasets.values()].map(({ lines, fields }) => [lines.size, fields.for_job]), [[600, undefined], [600, undefined]]); // prettier-ignore
  });

  it('reports series that remain because they cannot be deleted', async () => {
    service.announced = { deletion: false };
    service.mishaps.push(undefined, { status: 422 });
    const left: string[] = [];
    assert.equal((await fails(store(many(600), { onLeft: (id) => left.push(id) }))).kind, 'refused');
    assert.deepEqual(left, [service.only.id]);
  });

  it('skips series that the service has, and resumes an interrupted upload', async () => {
    const series = many(1200);
    const first = await store(series);
    const again = await store(series);
    assert.deepEqual([again.id, service.counts.length], [first.id, 3]);
    for (const id of [...service.only.lines.keys()].slice(300)) service.only.lines.delete(id);
    assert.equal((await store(series)).id, first.id);
    assert.deepEqual(service.names, namesOf(series));
  });

  it('starts again where the dataset begun before has other series or was deleted', async () => {
    const series = many(1200);
    const first = await store(series);
    const { lines } = service.only;
    lines.delete('s0');
    lines.set('s5', { name: 's5', series: [] });
    const second = await store(series);
    assert.notEqual(second.id, first.id);
    assert.deepEqual([lines.get('s5')?.series, service.datasets.get(second.id)?.lines.size], [[], 1200]);
    service.datasets.clear();
    let isDeleted = false;
    service.onSeries(() => {
      if (!isDeleted)
        setImmediate(() => {
          service.datasets.clear();
        });
      isDeleted = true;
    });
    await store(series);
    assert.deepEqual(service.names, namesOf(series));
  });

  it('sends few series as one document, and all where the service announces no stream', async () => {
    const asOne = async (series: readonly Named[], announced: StreamingService['announced']) => {
      service.datasets.clear();
      service.announced = announced;
      service.client.forgetCapabilities();
      await store(series);
      assert.deepEqual([service.names, service.counts], [namesOf(series), []]);
    };
    await asOne(many(500), {});
    await asOne(many(600), { type: 'application/json' });
    await asOne(many(600), { needsSeries: true });
    await asOne([...many(600), { name: 'long', times: new Float64Array(500_001) }].slice(-2), {});
  });

  it('sends few series as a stream where they are too large for a document', async () => {
    service.most = 20_000;
    const series = many(400);
    await store(series);
    assert.deepEqual(service.names, namesOf(series));
    assert.ok(service.counts.length > 1, String(service.counts));
    service.announced = { type: 'application/json' };
    service.client.forgetCapabilities();
    assert.equal((await fails(store(series))).status, 413, 'where there is no stream');
  });

  it('sends names and tags that every service can store, however they are cut', async () => {
    const cut = `${'a'.repeat(199)}😀`;
    const fit = `${'a'.repeat(199)}\ufffd`;
    const { signal } = new AbortController();
    const tags = [`${'t'.repeat(99)}😀`, 'x\0y'];
    for (const count of [2, 600]) {
      service.datasets.clear();
      const series = [{ name: cut, times: [1] }, { name: 'n\0m', times: [1] }, ...many(count)];
      await storeSeries(service.client, new Texts(), { name: cut, series, tags }, { signal });
      assert.deepEqual(service.names.slice(0, 2), [fit, 'n\ufffdm']);
      assert.equal(service.only.fields.name, fit);
      assert.deepEqual(service.only.fields.tags, [`${'t'.repeat(99)}\ufffd`, 'x\ufffdy']);
    }
    assert.deepEqual([...service.only.lines.keys()].slice(-2), ['n\ufffdm', fit]);
  });

  it('sends no IDs and fingerprints to a service that does not announce them', async () => {
    service.announced = { ids: false, fingerprints: false };
    service.mishaps.push('cut after it is stored');
    const series = many(700);
    await store(series);
    assert.deepEqual(service.names, namesOf(series));
    assert.deepEqual(service.only.fields, { name: 'shops.csv', tags: [], for_job: true });
  });
});

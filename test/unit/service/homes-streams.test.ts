/** Series that go in, and forecasts that come out, as streams, on both homes of the store. */
import { said } from './said.ts';
import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { storeForJob } from '../../../src/client/store-series.ts';
import { ThreadReader } from '../../../src/reading/thread/reader.ts';
import type { AnswerOf } from '../../../src/contract/operations.ts';
import type {
  DatasetForecast,
  LocalKey,
  LocalDataset,
  LocalPrediction,
  Page,
  StoredSeries,
} from '../../../src/contract/resources.ts';
import { callOf, onEachHome, token } from './homes.ts';
import { monthly } from './local-service.ts';
import { until } from '../editor/until.ts';
import { threads } from '../threads.ts';

onEachHome((running) => {
  const call = callOf(running);
  const line = (id: string | undefined, shift = 0, name = id) =>
    JSON.stringify({ id, name, series: monthly.slice(0, 24).map((one) => ({ ...one, value: one.value + shift })) });
  const made = async (more: object = {}) =>
    (await call<LocalDataset>('POST', '/datasets', { name: 'd', ...more })).body;
  const dataset = async (id: string) => (await call<LocalDataset>('GET', `/datasets/${id}`)).body;

  /** @param text cut into pieces of so many bytes, wherever that is */
  const add = async (
    id: string,
    text: string,
    more: { as?: string; key?: string; type?: string; piece?: number } = {},
  ) => {
    const { as = token, key, type = 'application/x-ndjson', piece = 1000 } = more;
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += piece)));
        else controller.close();
      },
    });
    const headers = { authorization: `Bearer ${as}`, 'content-type': type, ...(key ? { 'idempotency-key': key } : {}) };
    const request = new Request(`http://local/datasets/${id}/series`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    });
    const response = await running().service.fetch(request);
    return { status: response.status, body: (await response.json()) as AnswerOf<'addSeries'> & { detail?: unknown } };
  };
  const lines = async (id: string, as = token) => {
    const request = new Request(`http://local/datasets/${id}/forecasts.ndjson`, {
      headers: { authorization: `Bearer ${as}` },
    });
    const response = await running().service.fetch(request);
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
    const text = await response.text();
    assert.ok(text === '' || text.endsWith('\n'));
    return text
      .split('\n')
      .slice(0, -1)
      .map((one) => JSON.parse(one) as DatasetForecast);
  };

  it('adds the series of a stream once, however often it is sent, and reports refused lines by number', async () => {
    const { id } = await made();
    assert.equal((await dataset(id)).series_count, 0);
    const text = [
      line('a'),
      '',
      '{"id": "b", "series": [',
      line('c', 1, 'Größe'),
      '{"id": "d", "series": [{"timestamp": "soon", "value": 1}]}',
      '{"id": "e", "series": []}',
      line('a', 5),
      line('f\0'),
      line('g', 2),
    ].join('\n');
    const first = await add(id, text, { piece: 7 });
    assert.equal(first.status, 201, JSON.stringify(first.body));
    const { stored, unchanged, refused, faults } = first.body;
    assert.deepEqual([stored, unchanged, refused], [3, 0, 5]);
    assert.deepEqual(
      faults.map(({ line, id }) => [line, id ?? null]),
      [[3, null], [5, 'd'], [6, 'e'], [7, 'a'], [8, 'f\0']], // prettier-ignore
    );
    assert.match(said(faults[0].error), /^The line is not JSON/);
    assert.match(said(faults[1].error), /^series\.0\.timestamp: “soon” is not an ISO 8601 date-time/);
    assert.match(said(faults[3].error), /already has this id/);
    const again = (await add(id, text)).body;
    assert.deepEqual([again.stored, again.unchanged, again.refused], [0, 3, 5]);
    const { series_count, stats } = await dataset(id);
    assert.equal(series_count, 3);
    assert.deepEqual(
      [stats?.rows, stats?.start_timestamp, stats?.end_timestamp, stats?.freq],
      [72, '2019-01-01T00:00:00Z', '2020-12-01T00:00:00Z', 'P1M'],
    );
    const { items } = (await call<Page<StoredSeries>>('GET', `/datasets/${id}/series`)).body;
    assert.deepEqual(
      items.map(({ own_id, name, rows }) => [own_id, name, rows]),
      [['g', 'g', 24], ['c', 'Größe', 24], ['a', 'a', 24]], // prettier-ignore
    );
    await call('DELETE', `/datasets/${id}`);
    assert.equal((await add(id, text)).status, 404);
  });

  it('reports the span of its series in their zone, without series of row numbers', async () => {
    const { id } = await made({});
    const monthsOf = (time_zone: string) =>
      Array.from({ length: 24 }, (_, month) => ({
        timestamp: new Date(Date.UTC(2019, month) - (month % 12 > 2 && month % 12 < 10 ? 2 : 1) * 3_600_000).toISOString(),
        value: month,
        ...(month === 0 ? { metadata: { time_zone } } : {}),
      })); // prettier-ignore
    const rows = Array.from({ length: 24 }, (_, row) => ({ timestamp: new Date(row * 1000).toISOString(), value: row, metadata: { row: row + 1 } })); // prettier-ignore
    const lines = [
      { id: 'a', series: monthsOf('Europe/Berlin') },
      { id: 'b', series: rows },
    ];
    for (const one of lines) assert.equal((await add(id, JSON.stringify(one))).body.stored, 1);
    type Span = Pick<StoredSeries, 'start_timestamp' | 'end_timestamp'>;
    const spanOf = (one: Span) => [one.start_timestamp ?? '', one.end_timestamp ?? ''];
    const berlin = ['2019-01-01T00:00:00+01:00', '2020-12-01T00:00:00+01:00'];
    assert.deepEqual(spanOf((await dataset(id)).stats ?? {}), berlin);
    const { items } = (await call<Page<StoredSeries>>('GET', `/datasets/${id}/series`)).body;
    assert.deepEqual(items.map(spanOf), [['', ''], berlin]); // prettier-ignore
  });

  it('resumes a dataset with the same fingerprint, for a job and for a person', async () => {
    const job = { for_job: true, fingerprint: 'abc' };
    const { id } = await made(job);
    await add(id, `${line('a')}\n${line('b')}`);
    const again = await made(job);
    assert.deepEqual([again.id, again.series_count, again.for_job], [id, 2, true]);
    const { stored, unchanged } = (await add(id, `${line('b')}\n${line('c')}`)).body;
    assert.deepEqual([stored, unchanged, (await made(job)).series_count], [1, 1, 3]);
    assert.notEqual((await made({ ...job, fingerprint: 'abd' })).id, id);
    const own = await made({ name: 'shops', fingerprint: 'abc' });
    assert.deepEqual([own.id, own.name, own.for_job ?? false], [id, 'shops', false]);
    assert.notEqual((await made({ name: 'again', fingerprint: 'abc' })).id, id, 'a person has each that they ask for');
    assert.equal(((await made({ ...job, fingerprint: ' ' })) as { detail?: unknown }).detail === undefined, false);
    await call('DELETE', `/datasets/${id}`);
    assert.notEqual((await made(job)).id, id);
  });

  it('processes a client stream once, in order', async () => {
    const client = new ServiceClient({
      baseUrl: parseBaseUrl('http://localhost/'),
      fetch: (input, init) => running().service.fetch(new Request(input, init)),
      token: () => Promise.resolve(token),
    });
    const reader = new ThreadReader(threads.series);
    const times = Float64Array.from({ length: 24 }, (_, month) => Date.UTC(2020, month));
    const series = Array.from({ length: 1100 }, (_, n) => ({
      name: `s${n}`,
      times,
      values: times.map((_, m) => m + n),
      timeKind: 'date' as const,
      timeZone: undefined,
    }));
    const store = () =>
      storeForJob(client, reader, { name: 'shops.csv', series }, { signal: new AbortController().signal });
    const first = await store();
    assert.deepEqual(await store(), first);
    const listed = await client.list('listDatasetSeries', { size: 200 }, {}, first.id);
    assert.deepEqual(listed.items.map(({ name }) => name), series.slice(0, 200).map(({ name }) => name)); // prettier-ignore
    assert.equal((await dataset(first.id)).series_count, 1100);
    await client.do('predictDataset', { id: first.id, body: { ai_model_id: 'seasonal-naive', prediction_length: 1 } });
    const names = [];
    for await (const { id } of client.lines('listForecasts', first.id)) names.push(id);
    assert.deepEqual(names, series.map(({ name }) => name)); // prettier-ignore
    await client.do('cancelDatasetPredictions', { id: first.id });
    await call('DELETE', `/datasets/${first.id}`);
    reader.dispose();
  }).timeout(60_000);

  it('stores lines without ids once per idempotency key, and each time without one', async () => {
    const { id } = await made({ series: [{ name: 's', series: monthly }] });
    const text = `${line(undefined, 1)}\n${line(undefined, 2)}\n`;
    const counts = [];
    // as where the first broke off after its first line
    for (const [some, key] of [[text.split('\n')[0], 'k'], [text, 'k'], [text, 'k'], [text, 'other'], [text]]) {
      const { stored, unchanged } = (await add(id, some, { key })).body;
      counts.push([stored, unchanged]);
    }
    assert.deepEqual(counts, [[1, 0], [1, 1], [0, 2], [2, 0], [2, 0]]); // prettier-ignore
    const other = (await add(id, `${line(undefined, 3)}\n`, { key: 'k' })).body;
    assert.deepEqual([other.stored, other.refused], [0, 1]);
    assert.match(said(other.faults[0].error), /was sent before with a different series/);
    assert.equal((await dataset(id)).series_count, 7);
    await call('DELETE', `/datasets/${id}`);
  });

  it('streams the newest forecast of each series with the given ids', async () => {
    const { id } = await made();
    const count = 450;
    const text = Array.from({ length: count }, (_, i) => line(`s${i}`, i)).join('\n');
    assert.equal((await add(id, text, { piece: 100_000 })).body.stored, count);
    assert.deepEqual(await lines(id), []);
    const asked = { ai_model_id: 'seasonal-naive', prediction_length: 2 };
    for (let n = 0; n < 2; n++)
      await call('POST', `/datasets/${id}/predictions`, { ...asked, prediction_length: n + 1 });
    const none = await call<Page<StoredSeries>>('GET', `/datasets/${id}/series?size=1`);
    const bad = { series_id: none.body.items[0].id, ai_model_id: 'seasonal-naive', prediction_length: 3 };
    const newest = (await call<LocalPrediction>('POST', '/predictions', bad)).body;
    const completed = `/predictions?dataset_id=${id}&status=COMPLETED&size=1`;
    const counted = async () => (await call<Page<LocalPrediction>>('GET', completed)).body.total;
    await until(counted, (total) => total === 2 * count + 1, 50_000);
    const all = await lines(id);
    assert.deepEqual(
      all.map((one) => one.id),
      Array.from({ length: count }, (_, i) => `s${count - 1 - i}`),
    );
    assert.equal(all[0].prediction_id, newest.id);
    assert.deepEqual(all[0].prediction_series, newest.prediction_series);
    assert.ok(
      all.slice(1).every(({ status, prediction_series }) => status === 'COMPLETED' && prediction_series?.length === 2),
    );
    await call('DELETE', `/datasets/${id}`);
  }).timeout(60_000);

  it('applies tenant, scope and limits of a key to streams', async () => {
    const { id } = await made();
    const key = async (body: object) => (await call<LocalKey>('POST', '/keys', body)).body;
    const [reader, writer] = [await key({ scope: 'read' }), await key({ scope: 'write', series_per_day: 3 })];
    assert.equal((await add(id, line('a'), { as: reader.secret })).status, 403);
    assert.deepEqual(await lines(id, reader.secret), []);
    assert.equal((await add(id, line('a'), { as: 'wrong' })).status, 401);
    assert.equal((await add(id, line('a'), { type: 'application/json' })).status, 415);
    const as = writer.secret;
    assert.equal((await add(id, `${line('a')}\n${line('b')}`, { as })).body.stored, 2);
    assert.equal((await add(id, `${line('a')}\n${line('b')}`, { as })).status, 201, 'what is there is not counted');
    assert.equal((await add(id, `${line('c')}\n${line('d')}`, { as })).status, 429);
    assert.equal((await add(id, line('c'), { as })).body.stored, 1, 'nothing was stored of what was refused');
    const elsewhere = await running().service.fetch(
      new Request('http://local/datasets/none/forecasts.ndjson', { headers: { authorization: `Bearer ${token}` } }),
    );
    assert.equal(elsewhere.status, 404);
    for (const one of [reader, writer]) await call('DELETE', `/keys/${one.id}`);
    await call('DELETE', `/datasets/${id}`);
  });

  it('reads a stream only as fast as it stores it', async () => {
    const { id } = await made();
    const encoder = new TextEncoder();
    let asked = 0;
    let breakOff: (reason: Error) => void = () => undefined;
    const broken = new Promise<never>((_, reject) => (breakOff = reject));
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (asked === 700) await broken;
          controller.enqueue(encoder.encode(`${line(`n${asked++}`)}\n`));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
    const request = new Request(`http://local/datasets/${id}/series`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    });
    const answer = running().service.fetch(request);
    // what came in whole parts is stored while the stream goes on
    await until(
      () => dataset(id),
      (now) => now.series_count === 600,
    );
    breakOff(new Error('The client disconnected.'));
    assert.equal((await answer).status, 400);
    assert.equal((await dataset(id)).series_count, 600, 'what was stored stays');
    await call('DELETE', `/datasets/${id}`);
  });
});

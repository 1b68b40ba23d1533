import assert from 'node:assert/strict';
import type { Worker } from 'node:worker_threads';
import { ThreadReader } from '../../../../src/reading/thread/reader.ts';
import { SeriesError } from '../../../../src/reading/types.ts';
import { until } from '../../editor/until.ts';

const FAULTY = new URL('./faulty-thread.ts', import.meta.url);
const content = 'date,y\n2021-01-01,1\n2021-01-02,2\n2021-01-03,3\n';
/** Reads that never end are ended by the test, not by the clock. */
const NEVER = 1e9;

describe('reading thread', function () {
  this.timeout(60_000);
  const readers: ThreadReader[] = [];
  const readerWith = (limit = NEVER) => {
    const reader = new ThreadReader(FAULTY, undefined, limit);
    readers.push(reader);
    return reader;
  };
  const read = (reader: ThreadReader, fileName: string, signal?: AbortSignal) =>
    reader.read({ content }, { fileName }, signal);
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.dispose();
  });

  it('cancels at once while it is busy', async () => {
    const reader = readerWith();
    const abort = new AbortController();
    const reason = new Error('the person pressed Cancel');
    const reading = read(reader, 'endless.csv', abort.signal);
    setTimeout(() => {
      abort.abort(reason);
    }, 200);
    await assert.rejects(reading, reason);
    assert.equal((await read(reader, 'good.csv')).series.length, 1);
  });

  it('does not begin a request that was cancelled in the queue', async () => {
    const reader = readerWith();
    const [first, second] = [new AbortController(), new AbortController()];
    const busy = [1, 2, 3, 4].map(() => assert.rejects(read(reader, 'endless.csv', first.signal)));
    const waiting = assert.rejects(read(reader, 'endless.csv', second.signal), { name: 'AbortError' });
    second.abort();
    await waiting;
    first.abort();
    await Promise.all(busy);
    await assert.rejects(read(reader, 'good.csv', AbortSignal.abort()), { name: 'AbortError' });
  });

  it('serves other files although one never ends', async () => {
    const reader = readerWith();
    const abort = new AbortController();
    const stuck = [1, 2, 3].map(() => assert.rejects(read(reader, 'endless.csv', abort.signal)));
    const [good, written] = await Promise.all([
      read(reader, 'good.csv'),
      reader.bodyOf({ name: 'x' }, [{ times: Float64Array.of(0), values: Float64Array.of(1), timeKind: 'date', timeZone: '+01:00' }]),
    ]); // prettier-ignore
    assert.equal(good.series[0]?.points, 3);
    assert.match(new TextDecoder().decode(written), /"time_zone":"\+01:00"/);
    abort.abort();
    await Promise.all(stuck);
  });

  it('reads a fifth file while four are slow', async () => {
    const reader = readerWith();
    const abort = new AbortController();
    const stuck = [1, 2, 3, 4].map(() => assert.rejects(read(reader, 'endless.csv', abort.signal)));
    assert.equal((await read(reader, 'good.csv')).series[0]?.points, 3);
    abort.abort();
    await Promise.all(stuck);
  });

  it('continues after one of eight slow files is cancelled, with at most eight threads', async () => {
    const reader = readerWith();
    const aborts = Array.from({ length: 12 }, () => new AbortController());
    let started = 0;
    const count = () => started++;
    process.on('worker', count);
    const stuck = aborts.map(({ signal }) => assert.rejects(read(reader, 'endless.csv', signal)));
    const good = read(reader, 'good.csv');
    await new Promise(setImmediate);
    assert.equal(started, 8);
    aborts[0]!.abort();
    await until(() => started, (count) => count > 8); // prettier-ignore
    await new Promise(setImmediate);
    assert.equal(started, 9);
    for (const each of aborts) each.abort();
    assert.equal((await good).series[0]?.points, 3);
    await Promise.all(stuck);
    process.off('worker', count);
  });

  it('starts no thread for queued requests after dispose', async () => {
    const reader = readerWith();
    let started = 0;
    const count = () => started++;
    process.on('worker', count);
    const reads = [...Array(10).keys()].map(() => assert.rejects(read(reader, 'endless.csv'), { name: 'AbortError' }));
    await new Promise(setImmediate);
    reader.dispose();
    await Promise.all(reads);
    await assert.rejects(read(reader, 'good.csv'), { name: 'AbortError' });
    process.off('worker', count);
    assert.equal(started, 8);
  });

  it('fails without hanging if no thread can start', async () => {
    const reader = new ThreadReader('a script that is no path');
    await assert.rejects(read(reader, 'good.csv'), { code: 'ERR_WORKER_PATH' });
  });

  it('writes column names and texts in a form that every service accepts', async () => {
    const known = {
      futureTimes: new Float64Array(0),
      columns: [{ name: 'a\0b\ud83d', kind: 'text' as const, texts: ['c\0d'], values: Float64Array.of(0), ahead: 0 }],
    };
    const one = { name: 's', times: Float64Array.of(0), values: Float64Array.of(1), timeZone: undefined, known };
    const text = new TextDecoder().decode(await readerWith().linesOf([{ ...one, timeKind: 'date' }]));
    assert.match(text, /"covariates":\{"a\ufffdb\ufffd":"c\ufffdd"\}/);
  });

  it('makes a line for each series and a fingerprint of what is sent', async () => {
    const reader = readerWith();
    const one = {
      name: 'Käse',
      times: Float64Array.of(0),
      values: Float64Array.of(1),
      timeKind: 'date' as const,
      timeZone: undefined,
    };
    const other = { ...one, name: 'b', timeZone: '+01:00' };
    const lines = async (ids?: string[]) =>
      new TextDecoder().decode(await reader.linesOf([one, other], ids)).split('\n');
    const [first, second, ...rest] = await lines(['a "1"', '2']);
    assert.equal(first, '{"id":"a \\"1\\"","name":"Käse","series":[{"timestamp":"1970-01-01T00:00:00Z","value":1}]}');
    assert.match(second, /^\{"id":"2","name":"b",.*"time_zone":"\+01:00"/);
    assert.deepEqual(rest, ['']);
    assert.match((await lines())[0], /^\{"name":"Käse"/);
    const prints = await Promise.all(
      [
        [one, other],
        [other, one],
        [one, { ...other, timeZone: undefined }],
        [one, { ...other, values: Float64Array.of(2) }],
        [one, { ...other, name: 'c' }],
      ].map((series) => reader.fingerprintOf(series)),
    );
    assert.equal(new Set(prints).size, prints.length);
    assert.equal(await reader.fingerprintOf([{ ...one }, other]), prints[0]);
    const long = { ...one, times: new Float64Array(600_000), values: new Float64Array(600_000) };
    await assert.rejects(reader.fingerprintOf([long, one], AbortSignal.abort()), { name: 'AbortError' });
    reader.dispose();
  });

  it('ends with a message after its time limit', async () => {
    await assert.rejects(read(readerWith(300), 'endless.csv'), (error) => {
      assert.ok(error instanceof SeriesError && error.reason === 'too-slow');
      return /endless\.csv was not read within 1 minute, so reading was stopped/.test(error.message);
    });
  });

  it('limits memory by the document’s size, and running out ends that thread alone', async () => {
    const script = `
      import { parentPort, resourceLimits } from 'node:worker_threads';
      parentPort.on('message', ({ id, call }) => {
        if (call.name === 'bomb') { const all = []; for (;;) all.push(new Array(1e5).fill(Math.random())); }
        parentPort.postMessage({ id, value: { series: [], given: resourceLimits.maxOldGenerationSizeMb } });
      });`;
    const reader = new ThreadReader(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
    const given = async (content: string) =>
      (await reader.read({ content }, { fileName: 'a' })) as unknown as { given: number };
    try {
      assert.deepEqual([(await given('a')).given, (await given('a'.repeat(5e7))).given], [320, 620]);
      const refused = reader.read({ content: 'a' }, { fileName: 'bomb' });
      await assert.rejects(refused, (error) => error instanceof SeriesError && error.reason === 'too-large');
      assert.equal((await given('a')).given, 320);
    } finally {
      reader.dispose();
    }
  });

  it('distinguishes a defect from a document that is too large', async () => {
    const reader = readerWith();
    await assert.rejects(read(reader, 'broken.csv'), (error) => {
      assert.ok(error instanceof Error && !(error instanceof SeriesError));
      return error.message === 'broken.csv could not be read: x is not a function';
    });
    await assert.rejects(read(reader, 'huge.csv'), { reason: 'too-large' });
    const started: Worker[] = [];
    const start = (worker: Worker) => started.push(worker);
    process.on('worker', start);
    await read(reader, 'late.csv');
    process.off('worker', start);
    const ended = new Promise((resolve) => started.at(-1)!.once('exit', resolve));
    const channel = new BroadcastChannel('late');
    channel.postMessage('break');
    await ended;
    channel.close();
    assert.equal((await read(reader, 'good.csv')).series.length, 1);
  });
});

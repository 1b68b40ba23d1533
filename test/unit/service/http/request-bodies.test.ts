import assert from 'node:assert/strict';
import { RequestBodies } from '../../../../src/service/http/request-bodies.ts';
import { readBody, type ReadLines } from '../../../../src/service/tasks/bodies.ts';
import { Threads } from '../../../../src/service/tasks/pool.ts';
import { threads } from '../../threads.ts';

const post = (body: string) => new Request('http://local/', { method: 'POST', body });

describe('large bodies', () => {
  it('are parsed alike, wherever chunks are cut', () => {
    const metadata = { quoted: 'a "word" \\', brackets: '[[{{', Grüße: '東京 🎉' };
    const body = { name: 'größer', series: [{ series: [{ timestamp: '2024-01-01T00:00:00Z', value: 1, metadata }] }] };
    const bytes = Buffer.from(JSON.stringify(body));
    const whole = readBody('createDataset', [bytes]);
    for (let at = 0; at <= bytes.length; at++) {
      assert.deepEqual(readBody('createDataset', [bytes.subarray(0, at), bytes.subarray(at)]), whole);
    }
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    assert.deepEqual(readBody('createDataset', single), whole);
    const deep = Buffer.from(`${'['.repeat(40)}"\\"${']'.repeat(40)}"${'['.repeat(40)}`);
    for (const at of [41, 42, 43, 100]) {
      assert.throws(() => readBody('createDataset', [deep.subarray(0, at), deep.subarray(at)]), /deeper than/);
    }
  });

  it('arrive from their thread in pieces, in the order of their series', async () => {
    const pool = new Threads(threads.engine, 1);
    try {
      const series = Array.from({ length: 1234 }, (_, index) => ({
        name: `s${index}`,
        series: [{ timestamp: '2024-01-01T00:00:00Z', value: index }],
      }));
      const body = JSON.stringify({ name: 'many', series });
      const many = await new RequestBodies(pool, pool, { inline: 0 }).read('createDataset', post(body));
      assert.deepEqual(many, readBody('createDataset', [Buffer.from(body)]));
    } finally {
      await pool.dispose();
    }
  });

  it('are parsed by line if they are streams, in a thread for long lines', async () => {
    const pool = new Threads(threads.engine, 1);
    try {
      const series = [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }];
      const lines = Array.from({ length: 700 }, (_, n) => JSON.stringify({ id: `s${n}`, series }));
      const body = ['nothing', ...lines].join('\n');
      const readWith = async (limits: object) => {
        const parts = [];
        const headers = { 'content-type': 'application/x-ndjson' };
        const request = new Request('http://local/', { method: 'POST', headers, body });
        for await (const part of new RequestBodies(pool, pool, limits).lines(request)) parts.push(part);
        return parts;
      };
      const here = await readWith({});
      assert.deepEqual(await readWith({ inline: 0 }), here);
      assert.deepEqual(
        here.map((part) => [part.lines.length, part.faults.map(({ line }) => line), part.lines[0].line]),
        [[299, [1], 2], [300, [], 301], [101, [], 601]], // prettier-ignore
      );
    } finally {
      await pool.dispose();
    }
  });

  it('time out if they arrive too slowly', async () => {
    for (const limits of [{ pace: 1e6 }, { streamPace: 1e6 }]) {
      let isLeft = false;
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          controller.enqueue(Buffer.from(' '));
        },
        cancel: () => {
          isLeft = true;
        },
      });
      const headers = { 'content-type': 'application/x-ndjson' };
      const request = new Request('http://local/', { method: 'POST', headers, body, duplex: 'half' });
      const bodies = new RequestBodies(new Threads('none', 1), undefined, { silence: 50, ...limits });
      const read = 'pace' in limits ? bodies.read('createKey', request) : bodies.lines(request).next();
      await assert.rejects(read, /arrived too slowly/);
      assert.ok(isLeft);
    }
  });

  it('are parsed by an idle compute thread unless they are very large', async () => {
    const script = (name: string) => `
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, call }) => {
        if (call.kind === 'read') parentPort.postMessage({ id, value: { name: '${name}' } });
        if (call.kind === 'read-lines') parentPort.postMessage({ id, value: { lines: [{ line: '${name}' }], faults: [] } });
      });`;
    const url = (name: string) => new URL(`data:text/javascript,${encodeURIComponent(script(name))}`);
    const [readers, computing] = [new Threads(url('reader'), 1), new Threads(url('computing'), 1)];
    const bodies = new RequestBodies(readers, computing, { inline: 0, lasting: 100 });
    const busy = new AbortController();
    const readBy = async (length: number) =>
      (await bodies.read('createKey', post(JSON.stringify({ name: 'x'.repeat(length) })))).name;
    const linesBy = async () => {
      const headers = { 'content-type': 'application/x-ndjson' };
      const stream = new Request('http://x', { method: 'POST', headers, body: '{"series":[]}\n' });
      const { value } = await bodies.lines(stream).next();
      return (value as ReadLines).lines[0]?.line as unknown;
    };
    try {
      assert.deepEqual([await readBy(1), await readBy(1), await readBy(200)], ['computing', 'computing', 'reader']);
      const nothing = () => undefined;
      const endless = computing.run({ kind: 'anomalies', points: '[]', rarity: 1 }, busy.signal, {
        onStart: nothing,
        onProgress: nothing,
      });
      assert.deepEqual([await readBy(1), await linesBy()], ['reader', 'reader']);
      busy.abort(new Error('over'));
      await assert.rejects(endless, /over/);
      while (!computing.hasRoom) await new Promise(setImmediate);
      assert.deepEqual([await readBy(1), await linesBy()], ['computing', 'computing']);
    } finally {
      await Promise.all([readers.dispose(), computing.dispose()]);
    }
  });

  it('end the thread that parsed them, which frees its memory', async () => {
    const script = `
      import { parentPort, threadId } from 'node:worker_threads';
      parentPort.on('message', ({ id }) => parentPort.postMessage({ id, value: { name: threadId } }));`;
    const pool = new Threads(new URL(`data:text/javascript,${encodeURIComponent(script)}`), 1);
    const bodies = new RequestBodies(pool, pool, { inline: 0, lasting: 100 });
    try {
      const thread = async (length: number) =>
        (await bodies.read('createKey', post(JSON.stringify({ name: 'x'.repeat(length) })))).name;
      const [first, second, huge, next] = [await thread(1), await thread(1), await thread(200), await thread(1)];
      assert.deepEqual([second, huge], [first, first]);
      assert.notEqual(next, first);
    } finally {
      await pool.dispose();
    }
  });
});

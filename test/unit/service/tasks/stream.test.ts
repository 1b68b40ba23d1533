import { failure } from '../../../../src/contract/failures.ts';
import assert from 'node:assert/strict';
import { JobError } from '../../../../src/service/errors.ts';
import type { Threads } from '../../../../src/service/tasks/pool.ts';
import { forecastStream, type LinesTask } from '../../../../src/service/tasks/stream.ts';

const settings = { model: 'theta', levels: [] };

/** Threads that answer with the lines themselves, and end over some of them. */
function threadsThat(fail: (text: string) => Error | undefined) {
  const run = ({ bytes }: LinesTask) => {
    const text = new TextDecoder().decode(bytes);
    const error = fail(text);
    return error ? Promise.reject(error) : Promise.resolve(new TextEncoder().encode(`${text.trimEnd()}\n`));
  };
  return { size: 2, run } as unknown as Threads;
}

async function* linesOf(...lines: readonly string[]) {
  for (const line of lines) yield await Promise.resolve(new TextEncoder().encode(`${line}\n`));
}

async function streamed(threads: Threads, ...lines: readonly string[]): Promise<string[]> {
  let out = '';
  const write = (bytes: Uint8Array) => {
    out += new TextDecoder().decode(bytes);
    return Promise.resolve();
  };
  await forecastStream(threads, linesOf(...lines), settings, write);
  return out.trim().split('\n');
}

describe('stream of series', () => {
  it('loses one line to a thread that ends, and no other', async () => {
    const full = new JobError(failure('out_of_memory'));
    const threads = threadsThat((text) =>
      text.includes('huge') ? full : text.includes('odd') ? new Error('defect') : undefined,
    );
    assert.deepEqual(await streamed(threads, 'a', 'huge', 'b', 'odd', 'c'), [
      'a',
      `{"id":null,"line":2,"error":"${full.message}"}`,
      'b',
      '{"id":null,"line":4,"error":"The computation ended before it was done."}',
      'c',
    ]);
  });

  it('reads no more than its threads and its reader take', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read++;
        yield await Promise.resolve(new TextEncoder().encode(`${'x'.repeat(300_000)}\n`));
      }
    }
    const stop = new Error('the reader has enough');
    let written = 0;
    const write = () => (++written < 5 ? Promise.resolve() : Promise.reject(stop));
    await assert.rejects(
      forecastStream(
        threadsThat(() => undefined),
        endless(),
        settings,
        write,
      ),
      stop,
    );
    assert.ok(read <= 5 + 4, `${read} lines were read for 5`);
  });

  /** Input that says what it is told to, and nothing between. */
  function spoken() {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const say = (text: string) => {
      writer.write(new TextEncoder().encode(text)).catch(() => undefined);
    };
    return { input: readable as ReadableStream<Uint8Array>, say, close: () => writer.close() };
  }

  it('answers each line soon while input pauses, and waits for an unfinished one', async () => {
    const { input, say, close } = spoken();
    let out = '';
    let reported = Promise.withResolvers<undefined>();
    const write = (bytes: Uint8Array) => {
      out += new TextDecoder().decode(bytes);
      reported.resolve(undefined);
      return Promise.resolve();
    };
    const ended = forecastStream(threadsThat(() => undefined), input, settings, write); // prettier-ignore
    for (const [text, answered] of [
      ['a\n', 'a\n'],
      ['b\nc\nd', 'a\nb\nc\n'],
      ['d\n', 'a\nb\nc\ndd\n'],
    ]) {
      reported = Promise.withResolvers();
      say(text);
      await reported.promise;
      assert.equal(out, answered);
    }
    say('e');
    await close();
    await ended;
    assert.equal(out, 'a\nb\nc\ndd\ne\n');
  });

  it('hands over many lines at a time if they arrive together', async () => {
    const counts: number[] = [];
    const threads = threadsThat((text) => {
      counts.push(text.split('\n').length - 1);
      return undefined;
    });
    const lines = Array.from({ length: 320 }, (_, n) => `${n}`);
    assert.deepEqual(await streamed(threads, lines.join('\n')), lines);
    assert.deepEqual(counts, new Array(10).fill(32));
  });
});

import assert from 'node:assert/strict';
import { JobError } from '../../../../src/service/errors.ts';
import type { Threads } from '../../../../src/service/jobs/pool.ts';
import { forecastStream } from '../../../../src/service/jobs/stream.ts';
import type { LinesTask } from '../../../../src/service/jobs/tasks.ts';

const settings = { model: 'theta', levels: [] };
const never = new AbortController().signal;

/** Threads that answer with the lines themselves, and end over some of them. */
function threadsThat(fail: (text: string) => Error | undefined) {
  const run = ({ bytes }: LinesTask) => {
    const error = fail(new TextDecoder().decode(bytes));
    return error ? Promise.reject(error) : Promise.resolve(bytes);
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
  await forecastStream(threads, linesOf(...lines), settings, write, never);
  return out.trim().split('\n');
}

describe('a stream of series', () => {
  it('loses one line to a thread that ends, and no other', async () => {
    const full = new JobError('The computation ended before it was done, for want of memory.');
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
        never,
      ),
      stop,
    );
    assert.ok(read <= 5 + 4, `${read} lines were read for 5`);
  });

  it('ends with its signal', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const threads = threadsThat(() => {
      abort.abort(reason);
      return reason;
    });
    const ended = forecastStream(threads, linesOf('a', 'b'), settings, () => Promise.resolve(), abort.signal);
    await assert.rejects(ended, reason);
  });
});

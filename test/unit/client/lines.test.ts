import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/client/errors.ts';
import { readLines } from '../../../src/client/answer.ts';

/** A body of these pieces; `undefined` says no more, and never ends. */
function stream(...pieces: (string | Uint8Array | undefined)[]) {
  const reported = { cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece !== undefined) controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      else if (pieces.length === 0) controller.close();
      else return new Promise(() => undefined);
      return undefined;
    },
    cancel: () => {
      reported.cancelled = true;
    },
  });
  return { response: new Response(body), reported };
}
const SILENT = [undefined, 'never'] as const;

async function read(response: Response, { silence = 1000, signal }: { silence?: number; signal?: AbortSignal } = {}) {
  const lines: unknown[] = [];
  let error: unknown;
  try {
    for await (const line of readLines(response, { name: 'Example', silence, signal })) lines.push(line);
  } catch (thrown) {
    error = thrown;
  }
  return { lines, error: error instanceof ServiceError ? error.kind : error };
}

describe('lines of JSON', () => {
  it('yield to the event loop between the chunks of a complete stream', async () => {
    const parts = Array.from({ length: 20 }, (_, part) => new TextEncoder().encode(`{"a":${part}}\n`));
    const response = new Response(ReadableStream.from(parts));
    let turns = 0;
    let timer = setImmediate(function again() {
      turns++;
      timer = setImmediate(again);
    });
    let count = 0;
    for await (const line of readLines(response, { name: 'Example', signal: undefined })) if (line) count++;
    clearImmediate(timer);
    assert.equal(count, 20);
    assert.ok(turns >= 20, `${turns}`);
  });

  it('may have any number of pieces', async () => {
    const { lines } = await read(stream('"', ...Array.from({ length: 500 }, () => 'x'.repeat(65_536)), '"\n').response);
    assert.equal(String(lines[0]).length, 500 * 65_536);
  });

  it('are whole wherever the chunks end, also within a character, and without a final line break', async () => {
    const text = new TextEncoder().encode('{"n":"é"}\r\n\n \n{"n":2}\n{"n":3}');
    for (let cut = 1; cut < text.length; cut++) {
      const { lines, error } = await read(stream(text.slice(0, cut), text.slice(cut)).response);
      assert.deepEqual([lines, error], [[{ n: 'é' }, { n: 2 }, { n: 3 }], undefined], String(cut));
    }
  });

  it('begin after a byte order mark', async () => {
    assert.deepEqual(await read(stream('\uFEFF{"n":1}\n').response), { lines: [{ n: 1 }], error: undefined });
  });

  it('are returned up to a damaged one, at the end or in the middle', async () => {
    for (const broken of ['{"n":1}\n{"n":', '{"n":1}\n{"n":\n{"n":3}\n', '{"n":1}\nInternal Server Error\n'])
      assert.deepEqual(await read(stream(broken).response), { lines: [{ n: 1 }], error: 'not-a-service' }, broken);
  });

  it('are none of an empty answer, or of one without a body', async () => {
    assert.deepEqual(await read(stream('\n').response), { lines: [], error: undefined });
    assert.deepEqual(await read(new Response(null, { status: 204 })), { lines: [], error: undefined });
  });

  it('end with a timeout where the service sends nothing more, and close the connection', async () => {
    const { response, reported } = stream('{"n":1}\n', ...SILENT);
    assert.deepEqual(await read(response, { silence: 20 }), { lines: [{ n: 1 }], error: 'timeout' });
    assert.ok(reported.cancelled);
  });

  it('end at once when aborted, even where the service sends nothing', async () => {
    const { response, reported } = stream(...SILENT);
    const stop = new AbortController();
    const reason = new Error('enough');
    const reading = read(response, { signal: stop.signal, silence: 300 });
    setImmediate(() => {
      stop.abort(reason);
    });
    assert.deepEqual(await reading, { lines: [], error: reason });
    assert.ok(reported.cancelled);
  });
});

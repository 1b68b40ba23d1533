import assert from 'node:assert/strict';
import { linesOf } from '../../../../src/service/tasks/bodies.ts';

/** What becomes of a text that comes in pieces of so many bytes. */
async function cut(text: string, piece: number, options: Parameters<typeof linesOf>[1] = {}): Promise<string[]> {
  async function* input() {
    const bytes = new TextEncoder().encode(text);
    for (let from = 0; from < bytes.length; from += piece) {
      yield bytes.subarray(from, from + piece);
      await Promise.resolve();
    }
  }
  const parts: string[] = [];
  for await (const part of linesOf(input(), options)) {
    parts.push(
      'longLine' in part ? `${part.longLine} is long` : `${part.firstLine}: ${new TextDecoder().decode(part.bytes)}`,
    );
  }
  return parts;
}

describe('splitting a stream into lines', () => {
  it('gives whole lines in order, however the bytes arrive', async () => {
    for (const piece of [1, 2, 3, 7, 100]) {
      assert.deepEqual(await cut('a\nbä\n\ncc\nd', piece, { most: 2, waits: true }), [
        '1: a\nbä\n',
        '3: \ncc\n',
        '5: d',
      ]);
    }
    assert.deepEqual(await cut('', 5), []);
    assert.deepEqual(await cut('\n', 5), ['1: \n']);
  });

  it('skips a line that is too long, and numbers the next ones', async () => {
    for (const piece of [1, 4, 100]) {
      const parts = await cut(`a\n${'x'.repeat(50)}\nb\n${'y'.repeat(50)}`, piece, { longest: 10 });
      assert.deepEqual(parts, ['1: a\n', '2 is long', '3: b\n', '4 is long']);
    }
  });
});

import { failure } from '../../contract/failures.ts';
import { joined } from '../../platform/joined.ts';

export interface Lines {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly firstLine: number;
}

/** What goes to a thread at once: small enough that threads end at about the same time, large enough to cost little. */
const PART = { most: 32, bytes: 256 * 1024 };
/** A series of a million points has about half of this. */
const LONGEST_LINE = 64 * 1024 * 1024;
export const TOO_LONG = failure('line_too_long', LONGEST_LINE / 1024 / 1024);

const NEWLINE = 10;

/** Cuts a stream into whole lines, some at a time. @param waits whether for so many, else no longer than for the next piece */
export async function* linesOf(
  input: AsyncIterable<Uint8Array>,
  { most = PART.most, bytes = PART.bytes, longest = LONGEST_LINE, waits = false } = {},
): AsyncGenerator<Lines | { readonly longLine: number }> {
  let whole: Uint8Array[] = [];
  let lines = 0;
  let firstLine = 1;
  let open: Uint8Array[] = [];
  let isSkipped = false;
  const close = () => {
    whole.push(...open);
    open = [];
    lines++;
  };
  function* take(): Generator<Lines> {
    if (lines > 0) yield { bytes: joined(whole), firstLine };
    firstLine += lines;
    [whole, lines] = [[], 0];
  }
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, from);
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end + 1);
      from += piece.length;
      if (!isSkipped && sizeOf(open) + piece.length > longest) {
        yield* take();
        yield { longLine: firstLine };
        [open, isSkipped] = [[], true];
      }
      if (!isSkipped) open.push(piece);
      if (end < 0) continue;
      if (isSkipped) firstLine++;
      else close();
      isSkipped = false;
      if (lines >= most || sizeOf(whole) >= bytes) yield* take();
    }
    if (!waits) yield* take();
  }
  if (open.length > 0) close();
  yield* take();
}

export function* eachLine({ bytes, firstLine: line }: Lines) {
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(NEWLINE, from);
    const one = bytes.subarray(from, end < 0 ? bytes.length : end);
    if (!one.every((byte) => byte === 32 || (byte >= 9 && byte <= 13))) yield { bytes: one, line };
    from += one.length + 1;
  }
}

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

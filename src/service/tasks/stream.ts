import { failure } from '../../contract/failures.ts';
import { JobError } from '../errors.ts';
import type { LinesTask } from './forecast-lines.ts';
import { eachLine, type Lines, linesOf } from './lines.ts';
import type { Threads } from './pool.ts';

/** How each series of a stream is forecast. */
export type StreamSettings = Omit<LinesTask, 'bytes' | 'firstLine'>;

/** Parts for each thread: the one it computes, and one that waits. */
const PARTS_EACH = 2;

/** Input that says nothing for so long pauses, in milliseconds: what came of it is answered meanwhile. */
const PAUSE = 10;
const NOTHING = new Uint8Array(0);

/** Where a stream goes to, and what ends it. */
export interface StreamEnds {
  /** Takes UTF-8; the next part comes when it is done. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Forecasts a stream of series, one a line as JSON: one line goes out for each that is not blank, in their order, as soon as
 * it is done. What is kept at a time does not grow with the stream, as no more is read than the threads have done and the
 * output has taken. A line that cannot be forecast gives its error; nothing but the signal and the output ends the stream.
 */
export async function forecastStream(
  threads: Threads,
  input: AsyncIterable<Uint8Array>,
  settings: StreamSettings,
  { write, signal }: StreamEnds,
): Promise<void> {
  const broken = new AbortController();
  const ends = AbortSignal.any([signal, broken.signal]);
  const underWay: Promise<void>[] = [];
  let written = Promise.resolve();
  for await (const part of linesOf(withPauses(input, ends))) {
    signal.throwIfAborted();
    const answer =
      'longLine' in part ? Promise.resolve(tooLong(part.longLine)) : answered(threads, part, settings, signal);
    // it is waited for in its turn, which may be after it has failed
    answer.catch(() => undefined);
    const before = written;
    written = (async () => {
      await before;
      await write(await answer);
    })();
    written.catch((error: unknown) => {
      broken.abort(error);
    });
    underWay.push(written);
    if (underWay.length >= PARTS_EACH * threads.size) await underWay.shift();
  }
  await written;
}

/**
 * The same input with an empty piece wherever it pauses.
 * @param ends ends it, with its reason, though the input says nothing
 */
async function* withPauses(input: AsyncIterable<Uint8Array>, ends: AbortSignal): AsyncGenerator<Uint8Array> {
  const pieces = input[Symbol.asyncIterator]();
  let isAsked = false;
  try {
    for (;;) {
      ends.throwIfAborted();
      isAsked = true;
      const next = pieces.next();
      let piece = await soon(next, ends, PAUSE);
      if (!piece) {
        yield NOTHING;
        piece = (await soon(next, ends))!;
      }
      isAsked = false;
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    const returned = pieces.return?.();
    // who was asked and does not answer does not end either
    if (isAsked) returned?.catch(() => undefined);
    else await returned;
  }
}

/** @returns what comes; `undefined` where nothing does for so long. @throws the signal's reason */
function soon<T>(next: Promise<T>, ends: AbortSignal, pause?: number): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const end = () => {
    reject(ends.reason as Error);
  };
  if (ends.aborted) end();
  else ends.addEventListener('abort', end);
  // what came while this thread was at work itself is looked at before
  const late = () => setImmediate(resolve, undefined);
  const timer = pause === undefined ? undefined : setTimeout(late, pause);
  next.then(resolve, reject);
  return promise.finally(() => {
    ends.removeEventListener('abort', end);
    clearTimeout(timer);
  });
}

/** Where a thread ends over one of the lines, each is tried by itself. */
async function answered(
  threads: Threads,
  part: Lines,
  settings: StreamSettings,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    return await threads.run<'lines'>({ kind: 'lines', ...settings, ...part }, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    const lines = [...eachLine(part)];
    if (lines.length > 1) {
      const answers = [];
      for (const { bytes, line } of lines) {
        answers.push(await answered(threads, { bytes: bytes.slice(), firstLine: line }, settings, signal));
      }
      return Buffer.concat(answers);
    }
    const why = error instanceof JobError ? error.message : failure('thread_ended').detail;
    return lineOf({ id: null, line: part.firstLine, error: why });
  }
}

const tooLong = (line: number) => lineOf({ id: null, line, error: failure('line_too_long', 64).detail });

const lineOf = (answer: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(answer)}\n`);

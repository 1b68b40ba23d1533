import { failure } from '../../contract/failures.ts';
import type { Hash } from '#platform/hash';
import { BusyError, JobError, RequestError } from '../errors.ts';
import { type Bodies, type BodyName, MAX_BYTES, readBody, type ReadLines, readLines } from '../tasks/bodies.ts';
import { joined } from '../../platform/joined.ts';
import { linesOf } from '../tasks/lines.ts';
import type { Threads } from '../tasks/pool.ts';
import type { TaskProgress } from '../tasks/series.ts';
import type { NewDataset } from '../store/points.ts';

const MEGABYTE = 1024 * 1024;

export interface BodyLimits {
  /** All bodies together that arrive or are read at a time, in bytes. */
  readonly together: number;
  /** A larger one is read in a thread, in bytes. */
  readonly inline: number;
  /** A larger one is read in a thread for nothing else, which then ends and gives its memory back, in bytes. */
  readonly lasting: number;
  /** How long a body may say nothing before it is given up, in milliseconds; so long it may also be slower than it has to be. */
  readonly silence: number;
  /** The least pace of a body, and of a stream, while it is waited for, in bytes a second. */
  readonly pace: number;
  readonly streamPace: number;
}

const LIMITS: BodyLimits = {
  together: 320 * MEGABYTE,
  inline: MEGABYTE / 2,
  lasting: 4 * MEGABYTE,
  silence: 20_000,
  // 144 kbit/s is the least that IMT-2000 (3G) asks of a network, in a moving car
  pace: 16_384,
  // as Apache's mod_reqtimeout has it for a server of anything
  streamPace: 500,
};

/** Lines of a stream that are read, and stored, together: less than a tenth of a second. */
const LINES = { most: 300, bytes: 2 * MEGABYTE, waits: true };
const TOO_LONG = failure('line_too_long', 64);
const STREAMS = /^application\/(x-ndjson|ndjson|jsonl|x-jsonlines)\s*(;|$)/i;

/** Bodies of requests as they arrive: counted while they do, and read off this thread where they are large. */
export class RequestBodies {
  readonly #readers: Threads;
  readonly #computing: Threads;
  readonly #limits: BodyLimits;
  #bytes = 0;

  /**
   * @param readers large bodies are read there, and nothing else is done
   * @param computing those that are done in a moment are read there instead while a thread has nothing to do: what is read is
   *   mostly forecast next, by a thread that is then already there
   */
  constructor(readers: Threads, computing = readers, limits: Partial<BodyLimits> = {}) {
    this.#readers = readers;
    this.#computing = computing;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** @param hash gets the bytes. @throws RequestError 408, 413, 415, 422; BusyError */
  async read<N extends BodyName>(name: N, request: Request, hash?: Hash): Promise<Bodies[N]> {
    checkForm(request);
    const counted = { bytes: 0 };
    try {
      const blocks = await this.#collect(request, MAX_BYTES[name], counted);
      for (const block of blocks) hash?.update(block);
      if (counted.bytes <= this.#limits.inline) return readBody(name, blocks);
      const series: NewDataset['series'][] = [];
      const onProgress = ({ series: some }: TaskProgress) => some && series.push(some);
      const isLast = counted.bytes > this.#limits.lasting;
      const threads = !isLast && this.#computing.hasRoom ? this.#computing : this.#readers;
      const transfer = blocks.map(({ buffer }) => buffer);
      const task = { kind: 'read', name, blocks } as const;
      const body = await threads.run(task, request.signal, { onProgress }, { transfer, isLast });
      // what is read is what this kind of body is, as the thread calls the same function
      return (series.length > 0 ? { ...body, series: series.flat() } : body) as Bodies[N];
    } catch (error) {
      throw error instanceof JobError ? tooLarge(counted.bytes) : error;
    } finally {
      this.#bytes -= counted.bytes;
    }
  }

  /** The lines of a stream of series, some at a time: more is read when they are done. @throws RequestError */
  async *lines(request: Request): AsyncGenerator<ReadLines> {
    checkForm(request);
    if (!STREAMS.test(request.headers.get('content-type') ?? '')) throw new RequestError(415, failure('not_ndjson'));
    const counted = { bytes: 0 };
    try {
      for await (const part of linesOf(this.#chunks(request, this.#limits.streamPace, counted), LINES)) {
        if ('longLine' in part) yield { lines: [], faults: [{ line: part.longLine, error: TOO_LONG }] };
        else if (part.bytes.length <= this.#limits.inline) yield readLines(part);
        else yield await this.#readers.run({ kind: 'read-lines', ...part }, request.signal);
        this.#bytes -= counted.bytes;
        counted.bytes = 0;
      }
    } catch (error) {
      throw error instanceof JobError ? tooLarge(counted.bytes) : error;
    } finally {
      this.#bytes -= counted.bytes;
    }
  }

  /** @returns blocks of about a megabyte, so that no huge body is put together at once */
  async #collect(request: Request, most: number, counted: Counted): Promise<Uint8Array<ArrayBuffer>[]> {
    if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most);
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    let [chunks, length]: [Uint8Array[], number] = [[], 0];
    for await (const chunk of this.#chunks(request, this.#limits.pace, counted)) {
      if (counted.bytes > most) throw tooLarge(most);
      chunks.push(chunk);
      length += chunk.length;
      if (length < MEGABYTE) continue;
      blocks.push(joined(chunks));
      [chunks, length] = [[], 0];
    }
    return [...blocks, joined(chunks)];
  }

  /** The bytes of a body as they arrive. @throws BusyError where all that arrives at the same time is too much */
  async *#chunks({ body }: Request, pace: number, counted: Counted): AsyncGenerator<Uint8Array> {
    const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
    if (!reader) return;
    const waited: Waited = { bytes: 0, time: 0, pace };
    try {
      for (let chunk; (chunk = await this.#next(reader, waited));) {
        counted.bytes += chunk.length;
        this.#bytes += chunk.length;
        if (this.#bytes > this.#limits.together) throw new BusyError(failure('bodies_busy'));
        yield chunk;
      }
    } finally {
      reader.cancel().catch(() => undefined);
    }
  }

  /** The next bytes of a body; `undefined` at its end. @param waited how it came so far. @throws RequestError 400, 408 */
  async #next(reader: ReadableStreamDefaultReader<Uint8Array>, waited: Waited): Promise<Uint8Array | undefined> {
    const { silence } = this.#limits;
    const left = silence + (waited.bytes / waited.pace) * 1000 - waited.time;
    if (left <= 0) throw noEnd();
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => {
        reject(noEnd());
      },
      Math.min(silence, left),
    );
    const from = performance.now();
    try {
      const { done, value } = await Promise.race([reader.read(), promise]);
      waited.time += performance.now() - from;
      waited.bytes += value?.length ?? 0;
      return done ? undefined : value;
    } catch (error) {
      if (error instanceof RequestError) throw error;
      throw new RequestError(400, failure('body_broken'));
    } finally {
      clearTimeout(timer);
    }
  }
}

const tooLarge = (most: number): RequestError =>
  new RequestError(413, failure('body_too_large', Math.floor(most / MEGABYTE)));

interface Counted {
  bytes: number;
}

/** How a body came so far: only the time counts in which it was waited for. */
interface Waited {
  bytes: number;
  time: number;
  readonly pace: number;
}

const noEnd = () => new RequestError(408, failure('body_slow'));

/** @throws RequestError 415 for a body that is not text as it is, in UTF-8 */
function checkForm(request: Request): void {
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new RequestError(415, failure('body_encoded', encoding));
  }
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(request.headers.get('content-type') ?? '')?.[1] ?? 'utf-8';
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw new RequestError(415, failure('body_charset', charset));
  }
}

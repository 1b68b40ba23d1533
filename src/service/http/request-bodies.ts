import { failure } from '../../contract/failures.ts';
import type { Hash } from '#platform/hash';
import { BusyError, JobError, RequestError } from '../errors.ts';
import { linesOf, MAX_BYTES, MEGABYTE, readBody, readLines, TOO_LONG } from '../tasks/bodies.ts';
import type { Bodies, BodyName, ReadLines } from '../tasks/bodies.ts';
import { joined } from '../../platform/joined.ts';
import type { Threads } from '../tasks/pool.ts';
import type { TaskProgress } from '../tasks/series.ts';
import type { NewDataset } from '../store/points.ts';

/** In bytes, milliseconds, and bytes a second. */
const LIMITS = {
  together: 320 * MEGABYTE,
  inline: MEGABYTE / 2,
  lasting: 4 * MEGABYTE, // a larger one is read in a thread for nothing else, which then ends and gives its memory back
  /** How long nothing may arrive of a body; for so long it may also be slower than the least rate. */
  silence: 20_000,
  /** The least rate while the service waits for a body: 144 kbit/s is the least that IMT-2000 (3G) asks of a network, in a moving car. */
  rate: 16_384,
  /** That of a stream, as Apache's mod_reqtimeout has it for a server of anything. */
  streamRate: 500,
};

/** Lines of a stream that are read, and stored, together: less than a tenth of a second. */
const LINES = { most: 300, bytes: 2 * MEGABYTE, waits: true };
const STREAMS = /^application\/(x-ndjson|ndjson|jsonl|x-jsonlines)\s*(;|$)/i;

/** Bodies of requests as they arrive: counted while they do, and read off this thread where they are large. */
export class RequestBodies {
  readonly #readers: Threads;
  readonly #computing: Threads;
  readonly #limits: typeof LIMITS;
  #bytes = 0;

  /** @param computing reads instead what is done in a moment, while it has nothing to do: what is read is mostly forecast next */
  constructor(readers: Threads, computing = readers, limits: Partial<typeof LIMITS> = {}) {
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
      const threads = isLast ? this.#readers : this.#free;
      const kept = { transfer: blocks.map(({ buffer }) => buffer), isLast };
      const body = await threads.run({ kind: 'read', name, blocks }, request.signal, { onProgress }, kept);
      // what is read is what this kind of body is, as the thread calls the same function
      return (series.length > 0 ? { ...body, series: series.flat() } : body) as Bodies[N];
    } catch (error) {
      throw error instanceof JobError ? tooLarge(counted.bytes) : error;
    } finally {
      this.#bytes -= counted.bytes;
    }
  }

  get #free(): Threads {
    return this.#computing.hasRoom ? this.#computing : this.#readers;
  }

  /** The lines of a stream of series, some at a time: more is read when they are done. @throws RequestError */
  async *lines(request: Request): AsyncGenerator<ReadLines> {
    checkForm(request);
    if (!STREAMS.test(request.headers.get('content-type') ?? '')) throw new RequestError(415, failure('not_ndjson'));
    const counted = { bytes: 0 };
    try {
      for await (const part of linesOf(this.#chunks(request, this.#limits.streamRate, counted), LINES)) {
        if ('longLine' in part) yield { lines: [], faults: [{ line: part.longLine, error: TOO_LONG }] };
        else if (part.bytes.length <= this.#limits.inline) yield readLines(part);
        else yield await this.#free.run({ kind: 'read-lines', ...part }, request.signal);
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
  async #collect(request: Request, most: number, counted: { bytes: number }): Promise<Uint8Array<ArrayBuffer>[]> {
    if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most);
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    let [chunks, length]: [Uint8Array[], number] = [[], 0];
    for await (const chunk of this.#chunks(request, this.#limits.rate, counted)) {
      if (counted.bytes > most) throw tooLarge(most);
      chunks.push(chunk);
      length += chunk.length;
      if (length < MEGABYTE) continue;
      const isOwn = chunks.length === 1 && chunk.length === chunk.buffer.byteLength;
      blocks.push(isOwn ? (chunk as Uint8Array<ArrayBuffer>) : joined(chunks));
      [chunks, length] = [[], 0];
    }
    return [...blocks, joined(chunks)];
  }

  /** The bytes of a body as they arrive. @throws RequestError 400, 408; BusyError where too much arrives at the same time */
  async *#chunks({ body }: Request, rate: number, counted: { bytes: number }): AsyncGenerator<Uint8Array> {
    const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
    if (!reader) return;
    const { silence, together } = this.#limits;
    let [bytes, waited] = [0, 0];
    const next = async () => {
      const { promise, reject } = Promise.withResolvers<never>();
      const late = () => reject(new RequestError(408, failure('body_slow')));
      const left = silence + (bytes / rate) * 1000 - waited;
      const timer = setTimeout(late, Math.max(0, Math.min(silence, left)));
      const from = performance.now();
      try {
        return await Promise.race([reader.read(), promise]);
      } catch (error) {
        throw error instanceof RequestError ? error : new RequestError(400, failure('body_broken'));
      } finally {
        clearTimeout(timer);
        waited += performance.now() - from;
      }
    };
    try {
      for (let read; !(read = await next()).done;) {
        const { length } = read.value;
        bytes += length;
        counted.bytes += length;
        this.#bytes += length;
        if (this.#bytes > together) throw new BusyError(failure('bodies_busy'));
        yield read.value;
      }
    } finally {
      reader.cancel().catch(() => undefined);
    }
  }
}

const tooLarge = (most: number): RequestError =>
  new RequestError(413, failure('body_too_large', Math.floor(most / MEGABYTE)));

/** @throws RequestError 415 for a body that is not text as it is, in UTF-8 */
function checkForm({ headers }: Request): void {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new RequestError(415, failure('body_encoded', encoding));
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8';
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw new RequestError(415, failure('body_charset', charset));
}

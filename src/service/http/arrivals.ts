import type { Hash } from 'node:crypto';
import { BusyError, JobError, RequestError } from '../errors.ts';
import { type Bodies, type BodyName, readBody } from '../jobs/bodies.ts';
import type { Threads } from '../jobs/pool.ts';
import type { NewDataset } from '../store/new.ts';

const MEGABYTE = 1024 * 1024;

export interface BodyLimits {
  /** The largest body, in bytes. */
  readonly body: number;
  /** All bodies together that arrive or are read at a time, in bytes. */
  readonly together: number;
  /** A larger one is read in a thread of its own, in bytes. */
  readonly inline: number;
  /** The thread that has read a larger one ends and gives its memory back, in bytes. */
  readonly lasting: number;
  /** How long a body may say nothing before it is given up, in milliseconds. */
  readonly silence: number;
}

const LIMITS: BodyLimits = {
  body: 256 * MEGABYTE,
  together: 512 * MEGABYTE,
  inline: MEGABYTE / 2,
  lasting: 4 * MEGABYTE,
  silence: 20_000,
};

/** Bodies of requests as they arrive: counted while they do, and read off this thread where they are large. */
export class Arrivals {
  readonly #threads: Threads;
  readonly #limits: BodyLimits;
  #bytes = 0;

  /** @param threads large bodies are read there, and nothing else is done */
  constructor(threads: Threads, limits: Partial<BodyLimits> = {}) {
    this.#threads = threads;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** @param hash gets the bytes. @throws RequestError 408, 413, 415, 422; BusyError */
  async read<N extends BodyName>(name: N, request: Request, hash?: Hash): Promise<Bodies[N]> {
    const encoding = request.headers.get('content-encoding') ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') {
      throw new RequestError(415, `Send the body as it is, without the encoding ${encoding}.`);
    }
    const charset = /;\s*charset="?([^\s;"]+)/i.exec(request.headers.get('content-type') ?? '')?.[1] ?? 'utf-8';
    if (!/^(utf-?8|us-ascii)$/i.test(charset)) {
      throw new RequestError(415, `Send the body in UTF-8, not in ${charset}.`);
    }
    const counted = { bytes: 0 };
    try {
      const blocks = await this.#collect(request, counted);
      for (const block of blocks) hash?.update(block);
      if (counted.bytes <= this.#limits.inline) return readBody(name, blocks);
      const series: NewDataset['series'][] = [];
      const nothing = () => undefined;
      const events = {
        onStart: nothing,
        onProgress: nothing,
        onSeries: (some: NewDataset['series']) => series.push(some),
      };
      const body = await this.#threads.run({ kind: 'read', name, blocks }, request.signal, events, {
        transferred: blocks.map(({ buffer }) => buffer),
        isLast: counted.bytes > this.#limits.lasting,
      });
      // what is read is what this kind of body is, as the thread calls the same function
      return (series.length > 0 ? { ...body, series: series.flat() } : body) as Bodies[N];
    } catch (error) {
      if (error instanceof JobError) throw this.#tooLarge();
      throw error;
    } finally {
      this.#bytes -= counted.bytes;
    }
  }

  #tooLarge(): RequestError {
    const most = Math.floor(this.#limits.body / MEGABYTE);
    return new RequestError(413, `The body is larger than ${most} MB. Send it in parts.`);
  }

  /** @returns blocks of about a megabyte, so that nobody waits while a huge body is put together */
  async #collect(request: Request, counted: { bytes: number }): Promise<Uint8Array<ArrayBuffer>[]> {
    if (Number(request.headers.get('content-length') ?? 0) > this.#limits.body) throw this.#tooLarge();
    if (!request.body) return [];
    const reader = (request.body as ReadableStream<Uint8Array>).getReader();
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    let chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for (;;) {
        const chunk = await this.#next(reader);
        if (!chunk) break;
        counted.bytes += chunk.length;
        this.#bytes += chunk.length;
        if (counted.bytes > this.#limits.body) throw this.#tooLarge();
        if (this.#bytes > this.#limits.together) {
          throw new BusyError('Too many large requests arrive at a time. Try again in a while.');
        }
        chunks.push(chunk);
        length += chunk.length;
        if (length < MEGABYTE) continue;
        blocks.push(joined(chunks, length));
        [chunks, length] = [[], 0];
      }
    } catch (error) {
      void reader.cancel().catch(() => undefined);
      throw error;
    }
    return [...blocks, joined(chunks, length)];
  }

  /** The next bytes of a body; `undefined` at its end. */
  async #next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new RequestError(408, 'The body did not come to its end.'));
    }, this.#limits.silence);
    try {
      const { done, value } = await Promise.race([reader.read(), promise]);
      return done ? undefined : value;
    } catch (error) {
      if (error instanceof RequestError) throw error;
      throw new RequestError(400, 'The body broke off.');
    } finally {
      clearTimeout(timer);
    }
  }
}

/** In memory of its own, which can go to another thread. */
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

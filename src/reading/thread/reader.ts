import { Worker } from 'node:worker_threads';
import {
  type DocumentFormat,
  type ReadOptions,
  type ReadSeries,
  SeriesError,
  type SeriesDocument,
  type SeriesErrorReason,
} from '../types.ts';
import type { WritableSeries } from '../writing/write.ts';

/** A file of this machine is read as a stream. */
export type SourceOfDocument = { readonly path: string } | { readonly content: string | Uint8Array };

/** What a series needs to be sent to a service. */
export type SendableSeries = Pick<ReadSeries, 'times' | 'values' | 'timeKind'> & { readonly name?: string };

/** Sentences in another language by their English form. */
export type Words = Readonly<Record<string, string>>;

export type ToReader =
  | { readonly type: 'read'; readonly source: SourceOfDocument; readonly options: ReadOptions }
  | {
      readonly type: 'send';
      readonly fields: Readonly<Record<string, unknown>>;
      readonly series: readonly SendableSeries[];
    }
  | { readonly type: 'write'; readonly series: readonly WritableSeries[]; readonly format: DocumentFormat };

export type FromReader =
  | { readonly type: 'read'; readonly document: SeriesDocument }
  | {
      readonly type: 'refused';
      readonly message: string;
      readonly reason: SeriesErrorReason;
      readonly line: number | undefined;
      readonly column: number | undefined;
    }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'failed'; readonly message: string };

type Answer = Extract<FromReader, { type: 'read' | 'bytes' }>;

const IDLE = 30_000;
/** After so many points a thread is not kept, nor all the memory that it took. */
const LARGE = 1_000_000;

/**
 * Reads documents, and makes text of many points, in a thread, so that neither ever holds up the extension host. One thing
 * at a time; the thread starts with the first and ends when it has been idle.
 */
export class ThreadReader {
  readonly #script: string | URL;
  readonly #words: Words | undefined;
  #worker: Worker | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  /**
   * @param script the bundled or source form of `thread.ts`
   * @param words sentences in the person's language by their English form; English ones where absent
   */
  constructor(script: string | URL, words?: Words) {
    this.#script = script;
    this.#words = words;
  }

  /** As `readSeries`. @throws SeriesError; Error where the file cannot be opened; the signal's reason when aborted */
  async read(source: SourceOfDocument, options: ReadOptions, signal?: AbortSignal): Promise<SeriesDocument> {
    const { document } = await this.#inTurn('read', { type: 'read', source, options }, signal);
    return document;
  }

  /** The body of a request: these fields, and `series` with the name and the points of each. */
  async bodyOf(
    fields: Readonly<Record<string, unknown>>,
    series: readonly SendableSeries[],
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.#inTurn('bytes', { type: 'send', fields, series: series.map(slim) }, signal)).bytes;
  }

  /** As `writeSeries`, in UTF-8. */
  async write(series: readonly WritableSeries[], format: DocumentFormat): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.#inTurn('bytes', { type: 'write', series, format })).bytes;
  }

  async #inTurn<T extends Answer['type']>(
    type: T,
    message: ToReader,
    signal?: AbortSignal,
  ): Promise<Extract<Answer, { type: T }>> {
    const working = this.#turn.then(() => this.#ask(message, signal));
    this.#turn = working.catch(() => undefined);
    const answer = await working;
    if (answer.type !== type) throw new Error(`The thread answers ${message.type} with ${answer.type}`);
    return answer as Extract<Answer, { type: T }>;
  }

  dispose(): void {
    clearTimeout(this.#idle);
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #ask(message: ToReader, signal: AbortSignal | undefined): Promise<Answer> {
    signal?.throwIfAborted();
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= new Worker(this.#script, { workerData: { words: this.#words } }));
    const { promise, resolve, reject } = Promise.withResolvers<FromReader>();
    const onExit = () => {
      this.#worker = undefined;
      const name = message.type === 'read' ? message.options.fileName : 'This';
      reject(new SeriesError('too-large', `${name} is too large for the memory there is.`));
    };
    const onAbort = () => {
      this.dispose();
      reject(signal?.reason as Error);
    };
    worker.on('message', resolve).on('error', onExit).on('exit', onExit);
    signal?.addEventListener('abort', onAbort);
    try {
      worker.postMessage(message);
      const answer = await promise;
      if (answer.type === 'read' && pointsOf(answer.document) > LARGE) this.dispose();
      if (answer.type === 'read' || answer.type === 'bytes') return answer;
      if (answer.type === 'failed') throw new Error(answer.message);
      const { line, column } = answer;
      throw new SeriesError(answer.reason, answer.message, {
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      });
    } finally {
      worker.off('message', resolve).off('error', onExit).off('exit', onExit);
      signal?.removeEventListener('abort', onAbort);
      this.#idle = setTimeout(() => {
        this.dispose();
      }, IDLE).unref();
    }
  }
}

const pointsOf = ({ series }: SeriesDocument): number => series.reduce((sum, { times }) => sum + times.length, 0);

/** Without what is not needed: everything that is given to the thread is copied. */
const slim = ({ name, times, values, timeKind }: SendableSeries): SendableSeries => ({
  ...(name === undefined ? {} : { name }),
  times: copied(times),
  values: copied(values),
  timeKind,
});

/** A part of a larger array would be copied with all of it. */
const copied = (part: Float64Array): Float64Array => (part.byteLength === part.buffer.byteLength ? part : part.slice());

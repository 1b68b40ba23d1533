import { Worker } from 'node:worker_threads';
import { type ReadOptions, SeriesError, type SeriesDocument, type SeriesErrorReason } from './types.ts';

export interface ToReader {
  /** A file of this machine is read as a stream. */
  readonly source: { readonly path: string } | { readonly content: string | Uint8Array };
  readonly options: ReadOptions;
}

export type FromReader =
  | { readonly type: 'read'; readonly document: SeriesDocument }
  | {
      readonly type: 'refused';
      readonly message: string;
      readonly reason: SeriesErrorReason;
      readonly line: number | undefined;
      readonly column: number | undefined;
    }
  | { readonly type: 'failed'; readonly message: string };

const IDLE = 30_000;

/** Reads documents in a thread, one at a time. The thread starts with the first and ends when it has been idle. */
export class ThreadReader {
  readonly #script: string | URL;
  #worker: Worker | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  /** @param script the bundled or source form of `thread.ts` */
  constructor(script: string | URL) {
    this.#script = script;
  }

  /** As `readSeries`. @throws SeriesError; Error where the file cannot be opened; the signal's reason when aborted */
  read(source: ToReader['source'], options: ReadOptions, signal?: AbortSignal): Promise<SeriesDocument> {
    const reading = this.#turn.then(() => this.#read({ source, options }, signal));
    this.#turn = reading.catch(() => undefined);
    return reading;
  }

  dispose(): void {
    clearTimeout(this.#idle);
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #read(message: ToReader, signal: AbortSignal | undefined): Promise<SeriesDocument> {
    signal?.throwIfAborted();
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= new Worker(this.#script));
    const { promise, resolve, reject } = Promise.withResolvers<FromReader>();
    const onExit = () => {
      this.#worker = undefined;
      reject(new SeriesError('too-large', `${message.options.fileName} is too large for the memory there is.`));
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
      if (answer.type === 'read') return answer.document;
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

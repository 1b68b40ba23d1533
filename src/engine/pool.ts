import { Worker } from 'node:worker_threads';
import { EngineError } from './errors.ts';
import type { Answer, EngineJob, JobMessage, ReplyMessage } from './serve-worker.ts';

export type { Answer, EngineJob } from './serve-worker.ts';

/** One result of a stream: the position of its job, and the answer or why there is none. */
export type StreamResult =
  | { readonly index: number; readonly answer: Answer; readonly error?: undefined }
  | { readonly index: number; readonly answer?: undefined; readonly error: Error };

interface Task {
  readonly id: number;
  readonly job: EngineJob;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Forecasts many series at once on worker threads. Workers start with the first jobs and stay until `close`. Nothing of a
 * job is changed: its values are copied once and then handed over without copying, as are the results.
 */
export class EnginePool {
  readonly #script: string | URL;
  readonly #size: number;
  readonly #queueLimit: number;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Task>();
  readonly #queue: Task[] = [];
  #lastId = 0;
  #closed = false;

  /**
   * @param options.script a module that calls `serveEngine(parentPort)`
   * @param options.size how many workers at most, 1 or more
   * @param options.queueLimit how many jobs may wait, beside those that run; 1,000 where it is missing
   */
  constructor(options: { readonly script: string | URL; readonly size: number; readonly queueLimit?: number }) {
    this.#script = options.script;
    this.#size = Math.max(1, Math.floor(options.size));
    this.#queueLimit = options.queueLimit ?? 1000;
  }

  /**
   * Runs one job.
   *
   * @param signal where it aborts, a waiting job is dropped and the result of a running one ignored; rejects with its reason
   * @throws EngineError where the job cannot be answered, too many jobs wait, or the pool is closed
   */
  run(job: EngineJob, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw asError(signal.reason);
      if (this.#closed) throw new EngineError('The pool of forecasting workers is closed.');
      if (this.#queue.length >= this.#queueLimit) {
        throw new EngineError(`More than ${String(this.#queueLimit)} series are waiting for their forecast.`);
      }
      const onAbort = (): void => {
        const place = this.#queue.indexOf(task);
        if (place >= 0) this.#queue.splice(place, 1);
        task.reject(signal?.reason);
      };
      const task: Task = {
        id: ++this.#lastId,
        job,
        resolve: (answer) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(answer);
        },
        reject: (error) => {
          signal?.removeEventListener('abort', onAbort);
          reject(asError(error));
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(task);
      this.#assign();
    });
  }

  /**
   * Runs jobs as fast as their results are taken, never with more than twice as many under way as there are workers.
   * Results come as they are ready, in any order. A job that fails is a result with an error; the others go on. Leaving
   * the loop early, or aborting, drops what is under way.
   *
   * @throws the reason of the signal where it aborts
   */
  async *stream(
    jobs: Iterable<EngineJob> | AsyncIterable<EngineJob>,
    signal?: AbortSignal,
  ): AsyncGenerator<StreamResult, void, undefined> {
    const leaving = new AbortController();
    const either = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
    const source = Symbol.asyncIterator in jobs ? jobs[Symbol.asyncIterator]() : jobs[Symbol.iterator]();
    const underWay = new Map<number, Promise<StreamResult>>();
    let next = 0;
    let exhausted = false;
    try {
      for (;;) {
        while (!exhausted && underWay.size < 2 * this.#size) {
          signal?.throwIfAborted();
          const item = await source.next();
          if (item.done) exhausted = true;
          else {
            const index = next++;
            underWay.set(index, this.#settle(index, item.value, either));
          }
        }
        if (underWay.size === 0) return;
        const result = await Promise.race(underWay.values());
        signal?.throwIfAborted();
        underWay.delete(result.index);
        yield result;
      }
    } finally {
      leaving.abort();
      if (!exhausted) await source.return?.();
    }
  }

  /** Ends the workers. Jobs that wait or run are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const workers = [...this.#idle, ...this.#busy.keys()];
    const tasks = [...this.#queue, ...this.#busy.values()];
    this.#idle.length = 0;
    this.#queue.length = 0;
    this.#busy.clear();
    for (const task of tasks) task.reject(new EngineError('The pool of forecasting workers is closed.'));
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  async #settle(index: number, job: EngineJob, signal: AbortSignal): Promise<StreamResult> {
    try {
      return { index, answer: await this.run(job, signal) };
    } catch (error) {
      return { index, error: asError(error) };
    }
  }

  #assign(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop() ?? this.#start();
      if (!worker) return;
      const task = this.#queue.shift()!;
      this.#busy.set(worker, task);
      const values = task.job.input.values.slice();
      const message: JobMessage = { id: task.id, job: { ...task.job, input: { ...task.job.input, values } } };
      worker.postMessage(message, [values.buffer]);
    }
  }

  #start(): Worker | undefined {
    if (this.#idle.length + this.#busy.size >= this.#size) return undefined;
    const worker = new Worker(this.#script);
    worker.on('message', (reply: ReplyMessage) => {
      const task = this.#busy.get(worker);
      if (task?.id !== reply.id) return;
      this.#busy.delete(worker);
      this.#idle.push(worker);
      if (reply.answer) task.resolve(reply.answer);
      else task.reject(new EngineError(reply.message));
      this.#assign();
    });
    worker.on('error', (error) => {
      this.#lose(worker, error);
    });
    worker.on('exit', () => {
      this.#lose(worker, new EngineError('A forecasting worker ended unexpectedly.'));
    });
    return worker;
  }

  /** Takes a dead worker out; its job fails, the next job starts another one. */
  #lose(worker: Worker, error: unknown): void {
    const place = this.#idle.indexOf(worker);
    if (place >= 0) this.#idle.splice(place, 1);
    const task = this.#busy.get(worker);
    this.#busy.delete(worker);
    task?.reject(error);
    if (!this.#closed) this.#assign();
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new EngineError(String(reason));
}

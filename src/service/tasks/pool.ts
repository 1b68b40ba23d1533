import { Worker } from 'node:worker_threads';
import { JobError, RequestError } from '../errors.ts';
import type { FromCompute, GoOn, Task, TaskEvents, TaskResults } from './tasks.ts';

/** What new objects may take in a thread that computes one series after the other, which leaves nothing behind, in MB. */
export const SMALL_YOUNG = 16;

/** Takes the thread that has become free; one is to be started where that has ended. */
type Next = (worker: Worker | undefined) => void;

/** A few compute threads, each started with its first task and kept for the next. */
export class Threads {
  readonly size: number;
  readonly #script: string | URL;
  readonly #memory: number;
  readonly #young: number | undefined;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  /** Tasks for which there is no thread yet, in their turn; and those that go before them. */
  readonly #waiting: Next[] = [];
  readonly #first: Next[] = [];

  /**
   * @param script the bundled or source form of `pool-thread.ts`
   * @param memory what each may take, in MB; a task that needs more ends its thread
   * @param young how much of it new objects may take until they are looked through, in MB; V8's own choice where absent
   */
  constructor(script: string | URL, size: number, memory = 2048, young?: number) {
    this.#young = young;
    this.#script = script;
    this.size = size;
    this.#memory = memory;
  }

  /**
   * Runs one task, at most `size` at a time; the others wait, and begin at once when a thread is free. Aborting a task
   * that runs ends its thread.
   * @param transferred parts of the task that go over to the thread and are no longer here
   * @param isLast the thread ends with this task, and gives its memory back
   * @throws JobError with a sentence for the person; any other error is a defect; the signal's reason when aborted
   */
  async run<K extends Task['kind']>(
    task: Task & { kind: K },
    signal: AbortSignal,
    { onStart, onProgress, onSeries, isFirst = false }: TaskEvents,
    { transferred = [], isLast = false }: { transferred?: ArrayBuffer[]; isLast?: boolean } = {},
  ): Promise<TaskResults[K]> {
    signal.throwIfAborted();
    const worker = (this.hasRoom ? this.#idle.pop() : await this.#turn(signal, isFirst)) ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<TaskResults[K]>();
    const onMessage = (message: FromCompute) => {
      if (message.type === 'progress') onProgress(message.progress);
      else if (message.type === 'series') {
        onSeries?.(message.series);
        const goOn: GoOn = { kind: 'go-on' };
        worker.postMessage(goOn);
      } else if (message.type === 'done') resolve(resultOf(message.result) as TaskResults[K]);
      else if (message.refusal) reject(new RequestError(message.refusal.status, message.refusal.detail));
      else reject(message.expected ? new JobError(message.message) : new Error(message.message));
    };
    const onError = (error: Error & { code?: unknown }) => {
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new JobError('The computation ended before it was done, for want of memory. Try a shorter series.')
          : new Error(`The compute thread failed: ${error.message}`, { cause: error }),
      );
    };
    const onExit = (code: number) => {
      reject(new Error(`The compute thread ended with ${code} before its task was done.`));
    };
    const onAbort = () => {
      end(worker);
      reject(signal.reason as Error);
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', onAbort);
    try {
      worker.postMessage(task, transferred);
      onStart();
      return await promise;
    } finally {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      const isKept = this.#all.has(worker) && !signal.aborted && !isLast;
      if (!isKept) this.#all.delete(worker);
      if (isLast) end(worker);
      this.#pass(isKept ? worker : undefined);
    }
  }

  /** Gives a thread to who is next, who would else find it taken by somebody that comes later. */
  #pass(worker: Worker | undefined): void {
    const next = this.#first.shift() ?? this.#waiting.shift();
    if (next) next(worker);
    else if (worker) this.#idle.push(worker);
  }

  async #turn(signal: AbortSignal, isFirst: boolean): Promise<Worker | undefined> {
    const line = isFirst ? this.#first : this.#waiting;
    const { promise, resolve, reject } = Promise.withResolvers<Worker | undefined>();
    const onAbort = () => {
      const place = line.indexOf(resolve);
      if (place >= 0) line.splice(place, 1);
      reject(signal.reason as Error);
    };
    line.push(resolve);
    signal.addEventListener('abort', onAbort);
    try {
      const worker = await promise;
      if (!signal.aborted) return worker;
      this.#pass(worker);
      throw signal.reason;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Whether a task would begin at once. */
  get hasRoom(): boolean {
    return this.#idle.length > 0 || this.#all.size < this.size;
  }

  /** Tasks for which there is no thread yet. */
  get waiting(): number {
    return this.#first.length + this.#waiting.length;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      resourceLimits: {
        maxOldGenerationSizeMb: this.#memory,
        ...(this.#young === undefined ? {} : { maxYoungGenerationSizeMb: this.#young }),
      },
    });
    this.#all.add(worker);
    const forget = () => {
      this.#all.delete(worker);
      const index = this.#idle.indexOf(worker);
      if (index >= 0) this.#idle.splice(index, 1);
    };
    worker.on('exit', forget).on('error', forget);
    return worker;
  }
}

/** A result as the thread posts it: some as JSON. */
const resultOf = (result: unknown): unknown => (typeof result === 'string' ? (JSON.parse(result) as unknown) : result);

/** Ends a thread; what goes wrong with its end is told to those who listen to its errors. */
function end(worker: Worker): void {
  worker.terminate().catch((error: unknown) => worker.emit('error', error));
}

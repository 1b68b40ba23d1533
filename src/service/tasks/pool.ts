import { type Script, Worker } from '#platform/threads';
import { failure } from '../../contract/failures.ts';
import { JobError, RequestError } from '../errors.ts';
import type { FromCompute, Task, TaskEvents, TaskResults, Word } from './tasks.ts';

/** What new objects may take in a thread that computes one series after the other, which leaves nothing behind, in MB. */
const YOUNG_MEMORY = 16;

interface Waiting {
  readonly party: string;
  readonly isFirst: boolean;
  /** Behind those of its own party, and not before the first of any. */
  readonly rank: number;
  /** Takes the thread that has become free; a new one is started where that has ended. */
  readonly take: (worker: Worker | undefined) => void;
}

/**
 * A few compute threads, each started with its first task and kept for the next. Tenants take turns. One with nothing under
 * way begins at once, though all threads are busy, and so does a task beside those of its tenant that train for minutes:
 * there are twice as many threads at most, until others end.
 */
export class Threads {
  readonly size: number;
  readonly #script: Script;
  readonly #memory: number;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<string, number>();

  /** @param script `pool-thread.ts` @param memory what each may take, in MB; a task that needs more ends its thread */
  constructor(script: Script, size: number, memory = 2048) {
    this.#script = script;
    this.size = size;
    this.#memory = memory;
  }

  /**
   * Runs one task, at most `size` at a time; the others wait. Aborting a task that runs ends its thread.
   * @param transferred parts of the task that go over to the thread and are no longer here
   * @param isLast the thread ends with this task, and gives its memory back
   * @throws JobError with a sentence for the person; any other error is a defect; the signal's reason when aborted
   */
  async run<K extends Task['kind']>(
    task: Task & { kind: K },
    signal: AbortSignal,
    { onStart, onProgress, onSeries, stop, isFirst = false, tenant = '' }: Partial<TaskEvents> = {},
    { transferred = [], isLast = false }: { transferred?: ArrayBuffer[]; isLast?: boolean } = {},
  ): Promise<TaskResults[K]> {
    signal.throwIfAborted();
    const party = partyOf(task, tenant);
    const isFree = this.#mayBegin(party);
    if (isFree) this.#count(party, 1);
    const worker = (isFree ? this.#idle.pop() : await this.#wait(signal, party, isFirst)) ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<TaskResults[K]>();
    const say = (kind: Word['kind']) => {
      worker.postMessage({ kind } satisfies Word);
    };
    const onStop = () => {
      say('stop');
    };
    const onMessage = (message: FromCompute) => {
      if (message.type === 'progress') onProgress?.(message.progress);
      else if (message.type === 'series') {
        onSeries?.(message.series);
        say('go-on');
      } else if (message.type === 'done') resolve(message.result as TaskResults[K]);
      else reject(errorOf(message));
    };
    const onError = (error: Error & { code?: unknown }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const cause = () => new Error(`The compute thread failed: ${error.message}`, { cause: error });
      reject(isMemory ? new JobError(failure('out_of_memory')) : cause());
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
    stop?.addEventListener('abort', onStop);
    try {
      worker.postMessage(task, transferred);
      onStart?.();
      return await promise;
    } finally {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      stop?.removeEventListener('abort', onStop);
      if (this.#all.has(worker) && !signal.aborted && !isLast) this.#release(party, worker);
      else {
        this.#all.delete(worker);
        // the next begins when the memory of this one is free: a thread that parses a body does not end before it has
        end(worker, () => {
          this.#release(party, undefined);
        });
      }
    }
  }

  get #busy(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0);
  }

  #mayBegin(party: string): boolean {
    const [busy, most] = [this.#busy, isLong(party) ? this.size : 2 * this.size];
    return busy < this.size || (busy < most && !this.#running.has(party));
  }

  #count(party: string, change: 1 | -1): void {
    const count = (this.#running.get(party) ?? 0) + change;
    if (count > 0) this.#running.set(party, count);
    else this.#running.delete(party);
  }

  /** Gives a thread to the next task: of the parties with the fewest that run, the one with the lowest rank. */
  #release(party: string, worker: Worker | undefined): void {
    this.#count(party, -1);
    const running = ({ party }: Waiting) => this.#running.get(party) ?? 0;
    const [next] = this.#waiting
      .filter(({ party }) => this.#mayBegin(party))
      .sort((a, b) => running(a) - running(b) || Number(b.isFirst) - Number(a.isFirst) || a.rank - b.rank);
    if (next) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#count(next.party, 1);
      next.take(worker);
    } else if (worker && this.#all.size > this.size) end(worker);
    else if (worker) this.#idle.push(worker);
  }

  async #wait(signal: AbortSignal, party: string, isFirst: boolean): Promise<Worker | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Worker | undefined>();
    const ranks = this.#waiting.filter((one) => one.party === party).map(({ rank }) => rank + 1);
    const first = this.#waiting.length === 0 ? 0 : Math.min(...this.#waiting.map(({ rank }) => rank));
    const waiting: Waiting = { party, isFirst, rank: Math.max(0, ...ranks, first), take: resolve };
    const onAbort = () => {
      const place = this.#waiting.indexOf(waiting);
      if (place >= 0) this.#waiting.splice(place, 1);
      reject(signal.reason as Error);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', onAbort);
    try {
      const worker = await promise;
      if (!signal.aborted) return worker;
      this.#release(party, worker);
      throw signal.reason;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Whether a task would begin at once. */
  get hasRoom(): boolean {
    return this.#busy < this.size;
  }

  /** Tasks of a tenant for which there is no thread yet. */
  waitingOf(tenant: string): number {
    return this.#waiting.filter(({ party }) => party.startsWith(`${tenant} `)).length;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: this.#memory, maxYoungGenerationSizeMb: YOUNG_MEMORY };
    const worker = new Worker(this.#script, { resourceLimits });
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

/** Who takes turns: a tenant with what is done in moments, and with what trains for minutes. */
const partyOf = (task: Task, tenant: string): string =>
  `${tenant} ${task.kind === 'tune' || ('fineTuningEpochs' in task && task.fineTuningEpochs) ? LONG : ''}`;
const LONG = 'long';
const isLong = (party: string): boolean => party.endsWith(` ${LONG}`);

/** Ends a thread; what goes wrong with its end goes to those who listen to its errors. */
function end(worker: Worker, onEnd: () => void = () => undefined): void {
  worker
    .terminate()
    .catch((error: unknown) => worker.emit('error', error))
    .then(onEnd, onEnd);
}

/** The failure of a thread, as what was thrown there. */
function errorOf({ message, failure, refused }: FromCompute & { type: 'failed' }): Error {
  if (!failure) return new Error(message);
  return refused ? new RequestError(refused.status, failure, refused.errors) : new JobError(failure);
}

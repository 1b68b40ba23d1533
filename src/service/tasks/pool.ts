import { type Script, Worker } from '#platform/threads';
import { unref } from '#platform/turn';
import { failure } from '../../contract/failures.ts';
import { Calls } from '../../platform/calls.ts';
import { orAborted } from '../../platform/pause.ts';
import { JobError, RequestError } from '../errors.ts';
import type { Task, TaskResults, Thrown } from './pool-thread.ts';
import type { OnProgress } from './series.ts';

export interface TaskEvents {
  readonly isFirst?: boolean;
  readonly tenant: string;
  readonly stop?: AbortSignal | undefined;
  readonly onStart: () => void;
  readonly onProgress: OnProgress;
}

type Thread = Calls<Task, Thrown>;

/** What new objects may take in a thread that computes one series after the other, which leaves nothing behind, in MB. */
const YOUNG_MEMORY = 16;
/** Of the threads with nothing to do one stays; the others end after so many milliseconds, and give back 50 MB each. */
const IDLE = 1_000;

interface Waiting {
  readonly party: string;
  readonly isFirst: boolean;
  readonly rank: number;
  readonly take: (thread: Thread | undefined) => void;
}

/**
 * Compute threads, kept from their first task on. Tenants take turns. One with nothing under way, or whose own tasks train for
 * minutes, begins at once: there are up to twice as many threads until others end.
 */
export class Threads {
  readonly size: number;
  readonly #script: Script;
  readonly #memory: number;
  readonly #idle: Thread[] = [];
  readonly #all = new Set<Thread>();
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param script `pool-thread.ts` @param memory what each may take, in MB; a task that needs more ends its thread */
  constructor(script: Script, size: number, memory = 2048) {
    this.#script = script;
    this.size = size;
    this.#memory = memory;
  }

  /**
   * Runs one task, at most `size` at a time; the others wait. Aborting a task that runs ends its thread.
   * @param isLast the thread ends with this task, and gives its memory back
   * @throws JobError, RequestError; any other error is a defect; the signal's reason when aborted
   */
  async run<K extends Task['kind']>(
    task: Task & { kind: K },
    signal: AbortSignal,
    { onStart, onProgress, stop, isFirst = false, tenant = '' }: Partial<TaskEvents> = {},
    { transfer = [], isLast = false }: { transfer?: ArrayBuffer[]; isLast?: boolean } = {},
  ): Promise<TaskResults[K]> {
    signal.throwIfAborted();
    const party = partyOf(task, tenant);
    const isFree = this.#mayBegin(party);
    if (isFree) this.#count(party, 1);
    const thread = (isFree ? this.#idle.pop() : await this.#wait(signal, party, isFirst)) ?? this.#start();
    try {
      const result = thread.make(task, { transfer, stop, onPart: onProgress });
      onStart?.();
      return (await orAborted(result, signal)) as TaskResults[K];
    } finally {
      if (this.#all.has(thread) && !signal.aborted && !isLast) this.#release(party, thread);
      else {
        this.#all.delete(thread);
        // the next begins when the memory of this one is free: a thread that parses a body does not end before it has
        const ended = thread.worker.terminate().catch(() => undefined);
        ended.then(() => this.#release(party, undefined)).catch(() => undefined);
      }
    }
  }

  get #busy(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0);
  }

  #mayBegin(party: string): boolean {
    const [busy, most] = [this.#busy, party.endsWith(' long') ? this.size : 2 * this.size];
    return busy < this.size || (busy < most && !this.#running.has(party));
  }

  #count(party: string, change: 1 | -1): void {
    const count = (this.#running.get(party) ?? 0) + change;
    if (count > 0) this.#running.set(party, count);
    else this.#running.delete(party);
  }

  /** Gives a thread to the next task: of the parties with the fewest that run, the one with the lowest rank. */
  #release(party: string, thread: Thread | undefined): void {
    this.#count(party, -1);
    const running = ({ party }: Waiting) => this.#running.get(party) ?? 0;
    const [next] = this.#waiting
      .filter(({ party }) => this.#mayBegin(party))
      .sort((a, b) => running(a) - running(b) || Number(b.isFirst) - Number(a.isFirst) || a.rank - b.rank);
    if (next) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#count(next.party, 1);
      next.take(thread);
    } else if (thread && this.#all.size > this.size) thread.worker.terminate().catch(() => undefined);
    else if (thread) this.#rest(thread);
  }

  #rest(thread: Thread): void {
    this.#idle.push(thread);
    clearTimeout(this.#timer);
    this.#timer = unref(
      setTimeout(() => {
        for (const spare of this.#idle.splice(1)) {
          this.#all.delete(spare);
          spare.worker.terminate().catch(() => undefined);
        }
      }, IDLE),
    );
  }

  async #wait(signal: AbortSignal, party: string, isFirst: boolean): Promise<Thread | undefined> {
    const { promise, resolve } = Promise.withResolvers<Thread | undefined>();
    const ranks = this.#waiting.filter((one) => one.party === party).map(({ rank }) => rank + 1);
    const first = this.#waiting.length === 0 ? 0 : Math.min(...this.#waiting.map(({ rank }) => rank));
    const waiting: Waiting = { party, isFirst, rank: Math.max(0, ...ranks, first), take: resolve };
    this.#waiting.push(waiting);
    try {
      return await orAborted(promise, signal);
    } catch (error) {
      const place = this.#waiting.indexOf(waiting);
      if (place >= 0) this.#waiting.splice(place, 1);
      else this.#release(party, await promise); // it was given one in the same moment
      throw error;
    }
  }

  get hasRoom(): boolean {
    return this.#busy < this.size;
  }

  waitingOf(tenant: string): number {
    return this.#waiting.filter(({ party }) => party.startsWith(`${tenant} `)).length;
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#all].map(({ worker }) => worker.terminate()));
  }

  #start(): Thread {
    const resourceLimits = { maxOldGenerationSizeMb: this.#memory, maxYoungGenerationSizeMb: YOUNG_MEMORY };
    const worker = new Worker(this.#script, { resourceLimits });
    const thread: Thread = new Calls(worker, errorOf);
    this.#all.add(thread);
    const forget = (reason: Error) => {
      this.#all.delete(thread);
      const index = this.#idle.indexOf(thread);
      if (index >= 0) this.#idle.splice(index, 1);
      thread.end(reason);
    };
    worker.on('error', (error: Error & { code?: unknown }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const cause = () => new Error(`The compute thread failed: ${error.message}`, { cause: error });
      forget(isMemory ? new JobError(failure('out_of_memory')) : cause());
    });
    worker.on('exit', (code) => {
      forget(new Error(`The compute thread ended with ${code} before its task was done.`));
    });
    return thread;
  }
}

/** Who takes turns: a tenant with what is done in moments, and with what trains for minutes. */
const partyOf = (task: Task, tenant: string): string =>
  `${tenant} ${task.kind === 'tune' || ('fineTuningEpochs' in task && task.fineTuningEpochs) ? 'long' : ''}`;

function errorOf({ message, failure, status, errors }: Thrown): Error {
  if (!failure) return new Error(message);
  return status ? new RequestError(status, failure, errors) : new JobError(failure);
}

import type { DatabaseSync } from 'node:sqlite';
import { Jobs, type Job, type Turn, WEIGHT_OF_START } from '../store/jobs.ts';
import { mayPass } from '../store/trouble.ts';
import { BusyError, JobError, RequestError } from '../errors.ts';
import { CLOSING, Patience } from './patience.ts';
import type { TaskEvents, TaskProgress } from './tasks.ts';

/** What the queue must know about a kind of job. `id` names the resource that the job brings to its end. */
export interface JobKind {
  /** Sets the resource's status to IN_PROGRESS or back to QUEUED. */
  mark(id: string, status: 'IN_PROGRESS' | 'QUEUED'): void;
  progress(id: string, progress: TaskProgress): void;
  /** @returns the writing of the result, which the queue commits together with the end of the job */
  run(id: string, signal: AbortSignal, events: TaskEvents): Promise<() => void>;
  fail(id: string, message: string): void;
}

const HEARTBEAT = 5_000;
const LOOK_AGAIN = 250;
/** Times that the service may end while it computes a job, before the job is given up; and while it only has it. */
const MOST_ENDS = 3;
const MOST_TAKEN = MOST_ENDS * WEIGHT_OF_START;

export interface QueueSize {
  /** Tasks that are computed at a time. Twice as many jobs are taken, so that the next ones are ready when a thread is. */
  readonly threads: number;
  /**
   * Kinds of jobs that hold a thread for minutes. They are taken only when a thread is free, and leave one to the others
   * where there are two or more.
   */
  readonly long?: readonly string[];
}

interface RunningJob {
  readonly kind: string;
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** The store's error where there is no room for its result. */
  full?: unknown;
}

/**
 * The persistent job queue. A job is a row until its result is committed. A program that works on it holds a lease and
 * renews it; the job of a program that died is taken up again by whichever program next looks, so none is forgotten.
 */
export class Queue {
  readonly #jobs: Jobs;
  readonly #kinds: Readonly<Record<string, JobKind>>;
  readonly #threads: number;
  readonly #long: readonly string[];
  readonly #running = new Map<string, RunningJob>();
  readonly #timer: NodeJS.Timeout;
  readonly #report: (error: unknown) => void;
  readonly #closing = new AbortController();
  readonly #patience: Patience;

  /** @param report is told of defects, for the log */
  constructor(
    database: DatabaseSync,
    kinds: Readonly<Record<string, JobKind>>,
    { threads, long = [] }: QueueSize,
    report: (error: unknown) => void,
  ) {
    this.#jobs = new Jobs(database, crypto.randomUUID());
    this.#kinds = kinds;
    this.#threads = threads;
    this.#long = long;
    this.#report = report;
    this.#patience = new Patience(this.#closing.signal, report);
    this.#timer = setInterval(() => {
      this.#trying(() => {
        this.#renew();
      });
      this.#takeUp();
    }, HEARTBEAT);
    this.#timer.unref();
    this.#takeUp();
  }

  /**
   * Adds a job, in the transaction that adds its resource; call {@link wake} after the commit.
   * @param turn whose turn it comes in
   * @param isAwaited whether a client waits for its end: it is not done any more when this program has ended
   * @throws BusyError where too many wait already
   */
  add(kind: string, target: string, turn: Turn, isAwaited = false): void {
    if (turn !== 'panel') this.checkRoom(turn);
    this.#jobs.add(kind, target, turn, isAwaited);
  }

  /** As {@link add}, many at once, for which nobody waits. */
  addAll(kind: string, targets: readonly string[], turn: Turn): void {
    this.#jobs.addAll(kind, targets, turn);
  }

  /** @throws BusyError where too many wait already */
  checkRoom(turn: Turn): void {
    if (this.#jobs.isFull(turn)) throw new BusyError('Too much waits to be computed already. Try again in a while.');
  }

  has(target: string): boolean {
    return this.#jobs.has(target);
  }

  /** Starts waiting jobs while there is room. Never throws: where the store cannot be written, the timer looks again. */
  wake(): void {
    while (!this.#closing.signal.aborted && this.#running.size < 2 * this.#threads) {
      const job = this.#trying(() => this.#claim());
      if (!job) return;
      const abort = new AbortController();
      const done = this.#work(job, abort.signal)
        .catch((error: unknown) => {
          if (error !== CLOSING) this.#report(error);
        })
        .then(() => {
          this.#running.delete(job.target);
          this.wake();
        });
      this.#running.set(job.target, { kind: job.kind, abort, done });
    }
  }

  /**
   * Resolves when the job has ended, in this program or another; rejects with the signal's reason, or with the store's
   * error where there is no room for the result.
   */
  async ended(target: string, signal?: AbortSignal): Promise<void> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    aborted.catch(() => undefined);
    const onAbort = () => {
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort);
    try {
      signal?.throwIfAborted();
      while (this.#jobs.has(target)) {
        const running = this.#running.get(target);
        if (running?.full !== undefined) throw running.full as Error;
        const look = new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
        await Promise.race([running?.done ?? look, look, aborted]);
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Ends a job as FAILED with this reason, whether it waits or runs. Never rejects: where that cannot be stored, it is
   * tried again until it can.
   */
  async cancel(target: string, reason: string): Promise<void> {
    const running = this.#running.get(target);
    if (running) {
      running.abort.abort(new JobError(reason));
      await running.done;
    } else {
      const end = () => {
        this.#end(target, reason);
      };
      await this.#patience.write(end).catch(this.#report);
    }
  }

  #end(target: string, reason: string): void {
    const kind = this.#jobs.kindOf(target);
    if (kind === undefined) return;
    this.#jobs.end(target, () => {
      this.#kinds[kind]?.fail(target, reason);
    });
  }

  /** Forgets jobs whose resources are deleted in the same transaction; a program that works on one stops by itself. */
  forget(targets: readonly string[]): void {
    this.#jobs.forget(targets);
    for (const target of targets) this.#running.get(target)?.abort.abort(new JobError('Deleted.'));
  }

  /** Stops working; unfinished jobs go back to the queue for the next start, those whose clients wait here end. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    const running = [...this.#running.values()];
    for (const job of running) job.abort.abort(CLOSING);
    await Promise.all(running.map((job) => job.done));
    this.#trying(() => {
      for (const { target } of this.#jobs.awaitedHere()) this.#end(target, ENDED);
    });
  }

  /** Lets go of the jobs of programs that died, which nobody works on any more, and starts what waits. */
  #takeUp(): void {
    this.#trying(() => {
      for (const { target } of this.#jobs.abandoned()) this.#end(target, ENDED);
      this.#jobs.letGo(({ kind, target }) => {
        this.#kinds[kind]?.mark(target, 'QUEUED');
      });
    });
    this.wake();
  }

  /** Takes the job whose turn it is. A long one waits for a free thread, and those behind it wait with it. */
  #claim(): Job | undefined {
    const running = [...this.#running.values()];
    const long = running.filter(({ kind }) => this.#long.includes(kind)).length;
    const hasLongEnough = long >= Math.max(1, this.#threads - 1);
    const hasFreeThread = running.length < this.#threads;
    return this.#jobs.claim(Object.keys(this.#kinds), hasLongEnough ? this.#long : [], hasFreeThread ? [] : this.#long);
  }

  async #work({ kind, target, attempts }: Job, signal: AbortSignal) {
    const job = this.#kinds[kind];
    let isStarted = false;
    const tell = (write: () => void) => {
      this.#trying(() => {
        if (!signal.aborted) this.#jobs.whileOwned(target, write);
      });
    };
    try {
      if (attempts > MOST_TAKEN)
        throw new JobError(`The computation ended the service ${MOST_ENDS} times, so it was given up.`);
      const write = await job.run(target, signal, {
        onStart: () => {
          tell(() => {
            isStarted = true;
            this.#jobs.started(target);
            job.mark(target, 'IN_PROGRESS');
          });
        },
        onProgress: (progress) => {
          tell(() => {
            job.progress(target, progress);
          });
        },
      });
      const finish = () => {
        this.#jobs.finish(target, write);
      };
      const onFull = (error: unknown) => {
        const running = this.#running.get(target);
        if (running) running.full = error;
      };
      await this.#patience.write(finish, { signal, onFull });
    } catch (error) {
      if (error === TAKEN) return;
      const isExpected = error instanceof JobError || error instanceof RequestError;
      if (error === CLOSING || (!isExpected && mayPass(error))) {
        // no fault of the job: it is done at the next start, or when the store can be read
        this.#trying(() => {
          this.#jobs.release(target, isStarted, () => {
            job.mark(target, 'QUEUED');
          });
        });
        if (error !== CLOSING) await this.#patience.rest(signal);
        return;
      }
      if (!isExpected) this.#report(error);
      const message = isExpected ? error.message : 'This is a defect of the local service; its log has the details.';
      await this.#patience.write(() => {
        this.#jobs.finish(target, () => {
          job.fail(target, message);
        });
      });
    }
  }

  /** For timers and events, out of which nothing may be thrown: a failure is reported. */
  #trying<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  #renew(): void {
    const owned = this.#jobs.renew([...this.#running.keys()]);
    for (const [target, { abort }] of this.#running) if (!owned.has(target)) abort.abort(TAKEN);
  }
}

const TAKEN = new Error('Another program works on the job.');
const ENDED = 'The service ended before it was done, and nobody waits for it any more.';

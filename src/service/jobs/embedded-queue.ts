import { forgetMade } from '../store/creations.ts';
import type { Home } from '../database/home.ts';
import { type Job, Jobs, type Line, type NewJob, newOwner, WEIGHT_OF_START } from '../store/jobs.ts';
import type { Db } from '../database/tables.ts';
import { mayPass } from '../database/trouble.ts';
import { BusyError, JobError, RequestError } from '../errors.ts';
import { CLOSING, Patience } from './patience.ts';
import { type JobKind, type Queue, TAKEN_EACH, type Waiting, type Write } from './queue.ts';

const HEARTBEAT = 5_000;
const LOOK_AGAIN = 250;
/** Times that the service may end while it computes a job, before the job is given up; and while it only has it. */
const MOST_ENDS = 3;
const MOST_TAKEN = MOST_ENDS * WEIGHT_OF_START;

export interface QueueSize {
  /** Tasks that are computed at a time. */
  readonly threads: number;
  /**
   * Kinds of jobs that hold a thread for minutes. They are taken only when a thread is free, and leave one to the others
   * where there are two or more.
   */
  readonly long?: readonly string[];
  /** Told of jobs that are done again, by the names of their kinds: the program that had them does not renew them. */
  readonly onLost?: ((kind: string) => void) | undefined;
}

interface RunningJob {
  readonly kind: string;
  readonly space: string;
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** The store's error where there is no room for its result. */
  full?: unknown;
  /** Written as one with its end where it is cancelled. */
  also?: Write | undefined;
}

/**
 * The job queue that lives in the store itself, for programs on one machine. A job is a row until its result is committed.
 * A program that works on it holds a lease and renews it; the job of a program that died is taken up again by whichever
 * program next looks, so none is forgotten.
 */
export class EmbeddedQueue implements Queue {
  readonly #jobs: Jobs;
  readonly #kinds: Readonly<Record<string, JobKind>>;
  readonly #threads: number;
  readonly #long: readonly string[];
  readonly #onLost: ((kind: string) => void) | undefined;
  readonly #running = new Map<string, RunningJob>();
  /** What is to be told that a job has ended here. */
  readonly #waiting = new Map<string, () => void>();
  readonly #timer: NodeJS.Timeout;
  readonly #report: (error: unknown) => void;
  readonly #closing = new AbortController();
  readonly #patience: Patience;
  /** What timers and wakings have begun: one after the other. */
  #turns: Promise<void> = Promise.resolve();
  #isWoken = false;

  /** @param report is told of defects, for the log */
  constructor(
    home: Home,
    kinds: Readonly<Record<string, JobKind>>,
    { threads, long = [], onLost }: QueueSize,
    report: (error: unknown) => void,
  ) {
    this.#jobs = new Jobs(home, newOwner());
    this.#kinds = kinds;
    this.#threads = threads;
    this.#long = long;
    this.#onLost = onLost;
    this.#report = report;
    this.#patience = new Patience(this.#closing.signal, report);
    this.#timer = setInterval(() => {
      this.#inTurn(() => this.#renew());
      this.#takeUp();
    }, HEARTBEAT);
    this.#timer.unref();
    this.#takeUp();
  }

  async add(db: Db, job: NewJob, isAwaited = false): Promise<void> {
    if (job.turn !== 'dataset') await this.checkRoom(db, job);
    await this.#jobs.add(db, job, isAwaited);
  }

  addAll(db: Db, kind: string, targets: readonly string[], line: Line): Promise<void> {
    return this.#jobs.addAll(db, kind, targets, line);
  }

  async checkRoom(db: Db, line: Line): Promise<void> {
    if (await this.#jobs.isFull(db, line)) {
      throw new BusyError('Too much waits to be computed already. Try again in a while.');
    }
  }

  has(db: Db, target: string): Promise<boolean> {
    return this.#jobs.has(target, db);
  }

  /** Starts waiting jobs while there is room. Never throws: where the store cannot be written, the timer looks again. */
  wake(): void {
    if (this.#isWoken) return; // it is about to look anyway
    this.#isWoken = true;
    this.#inTurn(async () => {
      this.#isWoken = false;
      while (!this.#closing.signal.aborted && this.#running.size < 2 * TAKEN_EACH * this.#threads) {
        const job = await this.#claim();
        if (!job) return;
        this.#begin(job);
      }
    });
  }

  #begin(job: Job): void {
    const abort = new AbortController();
    if (this.#closing.signal.aborted) abort.abort(CLOSING);
    const done = this.#work(job, abort.signal)
      .catch((error: unknown) => {
        if (error !== CLOSING) this.#report(error);
      })
      .then(() => {
        this.#running.delete(job.target);
        this.#waiting.get(job.target)?.();
        this.wake();
      });
    this.#running.set(job.target, { kind: job.kind, space: job.space, abort, done });
  }

  async ended(target: string, signal?: AbortSignal): Promise<void> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    aborted.catch(() => undefined);
    const onAbort = () => {
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort);
    try {
      signal?.throwIfAborted();
      while (await this.#jobs.has(target)) {
        const running = this.#running.get(target);
        if (running?.full !== undefined) throw running.full as Error;
        // another program may end it, and then only a look tells
        const told = new Promise<void>((resolve) => {
          this.#waiting.set(target, resolve);
          setTimeout(resolve, LOOK_AGAIN);
        });
        await Promise.race([told, aborted]);
      }
    } finally {
      this.#waiting.delete(target);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Where it cannot be stored, it is tried again until it can. */
  async cancel(target: string, reason: string, also?: Write): Promise<void> {
    const running = this.#running.get(target);
    if (running) {
      running.also = also;
      running.abort.abort(new JobError(reason));
      await running.done;
    }
    // also where it was given back just then, as the store was busy
    await this.#patience.write(() => this.#end(target, reason, also)).catch(this.#report);
  }

  async #end(target: string, reason: string, also?: Write): Promise<void> {
    const kind = await this.#jobs.kindOf(target);
    if (kind === undefined) return;
    await this.#jobs.end(target, async (db) => {
      await this.#kinds[kind]?.fail(db, target, reason);
      await also?.(db);
    });
  }

  /** Nobody waits any more for what a client did; who asks again under its key does not get this for an answer. */
  #abandon(target: string): Promise<void> {
    return this.#end(target, ENDED, (db) => forgetMade(db, target));
  }

  async forget(db: Db, targets: readonly string[]): Promise<void> {
    await this.#jobs.forget(db, targets);
    for (const target of targets) this.#running.get(target)?.abort.abort(new JobError('Deleted.'));
  }

  /** It is of this program, and as much at work as that. */
  answers(): Promise<boolean> {
    return Promise.resolve(!this.#closing.signal.aborted);
  }

  waiting(): Promise<readonly Waiting[]> {
    return this.#jobs.waiting();
  }

  /** Stops working; unfinished jobs go back to the queue for the next start, those whose clients wait here end. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#turns;
    const running = [...this.#running.values()];
    for (const job of running) job.abort.abort(CLOSING);
    await Promise.all(running.map((job) => job.done));
    this.#inTurn(async () => {
      for (const { target } of await this.#jobs.awaitedHere()) await this.#abandon(target);
    });
    await this.#turns;
  }

  /** Lets go of the jobs of programs that do not renew them, and starts what waits. */
  #takeUp(): void {
    this.#inTurn(async () => {
      for (const { target } of await this.#jobs.abandoned()) await this.#abandon(target);
      await this.#jobs.letGo(async (db, { kind, target }) => {
        await this.#kinds[kind]?.mark(db, target, 'QUEUED');
        this.#onLost?.(kind);
      });
    });
    this.wake();
  }

  /** Takes the job whose turn it is. A long one waits for a free thread, and those behind it wait with it. */
  #claim(): Promise<Job | undefined> {
    const running = [...this.#running.values()];
    const long = running.filter(({ kind }) => this.#long.includes(kind)).length;
    const hasLongEnough = long >= Math.max(1, this.#threads - 1);
    const hasFreeThread = running.length < this.#threads;
    const full = [...Map.groupBy(running, ({ space }) => space)].filter(([, some]) => some.length >= TAKEN_EACH * this.#threads); // prettier-ignore
    return this.#jobs.claim({
      kinds: Object.keys(this.#kinds),
      passedOver: hasLongEnough ? this.#long : [],
      held: hasFreeThread ? [] : this.#long,
      full: full.map(([space]) => space),
    });
  }

  async #work({ kind, target, attempts, space }: Job, signal: AbortSignal) {
    const job = this.#kinds[kind];
    let isStarted = false;
    let told = Promise.resolve();
    const tell = (write: Write) => {
      told = told
        .then(async () => {
          if (!signal.aborted) await this.#jobs.whileOwned(target, write);
        })
        .catch(this.#report);
    };
    try {
      if (attempts > MOST_TAKEN)
        throw new JobError(`The computation ended the service ${MOST_ENDS} times, so it was given up.`);
      const write = await job.run(target, signal, {
        space,
        onStart: () => {
          tell(async (db) => {
            isStarted = true;
            await this.#jobs.started(db, target);
            await job.mark(db, target, 'IN_PROGRESS');
          });
        },
        onProgress: (progress) => {
          tell((db) => job.progress(db, target, progress));
        },
      });
      await told;
      const onFull = (error: unknown) => {
        const running = this.#running.get(target);
        if (running) running.full = error;
      };
      await this.#patience.write(() => this.#jobs.finish(target, write), { signal, onFull });
    } catch (error) {
      await told;
      if (error === TAKEN) return;
      const isExpected = error instanceof JobError || error instanceof RequestError;
      if (error === CLOSING || (!isExpected && mayPass(error))) {
        // no fault of the job: it is done at the next start, or when the store can be read
        await this.#jobs.release(target, isStarted, (db) => job.mark(db, target, 'QUEUED')).catch(this.#report);
        if (error !== CLOSING) await this.#patience.rest(signal).catch(() => undefined); // it ends, or is cancelled
        return;
      }
      if (!isExpected) this.#report(error);
      const message = isExpected ? error.message : 'This is a defect of the local service; its log has the details.';
      const fail = async (db: Db) => {
        await job.fail(db, target, message);
        await this.#running.get(target)?.also?.(db);
      };
      await this.#patience.write(() => this.#jobs.finish(target, fail));
    }
  }

  /** For timers and events, out of which nothing may be thrown: a failure is reported. */
  #inTurn(work: () => Promise<void>): void {
    this.#turns = this.#turns.then(work).catch(this.#report);
  }

  async #renew(): Promise<void> {
    const owned = await this.#jobs.renew([...this.#running.keys()]);
    for (const [target, { abort }] of this.#running) if (!owned.has(target)) abort.abort(TAKEN);
  }
}

const TAKEN = new Error('Another program works on the job.');
const ENDED = 'The service ended before it was done, and nobody waits for it any more.';

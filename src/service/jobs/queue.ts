import type { DatabaseSync } from 'node:sqlite';
import { storeTrouble, transaction } from '../store/database.ts';
import { JobError, RequestError } from '../errors.ts';
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

const LEASE = 20_000;
const HEARTBEAT = 5_000;
const LOOK_AGAIN = 250;
const MAX_ATTEMPTS = 3;

/** Whose turn comes first. Within one of them, who came first. */
export const PRIORITY = { forecast: 1, training: 0, panel: -1 } as const;

export interface QueueSize {
  /** Tasks that are computed at a time. Twice as many jobs are taken, so that the next ones are ready when a thread is. */
  readonly threads: number;
  /**
   * Kinds of jobs that hold a thread for minutes. They are taken only when a thread is free, and leave one to the others
   * where there are two or more.
   */
  readonly long?: readonly string[];
}

interface Job {
  readonly kind: string;
  readonly target: string;
  readonly attempts: number;
}

interface RunningJob {
  readonly kind: string;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/**
 * The persistent job queue. A job is a row until its result is committed. A program that works on it holds a lease and
 * renews it; the job of a program that died is taken up again by whichever program next looks, so none is forgotten.
 */
export class Queue {
  readonly #database: DatabaseSync;
  readonly #kinds: Readonly<Record<string, JobKind>>;
  readonly #threads: number;
  readonly #long: readonly string[];
  readonly #owner = crypto.randomUUID();
  readonly #running = new Map<string, RunningJob>();
  readonly #timer: NodeJS.Timeout;
  readonly #report: (error: unknown) => void;
  #closed = false;

  /** @param report is told of defects, for the log */
  constructor(
    database: DatabaseSync,
    kinds: Readonly<Record<string, JobKind>>,
    { threads, long = [] }: QueueSize,
    report: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#kinds = kinds;
    this.#threads = threads;
    this.#long = long;
    this.#report = report;
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
   */
  add(kind: string, target: string, turn: keyof typeof PRIORITY): void {
    this.#database
      .prepare('insert into jobs (kind, target, priority) values (?, ?, ?)')
      .run(kind, target, PRIORITY[turn]);
  }

  /** Starts waiting jobs while there is room. Never throws: where the store cannot be written, the timer looks again. */
  wake(): void {
    while (!this.#closed && this.#running.size < 2 * this.#threads) {
      const job = this.#trying(() => this.#claim());
      if (!job) return;
      const abort = new AbortController();
      const done = this.#work(job, abort.signal)
        .catch(this.#report)
        .then(() => {
          this.#running.delete(job.target);
          this.wake();
        });
      this.#running.set(job.target, { kind: job.kind, abort, done });
    }
  }

  /** Resolves when the job has ended, in this program or another; rejects with the signal's reason. */
  async ended(target: string, signal?: AbortSignal): Promise<void> {
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    while (this.#database.prepare('select 1 from jobs where target = ?').get(target)) {
      signal?.throwIfAborted();
      const look = new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
      await Promise.race([this.#running.get(target)?.done ?? look, look, aborted]);
    }
  }

  /** Ends a job as FAILED with this reason, whether it waits or runs. Never rejects: a store that cannot be written is reported. */
  async cancel(target: string, reason: string): Promise<void> {
    const running = this.#running.get(target);
    if (running) {
      running.abort.abort(new JobError(reason));
      await running.done;
    } else {
      this.#trying(() => {
        const job = this.#database.prepare('select kind from jobs where target = ?').get(target);
        if (!job) return;
        this.#finish(target, () => {
          this.#kinds[String(job.kind)].fail(target, reason);
        });
      });
    }
  }

  /** Forgets a job whose resource is deleted in the same transaction; a program that works on it stops by itself. */
  forget(target: string): void {
    this.#database.prepare('delete from jobs where target = ?').run(target);
    this.#running.get(target)?.abort.abort(new JobError('Deleted.'));
  }

  /** Stops working; unfinished jobs go back to the queue for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const running = [...this.#running.values()];
    for (const job of running) job.abort.abort(CLOSING);
    await Promise.all(running.map((job) => job.done));
  }

  /** Lets go of the jobs of programs that died, which nobody works on any more, and starts what waits. */
  #takeUp(): void {
    this.#trying(() => {
      const now = Date.now();
      const left = this.#database
        .prepare('select kind, target from jobs where owner is not null and lease_until < ?')
        .all(now);
      const letGo = this.#database.prepare('update jobs set owner = null where target = ? and lease_until < ?');
      for (const { kind, target } of left) {
        transaction(this.#database, () => {
          const { changes } = letGo.run(target, now);
          if (changes > 0) this.#kinds[String(kind)].mark(String(target), 'QUEUED');
        });
      }
    });
    this.wake();
  }

  /** Takes the job whose turn it is. A long one waits for a free thread, and those behind it wait with it. */
  #claim(): Job | undefined {
    const running = [...this.#running.values()];
    const long = JSON.stringify(this.#long);
    const hasLongEnough =
      running.filter(({ kind }) => this.#long.includes(kind)).length >= Math.max(1, this.#threads - 1);
    const hasFreeThread = running.length < this.#threads;
    const now = Date.now();
    const row = this.#database
      .prepare(
        `update jobs set owner = ?, lease_until = ?, attempts = attempts + 1
         where seq = (
           select seq from jobs where lease_until < ? and kind not in (select value from json_each(?))
           order by priority desc, seq limit 1)
         and kind not in (select value from json_each(?)) returning kind, target, attempts`,
      )
      .get(this.#owner, now + LEASE, now, hasLongEnough ? long : '[]', hasFreeThread ? '[]' : long);
    return row && { kind: String(row.kind), target: String(row.target), attempts: Number(row.attempts) };
  }

  async #work({ kind, target, attempts }: Job, signal: AbortSignal) {
    const job = this.#kinds[kind];
    const unlessAborted = (write: () => void) => {
      this.#trying(() => {
        if (!signal.aborted) write();
      });
    };
    try {
      if (attempts > MAX_ATTEMPTS)
        throw new JobError(`The computation ended the service ${MAX_ATTEMPTS} times, so it was given up.`);
      const write = await job.run(target, signal, {
        onStart: () => {
          unlessAborted(() => {
            job.mark(target, 'IN_PROGRESS');
          });
        },
        onProgress: (progress) => {
          unlessAborted(() => {
            job.progress(target, progress);
          });
        },
      });
      this.#finish(target, write);
    } catch (error) {
      if (error === TAKEN) return;
      if (error === CLOSING) {
        this.#release(target, () => {
          job.mark(target, 'QUEUED');
        });
        return;
      }
      const isExpected = error instanceof JobError || error instanceof RequestError;
      if (!isExpected) this.#report(error);
      const trouble = storeTrouble(error);
      if (trouble?.status === 503) {
        // no fault of the job: it waits for the store as for a free place
        this.#release(target, () => {
          job.mark(target, 'QUEUED');
        });
        return;
      }
      const message = isExpected
        ? error.message
        : (trouble?.message ?? 'This is a defect of the local service; its log has the details.');
      this.#finish(target, () => {
        job.fail(target, message);
      });
    }
  }

  /** Ends the job and writes its result as one; writes nothing where the job was taken away meanwhile. */
  #finish(target: string, write: () => void): void {
    transaction(this.#database, () => {
      const { changes } = this.#database.prepare('delete from jobs where target = ?').run(target);
      if (changes > 0) write();
    });
  }

  #release(target: string, write: () => void): void {
    transaction(this.#database, () => {
      const { changes } = this.#database
        .prepare(
          'update jobs set owner = null, lease_until = 0, attempts = attempts - 1 where target = ? and owner = ?',
        )
        .run(target, this.#owner);
      if (changes > 0) write();
    });
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
    for (const [target, { abort }] of this.#running) {
      const { changes } = this.#database
        .prepare('update jobs set lease_until = ? where target = ? and owner = ?')
        .run(Date.now() + LEASE, target, this.#owner);
      if (changes === 0) abort.abort(TAKEN);
    }
  }
}

const CLOSING = new Error('The service closes.');
const TAKEN = new Error('Another program works on the job.');

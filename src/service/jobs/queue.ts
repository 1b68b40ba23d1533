/** The queue of jobs, above the engine that keeps it: what is stored of a resource says whether its job is done. */
import { failure, type Failure } from '../../contract/failures.ts';
import type { Db } from '../database/store.ts';
import { mayPass } from '../database/trouble.ts';
import { BusyError } from '../errors.ts';
import { forgetMade } from '../store/creations.ts';
import type { ForecastTask } from '../tasks/predict.ts';
import type { TaskProgress } from '../tasks/series.ts';
import type { TaskEvents } from '../tasks/pool.ts';
import { change, CLOSING, type Ended, failed, isPending, Retry, type Write, written } from './writes.ts';

/** Which jobs go first where a thread is free. `dataset`: those of its series. */
export const LANES = ['forecast', 'training', 'dataset'] as const;
export type Lane = (typeof LANES)[number];

/** Where jobs wait: the tenants of a lane take turns. */
export interface Line {
  readonly lane: Lane;
  readonly tenant: string;
}

export interface NewJob extends Line {
  readonly kind: string;
  readonly target: string;
  /** The task of a thread, where it is known: a job that is done here and soon need not read it. */
  readonly task?: GetTask | undefined;
}
export type GetTask = () => Promise<ForecastTask>;

/** What a queue must know about a kind of job. `id` names the resource that the job brings to its end. */
export interface JobKind {
  run(id: string, signal: AbortSignal, events: TaskEvents, task?: GetTask): Promise<Write>;
  /** For many jobs at once; absent where each is done by itself. */
  readonly bulk?: Bulk | undefined;
  /** Stores how far a job is, and that it has begun; where absent, its resource says so. */
  progress?(db: Db, id: string, progress: TaskProgress): Promise<unknown>;
}

/** Does many jobs in few statements. What cannot be done so is left out, to be done by itself. */
export interface Bulk {
  /** Those of these that are pending, in slices that take a thread about a second at most. */
  slices(ids: readonly string[]): Promise<readonly (readonly string[])[]>;
  /** @returns how the results of those that are still pending are written */
  run(slice: readonly string[], signal: AbortSignal): Promise<BulkWrite>;
}

export interface BulkWrite {
  readonly ids: readonly string[];
  readonly write: (db: Db, ids: ReadonlySet<string>) => Promise<void>;
}

export type Kinds = Readonly<Record<string, JobKind>>;

/** What a job carries: no values, only names. */
export interface Job {
  readonly kind: string;
  /** Of a dataset some hundred, so that a job takes a second or two. */
  readonly targets: readonly string[];
  /** Whether a program lost it before, which may have died over it. */
  readonly isSuspect?: boolean | undefined;
}

export interface ClaimedJob extends Line {
  readonly job: Job;
  /** Whether another program had it, and did not renew its lease. */
  readonly isLost: boolean;
  /** Aborted where it is given to another program. */
  readonly signal: AbortSignal;
}

export interface Waiting {
  readonly lane: Lane;
  readonly jobs: number;
  /** How long the oldest has waited, in seconds. */
  readonly age: number;
}

/** How many jobs of a lane a program has at a time, and how many of those of one tenant. */
export interface Capacity {
  readonly most: number;
  readonly ofOne: number;
}

/** What keeps jobs that wait, and gives each to one program at a time: a table of the store, or pg-boss. */
export interface Engine {
  /**
   * Adds jobs in the transaction of their resources. The first comes behind the last of its own tenant, and not before the
   * first of any, as of fair queueing (Demers, Keshav, Shenker 1989); the others behind it. So tenants take turns, however
   * many jobs one of them has.
   * @param most that may wait of the tenant in this lane before them
   * @returns whether they were added
   */
  add(db: Db, line: Line, jobs: readonly Job[], most: number): Promise<boolean>;
  /** Has jobs done from now on. @param work gives the targets that it did not do, which go back into the queue */
  start(
    capacities: Readonly<Record<Lane, Capacity>>,
    work: (job: ClaimedJob) => Promise<readonly string[]>,
  ): Promise<void>;
  wake(): void;
  /** Whether jobs can be added and are asked for. Never rejects. */
  answers(): Promise<boolean>;
  /** What waits, for all programs on the store. */
  waiting(): Promise<readonly Waiting[]>;
  /** Claims no more jobs, and resolves when those under way have ended. */
  close(): Promise<void>;
}

/** How many jobs of each lane may wait of one tenant. */
const MAX_WAITING: Readonly<Record<Lane, number>> = { forecast: 1_000, training: 100, dataset: 3_000 };
/** Series of one job of a dataset. */
const SERIES_PER_JOB = 300;

/** Before it is looked again whether a job has ended, in milliseconds: soon at first, and each time so much longer. */
const POLL = { first: 10, last: 250, factor: 1.2 };
/** Jobs that ended here and are remembered. */
const REMEMBERED = 1_000;
/** Tasks that are kept, each of some hundred kilobytes at most. */
const MAX_TASKS = 100;

export interface QueueOptions {
  readonly engine: Engine;
  readonly db: Db;
  readonly report: (error: unknown) => void;
  /** Whether jobs are done in this program, which then notifies of their ends. */
  readonly isHere: boolean;
}

/** Adds jobs, waits for them, and cancels them. A job is added in the transaction of its resource. */
export class Queue {
  readonly #options: QueueOptions;
  readonly #closing = new AbortController();
  readonly #retry: Retry;
  /** What ended here, with the error where the disk is full. */
  readonly #ended = new Map<string, unknown>();
  readonly #waiting = new Map<string, Set<(ended?: Ended) => void>>();
  readonly #listeners = new Set<() => void>();
  readonly #tasks = new Map<string, GetTask>();

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#retry = new Retry(this.#closing.signal, options.report);
  }

  /** Adds a job; call {@link wake} after the commit. @throws BusyError where too many of its tenant wait already */
  async add(db: Db, { kind, target, task, ...line }: NewJob): Promise<void> {
    await this.addAll(db, kind, [target], line);
    if (task && this.#options.isHere) keep(this.#tasks, target, task, MAX_TASKS);
  }

  /** As {@link add}, many at once, which are done some hundred at a time. */
  async addAll(db: Db, kind: string, targets: readonly string[], line: Line): Promise<void> {
    const jobs: Job[] = [];
    for (let from = 0; from < targets.length; from += SERIES_PER_JOB)
      jobs.push({ kind, targets: targets.slice(from, from + SERIES_PER_JOB) });
    if (jobs.length === 0 || (await this.#options.engine.add(db, line, jobs, MAX_WAITING[line.lane]))) return;
    throw new BusyError(failure('busy'));
  }

  takeTask(target: string): GetTask | undefined {
    const task = this.#tasks.get(target);
    this.#tasks.delete(target);
    return task;
  }

  wake(): void {
    this.#options.engine.wake();
  }

  /** Resolves when the job has ended, here or elsewhere. @throws the signal’s reason; an error of a full disk */
  async ended(target: string, signal?: AbortSignal): Promise<Ended | undefined> {
    const { db, isHere } = this.#options;
    for (let pause = isHere ? POLL.last : POLL.first; ; pause = Math.min(POLL.last, POLL.factor * pause)) {
      const isKnown = this.#ended.has(target) || this.#closing.signal.aborted;
      const ended = isHere && !isKnown ? await this.#end(target, pause, signal) : undefined;
      signal?.throwIfAborted();
      if (this.#ended.has(target)) {
        const error = this.#ended.get(target);
        if (error === undefined) return ended;
        this.#ended.delete(target);
        throw error as Error;
      }
      // connections may be few or gone for a while, which is no reason to give up what is being done
      const isStill = await isPending(db, target).catch((error: unknown) => {
        if (!mayPass(error)) throw error;
        return true;
      });
      if (!isStill) return undefined;
      if (this.#closing.signal.aborted) {
        // who asks again under its key does not get this for an answer
        await this.cancel(target, failure('nobody_waits'), (db) => forgetMade(db, target));
        return undefined;
      }
      if (!isHere) await this.#end(target, pause, signal);
    }
  }

  /** Waits for the end of a job that is done here, or for a while. */
  async #end(target: string, most: number, signal: AbortSignal | undefined): Promise<Ended | undefined> {
    const { promise, resolve } = Promise.withResolvers<Ended | undefined>();
    const stop = () => {
      resolve(undefined);
    };
    const all = this.#waiting.get(target) ?? new Set();
    this.#waiting.set(target, all.add(resolve));
    const timer = setTimeout(stop, most);
    const ends = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    ends.addEventListener('abort', stop);
    try {
      return await promise;
    } finally {
      ends.removeEventListener('abort', stop);
      clearTimeout(timer);
      all.delete(resolve);
      if (all.size === 0) this.#waiting.delete(target);
    }
  }

  /** A job has ended here. @param error of the store, where the disk is full */
  notify(target: string, ended?: Ended, error?: unknown): void {
    keep(this.#ended, target, error, REMEMBERED);
    for (const resolve of this.#waiting.get(target) ?? []) resolve(ended);
  }

  /** Ends a pending job as FAILED. Never rejects. @param also is written in the same transaction */
  async cancel(target: string, reason: Failure, also?: (db: Db) => Promise<void>): Promise<void> {
    const { db, report } = this.#options;
    const end: Write = async (db) => {
      if (!(await change(db, target, failed(reason)))) return undefined;
      await also?.(db);
      return {};
    };
    await this.#retry
      .write(() => written(db, end))
      .catch((error: unknown) => {
        if (error !== CLOSING) report(error);
      });
    for (const resolve of this.#waiting.get(target) ?? []) resolve();
    this.changed();
  }

  /** The resources of jobs were deleted, or are in a transaction that is under way: who works on one stops. */
  changed(): void {
    this.#tasks.clear();
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether jobs can be added and asked for. Never rejects. */
  async answers(): Promise<boolean> {
    return !this.#closing.signal.aborted && (await this.#options.engine.answers());
  }

  waiting(): Promise<readonly Waiting[]> {
    return this.#options.engine.waiting();
  }

  /** Those that wait for a job are notified. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#options.engine.close();
  }
}

function keep<T>(all: Map<string, T>, name: string, value: T, most: number): void {
  all.delete(name);
  all.set(name, value);
  const [oldest] = all.keys();
  if (all.size > most) all.delete(oldest);
}

/** The queue of jobs, above the engine that keeps it: what is stored of a resource says whether its job is done. */
import { failure, type Failure } from '../../contract/failures.ts';
import { BusyError } from '../errors.ts';
import { forgetMade } from '../store/creations.ts';
import type { Db } from '../database/tables.ts';
import { mayPass } from '../database/trouble.ts';
import type { ForecastTask } from '../tasks/predict.ts';
import type { TaskProgress } from '../tasks/series.ts';
import type { TaskEvents } from '../tasks/tasks.ts';
import { CLOSING, Patience } from './patience.ts';
import { change, type Ended, isPending, type Write, written } from './pending.ts';

/** Whose turn comes first, where a thread is free. `dataset` is that of the series of one. */
export const TURNS = ['forecast', 'training', 'dataset'] as const;
export type Turn = (typeof TURNS)[number];

/** Where jobs wait: in fair turns with those of other tenants that come in the same turn. */
export interface Line {
  readonly turn: Turn;
  /** The tenant. */
  readonly tenant: string;
}

export interface NewJob extends Line {
  readonly kind: string;
  readonly target: string;
  /** What a thread is to be asked, where it is at hand: where it is done here and soon, it need not be read again. */
  readonly task?: GetTask | undefined;
}
export type GetTask = () => Promise<ForecastTask>;

/** What a queue must know about a kind of job. `id` names the resource that the job brings to its end. */
export interface JobKind {
  /** @param task as it was at hand when the job was added */
  run(id: string, signal: AbortSignal, events: TaskEvents, task?: GetTask): Promise<Write>;
  /** For many jobs at once; absent where each is done by itself. */
  readonly together?: Together | undefined;
  /** Tells how far a job is, and that it has begun; where absent, that is told of its resource. */
  progress?(db: Db, id: string, progress: TaskProgress): Promise<unknown>;
}

/** Does many jobs in few statements. What cannot be done so is left out, to be done by itself. */
export interface Together {
  /** Those of these that are still to be done, in parts that take a thread about a second at most. */
  parts(ids: readonly string[]): Promise<readonly (readonly string[])[]>;
  /** @returns the writing of those results that it is told of, which the queue sees to be still wanted */
  run(part: readonly string[], signal: AbortSignal): Promise<ReadyTogether>;
}

export interface ReadyTogether {
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

/** A job that a program has taken. */
export interface HeldJob extends Line {
  readonly job: Job;
  /** Whether another program had it, and did not renew its lease. */
  readonly isLost: boolean;
  /** Aborted where it is given to another program. */
  readonly signal: AbortSignal;
}

/** Jobs that wait for their turn. */
export interface Waiting {
  readonly turn: Turn;
  readonly jobs: number;
  /** How long the oldest has waited, in seconds. */
  readonly age: number;
}

/** How many jobs of a turn a program has at a time, and how many of those of one tenant. */
export interface Room {
  readonly most: number;
  readonly ofOne: number;
}

/** What keeps jobs that wait, and gives each to one program at a time: a table of the store, or pg-boss. */
export interface Engine {
  /**
   * Adds jobs in the transaction of their resources. The first comes behind the last of its own tenant, and not before the
   * first of any, as of fair queueing (Demers, Keshav, Shenker 1989); the others behind it. So tenants take turns, however
   * many jobs one of them has.
   * @param most that may wait of the tenant in this turn before them
   * @returns whether they were added
   */
  add(db: Db, line: Line, jobs: readonly Job[], most: number): Promise<boolean>;
  /** Has jobs done from now on. @param work gives the targets that it did not do, which go back into the queue */
  start(rooms: Readonly<Record<Turn, Room>>, work: (held: HeldJob) => Promise<readonly string[]>): Promise<void>;
  /** There is something to do. */
  wake(): void;
  /** Whether jobs can be added and are asked for. Never rejects. */
  answers(): Promise<boolean>;
  /** What waits, for all programs on the store. */
  waiting(): Promise<readonly Waiting[]>;
  /** Takes no more jobs, and resolves when those under way have ended. */
  close(): Promise<void>;
}

/** How many jobs of each turn may wait of one tenant. */
const MOST_WAITING: Readonly<Record<Turn, number>> = { forecast: 1_000, training: 100, dataset: 3_000 };
/** Series of one job of a dataset. */
const TOGETHER = 300;

/** Before it is looked again whether a job has ended, in milliseconds: soon at first. */
const SOON = 10;
const LATE = 250;
/** Each time so much longer, so that who waits is told within a fifth of the time that it took. */
const LONGER = 1.2;
/** Jobs that ended here and are remembered. */
const REMEMBERED = 1_000;

/** Tasks that are kept at hand at most, each of some hundred kilobytes at most. */
const AT_HAND = 100;

export interface QueueOptions {
  readonly engine: Engine;
  /** All tenants. */
  readonly db: Db;
  readonly report: (error: unknown) => void;
  /** Whether jobs are done in this program, which then tells of their ends. */
  readonly isHere: boolean;
}

/** Adds jobs, waits for them, and calls them off. A job is added in the transaction of its resource. */
export class Queue {
  readonly #options: QueueOptions;
  readonly #closing = new AbortController();
  readonly #patience: Patience;
  /** What ended here, with the error where there is no room for its result. */
  readonly #ended = new Map<string, unknown>();
  /** Who waits for what, and is told of its end. */
  readonly #waiting = new Map<string, Set<(ended?: Ended) => void>>();
  readonly #looks = new Set<() => void>();
  readonly #atHand = new Map<string, GetTask>();

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#patience = new Patience(this.#closing.signal, options.report);
  }

  /**
   * Adds a job; call {@link wake} after the commit.
   * @throws BusyError where too many of its tenant wait already
   */
  async add(db: Db, { kind, target, task, ...line }: NewJob): Promise<void> {
    await this.addAll(db, kind, [target], line);
    if (task && this.#options.isHere) keep(this.#atHand, target, task, AT_HAND);
  }

  /** As {@link add}, many at once, which are done some hundred at a time. */
  async addAll(db: Db, kind: string, targets: readonly string[], line: Line): Promise<void> {
    const jobs: Job[] = [];
    for (let from = 0; from < targets.length; from += TOGETHER)
      jobs.push({ kind, targets: targets.slice(from, from + TOGETHER) });
    if (jobs.length === 0 || (await this.#options.engine.add(db, line, jobs, MOST_WAITING[line.turn]))) return;
    throw new BusyError(failure('busy'));
  }

  /** What is at hand of a job that is begun with. */
  taken(target: string): GetTask | undefined {
    const task = this.#atHand.get(target);
    this.#atHand.delete(target);
    return task;
  }

  /** There is something to do. */
  wake(): void {
    this.#options.engine.wake();
  }

  /**
   * Resolves when the job has ended, in this program or another; rejects with the signal's reason, or with the store's
   * error where there is no room for the result.
   * @returns what is told of its end, where it ended here just now
   */
  async ended(target: string, signal?: AbortSignal): Promise<Ended | undefined> {
    const { db, isHere } = this.#options;
    for (let rest = isHere ? LATE : SOON; ; rest = Math.min(LATE, LONGER * rest)) {
      const isTold = this.#ended.has(target) || this.#closing.signal.aborted;
      const ended = isHere && !isTold ? await this.#news(target, rest, signal) : undefined;
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
      if (!isHere) await this.#news(target, rest, signal);
    }
  }

  /** Waits for the end of a job that is done here, or for a while. */
  async #news(target: string, most: number, signal: AbortSignal | undefined): Promise<Ended | undefined> {
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

  /** A job has ended here. @param error of the store, where there is no room for its result */
  tell(target: string, ended?: Ended, error?: unknown): void {
    keep(this.#ended, target, error, REMEMBERED);
    for (const resolve of this.#waiting.get(target) ?? []) resolve(ended);
  }

  /**
   * Ends a job as FAILED with this reason, whether it waits or runs. Never rejects.
   * @param also is written as one with that, and only where it had not ended
   */
  async cancel(target: string, reason: Failure, also?: (db: Db) => Promise<void>): Promise<void> {
    const { db, report } = this.#options;
    const end: Write = async (db) => {
      if (!(await change(db, target, failed(reason)))) return undefined;
      await also?.(db);
      return {};
    };
    await this.#patience
      .write(() => written(db, end))
      .catch((error: unknown) => {
        if (error !== CLOSING) report(error);
      });
    for (const resolve of this.#waiting.get(target) ?? []) resolve();
    this.look();
  }

  /** The resources of jobs were deleted, or are in a transaction that is under way: who works on one stops. */
  look(): void {
    this.#atHand.clear();
    for (const look of this.#looks) look();
  }

  /** Is called when what is stored of jobs was changed here. @returns what ends that */
  onLook(look: () => void): () => void {
    this.#looks.add(look);
    return () => this.#looks.delete(look);
  }

  /** Whether jobs can be added and asked for. Never rejects. */
  async answers(): Promise<boolean> {
    return !this.#closing.signal.aborted && (await this.#options.engine.answers());
  }

  waiting(): Promise<readonly Waiting[]> {
    return this.#options.engine.waiting();
  }

  /** Those that wait for a job are told that it ended. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#options.engine.close();
  }
}

/** Keeps the newest. */
function keep<T>(all: Map<string, T>, name: string, value: T, most: number): void {
  all.delete(name);
  all.set(name, value);
  const [oldest] = all.keys();
  if (all.size > most) all.delete(oldest);
}

/** What is told of what failed. */
export const failed = (reason: Failure) => ({ status: 'FAILED', progress: null, error: JSON.stringify(reason) });

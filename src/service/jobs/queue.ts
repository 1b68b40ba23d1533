import type { Line, NewJob, Turn } from '../store/jobs.ts';
import type { Db } from '../database/tables.ts';
import type { TaskEvents, TaskProgress } from '../tasks/tasks.ts';

/** Writes something in a transaction that others share. */
export type Write = (db: Db) => Promise<void>;

/** What a queue must know about a kind of job. `id` names the resource that the job brings to its end. */
export interface JobKind {
  /** Sets the resource's status to IN_PROGRESS or back to QUEUED. */
  mark(db: Db, id: string, status: 'IN_PROGRESS' | 'QUEUED'): Promise<void>;
  progress(db: Db, id: string, progress: TaskProgress): Promise<void>;
  /** @returns the writing of the result, which the queue commits together with the end of the job */
  run(id: string, signal: AbortSignal, events: TaskEvents): Promise<Write>;
  fail(db: Db, id: string, message: string): Promise<void>;
  /** For many jobs at once; absent where each is done by itself. */
  readonly together?: Together | undefined;
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

/**
 * Jobs of one tenant that are taken by a program at a time, for each of its threads: the next one is ready when a thread is.
 * Those of all tenants are twice as many, so that one with nothing under way waits for none of another's.
 */
export const TAKEN_EACH = 2;

/** Jobs that wait for their turn. */
export interface Waiting {
  readonly turn: Turn;
  readonly jobs: number;
  /** How long the oldest has waited, in seconds. */
  readonly age: number;
}

/** Jobs that wait and run, whoever keeps them. A job is added and forgotten in the transaction of its resource. */
export interface Queue {
  /**
   * Adds a job, in the transaction that adds its resource; call {@link wake} after the commit.
   * @param isAwaited whether a client waits for its end: it is not done any more when this program has ended
   * @throws BusyError where too many of its tenant wait already
   */
  add(db: Db, job: NewJob, isAwaited?: boolean): Promise<void>;
  /** As {@link add}, many at once, for which nobody waits. */
  addAll(db: Db, kind: string, targets: readonly string[], line: Line): Promise<void>;
  /** @throws BusyError where too many of its tenant wait already */
  checkRoom(db: Db, line: Line): Promise<void>;
  /** There is something to do. */
  wake(): void;
  /**
   * Resolves when the job has ended, in this program or another; rejects with the signal's reason, or with the store's
   * error where there is no room for the result.
   */
  ended(target: string, signal?: AbortSignal): Promise<void>;
  /**
   * Ends a job as FAILED with this reason, whether it waits or runs. Never rejects.
   * @param also is written as one with that, and only where it had not ended
   */
  cancel(target: string, reason: string, also?: Write): Promise<void>;
  /** Forgets jobs whose resources are deleted in this transaction; a program that works on one stops by itself. */
  forget(db: Db, targets: readonly string[]): Promise<void>;
  /** Whether jobs can be added and asked for. Never rejects. */
  answers(): Promise<boolean>;
  /** What waits, for all programs on the store. */
  waiting(): Promise<readonly Waiting[]>;
  close(): Promise<void>;
}

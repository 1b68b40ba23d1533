/** The port of the queue: what keeps jobs that wait, which a table of the store does, or pg-boss. */
import type { Db } from '../database/store.ts';

export const LANES = ['forecast', 'training', 'dataset'] as const;
export type Lane = (typeof LANES)[number];

export interface Line {
  readonly lane: Lane;
  readonly tenant: string;
}

export interface Job {
  readonly kind: string;
  readonly targets: readonly string[];
  readonly isSuspect?: boolean | undefined;
}

export interface ClaimedJob extends Line {
  readonly job: Job;
  readonly isLost: boolean;
  readonly signal: AbortSignal;
}

export interface Waiting {
  readonly lane: Lane;
  readonly jobs: number;
  /** How long the oldest has waited, in seconds. */
  readonly age: number;
}

/** How many jobs of each lane a program has at a time, and how many of those of one tenant. */
export type Capacities = Readonly<Record<Lane, { readonly most: number; readonly ofOne: number }>>;

/** Does a job. @returns the targets that it did not do, which go back into the queue */
export type Work = (job: ClaimedJob) => Promise<readonly string[]>;

export interface Engine {
  /**
   * Adds jobs in the transaction of their resources, in fair turns (Demers, Keshav, Shenker 1989): the first behind its tenant's last.
   * @param most that may wait of the tenant in this lane before them @returns whether they were added
   */
  add(db: Db, line: Line, jobs: readonly Job[], most: number): Promise<boolean>;
  start(capacities: Capacities, work: Work): Promise<void>;
  wake?(): void;
  answers(): Promise<boolean>;
  waiting(): Promise<readonly Waiting[]>;
  close(): Promise<void>;
}

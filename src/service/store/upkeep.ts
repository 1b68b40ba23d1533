import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Storage } from '../../contract/local.ts';
import type { Datasets } from './datasets.ts';
import type { Predictions } from './predictions.ts';
import { mayPass } from './trouble.ts';

const DAY = 86_400_000;
/** Between two slices of work, and between two looks whether there is any, in milliseconds. */
const SOON = 50;
const LATER = 600_000;
/** Pages (of 4 KB) that are given back to the disk, and predictions that are deleted, at a time. */
const PAGES = 500;
const PREDICTIONS = 100;

export interface UpkeepOptions {
  readonly database: DatabaseSync;
  readonly predictions: Predictions;
  readonly datasets: Datasets;
  /** Days after which predictions that ended are deleted; absent or 0: never. */
  readonly keepDays?: number | undefined;
  readonly report: (error: unknown) => void;
}

/** Deletes what is not to be kept any longer, or was stored for jobs that are gone, and gives room back to the disk, a little at a time. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  #keepDays: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#keepDays = options.keepDays ?? 0;
    this.#again(SOON);
  }

  /** From now on predictions that ended are deleted after so many days; 0: never. */
  keepFor(days: number): void {
    this.#keepDays = days;
    clearTimeout(this.#timer);
    this.#again(SOON);
  }

  /** How much is stored. */
  storage(): Storage {
    const { database } = this.#options;
    const count = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
    const file = database.location();
    const size = (name: string): number => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
    const page = count('pragma page_size');
    return {
      bytes: file === null ? count('pragma page_count') * page : size(file) + size(`${file}-wal`),
      free_bytes: count('pragma freelist_count') * page,
      predictions: count('select count(*) from predictions'),
      datasets: count('select count(*) from datasets where complete = 1'),
      keep_days: this.#keepDays || undefined,
    };
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #again(after: number): void {
    this.#timer = setTimeout(() => {
      let isMore = false;
      try {
        isMore = this.#work();
      } catch (error) {
        if (!mayPass(error)) this.#options.report(error);
      }
      this.#again(isMore ? SOON : LATER);
    }, after);
    this.#timer.unref();
  }

  /** @returns whether there is more to do */
  #work(): boolean {
    const { database, predictions, datasets } = this.#options;
    const days = this.#keepDays;
    const deleted = days > 0 ? predictions.removeBefore(Date.now() - days * DAY, PREDICTIONS) : 0;
    datasets.removeLeft();
    const isRemoved = datasets.removeUnneeded();
    const free = Number(Object.values(database.prepare('pragma freelist_count').get() ?? {})[0] ?? 0);
    // some is left to be written anew
    if (free > PAGES) database.exec(`pragma incremental_vacuum(${PAGES})`);
    const isMore = deleted === PREDICTIONS || isRemoved || free > 2 * PAGES;
    if (free > PAGES && !isMore) database.exec('pragma wal_checkpoint(truncate)');
    return isMore;
  }
}

import type { Db } from './tables.ts';

/** Where the store lives: a database of some kind, and what is done to it as a whole. */
export interface Home {
  readonly db: Db;
  /** Whether it is still the database that was opened: another program may have replaced the file. */
  isInPlace(): boolean;
  size(): Promise<{ readonly bytes: number; readonly free_bytes: number }>;
  /**
   * Gives room of what was deleted back, a little at a time.
   * @param isLast whether nothing more is deleted after it just now
   * @returns whether there is more to do
   */
  tidy(isLast: boolean): Promise<boolean>;
  close(): Promise<void>;
}

import type { Space } from './space.ts';
import type { Db } from './tables.ts';

/** Where the store lives: a database of some kind, and what is done to it as a whole. */
export interface Home {
  /** All spaces: for what is done for none of them. */
  readonly db: Db;
  /** The same database, whose statements see one space where it can lock the others. */
  in(space: Space): Db;
  /** Whether programs of other machines may have it too. */
  readonly isShared: boolean;
  /** Whether it locks them. */
  readonly hasRowSecurity?: boolean;
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

/** Where the store lives, and what its database says otherwise than another. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './tables.ts';

/** The tenant that all belongs to where nobody made another one. */
export const DEFAULT_TENANT = 'default';

/** What a request may see: what belongs to the tenant of its key; all where absent, for what the service does by itself. */
export type Tenant = string | undefined;

/** Holds for rows of the tenant. */
export const ofTenant = (tenant: Tenant, column = 'tenant'): RawBuilder<boolean> =>
  tenant === undefined ? sql`1 = 1` : sql`${sql.ref(column)} = ${tenant}`;

/** A database of some kind, and what is done to it as a whole. */
export interface Home {
  /** All tenants: for what is done for none of them. */
  readonly db: Db;
  /** The same database, whose statements see one tenant where it can lock the others. */
  in(tenant: Tenant): Db;
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

/** What one database says otherwise than another: the few pieces of SQL that are not the same on both. */
export interface Dialect {
  /** As many rows are counted for the total of a list; where there are more, there is none. Absent: all are. */
  readonly mostCounted?: number;
  /** Ends a choice of rows that are to be written: others wait, or those that another program has hold of are passed over. */
  readonly locking: RawBuilder<unknown>;
  readonly passingLocked: RawBuilder<unknown>;
  /** Whether others write at the same time, so that what is looked at before it is deleted is to be locked. */
  readonly locksRows: boolean;
  /** A new id for each row. `prefix` is of this program. */
  newId(prefix: string): RawBuilder<string>;
  /** Whether a column is one of these, however many there are. */
  isOneOf(column: string, texts: readonly string[]): RawBuilder<boolean>;
  /** 1 where a column has JSON. */
  isJson(column: string): RawBuilder<number>;
  /** Letters of a text at its start or its end. */
  letters(column: string, which: 'first' | 'last', count: number): RawBuilder<string>;
  /** Whether a column with a list of texts in JSON has one of these. */
  hasOneOf(column: string, texts: readonly string[]): RawBuilder<boolean>;
  /** A column with an object in JSON, without one of its fields. */
  without(column: string, field: string): RawBuilder<string | null>;
  /** A number in a column with an object in JSON, or the start of a text there. `path` is of this program. */
  numberAt(column: string, path: readonly string[]): RawBuilder<number | null>;
  textAt(column: string, path: readonly string[], letters: number): RawBuilder<string | null>;
  /** Whether the list at `field` of a column with an object in JSON has what another column says. */
  listHas(column: string, field: string, value: string): RawBuilder<boolean>;
}

/** An adapter of Kysely that knows what its database says otherwise. */
export interface StoreAdapter {
  readonly store: Dialect;
}

export const dialectOf = (db: Db): Dialect => (db.getExecutor().adapter as unknown as StoreAdapter).store;

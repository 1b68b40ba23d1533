import type { RawBuilder } from 'kysely';
import type { Db } from './tables.ts';

/** What one database says otherwise than another: the few pieces of SQL that are not the same on both. */
export interface Dialect {
  /** As many rows are counted for the total of a list; where there are more, there is none. Absent: all are. */
  readonly mostCounted?: number;
  /** Ends a choice of rows that are to be written: those that another program has hold of are passed over. */
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

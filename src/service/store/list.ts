import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Page } from '../../contract/resources.ts';
import { type Position, readPage } from './cursor.ts';
import { storeTrouble } from './trouble.ts';

export type SqlRow = Record<string, SQLInputValue> & { seq: number };

/** What a list request asks for. */
export interface PageRequest {
  readonly position: Position;
  readonly size: number;
}

/**
 * One page of a table, newest first. A row that is damaged, or lies in a damaged part of the file, does not spoil the
 * page: `toItem` gets it with what is left of it, at least its `seq`, and says so.
 * `where` and `columns` are SQL of this program, never text from outside.
 */
export function listTable<T>(
  database: DatabaseSync,
  { table, columns = '*', where = '1', parameters = [] }: ListQuery,
  { position, size }: PageRequest,
  toItem: (row: SqlRow) => T,
): Page<T> {
  const query = (wanted: string, { direction, seq, inclusive }: Position, limit: number) => {
    const compare = (direction === 'after' ? '<' : '>') + (inclusive ? '=' : '');
    const edge = seq === undefined ? [] : [seq];
    return database
      .prepare(
        `select ${wanted} from ${table} where ${where} ${seq === undefined ? '' : `and seq ${compare} ?`}
         order by seq ${direction === 'after' ? 'desc' : 'asc'} limit ?`,
      )
      .all(...parameters, ...edge, limit) as SqlRow[];
  };
  const one = (seq: number): SqlRow =>
    unlessDamaged(() => database.prepare(`select ${columns} from ${table} where seq = ?`).get(seq) as SqlRow) ??
    unlessDamaged(() => database.prepare(`select seq, id from ${table} where seq = ?`).get(seq) as SqlRow) ?? { seq };
  const read = (at: Position, limit: number) =>
    unlessDamaged(() => query(columns, at, limit)) ?? query('seq', at, limit).map(({ seq }) => one(seq));
  const total = unlessDamaged(
    () => database.prepare(`select count(*) n from ${table} where ${where}`).get(...parameters)?.n,
  );
  return readPage(read, position, size, number(total), toItem);
}

/** @returns `undefined` where the file is damaged at what `work` reads */
function unlessDamaged<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (storeTrouble(error)?.isDamaged) return undefined;
    throw error;
  }
}

interface ListQuery {
  readonly table: string;
  readonly columns?: string;
  readonly where?: string;
  readonly parameters?: readonly SQLInputValue[];
}

export const text = (value: SQLInputValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

export const number = (value: SQLInputValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** A column that is not what this program wrote there. */
export class DamagedRowError extends Error {
  constructor(cause?: unknown) {
    super('What is stored of it is damaged. Delete it, or repair the stored forecasts.', { cause });
    this.name = 'DamagedRowError';
  }
}

/** Reads a column that this program wrote as JSON. @throws DamagedRowError */
export function json<T>(value: SQLInputValue | undefined): T | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return JSON.parse(value) as T;
  } catch (cause) {
    throw new DamagedRowError(cause);
  }
}

/** A text of the row that is never absent. @throws DamagedRowError */
export function needed(value: SQLInputValue | undefined): string {
  if (typeof value !== 'string') throw new DamagedRowError();
  return value;
}

/** What `read` makes of a row, or `instead` of one that is damaged. */
export function orDamaged<T>(read: () => T, instead: (reason: string) => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRowError) return instead(error.message);
    throw error;
  }
}

export const newId = (prefix: string): string => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;

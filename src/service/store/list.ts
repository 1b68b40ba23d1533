import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Page } from '../../contract/resources.ts';
import { type Position, readPage } from './cursor.ts';

export type SqlRow = Record<string, SQLInputValue> & { seq: number };

/** What a list request asks for. */
export interface PageRequest {
  readonly position: Position;
  readonly size: number;
}

/** One page of a table, newest first. `where` and `columns` are SQL of this program, never text from outside. */
export function listTable<T>(
  database: DatabaseSync,
  { table, columns = '*', where = '1', parameters = [] }: ListQuery,
  { position, size }: PageRequest,
  toItem: (row: SqlRow) => T,
): Page<T> {
  const total = database.prepare(`select count(*) n from ${table} where ${where}`).get(...parameters)?.n;
  const read = ({ direction, seq, inclusive }: Position, limit: number) => {
    const compare = (direction === 'after' ? '<' : '>') + (inclusive ? '=' : '');
    const edge = seq === undefined ? [] : [seq];
    return database
      .prepare(
        `select ${columns} from ${table} where ${where} ${seq === undefined ? '' : `and seq ${compare} ?`}
         order by seq ${direction === 'after' ? 'desc' : 'asc'} limit ?`,
      )
      .all(...parameters, ...edge, limit) as SqlRow[];
  };
  return readPage(read, position, size, Number(total), toItem);
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

/** Reads a column that this program wrote as JSON. */
export const json = <T>(value: SQLInputValue | undefined): T | undefined =>
  typeof value === 'string' ? (JSON.parse(value) as T) : undefined;

export const newId = (prefix: string): string => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;

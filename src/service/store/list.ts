import { type RawBuilder, sql } from 'kysely';
import type { Page } from '../../contract/resources.ts';
import { type Position, readPage } from './cursor.ts';
import { dialectOf } from './dialect.ts';
import { type Db, snapshot, type Tables } from './tables.ts';
import { storeTrouble } from './trouble.ts';

/** What a column can hold, whatever was to be stored in it. */
type Stored = string | number | bigint | null | Uint8Array;

export type SqlRow = Readonly<Record<string, Stored>> & { readonly seq: number };

/** What a list request asks for. */
export interface PageRequest {
  readonly position: Position;
  readonly size: number;
}

/**
 * One page of a table, newest first, as it is at one instant. A row that is damaged, or lies in a damaged part of the
 * file, does not spoil the page: `toItems` gets it with what is left of it, at least its `seq`, and says so.
 */
export const listTable = <T>(
  db: Db,
  { table, columns = EVERYTHING, where = sql`1 = 1` }: ListQuery,
  { position, size }: PageRequest,
  toItems: (rows: readonly SqlRow[], db: Db) => T[] | Promise<T[]>,
): Promise<Page<T>> =>
  snapshot(db, async (db) => {
    const { mostCounted } = dialectOf(db);
    const from = sql.table(table);
    const query = async (wanted: RawBuilder<unknown>, { direction, seq, inclusive }: Position, limit: number) => {
      const compare = sql.raw((direction === 'after' ? '<' : '>') + (inclusive ? '=' : ''));
      const edge = seq === undefined ? sql`` : sql`and seq ${compare} ${seq}`;
      const order = sql.raw(direction === 'after' ? 'desc' : 'asc');
      const { rows } = await sql<SqlRow>`select ${wanted} from ${from} where ${where} ${edge}
        order by seq ${order} limit ${limit}`.execute(db);
      return rows;
    };
    const one = async (seq: number): Promise<SqlRow> => {
      const read = async (wanted: RawBuilder<unknown>) =>
        (await sql<SqlRow>`select ${wanted} from ${from} where seq = ${seq}`.execute(db)).rows[0];
      return (await unlessDamaged(() => read(columns))) ?? (await unlessDamaged(() => read(ITS_NAME))) ?? { seq };
    };
    const read = async (at: Position, limit: number) => {
      const rows = await unlessDamaged(() => query(columns, at, limit));
      if (rows) return rows;
      const left: SqlRow[] = [];
      for (const { seq } of await query(sql`seq`, at, limit)) left.push(await one(seq));
      return left;
    };
    const total = await unlessDamaged(async () => {
      const counted =
        mostCounted === undefined
          ? sql<{ n: number }>`select count(*) n from ${from} where ${where}`
          : sql<{
              n: number;
            }>`select count(*) n from (select 1 from ${from} where ${where} limit ${mostCounted + 1}) counted`;
      return (await counted.execute(db)).rows[0]?.n;
    });
    const known = mostCounted !== undefined && Number(total) > mostCounted ? undefined : number(total);
    return readPage(read, position, size, known, (rows) => toItems(rows, db));
  });

const EVERYTHING = sql`*`;
const ITS_NAME = sql`seq, id`;

/** @returns `undefined` where the file is damaged at what `work` reads */
export async function unlessDamaged<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (storeTrouble(error)?.isDamaged) return undefined;
    throw error;
  }
}

interface ListQuery {
  readonly table: keyof Tables;
  readonly columns?: RawBuilder<unknown>;
  readonly where?: RawBuilder<unknown>;
}

export const text = (value: Stored | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export const number = (value: Stored | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** A column that is not what this program wrote there. */
export class DamagedRowError extends Error {
  constructor(cause?: unknown) {
    super('What is stored of it is damaged. Delete it, or repair the stored forecasts.', { cause });
    this.name = 'DamagedRowError';
  }
}

/** Reads a column that this program wrote as JSON. @throws DamagedRowError */
export function json<T>(value: Stored | undefined): T | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return JSON.parse(value) as T;
  } catch (cause) {
    throw new DamagedRowError(cause);
  }
}

/** A text of the row that is never absent. @throws DamagedRowError */
export function needed(value: Stored | undefined): string {
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

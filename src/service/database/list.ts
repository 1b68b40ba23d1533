/** Pages of a table, and what is read of rows that may be damaged. */
import { type Failure, failure } from '../../contract/failures.ts';
import { type RawBuilder, sql } from 'kysely';
import { paging } from '../../contract/operations.ts';
import type { Page } from '../../contract/resources.ts';
import { FailureError, RequestError } from '../errors.ts';
import { type Db, dialectOf, snapshot, type Tables } from './store.ts';
import { storeTrouble } from './trouble.ts';

/** What a column can hold, whatever was to be stored in it. */
type Stored = string | number | bigint | null | Uint8Array;

export type SqlRow = Readonly<Record<string, Stored>> & { readonly seq: number };

/** Where a page lies in a list that is ordered newest first. */
export interface Position {
  /** `after`: older than `seq`, going down the list; `before`: newer than `seq`, going up. */
  readonly direction: 'after' | 'before';
  /** Sequence number of the row at the edge, which belongs to the page only where `inclusive`; absent: the list's start. */
  readonly seq?: number;
  readonly inclusive?: boolean;
}

export interface PageRequest {
  readonly position: Position;
  readonly size: number;
}

interface ListQuery {
  readonly table: keyof Tables;
  readonly columns?: RawBuilder<unknown>;
  readonly where?: RawBuilder<unknown>;
}

const CURSOR = new RegExp(paging.cursor.schema.pattern);

/** `a` after, `b` before; a capital letter: inclusive; then the sequence number. Every text of this form is a position. */
export function encodeCursor({ direction, seq, inclusive }: Position): string {
  const letter = direction === 'after' ? 'a' : 'b';
  return `${inclusive ? letter.toUpperCase() : letter}${seq ?? ''}`;
}

/** @throws RequestError 422 where the text is no cursor of this service */
export function decodeCursor(text: string): Position {
  if (!CURSOR.test(text)) throw RequestError.field(['query', 'cursor'], failure('query_pattern', 'cursor'));
  const letter = text[0];
  return {
    direction: letter.toLowerCase() === 'a' ? 'after' : 'before',
    inclusive: letter !== letter.toLowerCase(),
    ...(text.length > 1 ? { seq: Number(text.slice(1)) } : {}),
  };
}

/** One page of a table as it is at one instant, newest first. `toItems` gets damaged rows with what is left of them. */
export const listTable = <T>(
  all: Db,
  query: ListQuery,
  { position, size }: PageRequest,
  toItems: (rows: readonly SqlRow[], db: Db) => T[] | Promise<T[]>,
): Promise<Page<T>> =>
  snapshot(all, async (db) => {
    const { rows, isBeyond, total } =
      (await unlessDamaged(() => found(db, query, position, size + 1))) ??
      (await foundDamaged(db, query, position, size + 1));
    const isMore = rows.length > size;
    if (isMore) rows.pop();
    const isDown = position.direction === 'after';
    if (!isDown) rows.reverse();
    const items = await toItems(rows, db);
    const [newest, oldest] = [rows[0]?.seq, rows.at(-1)?.seq];
    const isEmpty = rows.length === 0;
    const hasPrevious = !isEmpty && (isDown ? isBeyond : isMore);
    const hasNext = !isEmpty && (isDown ? isMore : isBeyond);
    const start: Position = { direction: 'after' };
    return {
      items,
      total,
      current_page: encodeCursor(isEmpty ? start : { direction: 'after', seq: newest, inclusive: true }),
      current_page_backwards: encodeCursor(isEmpty ? start : { direction: 'before', seq: oldest, inclusive: true }),
      previous_page: hasPrevious ? encodeCursor({ direction: 'before', seq: newest }) : undefined,
      next_page: hasNext ? encodeCursor({ direction: 'after', seq: oldest }) : undefined,
    };
  });

interface Found {
  /** As many as were asked for at most, nearest first: newest first for `after`, oldest first for `before`. */
  readonly rows: SqlRow[];
  /** Whether there is something on the other side of the position. */
  readonly isBeyond: boolean;
  /** Of the whole list, where it is known. */
  readonly total: number | undefined;
}

async function found(db: Db, query: ListQuery, at: Position, limit: number): Promise<Found> {
  const total = totalOf(db, query);
  const more = sql`, ${total} total_of_list, ${beyond(query, at)} beyond_edge`;
  const rows = await rowsAt(db, query, sql`${query.columns ?? EVERYTHING} ${more}`, { ...at, limit });
  const counted = rows.length > 0 ? rows[0].total_of_list : await alone(db, total);
  return { rows, isBeyond: number(rows[0]?.beyond_edge) !== undefined, total: knownTotal(db, counted) };
}

/** Each thing by itself, so that what is damaged does not hide the others. */
async function foundDamaged(db: Db, query: ListQuery, at: Position, limit: number): Promise<Found> {
  const rows: SqlRow[] = [];
  for (const { seq } of await rowsAt(db, query, sql`seq`, { ...at, limit }))
    rows.push(await whatIsLeft(db, query, seq));
  return {
    rows,
    isBeyond: number(await alone(db, beyond(query, at))) !== undefined,
    total: knownTotal(db, await unlessDamaged(() => alone(db, totalOf(db, query)))),
  };
}

async function whatIsLeft(db: Db, { table, columns = EVERYTHING }: ListQuery, seq: number): Promise<SqlRow> {
  const read = async (wanted: RawBuilder<unknown>) =>
    (await sql<SqlRow>`select ${wanted} from ${sql.table(table)} where seq = ${seq}`.execute(db)).rows[0];
  return (await unlessDamaged(() => read(columns))) ?? (await unlessDamaged(() => read(ITS_NAME))) ?? { seq };
}

async function rowsAt(
  db: Db,
  { table, where = ALL }: ListQuery,
  wanted: RawBuilder<unknown>,
  { direction, seq, inclusive, limit }: Position & { readonly limit: number },
): Promise<SqlRow[]> {
  const compare = sql.raw((direction === 'after' ? '<' : '>') + (inclusive ? '=' : ''));
  const edge = seq === undefined ? sql`` : sql`and seq ${compare} ${seq}`;
  const order = sql.raw(direction === 'after' ? 'desc' : 'asc');
  const from = sql.table(table);
  // which they are an index says by itself; so the planner does not walk the whole table in the order that is asked for
  const { rows } = await sql<SqlRow>`select ${wanted} from ${from} where seq in (
      select seq from ${from} where ${where} ${edge} order by seq ${order} limit ${limit})
    order by seq ${order}`.execute(db);
  return rows;
}

/** The nearest on the other side of a position; null where there is none. */
function beyond({ table, where = ALL }: ListQuery, { direction, seq, inclusive }: Position): RawBuilder<Stored> {
  if (seq === undefined) return sql`null`;
  const [compare, order] = direction === 'after' ? ['>', 'asc'] : ['<', 'desc'];
  return sql`(select seq from ${sql.table(table)} where ${where} and seq ${sql.raw(compare + (inclusive ? '' : '='))} ${seq}
    order by seq ${sql.raw(order)} limit 1)`;
}

function totalOf(db: Db, { table, where = ALL }: ListQuery): RawBuilder<Stored> {
  const { mostCounted } = dialectOf(db);
  const from = sql`from ${sql.table(table)} where ${where}`;
  return mostCounted === undefined
    ? sql`(select count(*) ${from})`
    : sql`(select count(*) from (select 1 ${from} order by seq desc limit ${sql.lit(mostCounted + 1)}) counted)`;
}

const alone = async (db: Db, value: RawBuilder<Stored>): Promise<Stored | undefined> =>
  (await sql<{ value: Stored }>`select ${value} as value`.execute(db)).rows[0]?.value;

function knownTotal(db: Db, counted: Stored | undefined): number | undefined {
  const total = number(counted);
  return total !== undefined && total > (dialectOf(db).mostCounted ?? Infinity) ? undefined : total;
}

const ALL = sql`1 = 1`;
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

/** What `read` finds of these; where the file is damaged at some of them, of the others. */
export async function eachUnlessDamaged<T>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (ids.length === 0) return [];
  const all = await unlessDamaged(() => read(ids));
  if (all) return all;
  const found: T[] = [];
  for (const id of ids) found.push(...((await unlessDamaged(() => read([id]))) ?? []));
  return found;
}

export const text = (value: Stored | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export const number = (value: Stored | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** A column that is not what this program wrote there. */
export class DamagedRowError extends FailureError {
  constructor(cause?: unknown) {
    super(failure('damaged'), { cause });
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
export function orDamaged<T>(read: () => T, instead: (reason: Failure) => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRowError) return instead(error.failure);
    throw error;
  }
}

export const newId = (prefix: string): string => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;

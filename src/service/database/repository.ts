/** A table as a tenant sees it: one row, pages of them, and what is left of rows that are damaged. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Failure, failure, type FailureCode } from '../../contract/failures.ts';
import type { Page } from '../../contract/resources.ts';
import { DamagedRowError, RequestError, storeTrouble } from '../errors.ts';
import { type Db, DEFAULT_TENANT, dialectOf, snapshot, type Store, type Tables, type Tenant } from './store.ts';

/** A page of a list, which is ordered newest first, from a cursor of {@link Repository.list}; absent: from the start. */
interface PageRequest {
  readonly cursor?: string | undefined;
  readonly size: number;
}

export type Row<N extends keyof Tables> = Readonly<Selectable<Tables[N]>>;

export type Filter = Readonly<Record<string, string | number | undefined>>;

const matching = (filter: Filter) => {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  const conditions = asked.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return sql<boolean>`${sql.join([sql`1 = 1`, ...conditions], sql` and `)}`;
};

/** Of a damaged row a list has `seq` and `id`; the other columns are then `undefined`, whatever their types say. */
export abstract class Repository<R extends { readonly seq: number; readonly id: string }, T> {
  readonly store: Store;
  readonly db: Db;
  readonly tenant: Tenant;
  protected abstract readonly table: keyof Tables;
  protected abstract readonly missing: FailureCode;
  protected readonly columns: RawBuilder<unknown> = sql`*`;
  protected readonly single?: RawBuilder<unknown>;
  protected readonly isSeen: RawBuilder<unknown> = sql`1 = 1`;

  constructor(store: Store, tenant?: Tenant) {
    this.store = store;
    this.db = store.in(tenant);
    this.tenant = tenant;
  }

  in(tenant: Tenant): this {
    return new (this.constructor as new (store: Store, tenant: Tenant) => this)(this.store, tenant);
  }

  get owner(): string {
    return this.tenant ?? DEFAULT_TENANT;
  }

  protected get isOurs(): RawBuilder<boolean> {
    return this.tenant === undefined ? sql`1 = 1` : sql`tenant = ${this.tenant}`;
  }

  protected abstract read(rows: readonly R[], db: Db): readonly T[] | Promise<readonly T[]>;

  async find(id: string, db = this.db): Promise<R | undefined> {
    const { rows } = await sql<R>`select ${this.single ?? this.columns} from ${sql.table(this.table)}
      where id = ${id} and ${this.isOurs} and ${this.isSeen}`.execute(db);
    return rows[0];
  }

  async has(id: string): Promise<boolean> {
    return (await this.find(id)) !== undefined;
  }

  /** @throws RequestError 404 */
  async row(id: string, db = this.db): Promise<R> {
    const row = await this.find(id, db);
    if (!row) throw new RequestError(404, failure(this.missing, id));
    return row;
  }

  async get(id: string, db = this.db): Promise<T> {
    const [item] = await this.read([await this.row(id, db)], db);
    return item;
  }

  /** A page at one instant. Its cursor: `a` after or `b` before a row (in capitals with it) and its number; `a` alone is the start. */
  list(
    { cursor = 'a', size }: PageRequest,
    filter: Filter = {},
    read = (rows: readonly R[], db: Db) => this.read(rows, db),
  ): Promise<Page<T>> {
    const isDown = /^a/i.test(cursor);
    return snapshot(this.db, async (db) => {
      const { rows, isBeyond, total } = await this.#found(db, filter, cursor, size + 1);
      const isMore = rows.length > size;
      if (isMore) rows.pop();
      if (!isDown) rows.reverse();
      const [newest, oldest] = [rows.at(0)?.seq, rows.at(-1)?.seq];
      const [hasPrevious, hasNext] = isDown ? [isBeyond, isMore] : [isMore, isBeyond];
      const isEmpty = rows.length === 0;
      const at = (letter: string, seq?: number) => (isEmpty ? 'a' : `${letter}${seq}`);
      return {
        items: [...(await read(rows, db))],
        total,
        current_page: at('A', newest),
        current_page_backwards: at('B', oldest),
        previous_page: !isEmpty && hasPrevious ? at('b', newest) : undefined,
        next_page: !isEmpty && hasNext ? at('a', oldest) : undefined,
      };
    });
  }

  /** So many rows at most, the nearest to a position first; whether there is one on its other side; and how many there are in all. */
  async #found(db: Db, filter: Filter, cursor: string, limit: number) {
    const [letter] = cursor;
    const isDown = letter.toLowerCase() === 'a';
    const seq = cursor.length > 1 ? Number(cursor.slice(1)) : undefined;
    const inclusive = letter !== letter.toLowerCase();
    const { mostCounted } = dialectOf(db);
    const table = sql.table(this.table);
    const from = sql`from ${table} where ${this.isOurs} and ${this.isSeen} and ${matching(filter)}`;
    const [nearer, further] = isDown ? (['<', '>'] as const) : (['>', '<'] as const);
    const order = (towards: '<' | '>') => sql.raw(`order by seq ${towards === '<' ? 'desc' : 'asc'}`);
    const edge = (towards: '<' | '>', isIncluded = false) =>
      seq === undefined ? sql`` : sql`and seq ${sql.raw(towards + (isIncluded ? '=' : ''))} ${seq}`;
    const some = sql`select 1 ${from} order by seq desc limit ${sql.lit(mostCounted + 1)}`;
    const counted = sql`(select count(*) from (${some}) counted)`;
    const beyond =
      seq === undefined ? sql`null` : sql`(select seq ${from} ${edge(further, !inclusive)} ${order(further)} limit 1)`;
    const page = sql`select seq ${from} ${edge(nearer, inclusive)} ${order(nearer)} limit ${limit}`;
    type Found = R & { readonly total_of_list: number | null; readonly beyond_edge: number | null };
    // which they are an index says by itself; so the planner does not walk the whole table in the order that is asked for
    const read = async (columns: RawBuilder<unknown>, which: RawBuilder<unknown>) =>
      (await sql<Found>`select ${columns} from ${table} where seq in (${which}) ${order(nearer)}`.execute(db)).rows;
    const alone = async (value: RawBuilder<unknown>) =>
      (await sql<{ value: number | null }>`select ${value} value`.execute(db)).rows[0].value;
    const whole = await unlessDamaged(() =>
      read(sql`${this.columns}, ${counted} total_of_list, ${beyond} beyond_edge`, page),
    );
    const rows: R[] = whole ?? [];
    for (const { seq } of whole ? [] : (await sql<{ seq: number }>`${page}`.execute(db)).rows) {
      const ofIt = (columns: RawBuilder<unknown>) => unlessDamaged(() => read(columns, sql`${seq}`));
      const left = (await ofIt(this.columns)) ?? (await ofIt(sql`seq, id`));
      rows.push(left?.[0] ?? ({ seq, id: `damaged_${seq}` } as R));
    }
    const edgeBeyond = whole ? whole.at(0)?.beyond_edge : await alone(beyond);
    const total = whole?.[0] ? whole[0].total_of_list : await unlessDamaged(() => alone(counted));
    return {
      rows,
      isBeyond: typeof edgeBeyond === 'number',
      total: total === null || total === undefined || total > mostCounted ? undefined : total,
    };
  }
}

export const pick = <T extends object, K extends keyof T>(row: T, ...names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<T, K>;

export async function unlessDamaged<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (storeTrouble(error)?.failure.code === 'store_damaged') return undefined;
    throw error;
  }
}

/** Reads a column that this program wrote as JSON. @throws DamagedRowError */
export function json<T>(value: string | null | undefined): T | undefined {
  if (value === null) return undefined;
  try {
    return JSON.parse(value!) as T; // `undefined` is no JSON
  } catch (cause) {
    throw new DamagedRowError(cause);
  }
}

export function orDamaged<T extends object>(read: () => T): Partial<T> & { readonly error?: Failure } {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRowError) return { error: error.failure } as Partial<T> & { error: Failure };
    throw error;
  }
}

export const newId = (prefix: string): string => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;

import {
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type PostgresQueryResult,
  sql,
} from 'kysely';
import {
  type Db,
  type Dialect,
  type Store,
  type StoreAdapter,
  type Tables,
  tablesOf,
  type Tenant,
  transaction,
} from '../service/database/store.ts';
import { failure } from '../contract/failures.ts';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { StoreError, storeTrouble } from '../service/database/trouble.ts';

/** What opens a tenant to the statements of one transaction, or all tenants: for what the program does by itself. */
const opening = (tenant: Tenant): string =>
  tenant === undefined
    ? `select set_config('forecasts.tenants', 'all', true)`
    : `select set_config('forecasts.tenant', ${pg.escapeLiteral(tenant)}, true)`;

/**
 * What only reads is a page, in the order of an index. Until PostgreSQL has looked at many new rows, which takes it minutes,
 * it believes that a tenant has next to none of them, and would fetch and sort them all for each page. What was written just
 * now is in memory, where a page that is not the next one costs no more.
 */
const IN_ORDER = `select set_config('enable_bitmapscan', 'off', true), set_config('random_page_cost', '1', true)`;

/**
 * A pool all of whose statements are bound to a tenant. Nothing is left in a connection, so that a pooler in transaction
 * mode may stand before the database.
 * @param pool of pipelined connections, which answer one statement behind the other: what frames a statement, or a
 * transaction that only reads, goes with it at no further round trip, which on a busy machine takes longer than the statement
 */
export const boundPool = (
  pool: Pick<pg.Pool, 'options' | 'end'> & { connect(): Promise<Client> },
  tenant: Tenant,
): PostgresPool => ({
  options: pool.options,
  Client: undefined as never,
  connect: async () => new BoundClient(await pool.connect(), opening(tenant)),
  end: () => pool.end(),
});

type Client = Pick<pg.PoolClient, 'query' | 'release'>;
type Result = PostgresQueryResult<unknown>;

const NOTHING: Result = { command: 'SELECT', rowCount: 0, rows: [] };

class BoundClient {
  readonly #client: Client;
  readonly #open: string;
  /** The transaction that is open; `reading` where its beginning is not waited for. */
  #transaction: { readonly reading?: Promise<unknown> } | undefined;

  constructor(client: Client, open: string) {
    this.#client = client;
    this.#open = open;
  }

  readonly query = ((text: string, values: readonly unknown[]): Promise<Result> => {
    if (/^(begin|start transaction)\b/.test(text)) return this.#begin(text);
    if (!this.#transaction) return this.#alone(text, values);
    return text === 'commit' || text === 'rollback' ? this.#end(text) : this.#run(text, values);
  }) as PostgresPoolClient['query'];

  release(): void {
    this.#client.release();
  }

  #run(text: string, values?: readonly unknown[]): Promise<Result> {
    return this.#client.query(text, values as unknown[]) as unknown as Promise<Result>;
  }

  async #alone(text: string, values: readonly unknown[]): Promise<Result> {
    const [begun, asked, ended] = await Promise.allSettled([
      this.#run(`begin; ${this.#open}`),
      this.#run(text, values),
      this.#run('commit'),
    ]);
    for (const one of [begun, asked, ended]) if (one.status === 'rejected') throw one.reason;
    return (asked as PromiseFulfilledResult<Result>).value;
  }

  async #begin(text: string): Promise<Result> {
    const isReading = text.endsWith('read only');
    const begun = this.#run(`${text}; ${this.#open}${isReading ? `; ${IN_ORDER}` : ''}`);
    this.#transaction = isReading ? { reading: begun } : {};
    if (isReading) {
      begun.catch(() => undefined); // told at its end
      return NOTHING;
    }
    try {
      return await begun;
    } catch (error) {
      // it may have begun all the same, and nobody ends what did not begin
      this.#transaction = undefined;
      await this.#run('rollback').catch(() => undefined);
      throw error;
    }
  }

  async #end(text: string): Promise<Result> {
    const reading = this.#transaction?.reading;
    if (text === 'rollback' || !reading) {
      this.#transaction = undefined;
      return this.#run(text);
    }
    await reading; // where it failed, its caller rolls it back
    this.#transaction = undefined;
    // nothing is kept by it; where it fails the connection is lost, which the pool sees
    this.#run(text).catch(() => undefined);
    return NOTHING;
  }
}

export interface PostgresOptions {
  /** Its address, as `postgres://user@host/name`. */
  readonly database: string;
  readonly connections: number;
  readonly name?: string;
  /** Told of connections that were lost while nobody used them. */
  readonly report: (error: unknown) => void;
  readonly warn?: ((sentence: string) => void) | undefined;
}

const PATIENCE = 10_000;

const MOST_TENANTS = 1_000;

const NOT_HELD =
  'This program’s PostgreSQL role is a superuser or has BYPASSRLS, so row-level security does not apply and only its queries keep tenants apart. Use a role without these rights.';

function poolOf(database: string, connections: number, name: string, report: PostgresOptions['report']): pg.Pool {
  const pool = new pg.Pool({
    connectionString: database,
    max: connections,
    connectionTimeoutMillis: PATIENCE,
    application_name: name,
    types: { getTypeParser },
    pipeline: true,
    // the first query after a pause does not wait for a connection to be made
    min: 1,
    keepAlive: true,
  });
  // one that was lost is replaced by the next that is asked for; its user learns of it by the next statement
  const onLost = (error: unknown): void => {
    if (storeTrouble(error)?.status !== 503) report(error);
  };
  pool.on('error', onLost);
  // the pool listens only to those that nobody has: without this one lost between two statements ends the program
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}

/** Opens the store, and makes or migrates its tables. @throws StoreError where that cannot be */
export async function openPostgres({
  database,
  connections,
  name = 'forecasts',
  report,
  warn,
}: PostgresOptions): Promise<Store> {
  const pool = poolOf(database, connections, name, report);
  const of = (tenant: Tenant): Db =>
    new Kysely<Tables>({
      dialect: {
        createDriver: () => new PostgresDriver({ pool: boundPool(pool, tenant) }),
        createAdapter: () => new Adapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: () => {
          throw new TypeError('The tables are known.');
        },
      },
    });
  const db = of(undefined);
  const tenants = new Map<string, Db>();
  let hasRowSecurity: boolean;
  try {
    await onceUp(() => transaction(db, migrate), warn);
    hasRowSecurity = await isHeld(db);
  } catch (cause) {
    await pool.end();
    if (cause instanceof StoreError) throw cause;
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    throw new StoreError(
      failure('other', `The database cannot be used: ${reason}. Check its address and that it is running.`),
      { cause },
    );
  }
  if (!hasRowSecurity) warn?.(NOT_HELD);
  return {
    db,
    in: (tenant) => {
      if (tenant === undefined) return db;
      const known = tenants.get(tenant) ?? of(tenant);
      if (tenants.size >= MOST_TENANTS) tenants.clear();
      tenants.set(tenant, known);
      return known;
    },
    isShared: true,
    hasRowSecurity,
    isInPlace: () => true,
    size: async () => {
      const size = sql<{ bytes: number }>`select pg_database_size(current_database()) bytes`;
      return { bytes: (await size.execute(db)).rows[0].bytes, free_bytes: 0 };
    },
    // PostgreSQL does that by itself
    tidy: () => Promise.resolve(false),
    close: () => db.destroy(),
  };
}

/** A PostgreSQL that starts, recovers, ends for a restart, or has no connection left; SQLSTATE: cannot_connect_now, admin_shutdown, crash_shutdown, too_many_connections. */
const STARTS = new Set(['57P03', '57P01', '57P02', '53300']);
/** How long it is waited for, and how often it is asked, in milliseconds: recovery after a crash takes minutes. */
const RECOVERY = 600_000;
const REST = 500;

const WAITS = 'PostgreSQL is starting, recovering, or out of connections. Waiting for up to ten minutes.';

/** Does what needs the database as soon as it is up. @param warn is called once @throws after ten minutes */
export async function onceUp<T>(work: () => Promise<T>, warn?: (sentence: string) => void): Promise<T> {
  let isTold = false;
  for (const until = performance.now() + RECOVERY; ;) {
    try {
      return await work();
    } catch (error) {
      const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
      if (!STARTS.has(code) || performance.now() > until) throw error;
      if (!isTold) warn?.(WAITS);
      isTold = true;
      await setTimeout(REST);
    }
  }
}

/** Counts and numbers of rows are numbers here: none reaches 2 ** 53. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : (pg.types.getTypeParser(id, format) as unknown);

/** One program migrates, others that start wait for it. */
async function migrate(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('time-series-forecasts'))`.execute(db);
  await sql`create table if not exists store_version (version integer not null)`.execute(db);
  const { rows } = await sql<{ version: number }>`select version from store_version`.execute(db);
  const done = rows.at(0)?.version ?? 0;
  if (done > MIGRATIONS.length) {
    throw new StoreError(failure('newer_store'));
  }
  if (done === MIGRATIONS.length) return;
  for (const step of MIGRATIONS.slice(done)) await sql.raw(step).execute(db);
  await sql`delete from store_version`.execute(db);
  await sql`insert into store_version (version) values (${MIGRATIONS.length})`.execute(db);
}

/** Whether row-level security holds for the role of this program. */
async function isHeld(db: Db): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select not (rolsuper or rolbypassrls) held from pg_roles where rolname = current_user`.execute(db);
  return rows[0].held;
}

const IS_FOR_ALL = `(select current_setting('forecasts.tenants', true)) = 'all'`;

/** Row-level security, for the owner too: a transaction that names no tenant sees nothing. */
const locked = (condition: string, ...tables: readonly string[]): string =>
  tables
    .map(
      (table) => `
  alter table ${table} enable row level security;
  alter table ${table} force row level security;
  create policy of_tenant on ${table} using (${condition} or ${IS_FOR_ALL});`,
    )
    .join('');

/** Steps that bring a database of PostgreSQL from one version to the next. Never edit one that shipped. */
const MIGRATIONS: readonly string[] = [
  `${tablesOf({ seq: 'bigint generated always as identity primary key', count: 'bigint', real: 'double precision' })}
  -- requests of a minute, which nobody misses after a crash
  create unlogged table requests (
    key_id text primary key, began timestamptz not null, count integer not null) with (fillfactor = 50);
  alter table begun_jobs add column began timestamptz not null default now();
  ${locked(
    `tenant = (select nullif(current_setting('forecasts.tenant', true), ''))`,
    ...['keys', 'creations', 'datasets', 'series', 'batches', 'predictions', 'fine_tuned_models'],
  )}
  ${locked('exists (select 1 from keys where keys.id = key_id)', 'usage', 'requests')}
  ${locked('false', 'begun_jobs')}`,
];

class Adapter extends PostgresAdapter implements StoreAdapter {
  readonly store = POSTGRES;
}

const POSTGRES: Dialect = {
  mostCounted: 10_000,
  locksRows: true,
  isOneOf: (column, texts) => sql`${sql.ref(column)} = any(${texts}::text[])`,
  isJson: () => sql`1`,
};

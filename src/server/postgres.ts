import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { tablesOf, transaction } from '../service/database/store.ts';
import type { Db, Dialect, Store, Tables, Tenant } from '../service/database/store.ts';
import { failure } from '../contract/failures.ts';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { StoreError, storeTrouble } from '../service/errors.ts';

/** What opens a tenant to the statements of one transaction, or all tenants: for what the program does by itself. */
const opening = (tenant: Tenant): string =>
  tenant === undefined
    ? `select set_config('forecasts.tenants', 'all', true)`
    : `select set_config('forecasts.tenant', ${pg.escapeLiteral(tenant)}, true)`;

/** Before its statistics know new rows, which takes minutes, PostgreSQL would sort all of a tenant for each page. */
const IN_ORDER = `select set_config('enable_bitmapscan', 'off', true), set_config('random_page_cost', '1', true)`;

/** Statements bound to a tenant, pipelined, so that nothing stays in a connection and a transaction pooler may stand before. */
export const boundPool = (
  pool: Pick<pg.Pool, 'options' | 'end'> & { connect(): Promise<Client> },
  tenant: Tenant,
): PostgresPool => ({
  options: pool.options,
  Client: undefined as never,
  connect: async () => {
    const client = await pool.connect();
    const query = boundQuery(client, opening(tenant)) as PostgresPoolClient['query'];
    return { query, release: () => client.release() };
  },
  end: () => pool.end(),
});

type Client = Pick<pg.PoolClient, 'query' | 'release'>;

function boundQuery(client: Client, open: string) {
  const run = (text: string, values?: readonly unknown[]) =>
    client.query(text, values as unknown[]) as unknown as Promise<PostgresQueryResult<unknown>>;
  let isOpen = false;
  return async (text: string, values: readonly unknown[]) => {
    const isBegin = /^(begin|start transaction)\b/.test(text);
    if (!isBegin && !isOpen) {
      const all = [run(`begin; ${open}`), run(text, values), run('commit')];
      await Promise.allSettled(all);
      return (await Promise.all(all))[1];
    }
    isOpen = isBegin || !/^(commit|rollback)$/.test(text);
    if (!isBegin) return run(text, values);
    return run(`${text}; ${open}${text.endsWith('read only') ? `; ${IN_ORDER}` : ''}`).catch(async (error: unknown) => {
      isOpen = false;
      await run('rollback').catch(() => undefined);
      throw error;
    });
  };
}

export interface PostgresOptions {
  readonly database: string;
  readonly connections: number;
  readonly name?: string;
  readonly report: (error: unknown) => void;
  readonly warn?: ((sentence: string) => void) | undefined;
}

export const CONNECT_TIMEOUT = 10_000;

const WITHOUT_ROW_SECURITY =
  'This program’s PostgreSQL role is a superuser or has BYPASSRLS, so row-level security does not apply and only its queries keep tenants apart. Use a role without these rights.';

function poolOf({ database, connections, name = 'forecasts', report }: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: database,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    application_name: name,
    types: { getTypeParser },
    pipeline: true,
    min: 1, // the first query after a pause does not wait for a connection to be made
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
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { warn } = options;
  const pool = poolOf(options);
  const of = (tenant: Tenant): Db =>
    new Kysely<Tables>({
      dialect: Object.assign(new PostgresDialect({ pool: boundPool(pool, tenant) }), {
        createAdapter: () => new Adapter(),
      }),
    });
  const db = of(undefined);
  let hasRowSecurity: boolean;
  try {
    await onceUp(() => transaction(db, migrate), warn);
    const { rows } = await sql<{ applies: boolean }>`
      select not (rolsuper or rolbypassrls) applies from pg_roles where rolname = current_user`.execute(db);
    hasRowSecurity = rows[0].applies;
  } catch (cause) {
    await pool.end();
    throw unusable('The database cannot be used: ', cause, '. Check its address and that it is running.');
  }
  if (!hasRowSecurity) warn?.(WITHOUT_ROW_SECURITY);
  return {
    db,
    in: (tenant) => (tenant === undefined ? db : of(tenant)),
    hasRowSecurity,
    isInPlace: () => true,
    size: async () => {
      const size = sql<{ bytes: number }>`select pg_database_size(current_database()) bytes`;
      return { bytes: (await size.execute(db)).rows[0].bytes, free_bytes: 0 };
    },
    tidy: () => Promise.resolve(false),
    close: () => db.destroy(),
  };
}

export function unusable(before: string, cause: unknown, after: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new StoreError(failure('other', `${before}${reason}${after}`), { cause });
}

/** SQLSTATE: cannot_connect_now, admin_shutdown, crash_shutdown, too_many_connections, lock_not_available (another makes the same). */
const STARTS = new Set(['57P03', '57P01', '57P02', '53300', '55P03']);
/** How long it is waited for, and how often it is asked, in milliseconds: recovery after a crash takes minutes. */
const RECOVERY = 600_000;
const REST = 500;

/** Does what needs the database as soon as it is up. @param warn is called once @throws after ten minutes */
export async function onceUp<T>(work: () => Promise<T>, warn?: (sentence: string) => void): Promise<T> {
  let isWarned = false;
  for (const until = performance.now() + RECOVERY; ;) {
    try {
      return await work();
    } catch (error) {
      const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
      if (!STARTS.has(code) || performance.now() > until) throw error;
      if (!isWarned)
        warn?.('PostgreSQL is starting, recovering, or out of connections. Waiting for up to ten minutes.');
      isWarned = true;
      await setTimeout(REST);
    }
  }
}

const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : (pg.types.getTypeParser(id, format) as unknown);

async function migrate(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('time-series-forecasts'))`.execute(db);
  await sql`create table if not exists store_version (version integer not null)`.execute(db);
  const { rows } = await sql<{ version: number }>`select version from store_version`.execute(db);
  const done = rows.at(0)?.version ?? 0;
  if (done > MIGRATIONS.length) throw new StoreError(failure('newer_store'));
  if (done === MIGRATIONS.length) return;
  for (const step of MIGRATIONS.slice(done)) await sql.raw(step).execute(db);
  await sql`delete from store_version`.execute(db);
  await sql`insert into store_version (version) values (${MIGRATIONS.length})`.execute(db);
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
  alter table requests set unlogged, set (fillfactor = 50);
  alter table begun_jobs add column began timestamptz not null default now();
  ${locked(
    `tenant = (select nullif(current_setting('forecasts.tenant', true), ''))`,
    ...['keys', 'creations', 'datasets', 'series', 'batches', 'predictions', 'fine_tuned_models'],
  )}
  ${locked('exists (select 1 from keys where keys.id = key_id)', 'usage', 'requests')}
  ${locked('false', 'begun_jobs')}`,
];

class Adapter extends PostgresAdapter {
  readonly store = POSTGRES;
}

const POSTGRES: Dialect = {
  mostCounted: 10_000,
  locksRows: true,
  isOneOf: (column, texts) => sql`${sql.ref(column)} = any(${texts}::text[])`,
  isJson: () => sql`1`,
};

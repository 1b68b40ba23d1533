/** The tables in PostgreSQL, which itself keeps the tenants apart by row-level security. */
import { tablesOf } from '../service/database/schema.ts';

const IS_FOR_ALL = `(select current_setting('forecasts.tenants', true)) = 'all'`;

/**
 * The policy of tables. A transaction that says nothing sees nothing; the owner of the tables is held to it too. The settings
 * are read once a statement, and not for each row.
 */
const locked = (condition: (table: string) => string, ...tables: readonly string[]): string =>
  tables
    .map(
      (table) => `
  alter table ${table} enable row level security;
  alter table ${table} force row level security;
  create policy of_tenant on ${table} using (${condition(table)});`,
    )
    .join('');

/** Rows say by `tenant` whose they are. */
const byTenant = () => `tenant = (select nullif(current_setting('forecasts.tenant', true), '')) or ${IS_FOR_ALL}`;

/** Rows are of those whose keys can be seen. */
const byKey = (table: string) => `exists (select 1 from keys where keys.id = ${table}.key_id) or ${IS_FOR_ALL}`;

const number = 'bigint generated always as identity primary key';

/** Steps that bring a database of PostgreSQL from one version to the next. Never edit one that shipped. */
export const POSTGRES_MIGRATIONS: readonly string[] = [
  `${tablesOf({ seq: number, count: 'bigint', real: 'double precision', end: '' })}
  -- requests of a minute, which nobody misses after a crash
  create unlogged table requests (
    key_id text primary key, began timestamptz not null, count integer not null) with (fillfactor = 50);
  -- programs that began with jobs that were lost before, and may have died over them
  create table begun_jobs (
    target text not null, program text not null, began timestamptz not null default now(), primary key (target, program));
  ${locked(byTenant, 'keys', 'creations', 'datasets', 'series', 'batches', 'predictions', 'fine_tuned_models')}
  ${locked(byKey, 'usage', 'requests')}
  ${locked(() => IS_FOR_ALL, 'begun_jobs')}`,
];

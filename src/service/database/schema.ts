/** What the header of the file says of a store of this program, so that no other database is taken for one: "TSFC". */
export const APPLICATION_ID = 0x54534643;

/** What one database calls the types of columns. */
interface Types {
  /** A number that no later row has again. */
  readonly seq: string;
  /** A whole number that may pass 2 ** 31. */
  readonly count: string;
  readonly real: string;
  /** Ends a table. */
  readonly end: string;
}

/** The tables that every database has. `seq` orders what is listed. */
export const tablesOf = ({ seq, count, real, end }: Types): string => `
  create table keys (
    seq ${seq}, id text not null unique, tenant text not null default 'default', status text not null,
    scope text not null, name text, digest text not null unique, sealed text not null,
    requests_per_minute integer, series_per_day ${count}, expires_at text, last_used_at text, created_at text not null
  )${end};
  create index keys_of_tenant on keys (tenant, seq);
  -- series that were forecast or stored with a key on a day (UTC)
  create table usage (key_id text not null, day text not null, series ${count} not null, primary key (key_id, day))${end};
  -- what was made under which key of the client, so that it is made once
  create table creations (
    tenant text not null, key text not null, hash text not null, made text not null, created_at text not null,
    primary key (tenant, key))${end};
  create index creations_by_age on creations (created_at);

  -- complete: 0 while the series are stored in slices; for_job: 1 where nobody asked for a dataset; digest: of its series
  create table datasets (
    seq ${seq}, id text not null unique, tenant text not null default 'default', name text, tags text not null,
    complete integer not null default 1, for_job integer not null default 0, digest text,
    series_count integer not null default 0, rows ${count} not null default 0, bytes ${count} not null default 0,
    start_timestamp text, end_timestamp text, freq text, created_at text not null)${end};
  create index datasets_of_tenant on datasets (tenant, seq);
  create index datasets_by_digest on datasets (digest);

  -- own_id: '=' and the id that the client gave it, or '#', the key of the request and the line that it came in
  create table series (
    seq ${seq}, id text not null unique, tenant text not null default 'default',
    dataset_id text references datasets (id), own_id text, name text, rows integer not null,
    start_timestamp text, end_timestamp text, freq text, points text not null)${end};
  create index series_of_dataset on series (dataset_id, seq);
  create unique index series_by_own_id on series (dataset_id, own_id) where own_id is not null;

  -- a run over the series of a dataset; sums: what its forecasts add up to, where one job makes them all
  create table batches (
    seq ${seq}, id text not null unique, tenant text not null default 'default', dataset_id text not null, series ${count} not null,
    request text not null default '{}', sums text, created_at text not null)${end};
  create index batches_of_tenant on batches (tenant, seq);

  -- dataset_id: that of the input
  create table predictions (
    seq ${seq}, id text not null unique, tenant text not null default 'default', ai_model_id text not null,
    status text not null, name text, batch_id text, dataset_id text,
    input_series_id text not null references series (id), prediction_series_id text references series (id),
    options text not null, progress ${real}, error text, details text, created_at text not null)${end};
  create index predictions_of_input on predictions (input_series_id);
  create index predictions_of_output on predictions (prediction_series_id);
  create index predictions_of_tenant on predictions (tenant, seq);
  create index predictions_of_status on predictions (tenant, status, seq);
  create index predictions_of_dataset on predictions (dataset_id, tenant, seq);
  create index predictions_of_batch on predictions (batch_id, seq, status) where batch_id is not null;
  create index predictions_by_age on predictions (created_at);

  -- stopping: 1 where a training was asked to end with the best so far
  create table fine_tuned_models (
    seq ${seq}, id text not null unique, tenant text not null default 'default', status text not null, name text,
    base_model text not null, requested_by text, config text not null, input_config text not null, parameters text,
    scores text, warnings text, progress ${real}, error text, training text, stopping integer not null default 0,
    created_at text not null, updated_at text not null)${end};
  create index fine_tuned_models_of_tenant on fine_tuned_models (tenant, seq);
`;

/** Steps that bring a database of SQLite from one version to the next; `user_version` counts those done. Never edit one that shipped. */
export const MIGRATIONS: readonly string[] = [
  `pragma application_id = ${APPLICATION_ID};
  ${tablesOf({ seq: 'integer primary key autoincrement', count: 'integer', real: 'real', end: ' strict' })}
  -- owner: the program that has the job; lost: how often one did not renew its lease. Tenants take turns by rank
  create table jobs (
    seq integer primary key autoincrement, turn text not null, tenant text not null, rank integer not null,
    kind text not null, targets text not null, suspect integer not null, added integer not null, owner text,
    lease_until integer not null default 0, lost integer not null default 0) strict;
  create index jobs_in_turn on jobs (turn, rank, seq);
  create index jobs_of_tenant on jobs (turn, tenant, rank);

  -- programs that began with jobs that were lost before, and may have died over them
  create table begun_jobs (target text not null, program text not null, primary key (target, program)) strict;`,
];

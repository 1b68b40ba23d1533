import { byParent, bySpace } from './postgres-spaces.ts';

/** Steps that bring a database of PostgreSQL from one version to the next. Never edit one that shipped. */
export const POSTGRES_MIGRATIONS = [
  `create table meta (name text primary key, value text not null);
   create table keys (
     seq bigint generated always as identity primary key, id text not null unique, status text not null, name text,
     digest text not null unique, sealed text not null, created_at text not null);
   create table datasets (
     seq bigint generated always as identity primary key, id text not null unique, name text, tags text not null,
     created_at text not null, complete integer not null default 1, series_count integer not null default 0,
     rows bigint not null default 0, bytes bigint not null default 0, start_timestamp text, end_timestamp text, freq text,
     for_job integer not null default 0, digest text);
   create index datasets_by_digest on datasets (digest);
   create table series (
     seq bigint generated always as identity primary key, id text not null unique,
     dataset_id text references datasets (id), name text, rows integer not null, start_timestamp text, end_timestamp text,
     freq text, points text not null);
   create index series_of_dataset on series (dataset_id, seq);
   create table predictions (
     seq bigint generated always as identity primary key, id text not null unique, ai_model_id text not null,
     status text not null, name text, input_series_id text not null references series (id),
     prediction_series_id text references series (id), options text not null, progress double precision, error text,
     details text, created_at text not null);
   create index predictions_of_input on predictions (input_series_id);
   create index predictions_of_output on predictions (prediction_series_id);
   create index predictions_of_status on predictions (status, seq);
   create index predictions_by_age on predictions (created_at);
   create table fine_tuned_models (
     seq bigint generated always as identity primary key, id text not null unique, status text not null, name text,
     base_model text not null, config text not null, input_config text not null, parameters text, scores text,
     warnings text, progress double precision, error text, training text, origin text, created_at text not null,
     updated_at text not null);`,
  // what one team stores another does not see: all of before belongs to one space, whose keys may do everything
  `alter table keys add column space text not null default 'default';
   alter table keys add column scope text not null default 'admin';
   alter table keys add column expires_at text;
   alter table keys add column last_used_at text;
   alter table keys add column requests_per_minute integer;
   alter table keys add column series_per_day bigint;
   alter table datasets add column space text not null default 'default';
   alter table series add column space text not null default 'default';
   alter table predictions add column space text not null default 'default';
   alter table fine_tuned_models add column space text not null default 'default';
   create index keys_of_space on keys (space, seq);
   create index datasets_of_space on datasets (space, seq);
   create index predictions_of_space on predictions (space, seq);
   create index fine_tuned_models_of_space on fine_tuned_models (space, seq);
   create table usage (key_id text not null, day text not null, series bigint not null, primary key (key_id, day));`,
  // what was made under which key of the client, so that it is made once
  `create table creations (
     space text not null, key text not null, hash text not null, made text not null, created_at text not null,
     primary key (space, key));
   create index creations_by_age on creations (created_at);`,
  // own_id: '=' and the id that the client gave it, or '#', the key of the request and the line that it came in
  `alter table series add column own_id text;
   create unique index series_by_own_id on series (dataset_id, own_id) where own_id is not null;`,
  // predictions.dataset_id: that of the input, so that those of a dataset are listed however many others there are
  `alter table predictions add column dataset_id text;
   update predictions set dataset_id = series.dataset_id from series
     where series.id = input_series_id and series.dataset_id is not null;
   create index predictions_of_dataset on predictions (dataset_id, seq) include (space);
   drop index predictions_of_status;
   create index predictions_of_space_by_status on predictions (space, status, seq);`,
  // row-level security: what belongs to another space is not there, whatever a query asks. What is noted in meta is of the
  // space that notes it
  `alter table meta add column space text not null default 'default';
   update meta set space = predictions.space from predictions
     where meta.name like 'sums\\_%' and predictions.id = meta.value::jsonb -> 'ids' ->> 0;
   update meta set space = fine_tuned_models.space from fine_tuned_models
     where meta.name = 'stop ' || fine_tuned_models.id;
   alter table meta alter column space set default coalesce(nullif(current_setting('forecasts.space', true), ''), 'default');
   ${bySpace('meta', 'keys', 'datasets', 'series', 'predictions', 'fine_tuned_models', 'creations')}
   ${byParent('usage', 'key_id', 'keys')}`,
  // requests of a minute, which nobody misses after a crash
  `create unlogged table requests (
     key_id text primary key, began timestamptz not null, count integer not null) with (fillfactor = 50);
   ${byParent('requests', 'key_id', 'keys')}`,
  // space before seq: of two indexes that each know one of what is asked, the wrong one is taken until the table is analyzed
  `drop index predictions_of_dataset;
   create index predictions_of_dataset on predictions (dataset_id, space, seq);`,
];

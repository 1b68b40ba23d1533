/** What the header of the file says of a store of this program, so that no other database is taken for one: "TSFC". */
export const APPLICATION_ID = 0x54534643;

/** Steps that bring a database from one version to the next; `user_version` counts those done. Never edit one that shipped. */
export const MIGRATIONS = [
  `create table meta (name text primary key, value text not null) strict;
   create table keys (
     seq integer primary key autoincrement, id text not null unique, status text not null, name text,
     digest text not null unique, sealed text not null, created_at text not null) strict;
   create table datasets (
     seq integer primary key autoincrement, id text not null unique, name text, tags text not null,
     created_at text not null) strict;
   create table series (
     seq integer primary key autoincrement, id text not null unique, dataset_id text references datasets (id), name text,
     rows integer not null, start_timestamp text, end_timestamp text, freq text, points text not null) strict;
   create index series_of_dataset on series (dataset_id);
   create table predictions (
     seq integer primary key autoincrement, id text not null unique, ai_model_id text not null, status text not null,
     name text, input_series_id text not null references series (id), prediction_series_id text references series (id),
     options text not null, progress real, error text, details text, created_at text not null) strict;
   create index predictions_of_input on predictions (input_series_id);
   create index predictions_of_output on predictions (prediction_series_id);
   create table fine_tuned_models (
     seq integer primary key autoincrement, id text not null unique, status text not null, name text,
     base_model text not null, config text not null, input_config text not null, parameters text, scores text,
     warnings text, progress real, error text, created_at text not null, updated_at text not null) strict;
   create table jobs (
     seq integer primary key autoincrement, kind text not null, target text not null unique,
     owner text, lease_until integer not null default 0, attempts integer not null default 0) strict;`,
  `alter table jobs add column priority integer not null default 0;
   create index jobs_in_turn on jobs (priority desc, seq);`,
  `alter table fine_tuned_models add column training text;`,
  // jobs.client: the program that answers a waiting client with the result; no other does the job
  // datasets.complete: 0 while the series are stored in slices. The other columns sum the series up, which never change.
  `pragma application_id = ${APPLICATION_ID};
   alter table jobs add column client text;
   alter table datasets add column complete integer not null default 1;
   alter table datasets add column series_count integer not null default 0;
   alter table datasets add column rows integer not null default 0;
   alter table datasets add column bytes integer not null default 0;
   alter table datasets add column start_timestamp text;
   alter table datasets add column end_timestamp text;
   alter table datasets add column freq text;
   update datasets set (series_count, rows, bytes, start_timestamp, end_timestamp, freq) = (
     select count(*), ifnull(sum(series.rows), 0), ifnull(sum(length(points)), 0), min(series.start_timestamp),
       max(series.end_timestamp), case when count(distinct ifnull(series.freq, '')) = 1 then max(series.freq) end
     from series where dataset_id = datasets.id);
   create index predictions_of_status on predictions (status);
   create index predictions_by_age on predictions (created_at);`,
  // for_job: 1 where it was stored for a job and nobody asked for a dataset; digest: that of its series
  `alter table datasets add column for_job integer not null default 0;
   alter table datasets add column digest text;
   create index datasets_by_digest on datasets (digest);`,
  `alter table fine_tuned_models add column origin text;`,
  // what one team stores another does not see: all of before belongs to one space, whose keys may do everything
  `alter table keys add column space text not null default 'default';
   alter table keys add column scope text not null default 'admin';
   alter table keys add column expires_at text;
   alter table keys add column last_used_at text;
   alter table keys add column requests_per_minute integer;
   alter table keys add column series_per_day integer;
   alter table datasets add column space text not null default 'default';
   alter table series add column space text not null default 'default';
   alter table predictions add column space text not null default 'default';
   alter table fine_tuned_models add column space text not null default 'default';
   create index keys_of_space on keys (space, seq);
   create index datasets_of_space on datasets (space, seq);
   create index predictions_of_space on predictions (space, seq);
   create index fine_tuned_models_of_space on fine_tuned_models (space, seq);
   create table usage (
     key_id text not null, day text not null, series integer not null, primary key (key_id, day)) strict;`,
  // what was made under which key of the client, so that it is made once
  `create table creations (
     space text not null, key text not null, hash text not null, made text not null, created_at text not null,
     primary key (space, key)) strict;
   create index creations_by_age on creations (created_at);`,
  // own_id: '=' and the id that the client gave it, or '#', the key of the request and the line that it came in
  `alter table series add column own_id text;
   create unique index series_by_own_id on series (dataset_id, own_id) where own_id is not null;`,
  // predictions.dataset_id: that of the input, so that those of a dataset are listed however many others there are
  `alter table predictions add column dataset_id text;
   update predictions set dataset_id = (select dataset_id from series where id = input_series_id);
   create index predictions_of_dataset on predictions (dataset_id, seq, space);`,
  // tenants take turns by rank
  `alter table jobs add column space text not null default 'default';
   alter table jobs add column rank integer not null default 0;
   drop index jobs_in_turn;
   create index jobs_in_turn on jobs (priority desc, rank, seq);
   create index jobs_of_space on jobs (priority, space, rank);`,
];

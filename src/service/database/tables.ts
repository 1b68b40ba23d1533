import type { Generated, Kysely } from 'kysely';

/** The tables of the store, the same on every database. What is stored may be damaged: rows are read with care. */
export interface Tables {
  keys: {
    seq: Generated<number>;
    id: string;
    status: string;
    name: string | null;
    digest: string;
    sealed: string;
    created_at: string;
    tenant: Generated<string>;
    scope: string;
    expires_at: string | null;
    last_used_at: string | null;
    requests_per_minute: number | null;
    series_per_day: number | null;
  };
  /** What was made under which key of a client. */
  creations: { tenant: string; key: string; hash: string; made: string; created_at: string };
  /** Series that were forecast with a key on a day (UTC). */
  usage: { key_id: string; day: string; series: number };
  datasets: {
    seq: Generated<number>;
    id: string;
    name: string | null;
    tags: string;
    created_at: string;
    complete: Generated<number>;
    series_count: Generated<number>;
    rows: Generated<number>;
    bytes: Generated<number>;
    start_timestamp: string | null;
    end_timestamp: string | null;
    freq: string | null;
    for_job: Generated<number>;
    digest: string | null;
    tenant: Generated<string>;
  };
  series: {
    seq: Generated<number>;
    id: string;
    dataset_id: string | null;
    name: string | null;
    rows: number;
    start_timestamp: string | null;
    end_timestamp: string | null;
    freq: string | null;
    points: string;
    tenant: Generated<string>;
    own_id: Generated<string | null>;
  };
  /** Runs over the series of a dataset. */
  batches: {
    seq: Generated<number>;
    id: string;
    tenant: Generated<string>;
    dataset_id: string;
    /** How many it was made of. */
    series: number;
    /** What was asked for. */
    request: string;
    /** What its forecasts add up to, in JSON, where one job makes them all. */
    sums: string | null;
    created_at: string;
  };
  predictions: {
    seq: Generated<number>;
    id: string;
    ai_model_id: string;
    status: string;
    name: string | null;
    batch_id: Generated<string | null>;
    input_series_id: string;
    /** That of the input. */
    dataset_id: Generated<string | null>;
    prediction_series_id: string | null;
    options: string;
    progress: number | null;
    error: string | null;
    details: string | null;
    created_at: string;
    tenant: Generated<string>;
  };
  fine_tuned_models: {
    seq: Generated<number>;
    id: string;
    status: string;
    name: string | null;
    base_model: string;
    config: string;
    input_config: string;
    parameters: string | null;
    scores: string | null;
    warnings: string | null;
    progress: number | null;
    error: string | null;
    training: string | null;
    /** 1 where it was asked to end with the best so far. */
    stopping: Generated<number>;
    requested_by: string | null;
    created_at: string;
    updated_at: string;
    tenant: Generated<string>;
  };
  /** Programs that began with jobs that were lost before, and may have died over them. */
  begun_jobs: { target: string; program: string };
}

/** The database, or a transaction of it: what is asked of a transaction is asked through its own. */
export type Db = Kysely<Tables>;

/** Runs `work` as one transaction that is undone whole where it throws. Nothing else may be awaited in it. */
export const transaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => db.transaction().execute(work);

/** Runs `work`, which only reads, on the store as it is at one instant. */
export const snapshot = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read').execute(work);

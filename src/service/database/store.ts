/** The store: its tables, described once, and what one database says differently from another. */
import { type Generated, type Kysely, type RawBuilder, sql } from 'kysely';

/** What the header of the file says of a store of this program, so that no other database is taken for one: "TSFC". */
export const APPLICATION_ID = 0x54534643;

export const DEFAULT_TENANT = 'default';

const base = { seq: 'seq', id: 'text not null unique', tenant: `text not null default 'default'` } as const;
const span = { start_timestamp: 'text', end_timestamp: 'text', freq: 'text' } as const;
const [text, flag] = ['text not null', 'integer not null default 0'] as const;

/** The tables that every database has: the definitions of their columns, of which `seq` and `count` are its own types. */
const tables = {
  keys: {
    ...base,
    status: text,
    scope: text,
    name: 'text',
    digest: 'text not null unique',
    sealed: text,
    requests_per_minute: 'integer',
    series_per_day: 'count',
    expires_at: 'text',
    last_used_at: 'text',
    created_at: text,
  },
  usage: { key_id: text, day: text, series: 'count not null' }, // of a day in UTC
  requests: { key_id: 'text primary key', began: 'count not null', count: 'integer not null' },
  creations: { tenant: text, key: text, hash: text, made: text, created_at: text },
  datasets: {
    ...base,
    name: 'text',
    tags: text,
    /** 0 while the series are stored in slices. */
    complete: 'integer not null default 1',
    for_job: flag,
    digest: 'text',
    series_count: flag,
    rows: 'count not null default 0',
    bytes: 'count not null default 0',
    ...span,
    created_at: text,
  },
  series: {
    ...base,
    dataset_id: 'text references datasets (id)',
    /** '=' and the id that the client gave it, or '#', the key of the request and the number of its line. */
    own_id: 'text',
    name: 'text',
    rows: 'integer not null',
    ...span,
    points: text,
  },
  batches: {
    ...base,
    dataset_id: text,
    series: 'count not null',
    request: `text not null default '{}'`,
    sums: 'text',
    created_at: text,
  },
  predictions: {
    ...base,
    ai_model_id: text,
    status: text,
    name: 'text',
    batch_id: 'text',
    dataset_id: 'text',
    input_series_id: 'text not null references series (id)',
    prediction_series_id: 'text references series (id)',
    options: text,
    requested_by: 'text',
    progress: 'real',
    error: 'text',
    details: 'text',
    sparkline: 'text',
    created_at: text,
  },
  fine_tuned_models: {
    ...base,
    status: text,
    name: 'text',
    base_model: text,
    requested_by: 'text',
    config: text,
    input_config: text,
    input_series: 'text',
    parameters: 'text',
    weights: 'text',
    scores: 'text',
    warnings: 'text',
    progress: 'real',
    error: 'text',
    training: 'text',
    stopping: flag,
    created_at: text,
    updated_at: text,
  },
  begun_jobs: { target: text, program: text },
} as const;

const INDEXES = [
  'index keys_of_tenant on keys (tenant, seq)',
  'unique index usage_of_day on usage (key_id, day)',
  'unique index creations_of_key on creations (tenant, key)',
  'index creations_by_age on creations (created_at)',
  'index creations_by_made on creations (made)',
  'index datasets_of_tenant on datasets (tenant, seq)',
  'index datasets_by_digest on datasets (digest)',
  // with the tenant, so that a list is counted without its rows, which are large
  'index series_of_dataset on series (dataset_id, seq, tenant)',
  'unique index series_by_own_id on series (dataset_id, own_id) where own_id is not null',
  'index batches_of_tenant on batches (tenant, seq)',
  'index predictions_of_input on predictions (input_series_id)',
  'index predictions_of_output on predictions (prediction_series_id)',
  'index predictions_of_tenant on predictions (tenant, seq)',
  'index predictions_of_status on predictions (tenant, status, seq)',
  'index predictions_of_dataset on predictions (dataset_id, tenant, seq, status)',
  'index predictions_of_batch on predictions (batch_id, seq, status) where batch_id is not null',
  'index predictions_by_age on predictions (created_at)',
  'index fine_tuned_models_of_tenant on fine_tuned_models (tenant, seq)',
  'unique index begun_jobs_of_program on begun_jobs (target, program)',
];

/** @param types what a database calls a number that no later row has again, one that may pass 2 ** 31, and a fraction */
export function tablesOf(types: Readonly<Record<'seq' | 'count' | 'real', string>>, end = ''): string {
  const typed = (definition: string) => definition.replace(/^(seq|count|real)/, (type) => types[type as 'seq']);
  const made = Object.entries(tables).map(
    ([table, columns]) =>
      `create table ${table} (${Object.entries(columns)
        .map(([name, definition]) => `${name} ${typed(definition)}`)
        .join(', ')})${end};`,
  );
  return [...made, ...INDEXES.map((index) => `create ${index};`)].join('\n');
}

type Value<D extends string> = D extends `text${string}` ? string : number;
type Column<D extends string> = D extends 'seq' | `${string} default ${string}`
  ? Generated<Value<D>>
  : D extends `${string} not null${string}`
    ? Value<D>
    : Value<D> | null;

export type Tables = {
  [T in keyof typeof tables]: { [C in keyof (typeof tables)[T]]: Column<(typeof tables)[T][C] & string> };
};

export type Db = Kysely<Tables>;

/** Runs `work` as one transaction that is undone whole where it throws. Nothing else may be awaited in it. */
export const transaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => db.transaction().execute(work);

export const snapshot = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read').execute(work);

/** What a request may see: what belongs to the tenant of its key; all where absent, for what the service does by itself. */
export type Tenant = string | undefined;

export interface Store {
  readonly db: Db;
  in(tenant: Tenant): Db;
  readonly hasRowSecurity?: boolean;
  isInPlace(): boolean;
  size(): Promise<{ readonly bytes: number; readonly free_bytes: number }>;
  /** Gives some room back to the disk. @param isLast whether no deletion follows @returns whether there is more to do */
  tidy(isLast: boolean): Promise<boolean>;
  close(): Promise<void>;
}

export interface Dialect {
  readonly mostCounted: number;
  /** Whether others write at the same time, so that what is looked at before it is deleted is to be locked. */
  readonly locksRows: boolean;
  isOneOf(column: string, texts: readonly string[]): RawBuilder<boolean>;
  isJson(column: string): RawBuilder<number>;
}

/** Ends a choice of rows that are to be written: others wait, or those that another program has locked are skipped. */
export const locking = (db: Db, others: 'wait' | 'skip' = 'wait'): RawBuilder<unknown> =>
  sql.raw(dialectOf(db).locksRows ? `for update${others === 'skip' ? ' skip locked' : ''}` : '');

export const dialectOf = (db: Db): Dialect =>
  (db.getExecutor().adapter as unknown as { readonly store: Dialect }).store;

/** Runs over many series: their predictions are made, counted, listed and canceled by the id of the batch. */
import { type Insertable, sql } from 'kysely';
import type * as z from 'zod/mini';
import { isoInstant } from '../../calendar/format.ts';
import { failure } from '../../contract/failures.ts';
import type { PredictDataset } from '../../contract/requests.ts';
import type { Page } from '../../contract/resources.ts';
import { type Sum, structureOf, SumsError } from '../../engine/totals/structure.ts';
import { json, listTable, needed, number, orDamaged, type PageRequest, type SqlRow, text } from '../database/list.ts';
import { type Db, dialectOf, ofTenant, type Tables, type Tenant } from '../database/store.ts';
import { expectedOf, RequestError } from '../errors.ts';

export type Request = z.output<typeof PredictDataset>;

export interface NewBatch extends Pick<Insertable<Tables['batches']>, 'id' | 'tenant' | 'dataset_id' | 'series'> {
  readonly request: Request;
  /** What its forecasts add up to, by the places of the series; absent where each is made by itself. */
  readonly sums: readonly Sum[] | undefined;
}

export async function addBatch(db: Db, { request, sums, ...batch }: NewBatch): Promise<void> {
  const json = { request: JSON.stringify(request), sums: sums ? JSON.stringify(sums) : null };
  const row = { ...batch, ...json, created_at: isoInstant(Date.now()) };
  await db.insertInto('batches').values(row).execute();
}

/** The batches of a tenant, of one dataset where it is named. */
export function listBatches(db: Db, tenant: Tenant, page: PageRequest, datasetId?: string): Promise<Page<StoredBatch>> {
  const ofDataset = datasetId === undefined ? sql`` : sql`and dataset_id = ${datasetId}`;
  const where = sql`${ofTenant(tenant)} ${ofDataset}`;
  return listTable(db, { table: 'batches', where }, page, (rows, db) => readBatches(db, rows));
}

export async function getBatch(db: Db, tenant: Tenant, id: string): Promise<StoredBatch> {
  const [batch] = await readBatches(db, [await rowOf(db, tenant, id)]);
  return batch;
}

/** What was asked for of which dataset. @throws RequestError 404, DamagedRowError */
export async function askedOfBatch(db: Db, tenant: Tenant, id: string): Promise<{ dataset: string; request: Request }> {
  const row = await rowOf(db, tenant, id);
  return { dataset: needed(row.dataset_id), request: json<Request>(row.request) ?? {} };
}

async function rowOf(db: Db, tenant: Tenant, id: string): Promise<SqlRow> {
  const found = db.selectFrom('batches').selectAll().where('id', '=', id).where(ofTenant(tenant));
  const row = await found.executeTakeFirst();
  if (!row) throw new RequestError(404, failure('no_batch', id));
  return row;
}

type StoredBatch = Readonly<Record<string, unknown>>;

async function readBatches(db: Db, rows: readonly SqlRow[]): Promise<StoredBatch[]> {
  const ids = rows.map(({ id }) => text(id)).filter((id) => id !== undefined);
  const counted = await db
    .selectFrom('predictions')
    .select(['batch_id', 'status', ({ fn }) => fn.countAll<number>().as('n')])
    .where(dialectOf(db).isOneOf('batch_id', ids))
    .groupBy(['batch_id', 'status'])
    .execute();
  return rows.map((row) => {
    const count = (...statuses: readonly string[]) =>
      counted
        .filter(({ batch_id, status }) => batch_id === row.id && statuses.includes(status))
        .reduce((sum, { n }) => sum + n, 0);
    return {
      id: text(row.id) ?? `damaged_${row.seq}`,
      dataset_id: text(row.dataset_id) ?? '',
      ai_model_id: orDamaged(
        () => json<Request>(row.request)?.ai_model_id,
        () => undefined,
      ),
      series: number(row.series) ?? 0,
      pending: count('QUEUED', 'IN_PROGRESS'),
      completed: count('COMPLETED'),
      failed: count('FAILED'),
      created_at: text(row.created_at) ?? '',
    };
  });
}

/** How many series a batch was made of, and what its forecasts add up to. @throws DamagedRowError */
export async function sumsOfBatch(db: Db, id: string): Promise<{ series: number; sums: readonly Sum[] }> {
  const row = await db.selectFrom('batches').select(['series', 'sums']).where('id', '=', id).executeTakeFirst();
  return { series: row?.series ?? 0, sums: json<Sum[]>(row?.sums) ?? [] };
}

/** The predictions of a batch that are still there, in the order of its series. */
export async function predictionsOf(db: Db, batch: string): Promise<string[]> {
  const rows = await db.selectFrom('predictions').select('id').where('batch_id', '=', batch).orderBy('seq').execute();
  return rows.map(({ id }) => id);
}

/** Deletes predictions of batches that a program began to store before an instant, and did not finish. */
export async function removeLeft(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('predictions')
    .where('batch_id', 'is not', null)
    .where('status', '=', 'QUEUED')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('batches').select('batches.id').whereRef('batches.id', '=', 'predictions.batch_id'))),
    )
    .execute();
}

/** Forgets batches that no prediction is of any more. */
export async function forgetEmpty(db: Db): Promise<void> {
  await db
    .deleteFrom('batches')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('predictions').select('predictions.id').whereRef('batch_id', '=', 'batches.id'))),
    )
    .execute();
}

/** The sums of a request by the places of their series. @param names of the series @throws RequestError 422 */
export function sumsOf(sums: NonNullable<Request['sums']>, names: readonly string[]): Sum[] {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  names.forEach((name, place) => {
    if (places.has(name)) twice.add(name);
    places.set(name, place);
  });
  const placeOf = (name: string, loc: readonly (string | number)[]): number => {
    const at = ['body', 'sums', ...loc];
    const place = places.get(name);
    if (place === undefined) throw RequestError.field(at, failure('sums_no_series', name));
    if (twice.has(name)) throw RequestError.field(at, failure('sums_series_twice', name));
    return place;
  };
  const found = sums.map(({ total, parts }, i) => ({
    total: placeOf(total, [i, 'total']),
    parts: parts.map((part, k) => placeOf(part, [i, 'parts', k])),
  }));
  try {
    structureOf(names.length, found);
  } catch (error) {
    if (!(error instanceof SumsError)) throw error;
    const at = found.findIndex(({ total }) => total === error.total);
    throw RequestError.field(['body', 'sums', at], failure('sums_refused', names[error.total], expectedOf(error)!));
  }
  return found;
}

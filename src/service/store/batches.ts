/** Runs over many series: their predictions are made, counted, listed and canceled by the id of the batch. */
import type * as z from 'zod/mini';
import { failure } from '../../contract/failures.ts';
import type { PredictDataset } from '../../contract/requests.ts';
import { type Sum, structureOf, SumsError } from '../../engine/totals/structure.ts';
import { json, orDamaged, Repository, type Row } from '../database/repository.ts';
import { type Db, dialectOf } from '../database/store.ts';
import { expectedOf, RequestError } from '../errors.ts';

export type Request = z.output<typeof PredictDataset>;

type BatchRow = Row<'batches'>;

export class Batches extends Repository<BatchRow, { readonly id: string }> {
  protected readonly table = 'batches';
  protected readonly missing = 'no_batch';

  async predictions(id: string): Promise<string[]> {
    const found = this.db.selectFrom('predictions').select('id').where('batch_id', '=', id);
    return (await found.orderBy('seq').execute()).map(({ id }) => id);
  }

  protected async read(rows: readonly BatchRow[], db: Db) {
    const ids = rows.map(({ id }) => id);
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
        id: row.id,
        // a client that reads a list refuses it whole where one of these is absent
        dataset_id: (row.dataset_id as string | undefined) ?? '',
        series: (row.series as number | undefined) ?? 0,
        created_at: (row.created_at as string | undefined) ?? '',
        ai_model_id: orDamaged(() => json<Request>(row.request) ?? {}).ai_model_id,
        pending: count('QUEUED', 'IN_PROGRESS'),
        completed: count('COMPLETED'),
        failed: count('FAILED'),
      };
    });
  }
}

/** The sums of a request by the places of their series. @param names of the series @throws RequestError 422 */
export function sumsOf(sums: NonNullable<Request['sums']>, names: readonly string[]): Sum[] {
  const places = Map.groupBy(names.keys(), (place) => names[place]);
  const placeOf = (name: string, loc: readonly (string | number)[]): number => {
    const at = ['body', 'sums', ...loc];
    const [place, other] = (places.get(name) ?? []) as (number | undefined)[];
    if (place === undefined) throw RequestError.field(at, failure('sums_no_series', name));
    if (other !== undefined) throw RequestError.field(at, failure('sums_series_twice', name));
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

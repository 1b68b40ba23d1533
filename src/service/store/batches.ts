/** Runs over many series: their predictions are made, counted, listed and canceled by the id of the batch. */
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { failure } from '../../contract/failures.ts';
import type { PredictDataset } from '../../contract/requests.ts';
import { type Sum, structureOf, SumsError } from '../../engine/totals/structure.ts';
import { json, orDamaged, Repository, type Row } from '../database/repository.ts';
import { expectedOf, RequestError } from '../errors.ts';

export type BatchRequest = z.output<typeof PredictDataset>;

type BatchRow = Row<'batches'> & Readonly<Record<'pending' | 'completed' | 'failed', number>>;

const counted = (...statuses: readonly string[]) =>
  sql`(select count(*) from predictions where batch_id = batches.id and status in (${sql.join(statuses)}))`;

export class Batches extends Repository<BatchRow, { readonly id: string }> {
  protected readonly table = 'batches';
  protected readonly missing = 'no_batch';
  protected override readonly columns = sql`batches.*, ${counted('QUEUED', 'IN_PROGRESS')} pending,
    ${counted('COMPLETED')} completed, ${counted('FAILED')} failed`;

  async predictions(id: string): Promise<string[]> {
    const found = this.db.selectFrom('predictions').select('id').where('batch_id', '=', id);
    return (await found.orderBy('seq').execute()).map(({ id }) => id);
  }

  /** A client that reads a list refuses it whole where a field is absent, as it is in a damaged row. */
  protected read(rows: readonly Partial<BatchRow>[]) {
    return rows.map(({ id = '', dataset_id = '', series = 0, created_at = '', request, ...counts }) => {
      const { pending = 0, completed = 0, failed = 0 } = counts;
      const { ai_model_id } = orDamaged(() => json<BatchRequest>(request) ?? {});
      return { id, dataset_id, series, created_at, ai_model_id, pending, completed, failed };
    });
  }
}

/** The sums of a request by the places of their series. @param names of the series @throws RequestError 422 */
export function sumsOf(sums: NonNullable<BatchRequest['sums']>, names: readonly string[]): Sum[] {
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

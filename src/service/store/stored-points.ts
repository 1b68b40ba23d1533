import { RequestError } from '../errors.ts';
import { dialectOf } from '../database/dialect.ts';
import { DamagedRowError, eachUnlessDamaged } from '../database/list.ts';
import type { Db } from '../database/tables.ts';

/** Points as they are stored, to be put into an answer as they are: a million of them are not read and written again. */
export class StoredPoints {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

const select = (db: Db) => db.selectFrom('series').select(['id', 'points', dialectOf(db).isJson('points').as('ok')]);

/** The points of a series as they are stored. @throws RequestError 404, DamagedRowError */
export async function pointsOf(db: Db, id: string): Promise<StoredPoints> {
  const row = await select(db).where('id', '=', id).executeTakeFirst();
  if (!row) throw RequestError.notFound('series', id);
  if (row.ok !== 1) throw new DamagedRowError();
  return new StoredPoints(row.points);
}

/** The points of these series, by their ids; without those that are not stored, or are damaged. */
export async function pointsOfAll(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, StoredPoints>> {
  const { isOneOf } = dialectOf(db);
  const found = await eachUnlessDamaged(ids, (some) => select(db).where(isOneOf('id', some)).execute());
  return new Map(found.filter(({ ok }) => ok === 1).map(({ id, points }) => [id, new StoredPoints(points)]));
}

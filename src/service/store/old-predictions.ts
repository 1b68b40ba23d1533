import { sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { dialectOf } from '../database/dialect.ts';
import { type SqlRow, text } from '../database/list.ts';
import { type Db, transaction } from '../database/tables.ts';
import { removeUnused } from './unused-series.ts';

/**
 * Deletes predictions of all spaces that ended and were made before an instant, the oldest first, with those of their series
 * that belong to nothing else: few statements, however many they are.
 * @param time in epoch milliseconds
 * @param most that are deleted
 * @returns how many were
 */
export const removeOld = (all: Db, time: number, most: number): Promise<number> =>
  transaction(all, async (db) => {
    const { rows } = await sql<SqlRow>`with old as materialized (
        select seq from predictions where created_at < ${isoInstant(time)} and status in ('COMPLETED', 'FAILED')
        order by created_at limit ${most} ${dialectOf(db).passingLocked})
      delete from predictions where seq in (select seq from old)
      returning input_series_id, prediction_series_id`.execute(db);
    const theirs = rows.flatMap(({ input_series_id, prediction_series_id }) => [input_series_id, prediction_series_id]);
    await removeUnused(db, theirs.map(text));
    return rows.length;
  });

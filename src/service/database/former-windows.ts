/** What windows with a version of before still write into a database that this version has brought to its own. */
import { sql } from 'kysely';
import type { Home } from './home.ts';
import { transaction } from './tables.ts';

/** The entry in `meta` with the number of the last prediction that was looked at. */
const LOOKED_AT = 'datasets noted to';

/**
 * Notes the dataset with predictions that know it by their series alone. Each is looked at once. On PostgreSQL there are
 * none: row-level security, which came with that column, lets no program of before write.
 */
export async function noteDatasets({ db, isShared }: Home): Promise<void> {
  if (isShared) return;
  const { rows } = await sql<{ known: number; last: number }>`select
    coalesce((select cast(value as integer) from meta where name = ${LOOKED_AT}), 0) known,
    coalesce((select max(seq) from predictions), 0) last`.execute(db);
  const [{ known, last }] = rows;
  if (last <= known) return;
  await transaction(db, async (db) => {
    await sql`update predictions set dataset_id = (select dataset_id from series where id = input_series_id)
      where seq > ${known} and seq <= ${last} and dataset_id is null
      and exists (select 1 from series where id = input_series_id and dataset_id is not null)`.execute(db);
    await sql`insert into meta (name, value) values (${LOOKED_AT}, ${String(last)})
      on conflict (name) do update set value = excluded.value`.execute(db);
  });
}

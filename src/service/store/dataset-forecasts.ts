/** The newest forecasts of the series of a dataset, however many they are. */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { DamagedRowError, needed, number, type SqlRow, text } from '../database/list.ts';
import { ownIdOf } from './stored-dataset.ts';
import { pointsOfAll } from './stored-points.ts';
import { type Db, snapshot } from '../database/tables.ts';

/** Series that are looked at in one statement, and points that are read in one. */
const SERIES = 200;
const POINTS = 20_000;

/**
 * Lines of NDJSON, some at a time: the newest prediction of each series that has one, the newest series first. What is kept
 * does not grow with the dataset, as no more is read than was taken; others get their turn in between, so that it is each
 * series as it is when its turn comes. Series that are added meanwhile are not among them.
 */
export async function* forecastsOf(db: Db, datasetId: string): AsyncGenerator<string> {
  for (let before: number | undefined; ;) {
    const rows = await rowsOf(db, datasetId, before);
    const made = rows.filter(({ id }) => id !== null);
    for (let from = 0, to = 0; from < made.length; from = to) {
      for (let points = 0; to < made.length && points < POINTS; to++) points += number(made[to].rows) ?? 0;
      yield await linesOf(db, made.slice(from, to));
    }
    if (rows.length < SERIES) return;
    before = rows[rows.length - 1].seq;
    await setImmediate();
  }
}

const rowsOf = (all: Db, datasetId: string, before: number | undefined): Promise<readonly SqlRow[]> =>
  snapshot(all, async (db) => {
    const edge = before === undefined ? sql`` : sql`and series.seq < ${before}`;
    const { rows } = await sql<SqlRow>`
      select series.seq, series.id series_id, series.name, series.own_id, p.id, p.ai_model_id, p.status, p.error,
        p.prediction_series_id, (select rows from series where series.id = p.prediction_series_id) rows
      from series left join predictions p
        on p.seq = (select max(seq) from predictions where input_series_id = series.id)
      where series.dataset_id = ${datasetId} ${edge} order by series.seq desc limit ${SERIES}`.execute(db);
    return rows;
  });

const linesOf = (all: Db, rows: readonly SqlRow[]): Promise<string> =>
  snapshot(all, async (db) => {
    const ids = rows.map((row) => text(row.prediction_series_id)).filter((id) => id !== undefined);
    const points = await pointsOfAll(db, ids);
    return rows.map((row) => lineOf(row, points.get(text(row.prediction_series_id) ?? '')?.json)).join('');
  });

function lineOf(row: SqlRow, points: string | undefined): string {
  const series_id = needed(row.series_id);
  const isDamaged = row.prediction_series_id !== null && points === undefined;
  const line = JSON.stringify({
    id: ownIdOf(row) ?? series_id,
    series_id,
    name: text(row.name),
    prediction_id: text(row.id),
    ai_model_id: text(row.ai_model_id),
    status: text(row.status),
    error: isDamaged ? new DamagedRowError().message : text(row.error),
  });
  return points === undefined ? `${line}\n` : `${line.slice(0, -1)},"prediction_series":${points}}\n`;
}

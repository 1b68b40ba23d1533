/** Series that come into a dataset, and forecasts that go out of it, however many they are: a little at a time. */
import { nextTurn } from '#platform/turn';
import { sql } from 'kysely';
import { failure, type Failure } from '../../contract/failures.ts';
import { isoInstant } from '../../calendar/format.ts';
import { RequestError } from '../errors.ts';
import { DamagedRowError, json, needed, newId, number, type SqlRow, text } from '../database/list.ts';
import { type Db, snapshot } from '../database/store.ts';
import { identityOf } from './packed.ts';
import { type PreparedSeries, type Span, spanOf } from './points.ts';
import { ownIdOf, pointsOfAll, seriesRow, statementsOf } from './series.ts';
/** A line of a stream. */
export interface SeriesLine {
  /** Its number, from 1. */
  readonly line: number;
  /** What the client calls it, and nothing else of the dataset. */
  readonly id?: string | undefined;
  /** The key of the request, which together with the number of the line is an id where it has none. */
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  readonly series: PreparedSeries;
}

/** Why a line is refused; lines are counted from 1. */
export interface LineFault {
  readonly line: number;
  readonly id?: string | undefined;
  readonly error: Failure;
}

export interface AddedLines {
  readonly stored: number;
  /** There already. */
  readonly unchanged: number;
  readonly refused: readonly LineFault[];
}

/** Told in the transaction how many are stored; throws where that is too much. */
export type Count = (db: Db, stored: number) => Promise<void>;

const nameOf = ({ line, id, key }: SeriesLine): string | null =>
  id !== undefined ? `=${id}` : key !== undefined ? `#${key} ${line}` : null;

/**
 * Adds series to a dataset. What is there under the same id stays as it is: predictions were made of it.
 * @param db a transaction
 * @throws RequestError 404
 */
export async function addLines(
  db: Db,
  dataset_id: string,
  tenant: string,
  lines: readonly SeriesLine[],
  count: Count,
): Promise<AddedLines> {
  // others that add to it, or delete it, wait from here on; it is no longer what was stored as a whole, and in use
  const { rows: found } = await sql<SqlRow>`update datasets set digest = case when digest like '=%' then digest end,
      created_at = case when for_job = 1 then ${isoInstant(Date.now())} else created_at end
    where id = ${dataset_id} and tenant = ${tenant} and complete = 1
    returning start_timestamp, end_timestamp`.execute(db);
  if (found.length === 0) throw new RequestError(404, failure('no_dataset', dataset_id));
  if (lines.length === 0) return { stored: 0, unchanged: 0, refused: [] };
  const given = lines.map((one) => {
    const [id, own_id] = [newId('series'), nameOf(one)];
    return { ...one, own_id, row: seriesRow(one.series, { id, dataset_id, name: one.name, tenant, own_id }) };
  });
  const isStored = new Set<string>();
  for (const some of statementsOf(given.map(({ row }) => row))) {
    const insert = db.insertInto('series').values(some);
    const inserted = await insert
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    for (const { id } of inserted) isStored.add(id);
  }
  const stored = given.filter(({ row }) => isStored.has(row.id));
  await count(db, stored.length);
  const before = { start: text(found[0].start_timestamp), end: text(found[0].end_timestamp) };
  await sumUp(db, dataset_id, before, stored);
  const others = given.filter(({ row }) => !isStored.has(row.id));
  const known = await knownAs(db, dataset_id, others);
  const isSame = ({ own_id, name, series }: (typeof given)[number]): boolean => {
    const there = known.get(own_id);
    return (
      there !== undefined && identityOf(there.points) === identityOf(series.points) && there.name === (name ?? null)
    );
  };
  const refused = others.filter((one) => !isSame(one)).map(({ line, id }) => faultOf(line, id));
  return { stored: stored.length, unchanged: others.length - refused.length, refused };
}

async function knownAs(db: Db, datasetId: string, lines: readonly { readonly own_id: string | null }[]) {
  const ids = lines.map(({ own_id }) => own_id).filter((one) => one !== null);
  if (ids.length === 0) return new Map<string | null, never>();
  const known = db.selectFrom('series').select(['own_id', 'name', 'points']).where('dataset_id', '=', datasetId);
  const rows = await known.where('own_id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.own_id, row]));
}

const faultOf = (line: number, id: string | undefined): LineFault =>
  id === undefined ? { line, error: failure('line_repeated') } : { line, id, error: failure('line_id_taken') };

/**
 * What is told of a dataset, with these series added.
 * @param before its span, which nobody else changes meanwhile
 */
async function sumUp(
  db: Db,
  id: string,
  before: Span,
  added: readonly { readonly series: PreparedSeries }[],
): Promise<void> {
  if (added.length === 0) return;
  const all = added.map(({ series }) => series);
  const sum = (of: (series: PreparedSeries) => number) => all.reduce((total, one) => total + of(one), 0);
  const { start, end } = spanOf([before, ...all]);
  const frequencies = new Set(all.map(({ frequency }) => frequency));
  const freq = frequencies.size === 1 ? (all[0].frequency ?? null) : null;
  await sql`update datasets set
    series_count = series_count + ${all.length}, rows = rows + ${sum(({ rows }) => rows)},
    bytes = bytes + ${sum(({ points }) => points.length)},
    start_timestamp = ${start ?? null}, end_timestamp = ${end ?? null},
    freq = case when series_count = 0 or freq = ${freq} then cast(${freq} as text) end
    where id = ${id}`.execute(db);
}

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
    await nextTurn();
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

async function linesOf(all: Db, rows: readonly SqlRow[]): Promise<string> {
  const ids = rows.map((row) => text(row.prediction_series_id)).filter((id) => id !== undefined);
  const points = await snapshot(all, (db) => pointsOfAll(db, ids));
  let lines = '';
  for (const row of rows) {
    const json = await points
      .get(text(row.prediction_series_id) ?? '')
      ?.text()
      .catch(() => undefined);
    lines += lineOf(row, json);
  }
  return lines;
}

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
    error: isDamaged ? new DamagedRowError().failure : json<Failure>(row.error),
  });
  return points === undefined ? `${line}\n` : `${line.slice(0, -1)},"prediction_series":${points}}\n`;
}

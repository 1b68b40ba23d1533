/** Stored series: their rows and points, streams of them, and how they are deleted. */
import { nextTurn } from '#platform/turn';
import { type Insertable, sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { failure, type Failure } from '../../contract/failures.ts';
import {
  DamagedRowError,
  json,
  newId,
  type PageRequest,
  pick,
  Repository,
  type Row,
  unlessDamaged,
} from '../database/repository.ts';
import { type Db, dialectOf, ofTenant, snapshot, type Tables } from '../database/store.ts';
import { RequestError } from '../errors.ts';
import { identityOf, isPacked, type PreparedSeries, type Span, spanOf, StoredPoints } from './points.ts';
import { slicesOf } from './slices.ts';

type ListedRow = Omit<Row<'series'>, 'points'>;

/** The id that a client gave it. */
const ownIdOf = ({ own_id }: Pick<ListedRow, 'own_id'>) => (own_id?.startsWith('=') ? own_id.slice(1) : undefined);

const readSeries = (row: ListedRow) => ({
  ...pick(row, 'id', 'name', 'dataset_id', 'rows', 'start_timestamp', 'end_timestamp', 'freq'),
  own_id: ownIdOf(row),
});

/** Series without their points, which are read by themselves. */
export class Series extends Repository<ListedRow, ReturnType<typeof readSeries>> {
  protected readonly table = 'series';
  protected readonly missing = 'no_stored_series';
  protected override readonly columns = sql`seq, id, name, dataset_id, rows, start_timestamp, end_timestamp, freq, own_id`;

  protected read(rows: readonly ListedRow[]) {
    return rows.map(readSeries);
  }

  list(dataset_id: string, page: PageRequest) {
    return this.listed(page, { dataset_id });
  }

  /** Its points as they are stored. @throws RequestError 404, DamagedRowError */
  async points(id: string): Promise<StoredPoints> {
    const row = await points(this.db).where('id', '=', id).where(ofTenant(this.tenant)).executeTakeFirst();
    if (!row) throw new RequestError(404, failure(this.missing, id));
    if (!isWhole(row)) throw new DamagedRowError();
    return new StoredPoints(row.points);
  }

  /** The names of those of a dataset, in their order; empty where one has none. */
  async namesOf(datasetId: string): Promise<string[]> {
    const names = this.db.selectFrom('series').select('name').where('dataset_id', '=', datasetId);
    return (await names.orderBy('seq', 'desc').execute()).map(({ name }) => name ?? '');
  }

  /** Stores one that is of no dataset. @returns its id */
  async add(db: Db, series: PreparedSeries, name?: string): Promise<string> {
    const id = newId('series');
    await insertSeries(db, [seriesRow(series, { id, dataset_id: null, name, tenant: this.owner })]);
    return id;
  }
}

const points = (db: Db) => db.selectFrom('series').select(['id', 'points', dialectOf(db).isJson('points').as('ok')]);

const isWhole = ({ points, ok }: { readonly points: string; readonly ok: number }): boolean =>
  ok === 1 || isPacked(points);

/** The points of these series, by their ids; without those that are not stored, or are damaged. */
export async function pointsOfAll(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, StoredPoints>> {
  if (ids.length === 0) return new Map();
  const read = (some: readonly string[]) => points(db).where(dialectOf(db).isOneOf('id', some)).execute();
  const all = await unlessDamaged(() => read(ids));
  const found = all ?? [];
  if (!all) for (const id of ids) found.push(...((await unlessDamaged(() => read([id]))) ?? []));
  return new Map(found.filter(isWhole).map(({ id, points }) => [id, new StoredPoints(points)]));
}

export type SeriesRow = Insertable<Tables['series']>;

export const seriesRow = (
  { points, rows, start, end, frequency }: PreparedSeries,
  {
    name,
    ...more
  }: Pick<SeriesRow, 'id' | 'dataset_id' | 'tenant' | 'own_id'> & { readonly name?: string | null | undefined },
): SeriesRow => ({
  ...more,
  name: name ?? null,
  rows,
  start_timestamp: start ?? null,
  end_timestamp: end ?? null,
  freq: frequency ?? null,
  points,
});

/** Rows of one statement, more of which gain nothing (measured on both databases); a large one goes alone. */
const statementsOf = (rows: readonly SeriesRow[]) => slicesOf(rows, 100, 1_000_000, ({ points }) => points.length);

export async function insertSeries(db: Db, rows: readonly SeriesRow[]): Promise<void> {
  for (const some of statementsOf(rows)) await db.insertInto('series').values(some).execute();
}
/** Deletes those of these series that belong to no dataset and no prediction. @param db a transaction */
export async function removeUnused(db: Db, ids: readonly (string | null | undefined)[]): Promise<void> {
  const known = ids.filter((id) => typeof id === 'string');
  if (known.length === 0) return;
  const areThese = dialectOf(db).isOneOf('id', known);
  if (dialectOf(db).locksRows) {
    // each a statement of its own: the next sees what those have committed that were waited for
    await sql`select 1 from series where ${areThese} and dataset_id is not null
      order by id for no key update`.execute(db);
    // who makes a prediction of one is waited for only here: others hold those of a dataset in another order
    await sql`select 1 from series where ${areThese} and dataset_id is null order by id for update`.execute(db);
  }
  await sql`delete from series where ${areThese} and dataset_id is null
    and not exists (select 1 from predictions where input_series_id = series.id)
    and not exists (select 1 from predictions where prediction_series_id = series.id)`.execute(db);
}

/** Waits for those who delete predictions of the series of a dataset. @returns the series that have no prediction any more */
export async function withoutPredictions(db: Db, datasetId: string): Promise<string[]> {
  if (!dialectOf(db).locksRows) return []; // nobody else writes, and these are deleted already
  await sql`select 1 from series where dataset_id = ${datasetId} order by id for no key update`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from series where dataset_id = ${datasetId}
    and not exists (select 1 from predictions where input_series_id = series.id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Has a program that deletes a dataset wait, and then see which of its series have no prediction any more. */
export async function keepDataset(db: Db, id: string): Promise<void> {
  if (dialectOf(db).locksRows) await sql`select 1 from datasets where id = ${id} for share`.execute(db);
}

export interface SeriesLine {
  /** Its number, from 1. */
  readonly line: number;
  /** The client's id of the series, unique in the dataset. */
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
  readonly unchanged: number;
  readonly refused: readonly LineFault[];
}

const nameOf = ({ line, id, key }: SeriesLine): string | null =>
  id !== undefined ? `=${id}` : key !== undefined ? `#${key} ${line}` : null;

/** Adds series to a dataset, in a transaction. A series under a known id stays as it is. @throws RequestError 404 */
export async function addLines(
  db: Db,
  { id: dataset_id, tenant }: { readonly id: string; readonly tenant: string },
  lines: readonly SeriesLine[],
  count: (db: Db, stored: number) => Promise<void>,
): Promise<AddedLines> {
  // others that add to it, or delete it, wait from here on; it is no longer what was stored as a whole, and in use
  const { rows: found } = await sql<Row<'datasets'>>`update datasets
    set digest = case when digest like '=%' then digest end,
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
    const insert = db.insertInto('series').values(some).returning('id');
    const inserted = await insert.onConflict((conflict) => conflict.doNothing()).execute();
    for (const { id } of inserted) isStored.add(id);
  }
  const [added, others] = [true, false].map((is) => given.filter(({ row }) => isStored.has(row.id) === is));
  await count(db, added.length);
  if (added.length > 0) {
    const [{ start_timestamp, end_timestamp }] = found;
    const before = { start: start_timestamp ?? undefined, end: end_timestamp ?? undefined };
    await addStats(
      db,
      dataset_id,
      added.map(({ series }) => series),
      before,
    );
  }
  const known = await knownAs(db, dataset_id, others);
  const isSame = ({ own_id, row }: (typeof given)[number]): boolean => {
    const there = known.get(own_id);
    return there !== undefined && there.name === row.name && identityOf(there.points) === identityOf(row.points);
  };
  const refused = others
    .filter((one) => !isSame(one))
    .map(({ line, id }) => ({ line, id, error: failure(id === undefined ? 'line_repeated' : 'line_id_taken') }));
  return { stored: added.length, unchanged: others.length - refused.length, refused };
}

async function knownAs(db: Db, datasetId: string, lines: readonly { readonly own_id: string | null }[]) {
  const ids = lines.map(({ own_id }) => own_id).filter((one) => one !== null);
  const known = db.selectFrom('series').select(['own_id', 'name', 'points']).where('dataset_id', '=', datasetId);
  const rows = await known.where(dialectOf(db).isOneOf('own_id', ids)).execute();
  return new Map(rows.map((row) => [row.own_id, row]));
}

/** Has a dataset say of itself what series that were added to it say. @param before its span, which nobody else changes */
export async function addStats(db: Db, id: string, added: readonly PreparedSeries[], before: Span = {}): Promise<void> {
  const { start = null, end = null } = spanOf([before, ...added]);
  const frequencies = new Set(added.map(({ frequency }) => frequency));
  const freq = frequencies.size === 1 ? (added[0].frequency ?? null) : null;
  const sumOf = (of: (one: PreparedSeries) => number) => added.reduce((sum, one) => sum + of(one), 0);
  await sql`update datasets set series_count = series_count + ${added.length},
      rows = rows + ${sumOf(({ rows }) => rows)}, bytes = bytes + ${sumOf(({ points }) => points.length)},
      start_timestamp = ${start}, end_timestamp = ${end}, complete = 1,
      freq = case when series_count = 0 or freq = ${freq} then cast(${freq} as text) end
    where id = ${id}`.execute(db);
}

/** Series that are read in one statement, and points that are read in one. */
const SERIES = 200;
const POINTS = 20_000;

/**
 * Lines of NDJSON, some at a time: the newest prediction of each series that has one, the newest series first. No more is
 * read than was taken; others get their turn in between, so that each series is as it is then. Series that are added
 * meanwhile are not among them.
 */
export async function* forecastsOf(db: Db, datasetId: string): AsyncGenerator<string> {
  for (let before = Number.MAX_SAFE_INTEGER; ; await nextTurn()) {
    const query = sql<ForecastRow>`select series.seq, series.id series_id, series.name, series.own_id, p.id, p.ai_model_id, p.status, p.error,
        p.prediction_series_id, (select rows from series where series.id = p.prediction_series_id) rows
      from series left join predictions p
        on p.seq = (select max(seq) from predictions where input_series_id = series.id)
      where series.dataset_id = ${datasetId} and series.seq < ${before}
      order by series.seq desc limit ${SERIES}`;
    const { rows } = await snapshot(db, (db) => query.execute(db));
    const made = rows.filter(({ id }) => id !== null);
    for (const some of slicesOf(made, SERIES, POINTS, ({ rows }) => rows ?? 0)) yield await linesOf(db, some);
    if (rows.length < SERIES) return;
    before = rows[rows.length - 1].seq;
  }
}

interface ForecastRow extends Pick<ListedRow, 'seq' | 'name' | 'own_id'> {
  readonly series_id: string;
  /** Of the prediction, where there is one. */
  readonly id: string | null;
  readonly ai_model_id: string | null;
  readonly status: string | null;
  readonly error: string | null;
  readonly prediction_series_id: string | null;
  readonly rows: number | null;
}

async function linesOf(all: Db, rows: readonly ForecastRow[]): Promise<string> {
  const ids = rows.map((row) => row.prediction_series_id).filter((id) => id !== null);
  const points = await snapshot(all, (db) => pointsOfAll(db, ids));
  let lines = '';
  for (const row of rows) {
    const { prediction_series_id: output } = row;
    const stored = await points
      .get(output ?? '')
      ?.text()
      .catch(() => undefined);
    const isDamaged = output !== null && stored === undefined;
    const line = JSON.stringify({
      id: ownIdOf(row) ?? row.series_id,
      ...pick(row, 'series_id', 'ai_model_id', 'status'),
      name: row.name ?? undefined,
      prediction_id: row.id,
      error: isDamaged ? new DamagedRowError().failure : json<Failure>(row.error),
    });
    lines += stored === undefined ? `${line}\n` : `${line.slice(0, -1)},"prediction_series":${stored}}\n`;
  }
  return lines;
}

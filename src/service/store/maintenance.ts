/** Deletes what is not to be kept any longer, and gives room back to the disk, a little at a time. */
import { unref } from '#platform/turn';
import { sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import type { Storage } from '../../contract/resources.ts';
import { orAborted } from '../../platform/pause.ts';
import type { Row } from '../database/repository.ts';
import { type Db, DEFAULT_TENANT, dialectOf, locking, type Store, transaction } from '../database/store.ts';
import { mayPass } from '../errors.ts';
import { Datasets, removeUnused } from './datasets.ts';
import type { Caller } from './keys.ts';

const DAY = 86_400_000;
/** What is not stored whole after these milliseconds is left by a program that ended in the middle. */
const LEFT = 3_600_000;
const SOON = 50; // between two slices of work, and between two checks whether there is any, in milliseconds
const LATER = 600_000;
/** Predictions that are deleted at a time; on one connection others wait meanwhile. */
const PREDICTIONS = { alone: 100, shared: 1_000 };

interface MaintenanceOptions {
  readonly store: Store;
  readonly keepDays?: number | undefined;
  readonly report: (error: unknown) => void;
}

export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;
  #keepDays: number;
  #next = new AbortController();

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.#keepDays = options.keepDays ?? 0;
    this.#done = this.#run();
  }

  keepFor(days: number): void {
    this.#keepDays = days;
    this.#next.abort();
  }

  /** How much is stored of a tenant; the bytes of all of it for an admin of the default one, who looks after the disk. */
  async storage({ tenant, scope }: Pick<Caller, 'tenant' | 'scope'>): Promise<Storage> {
    const { store } = this.#options;
    const isOperator = scope === 'admin' && tenant === DEFAULT_TENANT;
    const stored = sql`(select cast(coalesce(sum(octet_length(points)), 0) as bigint) from series where tenant = ${tenant})`;
    const { rows } = await sql<{ predictions: number; datasets: number; bytes: number }>`select
      (select count(*) from predictions where tenant = ${tenant}) predictions,
      (select count(*) from datasets where complete = 1 and tenant = ${tenant}) datasets,
      ${isOperator ? sql`0` : stored} bytes`.execute(store.in(tenant));
    const size = isOperator ? await store.size() : { free_bytes: 0 };
    return { ...rows[0], ...size, keep_days: this.#keepDays || undefined };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    for (let isMore = true; !this.#closing.signal.aborted;) {
      const rest = new Promise((resolve) => unref(setTimeout(resolve, isMore ? SOON : LATER)));
      await orAborted(rest, AbortSignal.any([this.#closing.signal, this.#next.signal])).catch(() => undefined);
      if (this.#closing.signal.aborted) return;
      this.#next = new AbortController();
      isMore = await this.#work(this.#keepDays).catch((error: unknown) => {
        if (!mayPass(error)) this.#options.report(error);
        return false;
      });
    }
  }

  async #work(days: number): Promise<boolean> {
    const { store } = this.#options;
    const { db } = store;
    const datasets = new Datasets(store);
    const most = dialectOf(db).locksRows ? PREDICTIONS.shared : PREDICTIONS.alone;
    const deleted = days > 0 ? await removeOld(db, Date.now() - days * DAY, most) : 0;
    await datasets.removeLeft(ago(LEFT));
    // predictions of batches that a program did not finish to store, and batches that no prediction is of any more
    await sql`delete from predictions where batch_id is not null and batch_id not in (select id from batches)
      and status = 'QUEUED' and created_at < ${ago(LEFT)}`.execute(db);
    await sql`delete from batches
      where not exists (select 1 from predictions where batch_id = batches.id)`.execute(db);
    await sql`delete from creations where created_at < ${ago(DAY)}`.execute(db);
    await sql`delete from usage where day < ${ago(30 * DAY).slice(0, 10)}`.execute(db);
    await sql`delete from requests where began < ${Date.now() - LEFT}`.execute(db);
    const isRemoved = await datasets.removeUnneeded(ago(LEFT));
    const isMore = await store.tidy(deleted < most && !isRemoved);
    return isMore || deleted === most || isRemoved;
  }
}

const ago = (milliseconds: number): string => isoInstant(Date.now() - milliseconds);

/** Deletes predictions that ended before a time, the oldest first, with their unused series. @returns how many */
export const removeOld = (all: Db, time: number, most: number): Promise<number> =>
  transaction(all, async (db) => {
    const { rows } = await sql<Row<'predictions'>>`with old as materialized (
        select seq from predictions where created_at < ${isoInstant(time)} and status in ('COMPLETED', 'FAILED')
        order by created_at limit ${most} ${locking(db, 'skip')})
      delete from predictions where seq in (select seq from old)
      returning input_series_id, prediction_series_id`.execute(db);
    const series = rows.flatMap((row) => [row.input_series_id, row.prediction_series_id]);
    await removeUnused(db, series);
    return rows.length;
  });

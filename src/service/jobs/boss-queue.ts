import { sql } from 'kysely';
import pg from 'pg';
import { fromKysely, type JobInsert, PgBoss } from 'pg-boss';
import { BusyError } from '../errors.ts';
import { type Line, MOST_WAITING, type NewJob, PRIORITY, type Turn } from '../store/jobs.ts';
import { forgetMade } from '../store/creations.ts';
import { onceUp } from '../database/starting.ts';
import { dialectOf } from '../database/dialect.ts';
import { type Db, transaction } from '../database/tables.ts';
import { mayPass, StoreError, storeTrouble } from '../database/trouble.ts';
import type { JobKind, Queue, Waiting, Write } from './queue.ts';

/** What a job carries: no values, only names. */
export interface BossJob {
  readonly kind: string;
  /** Of a dataset some hundred, so that a job takes a second or two. */
  readonly targets: readonly string[];
  /** Whether a program lost it before. */
  readonly isSuspect?: boolean;
}

/** Whose turn it is, each with a queue of its name. */
export const TURNS = Object.keys(PRIORITY) as readonly Turn[];
/** Series of one job of a dataset. */
const TOGETHER = 300;

/** How long jobs may run, in seconds. */
const HOUR = 3_600;
export const MOST: Readonly<Record<Turn, number>> = { forecast: HOUR, training: 23 * HOUR, dataset: HOUR };

const WITHOUT_END = 1_000_000_000;

/** A program that works on a job says so at least so often; else it is taken for dead. In seconds. */
const LEASE = 10;
/** How often is looked for the dead, in seconds. */
const LOOK = 5;

/** How long a connection is waited for, in milliseconds. */
const PATIENCE = 10_000;

/** How long other programs that make the queues, or bring them to a new version, are waited for, in milliseconds. */
const MAKING = 600_000;

/** Before it is looked again whether a job has ended, in milliseconds: soon at first. */
const SOON = 10;
const LATE = 250;
/** Each time so much longer, so that who waits is told within a fifth of the time that it took. */
const LONGER = 1.2;

/**
 * Opens the queues of the database, which are made where they are missing, by one program at a time.
 * @param hears whether it is told of new jobs, on a connection of its own. Where a pooler stands before the database it is
 * not, as in transaction mode what is told of comes to any of its connections; jobs are then looked for each second.
 * @param most how long another program that makes them is waited for, in milliseconds
 * @throws StoreError
 */
export async function openBoss(
  database: string,
  connections: number,
  report: (error: unknown) => void,
  hears = false,
  most = MAKING,
): Promise<PgBoss> {
  try {
    return await onceUp(() =>
      aloneIn(database, most, async (isPooled) => {
        const boss = new PgBoss({
          connectionString: database,
          max: connections,
          application_name: 'forecasts queue',
          useListenNotify: hears && !isPooled,
          superviseIntervalSeconds: LOOK,
          monitorIntervalSeconds: LOOK,
          schedule: false,
        });
        boss.on('error', (error) => {
          if (storeTrouble(error)?.status !== 503) report(error);
        });
        await boss.start();
        await makeQueues(boss).catch(async (error: unknown) => {
          await boss.stop({ graceful: false });
          throw error;
        });
        return boss;
      }),
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    throw new StoreError(`The queues in the database cannot be made or opened: ${reason}.`, { cause });
  }
}

async function makeQueues(boss: PgBoss): Promise<void> {
  const kept = { deleteAfterSeconds: HOUR, retentionSeconds: 365 * 24 * HOUR, notify: true };
  // what was merely lost is done again without end; who ended the programs that had it, workers find out
  const lasting = { ...kept, heartbeatSeconds: LEASE, retryLimit: WITHOUT_END, retryDelay: 0 };
  for (const turn of TURNS) {
    await boss.createQueue(turn, { ...lasting, expireInSeconds: MOST[turn] });
  }
}

/**
 * Does what no other program may do at the same time: pg-boss makes its schema before it takes a lock.
 * @param most how long whoever does it is waited for, in milliseconds
 * @param work is told whether a pooler stands before the database: it numbers connections by itself
 */
async function aloneIn<T>(database: string, most: number, work: (isPooled: boolean) => Promise<T>): Promise<T> {
  const client: pg.Client & { readonly processID?: number } = new pg.Client({
    connectionString: database,
    application_name: 'forecasts queue',
    connectionTimeoutMillis: PATIENCE,
  });
  client.on('error', () => undefined); // its next statement tells
  try {
    await client.connect();
    // for the transaction, as a pooler may give the next one another session; asked again and again, as whoever waits in
    // the database takes one of the pooler's connections to it
    for (const until = performance.now() + most; ;) {
      await client.query('begin');
      const { rows } = await client.query<{ pid: number; mine: boolean }>(
        "select pg_backend_pid() pid, pg_try_advisory_xact_lock(hashtext('time-series-forecasts queues')) mine",
      );
      if (rows[0].mine) {
        const done = await work(rows[0].pid !== client.processID);
        await client.query('commit');
        return done;
      }
      await client.query('rollback');
      if (performance.now() >= until) throw new Error(HELD);
      await new Promise((resolve) => setTimeout(resolve, LATE));
    }
  } finally {
    await client.end();
  }
}

/** Whether the queues are there and can be asked. Never rejects. */
export const answers = async (boss: PgBoss): Promise<boolean> =>
  (await boss.getQueue('forecast').catch(() => null)) !== null;

/** Jobs on PostgreSQL. Programs that answer add them, workers do them; what is stored of a resource says whether it is done. */
export class BossQueue implements Queue {
  readonly #boss: PgBoss;
  readonly #db: Db;
  readonly #kinds: Readonly<Record<string, JobKind>>;
  readonly #report: (error: unknown) => void;
  #isClosing = false;

  constructor(boss: PgBoss, db: Db, kinds: Readonly<Record<string, JobKind>>, report: (error: unknown) => void) {
    this.#boss = boss;
    this.#db = db;
    this.#kinds = kinds;
    this.#report = report;
  }

  async add(db: Db, { kind, target, ...line }: NewJob): Promise<void> {
    const { priority, jobs } = await placeIn(db, line);
    if (line.turn !== 'dataset' && jobs >= MOST_WAITING[line.turn]) throw full();
    const job: BossJob = { kind, targets: [target] };
    await this.#boss.send(line.turn, job, { db: fromKysely(db), priority, group: { id: line.space } });
  }

  async addAll(db: Db, kind: string, targets: readonly string[], line: Line): Promise<void> {
    const { priority: first } = await placeIn(db, line);
    const jobs: JobInsert<BossJob>[] = [];
    for (let from = 0; from < targets.length; from += TOGETHER) {
      const data: BossJob = { kind, targets: targets.slice(from, from + TOGETHER) };
      jobs.push({ data, priority: first - jobs.length, group: { id: line.space } });
    }
    if (jobs.length > 0) await this.#boss.insert(line.turn, jobs, { db: fromKysely(db) });
  }

  async checkRoom(db: Db, line: Line): Promise<void> {
    // a job of a dataset has many series
    const most = line.turn === 'dataset' ? MOST_WAITING.dataset / TOGETHER : MOST_WAITING[line.turn];
    if ((await placeIn(db, line)).jobs >= most) throw full();
  }

  wake(): void {
    // workers are told by the database
  }

  async ended(target: string, signal?: AbortSignal): Promise<void> {
    for (let rest = SOON; ; rest = Math.min(LATE, LONGER * rest)) {
      signal?.throwIfAborted();
      // connections may be few or gone for a while, which is no reason to give up what is being done
      const isStill = await isPending(this.#db, target).catch((error: unknown) => {
        if (!mayPass(error)) throw error;
        return true;
      });
      if (!isStill) return;
      if (this.#isClosing) await this.cancel(target, UNWANTED, (db) => forgetMade(db, target));
      else await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }

  async cancel(target: string, reason: string, also?: Write): Promise<void> {
    const kind = target.startsWith('prediction_') ? 'prediction' : 'fine_tuned_model';
    await whilePending(this.#db, target, async (db) => {
      await this.#kinds[kind].fail(db, target, reason);
      await also?.(db);
    }).catch(this.#report);
  }

  /** A worker sees by itself that what its job is for is not there any more. */
  forget(): Promise<void> {
    return Promise.resolve();
  }

  async answers(): Promise<boolean> {
    return !this.#isClosing && (await answers(this.#boss));
  }

  async waiting(): Promise<readonly Waiting[]> {
    const { rows } = await sql<{ queue: string; jobs: number; age: number }>`
      select name as queue, count(*) as jobs, extract(epoch from now() - min(created_on))::double precision as age
      from pgboss.job where state < 'active' group by name`.execute(this.#db);
    return rows.flatMap(({ queue, ...waiting }) => {
      const turn = TURNS.find((one) => one === queue);
      return turn ? [{ turn, ...waiting }] : [];
    });
  }

  close(): Promise<void> {
    this.#isClosing = true;
    return this.#boss.stop({ graceful: false });
  }
}

/**
 * Jobs of a tenant that wait in a turn, and the priority of its next: behind them, and not before the first of any, as of fair
 * queueing (Demers, Keshav, Shenker 1989). So tenants take turns, however many jobs one of them has.
 */
async function placeIn(db: Db, { turn, space }: Line): Promise<{ jobs: number; priority: number }> {
  const { rows } = await sql<{ jobs: number; priority: number }>`
    select count(*) filter (where group_id = ${space}) as jobs,
      least(coalesce(min(priority) filter (where group_id = ${space}) - 1, 0), coalesce(max(priority), 0)) as priority
    from pgboss.job where name = ${turn} and state < 'active'`.execute(db);
  return rows[0];
}

const full = () => new BusyError('Too much waits to be computed already. Try again in a while.');

const HELD =
  'another program has been making them all the while, and may hang; end that one or its connection to the database, and start again';

const UNWANTED = 'The service ended before it was done, and nobody waits for it any more.';

/** What is stored of the resource of a job. */
export function pendingOf(target: string) {
  if (target.startsWith('sums_')) return sql`select 1 from meta where name = ${target}`;
  const table = sql.table(target.startsWith('prediction_') ? 'predictions' : 'fine_tuned_models');
  return sql`select 1 from ${table} where id = ${target} and status in ('QUEUED', 'IN_PROGRESS')`;
}

export async function isPending(db: Db, target: string): Promise<boolean> {
  return (await pendingOf(target).execute(db)).rows.length > 0;
}

/** Those of these predictions that are still to be done. */
export async function pendingOfAll(db: Db, targets: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await pendingOfMany(db, targets).execute(db)).rows.map(({ id }) => id));
}

const pendingOfMany = (db: Db, targets: readonly string[]) =>
  sql<{ id: string }>`select id from predictions
    where ${dialectOf(db).isOneOf('id', targets)} and status in ('QUEUED', 'IN_PROGRESS')`;

/**
 * As {@link whilePending}, for those of these predictions that are to be done and that nobody else holds: who waits for
 * one while it holds others could wait for ever.
 * @returns which these were
 */
export function whileAllPending(
  db: Db,
  targets: readonly string[],
  write: (db: Db, targets: ReadonlySet<string>) => Promise<void>,
): Promise<ReadonlySet<string>> {
  return transaction(db, async (db) => {
    const { rows } = await sql<{ id: string }>`${pendingOfMany(db, targets)} for update skip locked`.execute(db);
    const pending = new Set(rows.map(({ id }) => id));
    await write(db, pending);
    return pending;
  });
}

/** Does `write` as one with the look whether the job is still to be done, which nobody else can end meanwhile. */
export function whilePending(db: Db, target: string, write: (db: Db) => Promise<void>): Promise<void> {
  return transaction(db, async (db) => {
    const { rows } = await sql`${pendingOf(target)} for update`.execute(db);
    if (rows.length > 0) await write(db);
  });
}

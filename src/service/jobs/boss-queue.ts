import { sql } from 'kysely';
import pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import { BusyError } from '../errors.ts';
import { MOST_WAITING, type Turn } from '../store/jobs.ts';
import { forgetMade } from '../store/creations.ts';
import { dialectOf } from '../database/dialect.ts';
import { type Db, transaction } from '../database/tables.ts';
import { StoreError, storeTrouble } from '../database/trouble.ts';
import type { JobKind, Queue, Waiting, Write } from './queue.ts';

/** What a job carries: no values, only names. */
export interface BossJob {
  readonly kind: string;
  /** Of a dataset some hundred, so that a job takes a second or two. */
  readonly targets: readonly string[];
}

/**
 * The queues of the database, by whose turn it is. Programs of other versions, and jobs that wait since, know them by these
 * names: the one of datasets has an older one than its turn.
 */
export const QUEUES: Readonly<Record<Turn, string>> = { forecast: 'forecast', training: 'training', dataset: 'panel' };
const TURNS = new Map(Object.entries(QUEUES).map(([turn, queue]) => [queue, turn as Turn]));
/** The queue of what was given up. */
export const GIVEN_UP = 'given-up';

/** Series of one job of a dataset. */
const TOGETHER = 300;

/** Times that a program may end while it has a job, before the job is given up. */
export const MOST_ENDS = 3;

/** How long jobs may run, in seconds. */
const HOUR = 3_600;
const MOST: Readonly<Record<Turn, number>> = { forecast: HOUR, training: 23 * HOUR, dataset: HOUR };

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
    return await aloneIn(database, most, async (isPooled) => {
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
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    throw new StoreError(`The queues in the database cannot be made or opened: ${reason}.`, { cause });
  }
}

async function makeQueues(boss: PgBoss): Promise<void> {
  const kept = { deleteAfterSeconds: HOUR, retentionSeconds: 365 * 24 * HOUR, notify: true };
  const lasting = { ...kept, heartbeatSeconds: LEASE, retryLimit: MOST_ENDS - 1, retryDelay: 0 };
  await boss.createQueue(GIVEN_UP, { ...kept, retryLimit: 100, retryBackoff: true });
  for (const turn of Object.keys(QUEUES) as Turn[]) {
    await boss.createQueue(QUEUES[turn], { ...lasting, expireInSeconds: MOST[turn], deadLetter: GIVEN_UP });
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
  (await boss.getQueue(QUEUES.forecast).catch(() => null)) !== null;

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

  async add(db: Db, kind: string, target: string, turn: Turn): Promise<void> {
    if (turn !== 'dataset') await this.checkRoom(db, turn);
    const job: BossJob = { kind, targets: [target] };
    await this.#boss.send(QUEUES[turn], job, { db: fromKysely(db) });
  }

  async addAll(db: Db, kind: string, targets: readonly string[], turn: Turn): Promise<void> {
    const jobs: { data: BossJob }[] = [];
    for (let from = 0; from < targets.length; from += TOGETHER) {
      jobs.push({ data: { kind, targets: targets.slice(from, from + TOGETHER) } });
    }
    if (jobs.length > 0) await this.#boss.insert(QUEUES[turn], jobs, { db: fromKysely(db) });
  }

  async checkRoom(db: Db, turn: Turn): Promise<void> {
    const most = MOST_WAITING[turn];
    const { rows } = await sql<{ n: number }>`select count(*) n from (
      select 1 from pgboss.job where name = ${QUEUES[turn]} and state < 'active' limit ${most}) counted`.execute(db);
    if (rows[0].n >= most) throw new BusyError('Too much waits to be computed already. Try again in a while.');
  }

  wake(): void {
    // workers are told by the database
  }

  async ended(target: string, signal?: AbortSignal): Promise<void> {
    for (let rest = SOON; ; rest = Math.min(LATE, LONGER * rest)) {
      signal?.throwIfAborted();
      if (!(await isPending(this.#db, target))) return;
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
      const turn = TURNS.get(queue);
      return turn ? [{ turn, ...waiting }] : [];
    });
  }

  close(): Promise<void> {
    this.#isClosing = true;
    return this.#boss.stop({ graceful: false });
  }
}

const HELD =
  'another program has been making them all the while, and may hang; end that one or its connection to the database, and start again';

const UNWANTED = 'The service ended before it was done, and nobody waits for it any more.';

/** What is stored of the resource of a job. */
function pendingOf(target: string) {
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

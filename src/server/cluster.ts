/** The service and its workers on PostgreSQL: as many of each as one likes, and nothing is kept in them. */
import pg from 'pg';
import { sql } from 'kysely';
import { Threads } from '../service/tasks/pool.ts';
import { type Engine, type Job, LANES, type Waiting } from '../service/jobs/engine.ts';
import { type Deaths, type JobWatch, MAX_SECONDS, Queue, Runner } from '../service/jobs/queue.ts';
import { CONNECT_TIMEOUT, onceUp, openPostgres, type PostgresOptions, unusable } from './postgres.ts';
import { eachInTurn, repositoriesOf, serviceOver } from '../service/host/service.ts';
import type { Readiness, Service, ServiceOptions } from '../service/host/service.ts';
import { fromKysely, type JobWithMetadata, PgBoss, type WipData } from 'pg-boss';
import type { Db } from '../service/database/store.ts';
import { storeTrouble } from '../service/errors.ts';

interface ClusterOptions extends Omit<ServiceOptions, 'folder'> {
  readonly database: string;
  readonly warn?: (sentence: string) => void;
}

interface WorkerOptions extends Pick<ClusterOptions, 'database' | 'computeScript' | 'report' | 'warn'> {
  readonly threads: number;
  readonly watch?: JobWatch;
}

/** Connections of a program: to the store, and to the queue besides the one that a worker listens on. */
const OF_SERVICE = { store: 10, queue: 2 };
const OF_WORKER = { store: 2, queue: 3 };

export async function openClusterService(options: ClusterOptions): Promise<Service> {
  const store = await openPostgres({ ...options, connections: OF_SERVICE.store });
  try {
    return await serviceOver(
      store,
      async ({ db }, _kinds, { report }) => {
        const boss = await openBoss({ database: options.database, connections: OF_SERVICE.queue, report });
        return new Queue(bossEngine(boss, db), db, report, false);
      },
      options,
    );
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens a worker, which does jobs until it is closed. @throws StoreError */
export async function openWorker(options: WorkerOptions) {
  const { threads, computeScript, report, watch } = options;
  const name = `forecasts ${crypto.randomUUID()}`;
  const store = await openPostgres({ ...options, connections: OF_WORKER.store + 2 * threads, name });
  const { db, hasRowSecurity: row_security } = store;
  const opened = [() => store.close()];
  const close = () => eachInTurn(opened.toReversed());
  try {
    const pool = new Threads(computeScript, threads);
    opened.push(() => pool.dispose());
    const boss = await openBoss({ ...options, connections: OF_WORKER.queue, listens: true });
    const queue = new Queue(bossEngine(boss, db), db, report, true);
    opened.push(() => queue.close());
    const { kinds } = repositoriesOf(store, pool);
    await new Runner({ queue, kinds, deaths: postgresDeaths(db, name), threads, watch }).start();
    return {
      look: async (): Promise<Readiness> => {
        await sql`select 1`.execute(db);
        return { store: true, queue: await queue.answers(), row_security };
      },
      close,
    };
  } catch (error) {
    await close().catch(report); // the error that led here is thrown
    throw error;
  }
}

const HOUR = 3_600;

/** A program that works on a job renews its lease at least so often; else it is taken for dead. In seconds. */
const LEASE = 10;
const CHECK = 5;

/** Jobs are asked for each few seconds; who has not been answered for so many milliseconds is stuck. */
const STUCK = 30_000;
const STOP_TIMEOUT = 5_000;

interface BossOptions extends Pick<PostgresOptions, 'database' | 'connections' | 'report'> {
  /** Whether it listens for new jobs, on a connection of its own; through a pooler they are looked for each second instead. */
  readonly listens?: boolean;
}

/** Opens the queues of the database, which pg-boss makes once, however many programs begin at a time. @throws StoreError */
export async function openBoss({ database, connections, report, listens = false }: BossOptions): Promise<PgBoss> {
  try {
    return await onceUp(async () => {
      const boss = new PgBoss({
        connectionString: database,
        max: connections,
        application_name: 'forecasts queue',
        useListenNotify: listens && !(await isPooled(database)),
        superviseIntervalSeconds: CHECK,
        monitorIntervalSeconds: CHECK,
        schedule: false,
      });
      boss.on('error', (error) => {
        if (storeTrouble(error)?.status !== 503) report(error);
      });
      // what was merely lost is done again without end; who ended the programs that had it, runners find out
      const lasting = { heartbeatSeconds: LEASE, retryLimit: 1_000_000_000, retryDelay: 0 };
      const kept = { ...lasting, deleteAfterSeconds: HOUR, retentionSeconds: 365 * 24 * HOUR, notify: true };
      try {
        await boss.start();
        for (const lane of LANES) await boss.createQueue(lane, { ...kept, expireInSeconds: MAX_SECONDS[lane] });
      } catch (error) {
        await boss.stop({ graceful: false });
        throw error;
      }
      return boss;
    });
  } catch (cause) {
    throw unusable('The queues in the database cannot be created or opened: ', cause, '.');
  }
}

/** Whether a pooler stands before the database, in whose transaction mode a notification comes to any of its connections. */
async function isPooled(database: string): Promise<boolean> {
  const client: pg.Client & { readonly processID?: number } = new pg.Client({
    connectionString: database,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  client.on('error', () => undefined); // its statement fails
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() pid');
    return rows[0].pid !== client.processID;
  } finally {
    await client.end();
  }
}

export function bossEngine(boss: PgBoss, db: Db): Engine {
  let asking = 0;
  return {
    add: async (db, { lane, tenant }, jobs, most) => {
      const { rows } = await sql<{ first: number; waiting: number }>`
        select least(coalesce(min(priority) filter (where group_id = ${tenant}) - 1, 0), coalesce(max(priority), 0)) as first,
          count(*) filter (where group_id = ${tenant}) as waiting
        from pgboss.job where name = ${lane} and state < 'active'`.execute(db);
      const [{ first, waiting }] = rows;
      if (waiting >= most) return false;
      const added = jobs.map((data, place) => ({ data, priority: first - place, group: { id: tenant } }));
      await boss.insert(lane, added, { db: fromKysely(db) });
      return true;
    },
    start: async (capacities, work) => {
      for (const lane of LANES) {
        const { most, ofOne } = capacities[lane];
        asking += most;
        const options = {
          localConcurrency: most,
          ...(ofOne < most ? { localGroupConcurrency: ofOne } : {}),
          pollingIntervalSeconds: 1,
          notifyPollingIntervalSeconds: 5,
          includeMetadata: true,
        } as const;
        await boss.work(lane, options, async ([one]: JobWithMetadata<Job>[]) => {
          const { data: job, groupId, retryCount, signal, priority } = one;
          const tenant = groupId ?? '';
          const left = await work({ job, lane, tenant, isLost: retryCount > 0, signal });
          const again = { priority: Math.max(1, priority), group: { id: tenant } };
          if (left.length > 0) await boss.send(lane, { ...job, targets: left }, again);
          // where there was a job there may be more, which are asked for at once; those without one are notified of each
          for (const { id, name, count } of boss.getWipData()) {
            if (name === lane && count > 0) boss.notifyWorker(id);
          }
        });
      }
    },
    answers: async () => {
      const queue = await boss.getQueue('forecast').catch(() => null);
      return queue !== null && areAtWork(boss.getWipData(), asking, Date.now());
    },
    waiting: async () => {
      const { rows } = await sql<Waiting>`
        select name as lane, count(*) as jobs, extract(epoch from now() - min(created_on))::double precision as age
        from pgboss.job where state < 'active' and name in (${sql.join([...LANES])}) group by name`.execute(db);
      return rows;
    },
    close: () => boss.stop({ graceful: asking > 0, timeout: STOP_TIMEOUT }),
  };
}

type Asking = Pick<WipData, 'state' | 'count' | 'createdOn' | 'lastFetchedOn' | 'lastErrorOn'>;

/** Whether all of these have jobs, or asked for some not long ago and were answered. @param count how many there should be */
export const areAtWork = (all: readonly Asking[], count: number, now: number): boolean =>
  all.length >= count &&
  all.every(
    ({ state, count: jobs, createdOn, lastFetchedOn, lastErrorOn }) =>
      state === 'active' &&
      (jobs > 0 || now - (lastFetchedOn ?? createdOn) < STUCK) &&
      (lastErrorOn ?? 0) <= (lastFetchedOn ?? createdOn),
  );

/** Which programs died over a job, by their connections; nobody where a pooler hides these, or the database restarted since. */
export const postgresDeaths = (db: Db, program: string): Deaths => ({
  program,
  of: async (target) => {
    const { rows } = await sql<{ n: number }>`select count(*) n from begun_jobs
      where target = ${target} and began > pg_postmaster_start_time()
      and not exists (select 1 from pg_stat_activity where application_name = program)`.execute(db);
    return rows[0].n;
  },
  begin: async (target) => {
    await sql`insert into begun_jobs (target, program) select ${target}, ${program}
      where exists (select 1 from pg_stat_activity where application_name = ${program})
      on conflict do nothing`.execute(db);
  },
});

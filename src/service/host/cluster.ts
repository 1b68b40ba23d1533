/** The service and its workers on PostgreSQL: as many of each as one likes, and nothing is kept in them. */
import { sql } from 'kysely';
import { BossQueue, openBoss } from '../jobs/boss-queue.ts';
import { BossWorker } from '../jobs/boss-worker.ts';
import { SMALL_YOUNG, Threads } from '../tasks/pool.ts';
import type { OnEnded } from '../jobs/watched.ts';
import type { Readiness } from '../server/front.ts';
import { openPostgres } from '../database/postgres-home.ts';
import { eachInTurn, type Service, type ServiceOptions, serviceOver } from './service.ts';
import { storedIn } from './stored.ts';

export interface ClusterOptions extends Omit<ServiceOptions, 'folder'> {
  /** Address of the database, as `postgres://user@host/name`. */
  readonly database: string;
  /** Told in a sentence of what is not as it should be. */
  readonly warn?: (sentence: string) => void;
}

export interface WorkerOptions extends Pick<ClusterOptions, 'database' | 'computeScript' | 'report' | 'warn'> {
  /** Series that are computed at a time. */
  readonly threads: number;
  /** Told of the ends of jobs. */
  readonly onEnded?: OnEnded;
  /** Told of jobs that are done again, by the names of their kinds: the program that had them does not renew them. */
  readonly onLost?: (kind: string) => void;
}

export interface Worker {
  /** Whether the store and the queue answer, and jobs are asked for. */
  look(): Promise<Readiness>;
  /** Ends within moments; what is not done goes back to the queue. */
  close(): Promise<void>;
}

/** What a thread may take, in MB. */
const MEMORY = 2048;

/** Connections of a program: to the store, and to the queue besides the one that a worker listens on. */
const OF_SERVICE = { store: 10, queue: 2 };
const OF_WORKER = { store: 2, queue: 3 };

/** Opens a service that answers, and leaves the jobs to workers. @throws StoreError */
export async function openClusterService({ database, warn, ...options }: ClusterOptions): Promise<Service> {
  const { report } = options;
  const home = await openPostgres({ database, connections: OF_SERVICE.store, report, warn });
  try {
    return await serviceOver(
      home,
      async ({ db }, { kinds }, { report }) =>
        new BossQueue(await openBoss(database, OF_SERVICE.queue, report), db, kinds, report),
      options,
    );
  } catch (error) {
    await home.close();
    throw error;
  }
}

/** Opens a worker, which does jobs until it is closed. @throws StoreError */
export async function openWorker({
  database,
  threads,
  computeScript,
  report,
  warn,
  onEnded,
  onLost,
}: WorkerOptions): Promise<Worker> {
  const name = `forecasts ${crypto.randomUUID()}`;
  const home = await openPostgres({ database, connections: OF_WORKER.store + 2 * threads, name, report, warn });
  const opened = [() => home.close()];
  const close = () => eachInTurn(opened.toReversed());
  try {
    const pool = new Threads(computeScript, threads, MEMORY, SMALL_YOUNG);
    opened.push(() => pool.dispose());
    const { kinds } = storedIn(home, pool, onEnded);
    const boss = await openBoss(database, OF_WORKER.queue, report, true);
    const worker = new BossWorker(boss, home.db, kinds, threads, report, { name, onLost });
    opened.push(() => worker.close());
    await worker.start();
    return {
      look: async () => {
        await sql`select 1`.execute(home.db);
        return { store: true, queue: await worker.isAtWork(), row_security: home.hasRowSecurity };
      },
      close,
    };
  } catch (error) {
    await close().catch(report); // why it could not be opened is told before
    throw error;
  }
}

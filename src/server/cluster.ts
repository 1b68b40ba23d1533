/** The service and its workers on PostgreSQL: as many of each as one likes, and nothing is kept in them. */
import { sql } from 'kysely';
import { BossEngine, openBoss, postgresDeaths } from './boss.ts';
import { Threads } from '../service/tasks/pool.ts';
import { Queue } from '../service/jobs/queue.ts';
import { type JobWatch, Runner } from '../service/jobs/runner.ts';
import { openPostgres } from './postgres.ts';
import {
  eachInTurn,
  type Readiness,
  repositoriesOf,
  type Service,
  type ServiceOptions,
  serviceOver,
} from '../service/host/service.ts';

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
        return new Queue(new BossEngine(boss, db), db, report, false);
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
    const queue = new Queue(new BossEngine(boss, db), db, report, true);
    opened.push(() => queue.close());
    const { kinds } = repositoriesOf(store, pool);
    await new Runner({ queue, kinds, deaths: postgresDeaths(db, name), threads, watch }).start();
    return {
      /** Whether the store and the queue answer, and jobs are asked for. */
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

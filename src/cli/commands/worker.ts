import { getPriority, setPriority } from 'node:os';
import type { Command } from 'commander';
import { openWorker } from '../../server/cluster.ts';
import { threadsHere } from '#platform/threads';
import { vitals } from '../../server/front.ts';
import { listen, ListenError } from '../../server/listen.ts';
import { LOG_LEVELS, newLog } from '../../server/log.ts';
import { Metrics } from '../../server/metrics.ts';
import { StoreError } from '../../service/database/trouble.ts';
import { computeScript, endBySignal, reportTo, watchJobs } from '../program.ts';
import { command, oneOf, type Read, text, whole } from './options.ts';

/** Added to its nice value: answers of a service and the database on the same machine do not wait for forecasts. */
const BEHIND = 5;
const LAST = 19;

const OPTIONS = {
  database: text('<address>', 'PostgreSQL database of the services, as postgres://user@host/name'),
  threads: whole('number of series computed in parallel', [1, 256], threadsHere(), 'one per core, up to 8'),
  port: whole('port for /health/live, /health/ready, and /metrics, which need no key', [0, 65535]),
  host: text('<address>', 'address of that port', '127.0.0.1'),
  logLevel: oneOf('<level>', 'lowest level of log entries', LOG_LEVELS, 'info'),
};

type Options = Omit<Read<typeof OPTIONS>, 'database'>;

export const workerCommand = (): Command =>
  command(
    'worker',
    'Computes forecasts and trainings for services that share a PostgreSQL database.',
    OPTIONS,
    async ({ database, ...options }, self) => {
      if (database === undefined) self.error('Specify the database: --database postgres://user@host/name');
      else await work(database, options);
    },
  );

async function work(database: string, { threads, port, host, logLevel }: Options): Promise<void> {
  const log = newLog(logLevel, (line) => process.stderr.write(line), []);
  const report = reportTo(log);
  const warn = (sentence: string) => {
    log.warn(sentence);
  };
  setPriority(Math.min(LAST, getPriority() + BEHIND));
  try {
    const metrics = new Metrics(async () => {
      await worker.look();
      return []; // services report the queue
    });
    const watch = watchJobs(log, metrics);
    const worker = await openWorker({ database, threads, computeScript: computeScript(), report, warn, watch });
    const answer = vitals({ metrics, log, ready: () => worker.look() });
    const listening = port === undefined ? undefined : await listen(answer, { port, host }, log);
    log.info({ threads, url: listening?.url }, 'working');
    endBySignal(async () => {
      log.info('ending');
      await Promise.all([listening?.close(0), worker.close()]);
    }, report);
  } catch (error) {
    if (!(error instanceof StoreError || error instanceof ListenError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

import { getPriority, setPriority } from 'node:os';
import type { Command } from 'commander';
import { openWorker } from '../../server/cluster.ts';
import { threadsHere } from '#platform/threads';
import { vitals } from '../../server/front.ts';
import { listen, ListenError } from '../../server/listen.ts';
import { LOG_LEVELS, type LogLevel, newLog } from '../../server/log.ts';
import { Metrics } from '../../server/metrics.ts';
import { StoreError } from '../../service/database/trouble.ts';
import { computeScript, endBySignal, reportTo, watchJobs } from '../program.ts';
import { command, option, wholeNumber } from './options.ts';

interface Options {
  readonly database?: string;
  readonly threads: number;
  readonly port?: number;
  readonly host: string;
  readonly logLevel: LogLevel;
}

/** Added to its nice value: answers of a service and the database on the same machine do not wait for forecasts. */
const BEHIND = 5;
const LAST = 19;

export function workerCommand(): Command {
  return command('worker', 'Computes forecasts and trainings for services that share a PostgreSQL database.')
    .addOption(option('--database <address>', 'PostgreSQL database of the services, as postgres://user@host/name'))
    .addOption(
      option('--threads <n>', 'number of series computed in parallel')
        .default(threadsHere(), 'one per core, up to 8')
        .argParser(wholeNumber(1, 256)),
    )
    .addOption(
      option('--port <n>', 'port for /health/live, /health/ready, and /metrics, which need no key').argParser(
        wholeNumber(0, 65535),
      ),
    )
    .addOption(option('--host <address>', 'address of that port').default('127.0.0.1'))
    .addOption(option('--log-level <level>', 'lowest level of log entries').default('info').choices(LOG_LEVELS))
    .action(async (options: Options, self: Command) => {
      if (options.database === undefined) self.error('Specify the database: --database postgres://user@host/name');
      else await work(options, options.database);
    });
}

async function work({ threads, port, host, logLevel }: Options, database: string): Promise<void> {
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

import type { Command } from 'commander';
import { openWorker } from '../../service/host/cluster.ts';
import { threadsHere } from '../../service/host/stored.ts';
import { LOG_LEVELS, type LogLevel, newLog } from '../../service/server/log.ts';
import { StoreError } from '../../service/store/trouble.ts';
import { endBySignal } from '../ending.ts';
import { reportTo } from '../report.ts';
import { computeScript } from '../scripts.ts';
import { command, option, wholeNumber } from './options.ts';

interface Options {
  readonly database?: string;
  readonly threads: number;
  readonly logLevel: LogLevel;
}

export function workerCommand(): Command {
  return command('worker', 'Computes forecasts and trainings for the services on a PostgreSQL.')
    .addOption(option('--database <address>', 'the PostgreSQL of the services, as postgres://user@host/name'))
    .addOption(
      option('--threads <n>', 'series that are computed at a time')
        .default(threadsHere(), 'one a core, at most 8')
        .argParser(wholeNumber(1, 256)),
    )
    .addOption(option('--log-level <level>', 'what of the log is written').default('info').choices(LOG_LEVELS))
    .action(async (options: Options, self: Command) => {
      if (options.database === undefined) self.error('Name the database: --database postgres://user@host/name');
      else await work(options, options.database);
    });
}

async function work({ threads, logLevel }: Options, database: string): Promise<void> {
  const log = newLog(logLevel, (line) => process.stderr.write(line), []);
  const report = reportTo(log);
  try {
    const worker = await openWorker({ database, threads, computeScript: computeScript(), report });
    log.info({ threads }, 'working');
    endBySignal(async () => {
      log.info('ending');
      await worker.close();
    }, report);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** All programs of the service: `forecasts serve`, `forecasts stream`, … `--help` prints their options. */
import { checkCommand } from './commands/check.ts';
import { group, versionOf } from './program.ts';
import { keysCommand, migrateCommand, serveCommand, workerCommand } from './commands/serve.ts';
import { streamCommand } from './commands/stream.ts';

await group('forecasts', 'Time series forecasts: a service for teams, and a command-line filter.', [
  serveCommand(),
  workerCommand(),
  migrateCommand(),
  keysCommand(),
  streamCommand(),
  checkCommand(),
])
  .version(versionOf(), '--version', 'print the version')
  .parseAsync();

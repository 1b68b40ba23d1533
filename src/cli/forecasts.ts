/** The command of the package for teams: `forecasts serve`, `forecasts stream`, … */
import { readFileSync } from 'node:fs';
import { checkCommand } from './commands/check.ts';
import { command } from './commands/options.ts';
import { serveCommand } from './commands/serve.ts';
import { keysCommand, migrateCommand } from './commands/store.ts';
import { streamCommand } from './commands/stream.ts';
import { workerCommand } from './commands/worker.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

await command('forecasts', 'Time series forecasts: a service for teams, and a command-line filter.')
  .version(version, '--version', 'print the version')
  .addCommand(serveCommand())
  .addCommand(workerCommand())
  .addCommand(migrateCommand())
  .addCommand(keysCommand())
  .addCommand(streamCommand())
  .addCommand(checkCommand())
  .parseAsync();

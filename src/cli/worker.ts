/** `npm run worker`: computes for the services on a PostgreSQL. `npm run worker -- --help` prints its options. */
import { workerCommand } from './commands/worker.ts';

await workerCommand().parseAsync();

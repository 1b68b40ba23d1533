/** `npm run serve`: the service alone. `npm run serve -- --help` prints its options. */
import { serveCommand } from './commands/serve.ts';

await serveCommand().parseAsync();

/** `npm run --silent stream`: forecasts as a filter; `-- --help` prints its options. */
import { streamCommand } from './commands/stream.ts';

await streamCommand().parseAsync();

/** `npm run check-service -- <base url>`, with the token in FORECASTS_TOKEN; `-- --help` prints its options. */
import { checkCommand } from './commands/check.ts';

await checkCommand().parseAsync();

/** `npm run package`: builds the extension and packages it as `time-series-forecasts.vsix`. */
import { buildExtension, packageExtension } from './build.ts';
import { end } from './processes.ts';
import { reason, say } from './say.ts';

async function main(): Promise<number> {
  await buildExtension();
  for (const size of await packageExtension()) say(size);
  return 0;
}

main().then(end, (error: unknown) => {
  say(reason(error));
  return end(1);
});

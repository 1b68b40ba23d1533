/**
 * `npm run check-service -- <base url> [--create [--model ID]] [--json]`, with the token in FORECASTS_TOKEN.
 * Each finding is printed as it comes, with `--json` to the standard error and one line of JSON at the end.
 * Exits with 0 where nothing was found that stands against using the service, with 2 for a wrong call.
 */
import { parseArgs } from 'node:util';
import { AddressError, parseBaseUrl } from '../client/address.ts';
import { checkService, verdictOf } from '../client/check.ts';
import { ServiceClient } from '../client/client.ts';

const USAGE = 'Usage: FORECASTS_TOKEN=… npm run check-service -- <base url> [--create [--model ID]] [--json]';

function wrongCall(message: string): never {
  console.error(`${message}\n${USAGE}`);
  process.exit(2);
}

function read() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { create: { type: 'boolean' }, model: { type: 'string' }, json: { type: 'boolean' } },
    });
    return { ...values, baseUrl: parseBaseUrl(positionals[0] ?? '') };
  } catch (error) {
    if (error instanceof AddressError || error instanceof TypeError) return wrongCall(error.message);
    throw error;
  }
}

const { baseUrl, create = false, model, json = false } = read();
const token = process.env.FORECASTS_TOKEN?.trim();
const client = new ServiceClient({ baseUrl, fetch, token: () => Promise.resolve(token), isAsync: true });
const say = json ? console.error : console.log;
say(`Service ${baseUrl.href}\n`);
const report = await checkService(client, {
  create,
  model,
  onProgress: (line) => {
    say(line);
  },
});
if (json) console.log(JSON.stringify(report));
else say(`\n${verdictOf(report).join('\n')}${create || !report.usable ? '' : '\n--create makes a small prediction.'}`);
process.exitCode = report.usable ? 0 : 1;

/**
 * `npm run check-service -- <base url> [--create] [--json]`, with the token in FORECASTS_TOKEN.
 * Exits with 0 only if all five operations of the interface can be used, with 2 for a wrong call.
 */
import { parseArgs } from 'node:util';
import { AddressError, parseBaseUrl } from '../client/address.ts';
import { checkService, reportText } from '../client/check.ts';
import { ServiceClient } from '../client/client.ts';

const USAGE = 'Usage: FORECASTS_TOKEN=… npm run check-service -- <base url> [--create] [--json]';

function baseUrlOf(text: string | undefined): URL {
  try {
    return parseBaseUrl(text ?? '');
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { create: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const baseUrl = baseUrlOf(positionals[0]);
const token = process.env.FORECASTS_TOKEN?.trim();
const client = new ServiceClient({ baseUrl, fetch, token: () => Promise.resolve(token) });
const report = await checkService(client, undefined, { create: values.create });
console.log(values.json ? JSON.stringify(report) : reportText(report));
process.exitCode = report.usable ? 0 : 1;

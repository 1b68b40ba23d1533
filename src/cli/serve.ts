/**
 * `npm run serve`: the local service alone, on a loopback port, for curl, notebooks and tests.
 *   --port N              default 8787; 0 takes a free one
 *   --data FOLDER         default .forecasts in this folder; `:memory:` keeps nothing
 *   --keep-days N         deletes predictions that ended N days ago; default 0: never
 *   --allow-host NAME     a further name that the service is called by; may be given several times
 *   --allow-origin URL    web pages of this origin may call it; may be given several times
 *   --repair              sets a damaged database aside and saves what can be read of it, then serves
 *   --json                prints one line {"url": …, "token": …}
 */
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { KeptService } from '../service/host/kept-service.ts';
import { tokenOf } from '../service/host/token-file.ts';
import { guard } from '../service/http/guard.ts';
import { newToken } from '../service/store/keys.ts';
import { type Repair, repairStore } from '../service/store/repair.ts';
import { StoreError } from '../service/store/trouble.ts';

/** A request whose head does not come is closed after these milliseconds, one whose body does not end after those. */
const HEAD = 20_000;
const BODY = 300_000;
/** How long answers under way may take once the service is told to end. */
const GRACE = 4_000;

const values = readArguments();
const port = wholeNumber('port', 65535);
const keepDays = wholeNumber('keep-days', 36500);
const folder = values.data === ':memory:' ? values.data : resolve(values.data);

try {
  await main();
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  const way = error.isDamaged ? ` Do that with: npm run serve -- --data ${values.data} --repair` : '';
  console.error(error.message + way);
  process.exit(1);
}

async function main(): Promise<void> {
  if (values.repair && folder !== ':memory:') console.error(saysOf(await repairStore(folder)));
  const token = folder === ':memory:' ? newToken() : tokenOf(folder);
  const service = new KeptService({
    folder,
    token,
    keepDays,
    computeScript: new URL('../service/jobs/pool-thread.ts', import.meta.url),
    report: (error) => {
      console.error(error);
    },
  });
  await service.open();
  const fetch = async (request: Request) => (await service.open()).fetch(request);
  const server = serve(
    {
      fetch: guard(fetch, { hosts: values['allow-host'], origins: values['allow-origin'] }),
      port,
      hostname: '127.0.0.1',
      serverOptions: { headersTimeout: HEAD, requestTimeout: BODY, connectionsCheckingInterval: 5_000 },
    },
    (address: AddressInfo) => {
      console.log(greeting(`http://127.0.0.1:${address.port}`, token));
    },
  );
  server.on('error', (error) => {
    console.error(`The service cannot listen on port ${port}: ${error.message}. Choose another with --port.`);
    process.exit(1);
  });
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    const closed = new Promise((resolve) => server.close(resolve));
    const graced = new Promise((resolve) => setTimeout(resolve, GRACE));
    void service
      .close()
      .then(() => Promise.race([closed, graced]))
      .finally(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  endWithParent(end);
}

/** Where the service was started by npm, which does not hand signals on through the shell, it ends with it. */
function endWithParent(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 500).unref();
}

function saysOf({ aside, tables }: Repair): string {
  if (aside === undefined) return 'There is no database to repair.';
  const counts = tables.map(({ name, saved, lost }) => `${name} ${saved}${lost > 0 ? ` (${lost} lost)` : ''}`);
  return `The database was set aside as ${aside}. Saved into a new one: ${counts.join(', ') || 'nothing'}.`;
}

/** The token is printed only where it is asked for, or to a terminal that a person looks at: other output is kept in logs. */
function greeting(url: string, token: string): string {
  if (values.json) return JSON.stringify({ url, token });
  const isSeen = process.stdout.isTTY || folder === ':memory:';
  const shown = isSeen ? `the token ${token}` : `the token in ${join(folder, 'token')}`;
  return `Serving ${url} with ${shown}\nEnd with Ctrl+C.`;
}

/** An option that is a whole number from 0; ends the program with a sentence where it is not. */
function wholeNumber(name: 'port' | 'keep-days', most: number): number {
  const text = values[name];
  if (/^\d{1,5}$/.test(text) && Number(text) <= most) return Number(text);
  console.error(`--${name} ${text}: this is a whole number from 0 to ${most}.`);
  process.exit(2);
}

/** The options of the command line; ends the program with a sentence where there is one that is not known. */
function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '8787' },
        data: { type: 'string', default: '.forecasts' },
        'keep-days': { type: 'string', default: '0' },
        'allow-host': { type: 'string', multiple: true, default: [] },
        'allow-origin': { type: 'string', multiple: true, default: [] },
        repair: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ', 1)[0] : String(error);
    console.error(
      `${reason}. Usage: npm run serve -- [--port N] [--data FOLDER] [--keep-days N] [--allow-host NAME] [--allow-origin URL] [--repair] [--json]`,
    );
    process.exit(2);
  }
}

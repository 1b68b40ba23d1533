/**
 * `npm run serve`: the local service alone, on a loopback port, for curl, notebooks and tests.
 *   --port N        default 8787; 0 takes a free one
 *   --data FOLDER   default .forecasts in this folder; `:memory:` keeps nothing
 *   --json          prints one line {"url": …, "token": …}
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { StoreError } from '../service/store/database.ts';
import { newToken } from '../service/store/keys.ts';
import { openService } from '../service/host/service.ts';

const values = readArguments();
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error(`--port ${values.port}: a port is a whole number from 0 to 65535.`);
  process.exit(2);
}
const folder = values.data === ':memory:' ? values.data : resolve(values.data);
const token = hostToken(folder);
const service = await openService({
  folder,
  token,
  computeScript: new URL('../service/jobs/pool-thread.ts', import.meta.url),
  report: (error) => {
    console.error(error);
  },
}).catch((error: unknown) => {
  if (!(error instanceof StoreError)) throw error;
  console.error(error.message);
  process.exit(1);
});
const server = serve({ fetch: service.fetch, port, hostname: '127.0.0.1' }, (address: AddressInfo) => {
  const url = `http://127.0.0.1:${address.port}`;
  console.log(
    values.json ? JSON.stringify({ url, token }) : `Serving ${url} with the token ${token}\nEnd with Ctrl+C.`,
  );
});
server.on('error', (error) => {
  console.error(`The service cannot listen on port ${port}: ${error.message}. Choose another with --port.`);
  process.exit(1);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    void service.close().then(() => process.exit(0));
  });
}

/** The options of the command line; ends the program with a sentence where there is one that is not known. */
function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '8787' },
        data: { type: 'string', default: '.forecasts' },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ', 1)[0] : String(error);
    console.error(`${reason}. Usage: npm run serve -- [--port N] [--data FOLDER] [--json]`);
    process.exit(2);
  }
}

/** The token of an earlier run with the same data, or a new one. Only this user may read its file. */
function hostToken(folder: string): string {
  if (folder === ':memory:') return newToken();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    const token = newToken();
    writeFileSync(file, token, { mode: 0o600 });
    return token;
  }
}

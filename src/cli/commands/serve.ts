import { threadsHere } from '#platform/threads';
import { getPriority, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { openBoss, openClusterService, openWorker } from '../../server/cluster.ts';
import { KeptService } from '../../service/host/service.ts';
import { tokenOf } from '../../service/host/token-file.ts';
import type { Watch } from '../../service/http/routes.ts';
import { front, isLoopback, vitals } from '../../server/front.ts';
import { listen, ListenError } from '../../server/listen.ts';
import { type Log, LOG_LEVELS, newLog } from '../../server/log.ts';
import { Metrics } from '../../server/metrics.ts';
import { isToken, newToken } from '../../service/store/token.ts';
import { mayPass, RequestError, StoreError, storeTrouble } from '../../service/errors.ts';
import { command, computeScript, endBySignal, flag, group, list, oneOf, type Read, report, text } from '../program.ts';
import { whole } from '../program.ts';
import { failure } from '../../contract/failures.ts';
import { KEY_SCOPES } from '../../contract/resources.ts';
import { printable } from '../../contract/texts.ts';
import { openDatabase, type Repair, repairStore, sqliteStore } from '../../service/database/sqlite.ts';
import { DEFAULT_TENANT, type Store } from '../../service/database/store.ts';
import { Keys } from '../../service/store/keys.ts';
import { openPostgres } from '../../server/postgres.ts';

const OF_STORE = {
  data: text('<folder>', 'folder of the store in SQLite; a service with `:memory:` stores nothing', '.forecasts'),
  database: text(
    '<address>',
    'PostgreSQL database that services and their workers share, as postgres://user@host/name; the token comes from FORECASTS_TOKEN or from the folder, as without a database',
  ),
};
type StoreOptions = Read<typeof OF_STORE>;

/** Works on a store, which is made or migrated where it has to be, while others may use it; ends with 1 and a sentence. */
async function withStore({ data, database }: StoreOptions, work: (store: Store) => Promise<void>): Promise<void> {
  try {
    const store =
      database === undefined
        ? sqliteStore(await openDatabase(resolve(data)))
        : await openPostgres({ database, connections: 1, report, warn: console.error });
    try {
      await work(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError || error instanceof RequestError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

const withKeys = (options: StoreOptions, work: (keys: Keys) => Promise<void>): Promise<void> =>
  withStore(options, async (store) => work(await Keys.open(store, givenToken() ?? tokenOf(resolve(options.data)))));

/** The token that the environment gives, whatever the store is. @throws StoreError where it is none */
function givenToken(): string | undefined {
  const token = process.env.FORECASTS_TOKEN?.trim();
  if (token === undefined || token === '') return undefined;
  if (isToken(token)) return token;
  throw new StoreError(
    failure('other', 'FORECASTS_TOKEN is not valid. A token has 20 to 200 characters and no spaces.'),
  );
}

/** A service and a worker also migrate when they start; this is for roles with separate rights. */
export const migrateCommand = (): Command =>
  command(
    'migrate',
    'Creates the tables of a store, or updates those of an older version.',
    OF_STORE,
    ({ database, data }) =>
      withStore({ database, data }, async () => {
        if (database !== undefined) await (await openBoss({ database, connections: 1, report })).stop();
        console.log('The store is up to date.');
      }),
  );

const OF_KEY = {
  name: text('<text>', 'name of the key'),
  scope: oneOf('<scope>', 'what the key may do', KEY_SCOPES, 'write'),
  tenant: text('<name>', 'tenant of the key; a new name creates a new tenant', DEFAULT_TENANT),
  expiresInDays: whole('days after which the key expires', [1, 3650]),
  requestsPerMinute: whole('maximum number of requests per minute', [1, 1_000_000]),
  seriesPerDay: whole('maximum number of series to forecast per day', [1, 999_999_999]),
};

/** Keys made by a program that may open the store: the only way to one of another tenant. */
export const keysCommand = (): Command =>
  group('keys', 'Creates, lists, and revokes the API keys of a service.', [
    command('create', 'Creates a key and prints its secret.', { ...OF_STORE, ...OF_KEY }, (options) =>
      withKeys(options, async (keys) => {
        const { name, scope, tenant } = options;
        const { secret } = await keys.create({
          ...{ name, scope, tenant },
          expires_in_days: options.expiresInDays,
          requests_per_minute: options.requestsPerMinute,
          series_per_day: options.seriesPerDay,
        });
        console.log(secret);
      }),
    ),
    command(
      'list',
      'Prints the keys of all tenants without their secrets, newest first, as one JSON object per line.',
      OF_STORE,
      (options) => withKeys(options, listKeys),
    ),
    command('revoke', 'Deletes a key, which is then rejected everywhere.', OF_STORE, (options, self) =>
      withKeys(options, (keys) => keys.remove(self.args[0]!)),
    ).argument('<id>', 'ID of the key'),
  ]);

const SIZE = 200;

async function listKeys(keys: Keys): Promise<void> {
  for (let cursor: string | undefined = 'a'; cursor !== undefined;) {
    const page = await keys.list({ cursor, size: SIZE });
    for (const { secret: _, ...key } of page.items) console.log(printable(JSON.stringify(key)));
    cursor = page.next_page;
  }
}

/** What a service and a worker tell of themselves. @param waiting the jobs that wait, as {@link Metrics} take them */
function watched(level: Options['logLevel'], secrets: string[], waiting: ConstructorParameters<typeof Metrics>[0]) {
  const log = newLog(level, (line) => process.stderr.write(line), secrets);
  const metrics = new Metrics(waiting);
  return {
    ...{ log, metrics },
    watch: {
      ended: (...job: Parameters<Metrics['ended']>) => metrics.ended(...job),
      lost: (kind: string) => log.warn({ kind }, 'a job lost its lease and is run again'),
    },
    warn: (text: string) => log.warn(text),
    report: (error: unknown) => {
      const trouble = storeTrouble(error);
      if (trouble && mayPass(error)) log.warn({ reason: trouble.failure.detail }, 'store');
      else log.error({ err: error }, 'defect');
    },
  };
}

async function orSay(work: Promise<void>, hint = ''): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StoreError || error instanceof ListenError)) throw error;
    console.error(error.message + (error instanceof StoreError && error.isDamaged ? hint : ''));
    process.exit(1);
  }
}

/** Milliseconds that open requests may take after a signal to stop. */
const GRACE = 4_000;

const OPTIONS = {
  port: whole('port to listen on; 0 chooses a free one', [0, 65535], 8787),
  host: text('<address>', 'address to listen on; 0.0.0.0 or :: for all networks', '127.0.0.1'),
  ...OF_STORE,
  keepDays: whole('days after which predictions are deleted; 0: never', [0, 36500], 0),
  allowHost: list('<name>', 'additional host name that requests may use'),
  corsOrigin: list('<url>', 'origin whose web pages may call the service; https://*.example.com for any name there'),
  tlsCert: text('<file>', 'TLS certificate in PEM; reloaded when it changes'),
  tlsKey: text('<file>', 'private key of the certificate'),
  trustProxy: flag('trust the X-Forwarded-… headers of one proxy in front of the service'),
  logLevel: oneOf('<level>', 'lowest level of log entries, which are written to standard error', LOG_LEVELS, 'info'),
  repair: flag('first repair a damaged store: keep it as a backup and copy everything readable'),
  json: flag('print one line {"url": …, "token": …}'),
};
type Options = Read<typeof OPTIONS>;

export const serveCommand = (): Command =>
  command(
    'serve',
    'Runs the service by itself, for curl, notebooks, tests, and teams.',
    OPTIONS,
    async (options, self) => {
      const wrong = faultOf(options);
      if (wrong !== undefined) self.error(wrong);
      await orSay(serve(options), ` To repair it, run: --data ${options.data} --repair`);
    },
  );

function faultOf({ corsOrigin, database, repair, tlsCert, tlsKey }: Options): string | undefined {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const hasSqlite = major > 22 || (major === 22 && minor >= 16);
  const wrong = corsOrigin.find((origin) => !isOrigin(origin));
  if (wrong !== undefined)
    return `--cors-origin ${wrong}: write origins as browsers do, such as https://notebooks.example.com.`;
  if (database === undefined && !hasSqlite)
    return `The SQLite store needs Node 22.16 or later; this is ${process.version}. Update Node.`;
  if (database !== undefined && repair)
    return '--repair works only for a store in a folder; PostgreSQL repairs itself.';
  return (tlsCert === undefined) === (tlsKey === undefined) ? undefined : 'Give both --tls-cert and --tls-key.';
}

/** Whether it is an origin as browsers write it; the first of at least three names may be any. */
function isOrigin(text: string): boolean {
  const one = text.replace(/\/\/\*(?=\.[^.]+\.)/, '//any');
  return URL.parse(one)?.origin === one && !one.includes('*');
}

async function serve(options: Options): Promise<void> {
  const { port, host, database, keepDays, tlsCert, tlsKey } = options;
  const folder = options.data === ':memory:' ? options.data : resolve(options.data);
  if (options.repair && folder !== ':memory:') console.error(saysOf(await repairStore(folder)));
  const given = givenToken();
  const token = given ?? (folder === ':memory:' ? newToken() : tokenOf(folder));
  const watching = watched(options.logLevel, [token], async () => (await service.open()).waiting());
  const { log, metrics, report, warn } = watching;
  const ids = new WeakMap<Request, string>();
  const watch: Watch = {
    ...watching.watch,
    audit: (request, write) => log.info({ audit: write, request: ids.get(request) }, 'write'),
  };
  const settings = { token, keepDays, computeScript: computeScript(), report, watch };
  const cluster = database && (await openClusterService({ ...settings, database, warn }));
  const service = cluster
    ? { open: () => Promise.resolve(cluster), close: () => cluster.close() }
    : new KeptService({ ...settings, folder });
  await service.open();
  const isOpen = !isLoopback(host);
  const answer = front(async (request) => (await service.open()).fetch(request), {
    log,
    metrics,
    ids,
    hosts: isOpen && options.allowHost.length === 0 ? 'any' : options.allowHost,
    origins: options.corsOrigin,
    trustsProxy: options.trustProxy === true,
    ready: async () => (await service.open()).look(),
    mayMeasure: async (given) => (await (await service.open()).caller(given))?.scope === 'admin',
  });
  const tls = tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined;
  const listening = await listen(answer, { port, host, tls }, log);
  if (isOpen) warnOf(log, options, listening.url);
  const place = given === undefined ? `in ${join(folder, 'token')}` : 'of FORECASTS_TOKEN';
  const isSeen = process.stdout.isTTY || folder === ':memory:';
  const secret = isSeen ? token : place;
  if (options.json) console.log(JSON.stringify({ url: listening.url, token }));
  else console.log(`Serving ${listening.url} with the token ${secret}\nPress Ctrl+C to stop.`);
  endBySignal(async () => {
    log.info('ending');
    // no more requests are accepted; clients that wait for a prediction are notified
    const closed = listening.close(GRACE);
    await service.close();
    await closed;
  }, report);
}

function warnOf(log: Log, { tlsCert, trustProxy, allowHost }: Options, url: string): void {
  const isPlain = tlsCert === undefined && !trustProxy;
  log.warn(
    { url, hosts: allowHost.length > 0 ? allowHost : 'any' },
    `Other machines can call this service.${isPlain ? ' Tokens and data are sent unencrypted. Use --tls-cert and --tls-key, or a TLS proxy with --trust-proxy.' : ''}`,
  );
}

function saysOf({ aside, tables }: Repair): string {
  if (aside === undefined) return 'There is no database to repair.';
  const counts = tables.map(({ name, saved, lost }) => `${name} ${saved}${lost > 0 ? ` (${lost} lost)` : ''}`);
  return `The damaged database is kept as ${aside}. Copied into a new one: ${counts.join(', ') || 'nothing'}.`;
}

const OF_WORKER = {
  database: text('<address>', 'PostgreSQL database of the services, as postgres://user@host/name'),
  threads: whole('number of series computed in parallel', [1, 256], threadsHere(), 'one per core, up to 8'),
  port: whole('port for /health/live, /health/ready, and /metrics, which need no key', [0, 65535]),
  host: text('<address>', 'address of that port', '127.0.0.1'),
  logLevel: oneOf('<level>', 'lowest level of log entries', LOG_LEVELS, 'info'),
};

export const workerCommand = (): Command =>
  command(
    'worker',
    'Computes forecasts and trainings for services that share a PostgreSQL database.',
    OF_WORKER,
    async (options, self) => {
      if (options.database === undefined) self.error('Specify the database: --database postgres://user@host/name');
      else await orSay(work({ ...options, database: options.database }));
    },
  );

async function work({ database, threads, port, host, logLevel }: Read<typeof OF_WORKER> & { database: string }) {
  const watching = watched(logLevel, [], async () => {
    await worker.look();
    return []; // services report the queue
  });
  const { log, metrics, report, warn, watch } = watching;
  // answers of a service and the database on the same machine do not wait for forecasts
  setPriority(Math.min(19, getPriority() + 5));
  const worker = await openWorker({ database, threads, computeScript: computeScript(), report, warn, watch });
  const answer = vitals({ metrics, log, ready: () => worker.look() });
  const listening = port === undefined ? undefined : await listen(answer, { port, host }, log);
  log.info({ threads, url: listening?.url }, 'working');
  endBySignal(async () => {
    log.info('ending');
    await Promise.all([listening?.close(0), worker.close()]);
  }, report);
}

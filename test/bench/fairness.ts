/**
 * `npm run --silent bench:fairness`: how long a tenant waits for a forecast of 36 points while another tenant's heavy ones
 * wait, and their trainings, on SQLite and on PostgreSQL with one worker.
 *
 *     npm run --silent bench:fairness [-- --heavy N] [--points N] [--asked N] [--trainings N] [--json]
 */
import { remove, temporary } from '../faults/served.ts';
import type { Store } from '../../src/service/database/store.ts';
import { openDatabase, sqliteStore } from '../../src/service/database/sqlite.ts';
import { openService, type Service } from '../../src/service/host/service.ts';
import { threadsHere } from '#platform/threads';
import { newToken } from '../../src/service/store/token.ts';
import { Keys } from '../../src/service/store/keys.ts';
import { openClusterService, openWorker } from '../../src/server/cluster.ts';
import { openPostgres } from '../../src/server/postgres.ts';
import { startPostgres } from '../harness/postgres.ts';
import { numberOf, readArguments } from './arguments.ts';

const { values: options } = readArguments({
  options: {
    heavy: { type: 'string', default: '1000' },
    points: { type: 'string', default: '3000' },
    asked: { type: 'string', default: '20' },
    trainings: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const heavy = numberOf(options.heavy, '--heavy');
const asked = numberOf(options.asked, '--asked');
const trainings = numberOf(options.trainings, '--trainings');
const threads = threadsHere();
const computeScript = new URL('../../src/service/tasks/pool-thread.ts', import.meta.url);
const report = console.error;

const seriesOf = (points: number, step: number) =>
  Array.from({ length: points }, (_, n) => ({
    timestamp: new Date(Date.UTC(2020, 0, 1) + n * step).toISOString(),
    value: 100 + 20 * Math.sin((n * Math.PI) / 12) + ((n * 7919) % 13),
  }));
const long = seriesOf(numberOf(options.points, '--points'), 3_600_000);
const short = seriesOf(36, 86_400_000);

/** In milliseconds, sorted. */
async function waits(service: Service, store: Store, token: string): Promise<readonly number[]> {
  const keys = await Keys.open(store, token);
  const secretOf = async (tenant: string) => String((await keys.create({ tenant, scope: 'write' })).secret);
  const [busy, other] = [await secretOf('busy'), await secretOf('other')];
  const send = async (path: string, body: object, secret: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    const url = `http://local${path}`;
    const response = await service.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { readonly status: string };
  };
  for (let n = 0; n < trainings; n++) await send('/fine_tuned_models', { input_config: { series: long } }, busy);
  for (let n = 0; n < heavy; n++) await send('/predictions', { series: long, is_async: true }, busy);
  const times: number[] = [];
  for (let n = 0; n < asked; n++) {
    const from = performance.now();
    const { status } = await send('/predictions', { series: short }, other);
    if (status !== 'COMPLETED') throw new Error(`The forecast of the other tenant ended ${status}.`);
    times.push(performance.now() - from);
  }
  const waiting = (await service.waiting()).reduce((sum, { jobs }) => sum + jobs, 0);
  if (waiting === 0) throw new Error('Nothing waited any more as the last was asked: choose more with --heavy.');
  return times.sort((a, b) => a - b);
}

async function onSqlite(): Promise<readonly number[]> {
  const [folder, token] = [temporary(), newToken()];
  const service = await openService({ folder, token, computeScript, report });
  const store = sqliteStore(await openDatabase(folder));
  try {
    return await waits(service, store, token);
  } finally {
    await store.close();
    await service.close();
    remove(folder);
  }
}

async function onPostgres(): Promise<readonly number[]> {
  const postgres = await startPostgres();
  const [database, token] = [await postgres.database(), newToken()];
  const service = await openClusterService({ database, token, computeScript, report });
  const worker = await openWorker({ database, threads, computeScript, report });
  const store = await openPostgres({ database, connections: 1, report });
  try {
    return await waits(service, store, token);
  } finally {
    await store.close();
    await Promise.all([service.close(), worker.close()]);
    await postgres.remove();
  }
}

for (const [name, measure] of [
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
] as const) {
  const times = await measure();
  const [median, most] = [times[Math.floor(times.length / 2)], times[times.length - 1]].map(Math.round);
  if (options.json) console.log(JSON.stringify({ name, heavy, threads, median, most }));
  else console.log(`${name}, ${threads} threads, ${heavy} heavy forecasts before it: median ${median} ms, at most ${most} ms`); // prettier-ignore
}

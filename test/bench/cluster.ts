/**
 * `npm run --silent bench:cluster`: monthly series of 60 points through the single process on SQLite, and through one
 * service on PostgreSQL with 1, 2 and 4 workers, all on this machine; reading meanwhile; and lists of many predictions.
 *
 *     npm run --silent bench:cluster [-- --series N] [--model ID] [--listed N] [--threads N] [--workers 1,2,4] [--json]
 *
 * A worker has as many threads as the single process, unless --threads says otherwise.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { remove, Served, temporary } from '../faults/served.ts';
import { threadsHere } from '../../src/service/host/stored.ts';
import { startPostgres } from '../harness/postgres.ts';
import { WorkerProgram } from '../harness/worker.ts';
import { mostMegabytes, postgresSeconds, processorSeconds } from './processes.ts';

const { values: options } = parseArgs({
  options: {
    series: { type: 'string', default: '100000' },
    model: { type: 'string', default: 'hybrid' },
    listed: { type: 'string', default: '1000000' },
    threads: { type: 'string', default: String(threadsHere()) },
    workers: { type: 'string', default: '1,2,4' },
    json: { type: 'boolean', default: false },
  },
});
const count = Number(options.series);
/** Series of one dataset: bodies of some megabytes, so that memory is what the work takes and not what was sent. */
const TOGETHER = 2_000;

interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

interface Run {
  readonly seriesPerSecond: number;
  /** To store the series, in seconds. */
  readonly storing: number;
  /** Most memory of each process, in MB. */
  readonly megabytes: Readonly<Record<string, number>>;
  /** Processor time of the database, of all that was taken; 0 to 1. */
  readonly databaseShare?: number;
  /** Of reading one prediction and a list of 20 while the forecasts are made, in milliseconds. */
  readonly reading: Latencies;
}

const say = (text: string): void => {
  if (!options.json) console.log(text);
};

const latencies = (all: readonly number[]): Latencies => {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1));
  return { p50: at(0.5), p99: at(0.99) };
};

function seriesOf(id: number) {
  const series = Array.from({ length: 60 }, (_, month) => {
    const noise = ((id * 7919 + month * 104_729) % 997) / 997;
    return {
      timestamp: new Date(Date.UTC(2019, month, 1)).toISOString(),
      value: Number((100 + (id % 50) + month * 0.3 + 12 * Math.sin((month * Math.PI) / 6) + 9 * noise).toFixed(2)),
    };
  });
  return { name: `s${id}`, series };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** @param programs whose memory and processor time are told. @param databaseSeconds processor time of the database so far */
async function run(
  served: Served,
  programs: Readonly<Record<string, number>>,
  databaseSeconds?: () => number,
): Promise<Run> {
  const datasets: string[] = [];
  const storing = await timed(async () => {
    for (let from = 0; from < count; from += TOGETHER) {
      const series = Array.from({ length: Math.min(TOGETHER, count - from) }, (_, i) => seriesOf(from + i));
      datasets.push((await served.call<{ id: string }>('POST', '/datasets', { series })).body.id);
    }
  });
  const pids = Object.values(programs);
  const ours = () => pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
  const [before, databaseBefore] = [ours(), databaseSeconds?.() ?? 0];
  const reads: number[] = [];
  const computing = await timed(async () => {
    let some = '';
    for (const id of datasets) {
      const { body } = await served.call<{ prediction_ids: string[] }>('POST', `/datasets/${id}/predictions`, {
        ai_model_id: options.model,
      });
      some = body.prediction_ids[0];
    }
    const pending = async (status: string) => {
      const query = `size=1&include_series=false&status=${status}`;
      return (await served.call<{ items: unknown[] }>('GET', `/predictions?${query}`)).body.items.length > 0;
    };
    while ((await pending('QUEUED')) || (await pending('IN_PROGRESS'))) {
      reads.push(await timed(() => served.call('GET', `/predictions/${some}`)));
      reads.push(await timed(() => served.call('GET', '/predictions?size=20&include_series=false')));
      await sleep(100);
    }
  });
  const [taken, databaseTaken] = [ours() - before, (databaseSeconds?.() ?? 0) - databaseBefore];
  const failed = await served.call<{ items: unknown[] }>('GET', '/predictions?size=1&status=FAILED');
  if (failed.body.items.length > 0) throw new Error(`A forecast has failed: ${JSON.stringify(failed.body.items[0])}`);
  return {
    seriesPerSecond: Number(((count / computing) * 1000).toFixed(1)),
    storing: Number((storing / 1000).toFixed(1)),
    megabytes: Object.fromEntries(
      Object.entries(programs).map(([name, pid]) => [name, Math.round(mostMegabytes(pid))]),
    ),
    ...(databaseSeconds && { databaseShare: Number((databaseTaken / (databaseTaken + taken)).toFixed(3)) }),
    reading: latencies(reads),
  };
}

const row = (name: string, { seriesPerSecond, storing, megabytes, databaseShare, reading }: Run): string =>
  [
    name.padEnd(12),
    `${seriesPerSecond} series/s`,
    `stored in ${storing} s`,
    `reading ${reading.p50} ms, p99 ${reading.p99} ms`,
    databaseShare === undefined ? '' : `database ${(100 * databaseShare).toFixed(0)} %`,
    Object.entries(megabytes)
      .map(([program, most]) => `${program} ${most} MB`)
      .join(', '),
  ].join('  ');

async function single(): Promise<Run> {
  const folder = temporary();
  const served = await Served.start(folder);
  try {
    return await run(served, { service: served.child.pid! });
  } finally {
    await served.end();
    remove(folder);
  }
}

async function cluster(size: number, listed: number): Promise<{ result: Run; list?: Latencies }> {
  const postgres = await startPostgres();
  const folder = temporary();
  const workers: WorkerProgram[] = [];
  try {
    const database = await postgres.database();
    const served = await Served.start(folder, { args: ['--database', database] });
    for (let n = 0; n < size; n++) workers.push(await WorkerProgram.start(database, Number(options.threads)));
    const programs = {
      service: served.child.pid!,
      ...Object.fromEntries(workers.map(({ child }, n) => [`worker ${n + 1}`, child.pid!])),
    };
    const result = await run(served, programs, () => postgresSeconds(postgres.folder));
    const list = listed > 0 ? await listOf(served, database, listed) : undefined;
    await served.end();
    return { result, ...(list && { list }) };
  } finally {
    for (const worker of workers) await worker.end();
    await postgres.remove();
    remove(folder);
  }
}

/** Latencies of lists where so many predictions are stored: their beginning, by status, and in their midst. */
async function listOf(served: Served, database: string, most: number): Promise<Latencies> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await client.query(`set forecasts.spaces = 'all'`);
    const columns = 'ai_model_id, status, name, input_series_id, prediction_series_id, options, details, created_at';
    const { rows } = await client.query<{ space: string }>(
      `select 'space' as space from information_schema.columns where table_name = 'predictions' and column_name = 'space'`,
    );
    const all = rows.length > 0 ? `${columns}, space` : columns;
    await client.query(
      `insert into predictions (id, ${all}) select 'prediction_listed' || n, ${all}
       from (select * from predictions where status = 'COMPLETED' limit 1) one, generate_series(1, $1) n`,
      [most],
    );
    await client.query('analyze');
  } finally {
    await client.end();
  }
  const times: number[] = [];
  let cursor = '';
  for (let n = 0; n < 100; n++) {
    for (const query of [`size=50${cursor}`, 'size=50', 'size=50&status=COMPLETED']) {
      const from = performance.now();
      const { body } = await served.call<{ next_page: string }>('GET', `/predictions?include_series=false&${query}`);
      times.push(performance.now() - from);
      if (query !== 'size=50') continue;
      cursor = `&cursor=${body.next_page}`;
    }
  }
  return latencies(times);
}

const alone = await single();
say(row('single', alone));
const workers: Record<string, Run & { readonly ofSingle: number }> = {};
let list: Latencies | undefined;
for (const size of options.workers.split(',').map(Number)) {
  const { result, list: found } = await cluster(size, list ? 0 : Number(options.listed));
  list ??= found;
  workers[size] = { ...result, ofSingle: Number((result.seriesPerSecond / alone.seriesPerSecond).toFixed(2)) };
  say(`${row(`${size} worker${size > 1 ? 's' : ''}`, result)}  ${workers[size].ofSingle} of the single process`);
}
if (list) say(`Lists of ${options.listed} predictions: ${list.p50} ms, p99 ${list.p99} ms`);
if (options.json) console.log(JSON.stringify({ series: count, model: options.model, single: alone, workers, list }));
process.exit(0);

/**
 * `npm run --silent bench:cluster`: monthly series of 60 points through the single process on SQLite, and through one
 * service on PostgreSQL with 1, 2 and 4 workers, all on this machine, as the package for teams runs them; reading meanwhile;
 * and lists of many predictions.
 *
 *     npm run --silent bench:cluster [-- --series N] [--model ID] [--listed N] [--threads N] [--workers 1,2,4]
 *                                    [--minutes N] [--json]
 *
 * A worker has as many threads as the single process, unless --threads says otherwise. What is not done when the minutes
 * are over is told with what was done until then; so is all that was measured before something failed.
 */
import path from 'node:path';
import { remove, Served, temporary } from '../faults/served.ts';
import { threadsHere } from '#platform/threads';
import { buildServer } from '../harness/package-server.ts';
import { startPostgres } from '../harness/postgres.ts';
import { WorkerProgram } from '../harness/worker.ts';
import { numberOf, readArguments } from './arguments.ts';
import { type Latencies, listsOf, type Run, run } from './cluster-run.ts';
import { postgresSeconds } from './processes.ts';

const { values: options } = readArguments({
  options: {
    series: { type: 'string', default: '100000' },
    model: { type: 'string', default: 'theta' },
    listed: { type: 'string', default: '1000000' },
    threads: { type: 'string', default: String(threadsHere()) },
    workers: { type: 'string', default: '1,2,4' },
    minutes: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
});
const series = numberOf(options.series, '--series');
const listed = numberOf(options.listed, '--listed');
const threads = numberOf(options.threads, '--threads');
const sizes = options.workers.split(',').map((text) => numberOf(text, '--workers'));
const end = performance.now() + numberOf(options.minutes, '--minutes') * 60_000;
/** Of the time that is left, what stays for the lists. */
const OF_LISTS = 45_000;

const say = (text: string): void => {
  if (!options.json) console.log(text);
};

/** When one of so many that are still to come is to have ended: each gets as much of what is left. */
const untilFor = (left: number): number => {
  const now = performance.now();
  return now + Math.max(10_000, (end - now - (list ? 0 : OF_LISTS)) / left);
};

const row = (name: string, { reading: { prediction, list }, singles, ...run }: Run): string =>
  [
    name.padEnd(9),
    `${run.seriesPerSecond} series/s${run.done < series ? ` (${run.done} in its time)` : ''}`,
    `stored ${run.storedPerSecond}/s`,
    run.readPerSecond === undefined ? '' : `read ${run.readPerSecond}/s`,
    `a prediction ${prediction.p50} ms, p99 ${prediction.p99}`,
    `a list ${list.p50} ms, p99 ${list.p99}`,
    `a single forecast ${singles.p50} ms, p99 ${singles.p99}`,
    run.databaseShare === undefined ? '' : `database ${(100 * run.databaseShare).toFixed(0)} %`,
    Object.entries(run.megabytes)
      .map(([program, most]) => `${program} ${most} MB`)
      .join(', '),
    ...(run.faults ?? []),
  ]
    .filter(Boolean)
    .join('; ');

async function single(program: string): Promise<Run> {
  const folder = temporary();
  const served = await Served.start(folder, { program: [program, 'serve'] });
  try {
    const programs = { service: served.child.pid! };
    return await run(served, { series, model: options.model, programs, until: untilFor(sizes.length + 1) });
  } finally {
    await served.end();
    remove(folder);
  }
}

/** @param left stages that are to come, this one among them. @param found is told of what is measured */
async function cluster(program: string, size: number, left: number, found: (run: Run) => void): Promise<void> {
  const until = untilFor(left);
  const postgres = await startPostgres();
  const folder = temporary();
  const workers: WorkerProgram[] = [];
  try {
    const database = await postgres.database();
    const served = await Served.start(folder, { args: ['--database', database], program: [program, 'serve'] });
    for (let n = 0; n < size; n++) {
      workers.push(await WorkerProgram.start(database, threads, [program, 'worker']));
    }
    const programs = {
      service: served.child.pid!,
      ...Object.fromEntries(workers.map(({ child }, n) => [`worker ${n + 1}`, child.pid!])),
    };
    const databaseSeconds = () => postgresSeconds(postgres.folder);
    found(await run(served, { series, model: options.model, programs, until, databaseSeconds }));
    if (!list && listed > 0) list = await listsOf(served, database, listed);
    await served.end();
  } finally {
    for (const worker of workers) await worker.end();
    await postgres.remove();
    remove(folder);
  }
}

let alone: Run | undefined;
const workers: Record<string, Run & { readonly ofSingle?: number }> = {};
let list: Record<string, Latencies> | undefined;
const failed: Record<string, string> = {};

/** What goes wrong is told at the end, after what was measured. */
async function stage(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    failed[name] = error instanceof Error ? error.message : String(error);
    say(`${name}: ${failed[name]}`);
  }
}

function finish(): never {
  if (options.json) {
    const asked = { series, model: options.model, threads, listed };
    console.log(JSON.stringify({ ...asked, single: alone, workers, list, failed }));
  }
  const isFaulty = [alone, ...Object.values(workers)].some((run) => run?.faults);
  process.exit(Object.keys(failed).length > 0 || isFaulty ? 1 : 0);
}
const endWith = (reason: string): never => {
  failed.all = reason;
  return finish();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => endWith('It was ended before it was done.'));
}
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error: unknown) => endWith(error instanceof Error ? error.message : String(error)));
}

await stage('build', async () => {
  const program = path.join((await buildServer()).folder, 'forecasts.mjs');
  await stage('single', async () => {
    alone = await single(program);
    say(row('single', alone));
  });
  for (const [index, size] of sizes.entries()) {
    const name = `${size} worker${size > 1 ? 's' : ''}`;
    await stage(name, async () => {
      await cluster(program, size, sizes.length - index, (run) => {
        const ofSingle = alone && Number((run.seriesPerSecond / alone.seriesPerSecond).toFixed(2));
        workers[size] = { ...run, ...(ofSingle !== undefined && { ofSingle }) };
        say(`${row(name, run)}${ofSingle === undefined ? '' : `; ${ofSingle} of the single process`}`);
      });
    });
  }
  for (const [kind, { p50, p99 }] of Object.entries(list ?? {})) {
    say(`A page of 50 of ${listed} predictions, ${kind}: ${p50} ms, p99 ${p99} ms`);
  }
});
finish();

/**
 * Speed of the default model, intervals included: forecasts per second by frequency on one core and on all, the cost as a
 * series grows from 100 to 100,000 points, and the peak memory.
 *
 *     npm run bench:speed [-- --model ID] [--seconds SECONDS_PER_LINE]
 */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { forecast } from '../../src/engine/forecast.ts';
import { baseModels } from '../../src/engine/models.ts';
import type { EngineInput } from '../../src/engine/types.ts';
import { numberOf, oneOf, readArguments } from './arguments.ts';

const { values: options } = readArguments({
  options: {
    model: { type: 'string', default: baseModels.find((model) => model.isDefault)!.id },
    seconds: { type: 'string', default: '1' },
  },
});
const modelId = options.model;
oneOf(
  baseModels.map(({ id }) => id),
  options.model,
  '--model',
);
const seconds = numberOf(options.seconds, '--seconds');
const levels = [0.025, 0.1, 0.9, 0.975];

interface Kind {
  readonly name: string;
  readonly points: number;
  readonly periods: readonly number[];
  readonly horizon: number;
}

const kinds: readonly Kind[] = [
  { name: 'yearly', points: 30, periods: [], horizon: 6 },
  { name: 'quarterly', points: 80, periods: [4], horizon: 8 },
  { name: 'monthly', points: 100, periods: [12], horizon: 18 },
  { name: 'monthly', points: 300, periods: [12], horizon: 24 },
  { name: 'weekly', points: 300, periods: [52.18], horizon: 13 },
  { name: 'daily', points: 1000, periods: [7, 365.25], horizon: 28 },
  { name: 'hourly', points: 1000, periods: [24, 168], horizon: 48 },
  { name: 'half-hourly', points: 2000, periods: [48, 336], horizon: 96 },
];
const lengths = [100, 300, 1000, 3000, 10_000, 30_000, 100_000];

if (isMainThread) {
  const cores = availableParallelism();
  print(['series', 'points', 'horizon', 'ms each', '1 core/s', `${String(cores)} cores/s`]);
  for (const kind of kinds) {
    const each = millisecondsOf(kind);
    const parallel = await perSecondOn(cores, kind);
    print([kind.name, kind.points, kind.horizon, each.toFixed(3), Math.round(1000 / each), Math.round(parallel)]);
  }

  console.log('\nOne series of growing length, monthly and hourly:');
  print(['points', 'monthly ms', 'hourly ms']);
  for (const points of lengths) {
    const costs = [
      { name: 'monthly', points, periods: [12], horizon: 18 },
      { name: 'hourly', points, periods: [24, 168], horizon: 48 },
    ].map((kind) => millisecondsOf(kind).toFixed(3));
    print([points, ...costs]);
  }
  console.log(`\nPeak memory of the process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`);
} else {
  parentPort!.postMessage(perSecond(workerData as Kind));
}

/** Processor time of one forecast on one core. */
function millisecondsOf(kind: Kind): number {
  const inputs = Array.from({ length: 8 }, (_, seed) => inputOf(kind, seed));
  for (const input of inputs) forecast(modelId, input);
  const started = process.cpuUsage();
  const end = performance.now() + 1000 * seconds;
  let count = 0;
  do forecast(modelId, inputs[count % inputs.length]);
  while (++count < 3 || performance.now() < end);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000 / count;
}

/** Forecasts of one thread in a second of the clock. */
function perSecond(kind: Kind): number {
  const inputs = Array.from({ length: 60 }, (_, seed) => inputOf(kind, seed));
  for (const input of inputs.slice(0, 8)) forecast(modelId, input);
  const started = performance.now();
  let count = 0;
  do forecast(modelId, inputs[count % inputs.length]);
  while (++count < 3 || performance.now() - started < 1000 * seconds);
  return (1000 * count) / (performance.now() - started);
}

/** The sum over threads that run at the same time. */
async function perSecondOn(threads: number, kind: Kind): Promise<number> {
  const counts = Array.from({ length: threads }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    new Worker(import.meta.filename, { workerData: kind, argv: process.argv.slice(2) })
      .once('message', resolve)
      .once('error', reject);
    return promise;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** A series with trend, seasons and noise; the same for the same seed. */
function inputOf({ points, periods, horizon }: Kind, seed: number): EngineInput {
  let state = seed + 1;
  const noise = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const values = Float64Array.from({ length: points }, (_, i) =>
    periods.reduce(
      (sum, period, k) => sum + (10 / (k + 1)) * Math.sin((2 * Math.PI * i) / period),
      100 + 0.01 * i + 8 * noise(),
    ),
  );
  return { values, periods, horizon, levels };
}

function print(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(12) : String(cell).padStart(12))).join(''));
}

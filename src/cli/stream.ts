/**
 * `npm run --silent stream`: series from standard input, one a line as JSON, to one forecast a line on standard output.
 *   --model ID     a base model; default hybrid
 *   --horizon N    steps ahead; default as the frequency suggests
 *   --levels LIST  quantile levels such as 0.1,0.5,0.9, or intervals in percent such as 80,95; `none` for the median alone
 *   --threads N    default: all cores
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { DEFAULT_QUANTILE_LEVELS } from '../contract/local.ts';
import { baseModels } from '../engine/models.ts';
import { Threads } from '../service/jobs/pool.ts';
import { forecastStream } from '../service/jobs/stream.ts';

const USAGE =
  'Usage: stream [--model ID] [--horizon N] [--levels 0.1,0.5,0.9 | 80,95 | none] [--threads N] < series.ndjson > forecasts.ndjson';
/** What a thread may take in MB: a series of a million points needs less. */
const MEMORY = 1024;
/** A series leaves nothing behind: more room for what is new would only be filled before it is emptied. */
const YOUNG = 16;
/** Threads beyond this only wait for memory. */
const MOST_THREADS = 256;

const { model, horizon, levels, threads: count } = readArguments();
const bundled = new URL('engine.cjs', import.meta.url);
const script = existsSync(bundled) ? bundled : new URL('../service/jobs/pool-thread.ts', import.meta.url);
const threads = new Threads(script, count, MEMORY, YOUNG);
const abort = new AbortController();

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // who reads has enough, as `head` has; anything else is told
  if (error.code !== 'EPIPE') console.error(`The forecasts cannot be written: ${error.message}`);
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
process.stdin.on('error', (error) => {
  console.error(`The series cannot be read: ${error.message}`);
  process.exit(1);
});

await forecastStream(
  threads,
  process.stdin as AsyncIterable<Uint8Array>,
  { model, horizon, levels },
  write,
  abort.signal,
);
await threads.dispose();

/** Done when the output has room again. */
function write(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** The options of the command line; ends the program with a sentence where there is one that is not known. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        model: { type: 'string', default: baseModels.find(({ isDefault }) => isDefault)!.id },
        horizon: { type: 'string' },
        levels: { type: 'string' },
        threads: { type: 'string', default: String(Math.min(MOST_THREADS, availableParallelism())) },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    if (!baseModels.some(({ id }) => id === values.model)) {
      throw new Error(`--model ${values.model}: there are ${baseModels.map(({ id }) => id).join(', ')}`);
    }
    return {
      model: values.model,
      horizon: values.horizon === undefined ? undefined : wholeNumber('horizon', values.horizon, 10_000),
      levels: values.levels === undefined ? DEFAULT_QUANTILE_LEVELS : levelsOf(values.levels),
      threads: wholeNumber('threads', values.threads, MOST_THREADS),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ', 1)[0] : String(error);
    console.error(`${reason}. ${USAGE}`);
    process.exit(2);
  }
}

function wholeNumber(name: string, text: string, most: number): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= most) return Number(text);
  throw new Error(`--${name} ${text}: this is a whole number from 1 to ${most}`);
}

/** Quantile levels, rising: those that are named, or the limits of intervals and the median between them. */
function levelsOf(text: string): number[] {
  if (text === 'none') return [];
  const numbers = text.split(',').map(Number);
  const areLevels = numbers.every((level) => level > 0 && level < 1);
  const arePercents = numbers.every((level) => level >= 1 && level < 100);
  if (!areLevels && !arePercents) {
    throw new Error(`--levels ${text}: these are levels within 0 and 1, or percents from 1 to below 100`);
  }
  const all = areLevels
    ? numbers
    : [0.5, ...numbers.flatMap((percent) => [(1 - percent / 100) / 2, (1 + percent / 100) / 2])];
  return [...new Set(all.map((level) => Number(level.toFixed(6))))].sort((a, b) => a - b);
}

import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { type Command, InvalidArgumentError } from 'commander';
import { DEFAULT_QUANTILE_LEVELS, withLimits } from '../../contract/resources.ts';
import { baseModels } from '../../engine/models.ts';
import { Threads } from '../../service/tasks/pool.ts';
import { forecastStream, type StreamSettings } from '../../service/tasks/stream.ts';
import { command, computeScript, oneOf, whole } from '../program.ts';

/** Of a thread, in MB: a series of a million points needs less. */
const MEMORY = 1024;
const MOST_THREADS = 256;
/** V8's own threads take a quarter of a second core. These hold for threads begun after them; other flags crash a running V8. */
const NO_HELPERS = ['--no-concurrent-recompilation', '--no-concurrent-array-buffer-sweeping'];

const MODELS = baseModels.map(({ id }) => id);
const CORES = Math.min(MOST_THREADS, availableParallelism());
const OPTIONS = {
  model: oneOf('<id>', 'base model', MODELS, baseModels.find(({ isDefault }) => isDefault)!.id),
  horizon: whole('steps ahead; default: what suits the frequency', [1, 10_000]),
  levels: {
    value: '<list>',
    about: 'quantile levels (0.1,0.5,0.9), intervals in percent (80,95), or none',
    parse: levelsOf,
    byDefault: [[...DEFAULT_QUANTILE_LEVELS], DEFAULT_QUANTILE_LEVELS.join(',')],
  } as const,
  threads: whole('number of threads; default: one per core', [1, MOST_THREADS], CORES),
};

export const streamCommand = (): Command =>
  command(
    'stream',
    'Reads series from standard input, one JSON object per line, and writes one forecast per line to standard output.',
    OPTIONS,
    stream,
  );

async function stream({ threads: count, ...settings }: StreamSettings & { readonly threads: number }): Promise<void> {
  for (const flag of NO_HELPERS) setFlagsFromString(flag);
  const threads = new Threads(computeScript(), count, MEMORY);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') console.error(`The forecasts cannot be written: ${error.message}`);
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  process.stdin.on('error', (error) => {
    console.error(`The series cannot be read: ${error.message}`);
    process.exit(1);
  });
  const input = process.stdin as AsyncIterable<Uint8Array>;
  await forecastStream(threads, input, settings, write);
  await threads.dispose();
}

const write = promisify((bytes: Uint8Array, done: (error?: Error | null) => void) => {
  process.stdout.write(bytes, done);
});

/** Quantile levels, rising: those that are named, or the limits of intervals and the median between them. */
function levelsOf(text: string): number[] {
  if (text === 'none') return [];
  const numbers = text.split(',').map(Number);
  const areLevels = numbers.every((level) => level > 0 && level < 1);
  const arePercents = numbers.every((level) => level >= 1 && level < 100);
  if (!areLevels && !arePercents) {
    throw new InvalidArgumentError('Expected quantile levels between 0 and 1, or percentages from 1 to below 100.');
  }
  return areLevels ? withLimits(numbers, []) : withLimits([0.5], numbers);
}

/**
 * Trains the neural base model and writes its weights into the engine.
 *
 *     npm run train:base -- --data FILE.json.gz [--without SOURCE,…] [--real SHARE] [--seed N] [--series N] [--out FILE]
 *         [--checkpoint FILE]
 *
 * --data is what `collect.py` wrote; without it, all windows are synthetic. --without leaves sources out, to be judged by.
 * With --out, the text goes to that file instead. With --checkpoint, the state is kept in that file after each chunk of
 * series, and a training that was stopped goes on from there, to the same weights. The model card,
 * media/models/neural.md, is kept by hand: a test holds its hash against the weights.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { decodeWeights, encodeWeights } from '../../../src/engine/neural/weights.ts';
import { numberOf, readArguments } from '../arguments.ts';
import { baseShape, pretrain, type Checkpoint } from './pretrain.ts';
import { RealWindows } from './real.ts';

const { values: options } = readArguments({
  options: {
    seed: { type: 'string', default: '1' },
    series: { type: 'string', default: '327680' },
    data: { type: 'string' },
    without: { type: 'string', default: '' },
    real: { type: 'string', default: '0.5' },
    out: { type: 'string' },
    checkpoint: { type: 'string' },
  },
});
const seed = numberOf(options.seed, '--seed');
const series = numberOf(options.series, '--series');
const target = new URL('../../../src/engine/neural/base-weights.ts', import.meta.url);

/** What is kept between two runs. */
interface Kept {
  readonly seed: number;
  readonly series: number;
  readonly seconds: number;
  readonly checkpoint: Checkpoint;
}

const real = options.data === undefined ? undefined : new RealWindows(options.data, options.without.split(','));
const share = numberOf(options.real, '--real');
const kept = readKept();
const parameters = pretrain({
  seed,
  series,
  real: real && { windows: real, share },
  resume: kept?.checkpoint,
  onChunk({ done, loss, parameters: current, checkpoint }) {
    if (options.out !== undefined) writeFileSync(options.out, encode(current));
    if (options.checkpoint !== undefined) keep(options.checkpoint, checkpoint);
    console.log(`${done} series, ${seconds().toFixed(0)} s of processor time, loss ${loss.toFixed(4)}`);
  },
});
const text = encode(parameters);
if (options.out === undefined) writeModule(text);
else writeFileSync(options.out, text);
console.log(`${text.length} characters, hash ${decodeWeights(text).hash}, ${seconds().toFixed(0)} s of processor time`);

function encode(current: Float32Array): string {
  return encodeWeights({ shape: baseShape, seed, series }, current);
}

/** Keeps the comment at the head of the module. */
function writeModule(encoded: string): void {
  const source = readFileSync(target, 'utf8');
  const head = source.slice(0, source.indexOf('export const'));
  writeFileSync(target, `${head}export const baseWeights =\n  '${encoded}';\n`);
}

function readKept(): Kept | undefined {
  if (options.checkpoint === undefined || !existsSync(options.checkpoint)) return undefined;
  const found = deserialize(readFileSync(options.checkpoint)) as Kept;
  if (found.seed === seed && found.series === series) return found;
  console.error(`${options.checkpoint} is of a training with seed ${found.seed} and ${found.series} series.`);
  process.exit(2);
}

function keep(file: string, checkpoint: Checkpoint): void {
  writeFileSync(`${file}.new`, serialize({ seed, series, seconds: seconds(), checkpoint } satisfies Kept));
  renameSync(`${file}.new`, file);
}

function seconds(): number {
  const { user, system } = process.cpuUsage();
  return (kept?.seconds ?? 0) + (user + system) / 1e6;
}

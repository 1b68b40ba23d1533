/**
 * Trains the neural base model and writes its weights into the engine.
 *
 *     npm run train:base -- --data FILE.json.gz [--without SOURCE,…] [--real SHARE] [--seed N] [--series N] [--out FILE]
 *         [--checkpoint FILE]
 *
 * --data is what `collect.py` wrote; without it, all windows are synthetic. --without leaves sources out, to be judged by.
 * The nets of the model are trained one after the other, with seeds N, N + 1, …, and their mean is written. With --out,
 * the text goes to that file instead. With --checkpoint, the state of each is kept in FILE.0, FILE.1, … after each chunk
 * of series, and a training that was stopped goes on from there, to the same weights. The model card,
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
let before = 0; // seconds of processor time of earlier runs
const nets = Array.from({ length: baseShape.nets }, (_, net) => {
  const file = options.checkpoint && `${options.checkpoint}.${net}`;
  const kept = readKept(file, seed + net);
  before += kept?.seconds ?? 0;
  const started = seconds();
  return pretrain({
    seed: seed + net,
    series,
    real: real && { windows: real, share },
    resume: kept?.checkpoint,
    onChunk({ done, loss, checkpoint }) {
      const own = (kept?.seconds ?? 0) + seconds() - started;
      if (file !== undefined) keep(file, { seed: seed + net, series, seconds: own, checkpoint });
      console.log(`net ${net}: ${done} series, ${own.toFixed(0)} s of processor time, loss ${loss.toFixed(4)}`);
    },
  });
});
const text = encodeWeights(
  { shape: baseShape, seed, series },
  Float32Array.from(nets.flatMap((net) => [...net])),
  true,
);
if (options.out === undefined) writeModule(text);
else writeFileSync(options.out, text);
console.log(
  `${text.length} characters, hash ${decodeWeights(text).hash}, ${(before + seconds()).toFixed(0)} s of processor time`,
);

/** Keeps the comment at the head of the module. */
function writeModule(encoded: string): void {
  const source = readFileSync(target, 'utf8');
  const head = source.slice(0, source.indexOf('export const'));
  writeFileSync(target, `${head}export const baseWeights =\n  '${encoded}';\n`);
}

function readKept(file: string | undefined, seed: number): Kept | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const found = deserialize(readFileSync(file)) as Kept;
  if (found.seed === seed && found.series === series) return found;
  console.error(`${file} is of a training with seed ${found.seed} and ${found.series} series.`);
  process.exit(2);
}

function keep(file: string, kept: Kept): void {
  writeFileSync(`${file}.new`, serialize(kept));
  renameSync(`${file}.new`, file);
}

function seconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

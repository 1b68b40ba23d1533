/**
 * Trains the neural base model on synthetic series and writes its weights into the engine.
 *
 *     npm run train:base -- [--seed N] [--series N] [--out FILE]
 *
 * With --out, the bytes go to that file instead. The model card, media/models/neural.md, is kept by hand: a test holds its
 * hash against the weights.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toBase64 } from '../../src/engine/neural/model.ts';
import { baseShape, pretrain } from '../../src/engine/neural/pretraining/pretrain.ts';
import { decodeWeights, encodeWeights } from '../../src/engine/neural/weights.ts';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    series: { type: 'string', default: '163840' },
    out: { type: 'string' },
  },
});
const seed = Number(options.seed);
const series = Number(options.series);
const target = new URL('../../src/engine/neural/base-weights.ts', import.meta.url);

let last = Date.now();
const parameters = pretrain({
  seed,
  series,
  onChunk({ done, loss, parameters: current }) {
    if (Date.now() - last < 20_000) return;
    last = Date.now();
    if (options.out !== undefined) writeFileSync(options.out, encode(current));
    console.log(`${done} series, ${seconds()} s of processor time, loss ${loss.toFixed(4)}`);
  },
});
const bytes = encode(parameters);
if (options.out === undefined) writeModule(bytes);
else writeFileSync(options.out, bytes);
console.log(`${bytes.length} bytes, hash ${decodeWeights(bytes).hash}, ${seconds()} s of processor time`);

function encode(current: Float32Array): Uint8Array {
  return encodeWeights({ shape: baseShape, seed, series }, current);
}

/** Keeps the comment at the head of the module. */
function writeModule(encoded: Uint8Array): void {
  const source = readFileSync(target, 'utf8');
  const head = source.slice(0, source.indexOf('export const'));
  writeFileSync(target, `${head}export const baseWeights =\n  '${toBase64(encoded)}';\n`);
}

function seconds(): string {
  const { user, system } = process.cpuUsage();
  return ((user + system) / 1e6).toFixed(0);
}

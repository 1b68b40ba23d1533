/**
 * Trains the neural base model on synthetic series and writes its weights.
 *
 *     npm run train:base -- [--seed N] [--series N] [--out FILE]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { baseShape, pretrain } from '../../src/engine/neural/pretrain.ts';
import { decodeWeights, encodeWeights } from '../../src/engine/neural/weights.ts';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    series: { type: 'string', default: '1000000' },
    out: { type: 'string', default: fileURLToPath(new URL('../../media/models/neural.bin', import.meta.url)) },
  },
});
const seed = Number(options.seed);
const series = Number(options.series);

mkdirSync(dirname(options.out), { recursive: true });
let last = Date.now();
const parameters = pretrain({
  seed,
  series,
  onChunk({ done, loss, parameters: current }) {
    if (Date.now() - last < 20_000) return;
    last = Date.now();
    write(current);
    console.log(`${done} series, ${seconds()} s of processor time, loss ${loss.toFixed(4)}`);
  },
});
const bytes = write(parameters);
console.log(`${bytes.length} bytes, hash ${decodeWeights(bytes).hash}, ${seconds()} s of processor time`);

function write(current: Float32Array): Uint8Array {
  const encoded = encodeWeights({ shape: baseShape, seed, series }, current);
  writeFileSync(options.out, encoded);
  return encoded;
}

function seconds(): string {
  const { user, system } = process.cpuUsage();
  return ((user + system) / 1e6).toFixed(0);
}

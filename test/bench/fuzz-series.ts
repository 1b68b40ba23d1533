import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mutations, violation } from '../unit/reading/mutate.ts';
import { numberOf, present, readArguments } from './arguments.ts';

/**
 * Random and mutated documents, each read once: `node test/bench/fuzz-series.ts [--runs 200000] [--seed 1] [--data FOLDER]`.
 * Seeds are the samples and any files of the folder. Prints what went wrong and how long the slowest read took; exits
 * with 1 if anything went wrong.
 */

const { values } = readArguments({
  options: {
    runs: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    data: { type: 'string' },
  },
});
/** Longer files are cut, so that many runs fit into minutes. */
const SEED_SIZE = 3000;

const samples = new URL('../../media/samples/', import.meta.url).pathname;
const files = [samples, ...(values.data === undefined ? [] : [present(values.data)])].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.(csv|tsv|txt|json|ndjson|jsonl)$/.test(name))
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)).subarray(0, SEED_SIZE) })),
);

let slowest = { ms: 0, name: '' };
let refused = 0;
let failures = 0;
const runs = numberOf(values.runs, '--runs');
const start = performance.now();
for (const { name, bytes, run } of mutations(files, runs, numberOf(values.seed, '--seed'))) {
  const before = performance.now();
  const outcome = violation(bytes, name);
  const ms = performance.now() - before;
  if (ms > slowest.ms) slowest = { ms, name: `${name}, run ${run}` };
  if (outcome === 'refused') refused++;
  else if (outcome !== 'read') {
    failures++;
    console.log(`run ${run}, ${name}: ${outcome}`);
    if (failures <= 3) console.log(JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 2000)));
  }
}
console.log(
  `${runs} documents in ${((performance.now() - start) / 1000).toFixed(0)} s: ${runs - refused - failures} read, ${refused} refused with a sentence, ${failures} failures; slowest ${slowest.ms.toFixed(0)} ms (${slowest.name})`,
);
if (failures > 0) process.exitCode = 1;

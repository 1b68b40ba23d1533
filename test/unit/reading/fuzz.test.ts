import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { mutations, violation } from './mutate.ts';

const samples = new URL('../../../media/samples/', import.meta.url);
const seeds = readdirSync(samples)
  .filter((name) => /\.(csv|json|ndjson)$/.test(name))
  .map((name) => ({ name, bytes: readFileSync(new URL(name, samples)).subarray(0, 1200) }));
const fine = ['read', 'refused'];

describe('readSeries of corrupted documents', () => {
  it('returns series or a message for every mutation of the samples', () => {
    for (const { name, bytes, run } of mutations(seeds, 600, 42)) {
      const outcome = violation(bytes, name);
      assert.ok(fine.includes(outcome), `run ${run}, ${name}: ${outcome}`);
    }
  });

  it('returns series or a message for random tables and texts', () => {
    const cell = fc.oneof(fc.string({ maxLength: 8 }), fc.integer().map(String), fc.double().map(String), fc.date({ noInvalidDate: true }).map((date) => date.toISOString())); // prettier-ignore
    const table = fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 12 });
    const document = fc.oneof(
      fc.tuple(table, fc.constantFrom(',', ';', '\t', ' ')).map(([rows, delimiter]) => rows.map((row) => row.join(delimiter)).join('\n')),
      fc.json(),
      fc.string({ unit: 'binary' }),
    ); // prettier-ignore
    fc.assert(
      fc.property(document, fc.constantFrom('a.csv', 'a.json', 'a.ndjson', 'a'), (text, name) => {
        const outcome = violation(new TextEncoder().encode(text), name);
        assert.ok(fine.includes(outcome), outcome);
      }),
      { numRuns: 1000 },
    );
  });
});

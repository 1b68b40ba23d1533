import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkTexts, readBody } from '../../../../src/service/tasks/bodies.ts';
import { bytes, fault } from '../jobs/refusals.ts';

describe('texts that a database cannot store', () => {
  it('are refused with their path, as values and as names', () => {
    for (const [value, loc] of [
      ['a\0', []],
      [['a', 'b\ud800'], [1]],
      [{ a: [{ b: '\udc00' }] }, ['a', 0, 'b']],
      [{ 'x\0': 1 }, ['x\0']],
    ] as const) {
      assert.deepEqual(fault(() => checkTexts(value, ['body'])).loc, ['body', ...loc]); // prettier-ignore
    }
    checkTexts({ 'ä😀': ['\\u0000', null, 1, true, '\u0001'] }, []);
  });

  it('never get into a request body, in any JSON notation', () => {
    const units = fc.array(fc.constantFrom(0, 0x41, 0x5c, 0x75, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000), { maxLength: 6 }); // prettier-ignore
    fc.assert(
      fc.property(units, (codes) => {
        const text = String.fromCharCode(...codes);
        const isUnfit = text.includes('\0') || !text.isWellFormed();
        const refused = () => readBody('createKey', [bytes(JSON.stringify({ tags: [text] }))]);
        if (isUnfit) assert.deepEqual(fault(refused).loc, ['body', 'tags', 0]);
        else assert.deepEqual(refused(), { tags: [text] });
      }),
      { numRuns: 300 },
    );
  });
});

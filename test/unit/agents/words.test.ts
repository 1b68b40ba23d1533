import assert from 'node:assert/strict';
import { nameOf, numberWriter, quoted } from '../../../src/agents/source.ts';

describe('numbers in an answer', () => {
  it('are numbers at any scale, and a dash if missing', () => {
    assert.equal(numberWriter(7)(0.0000012345), '0.0000012');
    assert.equal(numberWriter(2)(1.005), '1');
    assert.equal(numberWriter(1)(123456789012345680000), '123457000000000000000');
    assert.deepEqual([NaN, Infinity, -Infinity].map(numberWriter(1)), ['–', '–', '–']);
    assert.equal(numberWriter(0)(-0.4), '0', 'no zero below zero');
  });
});

describe('names in an answer', () => {
  it('are one line of 160 visible characters', () => {
    assert.equal(nameOf(' a\r\n\tb\u200bc\u202ed '), 'a b c d');
    assert.equal(nameOf('x'.repeat(161)), `${'x'.repeat(160)}…`);
    assert.equal(nameOf('x'.repeat(160)), 'x'.repeat(160));
  });

  it('are resolved from their escaped form', () => {
    const name = 'a"b\\c\n\u200b\u2028é';
    assert.equal(quoted(name), '"a\\"b\\\\c\\n\\u200b\\u2028é"');
    assert.equal(JSON.parse(quoted(name)), name);
  });
});

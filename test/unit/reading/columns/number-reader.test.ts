import assert from 'node:assert/strict';
import { NumberReader } from '../../../../src/reading/columns/column.ts';

const readerOf = (...cells: readonly (string | number)[]) => {
  const reader = new NumberReader();
  for (const cell of cells) reader.take(cell);
  return reader;
};
/** The decimal sign that a column has, how certain that is, and its numbers. */
const read = (...cells: readonly (string | number)[]) => {
  const reader = readerOf(...cells);
  const { decimal, evidence } = reader.verdict();
  return [decimal, evidence, [...reader.in(decimal).values]];
};

describe('number notation of a column', () => {
  it('has no decimal sign if all numbers are whole, and the sign that one cell decides', () => {
    assert.deepEqual(read('1', '-20', '300'), ['.', 'any', [1, -20, 300]]);
    assert.deepEqual(read('1', '2,5', '3'), [',', 'certain', [1, 2.5, 3]]);
    assert.deepEqual(read('1', '2.5', '1,234.5'), ['.', 'certain', [1, 2.5, 1234.5]]);
    assert.deepEqual(read('1.234.567,8', '1.000'), [',', 'certain', [1234567.8, 1000]]);
  });

  it('is undecided only if every cell may be a fraction or a thousands group', () => {
    assert.equal(read('1,234', '5,678')[1], 'open');
    assert.deepEqual(read('1,234', '1500'), [',', 'certain', [1.234, 1500]], 'thousands stand without a sign');
    assert.deepEqual(read('1,234', '15'), ['.', 'certain', [1234, 15]], 'small ones have no fraction');
    assert.deepEqual(read('$1,234', '$5,678'), ['.', 'certain', [1234, 5678]], 'money has no three decimals');
  });

  it('keeps rows aligned across missing and invalid cells', () => {
    const reader = readerOf('1,5', '', 'closed', 'NA', '2,5');
    const { values, bad } = reader.in(reader.verdict().decimal);
    assert.deepEqual([...values], [1.5, NaN, NaN, NaN, 2.5]);
    assert.deepEqual(bad, [{ row: 2, text: 'closed' }]);
    assert.equal(reader.parsed, 2);
  });

  it('rejects non-finite numbers in JSON, and knows whether all are whole', () => {
    const reader = readerOf(1, 2, 3);
    assert.equal(reader.whole, true);
    reader.take(Infinity);
    reader.take('2.5');
    assert.equal(reader.whole, false);
    assert.deepEqual(reader.in('.').bad, [{ row: 3, text: 'Infinity' }]);
  });

  it('distinguishes the thousands separator from the decimal separator', () => {
    assert.equal(readerOf('1,234.5', '2,000.5').in('.').group, ',');
    assert.equal(readerOf("1'234.5", '2.5').in('.').group, "'");
    assert.equal(readerOf('1.5', '2.5').in('.').group, undefined);
  });

  it('drops the notation that fails at every cell and keeps the other', () => {
    const cells = Array.from({ length: 200 }, (_, i) => `${i},5`);
    const [decimal, evidence, numbers] = read(...cells);
    assert.deepEqual([decimal, evidence, (numbers as number[]).length, (numbers as number[])[199]], [',', 'certain', 200, 199.5]); // prettier-ignore
  });
});

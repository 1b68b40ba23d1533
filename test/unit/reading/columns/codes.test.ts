import assert from 'node:assert/strict';
import { missingCode } from '../../../../src/reading/report/choices.ts';

/** A code twice among twenty values from 0 to 1.9, as a file of measurements has it. */
const found = (code: number, others = Array.from({ length: 20 }, (_, index) => index / 10)) =>
  missingCode(Float64Array.of(...others, code, code))?.code;

describe('sentinels of missing values', () => {
  it('are runs of two to six nines, at least three if positive, with up to four decimals', () => {
    for (const code of [-99, 999, -999, 9999, -9999, 99999, 999999, -999999, -99.9, 999.99, -9999.9999, -9.9, -9.9999])
      assert.equal(found(code), code, String(code));
    for (const value of [9, 99, -9, 90, 998, 9_999_999, 999.5, -99.98, 9.9, 99.9, 999.99999, -9.99999, 1e300])
      assert.equal(found(value), undefined, String(value));
  });

  it('are far from all other values and occur several times', () => {
    assert.equal(
      found(
        999,
        Array.from({ length: 20 }, (_, index) => 50 * index),
      ),
      undefined,
      'it may be one of them',
    );
    assert.equal(found(-99, [1, 2, 3]), undefined, 'of three values nobody can tell');
    assert.equal(
      found(-99, [...Array.from({ length: 20 }, (_, index) => index), 9999]),
      undefined,
      'of two codes either',
    );
  });

  it('are reported with their rows, apart from empty cells', () => {
    const values = Float64Array.from({ length: 30 }, (_, index) => (index === 7 || index === 9 ? -999 : index === 3 ? NaN : index / 10)); // prettier-ignore
    assert.deepEqual(missingCode(values), { code: -999, rows: [7, 9] });
    assert.equal(missingCode(new Float64Array()), undefined);
  });

  it('are found in a million numbers in linear time', () => {
    const values = Float64Array.from({ length: 1_000_000 }, (_, index) => 500 + (index % 997) / 7);
    const time = (work: () => void): number => {
      const start = performance.now();
      work();
      return performance.now() - start;
    };
    const written = time(() => {
      for (const value of values) String(value);
    });
    // the best of several: the machine may do something else meanwhile
    const took = Math.min(...[1, 2, 3].map(() => time(() => missingCode(values))));
    assert.ok(took < written, `${took.toFixed(0)} ms, where only writing them takes ${written.toFixed(0)} ms`);
  });
});

import assert from 'node:assert/strict';
import { geometricMeanOf, periodsOf, windowsOf } from '../../bench/rolling-windows.ts';

describe('windowsOf', () => {
  const row = (values: readonly (number | null)[], windows: number) => {
    return { id: 'a', group: '', freq: 'P1M', m: 2, h: 2, windows, values };
  };

  it('gives the last windows, oldest first, each with all points before it', () => {
    const windows = [...windowsOf(row([1, 2, 4, 6, 7, 8, 9, 10], 2))];
    assert.deepEqual(windows.map(({ origin, history, future, scale }) => [origin, history.length, [...future], scale]), [
      [4, 4, [7, 8], 3.5],
      [6, 6, [9, 10], 3],
    ]); // prettier-ignore
  });

  it('leaves out windows that cannot be scored', () => {
    assert.equal([...windowsOf(row([1, 2, 4, 6, null, null], 1))].length, 0, 'nothing came');
    assert.equal([...windowsOf(row([3, 3, 3, 3, 4, 5], 1))].length, 0, 'no scale');
    assert.equal([...windowsOf(row([1, 2, 3], 2))].length, 0, 'no history');
    assert.throws(() => periodsOf({ ...row([], 1), freq: 'soon' }), /not a duration/);
  });
});

describe('geometric mean over groups', () => {
  it('leaves out groups in which seasonal naive never errs', () => {
    assert.ok(Math.abs(geometricMeanOf([0.5, 2, 8]) - 2) < 1e-12);
    assert.ok(Math.abs(geometricMeanOf([0.5, 0 / 0, 2, 1 / 0]) - 1) < 1e-12);
  });
});

import assert from 'node:assert/strict';
import { describeWindow } from '../../../../src/engine/neural/features.ts';
import { together, trainingWindow } from '../../../../src/engine/neural/training.ts';
import { Series } from '../../../../src/engine/prepare/series.ts';
import { ahead, series, setOf, steps, values } from './small-set.ts';

describe('training window', () => {
  it('has the actual values at its steps, scaled', () => {
    const window = together(setOf([30]), steps);
    const { location, scale, reference } = describeWindow(series, ahead, 30);
    assert.deepEqual([...window.ahead], [1, 4, 2]);
    [30, 33, 31].forEach((index, i) => {
      const back = (location + scale * window.actual[i]) * series.unit;
      assert.ok(Math.abs(back - values[index]) < 1e-3, `${back} is not ${values[index]}`);
    });
    assert.equal(window.reference[0], Math.fround(reference));
  });

  it('does not depend on later values', () => {
    const later = new Series({ ...series, values: series.values.map((value, i) => (i < 25 ? value : 9 * value)) });
    const [plain, changed] = [series, later].map((one) =>
      together([trainingWindow(one, 25, ahead, one.values.subarray(25))], steps),
    );
    assert.deepEqual(changed.windows, plain.windows);
    assert.deepEqual(changed.candidates, plain.candidates);
    assert.notDeepEqual(changed.actual, plain.actual);
  });

  it('is copied into a batch unchanged, in the requested order', () => {
    const [first, , third] = setOf([20, 25, 30]);
    const [one, two, both] = [[first], [third], [third, first]].map((windows) => together(windows, steps));
    for (const part of ['windows', 'steps', 'candidates', 'errors', 'ahead', 'actual', 'reference'] as const) {
      assert.deepEqual([...both[part]], [...two[part], ...one[part]], part);
    }
    const { window, steps: read, candidates, errors } = describeWindow(series, ahead, 20);
    assert.deepEqual([one.windows, one.steps, one.candidates, one.errors], [window, read, candidates, errors]);
  });
});

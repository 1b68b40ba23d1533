import assert from 'node:assert/strict';
import { describeWindow } from '../../../../src/engine/neural/features.ts';
import { trainingWindow } from '../../../../src/engine/neural/training.ts';
import { Series } from '../../../../src/engine/prepare/series.ts';
import { ahead, series, setOf, values } from './small-set.ts';

describe('a window to train on', () => {
  it('tells what came at the steps that were asked, in the scale of what the window saw', () => {
    const [window] = setOf([30]);
    const { location, scale, reference } = describeWindow(series, ahead, 30);
    assert.deepEqual([...window.ahead], [1, 4, 2]);
    [30, 33, 31].forEach((index, i) => {
      const back = (location + scale * window.actual[i]) * series.unit;
      assert.ok(Math.abs(back - values[index]) < 1e-3, `${back} is not ${values[index]}`);
    });
    assert.equal(window.reference[0], Math.fround(reference));
  });

  it('does not look beyond its end', () => {
    const later = new Series({ ...series, values: series.values.map((value, i) => (i < 25 ? value : 9 * value)) });
    const [plain, changed] = [series, later].map((one) => trainingWindow(one, 25, ahead, one.values.subarray(25)));
    assert.deepEqual(changed.windows, plain.windows);
    assert.deepEqual(changed.candidates, plain.candidates);
    assert.notDeepEqual(changed.actual, plain.actual);
  });
});

import assert from 'node:assert/strict';
import { describeWindow } from '../../../../src/engine/neural/features.ts';
import { Network } from '../../../../src/engine/neural/network.ts';
import { newTargets, TrainingSet } from '../../../../src/engine/neural/training.ts';
import { Series } from '../../../../src/engine/prepare/series.ts';
import { ahead, series, setOf, shape, steps, values } from './small-set.ts';

/** What a net and the loss are given of windows of a set. */
function filled(set: TrainingSet, numbers: readonly number[]) {
  const network = new Network(shape, numbers.length, steps, { trainable: true });
  const targets = newTargets(numbers.length, steps);
  set.fill(network, targets, Uint32Array.from(numbers));
  return { network, targets };
}

describe('a training set', () => {
  it('tells what came at the steps that were asked, in the scale of what the window saw', () => {
    const { targets } = filled(setOf([20, 30]), [1]);
    const { location, scale, reference } = describeWindow(series, ahead, 30);
    assert.deepEqual([...targets.ahead], [1, 4, 2]);
    [30, 33, 31].forEach((index, i) => {
      const back = (location + scale * targets.actual[i]) * series.unit;
      assert.ok(Math.abs(back - values[index]) < 1e-3, `${back} is not ${values[index]}`);
    });
    assert.equal(targets.reference[0], Math.fround(reference));
  });

  it('gives windows in the order that is asked for', () => {
    const set = setOf([20, 25, 30]);
    const [all, turned] = [filled(set, [0, 1, 2]), filled(set, [2, 0])];
    const rowsOf = (row: Float32Array, count: number) =>
      Array.from({ length: count }, (_, i) => row.slice((i * row.length) / count, ((i + 1) * row.length) / count));
    const pairs = (['actual', 'candidates', 'errors', 'reference'] as const).map((key) => [
      all.targets[key],
      turned.targets[key],
    ]);
    for (const [whole, some] of [
      ...pairs,
      [all.network.windows, turned.network.windows],
      [all.network.steps, turned.network.steps],
    ]) {
      // prettier-ignore
      const [first, , third] = rowsOf(whole, 3);
      assert.deepEqual(rowsOf(some, 2), [third, first]);
    }
  });

  it('takes windows of another set as they are there, and is empty once cleared', () => {
    const source = setOf([20, 25, 30]);
    const taken = new TrainingSet(2, steps);
    taken.take(source, 2);
    taken.take(source, 0);
    assert.equal(taken.count, 2);
    const [own, other] = [filled(taken, [0, 1]), filled(source, [2, 0])];
    assert.deepEqual(own.targets, other.targets);
    assert.deepEqual(own.network.windows, other.network.windows);
    assert.deepEqual(own.network.steps, other.network.steps);
    taken.clear();
    assert.equal(taken.count, 0);
    taken.take(source, 1);
    assert.deepEqual(filled(taken, [0]).targets, filled(source, [1]).targets);
  });

  it('does not look beyond the end of a window', () => {
    const later = new Series({ ...series, values: series.values.map((value, i) => (i < 25 ? value : 9 * value)) });
    const [plain, changed] = [series, later].map((one) => {
      const set = new TrainingSet(1, steps);
      set.add(one, 25, ahead, one.values.subarray(25));
      return filled(set, [0]);
    });
    assert.deepEqual(changed.network.windows, plain.network.windows);
    assert.deepEqual(changed.targets.candidates, plain.targets.candidates);
    assert.notDeepEqual(changed.targets.actual, plain.targets.actual);
  });
});

import assert from 'node:assert/strict';
import { Adam, trainEpoch } from '../../../../src/engine/neural/training.ts';
import { Network } from '../../../../src/engine/neural/network.ts';
import { Random } from '../../../bench/training/random.ts';
import { setOf, shape, steps } from './small-set.ts';
import { initialize } from '../../../bench/training/pretrain.ts';

describe('training epoch', () => {
  const start = (capacity: number) => {
    const network = new Network(shape, capacity, steps, { trainable: true });
    initialize(network, new Random(1));
    const adam = new Adam(network.parameters, network.gradients);
    return { network, adam };
  };
  const set = setOf([14, 16, 18, 20, 22, 24, 26]);

  it('lowers the loss on its training set', () => {
    const { network, adam } = start(4);
    const shuffle = new Random(3);
    const epoch = () => trainEpoch(network, adam, set, shuffle, () => ({ rate: 0.01, decay: 0, blend: 1 }));
    const first = epoch();
    for (let i = 0; i < 20; i++) epoch();
    const last = epoch();
    assert.ok(last < 0.7 * first, `${first} → ${last}`);
  });

  it('updates weights once per full batch, and once for a smaller set', () => {
    for (const [capacity, batches] of [
      [3, 2],
      [7, 1],
      [20, 1],
    ]) {
      // prettier-ignore
      const { network, adam } = start(capacity);
      trainEpoch(network, adam, set, new Random(3), () => ({ rate: 1e-3, decay: 0, blend: 1 }));
      assert.equal(adam.steps, batches);
    }
  });

  it('takes no step for an empty set', () => {
    const { network, adam } = start(4);
    assert.equal(
      trainEpoch(network, adam, setOf([]), new Random(3), () => assert.fail('a step')),
      NaN,
    );
    assert.equal(adam.steps, 0);
  });

  it('is reproducible, and changes nothing at rate 0', () => {
    const run = (seed: number, rate: number) => {
      const { network, adam } = start(3);
      const before = Float32Array.from(network.parameters);
      trainEpoch(network, adam, set, new Random(seed), () => ({ rate, decay: 1, blend: 1 }));
      return { before, after: Float32Array.from(network.parameters) };
    };
    assert.deepEqual(run(3, 0.01).after, run(3, 0.01).after);
    assert.notDeepEqual(run(3, 0.01).after, run(4, 0.01).after);
    const still = run(3, 0);
    assert.deepEqual(still.after, still.before);
  });
});

import assert from 'node:assert/strict';
import { candidateCount } from '../../../../src/engine/bank.ts';
import { netLevels, outputWidth, QuantileHead } from '../../../../src/engine/neural/model.ts';
import { kernelModule } from '../../../../src/engine/neural/kernel-module.ts';
import { createKernel, Network, type Shape } from '../../../../src/engine/neural/network.ts';
import { Random } from '../../../../src/engine/random.ts';
import { newTargets } from './targets.ts';
import { assembleKernel } from '../../../harness/build-kernel.ts';
import { plainKernel } from './plain-kernel.ts';
import { initialize } from '../../../bench/training/pretrain.ts';

const shape: Shape = {
  windowFeatures: 16,
  stepFeatures: 8,
  encoder: [24, 16],
  head: [16, 8],
  outputs: outputWidth,
  nets: 2,
};
const windows = 5;
const steps = 3;

/** A small net with random weights and inputs, and targets for it. */
function example() {
  const random = new Random(3);
  const network = new Network(shape, windows, steps, { trainable: true });
  initialize(network, random);
  const fill = (target: Float32Array) => {
    for (let i = 0; i < target.length; i++) target[i] = random.normal();
  };
  fill(network.windows);
  fill(network.steps);
  const targets = newTargets(windows, steps);
  fill(targets.candidates);
  fill(targets.errors);
  fill(targets.actual);
  targets.ahead.fill(2);
  targets.reference.fill(1.5);
  const head = new QuantileHead();
  const loss = () => {
    network.forward(windows, steps);
    return head.loss(network.outputs, network.outputGradients, targets);
  };
  return { network, loss };
}

describe('kernel', () => {
  const rows = 13;
  const columns = 24;
  const inner = 37;
  const run = (kernel: ReturnType<typeof createKernel>) => {
    const { memory } = kernel;
    for (let i = 0; i < (rows + columns) * inner; i++) memory[i] = 3 * Math.sin(i * 1.7);
    const b = rows * inner;
    const c = b + inner * columns;
    const size = rows * columns;
    const sizes = [rows, columns, inner] as const;
    kernel.multiply([0, inner, 1], b, c, sizes);
    kernel.multiply([0, inner, 1], b, c, sizes, true);
    kernel.multiply([0, 1, rows], b, c + size, sizes);
    kernel.silu({ z: c, slope: c + 2 * size, y: c + 3 * size, outputs: columns }, b, rows);
    return memory.slice(c, c + 4 * size);
  };

  it('gives the same result with SIMD as without, up to rounding', () => {
    const simd = run(createKernel(6000));
    const plain = run(plainKernel(6000));
    simd.forEach((value, i) => {
      assert.ok(Math.abs(value - plain[i]) <= 3e-6 * (1 + Math.abs(plain[i])), `${i}: ${value} and ${plain[i]}`);
    });
  });

  it('is compiled from the source beside it', async () => {
    assert.equal(kernelModule, await assembleKernel());
  });

  it('multiplies matrices', () => {
    const kernel = createKernel(100);
    kernel.memory.set([1, 2, 3, 4]);
    for (let i = 0; i < 16; i++) kernel.memory[4 + i] = i;
    kernel.multiply([0, 2, 1], 4, 20, [2, 8, 2]);
    assert.deepEqual(
      [...kernel.memory.slice(20, 36)],
      [16, 19, 22, 25, 28, 31, 34, 37, 32, 39, 46, 53, 60, 67, 74, 81],
    );
  });
});

describe('network', () => {
  it('has gradients that match finite differences', () => {
    const { network, loss } = example();
    loss();
    network.backward(windows, steps);
    const gradients = Float32Array.from(network.gradients);
    const random = new Random(8);
    const h = 2e-3;
    let worst = 0;
    let size = 0;
    for (let trial = 0; trial < 300; trial++) {
      const i = random.below(gradients.length);
      const kept = network.parameters[i];
      network.parameters[i] = kept + h;
      const above = loss();
      network.parameters[i] = kept - h;
      const below = loss();
      network.parameters[i] = kept;
      // The loss has kinks: a few trials may step over one.
      const miss = Math.abs((above - below) / (2 * h) - gradients[i]);
      size += Math.abs(gradients[i]) / 300;
      worst += miss / 300;
    }
    assert.ok(size > 1e-4);
    assert.ok(worst < 0.03 * size, `mean miss ${worst} at a mean size of ${size}`);
  });

  it('has an output for each candidate and each level', () => {
    assert.ok(outputWidth >= candidateCount + netLevels.length && outputWidth % 8 === 0);
  });
});

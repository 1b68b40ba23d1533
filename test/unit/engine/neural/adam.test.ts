import assert from 'node:assert/strict';
import { Adam } from '../../../../src/engine/neural/training.ts';

const rate = 0.01;
const near = (value: number, expected: number, said = ''): void => {
  assert.ok(Math.abs(value - expected) < 1e-6, `${said} ${value} is not ${expected}`);
};

/** An Adam over some parameters, and a way to step it along given gradients. */
function started(parameters: readonly number[]) {
  const weights = Float32Array.from(parameters);
  const gradients = new Float32Array(weights.length);
  const adam = new Adam(weights, gradients);
  const step = (along: readonly number[], decay = 0, blend = 1): void => {
    gradients.set(along);
    adam.step(rate, decay, blend);
  };
  return { weights, adam, step };
}

describe('Adam', () => {
  it('makes a first step of the full rate for a gradient of any size', () => {
    const { weights, step } = started([1, 1, 1]);
    step([0.5, -0.001, 0]);
    near(weights[0], 1 - rate);
    near(weights[1], 1 + rate);
    assert.equal(weights[2], 1);
  });

  it('corrects the bias of both running means in the second step', () => {
    const { weights, step } = started([0]);
    step([0.5]);
    step([-0.1]);
    // m = 0.9 · 0.05 − 0.01, v = 0.98 · 0.005 + 0.0002, corrected by 1 − 0.9² and 1 − 0.98²
    const second = (rate * (0.035 / 0.19)) / Math.sqrt(0.0051 / 0.0396);
    near(weights[0], -rate - second);
  });

  it('clips gradients to norm 1, so that one wild batch does not dominate', () => {
    const { weights, step } = started([0]);
    step([3000]);
    near(weights[0], -rate);
    step([-1]);
    // as after a gradient of 1: m = 0.09 − 0.1, v = 0.0396
    near(weights[0], -rate + (rate * 0.01) / 0.19);

    const two = started([0, 0]);
    two.step([30, 40]);
    two.step([0, 0]);
    const { numbers } = two.adam;
    near(numbers[0] / numbers[1], 0.75, 'the direction stays');
  });

  it('decays weights independently of gradients', () => {
    const { weights, step } = started([2, -4]);
    step([0, 0], 0.5);
    near(weights[0], 2 * (1 - rate * 0.5));
    near(weights[1], -4 * (1 - rate * 0.5));
  });

  it('averages weights from the first ones on', () => {
    const { weights, adam, step } = started([1]);
    assert.equal(adam.average[0], 1);
    step([0.5], 0, 0.25);
    near(adam.average[0], 1 - rate / 4);
    const [mean, last] = [adam.average[0], weights[0]];
    step([0.5], 0, 0.25);
    assert.ok(weights[0] < last);
    near(adam.average[0], mean + 0.25 * (weights[0] - mean));
  });

  it('resumes from a saved state without a difference', () => {
    const along = Array.from({ length: 12 }, (_, i) => [Math.sin(i), 2 * Math.cos(3 * i)]);
    const whole = started([1, -1]);
    for (const gradient of along) whole.step(gradient, 0.1, 0.2);
    const first = started([1, -1]);
    for (const gradient of along.slice(0, 5)) first.step(gradient, 0.1, 0.2);
    const second = started([...first.weights]);
    second.adam.numbers.set(first.adam.numbers);
    second.adam.steps = first.adam.steps;
    for (const gradient of along.slice(5)) second.step(gradient, 0.1, 0.2);
    assert.deepEqual(second.weights, whole.weights);
    assert.deepEqual(second.adam.numbers, whole.adam.numbers);
    assert.equal(second.adam.steps, 12);
  });

  it('finds the minimum of an ill-conditioned quadratic', () => {
    const { weights, step } = started([0, 0]);
    for (let i = 0; i < 800; i++) step([0.02 * (weights[0] - 1), 2 * (weights[1] + 1)]);
    assert.ok(Math.abs(weights[0] - 1) < 0.05 && Math.abs(weights[1] + 1) < 0.05, weights.join(' '));
  });
});

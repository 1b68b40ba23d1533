import assert from 'node:assert/strict';
import { candidateCount } from '../../../../src/engine/bank.ts';
import {
  middleLevel,
  netLevels,
  outputWidth,
  QuantileHead,
  residualUnit,
  type Targets,
} from '../../../../src/engine/neural/model.ts';
import { Random } from '../../../bench/training/random.ts';
import { newTargets } from './targets.ts';

const residuals = candidateCount;
const trusts = candidateCount + netLevels.length;
const near = (value: number, expected: number, most = 1e-6): void => {
  assert.ok(Math.abs(value - expected) <= most * (1 + Math.abs(expected)), `${value} is not ${expected}`);
};

/** The quantiles of one row. */
function quantilesOf(outputs: Float32Array, candidates: Float32Array, errors: Float32Array, step = 1): Float64Array {
  const target = new Float64Array(netLevels.length);
  new QuantileHead().quantiles({ outputs, candidates, errors }, 0, step, target);
  return target;
}
const zeros = () => ({
  outputs: new Float32Array(outputWidth),
  candidates: new Float32Array(candidateCount),
  errors: new Float32Array(2 * candidateCount),
});

describe('quantiles of the net', () => {
  it('are the mean of the candidates for zero outputs and no past errors', () => {
    const { outputs, candidates, errors } = zeros();
    candidates.forEach((_, k) => (candidates[k] = k));
    for (const value of quantilesOf(outputs, candidates, errors)) near(value, (candidateCount - 1) / 2);
  });

  it('follow candidates by softmax weights', () => {
    const { outputs, candidates, errors } = zeros();
    candidates[4] = 8;
    // three times as much as all others together
    outputs[4] = Math.log(3 * (candidateCount - 1));
    near(quantilesOf(outputs, candidates, errors)[middleLevel], 6);
    outputs[4] = 900;
    near(quantilesOf(outputs, candidates, errors)[middleLevel], 8);
  });

  it('avoid a candidate with past errors unless the net ignores those', () => {
    const { outputs, candidates, errors } = zeros();
    candidates[2] = 1;
    errors[2] = 0.5;
    errors[candidateCount + 2] = 0.25;
    const weight = Math.exp(-0.4 * 0.5 - 2 * 0.25);
    near(quantilesOf(outputs, candidates, errors)[middleLevel], weight / (weight + candidateCount - 1));
    outputs[trusts] = -0.4;
    outputs[trusts + 1] = -2;
    near(quantilesOf(outputs, candidates, errors)[middleLevel], 1 / candidateCount);
  });

  it('never cross, with residuals that grow with the square root of the step', () => {
    const { outputs, candidates, errors } = zeros();
    assert.deepEqual([1, 4, 25].map(residualUnit), [1, 1.4, 2.6]);
    netLevels.forEach((_, q) => (outputs[residuals + q] = q - middleLevel));
    quantilesOf(outputs, candidates, errors, 4).forEach((value, q) => near(value, 1.4 * (q - middleLevel)));
    const straight = quantilesOf(outputs, candidates, errors);
    netLevels.forEach((_, q) => (outputs[residuals + q] = middleLevel - q));
    assert.deepEqual(quantilesOf(outputs, candidates, errors), straight);
  });
});

/** The loss of a single row of zeros. */
function lossOf(change: (targets: Targets) => void): number {
  const targets = newTargets(1, 1);
  targets.ahead[0] = 1;
  targets.reference[0] = 1;
  change(targets);
  const outputs = new Float32Array(outputWidth);
  return new QuantileHead().loss(outputs, new Float32Array(outputWidth), targets);
}

describe('loss of the net', () => {
  it('is the absolute error relative to seasonal naive if all quantiles coincide', () => {
    near(
      lossOf(({ actual }) => (actual[0] = 3)),
      3,
    );
    near(
      lossOf(({ actual, reference }) => {
        actual[0] = -3;
        reference[0] = 2;
      }),
      1.5,
    );
  });

  it('limits the influence of a perfectly seasonal series and of a wild value', () => {
    near(
      lossOf(({ actual, reference }) => {
        actual[0] = 1;
        reference[0] = 0;
      }),
      2.5,
    );
    near(
      lossOf(({ actual, ahead }) => {
        actual[0] = -1e9;
        ahead[0] = 4;
      }),
      50,
    );
  });

  it('is least at the quantiles of the actual values', () => {
    const count = 400;
    const random = new Random(6);
    const targets = newTargets(count, 1);
    targets.actual.forEach((_, i) => (targets.actual[i] = random.uniform()));
    targets.ahead.fill(1);
    targets.reference.fill(1);
    const sorted = targets.actual.slice().sort();
    const outputs = new Float32Array(count * outputWidth);
    const lossAt = (q: number, value: number): number => {
      for (let row = 0; row < count; row++) outputs[row * outputWidth + residuals + q] = value;
      return new QuantileHead().loss(outputs, new Float32Array(outputs.length), targets);
    };
    for (const q of [0, 4, middleLevel, netLevels.length - 1]) {
      const quantile = sorted[Math.floor(netLevels[q] * count)];
      const least = lossAt(q, quantile);
      for (const off of [-0.05, 0.05]) assert.ok(lossAt(q, quantile + off) > least, `level ${netLevels[q]}`);
    }
  });

  it('has gradients that match finite differences over windows and steps', () => {
    const random = new Random(4);
    const [windows, steps] = [2, 3];
    const targets = newTargets(windows, steps);
    for (const row of [targets.candidates, targets.errors]) row.forEach((_, i) => (row[i] = random.between(0, 1)));
    // no quantile comes so far, so that there is no kink nearby
    targets.actual.forEach((_, i) => (targets.actual[i] = i % 2 === 0 ? 9 : -9));
    targets.ahead.set([1, 2, 3, 5, 8, 13]);
    targets.reference.set([0.7, 3]);
    const size = windows * steps * outputWidth;
    const outputs = Float32Array.from({ length: size }, () => random.between(-0.3, 0.3));
    const gradients = new Float32Array(size).fill(7);
    const head = new QuantileHead();
    const spare = new Float32Array(size);
    head.loss(outputs, gradients, targets);
    const h = 2 ** -8;
    for (let i = 0; i < size; i++) {
      const kept = outputs[i];
      outputs[i] = kept + h;
      const [up, above] = [outputs[i], head.loss(outputs, spare, targets)];
      outputs[i] = kept - h;
      const [down, below] = [outputs[i], head.loss(outputs, spare, targets)];
      outputs[i] = kept;
      const slope = (above - below) / (up - down);
      assert.ok(Math.abs(slope - gradients[i]) < 2e-6 + 1e-4 * Math.abs(slope), `${i}: ${slope}, ${gradients[i]}`);
    }
  });
});

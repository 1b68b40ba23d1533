import type { Adam } from './adam.ts';
import { QuantileHead, type Targets } from './head.ts';
import type { Network } from './network.ts';
import type { Random } from '../random.ts';
import type { TrainingSet } from './training-set.ts';

/** How one step of training moves the weights. */
export interface Pace {
  readonly rate: number;
  readonly decay: number;
  /** Weight of the new parameters in the running mean. */
  readonly blend: number;
}

/**
 * One pass over a training set in random order, in full batches of the net's capacity. A set smaller than a batch is one
 * batch.
 *
 * @param paceOf asked before each step
 * @returns the mean loss; NaN of an empty set, from which nothing is learned
 */
export function trainEpoch(
  network: Network,
  adam: Adam,
  set: TrainingSet,
  targets: Targets,
  random: Random,
  paceOf: () => Pace,
): number {
  const { steps } = set;
  const head = new QuantileHead();
  const size = Math.min(network.capacity.windows, set.count);
  if (size === 0) return NaN;
  const order = random.permutation(set.count);
  let sum = 0;
  let batches = 0;
  for (let at = 0; at + size <= set.count; at += size) {
    set.fill(network, targets, order.subarray(at, at + size));
    network.forward(size, steps);
    sum += head.loss(network.outputs, network.outputGradients, targets, size, steps);
    network.backward(size, steps);
    const { rate, decay, blend } = paceOf();
    adam.step(rate, decay, blend);
    batches++;
  }
  return sum / batches;
}

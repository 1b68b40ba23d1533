import { candidateCount } from '../bank.ts';
import type { Series } from '../prepare/series.ts';
import type { Random } from '../random.ts';
import { describeWindow, stepFeatureCount, windowFeatureCount } from './features.ts';
import { QuantileHead, type Targets } from './model.ts';
import type { Network } from './network.ts';

/** What a net reads of windows, and what its loss is counted on; each part has one window after the other. */
type Windows = Readonly<Record<keyof Targets | 'windows' | 'steps', Float32Array>>;

const widthsOf = (steps: number): Readonly<Record<keyof Windows, number>> => ({
  windows: windowFeatureCount,
  steps: steps * stepFeatureCount,
  candidates: steps * candidateCount,
  errors: 2 * candidateCount,
  ahead: steps,
  actual: steps,
  reference: 1,
});

/** Of the first `end` points and the steps `ahead`, in one array: an array a part takes twice the memory. */
export function trainingWindow(series: Series, end: number, ahead: Int32Array, future: ArrayLike<number>) {
  const { window, location, scale, reference, ...described } = describeWindow(series, ahead, end);
  const actual = Float32Array.from(ahead, (step) => (future[step - 1] - location) / scale);
  const parts = { ...described, windows: window, ahead, actual, reference: [reference] };
  const widths = Object.entries(widthsOf(ahead.length)) as [keyof Windows, number][];
  const all = new Float32Array(widths.reduce((sum, [, width]) => sum + width, 0));
  let at = 0;
  for (const [part, width] of widths) {
    all.set(parts[part], at);
    at += width;
  }
  return all;
}

export function together(all: readonly Float32Array[], steps: number): Windows {
  let from = 0;
  const parts = Object.entries(widthsOf(steps)).map(([name, width]) => {
    const part = new Float32Array(all.length * width);
    for (const [i, one] of all.entries()) part.set(one.subarray(from, from + width), i * width);
    from += width;
    return [name, part];
  });
  return Object.fromEntries(parts) as Windows;
}

/** Adam with decoupled weight decay (Loshchilov and Hutter 2019), a limit on the gradient's norm and a running mean. */
export class Adam {
  readonly #parameters: Float32Array;
  readonly #gradients: Float32Array;
  /** The moments and the mean, one after the other: with the number of steps, all that the next ones depend on. */
  readonly numbers: Float32Array;
  /** The mean of the parameters over the last steps, which forecasts better than the last ones. */
  readonly average: Float32Array;
  steps = 0;

  constructor(parameters: Float32Array, gradients: Float32Array) {
    this.#parameters = parameters;
    this.#gradients = gradients;
    const size = parameters.length;
    this.numbers = new Float32Array(3 * size);
    this.average = this.numbers.subarray(2 * size);
    this.average.set(parameters);
  }

  step(rate: number, decay: number, blend: number): void {
    const parameters = this.#parameters;
    const gradients = this.#gradients;
    const size = parameters.length;
    const [first, second] = [this.numbers.subarray(0, size), this.numbers.subarray(size, 2 * size)];
    const { average } = this;
    this.steps++;
    let squares = 0;
    for (const gradient of gradients) squares += gradient * gradient;
    const limit = Math.min(1, 1 / (Math.sqrt(squares) + 1e-6));
    const scale = rate / (1 - 0.9 ** this.steps);
    const correction = 1 / (1 - 0.98 ** this.steps);
    const keep = 1 - rate * decay;
    for (let i = 0; i < parameters.length; i++) {
      const gradient = gradients[i] * limit;
      const m = 0.9 * first[i] + 0.1 * gradient;
      const v = 0.98 * second[i] + 0.02 * gradient * gradient;
      first[i] = m;
      second[i] = v;
      const value = parameters[i] * keep - (scale * m) / (Math.sqrt(v * correction) + 1e-8);
      parameters[i] = value;
      average[i] += blend * (value - average[i]);
    }
  }
}

/** In full batches of the net's capacity, or one of a smaller set. Gives the mean loss; NaN of an empty set. */
export function trainEpoch(
  network: Network,
  adam: Adam,
  set: readonly Float32Array[],
  random: Random,
  scheduleOf: () => { readonly rate: number; readonly decay: number; readonly blend: number },
): number {
  const head = new QuantileHead();
  const { steps } = network.capacity;
  const size = Math.min(network.capacity.windows, set.length);
  if (size === 0) return NaN;
  const order = random.permutation(set.length);
  let sum = 0;
  let batches = 0;
  for (let at = 0; at + size <= set.length; at += size) {
    const batch = together(
      Array.from(order.subarray(at, at + size), (number) => set[number]),
      steps,
    );
    network.windows.set(batch.windows);
    network.steps.set(batch.steps);
    network.forward(size, steps);
    sum += head.loss(network.outputs, network.outputGradients, batch);
    network.backward(size, steps);
    const { rate, decay, blend } = scheduleOf();
    adam.step(rate, decay, blend);
    batches++;
  }
  return sum / batches;
}

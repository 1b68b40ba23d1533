import { candidateCount } from '../bank/bank.ts';
import type { Series } from '../prepare/series.ts';
import type { Random } from '../random.ts';
import { describeWindow, stepFeatureCount, windowFeatureCount } from './features.ts';
import { QuantileHead, type Targets } from './head.ts';
import type { Network } from './network.ts';

type Part = keyof Targets | 'windows' | 'steps';
type Parts<T> = Readonly<Record<Part, T>>;

const widthsOf = (steps: number): Parts<number> => ({
  windows: windowFeatureCount,
  steps: steps * stepFeatureCount,
  candidates: steps * candidateCount,
  errors: 2 * candidateCount,
  ahead: steps,
  actual: steps,
  reference: 1,
});

function partsOf<T>(of: (part: Part) => T): Parts<T> {
  return Object.fromEntries(Object.keys(widthsOf(1)).map((part) => [part, of(part as Part)])) as Record<Part, T>;
}

export class TrainingSet {
  readonly steps: number;
  readonly capacity: number;
  #count = 0;
  readonly #widths: Parts<number>;
  readonly #parts: Parts<Float32Array>;

  constructor(capacity: number, steps: number) {
    this.capacity = capacity;
    this.steps = steps;
    this.#widths = widthsOf(steps);
    this.#parts = partsOf((part) => new Float32Array(capacity * this.#widths[part]));
  }

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Adds the first `end` points of a prepared series, and what is known of the steps `ahead`. */
  add(series: Series, end: number, ahead: Int32Array, future: ArrayLike<number>): void {
    const { window, location, scale, reference, ...described } = describeWindow(series, ahead, end);
    const actual = Float32Array.from(ahead, (step) => (future[step - 1] - location) / scale);
    const known = { ...described, windows: window, ahead, actual, reference: [reference] };
    this.#put((part) => known[part]);
  }

  take(other: TrainingSet, number: number): void {
    this.#put((part) => other.#of(part, number));
  }

  fill({ windows, steps }: Network, targets: Targets, numbers: Uint32Array): void {
    const into = { ...targets, windows, steps };
    partsOf((part) => {
      for (let i = 0; i < numbers.length; i++) into[part].set(this.#of(part, numbers[i]), i * this.#widths[part]);
    });
  }

  #put(numbersOf: (part: Part) => ArrayLike<number>): void {
    const at = this.#count++;
    partsOf((part) => {
      this.#parts[part].set(numbersOf(part), at * this.#widths[part]);
    });
  }

  #of(part: Part, number: number): Float32Array {
    const width = this.#widths[part];
    return this.#parts[part].subarray(number * width, (number + 1) * width);
  }
}

export function newTargets(windows: number, steps: number): Targets {
  const widths = widthsOf(steps);
  return partsOf((part) => new Float32Array(part === 'windows' || part === 'steps' ? 0 : windows * widths[part]));
}

/** Adam with decoupled weight decay (Loshchilov and Hutter 2019), a limit on the gradient's norm and a running mean. */
export class Adam {
  readonly #parameters: Float32Array;
  readonly #gradients: Float32Array;
  readonly #numbers: Float32Array;
  /** The mean of the parameters over the last steps, which forecasts better than the last ones. */
  readonly average: Float32Array;
  #steps = 0;

  constructor(parameters: Float32Array, gradients: Float32Array) {
    this.#parameters = parameters;
    this.#gradients = gradients;
    const size = parameters.length;
    this.#numbers = new Float32Array(3 * size);
    this.average = this.#numbers.subarray(2 * size);
    this.average.set(parameters);
  }

  /** All that the next steps depend on: the moments and the mean, one after the other, and how many steps there were. */
  get state(): { readonly numbers: Float32Array; readonly steps: number } {
    return { numbers: this.#numbers.slice(), steps: this.#steps };
  }

  set state({ numbers, steps }) {
    this.#numbers.set(numbers);
    this.#steps = steps;
  }

  step(rate: number, decay: number, blend: number): void {
    const parameters = this.#parameters;
    const gradients = this.#gradients;
    const size = parameters.length;
    const [first, second] = [this.#numbers.subarray(0, size), this.#numbers.subarray(size, 2 * size)];
    const { average } = this;
    this.#steps++;
    let squares = 0;
    for (const gradient of gradients) squares += gradient * gradient;
    const limit = Math.min(1, 1 / (Math.sqrt(squares) + 1e-6));
    const scale = rate / (1 - 0.9 ** this.#steps);
    const correction = 1 / (1 - 0.98 ** this.#steps);
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
  set: TrainingSet,
  random: Random,
  scheduleOf: () => { readonly rate: number; readonly decay: number; readonly blend: number },
): number {
  const { steps } = set;
  const head = new QuantileHead();
  const size = Math.min(network.capacity.windows, set.count);
  if (size === 0) return NaN;
  const targets = newTargets(size, steps);
  const order = random.permutation(set.count);
  let sum = 0;
  let batches = 0;
  for (let at = 0; at + size <= set.count; at += size) {
    set.fill(network, targets, order.subarray(at, at + size));
    network.forward(size, steps);
    sum += head.loss(network.outputs, network.outputGradients, targets, size, steps);
    network.backward(size, steps);
    const { rate, decay, blend } = scheduleOf();
    adam.step(rate, decay, blend);
    batches++;
  }
  return sum / batches;
}

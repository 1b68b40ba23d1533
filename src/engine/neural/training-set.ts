import type { Series } from '../prepare/series.ts';
import { candidateCount } from '../bank/bank.ts';
import { describeWindow, stepFeatureCount, windowFeatureCount } from './features.ts';
import type { Targets } from './head.ts';
import type { Network } from './network.ts';

/** What is known of windows: what the net reads, and what it should give. */
type Part = keyof Targets | 'windows' | 'steps';
type Parts<T> = Readonly<Record<Part, T>>;

/** How many numbers each part has of a window with so many steps. */
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

/** Windows to learn from, described once: for each, some steps ahead and what came there. */
export class TrainingSet {
  readonly steps: number;
  readonly capacity: number;
  #count = 0;
  readonly #widths: Parts<number>;
  readonly #parts: Parts<Float32Array>;

  /** Room for `capacity` windows with `steps` steps each. */
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

  /**
   * Adds the first `end` points of a prepared series.
   *
   * @param ahead the steps, as many as the set has for each window
   * @param future what came after the window, in the units of the prepared series
   */
  add(series: Series, end: number, ahead: Int32Array, future: ArrayLike<number>): void {
    const { window, location, scale, reference, ...described } = describeWindow(series, ahead, end);
    const actual = Float32Array.from(ahead, (step) => (future[step - 1] - location) / scale);
    const known = { ...described, windows: window, ahead, actual, reference: [reference] };
    this.#put((part) => known[part]);
  }

  /** Adds a window of another set with as many steps, by its number there. */
  take(other: TrainingSet, number: number): void {
    this.#put((part) => other.#of(part, number));
  }

  /** Puts the windows of these numbers into the net, and what they should give into `targets`. */
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

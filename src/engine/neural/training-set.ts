import type { Series } from '../prepare/series.ts';
import { candidateCount } from '../bank/bank.ts';
import { describeWindow, stepFeatureCount, windowFeatureCount } from './features.ts';
import type { Targets } from './head.ts';
import type { Network } from './network.ts';

/** The relative errors of the candidates, on the last part and on several. */
const errorCount = 2 * candidateCount;

/** Windows to learn from, described once: for each, some steps ahead and what came there. */
export class TrainingSet {
  readonly steps: number;
  readonly capacity: number;
  #count = 0;
  readonly #windows: Float32Array;
  readonly #stepFeatures: Float32Array;
  readonly #candidates: Float32Array;
  readonly #errors: Float32Array;
  readonly #ahead: Float32Array;
  readonly #actual: Float32Array;
  readonly #reference: Float32Array;

  /** Room for `capacity` windows with `steps` steps each. */
  constructor(capacity: number, steps: number) {
    this.capacity = capacity;
    this.steps = steps;
    const rows = capacity * steps;
    this.#windows = new Float32Array(capacity * windowFeatureCount);
    this.#stepFeatures = new Float32Array(rows * stepFeatureCount);
    this.#candidates = new Float32Array(rows * candidateCount);
    this.#errors = new Float32Array(capacity * errorCount);
    this.#ahead = new Float32Array(rows);
    this.#actual = new Float32Array(rows);
    this.#reference = new Float32Array(capacity);
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
    const { window, steps, candidates, errors, location, scale, reference } = describeWindow(series, ahead, end);
    const at = this.#count++;
    const row = at * this.steps;
    this.#windows.set(window, at * windowFeatureCount);
    this.#stepFeatures.set(steps, row * stepFeatureCount);
    this.#candidates.set(candidates, row * candidateCount);
    this.#errors.set(errors, at * errorCount);
    this.#reference[at] = reference;
    for (let i = 0; i < this.steps; i++) {
      this.#ahead[row + i] = ahead[i];
      this.#actual[row + i] = (future[ahead[i] - 1] - location) / scale;
    }
  }

  /** Adds a window of another set with as many steps, by its number there. */
  take(other: TrainingSet, number: number): void {
    const at = this.#count++;
    const move = (from: Float32Array, to: Float32Array, width: number): void => {
      to.set(from.subarray(number * width, (number + 1) * width), at * width);
    };
    move(other.#windows, this.#windows, windowFeatureCount);
    move(other.#stepFeatures, this.#stepFeatures, this.steps * stepFeatureCount);
    move(other.#candidates, this.#candidates, this.steps * candidateCount);
    move(other.#errors, this.#errors, errorCount);
    move(other.#ahead, this.#ahead, this.steps);
    move(other.#actual, this.#actual, this.steps);
    move(other.#reference, this.#reference, 1);
  }

  /** Puts the windows of these numbers into the net, and what they should give into `targets`. */
  fill(network: Network, targets: Targets, numbers: Uint32Array): void {
    const { steps } = this;
    const copy = (from: Float32Array, to: Float32Array, width: number): void => {
      for (let i = 0; i < numbers.length; i++) {
        to.set(from.subarray(numbers[i] * width, (numbers[i] + 1) * width), i * width);
      }
    };
    copy(this.#windows, network.windows, windowFeatureCount);
    copy(this.#stepFeatures, network.steps, steps * stepFeatureCount);
    copy(this.#candidates, targets.candidates, steps * candidateCount);
    copy(this.#errors, targets.errors, errorCount);
    copy(this.#ahead, targets.ahead, steps);
    copy(this.#actual, targets.actual, steps);
    copy(this.#reference, targets.reference, 1);
  }
}

export function newTargets(windows: number, steps: number): Targets {
  const rows = windows * steps;
  return {
    candidates: new Float32Array(rows * candidateCount),
    errors: new Float32Array(windows * errorCount),
    ahead: new Float32Array(rows),
    actual: new Float32Array(rows),
    reference: new Float32Array(windows),
  };
}

import { candidateCount } from '../bank.ts';
import { clamp, sortFew } from '../statistics.ts';
import type { Series } from '../prepare/series.ts';
import { atLevels, type Quantiles } from '../quantiles.ts';
import { baseWeights } from './base-weights.ts';
import { describeWindow } from './features.ts';
import { Network } from './network.ts';
import { decodeWeights, type Weights } from './weights.ts';

/** Levels of the quantiles that the net gives, rising; the one in the middle is the point forecast. */
export const netLevels: readonly number[] = [0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975];
export const middleLevel = netLevels.indexOf(0.5);
/** Share of each level in the loss: the median counts more, as the point forecast is judged most. */
const levelShares = netLevels.map((level) => (level === 0.5 ? 4 : 1) / (netLevels.length + 3));

/** Where the outputs of a row start: weights of the candidates, residuals, and how far errors count, on the last part and on several. */
const residualsAt = candidateCount;
const trustsAt = residualsAt + netLevels.length;
export const outputWidth = Math.ceil((trustsAt + 2) / 8) * 8;

export function residualUnit(step: number): number {
  return 0.6 + 0.4 * Math.sqrt(step);
}

export interface Targets {
  readonly candidates: Float32Array;
  readonly errors: Float32Array;
  readonly ahead: Float32Array;
  readonly actual: Float32Array;
  /** The mean error of seasonal naive in each window, in its scale. */
  readonly reference: Float32Array;
}

interface Read extends Pick<Targets, 'candidates' | 'errors'> {
  readonly outputs: Float32Array;
}

/** A mean of the candidates, each weighed down by past errors as much as the net trusts these, and residuals around it. */
export class QuantileHead {
  readonly #weights = new Float64Array(candidateCount);

  /** In the scale of the window, sorted so that none cross (Chernozhukov, Fernández-Val and Galichon 2010). */
  quantiles(read: Read, row: number, step: number, target: Float64Array): void {
    const base = this.#mix(read, row, 0);
    const unit = residualUnit(step);
    const at = row * outputWidth + residualsAt;
    for (let q = 0; q < netLevels.length; q++) target[q] = base + unit * read.outputs[at + q];
    sortFew(target);
  }

  /** The quantile loss (Koenker and Bassett 1978), twice and relative to seasonal naive, and its gradient by the outputs. */
  loss(outputs: Float32Array, gradients: Float32Array, { candidates, errors, ahead, actual, reference }: Targets) {
    const rows = ahead.length;
    const steps = rows / reference.length;
    let loss = 0;
    for (let row = 0; row < rows; row++) {
      const at = row * outputWidth;
      const window = Math.floor(row / steps);
      const errorsAt = window * 2 * candidateCount;
      const base = this.#mix({ outputs, candidates, errors }, row, errorsAt);
      const unit = residualUnit(ahead[row]);
      const scale = clamp(reference[window], 0.4, 30);
      const center = candidates[row * candidateCount];
      const limit = 25 * scale * Math.sqrt(ahead[row]);
      const target = clamp(actual[row], center - limit, center + limit);
      let byBase = 0;
      for (let q = 0; q < netLevels.length; q++) {
        const level = netLevels[q];
        const share = (2 * levelShares[q]) / scale;
        const error = target - base - unit * outputs[at + residualsAt + q];
        loss += share * (error > 0 ? level * error : (level - 1) * error);
        const slope = ((error > 0 ? -level : 1 - level) * share) / rows;
        byBase += slope;
        gradients[at + residualsAt + q] = slope * unit;
      }
      gradients.fill(0, at + trustsAt, at + outputWidth);
      for (let k = 0; k < candidateCount; k++) {
        const slope = byBase * this.#weights[k] * (candidates[row * candidateCount + k] - base);
        gradients[at + k] = slope;
        for (let t = 0; t < 2; t++) {
          gradients[at + trustsAt + t] -= slope * errors[errorsAt + t * candidateCount + k];
        }
      }
    }
    return loss / rows;
  }

  #mix({ outputs, candidates, errors }: Read, row: number, errorsAt: number): number {
    const weights = this.#weights;
    const at = row * outputWidth;
    const last = 0.4 + outputs[at + trustsAt]; // with outputs of 0, errors are trusted as much
    const several = 2 + outputs[at + trustsAt + 1];
    let highest = -Infinity;
    for (let k = 0; k < candidateCount; k++) {
      weights[k] = outputs[at + k] - last * errors[errorsAt + k] - several * errors[errorsAt + candidateCount + k];
      highest = Math.max(highest, weights[k]);
    }
    let total = 0;
    let mixed = 0;
    for (let k = 0; k < candidateCount; k++) {
      weights[k] = Math.exp(weights[k] - highest);
      total += weights[k];
      mixed += weights[k] * candidates[row * candidateCount + k];
    }
    for (let k = 0; k < candidateCount; k++) weights[k] /= total;
    return mixed / total;
  }
}

type DescribedSteps = ReturnType<typeof describeSteps>;

export function describeSteps(series: Series, horizon: number) {
  const ahead = Int32Array.from({ length: horizon }, (_, i) => i + 1);
  return { ...describeWindow(series, ahead), ahead };
}

export class NeuralModel {
  readonly weights: Weights;
  readonly #network: Network;
  readonly #head = new QuantileHead();
  readonly #row = new Float64Array(netLevels.length);

  constructor(weights: Weights) {
    this.weights = weights;
    this.#network = new Network(weights.shape, 1, 64);
    this.use(weights.parameters);
  }

  use(parameters: Float32Array): void {
    this.#network.parameters.set(parameters);
  }

  forecast(series: Series, horizon: number, levels: readonly number[]): Quantiles {
    return atLevels({ levels: netLevels, rows: this.#quantileRows(describeSteps(series, horizon)) }, levels);
  }

  point(described: DescribedSteps): Float64Array {
    return this.#quantileRows(described)[middleLevel];
  }

  #quantileRows({ window, steps, candidates, errors, location, scale, ahead }: DescribedSteps): Float64Array[] {
    const horizon = ahead.length;
    const network = this.#network;
    const atOnce = network.capacity.steps;
    const rows = netLevels.map(() => new Float64Array(horizon));
    const candidateWidth = candidates.length / horizon;
    const stepWidth = steps.length / horizon;
    network.windows.set(window);
    for (let from = 0; from < horizon; from += atOnce) {
      const count = Math.min(atOnce, horizon - from);
      network.steps.set(steps.subarray(from * stepWidth, (from + count) * stepWidth));
      network.forward(1, count);
      const near = candidates.subarray(from * candidateWidth, (from + count) * candidateWidth);
      for (let i = 0; i < count; i++) {
        this.#head.quantiles({ outputs: network.outputs, candidates: near, errors }, i, ahead[from + i], this.#row);
        for (let q = 0; q < rows.length; q++) rows[q][from + i] = this.#row[q] * scale + location;
      }
    }
    return rows;
  }
}

let base: NeuralModel | undefined;

export function baseModel(): NeuralModel {
  return (base ??= new NeuralModel(decodeWeights(baseWeights)));
}

let latest: { readonly text: string; readonly model: NeuralModel } | undefined;

/** The model with the weights in `TunedParameters`; the latest one stays decoded. @throws RangeError */
export function tunedModel(text: string): NeuralModel {
  if (latest?.text !== text) latest = { text, model: new NeuralModel(decodeWeights(text)) };
  return latest.model;
}

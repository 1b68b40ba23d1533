import type { Series } from '../prepare/series.ts';
import { atLevels, type Quantiles } from '../quantiles.ts';
import { baseWeights } from './base-weights.ts';
import { describeWindow } from './features.ts';
import { middleLevel, netLevels, QuantileHead } from './head.ts';
import { Network } from './network.ts';
import { decodeWeights, fromBase64, type Weights } from './weights.ts';

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

/** The model that the engine comes with, decoded at its first use. */
export function baseModel(): NeuralModel {
  return (base ??= new NeuralModel(decodeWeights(fromBase64(baseWeights))));
}

let latest: { readonly text: string; readonly model: NeuralModel } | undefined;

/** The model with the weights in `TunedParameters`; the latest one stays decoded. @throws RangeError */
export function tunedModel(text: string): NeuralModel {
  if (latest?.text !== text) latest = { text, model: new NeuralModel(decodeWeights(fromBase64(text))) };
  return latest.model;
}

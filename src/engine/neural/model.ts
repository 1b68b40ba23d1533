import { clamp } from '../statistics.ts';
import type { Series } from '../series.ts';
import { normalQuantile } from '../intervals.ts';
import { describeWindow } from './features.ts';
import { middleLevel, netLevels, quantilesOfRow } from './head.ts';
import { Network } from './network.ts';
import { decodeWeights, type Weights } from './weights.ts';

/** Steps that go through the net at a time. */
const stepsAtOnce = 64;

/** What the net says about the steps after a prepared series, in its units. */
export interface NeuralForecast {
  readonly point: Float64Array;
  /** The value at a level in (0, 1) and a step from 0; rises with the level. */
  readonly quantile: (level: number, step: number) => number;
}

/** The net with weights, ready to forecast. */
export class NeuralModel {
  readonly weights: Weights;
  readonly #network: Network;
  readonly #row = new Float64Array(netLevels.length);

  constructor(weights: Weights) {
    this.weights = weights;
    this.#network = new Network(weights.shape, 1, stepsAtOnce);
    this.#network.parameters.set(weights.parameters);
  }

  forecast(series: Series, horizon: number): NeuralForecast {
    const ahead = Int32Array.from({ length: horizon }, (_, i) => i + 1);
    const { window, steps, anchors, location, scale } = describeWindow(series, ahead);
    const network = this.#network;
    const rows = netLevels.map(() => new Float64Array(horizon));
    const anchorWidth = anchors.length / horizon;
    const stepWidth = steps.length / horizon;
    network.windows.set(window);
    for (let from = 0; from < horizon; from += stepsAtOnce) {
      const count = Math.min(stepsAtOnce, horizon - from);
      network.steps.set(steps.subarray(from * stepWidth, (from + count) * stepWidth));
      network.forward(1, count);
      const near = anchors.subarray(from * anchorWidth, (from + count) * anchorWidth);
      for (let i = 0; i < count; i++) {
        quantilesOfRow(network.outputs, near, i, ahead[from + i], this.#row);
        this.#row.forEach((value, q) => (rows[q][from + i] = value * scale + location));
      }
    }
    return { point: rows[middleLevel], quantile: (level, step) => interpolate(rows, level, step) };
  }
}

/** @throws WeightsError */
export function loadWeights(bytes: Uint8Array): NeuralModel {
  return new NeuralModel(decodeWeights(bytes));
}

const scores = netLevels.map(normalQuantile);

/** Between the net's levels, and beyond its outer ones, linear in the normal quantile. */
function interpolate(rows: readonly Float64Array[], level: number, step: number): number {
  const score = normalQuantile(level);
  let k = 1;
  while (k < scores.length - 1 && score > scores[k]) k++;
  const [low, high] = [rows[k - 1][step], rows[k][step]];
  const share = (score - scores[k - 1]) / (scores[k] - scores[k - 1]);
  return low + clamp(share, -20, 20) * (high - low);
}

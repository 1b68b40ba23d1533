import { familyOf, type Family } from '../ensemble/ensemble.ts';
import { clamp, meanAbsolute } from '../statistics.ts';
import type { Series } from '../prepare/series.ts';
import { normalQuantile } from '../intervals/intervals.ts';
import { baseWeights } from './base-weights.ts';
import { pieceOf } from './counts.ts';
import { describeWindow, type WindowFeatures } from './features.ts';
import { middleLevel, netLevels, QuantileHead } from './head.ts';
import { Network } from './network.ts';
import { spreadProbabilities, spreads } from './spread-table.ts';
import { decodeWeights, type Weights } from './weights.ts';

const scores = netLevels.map(normalQuantile);

/** Steps that go through the net at a time. */
const stepsAtOnce = 64;

/** What the net says about the steps after a prepared series, in the units of that series. */
export interface NeuralForecast {
  readonly point: Float64Array;
  /** The value at a level in (0, 1) for a step from 0; rises with the level, and is the point forecast at 0.5. */
  readonly quantile: (level: number, step: number) => number;
}

/** The features of a series for all steps up to a horizon. */
export interface DescribedSteps extends WindowFeatures {
  readonly ahead: Int32Array;
  /** One count, where the series counts a few things; 0 otherwise. */
  readonly oneCount: number;
}

export function describeSteps(series: Series, horizon: number): DescribedSteps {
  const ahead = Int32Array.from({ length: horizon }, (_, i) => i + 1);
  return { ...describeWindow(series, ahead), ahead, oneCount: oneCountOf(series) };
}

/** Larger counts are as good as continuous. */
const mostPieces = 20;

/** One piece where a series counts a few of them; 0 otherwise. */
function oneCountOf(series: Series): number {
  const { values } = series;
  const near = values.subarray(Math.max(0, values.length - 100));
  const piece = pieceOf(series);
  return piece > 0 && meanAbsolute(near) <= mostPieces * piece ? piece : 0;
}

/** The quantiles of counts are whole. */
function rounded(value: number, oneCount: number): number {
  return oneCount > 0 ? Math.round(value / oneCount) * oneCount : value;
}

/** The net with weights, ready to forecast. */
export class NeuralModel {
  readonly weights: Weights;
  readonly #network: Network;
  readonly #head = new QuantileHead();
  readonly #row = new Float64Array(netLevels.length);

  constructor(weights: Weights) {
    this.weights = weights;
    this.#network = new Network(weights.shape, 1, stepsAtOnce);
    this.use(weights.parameters);
  }

  /** Puts other weights of the same shape in place. */
  use(parameters: Float32Array): void {
    this.#network.parameters.set(parameters);
  }

  forecast(series: Series, horizon: number): NeuralForecast {
    const described = describeSteps(series, horizon);
    const { oneCount } = described;
    const rows = this.#quantileRows(described);
    widen(rows, familyOf(series));
    const point = rows[middleLevel].map((value) => rounded(value, oneCount));
    return {
      point,
      quantile: (level, step) => (level === 0.5 ? point[step] : rounded(interpolate(rows, level, step), oneCount)),
    };
  }

  /** The point forecast, for features that are at hand. */
  point(described: DescribedSteps): Float64Array {
    return this.#quantileRows(described)[middleLevel].map((value) => rounded(value, described.oneCount));
  }

  /** For each level of the net its value at each step. */
  #quantileRows({ window, steps, candidates, errors, location, scale, ahead }: DescribedSteps): Float64Array[] {
    const horizon = ahead.length;
    const network = this.#network;
    const rows = netLevels.map(() => new Float64Array(horizon));
    const candidateWidth = candidates.length / horizon;
    const stepWidth = steps.length / horizon;
    network.windows.set(window);
    for (let from = 0; from < horizon; from += stepsAtOnce) {
      const count = Math.min(stepsAtOnce, horizon - from);
      network.steps.set(steps.subarray(from * stepWidth, (from + count) * stepWidth));
      network.forward(1, count);
      const near = candidates.subarray(from * candidateWidth, (from + count) * candidateWidth);
      for (let i = 0; i < count; i++) {
        this.#head.quantiles(network.outputs, near, errors, i, ahead[from + i], this.#row);
        this.#row.forEach((value, q) => (rows[q][from + i] = value * scale + location));
      }
    }
    return rows;
  }
}

/** Makes the quantiles as wide as the table of spreads says, and keeps them from crossing. */
function widen(rows: readonly Float64Array[], family: Family): void {
  const point = rows[middleLevel];
  for (let distance = 1; distance <= middleLevel; distance++) {
    for (const side of [-1, 1]) {
      const row = rows[middleLevel + side * distance];
      const inner = rows[middleLevel + side * (distance - 1)];
      const factor = spreadAt(family, Math.abs(scores[middleLevel + side * distance]));
      for (let i = 0; i < row.length; i++) {
        const value = point[i] + factor * (row[i] - point[i]);
        row[i] = side * Math.max(side * value, side * inner[i]);
      }
    }
  }
}

const spreadScores = spreadProbabilities.map((probability) => normalQuantile(0.5 + probability / 2));

function spreadAt(family: Family, score: number): number {
  const factors = spreads[family];
  let k = 1;
  while (k < factors.length - 1 && score > spreadScores[k]) k++;
  const share = clamp((score - spreadScores[k - 1]) / (spreadScores[k] - spreadScores[k - 1]), 0, 1);
  return factors[k - 1] + share * (factors[k] - factors[k - 1]);
}

/** @throws WeightsError */
export function loadWeights(bytes: Uint8Array): NeuralModel {
  return new NeuralModel(decodeWeights(bytes));
}

let base: NeuralModel | undefined;

/** The model that the engine comes with, decoded at its first use. */
export function baseModel(): NeuralModel {
  base ??= loadWeights(fromBase64(baseWeights));
  return base;
}

let latest: { readonly text: string; readonly model: NeuralModel } | undefined;

/** The model with the weights in `TunedParameters`; the latest one stays decoded. @throws WeightsError */
export function tunedModel(text: string): NeuralModel {
  if (latest?.text !== text) latest = { text, model: loadWeights(fromBase64(text)) };
  return latest.model;
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Between the net's levels, and beyond its outer ones, linear in the normal quantile. */
function interpolate(rows: readonly Float64Array[], level: number, step: number): number {
  const score = normalQuantile(level);
  let k = 1;
  while (k < scores.length - 1 && score > scores[k]) k++;
  const [low, high] = [rows[k - 1][step], rows[k][step]];
  const share = (score - scores[k - 1]) / (scores[k] - scores[k - 1]);
  return low + clamp(share, -20, 20) * (high - low);
}

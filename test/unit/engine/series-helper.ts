import { backtestFolds, type BacktestResult, scoreLevels, scoresOf } from '../../../src/engine/forecast.ts';
import type { EngineInput, TunedParameters } from '../../../src/engine/types.ts';

/** How a model would have done at the last rolling origins of a series. */
export function backtest(
  modelId: string,
  input: EngineInput,
  options: { readonly origins?: number } = {},
  tuned?: TunedParameters,
): BacktestResult | undefined {
  const tested = backtestFolds(modelId, { ...input, levels: scoreLevels }, options, tuned);
  return tested && scoresOf(input.values, tested);
}

/** Pseudo-random numbers between -1 and 1, bell-shaped, the same for the same seed. */
export function noise(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return () => (uniform() + uniform() + uniform() + uniform() - 2) / 2;
}

/** A series of values made from their index. */
export const series = (length: number, value: (index: number) => number): Float64Array =>
  Float64Array.from({ length }, (_, i) => value(i));

/** A sine of a period around 0. */
export const wave = (index: number, period: number): number => Math.sin((2 * Math.PI * index) / period);

export function meanAbsoluteError(actual: ArrayLike<number>, predicted: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < actual.length; i++) sum += Math.abs(actual[i] - predicted[i]);
  return sum / actual.length;
}

import { forecastPrepared, preparedFor } from './forecast.ts';
import { meanChange, rollingOrigins, seasonOf } from './rolling-origins.ts';
import type { EngineInput, TunedParameters } from './types.ts';

export const scoreLevels: readonly number[] = [0.025, 0.1, 0.9, 0.975];

export type Folds = NonNullable<ReturnType<typeof backtestFolds>>;
export type Fold = Folds['folds'][number];
export type BacktestResult = NonNullable<ReturnType<typeof scoresOf>>;
/**
 * Forecasts again from the last rolling origins; a long horizon is shortened. Undefined for fewer than 4 points. A fold
 * saw the observations before `end`, and its errors are scaled by half the mean seasonal difference of these.
 */
export function backtestFolds(
  modelId: string,
  input: EngineInput,
  options: { readonly origins?: number | undefined } = {},
  tuned?: TunedParameters,
) {
  const { values, periods } = input;
  const n = values.length;
  const season = seasonOf(periods, n);
  const leastHistory = Math.max(3, season > 1 ? 2 * season : 0);
  const horizon = Math.min(input.horizon, Math.floor((n - leastHistory) / 2), Math.ceil(n / 4));
  if (horizon < 1) return undefined;
  const wanted = Math.max(1, options.origins ?? 3);
  const ends = rollingOrigins({ length: n, stride: horizon, leastHistory, most: wanted });
  const first = values.findIndex(Number.isFinite);
  const folds = ends
    .filter((end) => first >= 0 && first < end)
    .map((end) => {
      const history = values.slice(0, end);
      const seen = { ...input, values: history, horizon };
      const series = preparedFor(seen, tuned);
      const { point, quantiles } = forecastPrepared(modelId, seen, series, tuned);
      const untuned = tuned ? preparedFor(seen) : series;
      const plain = { values: history, periods, horizon, levels: [] };
      const { point: naive } = forecastPrepared('seasonal-naive', plain, untuned);
      const halves = history.map((value) => value / 2);
      return { end, point, quantiles, naive, halfScale: meanChange(halves, season) };
    });
  return { horizon, folds };
}

/** Scores as in the M4 competition (Makridakis et al. 2018), of folds with {@link scoreLevels}; undefined without any. */
export function scoresOf(values: Float64Array, { horizon, folds }: Folds) {
  const sum = { smape: 0, mase: 0, naive: 0, inside80: 0, inside95: 0, scored: 0, scaled: 0 };
  for (const { end, point, quantiles, naive, halfScale } of folds) {
    for (let i = 0; i < horizon; i++) {
      const actual = values[end + i];
      if (!Number.isFinite(actual)) continue;
      // Halves, so that nothing near the largest number overflows.
      const error = Math.abs(actual / 2 - point[i] / 2);
      sum.scored++;
      if (error > 0) sum.smape += Math.min(200, (200 * error) / (Math.abs(actual / 2) + Math.abs(point[i] / 2)));
      if (halfScale > 0) {
        sum.mase += error / halfScale;
        sum.naive += Math.abs(actual / 2 - naive[i] / 2) / halfScale;
        sum.scaled++;
      }
      if (actual >= quantiles[1][i] && actual <= quantiles[2][i]) sum.inside80++;
      if (actual >= quantiles[0][i] && actual <= quantiles[3][i]) sum.inside95++;
    }
  }
  if (sum.scored === 0) return undefined;
  return {
    origins: folds.length,
    horizon,
    smape: sum.smape / sum.scored,
    mase: sum.mase / sum.scaled,
    maseSeasonalNaive: sum.naive / sum.scaled,
    coverage80: sum.inside80 / sum.scored,
    coverage95: sum.inside95 / sum.scored,
  };
}

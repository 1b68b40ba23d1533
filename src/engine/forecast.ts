import { adjusted, wideLevels } from './adjustments.ts';
import type { CountForecast } from './methods/observed.ts';
import { checkPoints, modelOf } from './models.ts';
import { prepareSeries, type Series } from './prepare/series.ts';
import { checkPaths, correlationOf, denseLevels, sampledQuantiles } from './quantiles.ts';
import { clamp } from './statistics.ts';
import { baseSettings, checkHorizon, type EngineForecast, type EngineInput, type TunedParameters } from './types.ts';
import { meanChange, rollingOrigins, seasonOf } from './rolling-origins.ts';

/**
 * Forecasts a series. The model gives one matrix of quantiles, which the `adjustments` bring in line with what is known
 * of the series. Every result is finite, and the quantiles never cross. Deterministic.
 * @param tuned settings that `tune` chose for the model
 * @throws EngineError for an unknown model, a series without enough values, or too many paths
 * @throws RangeError for a horizon below 1, levels that are not rising within (0, 1), or weights of another format
 */
export function forecast(modelId: string, input: EngineInput, tuned?: TunedParameters): EngineForecast {
  return forecastPrepared(modelId, input, preparedFor(input, tuned), tuned);
}

/** The series of a question as the models see it. @throws EngineError if there is no finite value */
function preparedFor({ values, periods }: EngineInput, tuned?: TunedParameters): Series {
  return prepareSeries(values, periods, (tuned?.settings ?? baseSettings).seasonalStrength);
}

function forecastPrepared(
  modelId: string,
  input: EngineInput,
  series: Series,
  tuned?: TunedParameters,
): EngineForecast {
  checkQuestion(input);
  const model = modelOf(modelId);
  const { values, periods, horizon, levels, samples, bounds } = input;
  checkPoints(model, values.filter(Number.isFinite).length);
  const { unit, missingAtEnd } = series;

  const needed = [...(samples === undefined ? levels : denseLevels(levels)), 0.5, ...(bounds ? wideLevels : [])];
  const asked = [...new Set(needed)].sort((a, b) => a - b);
  const own = unit < 0 ? asked.map((level) => 1 - level).reverse() : asked;
  const outlook = model.fit(series, tuned)(horizon + missingAtEnd, own);
  const { isObserved = false, counts } = outlook;
  const { restraint } = tuned?.settings ?? baseSettings;
  const context = { input, isObserved, isRepeated: model.isRepeated ?? false, restraint };
  const most = Number.MAX_VALUE;
  const rows = adjusted(outlook.quantiles, series, context).rows.map((row) =>
    row.subarray(missingAtEnd).map((value) => clamp(value * unit, -most, most)),
  );
  const quantiles = { levels: asked, rows: unit < 0 ? rows.toReversed() : rows };
  const rowOf = (level: number): Float64Array => quantiles.rows[asked.indexOf(level)];
  return {
    point: rowOf(0.5),
    quantiles:
      samples === undefined
        ? levels.map(rowOf)
        : sampledQuantiles(quantiles, levels, samples, correlationOf(values, periods, horizon)),
    // A pattern that explains less of the movement is used, but not reported.
    periods: series.seasons.list.filter(({ strength }) => strength >= 0.1).map(({ period }) => period),
    demand: counts && demandOf(counts, input, series),
  };
}

function demandOf(counts: CountForecast, { levels, horizon, bounds }: EngineInput, { unit, nonNegative }: Series) {
  const floor = nonNegative && !bounds ? 0 : -Infinity;
  const inUnits = (value: number): number => clamp(Math.max(value, floor) * unit, -Number.MAX_VALUE, Number.MAX_VALUE);
  return {
    mean: inUnits(counts.mean),
    total: levels.map((level) => inUnits(counts.total(unit < 0 ? 1 - level : level, horizon))),
  };
}

function checkQuestion({ horizon, levels, samples }: EngineInput): void {
  if (samples !== undefined) checkPaths(samples, horizon);
  checkHorizon(horizon);
  levels.forEach((level, i) => {
    const previous = i > 0 ? levels[i - 1] : 0;
    if (!(level > previous && level < 1)) throw new RangeError('The levels must rise and lie between 0 and 1.');
  });
}

export const scoreLevels: readonly number[] = [0.025, 0.1, 0.9, 0.975];

export type Folds = NonNullable<ReturnType<typeof backtestFolds>>;
export type Fold = Folds['folds'][number];
export type BacktestResult = NonNullable<ReturnType<typeof scoresOf>>;
/** Folds of the last rolling origins, scaled by half the mean seasonal difference before `end`; none of fewer than 4 points. */
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

import { adjusted, wideLevels } from './adjustments/adjustments.ts';
import type { CountForecast } from './methods/observed.ts';
import { checkPoints, modelOf } from './models.ts';
import { prepareSeries, type Series } from './prepare/series.ts';
import { mapRows, type Quantiles } from './quantiles.ts';
import { checkPaths, correlationOf, denseLevels, sampledQuantiles } from './samples.ts';
import { clamp } from './statistics.ts';
import { baseSettings, checkHorizon, type EngineForecast, type EngineInput, type TunedParameters } from './types.ts';

/**
 * Forecasts a series. The model gives one matrix of quantiles, which the `adjustments` bring in line with what is known
 * of the series. Every result is finite, and the quantiles never cross. Deterministic.
 *
 * @param tuned settings that `tune` chose for the model
 * @throws EngineError for an unknown model, a series without enough values, or too many paths
 * @throws RangeError for a horizon below 1, levels that are not rising within (0, 1), or weights of another format
 */
export function forecast(modelId: string, input: EngineInput, tuned?: TunedParameters): EngineForecast {
  return forecastPrepared(modelId, input, preparedFor(input, tuned), tuned);
}

/** The series of a question as the models see it. @throws EngineError if there is no finite value */
export function preparedFor({ values, periods }: EngineInput, tuned?: TunedParameters): Series {
  return prepareSeries(values, periods, (tuned?.settings ?? baseSettings).seasonalStrength);
}

export function forecastPrepared(
  modelId: string,
  input: EngineInput,
  series: Series,
  tuned?: TunedParameters,
): EngineForecast {
  checkQuestion(input);
  const model = modelOf(modelId);
  const { values, periods, horizon, levels, samples, bounds } = input;
  checkPoints(
    model,
    values.reduce((count, value) => count + (Number.isFinite(value) ? 1 : 0), 0),
  );
  const { unit, missingAtEnd } = series;

  const needed = [...(samples === undefined ? levels : denseLevels(levels)), 0.5, ...(bounds ? wideLevels : [])];
  const asked = [...new Set(needed)].sort((a, b) => a - b);
  // A mirrored series has its quantiles mirrored.
  const own = unit < 0 ? asked.map((level) => 1 - level).reverse() : asked;
  const outlook = model.fit(series, tuned)(horizon + missingAtEnd, own);
  const { isObserved = false, counts } = outlook;
  const { restraint } = tuned?.settings ?? baseSettings;
  const context = { input, isObserved, isRepeated: model.isRepeated ?? false, restraint };
  const quantiles = inOriginalUnits(adjusted(outlook.quantiles, series, context), series, asked);
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

function inOriginalUnits(quantiles: Quantiles, { unit, missingAtEnd }: Series, levels: readonly number[]): Quantiles {
  const most = Number.MAX_VALUE;
  const { rows } = mapRows(quantiles, (row) =>
    row.subarray(missingAtEnd).map((value) => clamp(value * unit, -most, most)),
  );
  return { levels, rows: unit < 0 ? rows.toReversed() : rows };
}

function demandOf(
  counts: CountForecast,
  { levels, horizon, bounds }: EngineInput,
  { unit, nonNegative }: Series,
): EngineForecast['demand'] {
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

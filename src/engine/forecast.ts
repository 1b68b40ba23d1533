import { estimate } from './estimate.ts';
import { halfWidths } from './intervals.ts';
import { prepareSeries } from './series.ts';
import { baseSettings } from './settings.ts';
import { clamp } from './statistics.ts';
import type { TunedParameters } from './tune.ts';
import type { EngineForecast, EngineInput } from './types.ts';

export { EngineError } from './errors.ts';

/** A pattern that explains less of the movement than this is used, but not told of. */
const leastStrength = 0.1;

/**
 * Forecasts a series with one of `baseModels`. Deterministic, and it changes nothing of its input.
 *
 * Missing and infinite values are interpolated, spikes are cut for the fit; missing values at the end are forecast like
 * the future. A series without negative values gets a forecast without any. Every result is finite, and the quantiles
 * never cross.
 *
 * @param tuned settings that `tune` chose for the model
 * @throws UnknownModelError for a model id that is not in `baseModels`
 * @throws UnusableSeriesError if the series has no finite value
 * @throws RangeError for a horizon below 1 or levels that are not rising within (0, 1)
 */
export function forecast(modelId: string, input: EngineInput, tuned?: TunedParameters): EngineForecast {
  checkQuestion(input);
  const settings = tuned?.settings ?? baseSettings;
  const series = prepareSeries(input.values, input.periods, settings.seasonalStrength);
  const { unit, missingAtEnd } = series;
  const { point, forecasts } = estimate(modelId, series, input.horizon + missingAtEnd, settings);

  const floor = series.nonNegative ? 0 : -Infinity;
  const inOriginalUnits = (value: number): number =>
    clamp(Math.max(value, floor) * unit, -Number.MAX_VALUE, Number.MAX_VALUE);
  const future = (values: Float64Array): Float64Array => values.map(inOriginalUnits).slice(missingAtEnd);

  return {
    point: future(point),
    quantiles: quantilesOf(),
    periods: series.seasons.list.filter(({ strength }) => strength >= leastStrength).map(({ period }) => period),
  };

  function quantilesOf(): Float64Array[] {
    if (input.levels.length === 0) return [];
    const halfWidth = halfWidths(modelId, series, point, forecasts);
    return input.levels.map((level) => {
      // A mirrored series has its quantiles mirrored.
      const side = Math.sign(level - 0.5) * Math.sign(unit) * settings.width;
      const probability = Math.abs(2 * level - 1);
      return future(point.map((value, i) => (side === 0 ? value : value + side * halfWidth(probability, i))));
    });
  }
}

function checkQuestion({ horizon, levels }: EngineInput): void {
  if (!Number.isInteger(horizon) || horizon < 1) {
    throw new RangeError('The horizon must be a whole number of 1 or more.');
  }
  levels.forEach((level, i) => {
    const previous = i > 0 ? levels[i - 1] : 0;
    if (!(level > previous && level < 1)) throw new RangeError('The levels must rise and lie between 0 and 1.');
  });
}

import { closedSteps } from './closed.ts';
import { distributionOf } from './distribution.ts';
import { prepareSeries } from './prepare/series.ts';
import { sampledQuantiles } from './samples.ts';
import { baseSettings } from './settings.ts';
import { clamp } from './statistics.ts';
import type { TunedParameters } from './tuning/tuned.ts';
import type { EngineForecast, EngineInput } from './types.ts';

export { EngineError } from './errors.ts';

/** A pattern that explains less of the movement than this is used, but not told of. */
const leastStrength = 0.1;

/**
 * Forecasts a series with one of `baseModels`. Deterministic, and it changes nothing of its input.
 *
 * Missing and infinite values are interpolated, spikes are cut for the fit; missing values at the end are forecast like
 * the future. Steps that were 0 at their place in the calendar each of the last times are 0. A series without negative values gets a forecast
 * without any, unless it is asked across zero. Every result is finite, and the quantiles
 * never cross.
 *
 * @param tuned settings that `tune` chose for the model
 * @throws WeightsError for tuned weights of another format
 * @throws UnknownModelError for a model id that is not in `baseModels`
 * @throws UnusableSeriesError if the series has no finite value
 * @throws RangeError for a horizon below 1 or levels that are not rising within (0, 1)
 */
export function forecast(modelId: string, input: EngineInput, tuned?: TunedParameters): EngineForecast {
  checkQuestion(input);
  const { seasonalStrength } = tuned?.settings ?? baseSettings;
  const series = prepareSeries(input.values, input.periods, seasonalStrength);
  const { unit, missingAtEnd } = series;
  const { point, quantile, counts } = distributionOf(modelId, series, input.horizon + missingAtEnd, tuned);

  const floor = series.nonNegative && !input.acrossZero ? 0 : -Infinity;
  const inOriginalUnits = (value: number): number =>
    clamp(Math.max(value, floor) * unit, -Number.MAX_VALUE, Number.MAX_VALUE);
  const closed = counts ? undefined : closedSteps(input.values, input.periods, input.horizon);
  const future = (values: Float64Array): Float64Array => {
    const result = values.map(inOriginalUnits).slice(missingAtEnd);
    return closed ? result.map((value, step) => (closed[step] === 1 ? 0 : value)) : result;
  };

  // A mirrored series has its quantiles mirrored.
  const asked = (level: number, step: number): number => quantile(unit < 0 ? 1 - level : level, step);
  const mirrored = (level: number, step: number): number => Math.sign(unit) * asked(level, step);
  const { levels, samples } = input;
  const rows =
    samples === undefined
      ? levels.map((level) => point.map((_, step) => asked(level, step)))
      : sampledQuantiles(mirrored, levels, point.length, samples).map((row) =>
          row.map((value) => Math.sign(unit) * value),
        );

  const median = future(point);
  return {
    point: median,
    quantiles: samples === undefined ? uncrossed(rows.map(future), levels, median) : rows.map(future),
    periods: series.seasons.list.filter(({ strength }) => strength >= leastStrength).map(({ period }) => period),
    demand: counts && {
      mean: inOriginalUnits(counts.mean),
      total: levels.map((level) => inOriginalUnits(counts.total(unit < 0 ? 1 - level : level, input.horizon))),
    },
  };
}

/** Rows that rise with the level and hold the median between them: sums of the same terms may cross by a last digit. */
function uncrossed(rows: Float64Array[], levels: readonly number[], median: Float64Array): Float64Array[] {
  rows.forEach((row, k) => {
    for (let i = 0; i < row.length; i++) {
      const value = levels[k] < 0.5 ? Math.min(row[i], median[i]) : Math.max(row[i], median[i]);
      row[i] = k > 0 ? Math.max(value, rows[k - 1][i]) : value;
    }
  });
  return rows;
}

function checkQuestion({ horizon, levels, samples }: EngineInput): void {
  if (samples !== undefined && !(Number.isInteger(samples) && samples >= 1)) {
    throw new RangeError('The number of sample paths must be a whole number of 1 or more.');
  }
  if (!Number.isInteger(horizon) || horizon < 1) {
    throw new RangeError('The horizon must be a whole number of 1 or more.');
  }
  levels.forEach((level, i) => {
    const previous = i > 0 ? levels[i - 1] : 0;
    if (!(level > previous && level < 1)) throw new RangeError('The levels must rise and lie between 0 and 1.');
  });
}

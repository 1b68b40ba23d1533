export { EngineError } from './errors.ts';
import { errorScale, halfWidth } from './intervals.ts';
import { logTheta, seasonalNaive, type Method } from './methods.ts';
import { baseModels, UnknownModelError } from './models.ts';
import { prepareSeries } from './series.ts';
import { clamp } from './statistics.ts';
import type { TunedParameters } from './tune.ts';
import type { EngineForecast, EngineInput } from './types.ts';

/** A method for each id in `baseModels`. */
const methods: Readonly<Record<string, Method>> = {
  'seasonal-naive': seasonalNaive,
  theta: logTheta,
  ets: logTheta,
  ensemble: logTheta,
};

/**
 * Forecasts a series with one of `baseModels`. Deterministic, and it changes nothing of its input.
 *
 * Missing and infinite values are interpolated, spikes are cut for the fit; missing values at the end are forecast like
 * the future. A series without negative values gets a forecast without any. Every result is finite, and the quantiles
 * never cross.
 *
 * @throws UnknownModelError for a model id that is not in `baseModels`.
 * @throws UnusableSeriesError if the series has no finite value.
 * @throws RangeError for a horizon below 1 or levels that are not rising within (0, 1).
 */
export function forecast(modelId: string, input: EngineInput, _tuned?: TunedParameters): EngineForecast {
  const method = methodOf(modelId);
  checkQuestion(input);
  const series = prepareSeries(input.values, input.periods);
  const steps = input.horizon + series.missingAtEnd;
  const point = method(series, steps);
  const scale = errorScale(series, method);
  const floor = series.nonNegative ? 0 : -Infinity;
  const inOriginalUnits = (value: number): number =>
    clamp(Math.max(value, floor) * series.unit, -Number.MAX_VALUE, Number.MAX_VALUE);

  const bands = input.levels.map((level) => {
    // A mirrored series has its quantiles mirrored.
    const signed = (series.unit < 0 ? -1 : 1) * Math.sign(level - 0.5);
    const probability = Math.abs(2 * level - 1);
    return point.map((value, i) => inOriginalUnits(value + signed * halfWidth(scale, probability, i)));
  });
  return {
    point: point.map(inOriginalUnits).slice(series.missingAtEnd),
    quantiles: bands.map((band) => band.slice(series.missingAtEnd)),
    periods: series.seasons.list.map((season) => season.period),
  };
}

function methodOf(modelId: string): Method {
  if (!baseModels.some((model) => model.id === modelId)) throw new UnknownModelError(modelId);
  return methods[modelId];
}

function checkQuestion({ horizon, levels }: EngineInput): void {
  if (!Number.isInteger(horizon) || horizon < 1)
    throw new RangeError(`The horizon must be a whole number of 1 or more.`);
  levels.forEach((level, i) => {
    const previous = i > 0 ? levels[i - 1] : 0;
    if (!(level > previous && level < 1)) throw new RangeError('The levels must rise and lie between 0 and 1.');
  });
}

/** How well nets forecast what was held back, by the same way from a net to a forecast as when they are used. */
import { netShareOf } from '../distribution.ts';
import { estimate } from '../ensemble/estimate.ts';
import { fineStructure, smoothed } from '../ensemble/fine-structure.ts';
import { limitsOf, withinLimits } from '../ensemble/plausible.ts';
import { restrained, sharedByDistance, yardstickOf } from '../ensemble/restraint.ts';
import { countForecast } from '../methods/counts.ts';
import { plateauForecast } from '../methods/plateaus.ts';
import type { NeuralModelId } from '../models.ts';
import { describeSteps, type NeuralModel } from '../neural/model.ts';
import type { Series } from '../prepare/series.ts';
import { baseSettings } from '../settings.ts';
import type { HoldOut } from './training-series.ts';

/** How a net is used; see `TunedParameters`. */
export interface Use {
  /** Whether it was trained: the untrained one has no say of counts and plateaus. */
  readonly trained: boolean;
  readonly netOdds: number;
}

/** The point forecast of a model, given that of its net. */
type Completion = (net: Float64Array, use: Use) => Float64Array;

/**
 * The MASE of nets on each hold-out, from what a net is to see of it: one array for each way to use it. What does not
 * change from net to net is computed once.
 *
 * @returns a function that also tells, if asked, what is missing to the truth at each of the last `horizon` steps of each
 * hold-out, in mean seasonal changes; 0 where nothing was observed
 */
export function scorer(
  modelId: NeuralModelId,
  held: readonly HoldOut[],
  horizon: number,
  seenOf: (one: HoldOut) => Series = ({ series }) => series,
): (model: NeuralModel, uses: readonly Use[], onErrors?: (errors: Float64Array) => void) => Float64Array[] {
  const ready = held.map((one) => {
    const { series, future, scale } = one;
    const seen = seenOf(one);
    const count = Math.max(horizon, future.length);
    return {
      future,
      scale,
      units: seen.unit / series.unit,
      sign: Math.sign(series.unit),
      window: describeSteps(seen, count),
      complete: completionOf(modelId, seen, count),
      floor: seen.nonNegative ? 0 : -Infinity,
    };
  });
  return (model, uses, onErrors) => {
    const scores = uses.map(() => new Float64Array(ready.length));
    ready.forEach(({ future, scale, units, sign, window, complete, floor }, place) => {
      const net = model.point(window);
      uses.forEach((use, k) => {
        const point = complete(net, use);
        let sum = 0;
        let count = 0;
        const errors = future.map((actual, i) => {
          if (!Number.isFinite(actual)) return 0;
          const error = actual - units * Math.max(point[i], floor);
          sum += Math.abs(error);
          count++;
          return (sign * error) / scale;
        });
        scores[k][place] = sum / count / scale;
        onErrors?.(errors.subarray(-horizon));
      });
    });
    return scores;
  };
}

/** As in `distributionOf`, for the point alone. */
function completionOf(modelId: NeuralModelId, series: Series, horizon: number): Completion {
  const limits = limitsOf(series.values, series.observedValues, horizon);
  const fine = horizon < 3 ? undefined : fineStructure(series);
  const plausible = (point: Float64Array): Float64Array => withinLimits(fine ? smoothed(point, fine) : point, limits);
  if (modelId === 'neural') return plausible;
  const counts = countForecast(series, horizon)?.point;
  if (counts) {
    return (net, { trained }) => (trained ? counts.map((value, i) => (value + net[i]) / 2) : counts);
  }
  const plateau = plateauForecast(series, horizon)?.point;
  const ensemble =
    netShareOf(series) < 1 ? estimate('ensemble', series, horizon, baseSettings, limits).point : undefined;
  const yardstick = yardstickOf(series, horizon);
  return (net, { trained, netOdds }) => {
    if (plateau && !trained) return plausible(plateau);
    if (!ensemble) return plausible(net);
    const share = netShareOf(series, netOdds);
    if (share === 0) return plausible(ensemble);
    const own = sharedByDistance(share, ensemble, net, yardstick);
    const mixed = ensemble.map((value, i) => (1 - own) * value + own * net[i]);
    return plausible(restrained(mixed, series, yardstick));
  };
}

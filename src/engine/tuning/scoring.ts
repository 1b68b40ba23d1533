/** How well nets forecast what was held back, by the same way from a net to a forecast as when they are used. */
import { adjusted } from '../adjustments/adjustments.ts';
import { observed } from '../models.ts';
import { describeSteps, type NeuralModel } from '../neural/model.ts';
import type { Series } from '../prepare/series.ts';
import { meanAbsolute } from '../statistics.ts';
import type { HoldOut } from './training-series.ts';

/**
 * The MASE of nets on each hold-out, from what a net is to see of it. What does not change from net to net is computed
 * once.
 *
 * @returns a function that is told whether the net was trained on a dataset, and tells, if asked, what is missing to the
 * truth at each of the last `horizon` steps of each hold-out, in mean seasonal changes; 0 where nothing was observed
 */
export function scorer(
  held: readonly HoldOut[],
  horizon: number,
  seenOf: (one: HoldOut) => Series = ({ series }) => series,
): (model: NeuralModel, isTrained: boolean, onErrors?: (errors: Float64Array) => void) => Float64Array {
  const ready = held.map((one) => {
    const seen = seenOf(one);
    const { length } = one.future;
    return { ...one, seen, window: describeSteps(seen, length), complete: completionOf(one, seen, length) };
  });
  return (model, isTrained, onErrors) =>
    Float64Array.from(ready, ({ future, series, scale, seen, window, complete }) => {
      const point = complete(model.point(window), isTrained);
      const missing = future.map((actual, i) => actual - (seen.unit / series.unit) * point[i]);
      const known = missing.filter(Number.isFinite);
      const inChanges = missing.map((error) => (Number.isFinite(error) ? (Math.sign(series.unit) * error) / scale : 0));
      onErrors?.(inChanges.subarray(-horizon));
      return meanAbsolute(known) / scale;
    });
}

/** As the model `hybrid` does it, for the median alone. */
function completionOf(
  { seen, periods }: HoldOut,
  series: Series,
  horizon: number,
): (net: Float64Array, isTrained: boolean) => Float64Array {
  const levels = [0.5];
  const input = { values: seen, periods, horizon, levels };
  const past = observed(series, horizon, levels);
  return (net, isTrained) => {
    const own = past?.quantiles.rows[0];
    const isMixed = own && past.counts && isTrained;
    const row = isMixed ? own.map((value, i) => (value + net[i]) / 2) : (own ?? net);
    const context = { input, isObserved: own !== undefined, isRepeated: false, isTrained };
    return adjusted({ levels, rows: [row] }, series, context).rows[0];
  };
}

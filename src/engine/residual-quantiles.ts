import type { Series } from './prepare/series.ts';
import type { Quantiles } from './quantiles.ts';
import { rollingOrigins } from './rolling-origins.ts';
import { clamp, meanAbsolute } from './statistics.ts';

export type PointForecast = (series: Series, horizon: number) => Float64Array;

/** Student's t with four degrees of freedom, as errors of forecasts have heavy tails, of the error as it grows. */
export function residualQuantiles(
  series: Series,
  horizon: number,
  levels: readonly number[],
  forecast: PointForecast,
): Quantiles {
  const point = forecast(series, horizon);
  if (levels.every((level) => studentQuantile(level) === 0)) return { levels, rows: levels.map(() => point) };
  // The mean absolute value of the standard normal distribution is √(2/π).
  const { size, growth } = errorsOf(series, horizon, forecast);
  const scale = point.map((_, i) => Math.sqrt(Math.PI / 2) * size * (i + 1) ** growth);
  return { levels, rows: levels.map((level) => point.map((value, i) => value + studentQuantile(level) * scale[i])) };
}

/** As of one step ahead, and the exponent with which it grows. Of few origins, half of the level counts as two errors more. */
function errorsOf(series: Series, horizon: number, forecast: PointForecast): { size: number; growth: number } {
  const { values, candidates, filledIn } = series;
  const n = values.length;
  const period = Math.round(candidates[0] ?? 1);
  const leastHistory = Math.min(period > 1 ? Math.max(2 * period + 2, 6) : 6, Math.max(1, n - 2));
  const stride = Math.max(1, Math.min(horizon, Math.floor((n - leastHistory) / 6)));
  const sums = new Float64Array(horizon);
  const counts = new Float64Array(horizon);
  const ends = rollingOrigins({ length: n, stride, leastHistory, most: 6 });
  for (const end of ends) {
    const steps = Math.min(horizon, n - end);
    forecast(series.slice(0, end), steps).forEach((value, i) => {
      if (filledIn?.[end + i] === 1) return;
      sums[i] += Math.abs(values[end + i] - value);
      counts[i]++;
    });
  }
  const isKnown = ends.length >= 3 && counts.some((count) => count > 0);
  const growth = ends.length < 3 ? 0.4 : ownGrowth(sums, counts);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < horizon; i++) {
    sum += sums[i] / (i + 1) ** growth;
    count += counts[i];
  }
  const level = meanAbsolute(values);
  const prior = (level || 1) / 2;
  if (!isKnown) return { size: (sum + 2 * prior) / (count + 2), growth };
  const mean = sum / count;
  return { size: mean > 1e-9 * level ? mean : (0.2 * prior) / n, growth };
}

function ownGrowth(sums: Float64Array, counts: Float64Array): number {
  const total = { weight: 0, x: 0, y: 0, xx: 0, xy: 0 };
  for (let i = 0; i < sums.length; i++) {
    if (!(sums[i] > 0)) continue;
    const step = Math.log(i + 1);
    const error = Math.log(sums[i] / counts[i]);
    const weight = counts[i] / (i + 1);
    total.weight += weight;
    total.x += weight * step;
    total.y += weight * error;
    total.xx += weight * step * step;
    total.xy += weight * step * error;
  }
  const spread = total.xx - (total.x * total.x) / total.weight;
  if (!(spread > 1e-9)) return 0.4;
  const own = (total.xy - (total.x * total.y) / total.weight) / spread;
  return clamp((0.4 + own) / 2, 0, 1);
}

/** In closed form (Shaw 2006), with four degrees of freedom. */
export function studentQuantile(level: number): number {
  if (level === 0.5) return 0;
  const product = 4 * level * (1 - level);
  const root = Math.sqrt(product);
  const q = Math.cos(Math.acos(root) / 3) / root;
  return 2 * Math.sign(level - 0.5) * Math.sqrt(Math.max(0, q - 1));
}

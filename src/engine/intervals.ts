import type { Method } from './methods.ts';
import { prepareSeries, type Series } from './series.ts';
import { meanAbsolute } from './statistics.ts';

/** The half width of the central interval of a probability, for each step. */
export function halfWidth(scale: number, probability: number, step: number): number {
  return scale * 1.25 * normalQuantile(0.5 + probability / 2) * Math.sqrt(step + 1);
}

/** The typical one-step error of a method on the series' own history. */
export function errorScale(series: Series, method: Method): number {
  const n = series.values.length;
  const errors: number[] = [];
  const origins = Math.min(6, n - 3);
  for (let k = 1; k <= origins; k++) {
    const past = prepareSeries(series.values.slice(0, n - k), series.candidates);
    errors.push(series.values[n - k] - method(past, 1)[0] * past.unit);
  }
  const typical = meanAbsolute(series.values);
  return Math.max(errors.length > 0 ? meanAbsolute(errors) : 0.2 * typical, 1e-4 * typical);
}

/** The standard normal quantile (Acklam's rational approximation, relative error below 1.2e-9). */
export function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  if (probability < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(probability));
    return (
      (((((-7.784894002430293e-3 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q +
        4.374664141464968) *
        q +
        2.938163982698783) /
      ((((7.784695709041462e-3 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1)
    );
  }
  const q = probability - 0.5;
  const r = q * q;
  return (
    ((((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
      2.506628277459239) *
      q) /
    (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
      1)
  );
}

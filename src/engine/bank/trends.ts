/** Candidates that go on growing. */
import { fitDynamicTheta } from '../methods/dotm.ts';
import { thetaForecast } from '../methods/theta.ts';
import { differences, linearTrend, median } from '../statistics.ts';
import { along, seasonalLevel, unfitted, type Candidate, type Predict } from './candidate.ts';
import { trendDamping } from './smoothing.ts';
import { lastOf, unscaled } from './view.ts';

/** A forecast of the logarithms of the seasonally adjusted values, put back. */
function onLogarithms(core: (values: Float64Array, horizon: number) => Float64Array): () => Predict {
  return unfitted((now, horizon) => now.inSeason(unscaled(core(now.adjustedLogs.values, horizon), now.adjustedLogs)));
}

/** The last value and from there so much for each step. */
function drifting(values: Float64Array, growth: number, horizon: number): Float64Array {
  return along(horizon, (ahead) => values[values.length - 1] + growth * ahead);
}

function medianStep(values: Float64Array): number {
  return values.length > 1 ? median(differences(values, 1)) : 0;
}

/** The mean step, in which each counts .9 of the next newer one. */
function recentStep(values: Float64Array): number {
  let sum = 0;
  let weights = 0;
  for (let i = 1; i < values.length; i++) {
    sum += values[i] - values[i - 1] - 0.1 * sum;
    weights += 1 - 0.1 * weights;
  }
  return weights > 0 ? sum / weights : 0;
}

export const trends: readonly Candidate[] = [
  {
    id: 'damped-trend',
    description: 'Holt’s trend, damped by 0.95 (Gardner and McKenzie 1985).',
    fit: seasonalLevel(
      ({ smoothed: { trend } }) =>
        (ahead) =>
          trend.level + ((trendDamping * (1 - trendDamping ** ahead)) / (1 - trendDamping)) * trend.slope,
    ),
  },
  {
    id: 'half-trend',
    description: 'The theta method with the line of all values (Assimakopoulos and Nikolopoulos 2000).',
    fit: seasonalLevel(({ adjusted, smoothed: { best } }) => {
      const { slope } = linearTrend(adjusted);
      return (ahead) => best.level + 0.5 * slope * (ahead - 1 + 1 / Math.max(best.weight, 0.1));
    }),
  },
  {
    id: 'log-theta',
    description: 'The theta method on logarithms.',
    fit: onLogarithms((values, horizon) => thetaForecast(lastOf(values, 300), horizon)),
  },
  {
    id: 'median-growth',
    description: 'The last value, and from there the median growth of the last 60 steps, on logarithms.',
    fit: onLogarithms((values, horizon) => drifting(values, medianStep(lastOf(values, 60)), horizon)),
  },
  {
    id: 'root-dynamic-theta',
    description: 'The dynamic optimised theta model on square roots (Fiorucci et al. 2016).',
    fit: (view) => (now, horizon) => {
      const values = lastOf(now.adjusted, 120);
      const tried = now === view ? 40 : 16;
      if (!now.adjustedLogs.logarithmic) return now.inSeason(fitDynamicTheta(values, tried).forecast(horizon));
      const roots = fitDynamicTheta(values.map(Math.sqrt), tried).forecast(horizon);
      return now.inSeason(roots.map((value) => Math.max(value, 0) ** 2));
    },
  },
  {
    id: 'recent-drift',
    description: 'The last value, and from there the growth of the last steps.',
    fit: unfitted((now, horizon) =>
      now.inSeason(drifting(now.adjusted, recentStep(lastOf(now.adjusted, 300)), horizon)),
    ),
  },
];

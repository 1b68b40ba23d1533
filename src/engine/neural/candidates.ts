import { fitDynamicTheta } from '../methods/dotm.ts';
import { continueLags, fitLagRidge, type LagFit, type RidgeOptions } from '../methods/ridge.ts';
import { thetaForecast } from '../methods/theta.ts';
import { linearTrend, median } from '../statistics.ts';
import { analogForecast } from './analog.ts';
import { meanOfPhases, medianOfPhases, repeated, yearOnYear } from './profiles.ts';
import { smoothBest } from './smoothing.ts';
import { lastOf, samePhase, unscaled, type Restoring, type View } from './view.ts';

/** The simple forecasts that the net weighs. */
export const candidateNames = [
  'naive',
  'lastValue',
  'seasonalNaive',
  'usualLevel',
  'bestLevel',
  'dampedTrend',
  'slowTrend',
  'quickTrend',
  'halfTrend',
  'drift',
  'recentPhases',
  'longNaive',
  'plainLevel',
  'recentMean',
  'logTheta',
  'medianGrowth',
  'shortTheta',
  'seasonalNaiveAtLevel',
  'seasonalNaiveGrown',
  'growthRidge',
  'adjustedRidge',
  'lagRidge',
  'changeRidge',
  'longPhases',
  'rootDynamicTheta',
  'recentMedian',
  'medianOfPhases',
  'cycleRidge',
  'wideRidge',
  'analog',
  'longMean',
  'longPhasesAtLevel',
] as const;
export type CandidateName = (typeof candidateNames)[number];
export const candidateCount = candidateNames.length;
/** Those that are the seasonal naive forecast where they cannot be had; the others are the naive one. */
const seasonalOnes = new Set<CandidateName>([
  'longNaive',
  'lagRidge',
  'changeRidge',
  'longPhases',
  'medianOfPhases',
  'cycleRidge',
  'wideRidge',
  'longPhasesAtLevel',
]);

/** What candidates have learned from a view; it forecasts from that view and from earlier ones. */
export interface FittedCandidates {
  /** A forecast of `horizon` steps by each of `candidateNames`, all finite, in the units of the series. */
  forecasts(view: View, horizon: number, restoring: Restoring): Float64Array[];
}

/** More points make an autoregression slower, but hardly better. */
const mostFitted = 3000;
const mostRecentFitted = 300;

/** All are cheap, as each window in training needs them. */
export function fitCandidates(view: View): FittedCandidates {
  const { logs, adjusted, adjustedLogs, period, longPeriod } = view;
  const fit = (values: Float64Array, lags: readonly number[], options: RidgeOptions): LagFit | undefined =>
    fitLagRidge(lastOf(values, Math.max(mostFitted, 3 * longPeriod)), rising(lags), options);
  const p = period;
  const long = longPeriod > 0 ? [longPeriod - 1, longPeriod, longPeriod + 1] : [2 * p];
  const around = longPeriod > 0 ? [p, longPeriod].flatMap((steps) => [steps - 1, steps, steps + 1]) : [];
  const growth = fitLagRidge(lastOf(adjustedLogs.values, mostRecentFitted), [1, 2, 3], {
    penalty: 0.02,
    difference: 1,
  });
  const level = fit(longPeriod > 0 ? adjusted : lastOf(adjusted, 2 * mostRecentFitted), [1, 2, 3, 4, 5, 6, ...around], {
    penalty: 1e-3,
  });
  const seasonal = p > 1;
  const lagged = seasonal
    ? fit(logs.values, [1, 2, 3, p - 1, p, p + 1, ...long], { penalty: 0.002 })
    : fit(view.values, [1, 2, 3, 4], { penalty: 0.01 });
  const changes = seasonal
    ? fit(logs.values, [1, 2, 3, p, p + 1, ...long], { penalty: 0.02, difference: p })
    : fit(view.values, [1, 2, 3], { penalty: 0.05, difference: 1 });
  const cycles = [1, 2, 3, 4, 5, 6, 7].map((k) => k * p);
  const cycled = seasonal
    ? fit(view.values, [...cycles, ...(longPeriod > 0 ? [longPeriod, 2 * longPeriod] : [])], { penalty: 0.01 })
    : fit(view.values, [1, 2, 3, 4, 6, 8, 12, 16, 24], { penalty: 0.01 });
  const wide = seasonal
    ? fit(view.values, [1, 2, 3, 4, 6, p - 1, p, p + 1, 2 * p - 1, 2 * p, 2 * p + 1, 3 * p, ...long], { penalty: 1e-3 })
    : fit(view.values, [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14], { penalty: 1e-3, difference: 1 });
  const scales = { lagged: seasonal ? view.logs : plain, changes: seasonal ? view.logs : plain };

  return {
    forecasts(now, horizon, restoring) {
      const along = (at: (ahead: number) => number): Float64Array => {
        const result = new Float64Array(horizon);
        for (let i = 0; i < horizon; i++) result[i] = at(i + 1);
        return result;
      };
      const inSeason = (forecast: Float64Array | undefined): Float64Array | undefined =>
        restoring.seasonal
          ? forecast?.map((value, i) => value * restoring.factors[i] + restoring.offsets[i])
          : forecast;
      const { values, adjusted: flat, adjustedLogs: flatLogs, smoothed } = now;
      const from = (ridge: LagFit | undefined, known: Float64Array): Float64Array | undefined =>
        ridge && continueLags(ridge, known, horizon);
      const n = values.length;
      const last = values[n - 1];
      const lastAdjusted = flat[n - 1];
      const atLevel = (at: (ahead: number) => number): Float64Array => inSeason(along(at))!;
      const { best, usual, quick, medium, slow } = smoothed;
      const plainLevel = smoothBest(lastOf(values, mostRecentFitted)).level;
      const recentMean = meanOf(lastOf(values, Math.max(4 * p, 24)));
      const recentMedian = median(lastOf(values, Math.max(2 * p, 12)));
      const longMean = meanOf(flat);
      const { slope } = linearTrend(flat);
      const drift = n > 1 ? (lastAdjusted - flat[0]) / (n - 1) : 0;
      const seasonalNaive = repeated(values, p, horizon);
      const grown = yearOnYear(now);
      const naive = atLevel(() => lastAdjusted);
      const shifted = (pattern: Float64Array | undefined, level: number): Float64Array | undefined =>
        pattern?.map((value, i) => value + (best.level - level) * restoring.factors[i]);
      const longPhases = longMeanOf(now, horizon);
      const recentLogs = lastOf(flatLogs.values, 60);
      const all: Record<CandidateName, Float64Array | undefined> = {
        naive,
        lastValue: along(() => last),
        seasonalNaive,
        usualLevel: atLevel(() => usual.level),
        bestLevel: atLevel(() => best.level),
        dampedTrend: atLevel((ahead) => medium.level + damped(0.95, ahead) * medium.slope),
        slowTrend: atLevel((ahead) => slow.level + ahead * slow.slope),
        quickTrend: atLevel((ahead) => quick.level + damped(0.9, ahead) * quick.slope),
        halfTrend: atLevel((ahead) => best.level + 0.5 * slope * (ahead - 1 + 1 / Math.max(best.weight, 0.1))),
        drift: atLevel((ahead) => lastAdjusted + ahead * drift),
        recentPhases: meanOfPhases(values, p, 4, horizon),
        longNaive: longPeriod > 0 && n > longPeriod ? repeated(values, longPeriod, horizon) : undefined,
        plainLevel: along(() => plainLevel),
        recentMean: along(() => recentMean),
        logTheta: inSeason(unscaled(thetaForecast(lastOf(flatLogs.values, mostRecentFitted), horizon), flatLogs)),
        medianGrowth: inSeason(unscaled(medianGrowth(recentLogs, horizon), flatLogs)),
        shortTheta: inSeason(thetaForecast(lastOf(flat, 60), horizon)),
        seasonalNaiveAtLevel: seasonalNaive.map((value, i) => {
          const at = Math.max(0, samePhase(n, p, i + 1));
          return value + (best.level - flat[at]) * restoring.factors[i];
        }),
        seasonalNaiveGrown: seasonalNaive.map((value, i) => grown(value, Math.ceil((i + 1) / p))),
        growthRidge: inSeason(unscaled(from(growth, flatLogs.values), flatLogs)),
        adjustedRidge: inSeason(from(level, flat)),
        lagRidge: unscaled(from(lagged, seasonal ? now.logs.values : values), scales.lagged),
        changeRidge: unscaled(from(changes, seasonal ? now.logs.values : values), scales.changes),
        longPhases,
        rootDynamicTheta: inSeason(rootDynamicTheta(lastOf(flat, 120), horizon, now === view ? 40 : 16)),
        recentMedian: along(() => recentMedian),
        medianOfPhases: p > 1 ? medianOfPhases(values, p, 7, horizon) : undefined,
        cycleRidge: from(cycled, values),
        wideRidge: from(wide, values),
        analog: analogForecast(now, horizon),
        longMean: atLevel(() => longMean),
        longPhasesAtLevel: shifted(longPhases, meanOf(lastOf(flat, reachOfLongMean(now)))),
      };
      return candidateNames.map((name) => usable(all[name]) ?? (seasonalOnes.has(name) ? seasonalNaive : naive));
    },
  };
}

const plain = { values: new Float64Array(0), logarithmic: false };

function usable(forecast: Float64Array | undefined): Float64Array | undefined {
  return forecast?.every(Number.isFinite) ? forecast : undefined;
}

function rising(lags: readonly number[]): number[] {
  return [...new Set(lags)].filter((lag) => lag > 0).sort((a, b) => a - b);
}

/** φ + φ² + … up to the step. */
function damped(factor: number, ahead: number): number {
  return (factor * (1 - factor ** ahead)) / (1 - factor);
}

/** The dynamic optimised theta model on square roots, with fewer trials than the `ensemble` spends on it. */
function rootDynamicTheta(values: Float64Array, horizon: number, trials: number): Float64Array {
  const negative = values.some((value) => value <= 0);
  if (negative) return fitDynamicTheta(values, trials).forecast(horizon);
  return fitDynamicTheta(values.map(Math.sqrt), trials)
    .forecast(horizon)
    .map((value) => Math.max(value, 0) ** 2);
}

function medianGrowth(values: Float64Array, horizon: number): Float64Array {
  const n = values.length;
  const steps = new Float64Array(Math.max(0, n - 1));
  for (let i = 0; i < steps.length; i++) steps[i] = values[i + 1] - values[i];
  const growth = steps.length > 0 ? median(steps) : 0;
  return Float64Array.from({ length: horizon }, (_, i) => values[n - 1] + growth * (i + 1));
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Long cycles, or else cycles, that a mean over phases takes. */
const longCycles = 8;
const shortCycles = 12;

/** The mean of the values in the same phase of the long period, or of all in the same phase where there is none. */
function longMeanOf({ values, period, longPeriod }: View, horizon: number): Float64Array | undefined {
  if (longPeriod === 0 && period < 2) return undefined;
  return longPeriod > 0 && values.length > longPeriod
    ? meanOfPhases(values, longPeriod, longCycles, horizon)
    : meanOfPhases(values, period, shortCycles, horizon);
}

/** How many points such a mean stands for. */
function reachOfLongMean({ values, period, longPeriod }: View): number {
  return longPeriod > 0 && values.length > longPeriod ? longCycles * longPeriod : shortCycles * period;
}

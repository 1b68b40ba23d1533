import { forecastBlocks } from './aggregate.ts';
import { fitDynamicTheta } from './dotm.ts';
import { etsForecast, fitEts, readForm } from './ets.ts';
import { continueLags, fitLagRidge, lagRidge, type RidgeOptions } from './ridge.ts';
import { isMultiple, removeSeason, restoreSeasons } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import { allPositive, median } from '../statistics.ts';
import { thetaForecast } from './theta.ts';

/** A point forecast of `horizon` values of a prepared series; undefined where the method does not suit the series. */
export type Method = (series: Series, horizon: number) => Float64Array | undefined;

/** A forecast of plain values without seasonality. */
type Core = (values: Float64Array, horizon: number) => Float64Array | undefined;

/** Smoothing models look back no farther than this, which costs no accuracy and bounds the time. */
const smoothingMemory = 500;
/** Weight of a step in the recent drift, beside the next newer one. */
const driftDecay = 0.9;
/** The growth of fewer values is not taken for exponential. */
const fewestForLogarithms = 6;
/** The largest exponent that a forecast on the log scale may have. */
const largestExponent = 230;

const exponentials = (values: Float64Array): Float64Array =>
  values.map((value) => Math.exp(Math.min(value, largestExponent)));
const squares = (values: Float64Array): Float64Array => values.map((value) => Math.max(value, 0) ** 2);

function onAdjusted(core: Core): Method {
  return ({ values, seasons }, horizon) => {
    const forecast = core(seasons.adjusted, horizon);
    return forecast && restoreSeasons(forecast, seasons.list, values.length);
  };
}

/** On the logarithms of the seasonally adjusted values; on these themselves where not all are positive, or too few. */
function onLogarithms(core: Core): Method {
  return onAdjusted((values, horizon) => {
    if (values.length < fewestForLogarithms || !allPositive(values)) return core(values, horizon);
    const forecast = core(values.map(Math.log), horizon);
    return forecast && exponentials(forecast);
  });
}

function onSquareRoots(core: Core): Method {
  return onAdjusted((values, horizon) => {
    if (!allPositive(values)) return core(values, horizon);
    const forecast = core(values.map(Math.sqrt), horizon);
    return forecast && squares(forecast);
  });
}

const recent = (values: Float64Array): Float64Array => values.subarray(Math.max(0, values.length - smoothingMemory));

const dynamicThetaCore = (values: Float64Array, horizon: number): Float64Array =>
  fitDynamicTheta(recent(values)).forecast(horizon);
const dampedForm = readForm('AAdN');

/** Repeats the last cycle of the longest confirmed period, but of a smooth one only where there is no other. */
export const seasonalNaive: Method = (series, horizon) => {
  const { observedValues: values, seasons } = series;
  const n = values.length;
  const fitting = seasons.list.map(({ period }) => period).filter((period) => period <= n);
  const period = Math.round(fitting.findLast((p) => isWithinReach(p, series)) ?? fitting[0] ?? 1);
  return Float64Array.from({ length: horizon }, (_, i) => values[n - period + (i % period)]);
};

/** The last value as it is. */
export const lastValue: Method = ({ values }, horizon) => new Float64Array(horizon).fill(values[values.length - 1]);

/** The last seasonally adjusted value, put back in season. */
export const naive = onAdjusted((values, horizon) => new Float64Array(horizon).fill(values[values.length - 1]));

export const logTheta = onLogarithms((values, horizon) => thetaForecast(recent(values), horizon));
export const dynamicTheta = onAdjusted(dynamicThetaCore);

export const rootTheta = onSquareRoots((values, horizon) => thetaForecast(recent(values), horizon));

/** The last value, and from there the mean growth, in which older steps count less and less. */
export const recentDrift = onAdjusted((values, horizon) => {
  const n = values.length;
  let sum = 0;
  let weights = 0;
  for (let i = 1; i < n; i++) {
    sum += values[i] - values[i - 1] - (1 - driftDecay) * sum;
    weights += 1 - (1 - driftDecay) * weights;
  }
  const growth = weights > 0 ? sum / weights : 0;
  return Float64Array.from({ length: horizon }, (_, i) => values[n - 1] + growth * (i + 1));
});

/** A stationary autoregression of the logarithms. */
export const logAutoregression = onLogarithms((values, horizon) =>
  lagRidge(recent(values), [1, 2, 3, 4], horizon, { penalty: 0.01 }),
);

/** Theta on the logarithms of means over half a cycle. */
export const blockLogTheta: Method = (series, horizon) =>
  onLogarithms((values, steps) =>
    forecastBlocks(values, steps, Math.max(2, shortestPeriod(series) >> 1), 4, thetaForecast),
  )(series, horizon);

/** Additive damped trend (Gardner and McKenzie 1985). */
export const dampedTrend = onAdjusted((values, horizon) => fitEts(recent(values), 1, dampedForm)?.forecast(horizon));

/** The last value, and from there the median growth. */
export const medianDrift = onLogarithms((values, horizon) => {
  const n = values.length;
  const steps = new Float64Array(n - 1);
  for (let i = 1; i < n; i++) steps[i - 1] = values[i] - values[i - 1];
  const growth = n > 1 ? median(steps) : 0;
  return Float64Array.from({ length: horizon }, (_, i) => values[n - 1] + growth * (i + 1));
});

/** One seasonal form of ETS: damped trend, multiplicative where the values allow it. */
export const seasonalEts: Method = (series, horizon) => {
  const period = shortestPeriod(series);
  if (period < 2 || series.values.length < 2 * period + 1) return undefined;
  const values = lastOf(series.values, Math.max(smoothingMemory, 10 * period));
  return fitEts(values, period, readForm(series.positive ? 'MAdM' : 'AAdA'))?.forecast(horizon);
};

/** ETS with its form chosen by information criterion; long or several seasonal patterns are taken out beforehand. */
export const ets: Method = (series, horizon) => {
  const period = shortestPeriod(series);
  const confirmed = series.seasons.list.map((season) => Math.round(season.period));
  const enough = series.values.length >= 3 * period;
  if (confirmed.every((other) => other === period && period <= 24 && enough)) {
    const values = lastOf(series.values, Math.max(smoothingMemory, 10 * period));
    return etsForecast(values, enough && period <= 24 ? period : 1, horizon);
  }
  return onAdjusted((values, steps) => etsForecast(recent(values), 1, steps))(series, horizon);
};

/** A method whose parameters are estimated once, and which then goes on from any history of the same series. */
export type Fitted = (series: Series) => Method;

/** Ridge autoregression on the values, or on their logarithms, without any adjustment for season. */
export function ridgeOnValues(
  lagsOf: (series: Series) => number[],
  options: RidgeOptions,
  logarithmic = false,
): Method {
  return (series, horizon) => fittedRidgeOnValues(lagsOf, options, logarithmic)(series)(series, horizon);
}

export function fittedRidgeOnValues(
  lagsOf: (series: Series) => number[],
  options: RidgeOptions,
  logarithmic = false,
): Fitted {
  return (fitted) => {
    const smooth = fitted.seasons.list.filter((season) => !isWithinReach(season.period, fitted));
    const rest = smooth.reduce(removeSeason, fitted.values);
    const logs = logarithmic && allPositive(rest);
    const fit = fitLagRidge(logs ? rest.map(Math.log) : rest, lagsOf(fitted), options);
    return ({ values, seasons }, horizon) => {
      if (!fit) return undefined;
      const patterns = seasons.list.filter(({ period }) => smooth.some((season) => season.period === period));
      const history = patterns.reduce(removeSeason, values);
      if (logs && !allPositive(history)) return undefined;
      const forecast = continueLags(fit, logs ? history.map(Math.log) : history, horizon);
      return restoreSeasons(logs ? exponentials(forecast) : forecast, patterns, values.length);
    };
  };
}

/** Ridge autoregression on the seasonally adjusted values. */
export function ridgeOnAdjusted(lagsOf: (series: Series) => number[], options: RidgeOptions): Method {
  return (series, horizon) => fittedRidgeOnAdjusted(lagsOf, options)(series)(series, horizon);
}

export function fittedRidgeOnAdjusted(lagsOf: (series: Series) => number[], options: RidgeOptions): Fitted {
  return (fitted) => {
    const fit = fitLagRidge(fitted.seasons.adjusted, lagsOf(fitted), options);
    return onAdjusted((values, horizon) => fit && continueLags(fit, values, horizon));
  };
}

/** One lag ridge for all families, cheap enough for backtests. */
const backtestRidge = ridgeOnValues(
  ({ candidates }) => {
    const periods = candidates.filter((period) => period <= 200).map(Math.round);
    return [...new Set([1, 2, 3, ...periods, ...periods.map((period) => period + 1)])].sort((a, b) => a - b);
  },
  { penalty: 0.002 },
);

/** The forecasts of three cheap methods, whose errors on a series' past tell how hard it is to forecast. */
export function probeForecasts(series: Series, horizon: number): Float64Array[] {
  return [logTheta, naive, backtestRidge].flatMap((method) => method(series, horizon) ?? []);
}

/** The shortest candidate period as a whole number of steps; 1 where there is none. */
export function shortestPeriod({ candidates }: Series): number {
  return Math.round(candidates[0] ?? 1);
}

/** Whether lags may reach over a period; beyond, its pattern is taken out instead. */
function isWithinReach(period: number, { candidates }: Series): boolean {
  return period <= 100 || candidates.some((shorter) => shorter < period && isMultiple(period, shorter));
}

function lastOf(values: Float64Array, count: number): Float64Array {
  return values.subarray(Math.max(0, values.length - count));
}

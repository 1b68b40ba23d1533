import { isMultiple, restoreSeasons } from './prepare/seasons.ts';
import type { Scaled, Series } from './prepare/series.ts';
import {
  lastOf,
  mapped,
  mean,
  allFinite,
  along,
  differences,
  linearTrend,
  median,
  scratch,
  sortFew,
} from './statistics.ts';
import { fitEts, readForm } from './methods/ets.ts';
import { continueLags, fitLagRidge, type RidgeOptions } from './methods/ridge.ts';
import { dynamicThetaForecast, thetaForecast } from './methods/theta.ts';

/** The last points up to an origin: 2,000, or 3.2 long cycles. Seasons are those of the whole series, also at earlier ones. */
export class View {
  readonly series: Series;
  readonly values: Float64Array;
  readonly adjusted: Float64Array;
  readonly from: number;
  readonly start: number;
  /** Steps of the shortest candidate period, 1 for none; and of the longest that is a multiple of it, 0 for none. */
  readonly period: number;
  readonly longPeriod: number;
  #smoothed: ReturnType<typeof smoothings> | undefined;
  #restoring: { readonly factors: Float64Array; readonly offsets: Float64Array } | undefined;

  constructor(series: Series, start = series.values.length, from?: number) {
    const { candidates, values, seasons } = series;
    const shortest = candidates[0] ?? 1;
    const longest = candidates.at(-1) ?? 1;
    this.series = series;
    this.period = Math.round(shortest);
    this.longPeriod = longest > shortest && isMultiple(longest, shortest) ? Math.round(longest) : 0;
    this.start = start;
    this.from = from ?? Math.max(0, start - Math.max(2000, Math.ceil(3.2 * this.longPeriod)));
    this.values = values.subarray(this.from, start);
    this.adjusted = seasons.adjusted.subarray(this.from, start);
  }

  earlier(back: number): View {
    return new View(this.series, this.start - back, this.from);
  }

  /** The logarithms of the values, with and without seasons, where all are positive; else these themselves. */
  get logs(): Scaled {
    return this.#cut(this.series.logs.values);
  }

  get adjustedLogs(): Scaled {
    return this.#cut(this.series.logs.adjusted);
  }

  #cut({ values, logarithmic }: Scaled): Scaled {
    return { values: values.subarray(this.from, this.start), logarithmic };
  }

  /** Of the last 500 adjusted values: exponential smoothing has forgotten what is further back. */
  get smoothed(): ReturnType<typeof smoothings> {
    return (this.#smoothed ??= smoothings(lastOf(this.adjusted, 500)));
  }

  restoring(horizon: number) {
    if (this.#restoring && this.#restoring.factors.length >= horizon) return this.#restoring;
    const { list } = this.series.seasons;
    const offsets = restoreSeasons(new Float64Array(horizon), list, this.start);
    const ones = restoreSeasons(new Float64Array(horizon).fill(1), list, this.start);
    return (this.#restoring = { factors: mapped(ones, (one, i) => one - offsets[i]), offsets });
  }

  inSeason(forecast: Float64Array | undefined): Float64Array | undefined {
    if (!forecast || this.series.seasons.list.length === 0) return forecast;
    const { factors, offsets } = this.restoring(forecast.length);
    return mapped(forecast, (value, i) => value * factors[i] + offsets[i]);
  }
}

/** From the logarithmic scale, where the values are on it; an exponent beyond 230 says no more. */
function unscaled(forecast: Float64Array | undefined, { logarithmic }: Scaled): Float64Array | undefined {
  return logarithmic && forecast ? mapped(forecast, (value) => Math.exp(Math.min(value, 230))) : forecast;
}

/** The index of the last value in the same phase of the period as a step ahead (1 or more); negative where none is. */
export function samePhase(count: number, period: number, ahead: number): number {
  return count - 1 + ahead - Math.ceil(ahead / period) * period;
}

export function smooth(values: Float64Array, weight: number) {
  let level = mean(values.subarray(0, 4));
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const error = values[i] - level;
    level += weight * error;
    sum += Math.abs(error);
  }
  return { level, weight, error: sum / values.length };
}

const trendDamping = 0.95;

/** Holt's linear trend, damped (Gardner and McKenzie 1985). */
function holt(values: Float64Array) {
  const [weight, slopeWeight] = [0.5, 0.1];
  const n = values.length;
  const head = Math.min(n, 6);
  let slope = head > 1 ? (values[head - 1] - values[0]) / (head - 1) : 0;
  let level = values[0] - slope;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const predicted = level + trendDamping * slope;
    const error = values[i] - predicted;
    level = predicted + weight * error;
    slope = trendDamping * slope + weight * slopeWeight * error;
    sum += Math.abs(error);
  }
  return { level, slope, error: sum / n };
}

/** What the candidates and the features both need to know of the adjusted values: the best of five weights, one, a trend. */
function smoothings(values: Float64Array) {
  const levels = [0.1, 0.3, 0.5, 0.7, 0.95].map((weight) => smooth(values, weight));
  const best = levels.reduce((least, level) => (level.error < least.error ? level : least));
  return { best, slow: levels[0], usual: levels[1], quick: levels[4], trend: holt(values) };
}

/** In the units of the series; undefined where the view does not allow it, and what is not finite counts as that. */
type Predict = (now: View, horizon: number) => Float64Array | undefined;

interface Candidate {
  readonly id: string;
  /** Estimates its parameters once; what it gives forecasts from that view and from earlier ones of the same series. */
  readonly fit: (view: View) => Predict;
  /** Whether the seasonal naive forecast stands in where it has none; the naive one does for the others. */
  readonly isSeasonal?: boolean;
}

const direct = (id: string, predict: Predict, isSeasonal = false): Candidate => ({
  id,
  fit: () => predict,
  isSeasonal,
});

const seasonalPath = (id: string, pathOf: (now: View) => (ahead: number) => number): Candidate =>
  direct(id, (now, horizon) => {
    const pathAt = pathOf(now);
    return now.inSeason(along(horizon, (i) => pathAt(i + 1)));
  });

const seasonalLevel = (id: string, levelOf: (now: View) => number): Candidate =>
  seasonalPath(id, (now) => {
    const level = levelOf(now);
    return () => level;
  });

const levels: readonly Candidate[] = [
  seasonalLevel('naive', ({ adjusted }) => adjusted[adjusted.length - 1]),
  direct('last-value', ({ values }, horizon) => new Float64Array(horizon).fill(values[values.length - 1])),
  // Simple exponential smoothing with the weight 0.3 (Brown 1959), and with the one of five weights that erred least.
  seasonalLevel('usual-level', ({ smoothed }) => smoothed.usual.level),
  seasonalLevel('best-level', ({ smoothed }) => smoothed.best.level),
  direct('recent-median', ({ values, period }, horizon) =>
    new Float64Array(horizon).fill(median(lastOf(values, Math.max(2 * period, 12)))),
  ),
  seasonalLevel('long-mean', ({ adjusted }) => mean(adjusted)),
];

const onLogarithms = (id: string, core: (values: Float64Array, horizon: number) => Float64Array): Candidate =>
  direct(id, (now, horizon) => now.inSeason(unscaled(core(now.adjustedLogs.values, horizon), now.adjustedLogs)));

function drifting(values: Float64Array, growth: number, horizon: number): Float64Array {
  const last = values[values.length - 1];
  return along(horizon, (i) => last + growth * (i + 1));
}

function recentStep(values: Float64Array): number {
  let sum = 0;
  let weights = 0;
  for (let i = 1; i < values.length; i++) {
    sum += values[i] - values[i - 1] - 0.1 * sum;
    weights += 1 - 0.1 * weights;
  }
  return weights > 0 ? sum / weights : 0;
}

const trends: readonly Candidate[] = [
  seasonalPath(
    'damped-trend',
    ({ smoothed: { trend } }) =>
      (ahead) =>
        trend.level + ((trendDamping * (1 - trendDamping ** ahead)) / (1 - trendDamping)) * trend.slope,
  ),
  seasonalPath('half-trend', ({ adjusted, smoothed: { best } }) => {
    const { slope } = linearTrend(adjusted);
    return (ahead) => best.level + 0.5 * slope * (ahead - 1 + 1 / Math.max(best.weight, 0.1));
  }),
  onLogarithms('log-theta', (values, horizon) => thetaForecast(lastOf(values, 300), horizon)),
  onLogarithms('median-growth', (values, horizon) => {
    const recent = lastOf(values, 60);
    return drifting(values, recent.length > 1 ? median(differences(recent, 1)) : 0, horizon);
  }),
  {
    id: 'root-dynamic-theta',
    fit: (view) => (now, horizon) => {
      const values = lastOf(now.adjusted, 120);
      const evaluations = now === view ? 40 : 16;
      if (!now.adjustedLogs.logarithmic) return now.inSeason(dynamicThetaForecast(values, horizon, evaluations));
      const roots = dynamicThetaForecast(mapped(values, Math.sqrt), horizon, evaluations);
      return now.inSeason(mapped(roots, (value) => Math.max(value, 0) ** 2));
    },
  },
  direct('recent-drift', (now, horizon) =>
    now.inSeason(drifting(now.adjusted, recentStep(lastOf(now.adjusted, 300)), horizon)),
  ),
];

/** The mean of the last `most` values in the same phase; the last value where there is no whole period. */
function meanOfPhases(values: Float64Array, period: number, most: number, horizon: number): Float64Array {
  const n = values.length;
  const result = scratch(horizon);
  for (let i = 0; i < horizon; i++) {
    let sum = 0;
    let count = 0;
    const first = samePhase(n, period, i + 1);
    for (let at = first; at >= 0 && count < most && i < period; at -= period, count++) sum += values[at];
    result[i] = i >= period ? result[i - period] : count > 0 ? sum / count : values[n - 1];
  }
  return result;
}

function longMeanOf(now: View, horizon: number): Float64Array | undefined {
  if (now.longPeriod === 0 && now.period < 2) return undefined;
  const { period, cycles } = longCyclesOf(now);
  return meanOfPhases(now.values, period, cycles, horizon);
}

function longCyclesOf({ values, period, longPeriod }: View): { readonly period: number; readonly cycles: number } {
  return longPeriod > 0 && values.length > longPeriod ? { period: longPeriod, cycles: 8 } : { period, cycles: 12 };
}

const phases: readonly Candidate[] = [
  direct('seasonal-naive', ({ values, period }, horizon) => meanOfPhases(values, period, 1, horizon)),
  direct('recent-phases', ({ values, period }, horizon) => meanOfPhases(values, period, 4, horizon)),
  direct(
    'long-naive',
    ({ values, longPeriod }, horizon) =>
      longPeriod > 0 && values.length > longPeriod ? meanOfPhases(values, longPeriod, 1, horizon) : undefined,
    true,
  ),
  direct('seasonal-naive-at-level', (now, horizon) => {
    const { factors } = now.restoring(horizon);
    const { best } = now.smoothed;
    return mapped(meanOfPhases(now.values, now.period, 1, horizon), (value, i) => {
      const at = Math.max(0, samePhase(now.values.length, now.period, i + 1));
      return value + (best.level - now.adjusted[at]) * factors[i];
    });
  }),
  direct('long-phases', longMeanOf, true),
  direct(
    'long-phases-at-level',
    (now, horizon) => {
      const { period, cycles } = longCyclesOf(now);
      const level = mean(lastOf(now.adjusted, period * cycles));
      const { factors } = now.restoring(horizon);
      const means = longMeanOf(now, horizon);
      return means && mapped(means, (value, i) => value + (now.smoothed.best.level - level) * factors[i]);
    },
    true,
  ),
];

interface Plan extends RidgeOptions {
  readonly on: 'values' | 'logs' | 'adjusted' | 'adjustedLogs';
  readonly lags: readonly number[];
  readonly memory?: number | undefined;
}

/** An autoregression. @param planOf a view; without a season the same candidate may be another autoregression */
const ridge = (id: string, planOf: (view: View) => Plan, isSeasonal = false): Candidate => ({
  id,
  isSeasonal,
  fit: (view) => {
    const { on, lags, memory = Math.max(3000, 3 * view.longPeriod), ...options } = planOf(view);
    const scaledOf = (one: View): Scaled => {
      const own = one[on];
      return own instanceof Float64Array ? { values: own, logarithmic: false } : own;
    };
    const used = [...new Set(lags)].filter((lag) => lag > 0);
    const fit = fitLagRidge(lastOf(scaledOf(view).values, memory), used, options);
    return (now, horizon) => {
      const scaled = scaledOf(now);
      const path = fit && unscaled(continueLags(fit, scaled.values, horizon), scaled);
      return on === 'values' || on === 'logs' ? path : now.inSeason(path);
    };
  },
});

const seasonalRidge = (id: string, planOf: (view: View) => Plan): Candidate => ridge(id, planOf, true);

const longLags = ({ period, longPeriod }: View): number[] =>
  longPeriod > 0 ? [longPeriod - 1, longPeriod, longPeriod + 1] : [2 * period];

const ridges: readonly Candidate[] = [
  ridge('growth-ridge', () => ({
    on: 'adjustedLogs',
    lags: [1, 2, 3],
    memory: 300,
    penalty: 0.02,
    difference: 1,
  })),
  ridge('adjusted-ridge', ({ period, longPeriod }) => ({
    on: 'adjusted',
    lags: [1, 2, 3, 4, 5, 6, ...(longPeriod > 0 ? [period, longPeriod].flatMap((p) => [p - 1, p, p + 1]) : [])],
    memory: longPeriod > 0 ? undefined : 600,
    penalty: 1e-3,
  })),
  seasonalRidge('lag-ridge', (view) => {
    const { period: p } = view;
    return p > 1
      ? { on: 'logs', lags: [1, 2, 3, p - 1, p, p + 1, ...longLags(view)], penalty: 0.002 }
      : { on: 'values', lags: [1, 2, 3, 4], penalty: 0.01 };
  }),
  seasonalRidge('change-ridge', (view) => {
    const { period: p } = view;
    return p > 1
      ? { on: 'logs', lags: [1, 2, 3, p, p + 1, ...longLags(view)], penalty: 0.02, difference: p }
      : { on: 'values', lags: [1, 2, 3], penalty: 0.05, difference: 1 };
  }),
  seasonalRidge('cycle-ridge', ({ period: p, longPeriod }) => ({
    on: 'values',
    lags:
      p > 1
        ? [...[1, 2, 3, 4, 5, 6, 7].map((k) => k * p), ...(longPeriod > 0 ? [longPeriod, 2 * longPeriod] : [])]
        : [1, 2, 3, 4, 6, 8, 12, 16, 24],
    penalty: 0.01,
  })),
  seasonalRidge('wide-ridge', (view) => {
    const { period: p } = view;
    const around = [p - 1, p, p + 1, 2 * p - 1, 2 * p, 2 * p + 1, 3 * p, ...longLags(view)];
    return p > 1
      ? { on: 'values', lags: [1, 2, 3, 4, 6, ...around], penalty: 1e-3 }
      : { on: 'values', lags: [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14], penalty: 1e-3, difference: 1 };
  }),
  ridge('log-autoregression', () => ({ on: 'adjustedLogs', lags: [1, 2, 3, 4], memory: 300, penalty: 0.01 })),
];

/** Exponential smoothing with damped trend and season (Hyndman et al. 2008), of cycles of up to 24 steps. */
const seasonalEts: Candidate = {
  id: 'seasonal-ets',
  isSeasonal: true,
  fit: (view) => {
    const { period, series } = view;
    const form = readForm(series.positive ? 'MAdM' : 'AAdA');
    const isUsable = (values: Float64Array): boolean => period > 1 && period <= 24 && values.length > 2 * period;
    const used = (values: Float64Array): Float64Array => lastOf(values, Math.max(300, 10 * period));
    const fitted = isUsable(view.values) ? fitEts(used(view.values), period, form, { trials: 60 }) : undefined;
    return (now, horizon) => {
      if (!fitted || !isUsable(now.values)) return undefined;
      const fit = now === view ? fitted : fitEts(used(now.values), period, form, { parameters: fitted.parameters });
      return fit?.forecast(horizon);
    };
  },
};

/** The simple forecasts that the net weighs, in the order that its weights know. A new one needs the net trained anew. */
export const bank: readonly Candidate[] = [...levels, ...trends, ...phases, ...ridges, seasonalEts];
const placeOf = (id: string): number => bank.findIndex((candidate) => candidate.id === id);

const seasonalStandIn = placeOf('seasonal-naive');
const standIn = placeOf('naive');
const middleMembers = [
  'log-theta',
  'root-dynamic-theta',
  'damped-trend',
  'median-growth',
  'growth-ridge',
  'lag-ridge',
  'seasonal-ets',
].map(placeOf);
export const candidateCount = bank.length + 1;

/** All finite, in the units of the series; the last one is the trimmed middle of some. */
export type FittedBank = (now: View, horizon: number) => Float64Array[];

export function fitBank(view: View): FittedBank {
  const predicts = bank.map(({ fit }) => fit(view));
  return (now, horizon) => {
    const own = predicts.map((predict) => {
      const forecast = predict(now, horizon);
      return forecast && allFinite(forecast) ? forecast : undefined;
    });
    const all = own.map((forecast, k) => forecast ?? own[bank[k].isSeasonal ? seasonalStandIn : standIn]!);
    return [...all, trimmedMean(middleMembers.map((k) => all[k]))];
  };
}

/** The mean of the forecasts at each step, without the highest and the lowest where there are four or more. */
export function trimmedMean(forecasts: readonly Float64Array[]): Float64Array {
  const count = forecasts.length;
  const trim = count < 4 ? 0 : 1;
  const row = scratch(count);
  return along(forecasts[0].length, (i) => {
    for (let k = 0; k < count; k++) row[k] = forecasts[k][i];
    sortFew(row);
    let sum = 0;
    for (let k = trim; k < count - trim; k++) sum += row[k];
    return sum / (count - 2 * trim);
  });
}

import type { Random } from './random.ts';
import { countsOf, intermittent } from './synthetic-counts.ts';
import { changeRegime, spreadOf, toScale } from './synthetic-events.ts';
import { flow, kernelMixture, machine, market, saturate } from './synthetic-processes.ts';
import { addSeasons } from './synthetic-seasons.ts';
import { trendSeries } from './synthetic-trends.ts';

/** A made-up series: what the net may see, then what comes. */
export interface SyntheticSeries {
  readonly values: Float64Array;
  /** How many of the values are the history. */
  readonly history: number;
  readonly periods: readonly number[];
}

interface Plan {
  readonly history: number;
  readonly horizon: number;
  readonly periods: readonly number[];
}

/**
 * The prior that the base model learns from: state space models, piecewise and saturating trends, mixtures of processes
 * of all paces, machines with bursts, jobs and regimes, markets, rivers, counts and intermittent demand, with cycles,
 * fixed and evolving seasons, shifts and spikes, on calendars as people have them. No observed series takes part.
 */
export function syntheticSeries(random: Random): SyntheticSeries {
  for (;;) {
    const { history, horizon, periods } = plan(random);
    const count = history + horizon;
    let values = oneSeries(count, periods, random);
    if (random.chance(0.1)) {
      const other = oneSeries(count, periods, random);
      const share = random.uniform();
      const [a, b] = [share / spreadOf(values), (1 - share) / spreadOf(other)];
      values = values.map((value, i) => a * value + b * other[i]);
    }
    const size = 10 ** random.between(-1, 4);
    const first = values[0];
    if (values.subarray(0, history).some((value) => value !== first)) {
      const counts = values.every(Number.isInteger) && random.chance(0.8);
      return { values: counts ? values : values.map((value) => value * size), history, periods };
    }
  }
}

const youngShare = 0.15;
const farthest = 64;

function plan(random: Random): Plan {
  const kind = random.uniform();
  const length = (low: number, high: number): number => Math.floor(random.logBetween(low, high));
  // Some series with a season are young: they have seen less than a few cycles.
  const young = random.chance(youngShare);
  const history = (period: number, low: number, high: number): number =>
    young ? length(Math.max(4, 0.4 * period), 2.4 * period + 2) : length(low, high);
  if (kind < 0.26) {
    const points = random.chance(0.9) ? length(5, 90) : length(60, 1000);
    return { periods: [], history: points, horizon: random.chance(0.85) ? 6 + random.below(9) : 48 };
  }
  if (kind < 0.4) return { periods: [4], history: history(4, 8, 200), horizon: 8 + random.below(5) };
  if (kind < 0.61) return { periods: [12], history: history(12, 16, 400), horizon: 18 + random.below(7) };
  if (kind < 0.83) {
    const [day, most] = dayAndLength(random);
    const week = young || random.chance(0.85);
    const horizon = random.chance(0.75) ? 48 : Math.min(320, 2 * day);
    return {
      periods: week ? [day, 7 * day] : [day],
      history: history(day, week ? 7 * day + 12 : 2.5 * day, most),
      horizon,
    };
  }
  if (kind < 0.91) {
    const days = random.chance(0.2) ? 5 : 7;
    const year = random.chance(0.85);
    return {
      periods: year ? [days, days === 5 ? 260.9 : 365.25] : [days],
      history: history(days, 21, 1800),
      horizon: 14 + random.below(43),
    };
  }
  if (kind < 0.965) return { periods: [52.18], history: history(52, 40, 700), horizon: 8 + random.below(20) };
  const period = 2 + random.below(60);
  const points = Math.floor(random.logBetween(2 * period + 4, Math.min(1000, 16 * period + 20)));
  return { periods: [period], history: points, horizon: Math.min(farthest, 2 * period + 4) };
}

/** Steps of a day, for steps of an hour down to five minutes (or of an hour in minutes), and the longest history. */
function dayAndLength(random: Random): [number, number] {
  const kind = random.uniform();
  if (kind < 0.5) return [24, 2000];
  if (kind < 0.65) return [48, 2000];
  if (kind < 0.77) return [96, 2000];
  if (kind < 0.82) return [60, 1500];
  if (kind < 0.87) return [144, 2500];
  return [288, 4000];
}

function oneSeries(count: number, periods: readonly number[], random: Random): Float64Array {
  const shortest = periods.length > 0 ? periods[0] : 1;
  const fine = shortest === 5 || shortest === 7 || shortest >= 24;
  const kind = random.uniform();
  const [mixtures, machines, markets, flows, counts] = fine
    ? [0.25, 0.43, 0.52, 0.57, 0.67]
    : shortest === 12 || shortest > 50
      ? [0.06, 0.08, 0.11, 0.12, 0.2]
      : [0.03, 0.04, 0.06, 0.06, 0.12];
  if (kind < mixtures) return finish(kernelMixture(count, periods, random), periods, 0.5, random);
  if (kind < machines) return finish(machine(count, random), periods, 0.45, random);
  if (kind < markets) return toScale(market(count, random), random);
  if (kind < flows) return flow(count, periods, random);
  if (kind < counts) {
    if (random.chance(0.4)) return intermittent(count, random);
    const z = random.chance(0.5) ? kernelMixture(count, periods, random) : trendSeries(count, periods, random);
    const spread = spreadOf(z);
    return countsOf(
      z.map((value) => value / spread),
      random,
    );
  }
  const z = trendSeries(count, periods, random);
  if (fine && random.chance(0.1)) changeRegime(z, random);
  if (fine && random.chance(0.06)) saturate(z, random);
  return toScale(z, random);
}

/** Puts seasons on a process, and what may happen to it. @param seasonal probability that it has seasons */
function finish(z: Float64Array, periods: readonly number[], seasonal: number, random: Random): Float64Array {
  if (periods.length > 0 && random.chance(seasonal)) addSeasons(z, periods, 0.3 * spreadOf(z), random);
  if (random.chance(0.15)) changeRegime(z, random);
  if (random.chance(0.15)) saturate(z, random);
  return toScale(z, random, 2);
}

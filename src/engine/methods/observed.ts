import type { Series } from '../prepare/series.ts';
import { between } from '../quantiles.ts';
import { Random } from '../random.ts';
import { largestChange } from '../rolling-origins.ts';
import { clamp, dot, mean, median, rangeOf } from '../statistics.ts';

interface ObservedForecast {
  readonly point: Float64Array;
  readonly quantile: (level: number, step: number) => number;
}

export interface CountForecast extends ObservedForecast {
  readonly mean: number;
  /** The quantile of the sum over the next steps; the same number of steps each time. */
  readonly total: (level: number, steps: number) => number;
}

export function observedForecast(series: Series, horizon: number): CountForecast | ObservedForecast | undefined {
  return countForecast(series, horizon) ?? plateauForecast(series, horizon);
}

/**
 * The distribution of an intermittent series, or of small counts without much of a season: that of its past, in which
 * older values count less (Teunter, Syntetos and Babai 2011), half by a memory that suits the series and half by the
 * whole of it, or nearly all by the memory where demand has changed. The total comes from paths of blocks of the past
 * (Willemain, Smart and Schwarz 2004; Künsch 1989). Undefined for other series.
 */
export function countForecast(series: Series, horizon: number): CountForecast | undefined {
  const observed = series.observedValues.filter((_, i) => !series.filledIn?.[i]);
  if (!series.nonNegative || observed.length < 8) return undefined;
  if (median(observed) > 0 && series.seasons.list.some(({ strength }) => strength > 0.3)) return undefined;
  const { halfLife, share } = memoryOf(observed);
  if (!series.intermittent && !(halfLife === Infinity && isSmallCount(observed))) return undefined;

  const n = observed.length;
  const weights = new Float64Array(n);
  const decay = 0.5 ** (1 / halfLife);
  let sum = 0;
  for (let i = n - 1, weight = 1; i >= 0; i--, weight *= decay) sum += weights[i] = weight;
  const { alive, silent } = demandAlive(observed);
  for (let i = 0; i < n; i++) weights[i] = alive * (share * (weights[i] / sum) + (1 - share) / n);
  // What has ended goes on as it has since; not from its last zeros, so that blocks of paths stay among zeros.
  const since = Math.max(1, silent - blockLength(n));
  for (let i = 0; i < since && alive < 1; i++) weights[n - silent + i] += (1 - alive) / since;

  const order = Uint32Array.from(observed, (_, i) => i).sort((a, b) => observed[a] - observed[b] || a - b);
  const squares = dot(weights, weights);
  let upTo = 0;
  const cumulative = Float64Array.from(order, (place) => (upTo += weights[place]));
  // Outer quantiles lie further out the fewer values there are, as ranks among one more value.
  const ranked = (level: number): number => {
    const target = level + (level - 0.5) * squares;
    return observed[order.at(cumulative.findIndex((sum) => sum >= target - 1e-12))!];
  };
  // Zero is the median of an intermittent series with 44 % of zeros already: demand dies out more often than it comes to life.
  const middle = series.intermittent && ranked(0.44) === 0 ? 0 : ranked(0.5);
  let totals: Float64Array | undefined;
  return {
    point: new Float64Array(horizon).fill(middle),
    quantile: (level) => (level <= 0.5 ? Math.min(middle, ranked(level)) : ranked(level)),
    mean: dot(weights, observed),
    total: (level, steps) => {
      totals ??= totalsOf(observed, weights, steps);
      return totals[Math.min(totals.length - 1, Math.floor(level * totals.length))];
    },
  };
}

/** The half-life with which exponential smoothing predicts best, and its share: more where demand has changed. */
function memoryOf(values: Float64Array): { readonly halfLife: number; readonly share: number } {
  let [best, bestError, errorOfAll] = [Infinity, Infinity, Infinity];
  for (const halfLife of [Infinity, 24, 8, 4]) {
    const slowest = 1 - 0.5 ** (1 / halfLife);
    let level = values[0];
    let error = 0;
    for (let i = 1; i < values.length; i++) {
      const miss = values[i] - level;
      error += miss * miss;
      level += Math.max(slowest, 1 / (i + 1)) * miss;
    }
    if (halfLife === Infinity) errorOfAll = error;
    if (error < 0.97 * bestError) [best, bestError] = [halfLife, error];
  }
  return { halfLife: best, share: bestError < 0.7 * errorOfAll ? 0.85 : 0.5 };
}

/** Customers may stay away for good (Fader, Hardie and Shang 2010), by a chance of one in twice as many steps as are known. */
function demandAlive(values: Float64Array): { readonly alive: number; readonly silent: number } {
  const n = values.length;
  const silent = n - 1 - values.findLastIndex((value) => value !== 0);
  let [longest, pause] = [0, 0];
  for (const value of values.subarray(0, n - silent)) {
    pause = value === 0 ? pause + 1 : 0;
    longest = Math.max(longest, pause);
  }
  if (silent <= longest || silent === n) return { alive: 1, silent };
  const end = 1 / (2 * n);
  const stays = (1 - end) * (1 - 1 / (1 + longest + 1));
  const waiting = stays ** silent;
  const ended = (end * (1 - waiting)) / (1 - stays);
  return { alive: waiting / (waiting + ended), silent };
}

/** Multiples of the smallest step, up to 60 and 12 in the mean, of three kinds: fewer are rather a state. */
function isSmallCount(values: Float64Array): boolean {
  if (new Set(values).size < 3) return false;
  const step = rangeOf(values.filter((value) => value > 0)).low;
  const isFew = rangeOf(values).high <= 60 * step && mean(values) <= 12 * step;
  return isFew && values.every((value) => value % step === 0);
}

function blockLength(points: number): number {
  return Math.max(1, Math.floor(points / 8));
}

function totalsOf(values: Float64Array, weights: Float64Array, horizon: number): Float64Array {
  const random = new Random(1);
  const n = values.length;
  let sum = 0;
  const cumulative = weights.map((weight) => (sum += weight));
  const first = (share: number): number => {
    let [low, high] = [0, n - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle] < share) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const length = Math.min(horizon, blockLength(n));
  const totals = new Float64Array(800);
  for (let path = 0; path < totals.length; path++) {
    for (let step = 0; step < horizon; step += length) {
      const start = first(random.uniform());
      for (let i = 0; i < Math.min(length, horizon - step); i++) totals[path] += values[(start + i) % n];
    }
  }
  return totals.sort();
}

/**
 * A series that stands still at three of five steps: its last value, or with a quarter of zeros, where it may be a
 * burst, the median of the last five, with the quantiles of how it changed over so many steps before. After a step six
 * times as large as any before, which has not stayed five times, the outer 15% reach to its other side; a single value
 * farther from the level than zero is rather an error. Undefined for other series.
 */
function plateauForecast(
  { observedValues, filledIn, nonNegative, intermittent, seasons }: Series,
  horizon: number,
): ObservedForecast | undefined {
  const from = Math.max(0, observedValues.length - 1000);
  const values = observedValues.subarray(from);
  const n = values.length;
  if (n < 20 || intermittent || seasons.list.some(({ strength }) => strength > 0.3)) return undefined;
  let repeats = 0;
  for (let i = 1; i < n; i++) if (values[i] === values[i - 1]) repeats++;
  if (repeats < 0.6 * (n - 1) || repeats === n - 1) return undefined;

  const zeros = values.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
  const usual = nonNegative && zeros >= 0.25 * n ? median(values.slice(-5)) : values[n - 1];
  const news = newsOf(values.filter((_, i) => filledIn?.[from + i] !== 1));
  const isError = news !== undefined && news.times === 1 && Math.abs(news.to - news.from) > Math.abs(news.from);
  const last = isError ? news.from : usual;
  const other = isError ? news.to : (news?.from ?? last);
  const within = (level: number, value: number): number => {
    if (level < 0.15) return Math.min(value, other);
    return level > 0.85 ? Math.max(value, other) : value;
  };
  const changes: (Float64Array | undefined)[] = [];
  const changesOver = (steps: number): Float64Array =>
    (changes[steps] ??= Float64Array.from({ length: n - steps }, (_, i) => values[i + steps] - values[i]).sort());
  return {
    point: new Float64Array(horizon).fill(last),
    quantile: (level, step) => {
      const steps = Math.min(step + 1, Math.max(1, n >> 2));
      const sorted = changesOver(steps);
      const change = between(sorted, clamp(level * (sorted.length + 1) - 1, 0, sorted.length - 1));
      const centered = level < 0.5 ? Math.min(0, change) : level > 0.5 ? Math.max(0, change) : 0;
      return within(level, last + Math.sqrt((step + 1) / steps) * centered);
    },
  };
}

/** The last step, if it is like none before and has not lasted, and how often its value came. @param values as observed */
function newsOf(values: Float64Array): { from: number; to: number; times: number } | undefined {
  const n = values.length;
  const to = values[n - 1];
  const times = n - 1 - values.findLastIndex((value) => value !== to);
  if (times >= 5 || times === n) return undefined;
  const from = values[n - 1 - times];
  const largest = largestChange(values.subarray(0, n - times), 1);
  return Math.abs(to - from) > 6 * largest ? { from, to, times } : undefined;
}

import type { Series } from '../prepare/series.ts';
import { mean } from '../statistics.ts';

const mostSteps = 8;
const farthestFeature = 3;
/** So many changes tell how heavy their tails are; of more, every second, third and so on is read. */
const mostChanges = 1000;
/** The logarithm of how much larger the largest twentieth of the changes of daily series is than the largest fifth. */
const usualTails = 0.63;
/** Where most changes are nothing, any tail would be endlessly heavy. */
const heaviestTails = 1;
/** The logarithm of how much larger the turns of a random walk are than its steps. */
const usualTurns = Math.log(Math.SQRT2);

/**
 * What of a series tells how far forecasts of it go wrong, each about 0 and of about unit size: its length, in points and in
 * cycles; the strength of its seasons; whether it wanders or returns; heavy tails; whether it moves more lately; how much
 * it changes over a cycle, and beside its level; and how evenly it moves, where each change is like the one before.
 */
export function characterOf({ values, seasons, candidates, filledIn }: Series): Float64Array {
  const { adjusted } = seasons;
  const n = values.length;
  const shortest = Math.max(1, Math.round(candidates[0] ?? 1));
  const late = Math.max(1, n - Math.max(8, n >> 2));
  const sums = { all: 0, squares: 0, late: 0, size: Math.abs(adjusted[0]) };
  for (let i = 1; i < n; i++) {
    const change = Math.abs(adjusted[i] - adjusted[i - 1]);
    sums.all += change;
    sums.squares += change * change;
    if (i >= late) sums.late += change;
    sums.size += Math.abs(adjusted[i]);
  }
  const change = sums.all / Math.max(1, n - 1);
  const far = Math.min(mostSteps, n >> 2);
  const strength = seasons.list.reduce((most, season) => Math.max(most, season.strength), 0);
  return Float64Array.from([
    Math.log(n / 50),
    Math.log(Math.min(n / shortest, 200) / 10),
    strength,
    far >= 2 ? logRatio(meanChange(adjusted, far), change) - 0.5 * Math.log(far) : 0,
    2 * logRatio(Math.sqrt(sums.squares / Math.max(1, n - 1)), change) - 0.5,
    logRatio(sums.late / Math.max(1, n - late), change),
    shortest > 1 && 2 * shortest < n ? logRatio(meanChange(values, shortest), meanChange(values, 1)) : 0,
    0.3 * (logRatio(change, sums.size / n) + 2),
    turnsOf(adjusted, filledIn) - usualTurns,
  ]).map(bounded);
}

/** The logarithm of how large turns are beside steps. What was filled in is even by its making, and is stepped over. */
function turnsOf(values: Float64Array, filledIn: Uint8Array | undefined): number {
  let last = 0;
  let before = Number.NaN;
  let steps = 0;
  let turns = 0;
  for (let i = 1; i < values.length; i++) {
    if (filledIn?.[i]) continue;
    const step = (values[i] - values[last]) / (i - last);
    last = i;
    steps += Math.abs(step);
    if (!Number.isNaN(before)) turns += Math.abs(step - before);
    before = step;
  }
  return logRatio(turns, steps);
}

/**
 * How large the errors at the last origins of the series' own past are beside half the width of its bands now: those of
 * its largest fifth and twentieth, and the mean; each about 0, and 0 where there is none. The errors themselves tell how
 * wide bands must be as far as the last weeks are like the next one (split conformal prediction, Lei et al. 2018).
 */
export function pastCharacter(errors: readonly Float64Array[], halves: Float64Array): number[] {
  const ratios = Float64Array.from(
    errors.flatMap((row) => Array.from(row.subarray(0, halves.length), (error, i) => Math.abs(error) / halves[i])),
  ).filter(Number.isFinite);
  const n = ratios.length;
  if (n === 0) return [0, 0, 0];
  ratios.sort();
  const most = Math.log(ratios[Math.floor(0.8 * (n - 1))] + 0.05);
  return [
    bounded(most),
    bounded(Math.log(ratios[Math.floor(0.95 * (n - 1))] + 0.05) - most - 0.4),
    bounded(Math.log(mean(ratios) + 0.03) - most + 0.7),
  ];
}

/**
 * How heavy the tails of the changes over half the horizon are: by how much the largest twentieth begins farther out than
 * the largest fifth, beside daily series as they usually are; −0.63 to 1. What was filled in is no change.
 */
export function tailsOf({ seasons, filledIn }: Series, horizon: number): number {
  const { adjusted } = seasons;
  const n = adjusted.length;
  const lag = Math.max(1, Math.min(Math.ceil(horizon / 2), Math.floor(n / 3)));
  const stride = Math.max(1, Math.ceil((n - lag) / mostChanges));
  const changes: number[] = [];
  for (let i = n - 1; i >= lag; i -= stride) {
    if (!filledIn?.[i] && !filledIn?.[i - lag]) changes.push(Math.abs(adjusted[i] - adjusted[i - lag]));
  }
  if (changes.length === 0) return 0;
  const sorted = Float64Array.from(changes).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))];
  return Math.min(heaviestTails, logRatio(at(0.95), at(0.8)) - usualTails);
}

/** The mean absolute change over each number of steps up to a horizon. */
export function changesOver(values: Float64Array, horizon: number): Float64Array {
  const longest = Math.max(1, Math.min(horizon, values.length >> 1));
  const lags: number[] = [];
  for (let lag = 1; lag < longest; lag = Math.ceil(1.5 * lag)) lags.push(lag);
  lags.push(longest);
  const knots = lags.map((lag) => meanChange(values, lag));
  let k = 0;
  return Float64Array.from({ length: horizon }, (_, i) => {
    const step = i + 1;
    if (step >= longest) return knots[lags.length - 1] * Math.sqrt(step / longest);
    while (lags[k + 1] <= step) k++;
    return knots[k] + ((step - lags[k]) / (lags[k + 1] - lags[k])) * (knots[k + 1] - knots[k]);
  });
}

export const bounded = (value: number): number => Math.min(farthestFeature, Math.max(-farthestFeature, value));

export const logRatio = (a: number, b: number): number => Math.log((a + 1e-9) / (b + 1e-9));

function meanChange(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < values.length; i++) sum += Math.abs(values[i] - values[i - lag]);
  return values.length > lag ? sum / (values.length - lag) : 0;
}

import { decompose, restoreSeasons } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import { allPositive, clamp, lastOf, linearTrend, meanAbsolute } from '../statistics.ts';
import { nelderMead } from './minimize.ts';

/** A form of the ETS family: error and season are additive (A), multiplicative (M) or, for the season, none (N). */
export interface EtsForm {
  readonly error: 'A' | 'M';
  readonly trend: boolean;
  readonly damped: boolean;
  readonly season: 'N' | 'A' | 'M';
}

/** Reads the usual short names, such as `ANN`, `MAdM`. */
export function readForm(name: string): EtsForm {
  return {
    error: name.startsWith('M') ? 'M' : 'A',
    trend: name[1] === 'A',
    damped: name[2] === 'd',
    season: name.endsWith('M') ? 'M' : name.endsWith('A') ? 'A' : 'N',
  };
}

const forms = ['ANN', 'AAN', 'AAdN', 'MAdN', 'ANA', 'AAdA', 'MNM', 'MAdM', 'MAM'].map(readForm);

interface EtsFit {
  readonly aicc: number;
  readonly parameters: Float64Array;
  readonly forecast: (horizon: number) => Float64Array;
}

/**
 * ETS of the last 500 points, or ten cycles. Several seasonal patterns, and one of more than 24 steps, which has too
 * many states to start from, are taken out beforehand.
 */
export function etsOf({ values, seasons, candidates }: Series, horizon: number): Float64Array {
  const period = Math.round(candidates[0] ?? 1);
  const memory = Math.max(500, 10 * period);
  const enough = values.length >= 3 * period;
  const isOnly = seasons.list.every((season) => Math.round(season.period) === period);
  if (isOnly && (seasons.list.length === 0 || (enough && period <= 24))) {
    return etsForecast(lastOf(values, memory), enough && period <= 24 ? period : 1, horizon);
  }
  const flat = etsForecast(lastOf(seasons.adjusted, memory), 1, horizon);
  return restoreSeasons(flat, seasons.list, values.length);
}

/**
 * Exponential smoothing in state space form (Hyndman, Koehler, Ord and Snyder 2008), the form chosen by the corrected
 * AIC among nine. The initial season comes from classical decomposition and is not optimized.
 */
export function etsForecast(values: Float64Array, period: number, horizon: number): Float64Array {
  const positive = allPositive(values);
  let best: EtsFit | undefined;
  for (const candidate of forms) {
    if (candidate.season !== 'N' && (period < 2 || values.length < 2 * period + 1)) continue;
    if (!positive && (candidate.error === 'M' || candidate.season === 'M')) continue;
    const fit = fitEts(values, period, candidate);
    if (fit && (!best || fit.aicc < best.aicc)) best = fit;
  }
  return best ? best.forecast(horizon) : new Float64Array(horizon).fill(values[values.length - 1]);
}

/** Fits one form, with so many trials or with known parameters; undefined where it does not suit the values. */
export function fitEts(
  observed: Float64Array,
  period: number,
  chosen: EtsForm,
  search: { readonly trials?: number; readonly parameters?: Float64Array } = {},
): EtsFit | undefined {
  const n = observed.length;
  const { trend, damped } = chosen;
  const seasonal = chosen.season !== 'N';
  const relativeError = chosen.error === 'M';
  const relativeSeason = chosen.season === 'M';
  // What adds up is relative to the first value, so that a constant that is added changes nothing but the level.
  const base = relativeError || relativeSeason ? 0 : observed[0];
  const values = observed.map((value) => value - base);
  const size = meanAbsolute(values) || 1;

  const steps = seasonal ? period : 1;
  const initialSeason = new Float64Array(steps).fill(relativeSeason ? 1 : 0);
  let adjusted = values;
  if (seasonal) {
    const season = decompose(values, period, relativeSeason);
    if (season.multiplicative !== relativeSeason) return undefined;
    initialSeason.set(season.history.subarray(0, period));
    adjusted = values.map((value, i) => {
      const s = season.history[i];
      return relativeSeason ? value / s : value - s;
    });
  }
  const head = Math.min(Math.max(10, 2 * period), n);
  const line = linearTrend(adjusted, head);
  const startLevel = trend ? line.intercept - line.slope : line.intercept + (line.slope * (head - 1)) / 2;

  const start = [0.3];
  const step = [0.2];
  const parameter = (value: number, width: number): number => {
    step.push(width);
    return start.push(value) - 1;
  };
  const trendAt = trend ? parameter(0.1, 0.1) : -1;
  const dampingAt = damped ? parameter(0.93, 0.04) : -1;
  const seasonAt = seasonal ? parameter(0.1, 0.1) : -1;
  const weights = start.length;
  const levelAt = parameter(startLevel / size, 0.1);
  const slopeAt = trend ? parameter(line.slope / size, 0.02) : -1;

  const season = new Float64Array(steps);
  let level = 0;
  let slope = 0;
  let damping = 1;
  const pass = (point: Float64Array): number => {
    const alpha = clamp(point[0], 1e-4, 0.9999);
    const beta = trend ? clamp(point[trendAt], 1e-4, 0.9999) * alpha : 0;
    const gamma = seasonal ? clamp(point[seasonAt], 1e-4, 0.9999) * (1 - alpha) : 0;
    damping = damped ? clamp(point[dampingAt], 0.8, 0.98) : 1;
    level = point[levelAt] * size;
    slope = trend ? point[slopeAt] * size : 0;
    season.set(initialSeason);
    let squares = 0;
    let logarithms = 0;
    for (let i = 0, j = 0; i < n; i++) {
      const next = level + damping * slope;
      const s = season[j];
      const predicted = relativeSeason ? next * s : next + s;
      let error = values[i] - predicted;
      if (relativeError) {
        if (predicted <= 1e-9 * size) return 1e300;
        const relative = error / predicted;
        squares += relative * relative;
        logarithms += Math.log(predicted);
      } else squares += error * error;
      if (relativeSeason) {
        if (Math.abs(s) < 1e-9 || Math.abs(next) < 1e-9 * size) return 1e300;
        season[j] = s + (gamma * error) / next;
        error /= s;
      } else season[j] = s + gamma * error;
      level = next + alpha * error;
      slope = damping * slope + beta * error;
      if (++j === steps) j = 0;
    }
    let outside = 0;
    for (let k = 0; k < weights; k++) {
      const low = k === dampingAt ? 0.8 : 1e-4;
      const high = k === dampingAt ? 0.98 : 0.9999;
      outside += Math.max(0, low - point[k]) + Math.max(0, point[k] - high);
    }
    return n * Math.log(squares / n + 1e-300) + 2 * logarithms + outside * n;
  };

  const { parameters, trials = 30 + 15 * start.length } = search;
  const best = parameters ? { at: parameters, value: pass(parameters) } : nelderMead(pass, start, step, trials, 1e-6);
  if (best.value > 1e200) return undefined;
  pass(best.at);
  const count = start.length + 1 + (seasonal ? period - 1 : 0);
  const room = n - count - 1;
  const end = { level, slope, damping, season: Float64Array.from(season) };
  return {
    parameters: best.at,
    aicc: room > 0 ? best.value + 2 * count + (2 * count * (count + 1)) / room : Infinity,
    forecast(horizon) {
      const result = new Float64Array(horizon);
      let growth = 0;
      let factor = 1;
      for (let i = 0; i < horizon; i++) {
        factor *= end.damping;
        growth += factor;
        const flat = end.level + growth * end.slope;
        const s = end.season[(n + i) % steps];
        result[i] = base + (relativeSeason ? flat * s : flat + s);
      }
      return result;
    },
  };
}

import { decompose, removeSeason, restoreSeasons } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import { allPositive, along, clamp, lastOf, linearTrend, mapped, meanAbsolute } from '../statistics.ts';
import { nelderMead } from './minimize.ts';

/** Of a short name such as `MAdM`: error, trend and season are additive (A), multiplicative (M) or none (N). */
export const readForm = (name: string) => ({
  error: name.slice(0, 1),
  trend: name[1] === 'A',
  damped: name[2] === 'd',
  season: name.slice(-1),
});
type EtsForm = ReturnType<typeof readForm>;

const forms = ['ANN', 'AAN', 'AAdN', 'MAdN', 'ANA', 'AAdA', 'MNM', 'MAdM', 'MAM'].map(readForm);

type EtsFit = NonNullable<ReturnType<typeof fitEts>>;

/** Several seasonal patterns, and one of more than 24 steps, with too many states to start from, are taken out before. */
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

/** After Hyndman, Koehler, Ord and Snyder (2008): of nine forms that of the least corrected AIC. */
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

/** Where in a point of the search the parameters stand: the initial level after all weights; -1 for what a form has not. */
type Places = Readonly<Record<'trend' | 'damping' | 'season' | 'level' | 'slope', number>>;

interface Smoothing {
  readonly form: EtsForm;
  readonly values: Float64Array;
  readonly size: number;
  readonly initialSeason: Float64Array;
  readonly at: Places;
  readonly end: { level: number; slope: number; damping: number; readonly season: Float64Array };
}

const least = 1e-4;
const most = 0.9999;
const [leastDamping, mostDamping] = [0.8, 0.98];

/** Twice the negative logarithm of the likelihood with the parameters, which are drawn within their bounds. */
function smoothed({ form, values, size, initialSeason, at, end }: Smoothing, point: Float64Array): number {
  const n = values.length;
  const relativeError = form.error === 'M';
  const relativeSeason = form.season === 'M';
  const { season } = end;
  const steps = season.length;
  const alpha = clamp(point[0], least, most);
  const beta = at.trend >= 0 ? clamp(point[at.trend], least, most) * alpha : 0;
  const gamma = at.season >= 0 ? clamp(point[at.season], least, most) * (1 - alpha) : 0;
  const damping = at.damping >= 0 ? clamp(point[at.damping], leastDamping, mostDamping) : 1;
  let level = point[at.level] * size;
  let slope = at.slope >= 0 ? point[at.slope] * size : 0;
  season.set(initialSeason);
  let squares = 0;
  let logarithms = 0;
  let product = 1;
  for (let i = 0, j = 0; i < n; i++) {
    const next = level + damping * slope;
    const s = season[j];
    const predicted = relativeSeason ? next * s : next + s;
    let error = values[i] - predicted;
    if (relativeError) {
      if (predicted <= 1e-9 * size) return 1e300;
      const relative = error / predicted;
      squares += relative * relative;
      product *= predicted;
      if (product > 1e150 || product < 1e-150) {
        logarithms += Math.log(product);
        product = 1;
      }
    } else squares += error * error;
    if (relativeSeason) {
      if (Math.abs(s) < 1e-9 || Math.abs(next) < 1e-9 * size) return 1e300;
      season[j] = s + (gamma * error) / next;
      error = values[i] / s - next; // no division of it waits for the level before
    } else season[j] = s + gamma * error;
    level = next + alpha * error;
    slope = damping * slope + beta * error;
    if (++j === steps) j = 0;
  }
  end.level = level;
  end.slope = slope;
  end.damping = damping;
  let outside = 0;
  for (let k = 0; k < at.level; k++) {
    const [low, high] = k === at.damping ? [leastDamping, mostDamping] : [least, most];
    outside += Math.max(0, low - point[k]) + Math.max(0, point[k] - high);
  }
  return n * Math.log(squares / n + 1e-300) + 2 * (logarithms + Math.log(product)) + n * outside;
}

/** Fits one form, with so many trials or with known parameters; undefined where it does not suit the values. */
export function fitEts(
  observed: Float64Array,
  period: number,
  form: EtsForm,
  search: { readonly trials?: number; readonly parameters?: Float64Array } = {},
) {
  const n = observed.length;
  const { trend, damped } = form;
  const seasonal = form.season !== 'N';
  const relativeSeason = form.season === 'M';
  // What adds up is relative to the first value, so that a constant that is added changes nothing but the level.
  const base = form.error === 'M' || relativeSeason ? 0 : observed[0];
  const values = mapped(observed, (value) => value - base);
  const size = meanAbsolute(values) || 1;

  const steps = seasonal ? period : 1;
  const season = seasonal ? decompose(values, period, relativeSeason) : undefined;
  if (season && season.multiplicative !== relativeSeason) return undefined;
  const initialSeason = season ? season.history.slice(0, period) : new Float64Array(1);
  const head = Math.min(Math.max(10, 2 * period), n);
  const line = linearTrend(season ? removeSeason(values, season) : values, head);

  const start = [0.3];
  const step = [0.2];
  const parameter = (isThere: boolean, value: number, width: number): number => {
    if (!isThere) return -1;
    step.push(width);
    return start.push(value) - 1;
  };
  const startLevel = trend ? line.intercept - line.slope : line.intercept + (line.slope * (head - 1)) / 2;
  const at: Places = {
    trend: parameter(trend, 0.1, 0.1),
    damping: parameter(damped, 0.93, 0.04),
    season: parameter(seasonal, 0.1, 0.1),
    level: parameter(true, startLevel / size, 0.1),
    slope: parameter(trend, line.slope / size, 0.02),
  };
  const end = { level: 0, slope: 0, damping: 1, season: new Float64Array(steps) };
  const smoothing: Smoothing = { form, values, size, initialSeason, at, end };
  const pass = (point: Float64Array): number => smoothed(smoothing, point);
  const { parameters, trials = 30 + 15 * start.length } = search;
  const best = parameters ? { at: parameters, value: pass(parameters) } : nelderMead(pass, start, step, trials, 1e-6);
  if (best.value > 1e200) return undefined;
  pass(best.at);
  const count = start.length + 1 + (seasonal ? period - 1 : 0);
  const room = n - count - 1;
  return {
    parameters: best.at,
    aicc: room > 0 ? best.value + 2 * count + (2 * count * (count + 1)) / room : Infinity,
    forecast: (horizon: number) => continued(smoothing, base, horizon),
  };
}

function continued({ form, values, end }: Smoothing, base: number, horizon: number): Float64Array {
  let growth = 0;
  let factor = 1;
  return along(horizon, (i) => {
    factor *= end.damping;
    growth += factor;
    const flat = end.level + growth * end.slope;
    const s = end.season[(values.length + i) % end.season.length];
    return base + (form.season === 'M' ? flat * s : flat + s);
  });
}

import { clamp } from './statistics.ts';

export interface AnomaliesInput {
  /** Observations in time order; `NaN` where one is missing. */
  readonly values: Float64Array;
  /** Seasonal periods in steps, shortest first; the first two that fit the history are used. */
  readonly periods: readonly number[];
  /** The step of the regular grid that each value belongs to, rising; absent where there is a value for each step. */
  readonly steps?: ArrayLike<number> | undefined;
}

/** How one observation compares to what was expected of it from the observations before it. */
export interface AnomalyScores {
  /** One step ahead, from the past alone. */
  readonly expected: Float64Array;
  /** Typical distance from it at that time, in the units of the values. */
  readonly scale: Float64Array;
  /** How surprising the observation and its neighbours before it are; 0 where the history is too short to tell. */
  readonly surprise: Float64Array;
  /** Which of {@link SIGNS} surprises most. */
  readonly sign: Uint8Array;
}

/** In what an observation can be odd: by itself, in a stretch of unusual movement, or away from its usual level. */
export const SIGNS = ['spike', 'stretch', 'level'] as const;

/**
 * Judges every observation by those before it, in one pass. Several simple forecasts one step ahead (last value, fast
 * level, last season, seasonal level, seasonal step) are weighed by their recent errors. Three statistics of the
 * error are each ranked among their own history: its size, its mean size over the last steps, and the mean departure from
 * the usual level of that time. A rank becomes a surprise, −log10 of the share of the history that was at least as odd,
 * continued beyond the oddest; the surprises of the three are added. In the manner of conformal anomaly detection (Laxhammar
 * and Falkman 2010) and of the sustained surprise of Ahmad et al. (2017).
 *
 * @returns arrays as long as `values`; `NaN` in `expected` and `scale` where there is nothing to expect yet
 */
export function anomalyScores({ values, periods, steps }: AnomaliesInput): AnomalyScores {
  const n = values.length;
  const expected = new Float64Array(n).fill(NaN);
  const scale = new Float64Array(n).fill(NaN);
  const surprise = new Float64Array(n);
  const sign = new Uint8Array(n);
  const outlook = new Outlook(periods.map(Math.round).filter((period) => period >= 2 && period * 2 <= n));
  const ranks = SIGNS.map(() => new Rank());
  // Observations before the first that counts as history of the statistics: two cycles.
  const learning = clamp(2 * outlook.shortestPeriod, 12, 40);
  const statistics = new Float64Array(SIGNS.length);
  let slowError = NaN;
  let fastError = NaN;
  let stretch = 0;
  let level = 0;
  let drift = 0;
  let seen = 0;
  for (let index = 0; index < n; index++) {
    const value = values[index];
    const step = steps?.[index] ?? index;
    const forecast = outlook.expect(step);
    if (!Number.isFinite(value)) continue;
    if (Number.isFinite(forecast)) {
      const error = value - forecast;
      const size = Math.abs(error);
      const least = 1e-9 + 1e-3 * Math.abs(outlook.level);
      const usual = (slowError || 0) + least;
      const local = Math.max(usual, 0.8 * (fastError || 0) + least);
      expected[index] = forecast;
      scale[index] = local;
      if (seen > 12) {
        stretch += 0.15 * (Math.min(8, size / usual) - stretch);
        const departure = value - outlook.usual(step);
        level += 0.1 * ((departure - drift) / usual - level);
        // A trend is no departure: what stays for some hundred steps is subtracted.
        drift += 0.005 * (departure - drift);
      }
      statistics[0] = size / local;
      statistics[1] = stretch;
      statistics[2] = Math.abs(level);
      let most = 0;
      for (let which = 0; which < statistics.length; which++) {
        const one = ranks[which].surprise(statistics[which]);
        surprise[index] += one;
        if (one > most) {
          most = one;
          sign[index] = which;
        }
        if (seen > learning) ranks[which].add(statistics[which]);
      }
      slowError = towards(slowError, size, Math.max(0.002, 1 / (seen + 1)));
      fastError = towards(fastError, size, 0.03);
    }
    outlook.learn(step, value);
    seen++;
  }
  return { expected, scale, surprise, sign };
}

/**
 * The surprise that one observation in `rarity` reaches by chance. Measured on noise of several kinds, 150 to 10,000 long:
 * white, autocorrelated, rounded and seasonal noise and random walks reach that of 100 once in 43 to 230 observations and
 * that of 1,000 once in 250 to 3,000; heavy tails (Student, 3 degrees of freedom) once in 50 to 77 and 180 to 310.
 *
 * @param rarity 10 or more
 */
export const surpriseOf = (rarity: number): number => 4.4 + 1.6 * (Math.log10(rarity) - 2);

/** The rarity that a surprise stands for: the inverse of {@link surpriseOf}. */
export const rarityOf = (surprise: number): number => 10 ** Math.min(12, (surprise - 4.4) / 1.6 + 2);

/**
 * The observations at which an odd episode begins: those that reach the surprise, each told once. An episode is over after
 * a fortieth of the history, 100 observations at most.
 */
export function anomalousEpisodes(surprise: Float64Array, least: number): number[] {
  const found: number[] = [];
  let quietUntil = -1;
  surprise.forEach((value, index) => {
    if (value < least || index <= quietUntil) return;
    found.push(index);
    quietUntil = index + Math.min(100, Math.max(1, Math.round(index / 40)));
  });
  return found;
}

/** Sorted statistics of a series so far, as counts in bins that grow by 3 %. */
class Rank {
  readonly #counts = new Uint32Array(1024);
  #total = 0;
  #largest = 0;

  /** −log10 of the share of the history at least as large as this. */
  surprise(value: number): number {
    if (this.#total < 12) return 0;
    const bin = binOf(value);
    let above = 0;
    for (let at = bin; at < this.#counts.length; at++) above += this.#counts[at];
    if (above > 0 && value <= this.#largest) return -Math.log10((above + 0.5) / (this.#total + 1));
    return -Math.log10((0.5 / (this.#total + 1)) * ((this.#largest + 0.1) / (value + 0.1)));
  }

  add(value: number): void {
    this.#counts[binOf(value)]++;
    this.#total++;
    if (value > this.#largest) this.#largest = value;
  }
}

const binOf = (value: number) => clamp(Math.floor(Math.log2(value + 1e-6) * 24) + 480, 0, 1023);

/** A level that follows a value at a rate, from the first value on. */
const towards = (level: number, value: number, rate: number): number =>
  Number.isNaN(level) ? value : level + rate * (value - level);

/** Forecasts one step ahead, weighed by how near they were of late. */
class Outlook {
  readonly #seasons: readonly Season[];
  readonly #forecasts: Float64Array;
  readonly #errors: Float64Array;
  #last = NaN;
  #fast = NaN;
  #slow = NaN;
  #seen = 0;

  constructor(periods: readonly number[]) {
    this.#seasons = periods.slice(0, 2).map((period, index) => new Season(period, index === 0 ? 0.2 : 0.4));
    this.#forecasts = new Float64Array(2 + 4 * this.#seasons.length);
    this.#errors = new Float64Array(this.#forecasts.length).fill(NaN);
  }

  /** 0 without a season. */
  get shortestPeriod(): number {
    return this.#seasons[0]?.period ?? 0;
  }

  get level(): number {
    return this.#slow || 0;
  }

  /** What is usual at this step: the level of the longest season that is known there, else the slow level. */
  usual(step: number): number {
    const known = this.#seasons.findLast((season) => !Number.isNaN(season.at(step)));
    return known ? known.at(step) : this.#slow;
  }

  expect(step: number): number {
    const forecasts = this.#forecasts;
    forecasts[0] = this.#last;
    forecasts[1] = this.#fast;
    this.#seasons.forEach((season, index) => {
      const first = 2 + 4 * index;
      const known = season.at(step);
      forecasts[first] = season.before(step);
      forecasts[first + 1] = known + season.shift;
      forecasts[first + 2] = known;
      forecasts[first + 3] = this.#last + season.before(step) - season.before(step - 1);
    });
    const best = this.#errors.reduce((least, error) => (error < least ? error : least), Infinity);
    let sum = 0;
    let weights = 0;
    for (let which = 0; which < forecasts.length; which++) {
      if (Number.isNaN(forecasts[which]) || Number.isNaN(this.#errors[which])) continue;
      const weight = ((best + 1e-12) / (this.#errors[which] + 1e-12)) ** 8;
      sum += weight * forecasts[which];
      weights += weight;
    }
    return weights > 0 ? sum / weights : this.#last;
  }

  learn(step: number, value: number): void {
    const first = 1 / ++this.#seen;
    for (let which = 0; which < this.#forecasts.length; which++) {
      if (Number.isNaN(this.#forecasts[which])) continue;
      const error = Math.abs(value - this.#forecasts[which]);
      this.#errors[which] = towards(this.#errors[which], error, Math.max(0.01, first));
    }
    this.#fast = towards(this.#fast, value, 0.3);
    this.#slow = towards(this.#slow, value, Math.max(0.005, first));
    for (const season of this.#seasons) season.learn(step, value);
    this.#last = value;
  }
}

/** The level of each place in a cycle, and the last cycle itself. */
class Season {
  readonly period: number;
  readonly #rate: number;
  readonly #levels: Float64Array;
  readonly #cycle: Float64Array;
  readonly #cycleSteps: Float64Array;
  /** How far the series is above its seasonal levels of late. */
  shift = 0;

  constructor(period: number, rate: number) {
    this.period = period;
    this.#rate = rate;
    this.#levels = new Float64Array(period).fill(NaN);
    this.#cycle = new Float64Array(period + 1);
    this.#cycleSteps = new Float64Array(period + 1).fill(NaN);
  }

  at(step: number): number {
    return this.#levels[place(step, this.period)];
  }

  /** The value one cycle before a step. */
  before(step: number): number {
    const slot = place(step - this.period, this.#cycle.length);
    return this.#cycleSteps[slot] === step - this.period ? this.#cycle[slot] : NaN;
  }

  learn(step: number, value: number): void {
    const at = place(step, this.period);
    const known = this.#levels[at];
    if (!Number.isNaN(known)) this.shift += 0.1 * (value - known - this.shift);
    this.#levels[at] = towards(known, value, this.#rate);
    const slot = place(step, this.#cycle.length);
    this.#cycle[slot] = value;
    this.#cycleSteps[slot] = step;
  }
}

const place = (step: number, length: number) => ((step % length) + length) % length;

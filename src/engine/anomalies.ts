import { clamp } from './statistics.ts';
import type { EngineInput } from './types.ts';

/** What is unusual: the observation by itself, the movement of a stretch, or the distance from the usual level. */
export const SIGNS = ['spike', 'stretch', 'level'] as const;

/**
 * Judges every observation by those before it. Several simple forecasts one step ahead are weighed by their recent
 * errors. Three statistics of the error are ranked among their own history: its size, its mean size of late, and the
 * mean departure from the usual level. A rank becomes a surprise, −log10 of the share of the history that was at least
 * as large; the three are added. After conformal anomaly detection (Laxhammar and Falkman 2010) and Ahmad et al.
 * (2017).
 * @param input the first two of the periods that fit the history are used
 * @returns arrays as long as `values`: what was expected and the typical distance from it, `NaN` where there is nothing
 *   to expect yet; the surprise of the observation and its neighbors before it, 0 where nobody can tell, and its sign
 */
export function anomalyScores({ values, periods }: Pick<EngineInput, 'values' | 'periods'>) {
  const n = values.length;
  const expected = new Float64Array(n).fill(NaN);
  const scale = new Float64Array(n).fill(NaN);
  const surprise = new Float64Array(n);
  const sign = new Uint8Array(n);
  const seasons = periods.map(Math.round).filter((period) => period >= 2 && period * 2 <= n);
  const outlook = new Outlook(values, seasons);
  const ranks = SIGNS.map(() => new Rank());
  // Observations before the first that counts as history of the statistics: two cycles.
  const warmUp = clamp(2 * (seasons[0] ?? 0), 12, 40);
  let [slowError, fastError] = [NaN, NaN];
  let [stretch, level, drift] = [0, 0, 0];
  for (let index = 0, seen = 0; index < n; index++) {
    const value = values[index];
    if (!Number.isFinite(value)) continue;
    const forecast = outlook.expect(index);
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
        const departure = value - outlook.usual(index);
        level += 0.1 * ((departure - drift) / usual - level);
        // A trend is no departure: what stays for some hundred steps is subtracted.
        drift += 0.005 * (departure - drift);
      }
      let most = 0;
      [size / local, stretch, Math.abs(level)].forEach((statistic, which) => {
        const own = ranks[which].surprise(statistic);
        surprise[index] += own;
        if (own > most) [most, sign[index]] = [own, which];
        if (seen > warmUp) ranks[which].add(statistic);
      });
      slowError = towards(slowError, size, Math.max(0.002, 1 / (seen + 1)));
      fastError = towards(fastError, size, 0.03);
    }
    outlook.update(index);
    seen++;
  }
  return { expected, scale, surprise, sign };
}

/**
 * Reached by chance once in `rarity` (10 or more): on noise, 150 to 10,000 long, that of 100 came once in 43 to 230 and that of
 * 1,000 once in 250 to 3,000 observations; with heavy tails (Student, 3 degrees of freedom) once in 50 to 77 and 180 to 310.
 */
export const surpriseOf = (rarity: number): number => 4.4 + 1.6 * (Math.log10(rarity) - 2);

export const rarityOf = (surprise: number): number => 10 ** Math.min(12, (surprise - 4.4) / 1.6 + 2);

/** Where episodes of so much surprise begin; each is over after a fortieth of the history, 100 observations at most. */
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

class Rank {
  readonly #counts = new Uint32Array(1024);
  #total = 0;
  #largest = 0;

  surprise(value: number): number {
    if (this.#total < 12) return 0;
    let above = 0;
    for (let at = binOf(value); at < this.#counts.length; at++) above += this.#counts[at];
    if (above > 0 && value <= this.#largest) return -Math.log10((above + 0.5) / (this.#total + 1));
    return -Math.log10((0.5 / (this.#total + 1)) * ((this.#largest + 0.1) / (value + 0.1)));
  }

  add(value: number): void {
    this.#counts[binOf(value)]++;
    this.#total++;
    this.#largest = Math.max(this.#largest, value);
  }
}

const binOf = (value: number) => clamp(Math.floor(Math.log2(value + 1e-6) * 24) + 480, 0, 1023);

const towards = (level: number, value: number, rate: number): number =>
  Number.isNaN(level) ? value : level + rate * (value - level);

class Outlook {
  readonly #values: Float64Array;
  readonly #seasons;
  readonly #forecasts;
  readonly #errors;
  #last = NaN;
  #fast = NaN;
  #slow = NaN;
  #seen = 0;

  constructor(values: Float64Array, periods: readonly number[]) {
    this.#values = values;
    this.#seasons = periods.slice(0, 2).map((period, index) => ({
      period,
      rate: index === 0 ? 0.2 : 0.4,
      levels: new Float64Array(period).fill(NaN),
      shift: 0,
    }));
    this.#forecasts = new Float64Array(2 + 4 * this.#seasons.length);
    this.#errors = new Float64Array(this.#forecasts.length).fill(NaN);
  }

  get level(): number {
    return this.#slow || 0;
  }

  usual(step: number): number {
    const known = this.#seasons.map(({ levels, period }) => levels[step % period]);
    return known.findLast((level) => !Number.isNaN(level)) ?? this.#slow;
  }

  /** From the last value, a fast level, the last season, the level of the season as it is now and was, and its last step. */
  expect(step: number): number {
    const forecasts = this.#forecasts;
    forecasts[0] = this.#last;
    forecasts[1] = this.#fast;
    const observed = (at: number): number => (Number.isFinite(this.#values[at]) ? this.#values[at] : NaN);
    this.#seasons.forEach(({ period, levels, shift }, index) => {
      const known = levels[step % period];
      const before = observed(step - period);
      const next = this.#last + before - observed(step - 1 - period);
      forecasts.set([before, known + shift, known, next], 2 + 4 * index);
    });
    const best = this.#errors.reduce((least, error) => (error < least ? error : least), Infinity);
    let sum = 0;
    let weights = 0;
    forecasts.forEach((forecast, which) => {
      if (Number.isNaN(forecast) || Number.isNaN(this.#errors[which])) return;
      const weight = ((best + 1e-12) / (this.#errors[which] + 1e-12)) ** 8;
      sum += weight * forecast;
      weights += weight;
    });
    return weights > 0 ? sum / weights : this.#last;
  }

  update(step: number): void {
    const value = this.#values[step];
    const first = 1 / ++this.#seen;
    this.#forecasts.forEach((forecast, which) => {
      if (Number.isNaN(forecast)) return;
      this.#errors[which] = towards(this.#errors[which], Math.abs(value - forecast), Math.max(0.01, first));
    });
    this.#fast = towards(this.#fast, value, 0.3);
    this.#slow = towards(this.#slow, value, Math.max(0.005, first));
    for (const season of this.#seasons) {
      const place = step % season.period;
      const known = season.levels[place];
      if (!Number.isNaN(known)) season.shift += 0.1 * (value - known - season.shift);
      season.levels[place] = towards(known, value, season.rate);
    }
    this.#last = value;
  }
}

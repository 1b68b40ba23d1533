import { type Covariate, isSwitch } from './covariate.ts';

/** Columns for a regression: first those of the calendar, then those of the covariates. */
export interface Bases {
  readonly columns: readonly Float64Array[];
  /** How many of them are of the calendar. */
  readonly given: number;
}

/** With more covariates than this only their plain effects are looked for. */
const mostInteracting = 10;
/** A cycle of more steps is followed by waves, not step by step. */
const mostSteps = 24;

/**
 * @param like the covariates of which the centre, spread and bends are taken
 * @param profile how high each step usually is by its place in the calendar: a holiday takes that away
 */
export function basesOf(
  covariates: readonly Covariate[],
  periods: readonly number[],
  length: number,
  like = covariates,
  profile?: Float64Array,
): Bases {
  const columns: Float64Array[] = [];
  const at = (of: (i: number) => number): Float64Array => Float64Array.from({ length }, (_, i) => of(i));
  const whole = periods.map(Math.round).filter((period) => 2 * period < length);
  const short = whole[0] ?? 1;
  const isDay = whole.length > 1 && whole[1] % short === 0;
  const day = isDay ? short : 1;
  whole.forEach((period, k) => {
    const steps = k === 0 ? 1 : period % whole[k - 1] === 0 ? whole[k - 1] : 0;
    if (steps > 0 && period / steps <= mostSteps) {
      for (let phase = 0; phase < period / steps; phase++) {
        columns.push(at((i) => (Math.floor((i % period) / steps) === phase ? 1 : 0)));
      }
    } else for (const wave of waves(periods[k], 3, length)) columns.push(wave);
  });
  const given = columns.length;
  const hours = isDay && short > 3 ? waves(short, 3, length) : [];
  const few = covariates.length <= mostInteracting;
  const standard = covariates.map(({ values }, k) => unit(values, like[k].values));
  const switches = standard.filter((_, k) => isSwitch(like[k].values));
  for (const [k, own] of standard.entries()) {
    const add = (column: Float64Array): void => {
      columns.push(column);
    };
    const shifted = (lag: number): Float64Array => at((i) => own[Math.max(0, Math.min(length - 1, i - lag))]);
    add(own);
    if (isSwitch(like[k].values)) {
      add(shifted(day));
      add(shifted(-day));
      if (profile) add(own.map((value, i) => value * profile[i]));
      if (few) for (const wave of hours) add(own.map((value, i) => value * wave[i]));
      continue;
    }
    const sorted = unit(like[k].values, like[k].values).sort();
    for (const share of [0.2, 0.5, 0.8]) {
      const knot = sorted[Math.floor(share * (length - 1))];
      add(own.map((value) => Math.max(0, value - knot)));
    }
    add(shifted(1));
    add(at((i) => mean(own, i - day + 1, i + 1)));
    if (day > 1) add(shifted(day));
    if (!few) continue;
    for (const wave of hours.slice(0, 4)) add(own.map((value, i) => value * wave[i]));
    const middle = sorted[Math.floor(0.6 * (length - 1))];
    for (const wave of hours.slice(0, 2)) add(own.map((value, i) => Math.max(0, value - middle) * wave[i]));
    for (const other of switches.slice(0, 4)) add(own.map((value, i) => value * other[i]));
  }
  return { columns, given };
}

function waves(period: number, harmonics: number, length: number): Float64Array[] {
  const result: Float64Array[] = [];
  for (let k = 1; k <= harmonics && 2 * k < period; k++) {
    const angle = (2 * Math.PI * k) / period;
    result.push(Float64Array.from({ length }, (_, i) => Math.sin(angle * i)));
    result.push(Float64Array.from({ length }, (_, i) => Math.cos(angle * i)));
  }
  return result;
}

/** So that others would have mean 0 and spread 1. */
function unit(values: Float64Array, others: Float64Array): Float64Array {
  const n = others.length;
  const centre = others.reduce((sum, value) => sum + value / n, 0);
  const spread = Math.sqrt(others.reduce((sum, value) => sum + (value - centre) ** 2 / n, 0)) || 1;
  return values.map((value) => (value - centre) / spread);
}

function mean(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  const start = Math.max(0, from);
  for (let i = start; i < to; i++) sum += values[i];
  return sum / (to - start);
}

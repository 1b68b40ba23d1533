import { mean } from '../statistics.ts';
import { type Covariate, isSwitch } from './covariate.ts';

/** Columns for a regression: first those of the calendar, then those of the covariates. */
export interface Bases {
  readonly columns: readonly Float64Array[];
  /** How many of them are of the calendar. */
  readonly given: number;
}

/**
 * A cycle of up to 24 steps is followed step by step, a longer one by waves. Of a covariate there are its bends, its lags
 * and its mean of a day; with up to ten covariates also its products with the hours and with switches.
 *
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
  const at = (of: (i: number) => number): Float64Array => Float64Array.from({ length }, (_, i) => of(i));
  const whole = periods.map(Math.round).filter((period) => 2 * period < length);
  const calendar = whole.flatMap((period, k) => {
    const steps = k === 0 ? 1 : period % whole[k - 1] === 0 ? whole[k - 1] : 0;
    if (!(steps > 0 && period / steps <= 24)) return waves(periods[k], length);
    return Array.from({ length: period / steps }, (_, phase) =>
      at((i) => (Math.floor((i % period) / steps) === phase ? 1 : 0)),
    );
  });
  const short = whole[0] ?? 1;
  const isDay = whole.length > 1 && whole[1] % short === 0;
  const day = isDay ? short : 1;
  const few = covariates.length <= 10;
  const hours = few && isDay && short > 3 ? waves(short, length) : [];
  const standard = covariates.map(({ values }, k) => unit(values, like[k].values));
  const switches = standard.filter((_, k) => few && isSwitch(like[k].values));
  const columns = standard.flatMap((own, k): Float64Array[] => {
    const shifted = (lag: number): Float64Array => at((i) => own[Math.max(0, Math.min(length - 1, i - lag))]);
    const times = (others: readonly Float64Array[], of = own): Float64Array[] =>
      others.map((other) => of.map((value, i) => value * other[i]));
    if (isSwitch(like[k].values)) {
      return [own, shifted(day), shifted(-day), ...times(profile ? [profile] : []), ...times(hours)];
    }
    const sorted = unit(like[k].values, like[k].values).sort();
    const above = (share: number): Float64Array => {
      const knot = sorted[Math.floor(share * (length - 1))];
      return own.map((value) => Math.max(0, value - knot));
    };
    return [
      own,
      ...[0.2, 0.5, 0.8].map(above),
      shifted(1),
      at((i) => mean(own.subarray(Math.max(0, i - day + 1), i + 1))),
      ...(day > 1 ? [shifted(day)] : []),
      ...times(hours.slice(0, 4)),
      ...times(hours.slice(0, 2), above(0.6)),
      ...times(switches.slice(0, 4)),
    ];
  });
  return { columns: [...calendar, ...columns], given: calendar.length };
}

/** Three harmonics. */
function waves(period: number, length: number): Float64Array[] {
  return [1, 2, 3].flatMap((k) => {
    if (2 * k >= period) return [];
    const angle = (2 * Math.PI * k) / period;
    return [Math.sin, Math.cos].map((wave) => Float64Array.from({ length }, (_, i) => wave(angle * i)));
  });
}

/** So that others would have mean 0 and spread 1. */
function unit(values: Float64Array, others: Float64Array): Float64Array {
  const centre = mean(others);
  const spread = Math.sqrt(mean(others.map((value) => (value - centre) ** 2))) || 1;
  return values.map((value) => (value - centre) / spread);
}

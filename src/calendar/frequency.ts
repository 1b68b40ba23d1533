import { DAY, HOUR, MINUTE, SECOND, WEEK } from './civil.ts';

export type FrequencyUnit =
  'millisecond' | 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/**
 * The step of a regular series. Always in its canonical form: 60 minutes are an hour, 7 days a week, 3 months a quarter,
 * 12 months a year.
 */
export interface Frequency {
  readonly unit: FrequencyUnit;
  /** Whole and 1 or more; only of milliseconds it may be a fraction (steps of microseconds). */
  readonly count: number;
  /** Monday to Friday only; with unit `day` alone. */
  readonly businessDays?: boolean;
  /** Each step falls on the last day of its month, quarter or year. */
  readonly anchor?: 'end';
}

const FIXED: Readonly<Partial<Record<FrequencyUnit, number>>> = {
  millisecond: 1,
  second: SECOND,
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: WEEK,
};

/** Milliseconds of one step, or `undefined` for months, quarters and years. Business days give a day. */
export function fixedStep(frequency: Frequency): number | undefined {
  const unit = FIXED[frequency.unit];
  return unit === undefined ? undefined : unit * frequency.count;
}

/** Months of one step, or `undefined` for units of fixed length. */
export function monthStep(frequency: Frequency): number | undefined {
  if (frequency.unit === 'month') return frequency.count;
  if (frequency.unit === 'quarter') return 3 * frequency.count;
  return frequency.unit === 'year' ? 12 * frequency.count : undefined;
}

/** Length of a step in milliseconds, with mean months; for comparing and ordering only. */
export function approximateStep(frequency: Frequency): number {
  if (frequency.businessDays) return (7 / 5) * DAY * frequency.count;
  return fixedStep(frequency) ?? ((monthStep(frequency) ?? 12) * 365.25 * DAY) / 12;
}

/** The canonical frequency of a fixed step in milliseconds. */
export function fixedFrequency(step: number): Frequency {
  const units: readonly FrequencyUnit[] = ['week', 'day', 'hour', 'minute', 'second'];
  for (const unit of units) {
    const count = step / (FIXED[unit] ?? 1);
    if (count >= 1 && Number.isInteger(count)) return { unit, count };
  }
  return { unit: 'millisecond', count: step };
}

/** The canonical frequency of a step of whole months. */
export function monthFrequency(months: number, anchor?: 'end'): Frequency {
  const end = anchor ? { anchor } : {};
  if (months % 12 === 0) return { unit: 'year', count: months / 12, ...end };
  if (months === 3) return { unit: 'quarter', count: 1, ...end };
  return { unit: 'month', count: months, ...end };
}

const YEAR_DAYS = 365.25;

/** Fewest steps in a cycle shorter than a day for it to be worth a look: the hour counts for minutes, not for 5 minutes. */
const FEWEST_STEPS = 24;

/**
 * Seasonal periods that the calendar suggests, in steps, shortest first; the data must confirm them. A step below a day
 * gives two: the day and the week where the step is 5 minutes to 12 hours, else the two shortest cycles of at least 24
 * steps. Years give none.
 */
export function seasonalPeriods(frequency: Frequency): number[] {
  const months = monthStep(frequency);
  if (months !== undefined) return 12 / months >= 2 ? [12 / months] : [];
  if (frequency.businessDays) return frequency.count === 1 ? [5, 260.9] : [];
  const step = fixedStep(frequency) ?? 1;
  if (step < DAY) {
    return [SECOND, MINUTE, HOUR, DAY, WEEK]
      .filter((cycle) => cycle / step >= (cycle < DAY ? FEWEST_STEPS : 2))
      .slice(0, 2)
      .map((cycle) => Number((cycle / step).toFixed(2)));
  }
  const days = step / DAY;
  const cycles = frequency.unit === 'week' ? [YEAR_DAYS] : [7, YEAR_DAYS];
  return cycles.map((cycle) => Number((cycle / days).toFixed(2))).filter((period) => period >= 2);
}

/** Steps ahead that people plan with, by unit, for a step of one unit. */
function customaryHorizon(frequency: Frequency): number {
  const months = monthStep(frequency);
  if (months !== undefined) return months >= 12 ? 6 : months >= 6 ? 4 : months >= 3 ? 8 : Math.round(24 / months);
  if (frequency.businessDays) return 20;
  const step = fixedStep(frequency) ?? 1;
  if (step >= WEEK) return Math.max(6, Math.round((26 * WEEK) / step));
  if (step >= DAY) return Math.max(7, Math.round((28 * DAY) / step));
  if (step >= 5 * MINUTE) return Math.min(288, Math.max(14, Math.round((2 * DAY) / step)));
  return 120;
}

/**
 * How many steps to forecast where nobody says: monthly 24, quarterly 8, yearly 6, weekly 26, daily 28, business days 20,
 * hourly 48, 12 without a frequency; never more than half as many steps as there are points, and at least 1.
 */
export function defaultHorizon(frequency: Frequency | undefined, points: number): number {
  const wanted = frequency ? customaryHorizon(frequency) : 12;
  return Math.max(1, Math.min(wanted, Math.floor(points / 2)));
}

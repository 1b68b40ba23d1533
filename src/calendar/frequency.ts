import { DAY, HOUR, MINUTE, SECOND, WEEK } from './civil.ts';
import { openDays, type OpenTime, openWeek } from './open-time.ts';

interface Unit {
  readonly ms?: number;
  readonly months?: number;
  /** How ISO 8601 writes a number of them; milliseconds are parts of a second, and quarters months. */
  readonly iso: string;
  /** What it is called beside its own name: words, and codes of pandas (old and new). */
  readonly names: string;
}

/** All that is known of the units of a step, the shortest first. */
export const UNITS = {
  millisecond: { ms: 1, iso: 'PT#S', names: 'ms l' },
  second: { ms: SECOND, iso: 'PT#S', names: 's sec secondly' },
  minute: { ms: MINUTE, iso: 'PT#M', names: 't min minutely' },
  hour: { ms: HOUR, iso: 'PT#H', names: 'h hr hourly' },
  day: { ms: DAY, iso: 'P#D', names: 'd daily' },
  week: { ms: WEEK, iso: 'P#W', names: 'w wk weekly' },
  month: { months: 1, iso: 'P#M', names: 'mon monthly' },
  quarter: { months: 3, iso: 'P#M', names: 'quarterly' },
  year: { months: 12, iso: 'P#Y', names: 'y yr yearly annual annually' },
} satisfies Readonly<Record<string, Unit>>;

export type FrequencyUnit = keyof typeof UNITS;

/** The step of a regular series, in canonical form: 60 minutes are an hour, 7 days a week, 12 months a year. */
export interface Frequency {
  readonly unit: FrequencyUnit;
  /** Whole and 1 or more; only of milliseconds it may be a fraction (steps of microseconds). */
  readonly count: number;
  /** When steps can be, where that is not always; with units from `second` to `day`. Closed time is no part of a step. */
  readonly open?: OpenTime;
  readonly anchor?: 'end';
}

/** Milliseconds of open time of one step, or `undefined` for months, quarters and years. Business days give a day. */
export function fixedStep({ unit, count }: Frequency): number | undefined {
  const { ms }: Unit = UNITS[unit];
  return ms === undefined ? undefined : ms * count;
}

export function monthStep({ unit, count }: Frequency): number | undefined {
  const { months }: Unit = UNITS[unit];
  return months === undefined ? undefined : months * count;
}

/** Length of a step in milliseconds, with mean months and its share of closed time; for comparing and ordering only. */
export function approximateStep(frequency: Frequency): number {
  const step = fixedStep(frequency);
  if (step === undefined) return ((monthStep(frequency) ?? 12) * 365.25 * DAY) / 12;
  return frequency.open ? (step * WEEK) / openWeek(frequency.open) : step;
}

export function isBelowDay(frequency: Frequency): boolean {
  return (fixedStep(frequency) ?? WEEK) < DAY;
}

export function fixedFrequency(step: number): Frequency {
  for (const unit of ['week', 'day', 'hour', 'minute', 'second'] as const) {
    const count = step / UNITS[unit].ms;
    if (count >= 1 && Number.isInteger(count)) return { unit, count };
  }
  return { unit: 'millisecond', count: step };
}

export function monthFrequency(months: number, anchor?: 'end'): Frequency {
  const end = anchor ? { anchor } : {};
  if (months % 12 === 0) return { unit: 'year', count: months / 12, ...end };
  if (months === 3) return { unit: 'quarter', count: 1, ...end };
  return { unit: 'month', count: months, ...end };
}

const YEAR_DAYS = 365.25;
/** Fewest steps in a sub-daily cycle for it to count: an hour is a cycle for minutes, not for 5 minutes. */
const FEWEST_STEPS = 24;

/** Seasonal periods that the calendar suggests, in open steps, shortest first; the data must confirm them. */
export function seasonalPeriods(frequency: Frequency): number[] {
  const months = monthStep(frequency);
  if (months !== undefined) return 12 / months >= 2 ? [12 / months] : [];
  const step = fixedStep(frequency) ?? 1;
  const { day, week, isEven } = cycleLengths(frequency);
  if (step < DAY) {
    const shorter = [SECOND, MINUTE, HOUR].filter((cycle) => cycle / step >= FEWEST_STEPS && day % cycle === 0);
    const cycles = [...(isEven ? [...shorter, day] : []), ...(isEven && day === week ? [] : [week])];
    return cycles
      .filter((cycle) => cycle / step >= 2)
      .slice(0, 2)
      .map((cycle) => Number((cycle / step).toFixed(2)));
  }
  const year = (YEAR_DAYS * week) / WEEK;
  const cycles = frequency.unit === 'week' ? [year * DAY] : [week, year * DAY];
  return cycles.map((cycle) => Number((cycle / step).toFixed(frequency.open ? 1 : 2))).filter((period) => period >= 2);
}

/** Open milliseconds of a day, in the mean of those that are open, and of a week; and whether all open days are equal. */
export function cycleLengths({ open }: Frequency): { day: number; week: number; isEven: boolean } {
  if (!open) return { day: DAY, week: WEEK, isEven: true };
  const days = openDays(open).filter((length) => length > 0);
  const week = openWeek(open);
  return { day: week / days.length, week, isEven: days.every((length) => length === days[0]) };
}

export function openDaysIn(frequency: Frequency, steps: number): number {
  return isBelowDay(frequency)
    ? Math.round(((fixedStep(frequency) ?? 0) * steps) / cycleLengths(frequency).day)
    : steps;
}

function customaryHorizon(frequency: Frequency): number {
  const months = monthStep(frequency);
  if (months !== undefined) return months >= 12 ? 6 : months >= 6 ? 4 : months >= 3 ? 8 : Math.round(24 / months);
  const step = fixedStep(frequency) ?? 1;
  const { day, week } = cycleLengths(frequency);
  if (step >= WEEK) return Math.max(6, Math.round((26 * WEEK) / step));
  if (step >= DAY) return Math.max(frequency.open ? 4 : 7, Math.round((4 * week) / step));
  if (step >= 5 * MINUTE) return Math.min(288, Math.max(frequency.open ? 2 : 14, Math.round((2 * day) / step)));
  return 120;
}

/** How many steps to forecast by default, such as 24 months or 28 days; never more than half as many as there are points. */
export function defaultHorizon(frequency: Frequency | undefined, points: number): number {
  const wanted = frequency ? customaryHorizon(frequency) : 12;
  return Math.max(1, Math.min(wanted, Math.floor(points / 2)));
}

/** What a seasonal naive forecast repeats: one value, a span that has a name, or so many steps. */
export type Season = 'value' | 'year' | 'week' | 'day' | 'hour' | { readonly steps: number };

export function seasonOf(frequency: Frequency | undefined, period: number | undefined): Season {
  if (period === undefined || period <= 1) return 'value';
  if (!frequency) return { steps: Math.round(period) };
  const { day, week } = cycleLengths(frequency);
  const weeks = lengthIn(frequency, period);
  const cycles = { year: YEAR_DAYS / 7, week: 1, day: day / week, hour: HOUR / week };
  const names = ['year', 'week', 'day', 'hour'] as const;
  return names.find((name) => Math.abs(weeks / cycles[name] - 1) < 0.02) ?? { steps: Math.round(period) };
}

function lengthIn(frequency: Frequency, steps: number): number {
  const months = monthStep(frequency);
  if (months !== undefined) return (months * steps * YEAR_DAYS) / 7 / 12;
  return ((fixedStep(frequency) ?? WEEK) * steps) / cycleLengths(frequency).week;
}

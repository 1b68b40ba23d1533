import { DAY, HOUR, MINUTE, SECOND, WEEK, civilOf, daysFromCivil, daysInMonth, timeOfDay } from './civil.ts';
import {
  openDays,
  type OpenTime,
  openWeek,
  BUSINESS_DAYS,
  isSameOpenTime,
  formatOpeningHours,
  parseOpeningHours,
  isOpen,
  openTimeAt,
  wallAtOpenTime,
} from './open-time.ts';

interface Unit {
  readonly ms?: number;
  readonly months?: number;
  /** How ISO 8601 writes a number of them; milliseconds are parts of a second, and quarters months. */
  readonly iso: string;
  readonly names: string;
}

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
  const months = monthStep(frequency);
  const length = months === undefined ? (fixedStep(frequency) ?? WEEK) / week : (months * YEAR_DAYS) / 7 / 12;
  const weeks = length * period;
  const cycles = { year: YEAR_DAYS / 7, week: 1, day: day / week, hour: HOUR / week };
  const names = ['year', 'week', 'day', 'hour'] as const;
  return names.find((name) => Math.abs(weeks / cycles[name] - 1) < 0.02) ?? { steps: Math.round(period) };
}

/** ISO 8601 duration: `P1M`, `P3M` for a quarter, `P1D`, `PT0.5S`; without closed time and month ends. */
export function formatDuration({ unit, count }: Frequency): string {
  const shown = unit === 'quarter' ? 3 * count : unit === 'millisecond' ? count / 1000 : count;
  // A language's way to write numbers takes longer than all else that is said of a forecast.
  const text = Number.isInteger(shown)
    ? String(shown)
    : shown.toLocaleString('en', { maximumFractionDigits: 9, useGrouping: false });
  return UNITS[unit].iso.replace('#', text);
}

/** As {@link formatDuration}, with the opening hours: `PT30M Mo-Fr 08:00-18:00`; `B` for business days, as in pandas. */
export function frequencyCode(frequency: Frequency): string {
  const { unit, count, open } = frequency;
  if (!open) return formatDuration(frequency);
  if (unit === 'day' && isSameOpenTime(open, BUSINESS_DAYS)) return count === 1 ? 'B' : `${count}B`;
  return `${formatDuration(frequency)} ${formatOpeningHours(open)}`;
}

const OTHERS = [
  { ms: 1e-6, names: 'ns nanosecond n' },
  { ms: 1e-3, names: 'us µs microsecond u' },
  { ms: HOUR / 2, names: 'half-hourly' },
  { ms: 2 * WEEK, names: 'fortnightly biweekly' },
  { months: 6, names: 'half-yearly semiannual' },
];
const SPANS: ReadonlyMap<string, { readonly ms?: number; readonly months?: number }> = new Map(
  [...Object.entries(UNITS).map(([unit, span]) => ({ ...span, names: `${unit} ${span.names}` })), ...OTHERS].flatMap(
    (span) => span.names.split(' ').map((name) => [name, span] as const),
  ),
);

/** pandas offset aliases of months, quarters and years: start (`MS`, `QS`), end (`M`, `ME`, `Q-DEC`), old `A`. */
function monthCode(code: string, count: number): Frequency | undefined {
  const parts = /^B?(M|Q|Y|A)(S|E)?(?:-[A-Z]{3})?$/.exec(code);
  if (!parts) return undefined;
  const months = parts[1] === 'M' ? 1 : parts[1] === 'Q' ? 3 : 12;
  return monthFrequency(count * months, parts[2] === 'S' ? undefined : 'end');
}

const ISO = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i;

function isoDuration(text: string): Frequency | undefined {
  const parts = ISO.exec(text)
    ?.slice(1)
    .map((part) => Number((part as string | undefined)?.replace(',', '.') ?? 0));
  if (!parts) return undefined;
  const sum = (units: readonly number[], from: number) =>
    units.reduce((all, unit, place) => all + unit * parts[from + place]!, 0);
  const months = sum([12, 1], 0);
  const fixed = Number(sum([WEEK, DAY, HOUR, MINUTE, SECOND], 2).toFixed(6));
  if (months > 0) return fixed === 0 ? monthFrequency(months) : undefined;
  return fixed > 0 ? fixedFrequency(fixed) : undefined;
}

/** Reads ISO 8601, pandas codes or words ("15 minutes"), each with opening hours where time is closed. */
export function parseDuration(text: string): Frequency | undefined {
  const trimmed = text.trim();
  const hours = trimmed.length > LONGEST ? -1 : trimmed.search(/ (?:Mo|Tu|We|Th|Fr|Sa|Su)(?![a-z])/);
  if (hours < 0) return parseStep(trimmed);
  const step = parseStep(trimmed.slice(0, hours));
  const open = parseOpeningHours(trimmed.slice(hours + 1));
  const length = step && fixedStep(step);
  const isShort = length !== undefined && length <= DAY * step!.count && step!.unit !== 'week';
  return open && isShort ? { ...step!, open } : undefined;
}

const LONGEST = 1000;

function parseStep(trimmed: string): Frequency | undefined {
  const iso = trimmed.length > 40 ? undefined : isoDuration(trimmed);
  const parts = /^(\d+(?:\.\d+)?)?\s*([A-Za-zµ]+(?:-[A-Za-z]{3,6}|[- ]days?)?)$/.exec(trimmed.slice(0, 41));
  if (iso || !parts) return iso;
  const [, number = '1', code = ''] = parts;
  const count = Number(number);
  if (!(count > 0)) return undefined;
  const whole = Number.isInteger(count);
  if (/^(b|business[- ]?days?)$/i.test(code)) return whole ? { unit: 'day', count, open: BUSINESS_DAYS } : undefined;
  // `MS` is pandas' month start, `ms` a millisecond: the only place where case decides.
  const months = code === 'ms' || code === 'mS' || !whole ? undefined : monthCode(code.toUpperCase(), count);
  if (months) return months;
  const word = code.toLowerCase().replace(/^w-[a-z]{3}$/, 'w');
  const span = SPANS.get(word) ?? SPANS.get(word.replace(/s$/, ''));
  if (span?.ms !== undefined) return fixedFrequency(Number((count * span.ms).toFixed(6)));
  return span?.months !== undefined && whole ? monthFrequency(count * span.months) : undefined;
}

function addMonths(time: number, months: number, toMonthEnd: boolean): number {
  const from = civilOf(time);
  const index = from.year * 12 + (from.month - 1) + months;
  const year = Math.floor(index / 12);
  const month = index - year * 12 + 1;
  const length = daysInMonth(year, month);
  const day = toMonthEnd ? length : Math.min(from.day, length);
  return daysFromCivil(year, month, day) * DAY + timeOfDay(time);
}

/** Asks open time about a time on the wall. A day is open as a whole, whenever in it its row is. */
function atOpenTime<T>(ask: (wall: number, open: OpenTime, step: number) => T, wall: number, frequency: Frequency): T {
  const { open = [], unit } = frequency;
  return unit === 'day' ? ask(wall - timeOfDay(wall), open, DAY) : ask(wall, open, fixedStep(frequency) ?? 0);
}

/** Whether a step of a frequency can be at a time on the wall. */
export const isInOpenTime = (wall: number, frequency: Frequency): boolean =>
  !frequency.open || atOpenTime(isOpen, wall, frequency);

/** Months end early (Jan 31 + 1 is Feb 28, + 2 Mar 31) or, with `anchor: 'end'`, always on their last day; closed time is skipped. */
export function addSteps(time: number, frequency: Frequency, steps: number): number {
  const months = monthStep(frequency);
  if (months !== undefined) return addMonths(time, months * steps, frequency.anchor === 'end');
  const step = fixedStep(frequency) ?? 0;
  const { open, unit } = frequency;
  if (!open) return time + step * steps;
  const wall = wallAtOpenTime(atOpenTime(openTimeAt, time, frequency) + step * steps, open);
  return unit === 'day' ? wall + timeOfDay(time) : wall;
}

/** The step from `start` that is nearest on the wall; of closed time the last before it, of months and longer the calendar's. */
export function stepIndex(start: number, time: number, frequency: Frequency): number {
  const months = monthStep(frequency);
  if (months !== undefined) {
    const from = civilOf(start);
    const to = civilOf(time);
    return Math.round(((to.year - from.year) * 12 + (to.month - from.month)) / months);
  }
  const step = fixedStep(frequency) ?? 1;
  if (!frequency.open) return Math.round((time - start) / step);
  return Math.round((atOpenTime(openTimeAt, time, frequency) - atOpenTime(openTimeAt, start, frequency)) / step);
}

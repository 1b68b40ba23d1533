import * as l10n from '@vscode/l10n';
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

/**
 * ISO 8601 duration: `P1M`, `P3M` for a quarter, `P1Y`, `P1W`, `P1D`, `PT5M`, `PT0.5S`. Business days and month ends have
 * no place in ISO 8601 and read as `P1D` and `P1M`.
 */
export function formatDuration(frequency: Frequency): string {
  const { unit, count } = frequency;
  switch (unit) {
    case 'millisecond':
      return `PT${Number((count / 1000).toFixed(9))}S`;
    case 'second':
      return `PT${count}S`;
    case 'minute':
      return `PT${count}M`;
    case 'hour':
      return `PT${count}H`;
    case 'day':
      return `P${count}D`;
    case 'week':
      return `P${count}W`;
    case 'month':
      return `P${count}M`;
    case 'quarter':
      return `P${3 * count}M`;
    case 'year':
      return `P${count}Y`;
  }
}

/** How often, of a step of one unit and of several. */
const ADVERBS: Readonly<Record<FrequencyUnit, readonly [() => string, (count: number) => string]>> = {
  millisecond: [() => l10n.t('every millisecond'), (count) => l10n.t('every {0} milliseconds', count)],
  second: [() => l10n.t('every second'), (count) => l10n.t('every {0} seconds', count)],
  minute: [() => l10n.t('every minute'), (count) => l10n.t('every {0} minutes', count)],
  hour: [() => l10n.t('hourly'), (count) => l10n.t('every {0} hours', count)],
  day: [() => l10n.t('daily'), (count) => l10n.t('every {0} days', count)],
  week: [() => l10n.t('weekly'), (count) => l10n.t('every {0} weeks', count)],
  month: [() => l10n.t('monthly'), (count) => l10n.t('every {0} months', count)],
  quarter: [() => l10n.t('quarterly'), (count) => l10n.t('every {0} quarters', count)],
  year: [() => l10n.t('yearly'), (count) => l10n.t('every {0} years', count)],
};

/** One of a unit, and several. */
const SPANS: Readonly<
  Record<FrequencyUnit | 'business day' | 'point', readonly [() => string, (count: string) => string]>
> = {
  millisecond: [() => l10n.t('1 millisecond'), (count) => l10n.t('{0} milliseconds', count)],
  second: [() => l10n.t('1 second'), (count) => l10n.t('{0} seconds', count)],
  minute: [() => l10n.t('1 minute'), (count) => l10n.t('{0} minutes', count)],
  hour: [() => l10n.t('1 hour'), (count) => l10n.t('{0} hours', count)],
  day: [() => l10n.t('1 day'), (count) => l10n.t('{0} days', count)],
  week: [() => l10n.t('1 week'), (count) => l10n.t('{0} weeks', count)],
  month: [() => l10n.t('1 month'), (count) => l10n.t('{0} months', count)],
  quarter: [() => l10n.t('1 quarter'), (count) => l10n.t('{0} quarters', count)],
  year: [() => l10n.t('1 year'), (count) => l10n.t('{0} years', count)],
  'business day': [() => l10n.t('1 business day'), (count) => l10n.t('{0} business days', count)],
  point: [() => l10n.t('1 point'), (count) => l10n.t('{0} points', count)],
};

/** In words for a sentence: "monthly", "every 5 minutes", "business-daily", "half-hourly". */
export function describeFrequency(frequency: Frequency): string {
  const { unit, count } = frequency;
  if (frequency.businessDays) return count === 1 ? l10n.t('business-daily') : l10n.t('every {0} business days', count);
  if (unit === 'minute' && count === 30) return l10n.t('half-hourly');
  if (unit === 'month' && count === 6) return l10n.t('half-yearly');
  const [once, several] = ADVERBS[unit];
  return count === 1 ? once() : several(count);
}

/** `B` for business days (`2B` for every second), as pandas has it; everything else as {@link formatDuration}. */
export function frequencyCode(frequency: Frequency): string {
  if (!frequency.businessDays) return formatDuration(frequency);
  return frequency.count === 1 ? 'B' : `${frequency.count}B`;
}

/**
 * How long a number of steps is, in words: "24 months", "48 hours", "5 business days", "1 day" for 288 steps of 5 minutes,
 * and "5 points" for a series without a regular step.
 */
export function stepNoun(frequency: Frequency | undefined, steps: number): string {
  const plural = (n: number, noun: keyof typeof SPANS) => {
    const [one, several] = SPANS[noun];
    return n === 1 ? one() : several(n.toLocaleString('en-US'));
  };
  if (!frequency) return plural(steps, 'point');
  if (frequency.businessDays) return plural(steps * frequency.count, 'business day');
  const { unit, count } = frequency;
  const months = monthStep(frequency);
  if (months !== undefined) {
    if (count === 1 || (steps * months) % 12 !== 0) return plural(steps * count, unit);
    return plural((steps * months) / 12, 'year');
  }
  const isPlain = count === 1 && (unit === 'hour' || unit === 'day' || unit === 'week');
  if (isPlain || unit === 'week') return plural(steps * count, unit);
  const whole = fixedFrequency(Number(((fixedStep(frequency) ?? 0) * steps).toFixed(6)));
  return whole.unit === 'week' ? plural(7 * whole.count, 'day') : plural(whole.count, whole.unit);
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

const WORDS: Readonly<Record<string, string>> = {
  secondly: 'PT1S',
  minutely: 'PT1M',
  'half-hourly': 'PT30M',
  hourly: 'PT1H',
  daily: 'P1D',
  weekly: 'P1W',
  fortnightly: 'P2W',
  biweekly: 'P2W',
  monthly: 'P1M',
  quarterly: 'P3M',
  'half-yearly': 'P6M',
  semiannual: 'P6M',
  yearly: 'P1Y',
  annual: 'P1Y',
  annually: 'P1Y',
};

/** Milliseconds by the spellings of the fixed units: words, and the codes of pandas (old and new). */
const FIXED_UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  nanosecond: 1e-6,
  n: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  microsecond: 1e-3,
  u: 1e-3,
  ms: 1,
  millisecond: 1,
  l: 1,
  s: SECOND,
  sec: SECOND,
  second: SECOND,
  t: MINUTE,
  min: MINUTE,
  minute: MINUTE,
  h: HOUR,
  hr: HOUR,
  hour: HOUR,
  d: DAY,
  day: DAY,
  w: WEEK,
  wk: WEEK,
  week: WEEK,
};

const MONTH_WORDS: Readonly<Record<string, number>> = { mon: 1, month: 1, quarter: 3, y: 12, yr: 12, year: 12 };

/** pandas offset aliases of months, quarters and years: start (`MS`, `QS`), end (`M`, `ME`, `Q-DEC`), old `A`. */
function monthCode(code: string, count: number): Frequency | undefined {
  const parts = /^(B?)(M|Q|Y|A)(S|E)?(?:-[A-Z]{3})?$/.exec(code);
  if (!parts) return undefined;
  const months = parts[2] === 'M' ? 1 : parts[2] === 'Q' ? 3 : 12;
  return monthFrequency(count * months, parts[3] === 'S' ? undefined : 'end');
}

function isoDuration(text: string): Frequency | undefined {
  const parts =
    /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i.exec(text);
  if (!parts) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(1)
    .map((part) => Number(part?.replace(',', '.') ?? 0)) as [number, number, number, number, number, number, number];
  const calendar = 12 * years + months;
  const fixed = weeks * WEEK + days * DAY + hours * HOUR + minutes * MINUTE + Number((seconds * SECOND).toFixed(6));
  if (calendar > 0) return fixed === 0 ? monthFrequency(calendar) : undefined;
  return fixed > 0 ? fixedFrequency(fixed) : undefined;
}

/**
 * A frequency from a string of unknown origin: ISO 8601 durations, pandas codes (`H`, `5min`, `MS`, `W-SUN`, `B`) and
 * words ("monthly", "15 minutes"). pandas' `M` is a month, its `min` and old `T` a minute. `undefined` where it is none.
 */
export function parseDuration(text: string): Frequency | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 40) return undefined;
  const iso = isoDuration(trimmed);
  if (iso) return iso;
  const word = WORDS[trimmed.toLowerCase()];
  if (word) return isoDuration(word);
  const parts = /^(\d+(?:\.\d+)?)?\s*([A-Za-zµ]+(?:-[A-Za-z]{3}|[- ]days?)?)$/.exec(trimmed);
  if (!parts) return undefined;
  const count = parts[1] === undefined ? 1 : Number(parts[1]);
  const code = parts[2] ?? '';
  if (!(count > 0)) return undefined;
  const whole = Number.isInteger(count);
  if (/^(b|business[- ]?days?)$/i.test(code)) {
    return whole ? { unit: 'day', count, businessDays: true } : undefined;
  }
  if (/^w-[a-z]{3}$/i.test(code)) return whole ? { unit: 'week', count } : undefined;
  // `MS` is pandas' month start, `ms` a millisecond: the only place where case decides.
  const months = code === 'ms' || !whole ? undefined : monthCode(code.toUpperCase(), count);
  if (months && code !== 'mS') return months;
  const noun = code.toLowerCase().replace(/s$/, '');
  const fixed = FIXED_UNITS[code.toLowerCase()] ?? FIXED_UNITS[noun];
  if (fixed !== undefined) return fixedFrequency(Number((count * fixed).toFixed(6)));
  const named = MONTH_WORDS[noun];
  return named !== undefined && whole ? monthFrequency(count * named) : undefined;
}

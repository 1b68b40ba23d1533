import { DAY, HOUR, MINUTE, SECOND, WEEK } from './civil.ts';
import { fixedFrequency, fixedStep, type Frequency, monthFrequency } from './frequency.ts';
import { BUSINESS_DAYS, isSameOpenTime } from './open-time.ts';
import { formatOpeningHours, parseOpeningHours } from './opening-hours.ts';

/**
 * ISO 8601 duration: `P1M`, `P3M` for a quarter, `P1Y`, `P1W`, `P1D`, `PT5M`, `PT0.5S`. Closed time and month ends have no
 * place in ISO 8601: business days and month ends read as `P1D` and `P1M`.
 */
export function formatDuration(frequency: Frequency): string {
  const { unit, count } = frequency;
  switch (unit) {
    case 'millisecond':
      return `PT${(count / 1000).toLocaleString('en', { maximumFractionDigits: 9, useGrouping: false })}S`;
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

/**
 * As {@link formatDuration}, followed by the opening hours where time is closed: `P1D Mo-Sa`, `PT30M Mo-Fr 08:00-18:00`;
 * `B` for business days (`2B` for every second), as pandas has it.
 */
export function frequencyCode(frequency: Frequency): string {
  const { unit, count, open } = frequency;
  if (!open) return formatDuration(frequency);
  if (unit === 'day' && isSameOpenTime(open, BUSINESS_DAYS)) return count === 1 ? 'B' : `${count}B`;
  return `${formatDuration(frequency)} ${formatOpeningHours(open)}`;
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
 * words ("monthly", "15 minutes"), each with opening hours where time is closed (`P1D Mo-Sa`). pandas' `M` is a month, its
 * `min` and old `T` a minute. `undefined` where it is none.
 */
export function parseDuration(text: string): Frequency | undefined {
  const trimmed = text.trim();
  const hours = trimmed.length > LONGEST ? -1 : trimmed.search(/ (?:Mo|Tu|We|Th|Fr|Sa|Su)(?![a-z])/);
  if (hours < 0) return parseStep(trimmed);
  const step = parseStep(trimmed.slice(0, hours));
  const open = parseOpeningHours(trimmed.slice(hours + 1));
  const length = step && fixedStep(step);
  return open && length !== undefined && length <= DAY * step!.count && step!.unit !== 'week'
    ? { ...step!, open }
    : undefined;
}

/** Longer texts are no frequency, also with opening hours. */
const LONGEST = 1000;

function parseStep(trimmed: string): Frequency | undefined {
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
    return whole ? { unit: 'day', count, open: BUSINESS_DAYS } : undefined;
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

import { DAY, HOUR, MINUTE, SECOND, WEEK } from './civil.ts';
import { fixedFrequency, fixedStep, type Frequency, monthFrequency, UNITS } from './frequency.ts';
import { BUSINESS_DAYS, isSameOpenTime, formatOpeningHours, parseOpeningHours } from './open-time.ts';

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
  // a week may say on which day it begins
  const word = code.toLowerCase().replace(/^w-[a-z]{3}$/, 'w');
  const span = SPANS.get(word) ?? SPANS.get(word.replace(/s$/, ''));
  if (span?.ms !== undefined) return fixedFrequency(Number((count * span.ms).toFixed(6)));
  return span?.months !== undefined && whole ? monthFrequency(count * span.months) : undefined;
}

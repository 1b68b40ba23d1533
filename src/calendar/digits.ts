import * as l10n from '@vscode/l10n';

const ENGLISH = 'en';
let language = ENGLISH;
const formats = new Map<string, Intl.NumberFormat>();

/** Sets the language of all numbers, beside `l10n.config`. @param tag a BCP 47 language tag; English where it is none */
export function writeNumbersIn(tag: string): void {
  formats.clear();
  try {
    [language = ENGLISH] = Intl.getCanonicalLocales(tag);
  } catch {
    language = ENGLISH;
  }
}

/** `123,456.7`, in German `123.456,7`. @param decimals digits after the decimal sign; up to three where absent */
export const inDigits = (value: number, decimals?: number): string =>
  formatOf(`d${decimals}`, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value);

export const inSignificant = (value: number, digits: number): string =>
  formatOf(`s${digits}`, { maximumSignificantDigits: digits }).format(value);

export const inUnits = (value: number, unit: string): string =>
  formatOf(`u${unit}`, { style: 'unit', unit, unitDisplay: 'long' }).format(value);

/** A day of the person's own time, such as 3 Nov 2026, and its clock, such as 14:03. @param time epoch milliseconds */
export function dayAndClock(time: number): { readonly day: string; readonly clock: string } {
  const at = new Date(time);
  const tag = language === ENGLISH ? 'en-GB' : language;
  return {
    day: at.toLocaleDateString(tag, { day: 'numeric', month: 'short', year: 'numeric' }),
    clock: at.toLocaleTimeString(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  };
}

export const inEnglish = (value: number): string => value.toLocaleString(ENGLISH);

function formatOf(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const format = formats.get(key) ?? new Intl.NumberFormat([language, ENGLISH], options);
  formats.set(key, format);
  return format;
}

const MOST_DECIMALS = 9;
const LOOKED_AT = 5000;

interface Limits {
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
}

/** Decimals of a forecast: two significant digits of its narrowest interval's half-width (JCGM 100:2008, 7.2.6). */
export function forecastDecimals(values: ArrayLike<number>, intervals: readonly Limits[] = []): number {
  const widths = intervals.map(usualHalfWidth).filter((width) => width > 0);
  if (widths.length > 0) return inBounds(1 - Math.floor(Math.log10(Math.min(...widths))));
  let [decimals, sum, count] = [0, 0, 0];
  for (let i = Math.max(0, values.length - LOOKED_AT); i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    const [digits = '', exponent = '0'] = String(value).split('e');
    decimals = Math.max(decimals, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
    sum += Math.abs(value);
    count++;
  }
  if (count === 0) return MOST_DECIMALS;
  return inBounds(Math.max(decimals, sum === 0 ? 1 : 2 - Math.ceil(Math.log10(sum / count))));
}

const inBounds = (decimals: number): number => Math.min(MOST_DECIMALS, Math.max(0, decimals));

function usualHalfWidth({ lower, upper }: Limits): number {
  const all = Float64Array.from(lower, (low, step) => (upper[step]! - low) / 2);
  const wide = all.filter((half) => Number.isFinite(half) && half > 0).sort();
  return wide[Math.floor((wide.length - 1) / 2)] ?? 0;
}

export const inPercent = (number: string): string => l10n.t('{0}%', number);

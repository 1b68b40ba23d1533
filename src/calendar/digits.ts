/** Numbers as people read them: grouped, and with the decimal sign of the language that the sentences around them have. */

const ENGLISH = 'en';
let language = ENGLISH;
const formats = new Map<string, Intl.NumberFormat>();

/** Sets the language of all numbers, beside `l10n.config`. @param tag a BCP 47 language tag; English where it is none */
export function writeNumbersIn(tag: string): void {
  language = isTag(tag) ? tag : ENGLISH;
  formats.clear();
}

/** `123,456.7`, in German `123.456,7`. @param decimals digits after the decimal sign; up to three where absent */
export const inDigits = (value: number, decimals?: number): string =>
  formatOf(`d${decimals}`, () => (decimals === undefined ? {} : fixed(decimals))).format(value);

/** As {@link inDigits}, with so many significant digits at most. */
export const inSignificant = (value: number, digits: number): string =>
  formatOf(`s${digits}`, () => ({ maximumSignificantDigits: digits })).format(value);

/** A day of the person's own time, such as 3 Nov 2026, and its clock, such as 14:03. @param time epoch milliseconds */
export function dayAndClock(time: number): { readonly day: string; readonly clock: string } {
  const at = new Date(time);
  const tag = language === ENGLISH ? 'en-GB' : language;
  return {
    day: at.toLocaleDateString(tag, { day: 'numeric', month: 'short', year: 'numeric' }),
    clock: at.toLocaleTimeString(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  };
}

/** As {@link inDigits}, for sentences that are English whoever reads them. */
export const inEnglish = (value: number): string => value.toLocaleString(ENGLISH);

const fixed = (decimals: number): Intl.NumberFormatOptions => ({
  minimumFractionDigits: decimals,
  maximumFractionDigits: decimals,
});

function formatOf(key: string, options: () => Intl.NumberFormatOptions): Intl.NumberFormat {
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat([language, ENGLISH], options());
  formats.set(key, made);
  return made;
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

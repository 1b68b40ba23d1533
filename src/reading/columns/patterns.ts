import { DAY, civilOf, timeOfDay, weekdayOfDays } from '../../calendar/civil.ts';
import { readZone, seasonWords } from '../../calendar/clock.ts';
import { isoInstant } from '../../calendar/format.ts';
import { MONTH_NAMES, shortMonth } from '../../calendar/months.ts';
import { UTC, writeOffset, type Zone } from '../../calendar/zone.ts';
import { TIME_FORMATS, type TimeFormatId } from '../values/dates.ts';
import { hasWeekday } from '../values/weekdays.ts';
import type { TimeAxis } from './axis.ts';

/**
 * How times are written: tokens `YYYY YY MMMM MMM MM M DD D HH H hh h mm ss S… A Q WW`, `EEE` for `Mon`, `e` for a day with a blank
 * before one digit, `NNNN NN` for the next year, `ZZ` for `+01:00`, `ZZZ` for `+0100`, `Z` for `+01`, `{EST|EDT}` for the word that is right, and other text as it is, letters in brackets
 * (`YYYY-[W]WW`). Or one of the names of numbers: `epoch-s`, `epoch-ms`, `epoch-us`,
 * `epoch-ns`, `decimal-year`, `serial-day`, `cycle`.
 */
export type TimePattern = string;

const CLOCK = ['H', 'm', 's', 'S'];

/** Tokens of the groups of digits, in their order. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  iso: ['Y', 'M', 'D', ...CLOCK],
  mdy: ['M', 'D', 'Y', ...CLOCK],
  dmy: ['D', 'M', 'Y', ...CLOCK],
};

const escapeLetters = (text: string) => text.replace(/[A-Za-z]+/g, '[$&]');

/** A token as wide as its group of digits; groups that are one digit wide anywhere are not padded. */
function widen(token: string, widths: readonly number[]): string {
  const widest = Math.max(...widths);
  if (token === 'Y') return widest === 2 ? 'YY' : 'YYYY';
  if (token === 'S') return 'S'.repeat(widest);
  return Math.min(...widths) === 1 ? token : token.repeat(2);
}

const HALF = /\s?[ap]\.?m\.?$/i;
const WORD = /(\s?)([A-Z]{3,4})$/;
const BRACKETED = /\[([^[\]]+)\]$/;
const ZONE = /(\s?)(Z|[+-]\d{2}(?:(:?)\d{2})?)$/;

/** A time without its zone, which comes after a clock, and the token to write the zone with. */
function splitZone(text: string): { plain: string; token: string } {
  const inside = BRACKETED.exec(text);
  if (inside) {
    const { plain, token } = splitZone(text.slice(0, inside.index));
    return { plain, token: `${token}[[][${inside[1]!}][]]` };
  }
  const [named, space = '', word = ''] = WORD.exec(text) ?? [];
  const words = named === undefined ? undefined : seasonWords(word);
  if (words) return { plain: text.slice(0, -named!.length), token: `${space}{${words.join('|')}}` };
  const parts = text.includes(':') ? ZONE.exec(text) : null;
  if (!parts) return { plain: text, token: '' };
  const [written, blank = '', zone = '', colon] = parts;
  const token = zone === 'Z' ? '[Z]' : colon === ':' ? 'ZZ' : colon === '' ? 'ZZZ' : 'Z';
  return { plain: text.slice(0, text.length - written.length), token: blank + token };
}

/** The pattern of samples that hold groups of digits in a known order. */
function fromDigits(samples: readonly string[], order: readonly string[]): TimePattern | undefined {
  const zone = splitZone(samples[0] ?? '');
  const plain = samples.map((text) => splitZone(text).plain);
  const groups = plain.map((text) => Array.from(text.matchAll(/\d+/g), ([digits]) => digits.length));
  const count = groups[0]?.length ?? 0;
  if (count === 0 || count > order.length || groups.some((each) => each.length !== count)) return undefined;
  // a word that changes from cell to cell, as the day of the week does, has no token
  const words = new Set(plain.map((text) => text.replace(HALF, '').replace(/\P{L}+/gu, ' ')));
  if (words.size > 1 || plain.some(hasWeekday)) return undefined;
  const half = HALF.test(plain[0] ?? '');
  let index = 0;
  const body = (plain[0] ?? '').replace(HALF, '').replace(/\d+|[A-Za-z]+/g, (part) => {
    if (!/\d/.test(part)) return `[${part}]`;
    const token = order[index] ?? '';
    const widths = groups.map((each) => each[index] ?? 0);
    index++;
    return widen(half && token === 'H' ? 'h' : token, widths);
  });
  return body + (half ? ' A' : '') + zone.token;
}

/** `20210131`, `20210131T1300`, `20210131 13:00:00`. */
function fromCompact(sample: string): TimePattern | undefined {
  const parts = /^\d{8}(?:([T :]?)\d{2}(?:(:?)\d{2}(:?\d{2})?)?(Z?))?$/.exec(sample);
  if (!parts) return undefined;
  const [, between, colon, seconds, zone] = parts;
  if (between === undefined) return 'YYYYMMDD';
  const clock = `HH${colon === undefined ? '' : `${colon}mm`}${seconds === undefined ? '' : `${colon ?? ''}ss`}`;
  return `YYYYMMDD${between === 'T' ? '[T]' : between}${clock}${zone === 'Z' ? '[Z]' : ''}`;
}

const LONG_MONTHS = MONTH_NAMES.map((name) => name.toLowerCase());
const SHORT_MONTHS = [...LONG_MONTHS.map((name) => name.slice(0, 3)), 'sept'];

/** `Jan 1949`, `31-Jan-2021 13:00`, `January 5, 2021`; no months of other languages than English. */
export function patternOfNames(samples: readonly string[]): TimePattern | undefined {
  const names = samples.flatMap((text) => /\p{L}{3,}/u.exec(text)?.[0] ?? []);
  const areIn = (months: readonly string[]) => names.every((name) => months.includes(name.toLowerCase()));
  const token = areIn(SHORT_MONTHS) ? 'MMM' : areIn(LONG_MONTHS) ? 'MMMM' : undefined;
  const [sample = ''] = samples;
  const [name] = names;
  if (token === undefined || name === undefined) return undefined;
  const [before = '', after = ''] = sample.split(name);
  const dayFirst = /^\d{1,2}\D+$/.test(before);
  if (before !== '' && !dayFirst) return undefined;
  const rest = dayFirst
    ? /^(\D+)(\d{4}|\d{2})$/.exec(after)
    : (/^(\D+)(\d{1,2})(\D+)(\d{4})$/.exec(after) ?? /^(\D+)(\d{4}|\d{2})$/.exec(after));
  if (!rest) return undefined;
  const year = (rest.at(-1) ?? '').length === 2 ? 'YY' : 'YYYY';
  if (dayFirst)
    return `${samples.some((text) => text.startsWith('0')) ? 'DD' : 'D'}${escapeLetters(before.replace(/^\d+/, ''))}${token}${escapeLetters(rest[1] ?? '')}${year}`;
  const between = escapeLetters(rest[1] ?? '');
  return rest.length === 5 ? `${token}${between}D${rest[3] ?? ''}${year}` : `${token}${between}${year}`;
}

/** How a day and a clock in two columns are written; `undefined` where there are no such columns. */
export function describeDayAndClock(axis: TimeAxis): readonly [day: TimePattern, clock: TimePattern] | undefined {
  const { clockSamples = [], columns } = axis;
  const day = describeTimes({ ...axis, columns: columns.slice(0, 1) });
  const clock = fromDigits(clockSamples, CLOCK);
  // hours from their beginning to their end have no pattern
  if (columns.length !== 2 || !day || !clock || /^H+\s?[-–]/.test(clock)) return undefined;
  // whole hours without a zero may count to 24
  return /^H+$/.test(clock) && !clockSamples.some((text) => Number(text) === 0) ? undefined : [day, clock];
}

/** The pattern of the times of a table, from the first cells; `undefined` where several columns or none hold them. */
export function describeTimes(axis: TimeAxis): TimePattern | undefined {
  const { format, samples } = axis;
  const [sample] = samples;
  if (format === undefined || sample === undefined || axis.columns.length !== 1) return undefined;
  switch (format) {
    case 'iso':
    case 'mdy':
    case 'dmy':
      return fromDigits(samples, ORDERS[format] ?? []);
    case 'month':
      return fromDigits(samples, /^(?:FY|\d{4})/i.test(sample) ? ['Y', 'M'] : ['M', 'Y']);
    case 'dotted-month':
      return 'MM.YYYY';
    case 'quarter': {
      // A year of two digits is the last thing written.
      const withYear = escapeLetters(sample).replace(/\d{4}|\d{2}$/, (year) => 'Y'.repeat(year.length));
      return ifKept(withYear.replace(/\d/, 'Q'), samples, format);
    }
    case 'season': {
      const withYear = escapeLetters(sample).replace(/\d{4}|\d{2}/, (year) => 'Y'.repeat(year.length));
      return ifKept(
        withYear.replace(/(?:\d{4}|\d{2})$/, (next) => 'N'.repeat(next.length)),
        samples,
        format,
      );
    }
    case 'week':
      return ifKept(escapeLetters(sample).replace(/\d{4}/, 'YYYY').replace(/\d{2}/, 'WW'), samples, format);
    case 'year':
      return 'YYYY';
    case 'compact-month':
      return 'YYYYMM';
    case 'compact':
      return fromCompact(sample);
    case 'names':
      return patternOfC(samples, axis.zone) ?? patternOfNames(samples);
    case 'half':
    case 'year-week':
    case 'mixed':
    case 'clock':
      return undefined;
    case 'epoch-s':
    case 'epoch-ms':
    case 'epoch-us':
    case 'epoch-ns':
    case 'decimal-year':
    case 'serial-day':
    case 'cycle':
      return format;
  }
}

/** A pattern, where it writes all cells as they are: ordinals and weeks without a zero have no token. */
function ifKept(
  pattern: TimePattern,
  samples: readonly string[],
  format: TimeFormatId,
  zone?: Zone,
): TimePattern | undefined {
  const { parse } = TIME_FORMATS.find(({ id }) => id === format)!;
  return samples.every((cell) => formatPattern(parse(cell), pattern, zone) === cell) ? pattern : undefined;
}

/** `Mon Jan  1 10:00:00 EST 2024` as C writes it, or with another width of its days; `undefined` for anything else. */
function patternOfC(samples: readonly string[], zone: Zone | undefined): TimePattern | undefined {
  const parts = /^\w{3} \w{3} [ \d]?\d \d\d:\d\d:\d\d(?: ([A-Z]{3,4}))? \d{4}$/.exec(samples[0] ?? '');
  if (!parts) return undefined;
  const [, word] = parts;
  const words = word === undefined ? undefined : seasonWords(word);
  const place = words ? [`{${words.join('|')}}`] : word === undefined ? [] : [`[${word}]`];
  const patterns = ['e', 'DD', 'D'].map((day) => ['EEE', 'MMM', day, 'HH:mm:ss', ...place, 'YYYY'].join(' '));
  return patterns.find((pattern) => ifKept(pattern, samples, 'names', zone));
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const pad = (value: number, width: number) => String(value).padStart(width, '0');

/** Year and week of ISO 8601 of an instant. */
function weekOf(time: number): { year: number; week: number } {
  const days = Math.floor(time / DAY);
  const thursday = days - weekdayOfDays(days) + 3;
  const { year } = civilOf(thursday * DAY);
  return { year, week: Math.floor((thursday - Date.UTC(year, 0, 1) / DAY) / 7) + 1 };
}

function numeric(time: number, pattern: TimePattern): string | undefined {
  const { year, month } = civilOf(time);
  switch (pattern) {
    case 'epoch-s':
      return String(time / 1000);
    case 'epoch-ms':
      return String(time);
    case 'epoch-us':
      return String(time * 1000);
    case 'epoch-ns':
      return `${Math.round(time * 1000)}000`;
    case 'serial-day':
      return String(time / DAY + 25_569);
    case 'decimal-year':
      return String(Number((year + (month - 1) / 12).toFixed(6)));
    case 'cycle':
      return `${year}-${pad(month, 2)}`;
    default:
      return undefined;
  }
}

const TOKENS =
  /\[([[\]]|[^[\]]*)\]|\{(\w+)\|(\w+)\}|YYYY|YY|NNNN|NN|MMMM|MMM|MM|M|DD|D|EEE|e|HH|H|hh|h|mm|m|ss|s|S{1,9}|A|Q|WW|ZZZ|ZZ|Z/g;

/** `+0100` or `+01`; with the minutes where there are any. */
const shortOffset = (offset: string, token: string): string =>
  token === 'Z' && offset.endsWith(':00') ? offset.slice(0, 3) : token === 'ZZ' ? offset : offset.replace(':', '');

/** Writes an instant in a pattern, on the clock of a zone. */
export function formatPattern(instant: number, pattern: TimePattern, zone: Zone = UTC): string {
  const number = numeric(instant, pattern);
  if (number !== undefined) return number;
  const time = pattern.includes('[Z]') ? instant : zone.toWall(instant);
  const ahead = zone.toWall(instant) - instant;
  const offset = writeOffset(ahead);
  const { year, month, day } = civilOf(time);
  const inDay = timeOfDay(time);
  const hour = Math.floor(inDay / 3_600_000);
  const [minute, second] = [Math.floor(inDay / 60_000) % 60, Math.floor(inDay / 1000) % 60];
  const shownYear = pattern.includes('WW') ? weekOf(time).year : year;
  return pattern.replace(TOKENS, (token, literal?: string, winter?: string, summer?: string) => {
    if (literal !== undefined) return literal;
    if (winter !== undefined && summer !== undefined) return readZone(summer) === ahead ? summer : winter;
    if (token.startsWith('S'))
      return isoInstant(time)
        .replace(/^.*?(?:\.(\d+))?Z$/, '$1')
        .padEnd(9, '0')
        .slice(0, token.length);
    const values: Readonly<Record<string, string | number>> = {
      YYYY: pad(shownYear, 4), YY: pad(shownYear % 100, 2), NNNN: pad(year + 1, 4), NN: pad((year + 1) % 100, 2), MMMM: MONTH_NAMES[month - 1] ?? '', MMM: shortMonth(month),
      MM: pad(month, 2), M: month, DD: pad(day, 2), D: day, EEE: WEEKDAYS[weekdayOfDays(Math.floor(time / DAY))]!, e: String(day).padStart(2), HH: pad(hour, 2), H: hour, hh: pad((hour + 11) % 12 + 1, 2),
      h: ((hour + 11) % 12) + 1, mm: pad(minute, 2), m: minute, ss: pad(second, 2), s: second, A: hour < 12 ? 'AM' : 'PM',
      Q: Math.ceil(month / 3), WW: pad(weekOf(time).week, 2), Z: shortOffset(offset, 'Z'), ZZ: offset, ZZZ: shortOffset(offset, 'ZZZ'),
    }; // prettier-ignore
    return String(values[token] ?? token);
  });
}

import { DAY, civilOf, timeOfDay, weekdayOfDays } from '../../calendar/civil.ts';
import { CLOCK, parseClock, readZone, seasonWords, type WrittenZone } from '../../calendar/clock.ts';
import { isoInstant, MONTH_NAMES, shortMonth } from '../../calendar/format.ts';
import { UTC, fixedZone, writeOffset, type Zone } from '../../calendar/zone.ts';
import { TIME_FORMATS, productionOf, type Field } from '../values/dates.ts';
import type { TimeAxis } from './axis.ts';

/**
 * How times are written: tokens `YYYY YY MMMM MMM MM M DD D HH H hh h mm ss S… A Q WW`, `EEE` for `Mon`, `e` for a day with
 * a blank before one digit, `NNNN NN` for the next year, `ZZ ZZZ Z` for `+01:00 +0100 +01`, `{EST|EDT}` for the word that
 * is right, other text in brackets. Or a kind of number: `epoch-s`, `epoch-ms`, `decimal-year`, `serial-day`, `cycle` ….
 */
export type TimePattern = string;

interface Segment {
  readonly field: Field | 'half-day' | 'text';
  readonly text: string;
}

const CLOCK_FIELDS = ['hour', 'minute', 'second', 'fraction', 'half-day', 'zone'] as const;

function segmentsOf(text: string, pattern: RegExp, fields: readonly Segment['field'][]): Segment[] {
  const groups = new RegExp(pattern.source, `${pattern.flags}d`).exec(text);
  const segments: Segment[] = [];
  let end = 0;
  fields.forEach((field, place) => {
    const [from, to] = groups?.indices?.[place + 1] ?? [];
    if (from === undefined || to === undefined || field === 'separator') return;
    segments.push({ field: 'text', text: text.slice(end, from) });
    const own = text.slice(from, to);
    segments.push(...(field === 'clock' ? segmentsOf(own, CLOCK, CLOCK_FIELDS) : [{ field, text: own }]));
    end = to;
  });
  return [...segments, { field: 'text', text: text.slice(end) }];
}

/** `[Z]`, `ZZ`, `ZZZ`, `Z`, `{EST|EDT}`, and what stands behind an offset as it is. */
function zoneToken(text: string): string {
  const [written = '', colon] = /^[+-]\d{2}(?:(:?)\d{2})?/.exec(text) ?? [];
  const words = seasonWords(text);
  if (words) return `{${words.join('|')}}`;
  const token = written === '' ? '' : colon === ':' ? 'ZZ' : colon === '' ? 'ZZZ' : 'Z';
  return (
    token +
    text
      .slice(written.length)
      .replace(/\[([^[\]]+)\]|[A-Za-z]+/g, (part, inside?: string) =>
        inside === undefined ? `[${part}]` : `[[][${inside}][]]`,
      )
  );
}

function tokensOf(field: Segment['field'], texts: readonly string[], hour: 'H' | 'h'): readonly string[] {
  const widths = texts.map(({ length }) => length);
  const [least, most] = [Math.min(...widths), Math.max(...widths)];
  const padded = (token: string) => [least === 1 ? token : token.repeat(2)];
  const tokens: Readonly<Partial<Record<Segment['field'], readonly string[]>>> = {
    year: [most === 2 ? 'YY' : 'YYYY'],
    next: [most === 2 ? 'NN' : 'NNNN'],
    month: padded('M'),
    day: padded('D'),
    hour: padded(hour),
    minute: ['mm'],
    second: ['ss'],
    fraction: ['S'.repeat(most)],
    'half-day': ['A'],
    name: ['MMM', 'MMMM'],
    word: ['EEE'],
    quarter: ['Q'],
    week: ['WW'],
    zone: [zoneToken(texts[0]!)],
    text: [texts[0]!.replace(/[A-Za-z]+/g, '[$&]')],
  };
  return tokens[field] ?? [];
}

function patternsOf(cells: readonly (readonly Segment[])[]): TimePattern[] {
  const [first = []] = cells;
  if (cells.some((each) => each.map(({ field }) => field).join() !== first.map(({ field }) => field).join())) return [];
  const hour = first.some(({ field }) => field === 'half-day') ? 'h' : 'H';
  return first.reduce<TimePattern[]>(
    (patterns, { field }, place) => {
      const texts = cells.map((each) => each[place]!.text);
      const isOfC = field === 'day' && first[place - 2]?.field === 'name' && first[place + 2]?.field === 'hour';
      const tokens = [...(isOfC ? ['e'] : []), ...tokensOf(field, texts, hour)];
      // a blank more before one digit belongs to the day
      return patterns.flatMap((before) =>
        tokens.map((token) => (token === 'e' ? before.replace(/ {2}$/, ' ') : before) + token),
      );
    },
    [''],
  );
}

export function describeCells(id: TimeAxis['format'], samples: readonly string[]): TimePattern | undefined {
  const format = TIME_FORMATS.find((each) => each.id === id);
  if (!format || samples.length === 0) return undefined;
  const cells = samples.map((text) => {
    const found = productionOf(format, text);
    return found ? segmentsOf(text, found.pattern, found.fields) : [];
  });
  if (cells.some(({ length }) => length === 0)) return undefined;
  const written: WrittenZone = { offset: undefined, name: undefined };
  const isKept = (pattern: TimePattern) =>
    samples.every((cell) => {
      written.offset = undefined;
      const time = format.parse(cell, written);
      return formatPattern(time, pattern, fixedZone(written.offset ?? 0)) === cell;
    });
  return patternsOf(cells).find(isKept);
}

export function describeDayAndClock(axis: TimeAxis): readonly [day: TimePattern, clock: TimePattern] | undefined {
  const { clockSamples = [], columns } = axis;
  const day = describeTimes({ ...axis, columns: columns.slice(0, 1) });
  // whole hours without a zero may count to 24
  const areHours =
    clockSamples.some((text) => Number(text) === 0) && clockSamples.every((text) => /^\d{1,2}$/.test(text));
  if (!areHours && !clockSamples.every((text) => parseClock(text))) return undefined;
  const cells = clockSamples.map((text) => segmentsOf(text, CLOCK, CLOCK_FIELDS));
  const [clock] = patternsOf(cells);
  return columns.length === 2 && day && clock && /[Hh]/.test(clock) ? [day, clock] : undefined;
}

export function describeTimes({ format, samples, columns }: TimeAxis): TimePattern | undefined {
  if (format === undefined || columns.length !== 1) return undefined;
  return samples.length > 0 && /^(?:epoch|decimal|serial|cycle)/.test(format) ? format : describeCells(format, samples);
}

const pad = (value: number, width: number) => String(value).padStart(width, '0');

function weekOf(time: number): { year: number; week: number } {
  const days = Math.floor(time / DAY);
  const thursday = days - weekdayOfDays(days) + 3;
  const { year } = civilOf(thursday * DAY);
  return { year, week: Math.floor((thursday - Date.UTC(year, 0, 1) / DAY) / 7) + 1 };
}

const NUMERIC: Readonly<Record<TimePattern, (time: number) => string>> = {
  'epoch-s': (time) => String(time / 1000),
  'epoch-ms': String,
  'epoch-us': (time) => String(time * 1000),
  'epoch-ns': (time) => `${Math.round(time * 1000)}000`,
  'serial-day': (time) => String(time / DAY + 25_569),
  'decimal-year': (time) => String(Number((civilOf(time).year + (civilOf(time).month - 1) / 12).toFixed(6))),
  cycle: (time) => `${civilOf(time).year}-${pad(civilOf(time).month, 2)}`,
};

const TOKENS =
  /\[([[\]]|[^[\]]*)\]|\{(\w+)\|(\w+)\}|YYYY|YY|NNNN|NN|MMMM|MMM|MM|M|DD|D|EEE|e|HH|H|hh|h|mm|m|ss|s|S{1,9}|A|Q|WW|ZZZ|ZZ|Z/g;

/** `+0100` or `+01`; with the minutes where there are any. */
const shortOffset = (offset: string, token: string): string =>
  token === 'Z' && offset.endsWith(':00') ? offset.slice(0, 3) : token === 'ZZ' ? offset : offset.replace(':', '');

export function formatPattern(instant: number, pattern: TimePattern, zone: Zone = UTC): string {
  const number = Object.hasOwn(NUMERIC, pattern) ? NUMERIC[pattern] : undefined;
  if (number) return number(instant);
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
      YYYY: pad(shownYear, 4),
      YY: pad(shownYear % 100, 2),
      NNNN: pad(year + 1, 4),
      NN: pad((year + 1) % 100, 2),
      MMMM: MONTH_NAMES[month - 1] ?? '',
      MMM: shortMonth(month),
      MM: pad(month, 2),
      M: month,
      DD: pad(day, 2),
      D: day,
      EEE: new Date(time).toUTCString().slice(0, 3),
      e: String(day).padStart(2),
      HH: pad(hour, 2),
      H: hour,
      hh: pad(((hour + 11) % 12) + 1, 2),
      h: ((hour + 11) % 12) + 1,
      mm: pad(minute, 2),
      m: minute,
      ss: pad(second, 2),
      s: second,
      A: hour < 12 ? 'AM' : 'PM',
      Q: Math.ceil(month / 3),
      WW: pad(weekOf(time).week, 2),
      Z: shortOffset(offset, 'Z'),
      ZZ: offset,
      ZZZ: shortOffset(offset, 'ZZZ'),
    };
    return String(values[token] ?? token);
  });
}

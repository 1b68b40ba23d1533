import { DAY, HOUR, civilOf, timeOfDay, weekdayOfDays } from '../../calendar/civil.ts';
import { CLOCK, readZone, seasonWords, type WrittenZone } from '../../calendar/timestamp.ts';
import { isoInstant, MONTH_NAMES, shortMonth } from '../../calendar/format.ts';
import { UTC, fixedZone, writeOffset, type Zone } from '../../calendar/zone.ts';
import { TIME_FORMATS, productionOf, timeBy, type Field } from '../values/dates.ts';
import type { TimeAxis } from './column.ts';

/**
 * How times are written: tokens of the table below, `S…` for parts of a second, `{EST|EDT}` for the word that is right,
 * `{Januar|Februar|…}` for that of the month, other text in brackets. Or a kind of number: `epoch-s`, `decimal-year`, `cycle` ….
 */
export type TimePattern = string;

type Moment = ReturnType<typeof momentOf>;

const pad = (value: number, width = 2) => String(value).padStart(width, '0');
const ofHalf = (hour: number): number => ((hour + 11) % 12) + 1;

/** Each token with the fields of a time that it writes; of those that write all cells of a column the first is taken. */
const TOKENS: Readonly<Record<string, readonly [fields: string, write: (moment: Moment) => string | number]>> = {
  YYYY: ['year', ({ year }) => pad(year, 4)],
  YY: ['year', ({ year }) => pad(year % 100)],
  NNNN: ['next', ({ year }) => pad(year + 1, 4)],
  NN: ['next', ({ year }) => pad((year + 1) % 100)],
  MMM: ['name', ({ month }) => shortMonth(month)],
  MMMM: ['name', ({ month }) => MONTH_NAMES[month - 1] ?? ''],
  MM: ['month', ({ month }) => pad(month)],
  M: ['month', ({ month }) => month],
  e: ['spaced', ({ day }) => String(day).padStart(2)],
  DDD: ['ofYear', ({ year, time }) => pad(Math.floor((time - Date.UTC(year, 0, 1)) / DAY) + 1, 3)],
  DD: ['day|spaced', ({ day }) => pad(day)],
  D: ['day|spaced', ({ day }) => day],
  EEE: ['word', ({ time }) => new Date(time).toUTCString().slice(0, 3)],
  HH: ['hour', ({ hour }) => pad(hour)],
  H: ['hour', ({ hour }) => hour],
  hh: ['hour-of-half', ({ hour }) => pad(ofHalf(hour))],
  h: ['hour-of-half', ({ hour }) => ofHalf(hour)],
  m: ['minute', ({ time }) => Math.floor(timeOfDay(time) / 60_000) % 60],
  mm: ['minute', ({ time }) => pad(Math.floor(timeOfDay(time) / 60_000) % 60)],
  ss: ['second', ({ time }) => pad(Math.floor(timeOfDay(time) / 1000) % 60)],
  A: ['half-day', ({ hour }) => (hour < 12 ? 'AM' : 'PM')],
  a: ['half-day', ({ hour }) => (hour < 12 ? 'am' : 'pm')],
  aaaaa: ['half-day', ({ hour }) => (hour < 12 ? 'a' : 'p')],
  Q: ['quarter', ({ month }) => Math.ceil(month / 3)],
  WW: ['week', ({ week }) => pad(week)],
  // +01:00, +0100, and +01 with the minutes where there are any
  ZZ: ['offset', ({ ahead }) => writeOffset(ahead)],
  ZZZ: ['offset', ({ ahead }) => writeOffset(ahead).replace(':', '')],
  Z: ['offset', ({ ahead }) => writeOffset(ahead).replace(/:(?:00)?/, '')],
};

const NAMES = Object.keys(TOKENS).sort((a, b) => b.length - a.length);
const TOKEN = new RegExp(String.raw`\[([[\]]|[^[\]]*)\]|\{([^{}]*\|[^{}]*)\}|S{1,9}|${NAMES.join('|')}`, 'g');

function momentOf(instant: number, zone: Zone, isOfWeek: boolean) {
  const time = zone.toWall(instant);
  const days = Math.floor(time / DAY);
  const thursday = days - weekdayOfDays(days) + 3;
  const civil = civilOf(time);
  const year = isOfWeek ? civilOf(thursday * DAY).year : civil.year;
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / DAY) / 7) + 1;
  return { ...civil, time, ahead: time - instant, year, week, hour: Math.floor(timeOfDay(time) / HOUR) };
}

const written = (pattern: TimePattern, moment: Moment): string =>
  pattern.replace(TOKEN, (token, literal?: string, list?: string) => {
    if (literal !== undefined) return literal;
    const words = list?.split('|') ?? [];
    if (words.length > 2) return words[moment.month - 1]!;
    if (words.length > 0) return words.find((word) => readZone(word) === moment.ahead) ?? words[0]!;
    if (!token.startsWith('S')) return String(TOKENS[token]![1](moment));
    const fraction = isoInstant(moment.time).replace(/^.*?(?:\.(\d+))?Z$/, '$1');
    return fraction.padEnd(9, '0').slice(0, token.length);
  });

const NUMERIC: Readonly<Record<TimePattern, (time: number) => string>> = {
  'epoch-s': (time) => String(time / 1000),
  'epoch-ms': String,
  'epoch-us': (time) => String(time * 1000),
  'epoch-ns': (time) => `${Math.round(time * 1000)}000`,
  'serial-day': (time) => String(time / DAY + 25_569),
  'decimal-year': (time) => String(Number((civilOf(time).year + (civilOf(time).month - 1) / 12).toFixed(6))),
  cycle: (time) => `${civilOf(time).year}-${pad(civilOf(time).month)}`,
};

export function formatPattern(instant: number, pattern: TimePattern, zone: Zone = UTC): string {
  if (Object.hasOwn(NUMERIC, pattern)) return NUMERIC[pattern]!(instant);
  return written(pattern, momentOf(instant, pattern.includes('[Z]') ? UTC : zone, pattern.includes('WW')));
}

interface Segment {
  readonly field: Field | 'hour-of-half' | 'half-day' | 'text';
  readonly text: string;
}

function segmentsOf(text: string, pattern: RegExp, fields: readonly Segment['field'][]): Segment[] {
  const groups = new RegExp(pattern.source, `${pattern.flags}d`).exec(text);
  const segments: Segment[] = [];
  let end = 0;
  fields.forEach((field, place) => {
    const [from, to] = groups?.indices?.[place + 1] ?? [];
    if (from === undefined || to === undefined || field === 'separator') return;
    segments.push({ field: 'text', text: text.slice(end, from) });
    const own = text.slice(from, to);
    segments.push(...(field === 'clock' ? segmentsOfClock(own) : [{ field, text: own }]));
    end = to;
  });
  return [...segments, { field: 'text', text: text.slice(end) }];
}

function segmentsOfClock(text: string): Segment[] {
  const hour = CLOCK.exec(text)?.[5] === undefined ? 'hour' : 'hour-of-half';
  return segmentsOf(text, CLOCK, [hour, 'minute', 'second', 'fraction', 'half-day', 'zone']);
}

const asLiteral = (text: string) => text.replace(/[A-Za-z]+|[[\]]/g, '[$&]');

function tokensFor({ field, text }: Segment): readonly TimePattern[] {
  if (field === 'text') return [asLiteral(text)];
  if (field === 'fraction') return ['S'.repeat(text.length)];
  const tokensOf = (wanted: string) =>
    Object.keys(TOKENS).filter((token) => TOKENS[token]![0].split('|').includes(wanted));
  if (field !== 'zone') return tokensOf(field);
  const words = seasonWords(text);
  if (words) return [`{${words.join('|')}}`];
  const [offset = ''] = /^[+-]\d{2}(?::?\d{2})?/.exec(text) ?? [];
  const rest = asLiteral(text.slice(offset.length));
  return offset === '' ? [rest] : tokensOf('offset').map((token) => token + rest);
}

export function describeCells(id: TimeAxis['format'], samples: readonly string[]): TimePattern | undefined {
  const format = TIME_FORMATS.find((each) => each.id === id);
  const cells = samples.map((text) => {
    const zone: WrittenZone = { offset: undefined, name: undefined };
    const found = format && productionOf(format, text);
    if (!found) return undefined;
    const moment = momentOf(timeBy([found], text, zone), fixedZone(zone.offset ?? 0), found.fields.includes('week'));
    return { moment, segments: segmentsOf(text, found.pattern, found.fields) };
  });
  const shapes = new Set(cells.map((cell) => cell?.segments.map(({ field }) => field).join()));
  if (shapes.size !== 1 || !cells[0]) return undefined;
  const tokens = cells[0].segments.map((segment, place) =>
    tokensFor(segment).find((token) =>
      cells.every((cell) => written(token, cell!.moment) === cell!.segments[place]!.text),
    ),
  );
  return tokens.includes(undefined) ? undefined : tokens.join('');
}

const BY_NAME = TIME_FORMATS.find(({ id }) => id === 'names')!;
const MONTH = /\p{L}{3,}\.?/u;

/** The pattern of those cells that name months, in any language, as they do; months that they do not name are unreadable. */
export function describeNames(cells: readonly string[]): TimePattern | undefined {
  const named = cells.filter((cell) => MONTH.test(cell) && !Number.isNaN(BY_NAME.parse(cell)));
  const words = Array<string>(12).fill('?');
  const english = named.map((cell) => {
    const { month } = civilOf(BY_NAME.parse(cell));
    [words[month - 1] = ''] = MONTH.exec(cell)!;
    return cell.replace(words[month - 1]!, shortMonth(month));
  });
  const pattern = describeCells('names', english)?.replace('MMM', `{${words.join('|')}}`);
  const isSame = (cell: string) => formatPattern(BY_NAME.parse(cell), pattern!) === cell;
  return pattern !== undefined && named.every(isSame) ? pattern : undefined;
}

/** A pattern for each column of the times, with ` + ` between; `undefined` where one of them has none. */
export function describeTimes({ format, samples, columns, clockSamples = [] }: TimeAxis): TimePattern | undefined {
  if (format === undefined || format === 'clock' || columns.length !== clockSamples.length + 1) return undefined;
  const isNumber = samples.length > 0 && /^(?:epoch|decimal|serial|cycle)/.test(format);
  const day = isNumber ? format : describeCells(format, samples);
  const patterns = [day, ...clockSamples.map(describeClock)];
  return patterns.includes(undefined) ? undefined : patterns.join(' + ');
}

const isCount = (text: string) => /^\d{1,2}$/.test(text);

/** @param index 1 where the cells are the minutes behind a column of hours */
function describeClock(cells: readonly string[], index: number): TimePattern | undefined {
  const isWhole = (text: string) => !text.startsWith('24');
  if (!cells.some(isCount)) return describeCells('clock', cells.filter(isWhole));
  if (!cells.every(isCount) || !cells.some((text) => Number(text) === 0)) return undefined;
  const token = index === 0 ? 'H' : 'm';
  return cells.some(({ length }) => length === 1) ? token : token.repeat(2);
}

import { DAY, HOUR, weekdayOfDays } from '../../calendar/civil.ts';
import { parseClock, type WrittenZone } from '../../calendar/clock.ts';
import { LONGEST, instantOf, parseCompact, parseIso, withClock } from '../../calendar/timestamp.ts';
import { monthOfName } from './months.ts';
import { withoutWeekday } from './weekdays.ts';

export type TimeFormatId =
  | 'iso' | 'mdy' | 'dmy' | 'names' | 'month' | 'dotted-month' | 'quarter' | 'half' | 'week' | 'compact' | 'compact-month' | 'year' | 'season' | 'year-week'
  | 'epoch-s' | 'epoch-ms' | 'epoch-us' | 'epoch-ns' | 'cycle' | 'clock' | 'mixed'; // prettier-ignore

/** One way to write times. */
export interface TimeFormat {
  readonly id: TimeFormatId;
  /**
   * Epoch milliseconds UTC (`clock`: since midnight) of a trimmed cell, or `NaN` where it is not so written. What the cell
   * says about its zone is set in `written`, where it says anything.
   */
  readonly parse: (text: string, written?: WrittenZone) => number;
  /** Cells are digits only, as plain numbers are too: such a column needs more evidence to be a time. */
  readonly digits?: true;
  /** Cells name months or longer. */
  readonly period?: true;
}

/** Two-digit years up to this one are of the 21st century: further into the future there are few series. */
const LAST_SHORT_YEAR = 40;

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return text.length === 4 ? year : NaN;
  return year <= LAST_SHORT_YEAR ? 2000 + year : 1900 + year;
}

const NUMERIC = /^(\d{1,2})([/.\- ])(\d{1,2})\2(\d{4}|\d{2})(?:(?:[T,]|\s-\s|[ :])(.+))?$/;

function parseNumeric(text: string, monthFirst: boolean, written?: WrittenZone): number {
  const parts = text.length > LONGEST ? null : NUMERIC.exec(text);
  if (!parts) return NaN;
  const [, first = '', , second = '', year = '', clock] = parts;
  const [month, day] = monthFirst ? [first, second] : [second, first];
  return clock?.trim() === ''
    ? NaN
    : withClock(instantOf(fullYear(year), Number(month), Number(day)), clock?.trimStart() ?? '', written);
}

const MONTH = String.raw`(\p{L}{3,12})\.?`;
const WEEKDAY = String.raw`(?:\p{L}{2,10}\.?,?\s+)?`;
const CLOCK = String.raw`(?:(?:,?\s+(?:at\s)?|:|T)(\d.*))?`;
const DAY_NAME_YEAR = new RegExp(
  String.raw`^${WEEKDAY}(\d{1,2})(?:st|nd|rd|th|\.)?[\s\-/]*(?:de\s|of\s)?${MONTH}[\s\-/,]*(?:de\s)?(\d{4}|\d{2})${CLOCK}$`,
  'iu',
);
const NAME_DAY_YEAR = new RegExp(
  String.raw`^${WEEKDAY}${MONTH}[\s\-/]*(\d{1,2})(?:st|nd|rd|th)?,?[\s\-/]+(\d{4}|(?<=-)\d{2})${CLOCK}$`,
  'iu',
);
const YEAR_NAME_DAY = new RegExp(String.raw`^(\d{4})[\s\-/]*${MONTH}[\s\-/]*(\d{1,2})${CLOCK}$`, 'iu');
const NAME_YEAR = new RegExp(String.raw`^${MONTH}[\s\-/,']*(?:del?\s)?(\d{4}|\d{2})$`, 'iu');
const YEAR_NAME = new RegExp(String.raw`^(\d{4})[\s\-/]*${MONTH}$`, 'iu');
/** `Fri Jan 01 2021 00:00:00` and C's `Fri Jan  1 00:00:00 2021`. */
const C_TIME = new RegExp(
  String.raw`^\p{L}{3}\s+${MONTH}\s+(\d{1,2})\s+(\d{1,2}:\d{2}:\d{2})\s+(?:([A-Z]{3,4})\s+)?(\d{4})$`,
  'iu',
);

function parseNames(text: string, written?: WrittenZone): number {
  if (text.length < 5 || text.length > 60) return NaN;
  const build = (year: string, name: string, day: string, clock = '') =>
    withClock(instantOf(fullYear(year), monthOfName(name) ?? NaN, Number(day)), clock.trim(), written);
  const attempts: [RegExp, (parts: string[]) => number][] = [
    [DAY_NAME_YEAR, (p) => build(p[3]!, p[2]!, p[1]!, p[4])],
    [NAME_DAY_YEAR, (p) => build(p[3]!, p[1]!, p[2]!, p[4])],
    [YEAR_NAME_DAY, (p) => build(p[1]!, p[2]!, p[3]!, p[4])],
    [NAME_YEAR, (p) => build(p[2]!, p[1]!, '1')],
    [YEAR_NAME, (p) => build(p[1]!, p[2]!, '1')],
    [C_TIME, (p) => build(p[5]!, p[1]!, p[2]!, `${p[3]!} ${p[4] ?? ''}`)],
  ];
  for (const [pattern, read] of attempts) {
    const parts = pattern.exec(text);
    const time = parts ? read(parts) : NaN;
    if (!Number.isNaN(time)) return time;
  }
  return NaN;
}

const YEAR_MONTH = /^(\d{4})(?:[-/: ]|[-: ]?M)(\d{1,2})$/i;
const MONTH_YEAR = /^(\d{1,2})[-/ ](\d{4})$/;
/** `FY23 P07`, `2023 P07` and `2023-P07`: the seventh of twelve periods of a year. */
const YEAR_PERIOD = /^(?:FY ?(\d{4}|\d{2})|(\d{4}))[-/ ]?P(\d{1,2})$/i;
/** With a full stop it looks like a number; only years of our times and two digits for the month make it a month. */
const DOTTED_MONTH = /^(0[1-9]|1[0-2])\.((?:1[89]|20|21)\d{2})$/;

function parseMonth(text: string): number {
  const first = YEAR_MONTH.exec(text);
  if (first) return instantOf(Number(first[1]), Number(first[2]), 1);
  const period = YEAR_PERIOD.exec(text);
  if (period) return instantOf(fullYear(period[1] ?? period[2] ?? ''), Number(period[3]), 1);
  const last = MONTH_YEAR.exec(text);
  return last ? instantOf(Number(last[2]), Number(last[1]), 1) : NaN;
}

function parseDottedMonth(text: string): number {
  const parts = DOTTED_MONTH.exec(text);
  return parts ? instantOf(Number(parts[2]), Number(parts[1]), 1) : NaN;
}

/** A year, which may be a fiscal one, and a part of it in the ways to write it, as patterns of the words for the part. */
const partPatterns = (words: string) => ({
  yearFirst: new RegExp(`^(?:FY ?)?(\\d{4})[-/: ]?(?:${words})[-/ ]?(\\d)$`, 'i'),
  // `T 100` is rather a name with a number
  partFirst: new RegExp(`^(?!\\S+ \\d{3}$)(?:${words}) ?(\\d)[-/: ']*(?:FY ?'?)?(\\d{4}|\\d{2})$`, 'i'),
  numberFirst: new RegExp(
    `^(\\d)(?:\\.|st|nd|rd|th|er|e|º)?\\s?(?:${words})[-/: ',]*(?:de |of )?(?:FY ?'?)?(\\d{4}|\\d{2})$`,
    'i',
  ),
});
/** Q (T, K in French and Danish) for quarters, H (S) for halves. */
const QUARTER = partPatterns('[QTK]|qtr\\.?|quarter|quartal|kvartal|trim\\.?|trimestre');
const HALF = partPatterns('[HS]|half|halbjahr|semestre');

function parsePart(text: string, patterns: typeof QUARTER, parts: number): number {
  if (text.length > LONGEST) return NaN;
  const first = patterns.yearFirst.exec(text);
  const last = first ? undefined : (patterns.partFirst.exec(text) ?? patterns.numberFirst.exec(text));
  const year = first ? first[1] : last?.[2];
  const part = Number(first ? first[2] : last?.[1]);
  if (year === undefined || !(part >= 1 && part <= parts)) return NaN;
  return instantOf(fullYear(year), ((part - 1) * 12) / parts + 1, 1);
}

const YEAR_WEEK = /^(\d{4})[-/ ]?W[-/ ]?(\d{1,2})(?:-?([1-7]))?$/i;
const WEEK_YEAR = /^(?:(?:W|KW|week)[-/ ]?(\d{1,2})|(\d{1,2})\. ?KW)[-/, ]{1,4}(\d{4})$/i;

/** Monday of an ISO 8601 week (or a named weekday of it): week 1 has the year's first Thursday. */
export function instantOfWeek(year: number, week: number, weekday = 1): number {
  const fourth = instantOf(year, 1, 4) / DAY;
  const monday = fourth - weekdayOfDays(fourth);
  const next = instantOf(year + 1, 1, 4) / DAY;
  const weeks = (next - weekdayOfDays(next) - monday) / 7;
  return week >= 1 && week <= weeks ? (monday + (week - 1) * 7 + weekday - 1) * DAY : NaN;
}

function parseWeek(text: string): number {
  const first = YEAR_WEEK.exec(text);
  if (first) return instantOfWeek(Number(first[1]), Number(first[2]), Number(first[3] ?? 1));
  const last = WEEK_YEAR.exec(text);
  return last ? instantOfWeek(Number(last[3]), Number(last[1] ?? last[2])) : NaN;
}

/** `2020-05` for a week: only in columns that are called weeks, as it looks like a month. */
function parseYearWeek(text: string): number {
  const parts = /^(\d{4})[-/ ]?(\d{2})$/.exec(text);
  return parts ? instantOfWeek(Number(parts[1]), Number(parts[2])) : NaN;
}

const SEASON = /^(?:(FY)[ '-]{0,2})?(\d{4}|\d{2})(?:[-/](\d{4}|\d{2}))?$/i;

/** `FY2021`, `FY21` and years that begin in one and end in the next, such as `2020/21`: the first of them. */
function parseSeason(text: string): number {
  const [, fiscal, written = '', next] = SEASON.exec(text) ?? [];
  if (fiscal === undefined && (next === undefined || written.length === 2)) return NaN;
  const year = fullYear(written);
  const follows = next === undefined || (year + 1) % 10 ** next.length === Number(next);
  return follows ? instantOf(year, 1, 1) : NaN;
}

const YEAR = /^([12]\d{3})(?:\.0+)?$/;
const COMPACT_MONTH = /^([12]\d{3})(\d{2})$/;
const CYCLE = /^(\d{1,3})-(\d{1,2})$/;

/** `1-01`, `1-02`, … `3-12`: months of years that are only numbered, as the textbook series of sales are written. */
function parseCycle(text: string): number {
  const parts = CYCLE.exec(text);
  return parts ? instantOf(Number(parts[1]), Number(parts[2]), 1) : NaN;
}

/** What a text says without the day of the week in it; `NaN` where it has none. */
function withWeekday(text: string, parse: (bare: string) => number): number {
  const bare = withoutWeekday(text);
  return bare === text ? NaN : parse(bare);
}

function parseDigits(text: string, monthFirst: boolean, written?: WrittenZone): number {
  const time = parseNumeric(text, monthFirst, written);
  return Number.isNaN(time) ? withWeekday(text, (bare) => parseNumeric(bare, monthFirst, written)) : time;
}

/** A day and an hour without minutes, as databases cut times to the hour. */
const HOURLY = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2})$/i;

function parseYearFirst(text: string, written?: WrittenZone): number {
  const time = parseIso(text, written);
  // millions of cells are read at once
  if (!Number.isNaN(time)) return time;
  const hourly = text.length === 13 ? HOURLY.exec(text) : null;
  if (!hourly) return withWeekday(text, (bare) => parseIso(bare, written));
  const [year, month, day, hour] = hourly.slice(1).map(Number);
  return hour! <= 24 ? instantOf(year!, month!, day!) + hour! * HOUR : NaN;
}

const HOURS = /^(\d{1,2})\s?[-–]\s?(\d{1,2})$/;

/** Whether cells that are hours from beginning to end are all of a day, and no few ages or classes: also where they are few beside clocks. */
export function areAllHours(texts: readonly string[]): boolean {
  const hours = texts.filter((text) => HOURS.test(text)).map(parseHours);
  return hours.length * 2 < texts.length || new Set(hours.filter((hour) => !Number.isNaN(hour))).size === 24;
}

/** Fiscal years of two digits are names of something else where there are no more than two of them. */
export function areFewYears(texts: readonly string[]): boolean {
  return new Set(texts).size < 3 && texts.every((text) => /^FY\W{0,2}\d{2}(?!\d)/i.test(text));
}

/** `08:00` of `08:00–08:30`; any other text as it is. */
const startOfClocks = (text: string): string =>
  /^(\d{1,2}:\d{2}(?::\d{2})?)\s?[-–]\s?\d{1,2}:\d{2}(?::\d{2})?$/.exec(text)?.[1] ?? text;

/** `00 - 01`, `23 - 24`: hours of the day from their beginning to their end. */
function parseHours(text: string): number {
  const [, from, to] = (HOURS.exec(text) ?? []).map(Number);
  return from !== undefined && from < 24 && (from + 1) % 24 === to! % 24 ? from * HOUR : NaN;
}

/** Counts of seconds and their parts, to the microsecond. */
const epoch = (id: TimeFormatId, pattern: RegExp, microseconds: number): TimeFormat => ({
  id,
  digits: true,
  parse: (text) => (pattern.test(text) ? Math.round(Number(text) * microseconds) / 1000 : NaN),
});

/** All formats, those that leave the least room for error first. */
export const TIME_FORMATS: readonly TimeFormat[] = [
  { id: 'iso', parse: parseYearFirst },
  { id: 'mdy', parse: (text, written) => parseDigits(text, true, written) },
  { id: 'dmy', parse: (text, written) => parseDigits(text, false, written) },
  { id: 'season', parse: parseSeason, period: true },
  { id: 'month', parse: parseMonth, period: true },
  { id: 'quarter', parse: (text) => parsePart(text, QUARTER, 4), period: true },
  { id: 'half', parse: (text) => parsePart(text, HALF, 2), period: true },
  { id: 'week', parse: parseWeek },
  { id: 'year-week', parse: parseYearWeek },
  { id: 'names', parse: parseNames },
  { id: 'compact', parse: parseCompact, digits: true },
  { id: 'compact-month', parse: (text) => onMatch(COMPACT_MONTH, text), digits: true, period: true },
  { id: 'dotted-month', parse: parseDottedMonth, digits: true, period: true },
  { id: 'year', parse: (text) => onMatch(YEAR, text), digits: true, period: true },
  epoch('epoch-s', /^[1-9]\d{8,9}(?:\.\d+)?$/, 1e6),
  epoch('epoch-ms', /^[1-9]\d{11,12}(?:\.\d+)?$/, 1000),
  epoch('epoch-us', /^[1-9]\d{14,15}$/, 1),
  epoch('epoch-ns', /^[1-9]\d{17,18}$/, 0.001),
  { id: 'cycle', parse: parseCycle, period: true },
  {
    id: 'clock',
    parse: (text, written) =>
      /^\d+\.\d+$/.test(text) ? NaN : (parseClock(startOfClocks(text), written)?.inDay ?? parseHours(text)),
  },
];

function onMatch(pattern: RegExp, text: string): number {
  const parts = pattern.exec(text);
  return parts ? instantOf(Number(parts[1]), Number(parts[2] ?? 1), 1) : NaN;
}

/** Periods of a year and shorter that statistics offices write below each other in one column. */
const MIXED = TIME_FORMATS.filter(({ id }) => id === 'year' || id === 'quarter' || id === 'month' || id === 'names');

/** Years, quarters and months in one column: several series below each other, told apart by {@link grainOf}. */
export const MIXED_PERIODS: TimeFormat = {
  id: 'mixed',
  period: true,
  parse: (text, written) => MIXED.find(({ parse }) => !Number.isNaN(parse(text)))?.parse(text, written) ?? NaN,
};

/** Names of the series in a column of {@link MIXED_PERIODS}. */
export const GRAINS = ['yearly', 'quarterly', 'monthly'] as const;

/** Index into {@link GRAINS} of a cell. */
export function grainOf(text: string): number {
  const id = MIXED.find(({ parse }) => !Number.isNaN(parse(text)))?.id;
  return id === 'year' ? 0 : id === 'quarter' ? 1 : 2;
}

/** Start of a written span such as `01.01.2021 00:00 - 01.01.2021 01:00` or `2021-01-01/2021-01-07`; else the text itself. */
export function startOfSpan(text: string): string {
  if (text.length < 15 || text.length > LONGEST) return text;
  const parts = /^(.{7,30}?)(?:\s+(?:-|–|to|bis)\s+|\/(?=\d{4}-))(?=.{5,30}$)/.exec(text);
  return parts?.[1] ?? text;
}

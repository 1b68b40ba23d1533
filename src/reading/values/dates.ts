import { DAY, HOUR, civilOf, weekdayOfDays } from '../../calendar/civil.ts';
import { MONTH_NAMES } from '../../calendar/format.ts';
import { parseClock, type WrittenZone, LONGEST, instantOf, parseUsual, withClock } from '../../calendar/timestamp.ts';
import { isLettered, monthOfName, plainTime, withoutWeekday } from './time-words.ts';

interface Production {
  readonly pattern: RegExp;
  readonly fields: readonly Field[];
}

export interface TimeFormat {
  readonly id: string;
  readonly productions?: readonly Production[];
  /** Epoch milliseconds (`clock`: since midnight), or `NaN`; what a cell says of its zone is set in `written`. */
  readonly parse: (text: string, written?: WrittenZone) => number;
  /** Cells are digits only, as plain numbers are too: such a column needs more evidence to be a time. */
  readonly digits?: true;
  readonly period?: true;
}

/** The tokens of the table below: a group, and its field. Upper case has a fixed width. */
const TOKENS = {
  Y: ['year', String.raw`(\d{4})`],
  y: ['year', String.raw`(\d{4}|\d{2})`],
  short: ['year', String.raw`(\d{2})`],
  era: ['year', String.raw`([12]\d{3})`],
  // 220131 is a day of 2022 and no month of the year 2201
  past: ['year', String.raw`((?:1[789]|20)\d{2})`],
  near: ['year', String.raw`((?:1[89]|20|21)\d{2})`],
  cycle: ['cycle', String.raw`(\d{1,3})`],
  next: ['next', String.raw`(\d{4}|\d{2})`],
  m: ['month', String.raw`(\d{1,2})`],
  M: ['month', String.raw`(\d{2})`],
  padded: ['month', '(0[1-9]|1[0-2])'],
  name: ['name', String.raw`(\p{L}{3,12})\.?`],
  d: ['day', String.raw`(\d{1,2})`],
  D: ['day', String.raw`(\d{2})`],
  pad: ['spaced', String.raw`(\s?\d{1,2})`],
  J: ['ofYear', String.raw`(\d{3})`],
  q: ['quarter', String.raw`(\d)`],
  half: ['half', String.raw`(\d)`],
  w: ['week', String.raw`(\d{1,2})`],
  W: ['week', String.raw`(\d{2})`],
  e: ['weekday', '([1-7])'],
  day: ['word', String.raw`(?:(\p{L}{2,10})\.?,?\s+)?`],
  h: ['hour', String.raw`(\d{2})`],
  min: ['minute', String.raw`(\d{2})`],
  s: ['second', String.raw`(\d{2})`],
  f: ['fraction', String.raw`(\d{1,9})`],
  z: ['zone', String.raw`(Z|[+-]\d{2}:?\d{2})`],
  Z: ['zone', '([A-Z]{3,4})'],
  clock: ['clock', String.raw`(\d.*)`],
  any: ['clock', '(.+)'],
} as const;

export type Field = (typeof TOKENS)[keyof typeof TOKENS][0] | 'separator';

/** A production from its notation: tokens in braces, a sign that comes again as `{-}` and `{=}`, the rest a pattern. */
function production(notation: string, separators = '[-/.]'): Production {
  const fields: Field[] = [];
  const source = notation.replace(/\{([a-zA-Z]+|[-=])\}/g, (_, token: string) => {
    if (token === '=') return `\\${fields.indexOf('separator') + 1}`;
    const [field, group] =
      token === '-' ? (['separator', `(${separators})`] as const) : TOKENS[token as keyof typeof TOKENS];
    fields.push(field);
    return group;
  });
  return { pattern: new RegExp(`^${source}$`, 'iu'), fields };
}

/** Two-digit years up to this one are of the 21st century: further into the future there are few series. */
const LAST_SHORT_YEAR = 40;

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year <= LAST_SHORT_YEAR ? 2000 + year : 1900 + year;
}

/** Monday of an ISO 8601 week (or a named weekday of it): week 1 has the year's first Thursday. */
export function instantOfWeek(year: number, week: number, weekday = 1): number {
  const fourth = instantOf(year, 1, 4) / DAY;
  const monday = fourth - weekdayOfDays(fourth) + (week - 1) * 7;
  return week >= 1 && civilOf((monday + 3) * DAY).year === year ? (monday + weekday - 1) * DAY : NaN;
}

type Written = Readonly<Partial<Record<Field, string>>>;

function instantOfFields({ fields }: Production, groups: readonly string[], zone?: WrittenZone): number {
  const written: Partial<Record<Field, string>> = {};
  for (let place = 0; place < fields.length; place++) {
    const text = groups[place + 1] as string | undefined;
    if (text !== undefined) written[fields[place]!] = text;
  }
  const { next, cycle, year: own } = written;
  const year = cycle === undefined ? fullYear(own ?? '') : Number(cycle);
  if (next !== undefined && (year + 1) % 10 ** next.length !== Number(next)) return NaN;
  if (written.week !== undefined) return instantOfWeek(year, Number(written.week), Number(written.weekday ?? 1));
  if (written.ofYear !== undefined) return instantOfDay(year, Number(written.ofYear));
  const isDated = own !== undefined || cycle !== undefined;
  const midnight = isDated ? instantOf(year, monthIn(written), Number(written.spaced ?? written.day ?? 1)) : 0;
  const clock = clockIn(written);
  return clock === undefined ? midnight : withClock(midnight, clock, zone);
}

function monthIn({ month = '1', name, quarter, half }: Written): number {
  if (name !== undefined) return monthOfName(name) ?? NaN;
  if (quarter !== undefined) return Number(quarter) * 3 - 2;
  return half === undefined ? Number(month) : Number(half) * 6 - 5;
}

function clockIn(written: Written): string | undefined {
  const { clock, hour, minute = '00', second = '00', fraction = '0', zone = '' } = written;
  if (hour !== undefined) return `${hour}:${minute}:${second}.${fraction} ${zone}`.trimEnd();
  const text = clock?.trim();
  return text === '' ? 'none' : text?.length === 2 ? text.replace(/^\d\d$/, '$&:00') : text;
}

function instantOfDay(year: number, ofYear: number): number {
  const time = instantOf(year, 1, 1) + (ofYear - 1) * DAY;
  return ofYear >= 1 && civilOf(time).year === year ? time : NaN;
}

export function timeBy(productions: readonly Production[], text: string, written?: WrittenZone): number {
  if (text.length > LONGEST) return NaN;
  for (const each of productions) {
    const groups = each.pattern.exec(text);
    const time = groups ? instantOfFields(each, groups, written) : NaN;
    if (!Number.isNaN(time)) return time;
  }
  return NaN;
}

export const productionOf = ({ productions = [] }: TimeFormat, text: string): Production | undefined =>
  productions.find((each) => !Number.isNaN(timeBy([each], text)));

interface Traits extends Pick<TimeFormat, 'digits' | 'period'> {
  readonly separators?: string;
  readonly hasWeekday?: true;
}

function format(
  id: string,
  notations: readonly string[],
  { separators, hasWeekday, ...traits }: Traits = {},
): TimeFormat {
  const productions = notations.map((each) => production(each, separators));
  const parse: TimeFormat['parse'] = (text, written) => {
    const time = timeBy(productions, text, written);
    // millions of cells are read at once
    if (!hasWeekday || !Number.isNaN(time)) return time;
    const bare = withoutWeekday(text);
    return bare === text ? NaN : parse(bare, written);
  };
  return { id, productions, parse, ...traits };
}

const CLOCK = String.raw`(?:(?:,?\s+(?:(?:at|@)\s)?|:|T){clock})?`;
const [PERIOD, DIGITS] = [{ period: true }, { digits: true }] as const;

/** A year, which may be a fiscal one, and a part of it. @param words for the part, as a pattern */
const partNotations = (part: string, words: string): string[] => [
  `(?:FY ?)?{Y}(?:[\\-/]{next})?[\\-/:._ ]*(?:${words})[\\-/. ]?{${part}}`,
  // `T 100` is rather a name with a number
  `(?!\\S+ \\d{3}$)(?:${words}) ?{${part}}(?:[\\-/: ']*(?:FY ?'?)?{y}|[._, ]+{Y})`,
  `{${part}}(?:\\.|st|nd|rd|th|er|e|º)?\\s?(?:${words})[\\-/: ',]*(?:de |of )?(?:FY ?'?)?{y}`,
  `(?:FY ?)?{Y}[\\-/:._ ]*{${part}}[. ]*(?:${words})`,
  `FY ?{y}[\\-/:._ ]*(?:${words})[\\-/. ]?{${part}}`,
];

const yearLast = (id: string, order: string): TimeFormat =>
  format(id, [`${order}{=}{y}(?:(?:[T,]|\\s-\\s|[ :]){any})?`], { separators: '[/.\\- ]', hasWeekday: true });

const epoch = (id: string, pattern: RegExp, microseconds: number): TimeFormat => ({
  id,
  digits: true,
  parse: (text) => (pattern.test(text) ? Math.round(Number(text) * microseconds) / 1000 : NaN),
});

/** ISO 8601 with other signs and single digits, as Hungary, Korea, China and Japan write it, by day of the year, and cut to the hour. */
const YEAR_FIRST = format(
  'iso',
  [
    // `2024-01-2: 03:26` is damaged rather than a day of one digit
    String.raw`(?!\d{4}-\d\d-\d[T_:] \d\d:){Y}{-}{m}{=}{d}(?:[T ,_:]{any})?`,
    String.raw`{Y}\. ?{m}\. ?{d}\.(?: {any})?`,
    String.raw`{Y}\. {m}\. {d}`,
    '{Y}-{J}',
    String.raw`{Y}[年년]\s?{m}[月월](?:\s?{d}[日일])?`,
  ],
  { hasWeekday: true },
);

export const TIME_FORMATS: readonly TimeFormat[] = [
  { ...YEAR_FIRST, parse: (text, written) => parseUsual(text, written) ?? YEAR_FIRST.parse(text, written) },
  yearLast('mdy', '{m}{-}{d}'),
  yearLast('dmy', '{d}{-}{m}'),
  // `FY2021`, `FY21` and years that begin in one and end in the next, such as `2020/21`
  format('season', ["FY[ '\\-]{0,2}{y}(?:[\\-/]{next})?", '{Y}[\\-/]{next}'], PERIOD),
  // `FY23 P07`: the seventh of twelve periods
  format(
    'month',
    [
      '{Y}(?:[\\-/: ]|[\\-: ]?MM? ?){m}',
      '{Y}\\.? ?{m} ?[월月]',
      '(?:FY ?{y})[\\-/ ]?P{m}',
      '{Y}[\\-/ ]?P{m}',
      '(?:MM?|P)[\\- ]?{m}[\\-/, ]{1,4}{Y}',
      '{m}[\\-/ ]{Y}',
    ],
    PERIOD,
  ),
  format('quarter', partNotations('q', '[QTK]|qtr\\.?|quarter|quartal|kvartal|trim\\.?|trimestre'), PERIOD),
  format('half', partNotations('half', '[HS]|half|halbjahr|semestre'), PERIOD),
  format('week', [
    '{Y}[\\-/. ]*[KC]?W[\\-/. ]?{w}(?:-?{e})?',
    'FY ?{y}[\\-/. ]*[KC]?W[\\-/. ]?{w}',
    "(?:[KC]?W|week)[\\-/. ]?{w}[\\-/']{y}",
    '(?:[KC]?W|week)[\\-/. ]?{w}[\\-/ ]FY ?{y}',
    '(?:[KC]?W|week|[SV]|sem\\.?|semaine|semana|settimana|uge|uke|vecka)[\\-/. ]?{w}[\\-/, ]{1,4}{Y}',
    '{w}[. ]*[KC]?W[\\-/, ]{1,4}{Y}',
    '{Y}[\\-/. ]+{w}[. ]*W',
  ]),
  // resembles a month: only in columns of weeks
  format('year-week', ['{Y}[\\-/ ]?{W}']),
  format('names', [
    String.raw`{day}{d}(?:st|nd|rd|th|\.)?[\s\-/]*(?:de\s|of\s)?{name}[\s\-/,]*(?:de\s)?{y}${CLOCK}`,
    String.raw`{day}{name}[\s\-/]*{d}(?:st|nd|rd|th)?,?[\s\-/]+(?:{Y}|(?<=-){y})${CLOCK}`,
    String.raw`{Y}\.?[\s\-/]*{name}[\s\-/]*{d}\.?${CLOCK}`,
    String.raw`{name}[\s\-/,']*(?:del?\s)?{y}`,
    String.raw`{Y}\.?[\s\-/]*{name}`,
    String.raw`{day}{name}\s+?{pad}\s+{h}:{min}:{s}\s+(?:{Z}\s+)?{Y}`,
  ]),
  format('compact', ['{Y}{M}{D}(?:[T :]?{h}(?::?{min}(?::?{s}(?:[.,]{f})?)?)?{z}?)?'], DIGITS),
  format('compact-day', ['{past}{J}'], DIGITS),
  format('compact-month', ['{past}{M}'], { ...DIGITS, ...PERIOD }),
  format('short', ['{short}{M}{D}'], DIGITS),
  // with a full stop it resembles a number; SAP writes periods with three digits
  format('dotted-month', ['0?{padded}\\.{near}', '{near}\\.{M}'], { ...DIGITS, ...PERIOD }),
  format('year', ['{era}(?:\\.0+|[年년])?'], { ...DIGITS, ...PERIOD }),
  epoch('epoch-s', /^[1-9]\d{8,9}(?:\.\d+)?$/, 1e6),
  epoch('epoch-ms', /^[1-9]\d{11,12}(?:\.\d+)?$/, 1000),
  epoch('epoch-us', /^[1-9]\d{14,15}$/, 1),
  epoch('epoch-ns', /^[1-9]\d{17,18}$/, 0.001),
  // `1-01` … `3-12`: months of years that are only numbered, as the textbook series of sales are written
  format('cycle', ['{cycle}-{m}'], PERIOD),
  { id: 'clock', productions: [production('{any}')], parse: parseTimeOfDay },
];
const EPOCH_SERIAL = 25_569;
/** Days as spreadsheets count them: 44562 is the first of 2022. */
export const SERIAL_DAYS: TimeFormat = {
  id: 'serial-day',
  digits: true,
  parse: (text) =>
    /^[1-7]\d{4}(?:\.\d+)?$/.test(text) ? Math.round((Number(text) - EPOCH_SERIAL) * 86_400) * 1000 : NaN,
};
/** `9.30`, which is a number as well. */
export const DOTTED_CLOCK = format('dotted-clock', [String.raw`(?=\d{1,2}\.[0-5]\d$){any}`], DIGITS);

const HOURS = /^(\d{1,2})\s?[-–]\s?(\d{1,2})$/;

function parseTimeOfDay(text: string, written?: WrittenZone): number {
  if (/^\d+\.\d+$/.test(text)) return NaN;
  const start =
    /^(\d{1,2}:\d{2}[^-–]{0,6}?)(?:\s?[-–]\s?|\s\p{Ll}{1,5}\s)\d{1,2}:\d{2}[^-–]{0,6}$/u.exec(text)?.[1] ?? text;
  const clock = parseClock(start, written);
  if (clock) return clock.inDay;
  const [, from, to] = (HOURS.exec(text) ?? []).map(Number);
  return from !== undefined && from < 24 && (from + 1) % 24 === to! % 24 ? from * HOUR : NaN;
}

/** Whether cells that are hours from beginning to end are all of a day, and no few ages or classes: also where they are few beside clocks. */
export function areAllHours(texts: readonly string[]): boolean {
  const hours = texts.filter((text) => HOURS.test(text)).map((text) => parseTimeOfDay(text));
  return hours.length * 2 < texts.length || new Set(hours.filter((hour) => !Number.isNaN(hour))).size === 24;
}

const WEEKS = TIME_FORMATS.find(({ id }) => id === 'week')!;

/** Whether letters before numbers of years, which any language may have for weeks, stand for something else: those do not go on. */
export function areNoWeeks(texts: readonly string[]): boolean {
  if (!texts.some(isLettered)) return false;
  const weeks = [...new Set(texts.map((text) => WEEKS.parse(plainTime(text))))].filter((time) => !Number.isNaN(time));
  weeks.sort((a, b) => a - b);
  const next = weeks.filter((time, at) => time === weeks[at - 1]! + 7 * DAY);
  return next.length < 2 || next.length * 2 < weeks.length - 1;
}

/** The formats for a column of which only words, weekdays, ordinals and blanks keep at least half of the cells from being read. */
export function plainFormats(formats: readonly TimeFormat[], texts: readonly string[]): TimeFormat[] {
  if (texts.filter((text) => plainTime(text) !== text).length * 2 < texts.length) return [];
  let [last, plain] = ['', ''];
  const plainOf = (text: string): string => {
    if (text !== last) [last, plain] = [text, plainTime(text)];
    return plain;
  };
  return formats
    .filter(({ id, digits }) => !digits && (id !== 'week' || !areNoWeeks(texts)))
    .map((each) => ({ ...each, parse: (text, written) => each.parse(plainOf(text), written) }));
}

/** Fiscal years of two digits are names of something else where there are no more than two of them. */
export function areFewYears(texts: readonly string[]): boolean {
  return new Set(texts).size < 3 && texts.every((text) => /^FY\W{0,2}\d{2}(?!\d)/i.test(text));
}

/** Digits behind words count something (`sub-01`, `January 9` above `January 10`), but for English months: `Dec-19`. */
export function areNumberedWords(texts: readonly string[]): boolean {
  const parts = texts.map((text) => /^(\p{L}{3,12})\W?(\d{1,2})$/u.exec(text));
  const words = new Set(parts.map((part) => part?.[1]!.toLowerCase() ?? ''));
  const [word = ''] = words;
  if (words.has('')) return false;
  const isEnglish = MONTH_NAMES.some((name) => name.toLowerCase().startsWith(word));
  const isDay = (part: RegExpExecArray | null) => part![2]!.length < 2 && monthOfName(part![1]!) !== undefined;
  return parts.some(isDay) || (words.size === 1 && !isEnglish);
}

const DATES_BY_NAME = TIME_FORMATS.find(({ id }) => id === 'names')!;

const MIXED = TIME_FORMATS.filter(({ id }) => id === 'year' || id === 'quarter' || id === 'month' || id === 'names');
export const MIXED_PERIODS: TimeFormat = {
  id: 'mixed',
  period: true,
  parse: (text, written) => MIXED.find(({ parse }) => !Number.isNaN(parse(text)))?.parse(text, written) ?? NaN,
};

export const GRAINS = ['yearly', 'quarterly', 'monthly'] as const;

export function grainOf(text: string): number {
  const id = MIXED.find(({ parse }) => !Number.isNaN(parse(text)))?.id;
  return id === 'year' ? 0 : id === 'quarter' ? 1 : 2;
}

/** Start of a written span such as `01.01.2021 00:00 - 01.01.2021 01:00`, `2021-01-01/2021-01-07` or `Dec 26 - Jan 1, 2024`; else the text itself. */
export function startOfSpan(text: string): string {
  if (text.length < 15 || text.length > LONGEST) return text;
  const [, start, end = ''] = /^(.{4,30}?)(?:\s+(?:-|–|to|bis)\s+|\/(?=\d{4}-))(.{5,30})$/.exec(text) ?? [];
  const [year] = /(?<=\D)\d{4}$/.exec(end) ?? [];
  if (start === undefined) return text;
  // `1200 - Debtors` is no year
  if (year === undefined || /\d{4}/.test(start) || !/\p{L}/u.test(start)) return start.length < 7 ? text : start;
  const isYearBefore = DATES_BY_NAME.parse(`${start} ${year}`) > DATES_BY_NAME.parse(end);
  return `${start} ${Number(year) - (isYearBefore ? 1 : 0)}`;
}

const WITH_CLOCK = String.raw`.{6,60}?\d:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s?[AaPp]\.?[Mm]\.?(?!\p{L}))?`;
const WITH_WORD = new RegExp(
  String.raw`^(${WITH_CLOCK})\s?(Z|[+-]\d{2}:?\d{2})?(\s?)(\p{L}[\p{L}\d_/+-]*(?:(?: \p{L}+){0,2} [Tt]ime)?)$`,
  'u',
);
const C_TIME = /^(\p{L}{3}\s.{4,20}\d:\d{2})()()\s([A-Z]{2,5})(\s\d{4})$/u;

/** As zones are abbreviated: the letters of three words, or a few of which the last one is Time or, in German, Zeit. */
const ABBREVIATED = /^(?:[A-Z]{3}|[A-Z][A-Za-z]{0,3}T|[A-Z]{2,4}Z)$/;
const NO_ZONES =
  /^(?:ALERT|ERR|EVENT|EXIT|FAULT|HALT|INIT|LOG|PUT|RESET|START|TEST|RUN|END|NEW|OLD|YES|OFF|OUT|ACK|MIN|MAX|AVG|SUM|NAN|MON|TUE|WED|THU|FRI|SAT|SUN|DAY|ASK|BID|BUY|LOW|LIMIT|SHORT|EUR|USD|GBP)$/;

/** The names of IANA that are one word; asking the runtime for each word of a file would take many times as long as to read it. */
const ALONE =
  /^(?:Cuba|Egypt|Eire|EST5EDT|CST6CDT|MST7MDT|PST8PDT|GB|GB-Eire|Greenwich|Hongkong|Iceland|Iran|Israel|Jamaica|Japan|Kwajalein|Libya|Navajo|NZ|NZ-CHAT|Poland|Portugal|PRC|ROC|ROK|Singapore|Turkey|UCT|Universal|W-SU|Zulu)$/;

const DATED = TIME_FORMATS.filter(({ id }) => id !== 'clock');

export const isTime = (text: string, formats: readonly TimeFormat[] = DATED) =>
  formats.some(({ parse }) => !Number.isNaN(parse(text)));

function isLikeZone(word: string): boolean {
  if (/[/+]| time$|^(?:UTC|GMT)/i.test(word)) return true;
  if (NO_ZONES.test(word)) return false;
  return ABBREVIATED.test(word) || ALONE.test(word);
}

/** The parts of a time with a word behind it, which may be a zone's. */
function apart(text: string, formats: readonly TimeFormat[]) {
  if (text.length > LONGEST) return undefined;
  const [, clock, offset = '', blank, word, year = ''] = WITH_WORD.exec(text) ?? C_TIME.exec(text) ?? [];
  if (clock === undefined || word === undefined || isTime(text, formats)) return undefined;
  const time = clock + offset + year;
  const isZone = offset === '' && isLikeZone(word) && (blank === '' || !/^\p{Ll}[^/]*$/u.test(word));
  return isTime(time, formats) ? { time, word, isZone } : undefined;
}

export function unknownZone(text: string): string | undefined {
  const found = apart(text, DATED);
  return found?.isZone ? found.word : undefined;
}

function withoutWord(text: string, formats: readonly TimeFormat[]): string {
  const found = apart(text, formats);
  return found && !found.isZone ? found.time : text;
}

export const hasWord = (text: string): boolean => withoutWord(text, DATED) !== text;

export function bareTime(text: string, formats: readonly TimeFormat[] = DATED): string {
  const start = startOfSpan(text);
  return start === text ? withoutWord(text, formats) : start;
}

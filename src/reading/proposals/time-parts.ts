import { DAY, HOUR, MINUTE, civilOf, daysFromCivil, timeOfDay, weekdayOfDays } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/grid.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { type BadCell, codesOf, type Column } from '../columns/column.ts';
import { isTimeName, isTimeWord } from '../columns/names.ts';
import type { TimeKind } from '../types.ts';
import {
  plainFormats,
  instantOfWeek,
  SERIAL_DAYS,
  startOfSpan,
  TIME_FORMATS,
  type TimeFormat,
} from '../values/dates.ts';
import { monthOfName, partOfWord, weekdayOf, withoutWeekday } from '../values/time-words.ts';
import { isMissing } from '../values/numbers.ts';
import { namesTotal } from '../values/totals.ts';

/** Names beside those that languages have for a part. */
const NAMES = {
  year: /^(?:yr|yyyy|yy)$/i,
  month: /^(?:mon|mo|mm|period)$/i,
  yearDay: /^(?:doy|jday|(?:day_?of_?(?:the_?)?year)|julian_?day|yday)$/i,
  quarter: /^(?:qtr|q)$/i,
  date: /^(?!)/,
  week: /^(?:wk|kw|week_?(?:number|no|nr))$/i,
  day: /^(?:dy|dd|day_?of_?month)$/i,
  weekday: /^(?:week_?day|day_?of_?(?:the_?)?week|dow)$/i,
  hour: /^(?:hr|hh|he|hour_?ending|interval)$/i,
  minute: /^(?:min|mm|mn)$/i,
  slot: /^(?:settlement|trading|dispatch|time|market)?[_ ]?(?:period|interval|slot|sp|hh|pte|ptu|half[_ -]?hour(?:ly)?|quarter[_ -]?hour)(?:[_ ]?(?:no|nr|num|number|id|index))?$/i,
};

export type Part = keyof typeof NAMES;
export type Level = 'year' | 'month' | 'week' | 'day' | 'hour';

interface PartOfTime {
  readonly low: number;
  readonly high: number;
  readonly least?: number;
  readonly letters?: string;
  readonly of?: Level;
  readonly is?: Level;
  readonly kind: TimeKind;
  /** Its instant, `NaN` for the 30th of February. A part beyond the last is of the next year. @param first of a header */
  readonly at: (whole: number, part: number, first: number) => number;
}

const yearOf = (time: number): number => civilOf(time).year;
const monthAt = (year: number, month: number): number => daysFromCivil(yearOf(year), month, 1) * DAY;
const quarterAt = (year: number, quarter: number): number => monthAt(year, quarter * 3 - 2);
const yearDayAt = (year: number, day: number): number => year + (day - 1) * DAY;
const dateAt = (year: number, date: number): number =>
  instantOf(yearOf(year), civilOf(date).month, civilOf(date).day) + timeOfDay(date);
const dayAt = (month: number, day: number): number => instantOf(yearOf(month), civilOf(month).month, day);
const weekAt = (year: number, week: number): number => instantOfWeek(yearOf(year), week);
const weekdayAt = (day: number, part: number, first: number): number =>
  day + (((part - first + 7) % 7) - ((weekdayOfDays(Math.floor(day / DAY)) + 8 - first) % 7)) * DAY;
const counted = (unit: number) => (whole: number, part: number) => whole + part * unit;

/** All parts, the larger ones first: down, each column adds one to those before it; across, a header adds one to its rows. */
export const PARTS: Readonly<Record<Part, PartOfTime>> = {
  year: { low: 1000, high: 2999, is: 'year', kind: 'period', at: (_, year) => instantOf(year, 1, 1) },
  month: { low: 1, high: 12, least: 12, letters: 'MP', of: 'year', is: 'month', kind: 'period', at: monthAt },
  yearDay: { low: 1, high: 366, least: 365, of: 'year', is: 'day', kind: 'date', at: yearDayAt },
  quarter: { low: 1, high: 4, least: 4, letters: 'QTK', of: 'year', kind: 'period', at: quarterAt },
  // as the instant of its day in a leap year; written as one number, the 31st of December is 3112
  date: { low: Infinity, high: 3112, least: 3, of: 'year', is: 'day', kind: 'date', at: dateAt },
  week: { low: 1, high: 53, least: 52, letters: 'W', of: 'year', is: 'week', kind: 'date', at: weekAt },
  day: { low: 1, high: 31, least: 28, of: 'month', is: 'day', kind: 'date', at: dayAt },
  weekday: { low: 1, high: 7, least: 5, of: 'week', is: 'day', kind: 'date', at: weekdayAt },
  hour: { low: 0, high: 24, of: 'day', is: 'hour', kind: 'instant', at: counted(HOUR) },
  minute: { low: 0, high: 59, of: 'hour', kind: 'instant', at: counted(MINUTE) },
  slot: { low: 1, high: 300, of: 'day', kind: 'instant', at: counted(1) }, // as milliseconds since midnight
};
const ALL_PARTS = Object.entries(PARTS) as readonly (readonly [Part, PartOfTime])[];
export const partsOf = (level: Level): readonly Part[] =>
  ALL_PARTS.flatMap(([part, { of }]) => (of === level ? [part] : []));

/** The number of a part; `NaN` for no part and for all of them, `Infinity` for anything else. */
function numberOf(text: string, part: Part): number {
  if (text === '') return NaN;
  const { low, high, letters = '' } = PARTS[part];
  // spreadsheets group dates as Qtr1, in German as Qrtl1
  const [, sign = '', digits] = /^(\p{L}?|qtr|qrtl|trim)(\d+)$/iu.exec(text) ?? [];
  const isPart = sign === '' || letters.includes(sign[0]!.toUpperCase());
  const number = isPart ? Number(digits ?? NaN) : NaN;
  // one part more than there are is the whole year, as in `M13` and `Q05`; `Q5` is a question
  if (sign !== '' && number === high + 1 && digits?.length === 2) return NaN;
  if (number >= low && number <= high) return number;
  const named = part === 'weekday' ? weekdayOf(text) : part === 'month' ? monthOfCell(text) : undefined;
  if (named !== undefined) return part === 'weekday' ? named + 1 : named;
  return namesTotal(text) ? NaN : Infinity;
}

function monthOfCell(text: string): number | undefined {
  const counted = Number(/^(\d{1,2})\s?[月월]$/u.exec(text)?.[1] ?? NaN);
  if (counted >= 1 && counted <= 12) return counted;
  // the month in the middle of three, as DJF for the winter
  const middle = text.length === 3 ? 1 + 'DJFMAMJJASONDJ'.indexOf(text) : 0;
  return middle > 0 ? middle : /^\p{L}{3,}\.?$/u.test(text) ? monthOfName(text) : undefined;
}

export interface HeaderTimes {
  readonly part: 'time' | 'step' | Part;
  /** For each cell, `NaN` for those that say nothing: epoch milliseconds, the number of the part, the step from 0. */
  readonly at: readonly number[];
  readonly timeKind: TimeKind;
}

export const isKnown = (at: number): boolean => !Number.isNaN(at);
const known = (at: readonly number[]): readonly number[] => at.filter(isKnown);

/** Whole times, parts of times and steps that a header may be. @param year that stands above the table */
export function namesAcross(names: readonly string[], year?: number): readonly HeaderTimes[] {
  const cells = names.map((name) => name.trim());
  const ofYear = () =>
    year === undefined
      ? undefined
      : headerTimes(
          cells.map((cell) => `${cell} ${year}`),
          true,
        );
  const whole = headerTimes(cells, true) ?? ofYear();
  const dates = whole
    ? undefined
    : WITH_YEAR.map((full) => headerTimes(cells.map(full), true, NAMED_OR_DIGITS)).find((times) => times !== undefined);
  const parts = ALL_PARTS.map(([part, { kind }]) => ({ part, timeKind: kind, at: partAcross(cells, part) }));
  const others = [
    ...parts,
    { part: 'slot' as const, timeKind: 'instant' as const, at: hoursOfNames(cells) },
    ...stepsOf(cells).map((at) => ({ part: 'step' as const, timeKind: 'row' as const, at })),
  ].map(({ at, ...rest }) => at && { ...rest, at });
  return [whole, dates && { ...dates, part: 'date' as const }, ...others].filter((times) => times !== undefined);
}

function partAcross(cells: readonly string[], part: Part): readonly number[] | undefined {
  const { high, least = Infinity, of } = PARTS[part];
  if (cells.length <= least) return undefined;
  const seen = new Set<number>();
  const numbers = cells.map((cell) => {
    const number = numberOf(cell.replace(/^(\d+)\.$/, '$1'), part);
    if (!Number.isFinite(number) || seen.has(number)) return NaN;
    seen.add(number);
    return number;
  });
  const [first = NaN, ...others] = known(numbers);
  // plain numbers over weeks are those of shops or classes; over years a question asks
  const isNumberOfOther = (cell: string, index: number) =>
    /^\d+\.?$/.test(cell) && (of === 'week' || Number.isNaN(numbers[index]!));
  if (seen.size < least || seen.size > high || cells.some(isNumberOfOther)) return undefined;
  const isRound = others.every((number, index) => number === ((first + index) % high) + 1);
  if (isRound) return numbers.map((number) => (number < first ? number + high : number));
  // in an order of its own, such as that of the alphabet, all parts are those of one whole
  return seen.size === high ? numbers : undefined;
}

const LEAP_YEAR = 2000;
/** Days of a year that is written elsewhere, as days of a leap year: `Jan 1`, `15.01.`, `0115`. */
const WITH_YEAR: readonly ((text: string) => string)[] = [
  (text) => `${text} ${LEAP_YEAR}`,
  (text) => text.replace(/^(\d{1,2})([./-])(\d{1,2})\.?( \d{1,2}:\S+)?$/, `$1$2$3$2${LEAP_YEAR}$4`),
  (text) => text.replace(/^(\d{1,2})(\d{2})$/, `$1/$2/${LEAP_YEAR}`),
];
const NAMED_OR_DIGITS = ['names', 'dmy', 'mdy'].map((id) => TIME_FORMATS.find((format) => format.id === id)!);

function datesOf(texts: readonly string[]): readonly number[] | undefined {
  const isLeft = (text: string) => text === '' || namesTotal(text);
  for (const { parse } of NAMED_OR_DIGITS) {
    for (const full of WITH_YEAR) {
      const dates = texts.map((text) => (isLeft(text) ? NaN : parse(full(withoutWeekday(text.trim())))));
      const isRead = texts.every((text, at) => isKnown(dates[at]!) || isLeft(text));
      if (isRead && new Set(dates).size >= FEWEST) return dates;
    }
  }
  return undefined;
}

/** Formats that a header is written in; numbers of any other kind are too likely to be values. */
const FORMATS = TIME_FORMATS.filter(({ id }) => !/epoch|clock|cycle|compact|short|year-week/.test(id));
const HEADERS = [...FORMATS, SERIAL_DAYS];
const FEWEST = 3;

/** The steps of days that a header counts: days, weeks, months, quarters, halves of years or years. */
const COUNTED: readonly (readonly [least: number, most: number])[] = [[1, 1], [7, 7], [28, 31], [90, 92], [181, 184], [365, 366]]; // prettier-ignore

const FEWEST_COUNTED = 6; // as two or three values are a month apart by chance

function areCounted(times: readonly number[], isHeader: boolean): boolean {
  const steps = times.slice(1).map((time, at) => Math.abs(time - times[at]!) / DAY);
  if (!isHeader && times.length < FEWEST_COUNTED) return false;
  // values too count on by one
  return COUNTED.slice(isHeader ? 0 : 1).some(([least, most]) => steps.every((step) => step >= least && step <= most));
}

function isEven(years: readonly number[]): boolean {
  const steps = years.slice(1).map((year, index) => Math.round((year - years[index]!) / (365.25 * DAY)));
  return steps.every((step) => step === steps[0]);
}

/** What programs write around a year: a letter, as their names begin with no digit, or its code: `X1961`, `1990 [YR1990]`. */
const AROUND = /^(?:\p{L}|yr)_?(?=(?:1[89]|20)\d{2}(?!\d))| ?\[[^[\]]*\]$/giu;

/** The times of a header: at least three cells and half of all, rising or falling, in one format, beside cells that are texts. @param isHeader for certain */
export function headerTimes(cells: readonly string[], isHeader = false, formats = HEADERS): HeaderTimes | undefined {
  const texts = cells.map((cell) => startOfSpan(cell.trim().replace(AROUND, '')));
  return timesOf(texts, isHeader, formats) ?? timesOf(texts, isHeader, plainFormats(formats, texts));
}

function timesOf(texts: readonly string[], isHeader: boolean, formats: readonly TimeFormat[]): HeaderTimes | undefined {
  let best: HeaderTimes | undefined;
  let most = Math.max(FEWEST, texts.length / 2) - 1;
  for (const { id, parse, period } of formats) {
    const at = texts.map((text) => parse(text));
    const times = known(at);
    if (times.length <= most || (times.length === texts.length && !isHeader)) continue;
    const isTurned = times[0]! > times.at(-1)!;
    if (!times.every((time, index) => index === 0 || time > times[index - 1]! !== isTurned)) continue;
    if ((id === 'year' && !isEven(times)) || (id === SERIAL_DAYS.id && !areCounted(times, isHeader))) continue;
    if (!texts.every((text, index) => !Number.isNaN(at[index]!) || isLabel(text))) continue;
    most = times.length;
    best = { part: 'time', at, timeKind: period === true || id === 'names' ? 'period' : 'date' };
  }
  return best;
}

function isLabel(text: string): boolean {
  return isMissing(text) || (/\p{L}/u.test(text) && TIME_FORMATS.every(({ parse }) => Number.isNaN(parse(text))));
}

/** The numbers of names that count on by one behind the same word, for each word, the most first. @param pattern with a group for each of the two */
function numbered(names: readonly string[], pattern: RegExp): readonly (readonly number[])[] {
  const parts = names.map((name) => pattern.exec(name));
  const words = parts.map((part) => part?.[1]!.toLowerCase());
  const numbers = parts.map((part) => Number(part?.[2] ?? NaN));
  const isCounted = (own: readonly number[]) => own.every((at, index) => numbers[at] === numbers[own[0]!]! + index);
  const blocks = [...Map.groupBy(names.keys(), (at) => words[at]).values()]
    .filter((own) => own.length >= FEWEST_STEPS && isCounted(own))
    .sort((a, b) => b.length - a.length);
  return blocks.map(([first]) => numbers.map((number, at) => (words[at] === words[first!] ? number : NaN)));
}

const FEWEST_STEPS = 5;

/** Steps that names count: half of all, in one block or in long ones beside each other. */
function stepsOf(names: readonly string[]): readonly (readonly number[])[] {
  const counted = numbered(names, /^(\p{L}[\p{L}_ .-]{0,20}?)[_ .-]?(\d{1,6})$/u);
  const all = counted.length > 0 ? counted : [countedColumns(names) ?? []];
  const blocks = all.filter((steps, at) => at === 0 || known(steps).length >= FEWEST_ACROSS);
  const many = blocks.reduce((sum, steps) => sum + known(steps).length, 0);
  if (many < Math.max(FEWEST_STEPS, names.length / 2)) return [];
  const firsts = blocks.map((steps) => steps.find(isKnown)!);
  return blocks.map((steps, at) => steps.map((step) => step - firsts[at]!));
}

const FEWEST_ACROSS = 12; // a few numbers in order are values by chance

/** Numbers alone that count the columns of a header from the first on, beside words. */
export function countedColumns(cells: readonly string[]): readonly number[] | undefined {
  const [numbers] = numbered(cells, /^(\s*)(\d{1,6})\s*$/);
  const own = known(numbers ?? []);
  const isCounted = own.length >= FEWEST_ACROSS && own.length < cells.length && own[0]! <= 1;
  return isCounted && cells.every((cell, index) => isKnown(numbers![index]!) || isLabel(cell)) ? numbers : undefined;
}

const CLOCK = TIME_FORMATS.find(({ id }) => id === 'clock')!;
const NUMBERED =
  /^(h|he|hr|hour|hour[_ ]?ending|hh|half[_ -]?hour|sp|settlement[_ ]?period|period|slot|interval|stunde|hora|heure|uur)[_ -]?0?(\d{1,2})$/i;
export const PARTS_OF_DAY: readonly number[] = [24, 48, 96, 288];

/** Milliseconds since midnight of columns that are all parts of a day, as meters write one to each row: `00:30`, `H01`. */
export function hoursOfNames(names: readonly string[]): readonly number[] | undefined {
  const texts = names.map((name) => name.trim());
  return fromClocks(texts) ?? fromNumbers(texts);
}

function fromClocks(texts: readonly string[]): readonly number[] | undefined {
  const times = texts.map((text) => (text.length < 3 ? NaN : CLOCK.parse(text)));
  const own = known(times);
  const step = DAY / own.length;
  const [first] = own;
  if (own.length < FEWEST_ACROSS || (first !== 0 && first !== step)) return undefined;
  if (!own.every((time, part) => time % DAY === (first + part * step) % DAY)) return undefined;
  const last = times.findLastIndex((time) => !Number.isNaN(time));
  return first === 0 ? times : times.map((time, index) => (index === last ? DAY : time));
}

function fromNumbers(texts: readonly string[]): readonly number[] | undefined {
  const numbers = numbered(texts, NUMBERED)[0] ?? countedColumns(texts);
  const own = known(numbers ?? []);
  const count = own.length;
  if (!numbers || !PARTS_OF_DAY.includes(count) || own[0]! > 1) return undefined;
  if (count < texts.length / 2 || count === texts.length) return undefined;
  return numbers.map((number) => ((number - own[0]!) * DAY) / count);
}

const CALENDAR = /^(?:iso|mmwr|epi|calendar|cal|fiscal|fy)[_ ]?(?=\w)|[_ ](?:num|no|nr|number)$/gi;

export function isCalled(name: string, part: Part): boolean {
  const own = name.trim().replace(CALENDAR, '');
  return NAMES[part].test(own) || partOfWord(own) === part;
}

/** Rows of totals among parts, in any language: at most one to two, as where each pair is summed up. */
export const MOST_OTHERS = 1 / 3;

/** The numbers of a part in a column whose cells are nearly all of it, or say nothing. */
export function partNumbers(column: Column, part: Part): Float64Array | undefined {
  const { numbers, texts, filled, times } = column;
  const clock = part === 'slot' ? times.find(({ format }) => format.id === 'clock')?.reading : undefined;
  if (clock?.badCount === 0) return clock.values.all();
  if (filled === 0 || (numbers?.whole ? !isClean(numbers) : !texts && part !== 'date')) return undefined;
  const { codes, names } = codesOf(column);
  const parts = part === 'date' ? datesOf(names) : names.map((name) => numberOf(name, part));
  if (!parts) return undefined;
  const isOther = (code: number) => parts[code] === Infinity;
  if (codes.filter(isOther).length > codes.length * MOST_OTHERS) return undefined;
  const own = codes.map((code) => (isOther(code) ? NaN : parts[code]!));
  if (part === 'minute' && !isRising(own) && highestOf(own) - lowestOf(own) < LEAST_MINUTES) return undefined;
  return part === 'slot' ? inDay(own) : own;
}

/** Milliseconds since midnight of numbered parts of each day. A day with an hour more has its last parts on the next one. */
function inDay(slots: Float64Array): Float64Array | undefined {
  const most = highestOf(slots);
  const parts = PARTS_OF_DAY.find((each) => most >= each - each / 24 && most <= each + each / 24);
  return slots.includes(1) && parts !== undefined ? slots.map((slot) => ((slot - 1) * DAY) / parts) : undefined;
}

/** The minutes of several hours are so far apart at least, but where they are the same; minima are less. */
const LEAST_MINUTES = 30;
export const lowestOf = (numbers: Float64Array): number =>
  numbers.reduce((least, each) => (each < least ? each : least), Infinity);
export const highestOf = (numbers: Float64Array): number =>
  numbers.reduce((most, each) => (each > most ? each : most), 0);

export const isClean = ({ bad, badCount }: { readonly bad: readonly BadCell[]; readonly badCount: number }): boolean =>
  badCount === bad.length && bad.every(({ text }) => namesTotal(text));

const FEWEST_WORDS = 3;
const LEAST_PLAIN = 52;

/**
 * The numbers of a part that the cells of a column say by themselves: words, a letter before all parts there are, all clocks of
 * a day, or plain numbers: all weeks or days of a year, as fewer are numbers of anything, unless the column is called a time.
 * @param isAlone whether the rows have nothing but this part of the time
 */
export function evidentPart(column: Column, part: Part, isAlone: boolean): Float64Array | undefined {
  const { texts, numbers, samples, name } = column;
  const { high, least = Infinity } = PARTS[part];
  const isOther = texts ? texts.numbers.size > 2 * high : numbers?.values.some((each) => each > high);
  const own = isOther ? undefined : partNumbers(column, part);
  if (!own) return undefined;
  const many = new Set(own.filter(isKnown)).size;
  if (part === 'slot' && column.times.length > 0) return many > 0 ? own : undefined;
  const areWritten = (pattern: RegExp) => samples.every((text) => pattern.test(text));
  if (areWritten(/^\d+$/)) {
    const isLikely = isAlone ? part === 'month' : least >= LEAST_PLAIN || isCalledTime(name, part);
    return isLikely && many >= least ? own : undefined;
  }
  // T1 and K1 are teams and classes as often as quarters
  const areWords = areWritten(part === 'date' ? /\p{L}/u : /^\D+$/);
  return texts && many >= (areWords ? FEWEST_WORDS : least) && !areWritten(/^[TK]\d/i) ? own : undefined;
}

export const isCalledTime = (name: string, part: Part): boolean =>
  isTimeName(name) || isCalled(name.split(/[ _]/).at(-1)!, part) || (part === 'date' && isTimeWord(name));

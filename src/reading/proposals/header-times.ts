import { DAY, HOUR, MINUTE } from '../../calendar/civil.ts';
import type { TimeKind } from '../types.ts';
import { TIME_FORMATS } from '../values/dates.ts';
import { monthOfName } from '../values/months.ts';
import { isMissing } from '../values/numbers.ts';
import { weekdayOf } from '../values/weekdays.ts';

/** Times that stand in a header, over columns of plain numbers. */
export interface HeaderTimes {
  /**
   * Whole times, a part of the time of each row (a month of its year, a day of its month or its week, an hour of its day),
   * or only their order.
   */
  readonly kind: 'times' | 'months' | 'hours' | 'days' | 'weekdays' | 'steps';
  /**
   * For each cell, `NaN` for those that say nothing: epoch milliseconds, the month from 1, milliseconds since midnight, the
   * day or the step from 0, the day of the week from 0 for Monday, counted on from the first.
   */
  readonly at: readonly number[];
  readonly timeKind: TimeKind;
}

const known = (at: readonly number[]): readonly number[] => at.filter((each) => !Number.isNaN(each));

/** All that a header can be read as. @param year that is written above the table */
export function namesAcross(names: readonly string[], year?: number): readonly HeaderTimes[] {
  const cells = names.map((name) => name.trim());
  const parts = [
    { kind: 'months', timeKind: 'period', at: monthsOf(cells) },
    { kind: 'hours', timeKind: 'instant', at: hoursOfNames(cells) },
    { kind: 'days', timeKind: 'date', at: daysOf(cells) },
    { kind: 'weekdays', timeKind: 'date', at: weekdaysOf(cells) },
    { kind: 'steps', timeKind: 'row', at: stepsOf(cells) },
  ] as const;
  const ofYear = year === undefined ? [] : WITH_YEAR.map((full) => cells.map((cell) => full(cell, year)));
  const whole = [cells, ...ofYear].map(headerTimes).find((each) => each !== undefined);
  return [whole, ...parts.map(({ at, ...part }) => at && { ...part, at })].filter((each) => each !== undefined);
}

/** A day or month without a year, written with it. */
export const WITH_YEAR: readonly ((text: string, year: number) => string)[] = [
  (text, year) => `${text} ${year}`,
  (text, year) => text.replace(/^(\d{1,2})([./-])(\d{1,2})\.?( \d{1,2}:\S+)?$/, `$1$2$3$2${year}$4`),
  (text, year) => text.replace(/^(\d{1,2})(\d{2})$/, `$1/$2/${year}`),
];

/** Formats that a header is written in; numbers of any other kind are too likely to be values. */
const FORMATS = TIME_FORMATS.filter(({ id }) => !/epoch|clock|cycle|compact|year-week|dotted/.test(id));
const FEWEST = 3;

/** Whether years stand at equal distances, as columns do and values do not. */
function isEven(years: readonly number[]): boolean {
  const steps = years.slice(1).map((year, index) => Math.round((year - years[index]!) / (365.25 * DAY)));
  return steps.every((step) => step === steps[0]);
}

/**
 * The times of a header: at least three cells and half of all, rising, in one format, beside cells that are texts.
 * `undefined` for any other row.
 */
export function headerTimes(cells: readonly string[]): HeaderTimes | undefined {
  const texts = cells.map((cell) => cell.trim());
  let best: HeaderTimes | undefined;
  let most = Math.max(FEWEST, texts.length / 2) - 1;
  for (const { id, parse, period } of FORMATS) {
    const at = texts.map((text) => parse(text));
    const times = known(at);
    if (times.length <= most || times.length === texts.length) continue;
    if (!times.every((time, index) => index === 0 || time > times[index - 1]!)) continue;
    if (id === 'year' && !isEven(times)) continue;
    if (!texts.every((text, index) => !Number.isNaN(at[index]!) || isLabel(text))) continue;
    most = times.length;
    best = { kind: 'times', at, timeKind: period === true || id === 'names' ? 'period' : 'date' };
  }
  return best;
}

/** Words or nothing, neither a number nor a time. */
function isLabel(text: string): boolean {
  return isMissing(text) || (/\p{L}/u.test(text) && TIME_FORMATS.every(({ parse }) => Number.isNaN(parse(text))));
}

/** Months or quarters of a year, each once. */
function monthsOf(names: readonly string[]): readonly number[] | undefined {
  const quarters = names.map((name) => Number(/^[QTK]([1-4])$/i.exec(name)?.[1] ?? NaN) * 3 - 2);
  if (known(quarters).length === 4) return quarters;
  const all = names.map(monthOfCell);
  const months = all.map((month, index) => (all.indexOf(month) === index ? month : NaN));
  return known(months).length === 12 ? months : undefined;
}

/** A month by its name, as `M01` and `P07`, or as it is counted in East Asia; `NaN` for anything else. */
export function monthOfCell(text: string): number {
  const [, coded, counted] = /^(?:[MP](\d{1,2})|(\d{1,2})\s?[月월])$/iu.exec(text) ?? [];
  const month = Number(coded ?? counted ?? NaN);
  if (month >= 1 && month <= 12) return month;
  return /^\p{L}{3,}\.?$/u.test(text) ? (monthOfName(text) ?? NaN) : NaN;
}

/**
 * The numbers of names that are numbered one after the other, alone or behind the same word; `NaN` for the names beside
 * them. @param pattern with a group for the word and one for the number
 */
function numbered(names: readonly string[], pattern: RegExp): readonly number[] | undefined {
  const parts = names.map((name) => pattern.exec(name));
  const wordOf = (part: RegExpExecArray | null) => (part?.[1] as string | undefined)?.toLowerCase();
  const word = wordOf(parts.findLast((part) => part !== null) ?? null);
  const numbers = parts.map((part) => (wordOf(part) === word ? Number(part?.[2] ?? NaN) : NaN));
  const own = known(numbers);
  return own.length > 0 && own.every((each, index) => each === own[0]! + index) ? numbers : undefined;
}

/** The days of a month, 1 to 28 or more. */
function daysOf(names: readonly string[]): readonly number[] | undefined {
  const days = numbered(names, /^()(\d{1,2})\.?$/);
  const own = known(days ?? []);
  const areDays = own.length >= 28 && own.length <= 31 && own.length < names.length && own[0] === 1;
  return areDays ? days?.map((day) => day - 1) : undefined;
}

/** A week of work has as many days. */
const FEWEST_WEEKDAYS = 5;

/** The days of a week, one after the other. */
function weekdaysOf(names: readonly string[]): readonly number[] | undefined {
  const named = names.map(weekdayOf);
  const first = named.find((day) => day !== undefined) ?? 0;
  const days = named.map((day) => (day === undefined ? NaN : first + ((day - first + 7) % 7)));
  const own = known(days);
  const areInOrder = own.every((day, index) => day === own[0]! + index);
  return areInOrder && own.length >= FEWEST_WEEKDAYS && own.length <= 7 ? days : undefined;
}

/** Fewer numbered columns are measures rather than steps. */
const FEWEST_STEPS = 5;

/** `d_1 … d_1913`, `Week 1 …`: one word and numbers one after the other, in most columns. */
function stepsOf(names: readonly string[]): readonly number[] | undefined {
  const steps = numbered(names, /^(\p{L}[\p{L}_ .-]{0,20}?)[_ .-]?(\d{1,6})$/u);
  const own = known(steps ?? []);
  return own.length < Math.max(FEWEST_STEPS, names.length / 2) ? undefined : steps?.map((step) => step - own[0]!);
}

const CLOCK = /^(\d{1,2})[:h](\d{2})(?::00)?(?:\s?(?:-|–|to|bis)\s?\d{1,2}[:h]\d{2}(?::00)?)?$/i;
const NUMBERED =
  /^(h|he|hr|hour|hour[_ ]?ending|hh|half[_ -]?hour|sp|settlement[_ ]?period|period|slot|interval|stunde|hora|heure|uur)?[_ -]?0?(\d{1,2})$/i;
/** Hours, half hours, quarters of an hour and five minutes of a day, where they are only numbered. */
export const PARTS_OF_DAY: readonly number[] = [24, 48, 96, 288];
const FEWEST_HOURS = 12;

/**
 * The time of day of columns that are all parts of a day, as meters and markets write a day to each row: `00:00`, `00:30`,
 * … or `H01` to `H24`, in milliseconds since midnight; `NaN` for the columns beside them. Clocks from the end of the first
 * part to midnight are left as they say. `undefined` where columns are no such parts.
 */
export function hoursOfNames(names: readonly string[]): readonly number[] | undefined {
  const texts = names.map((name) => name.trim());
  return fromClocks(texts) ?? fromNumbers(texts);
}

function fromClocks(texts: readonly string[]): readonly number[] | undefined {
  const times = texts.map((text) => {
    const [, hour, minute] = CLOCK.exec(text) ?? [];
    return hour === undefined || Number(hour) > 24 ? NaN : Number(hour) * HOUR + Number(minute) * MINUTE;
  });
  const own = known(times);
  const step = DAY / own.length;
  const [first] = own;
  if (own.length < FEWEST_HOURS || (first !== 0 && first !== step)) return undefined;
  if (!own.every((time, part) => time % DAY === (first + part * step) % DAY)) return undefined;
  const last = times.findLastIndex((time) => !Number.isNaN(time));
  return first === 0 ? times : times.map((time, index) => (index === last ? DAY : time));
}

function fromNumbers(texts: readonly string[]): readonly number[] | undefined {
  const numbers = numbered(texts, NUMBERED);
  const parts = texts.map((text) => NUMBERED.exec(text));
  const own = known(numbers ?? []);
  const count = parts.filter((each) => each !== null).length;
  if (!numbers || own.length !== count || !PARTS_OF_DAY.includes(count) || own[0]! > 1) return undefined;
  if (count < texts.length / 2 || count === texts.length) return undefined;
  // numbers alone are the head of a table only beside words: a first row may count too
  const isAlone = parts.some((part) => part !== null && part[1] === undefined);
  if (isAlone && !texts.every((text, index) => parts[index] !== null || /^\p{L}/u.test(text))) return undefined;
  return numbers.map((number) => ((number - own[0]!) * DAY) / count);
}

import {
  bareTime,
  MIXED_PERIODS,
  DOTTED_CLOCK,
  TIME_FORMATS,
  areAllHours,
  areFewYears,
  areNumberedWords,
  plainFormats,
  grainOf,
  type TimeFormat,
} from '../values/dates.ts';
import type { WrittenZone } from '../../calendar/timestamp.ts';
import {
  isMissing,
  isTooLong,
  groupSign,
  revived,
  currencyIn,
  parseNumber,
  type Decimal,
  areMarked,
  commonUnit,
  sideOf,
  withoutMark,
  withoutUnit,
} from '../values/numbers.ts';
import { said } from '../phrase.ts';
import { isWeekName } from './names.ts';
import { WrittenZones } from './zones.ts';
import type { Choice, TimeKind } from '../types.ts';
import type { Zone } from '../../calendar/zone.ts';

const SAMPLE = 500;
const LONGEST_SAMPLE = 120;
const LEAST_SHARE = 0.5;
const ALL_BUT_FEW = 0.95;
const MOST_TEXTS = 200_000; // a column of texts with more different ones than this names no series

/** Codes of currencies that have a sign of their own, which other cells of the column may have instead. */
const SIGNS: Readonly<Record<string, string>> = { EUR: '€', GBP: '£', INR: '₹', PLN: 'zł' };

export type Cell = string | number;

export type TimeReading = ReturnType<typeof timeReading>;

interface Texts {
  readonly codes: Floats;
  readonly numbers: Map<string, number>;
}

/** Reads a column cell by cell in every way that its first cells allow, and keeps only numbers: no file is in memory as text. */
export class Column {
  readonly name: string;
  rows = 0;
  filled = 0;
  readonly samples: string[] = [];
  reader: NumberReader | undefined;
  numbers: Numbers | undefined;
  times: TimeReading[] = [];
  texts: Texts | undefined;
  /** Whether it has whole numbers that are too long for a double: more often ids than values. */
  isLong = false;
  grains: Floats | undefined;
  /** The currency of each of its amounts, where there are several, which must not be added up. */
  currencies: Column | undefined;
  #waiting: (readonly [row: number, cell: Cell])[] = [];
  #settled = false;
  #spans = false;
  #unit: string | undefined;
  readonly #currencyNames = new Map<string, string>();

  constructor(name: string) {
    this.name = name;
  }

  put(row: number, cell: Cell): void {
    if (cell === '') return;
    const value = typeof cell === 'string' ? withoutQuotes(cell.trim()) : cell;
    const missing = typeof value === 'string' && isMissing(value);
    if (!missing) this.filled++;
    if (this.#settled) this.#take(row, value);
    else {
      this.#waiting.push([row, value]);
      if (!missing && this.filled >= SAMPLE) this.#settle();
    }
  }

  finish(rows: number): void {
    this.#settle();
    this.#skipTo(rows);
    this.currencies?.finish(rows);
    const known = [...(this.currencies?.texts?.numbers.keys() ?? [])].filter((text) => text !== '');
    if (known.length < 2) this.currencies = undefined;
  }

  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    const cells = this.#waiting.map(([, cell]) => cell).filter((cell) => typeof cell === 'number' || !isMissing(cell));
    const texts = cells.map(String);
    this.samples.push(...texts.slice(0, 20).map((text) => text.slice(0, LONGEST_SAMPLE)));
    const least = Math.max(1, cells.length * LEAST_SHARE);
    this.#spans = texts.filter((text) => bareTime(text) !== text).length >= least;
    this.#settleTimes(texts, least);
    const numbers = new NumberReader();
    for (const cell of cells) numbers.take(cell);
    const isOther = numbers.parsed - (numbers.marks?.count ?? 0) < least && this.times.length === 0;
    if (isOther) this.#unit = commonUnit(texts);
    const hasSigns = this.#unit !== undefined || (isOther && areMarked(texts));
    const isMeasured = areMeasured(numbers, cells.length, least) && !areCurrencies(texts);
    if (isMeasured || hasSigns) this.reader = new NumberReader();
    this.isLong = texts.some(isTooLong);
    if (this.reader && texts.some(currencyIn)) this.currencies = new Column(said`Currency of ${this.name}`.message);
    const codes = this.isLong || hasSigns || texts.some((text) => /^0\d/.test(text));
    const isNoTime = this.times.every(({ format }) => this.isLong && format.digits);
    if (isNoTime && (!this.reader || codes)) this.texts = { codes: new Floats(), numbers: new Map() };
    for (const [row, cell] of this.#waiting) this.#take(row, cell);
    this.#waiting = [];
  }

  #settleTimes(texts: string[], least: number): void {
    // no time has so few digits alone, and wide tables have thousands of such columns
    if (texts.every((text) => text.length < 4 && !/\D/.test(text)) || areNumberedWords(texts)) return;
    const formats = [...TIME_FORMATS, DOTTED_CLOCK].filter(({ id, parse }) => {
      if (id === 'clock') return areAllHours(texts);
      if (id === 'dotted-clock') return texts.every((text) => !Number.isNaN(parse(text)));
      return id === 'year-week' ? isWeekName(this.name) : id !== 'season' || !areFewYears(texts);
    });
    const [enough, own] = [texts.length * ALL_BUT_FEW, this.#mostRead(formats, texts)];
    // once a column, as it takes ten times as long as to read a usual time
    const others = own.most >= enough ? [] : [[MIXED_PERIODS], plainFormats(formats, texts)];
    const best = others.map((each) => this.#mostRead(each, texts)).find(({ most }) => most >= enough) ?? own;
    if (best.most >= least) this.times = best.formats.map(timeReading);
    if (best.formats.includes(MIXED_PERIODS)) this.grains = new Floats();
  }

  #mostRead(formats: readonly TimeFormat[], texts: string[]) {
    const counts = formats.map((format) => texts.filter((text) => !Number.isNaN(this.#timeOf(text, format))).length);
    const most = Math.max(0, ...counts);
    return { most, formats: formats.filter((_, at) => counts[at] === most) };
  }

  #timeOf(text: string, format: TimeFormat, zone?: WrittenZone): number {
    return format.parse(this.#spans ? bareTime(text, [format]) : text, zone);
  }

  #skipTo(row: number): void {
    const count = row - this.rows;
    this.rows = row;
    if (count === 0) return;
    this.reader?.skip(count);
    this.grains?.fill(grainOf(''), count);
    for (const { reading } of this.times) reading.skip(count);
    if (this.texts) this.texts.codes.fill(codeIn(this.texts.numbers, ''), count);
  }

  #take(row: number, cell: Cell): void {
    if (this.rows < row) this.#skipTo(row);
    this.rows = row + 1;
    this.reader?.take(typeof cell === 'string' && this.#unit !== undefined ? withoutUnit(cell, this.#unit) : cell);
    this.currencies?.put(row, this.#currencyOf(String(cell)));
    if (this.times.length > 0 || this.texts) this.#takeText(String(cell));
  }

  /** As the first of its cells writes it. */
  #currencyOf(text: string): string {
    const written = currencyIn(text) ?? '';
    const known = SIGNS[written] ?? written;
    const name = this.#currencyNames.get(known) ?? written;
    this.#currencyNames.set(known, name);
    return name;
  }

  #takeText(text: string): void {
    this.grains?.push(grainOf(text));
    for (const { format, reading, zones } of this.times) {
      const time = this.#timeOf(text, format, zones.cell);
      if (!Number.isNaN(time)) {
        zones.take(reading.values.length);
        reading.values.push(time);
      } else if (isMissing(text)) reading.skip();
      else reading.fail(text);
    }
    if (!this.texts) return;
    this.texts.codes.push(codeIn(this.texts.numbers, revived(text)));
    if (this.texts.numbers.size > MOST_TEXTS) this.texts = undefined;
  }
}

export function codeIn<T>(known: Map<T, number>, value: T): number {
  let code = known.get(value);
  if (code === undefined) known.set(value, (code = known.size));
  return code;
}

export function codesOf(column: Column): { readonly codes: Float64Array; readonly names: readonly string[] } {
  if (column.texts) return { codes: column.texts.codes.all(), names: [...column.texts.numbers.keys()] };
  const values = column.numbers?.values ?? new Float64Array(column.rows).fill(NaN);
  const known = new Map<number, number>();
  const codes = values.map((value) => codeIn(known, value));
  return { codes, names: [...known.keys()].map((value) => (Number.isNaN(value) ? '' : String(value))) };
}

/** Whether enough cells are numbers; limits such as `<1` only beside numbers, as `<18`, `18–65` and `>65` are classes. */
function areMeasured({ parsed, limits, marks }: NumberReader, cells: number, least: number): boolean {
  const plain = parsed - (limits?.count ?? 0) - (marks?.count ?? 0);
  return plain >= least || cells === 0 || (plain > cells - parsed && parsed >= cells * ALL_BUT_FEW);
}

/** Whether cells are currencies and what a price is for, such as EUR1 and JPY100: the same number for each of them. */
function areCurrencies(cells: readonly string[]): boolean {
  const currencies = cells.map((cell) => (/^[A-Z]{3}\d+$/.test(cell) ? currencyIn(cell) : undefined));
  const many = new Set(currencies).size;
  return many > 0 && !currencies.includes(undefined) && 2 * many <= cells.length && new Set(cells).size === many;
}

/** Quotation marks are left where a blank stands before them, or where they are single ones. */
export function withoutQuotes(text: string): string {
  const first = text.charCodeAt(0);
  if ((first !== 34 && first !== 39) || text.length < 2 || text.charCodeAt(text.length - 1) !== first) return text;
  return text.slice(1, -1).trim();
}

function timeReading(format: TimeFormat) {
  const reading = new Reading();
  const zones = new WrittenZones();
  return { format, reading, zones, parsed: () => reading.values.length - reading.badCount };
}

const FIRST = 64;

export class Floats {
  #room = new Float64Array(FIRST);
  #used = 0;

  get length(): number {
    return this.#used;
  }

  push(value: number): void {
    if (this.#used === this.#room.length) this.#resize(2 * this.#used);
    this.#room[this.#used++] = value;
  }

  fill(value: number, count: number): void {
    const end = this.#used + count;
    if (end > this.#room.length) this.#resize(Math.max(end, 2 * this.#used));
    this.#room.fill(value, this.#used, end);
    this.#used = end;
  }

  /** Frees the old memory at once: of millions of rows it would stand beside the new one until it is collected. */
  #resize(length: number): void {
    this.#room = new Float64Array(this.#room.buffer.transfer(8 * length));
  }

  copy(): Floats {
    const copy = new Floats();
    copy.#room = this.#room.slice();
    copy.#used = this.#used;
    return copy;
  }

  all(): Float64Array {
    if (this.#room.length > this.#used) this.#resize(this.#used);
    return this.#room;
  }
}

export interface BadCell {
  readonly row: number;
  readonly text: string;
}

const MOST_BAD_CELLS = 1000;
const LONGEST_QUOTE = 60;

class Reading {
  readonly values: Floats;
  readonly bad: BadCell[];
  badCount: number;

  constructor(from?: Reading) {
    this.values = from?.values.copy() ?? new Floats();
    this.bad = [...(from?.bad ?? [])];
    this.badCount = from?.badCount ?? 0;
  }

  take(value: number, text: string): void {
    if (Number.isNaN(value)) this.fail(text);
    else this.values.push(value);
  }

  skip(count = 1): void {
    this.values.fill(NaN, count);
  }

  fail(text: string): void {
    this.badCount++;
    if (this.bad.length < MOST_BAD_CELLS) {
      const quote = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
      this.bad.push({ row: this.values.length, text: quote });
    }
    this.values.push(NaN);
  }
}

export interface Numbers extends Pick<NumberReader, 'parsed' | 'whole' | 'limits' | 'marks' | 'debits' | 'credits'> {
  readonly values: Float64Array;
  readonly bad: readonly BadCell[];
  readonly badCount: number;
  /** Cells with a word that comes again among numbers, as files write what was not measured: `M`, `Offline`, `BDL`. */
  readonly words: readonly BadCell[];
  readonly decimal: Decimal;
  readonly group: string | undefined;
  readonly isOpen: boolean;
}

interface Special {
  readonly row: number;
  readonly text: string;
  count: number;
}

const HOPELESS = 50;
const FEWEST_WORDS = 3; // a slip of the pen is there once, or twice

/** Reads a column with both decimal signs at once; the second reading begins at the first cell in which the two differ. */
export class NumberReader {
  #dot: Reading | undefined = new Reading();
  #comma: Reading | undefined;
  #differ = false;
  #ambiguous = { ',': 0, '.': 0 };
  /** Whether there are whole numbers of four digits or more without a sign between groups: they speak against groups. */
  #hasUngrouped = false;
  /** Whether shorter whole numbers or money, which has no three decimals, speak for groups in cells such as 1,234. */
  #hasGrouped = false;
  #group: string | undefined;
  parsed = 0;
  whole = true;
  limits: Special | undefined;
  /** Numbers with a mark behind them that says how they were found. */
  marks: Special | undefined;
  readonly debits = new Set<number>();
  readonly credits = new Set<number>();

  take(cell: string | number): void {
    if (typeof cell === 'number') {
      const value = Number.isFinite(cell) ? cell : NaN;
      this.#push(value, value, Number.isNaN(value) ? String(cell) : '');
    } else if (isPlain(cell, this.#differ && !this.#comma)) {
      const value = Number(cell);
      if (Math.abs(value) >= 1000) this.#hasUngrouped = true;
      else if (cell !== '0') this.#hasGrouped = true;
      this.#push(value, value, '');
    } else if (isMissing(cell)) this.skip();
    else this.#takeWritten(cell);
  }

  skip(count = 1): void {
    this.#dot?.skip(count);
    this.#comma?.skip(count);
  }

  #push(dot: number, comma: number, text: string): void {
    const value = Number.isNaN(dot) ? comma : dot;
    if (!Number.isNaN(value)) {
      this.parsed++;
      this.whole &&= Number.isInteger(value);
    }
    this.#dot?.take(dot, text);
    this.#comma?.take(comma, text);
  }

  #takeWritten(text: string): void {
    const sign = /^[<>≤≥]?/.exec(text)![0];
    const written = text.slice(sign.length).trimStart();
    const body = withoutMark(written);
    const scale = sign === '<' || sign === '≤' ? 0.5 : 1;
    const read = (decimal: Decimal, reading: Reading | undefined) =>
      reading === undefined && this.#differ ? NaN : parseNumber(body, decimal) * scale;
    const [dot, comma] = [read('.', this.#dot), read(',', this.#comma)];
    if (!this.#differ && !Object.is(dot, comma)) {
      this.#differ = true;
      this.#comma = new Reading(this.#dot);
    }
    if (!Number.isNaN(dot) || !Number.isNaN(comma)) {
      this.#compare(text, dot, comma);
      const here = { row: (this.#dot ?? this.#comma!).values.length, text, count: 0 };
      if (sign !== '') (this.limits ??= { ...here }).count++;
      if (body !== written) (this.marks ??= { ...here }).count++;
      const side = sideOf(written);
      if (side) this[side].add(here.row);
    }
    this.#push(dot, comma, text);
    if (!this.#dot || !this.#comma || Math.abs(this.#dot.badCount - this.#comma.badCount) < HOPELESS) return;
    if (this.#dot.badCount > this.#comma.badCount) this.#dot = undefined;
    else this.#comma = undefined;
  }

  #compare(text: string, dot: number, comma: number): void {
    const isDot = !Number.isNaN(dot);
    if (isDot && !Number.isNaN(comma) && dot !== comma) {
      this.#ambiguous[text.includes(',') ? ',' : '.']++;
      if (currencyIn(text) !== undefined) this.#hasGrouped = true;
    }
    if (this.#group === undefined && Number(text) !== dot) this.#group = groupSign(text, isDot ? '.' : ',');
  }

  /** The decimal sign; `certain`: cells allow only this one; `any`: no cell tells; `open`: all allow both, as other numbers. */
  verdict(): { readonly decimal: Decimal; readonly evidence: 'certain' | 'any' | 'open' } {
    if (!this.#differ) return { decimal: '.', evidence: 'any' };
    if (!this.#comma || !this.#dot) return { decimal: this.#dot ? '.' : ',', evidence: 'certain' };
    const difference = this.#dot.badCount - this.#comma.badCount;
    if (difference !== 0) return { decimal: difference < 0 ? '.' : ',', evidence: 'certain' };
    const sign = this.#ambiguous[','] >= this.#ambiguous['.'] ? ',' : '.';
    if (this.#ambiguous[sign] === 0) return { decimal: '.', evidence: 'any' };
    // 1,234 beside 1500: the sign cannot stand between groups, so it is the decimal sign.
    if (this.#hasUngrouped) return { decimal: sign, evidence: 'certain' };
    return { decimal: sign === ',' ? '.' : ',', evidence: this.#hasGrouped ? 'certain' : 'open' };
  }

  /** @param known the sign of the layout or of another column @param guess what to read where the cells allow both */
  settled(known: Decimal | undefined, guess: (own: Decimal) => [sign: Decimal, isOpen: boolean]): Numbers {
    const { decimal: own, evidence } = this.verdict();
    if (evidence === 'certain') return this.in(own);
    if (evidence === 'any' || known !== undefined) return this.in(known ?? own);
    return this.in(...guess(own));
  }

  in(decimal: Decimal, isOpen = false): Numbers {
    const wanted = this.#differ && decimal === ',' ? this.#comma : this.#dot;
    const { values, bad: all, badCount } = wanted ?? this.#dot ?? this.#comma ?? new Reading();
    const counts = Map.groupBy(all, ({ text }) => text);
    const isWord = ({ text }: BadCell) => !/\d/.test(text) && counts.get(text)!.length >= FEWEST_WORDS;
    const [words, bad] = [all.filter(isWord), all.filter((cell) => !isWord(cell))];
    const { parsed, whole, limits, marks, debits, credits } = this;
    const group = this.#group === decimal ? undefined : this.#group;
    const kept = { parsed, whole, limits, marks, debits, credits };
    return { ...kept, values: values.all(), bad, badCount: badCount - words.length, words, decimal, group, isOpen };
  }
}

const LONGEST_PLAIN = 30;

function isPlain(text: string, mayHavePoint: boolean): boolean {
  let isPointFree = mayHavePoint;
  const first = text.charCodeAt(0) === 45 ? 1 : 0;
  if (text.length === first || text.length > LONGEST_PLAIN) return false;
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 46 && isPointFree && text.length > first + 1) isPointFree = false;
    else if (code < 48 || code > 57) return false;
  }
  return true;
}

const LEAST_NUMBERS = 0.6;

export const isNumeric = ({ numbers, filled }: Column): boolean =>
  numbers !== undefined && filled > 0 && numbers.parsed >= filled * LEAST_NUMBERS;

export function isConstant(values: Float64Array): boolean {
  const first = values.find((value) => !Number.isNaN(value));
  return values.every((value) => Number.isNaN(value) || value === first);
}

export interface TimeAxis {
  readonly times: Float64Array;
  readonly kind: TimeKind;
  readonly columns: readonly string[];
  readonly bad: readonly BadCell[];
  readonly badCount: number;
  readonly format?: string;
  readonly samples: readonly string[];
  readonly clockSamples?: readonly (readonly string[])[];
  readonly choice?: Choice;
  readonly zone?: Zone;
  /** Milliseconds ahead of UTC of rows whose offset is none of the zone; `NaN` for all others, absent where there are none. */
  readonly otherOffsets?: Float64Array;
  /** Where years, quarters and months stand in one column: which each row is, as an index into the names. */
  readonly grains?: Float64Array;
  /** The part of a year or day that only plain numbers speak for, so that another reading is as likely. */
  readonly guess?: string;
}

export const axisOf = (
  columns: readonly Column[],
  kind: TimeKind,
  times: Float64Array,
  more: Partial<TimeAxis> = {},
): TimeAxis => ({ times, kind, columns: columns.map(({ name }) => name), bad: [], badCount: 0, samples: [], ...more });

export const areAll = (times: Float64Array, test: (time: number) => boolean): boolean =>
  times.every((time) => Number.isNaN(time) || test(time));

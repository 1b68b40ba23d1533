import type { WrittenZone } from '../../calendar/clock.ts';
import { revived } from '../values/formulas.ts';
import { Reading } from './cells.ts';
import { bareTime } from '../values/clock-words.ts';
import { MIXED_PERIODS, TIME_FORMATS, areAllHours, areFewYears, grainOf, type TimeFormat } from '../values/dates.ts';
import { Floats } from './floats.ts';
import { isWeekName } from './names.ts';
import { isMissing, isTooLong } from '../values/numbers.ts';
import { NumberReader } from './number-reader.ts';
import { commonUnit, withoutUnit } from '../values/units.ts';
import { WrittenZones } from './zones.ts';

/** Cells that are looked at before it is decided what a column may hold. */
const SAMPLE = 500;
/** Samples are shown to people, and say how times are written. */
const LONGEST_SAMPLE = 120;
/** Share of the sample's cells that must fit for a reading to be tried on the whole column. */
const LEAST_SHARE = 0.5;
/** Periods of several lengths must explain this share of the cells, where one length does not. */
const ALL_BUT_FEW = 0.95;
/** A column of texts with more different ones than this names no series. */
const MOST_TEXTS = 200_000;

export interface TimeReading {
  readonly format: TimeFormat;
  readonly reading: Reading;
  readonly zones: WrittenZones;
  readonly parsed: () => number;
}

/** The different texts of a column, numbered in order of appearance. */
export interface Texts {
  readonly codes: Floats;
  readonly numbers: Map<string, number>;
}

/**
 * Reads one column cell by cell, in every way that its first cells allow, and keeps only numbers: so a file of millions
 * of rows is read once and never held as text.
 */
export class Column {
  readonly name: string;
  /** Rows taken so far. */
  rows = 0;
  /** Cells with something in them. */
  filled = 0;
  /** The first cells that are not missing, as written. */
  readonly samples: string[] = [];
  numbers: NumberReader | undefined;
  times: TimeReading[] = [];
  texts: Texts | undefined;
  /** Whether it has whole numbers that are too long for a double: more often ids than values. */
  isLong = false;
  /** Where years, quarters and months are mixed: which each row is. */
  grains: Floats | undefined;
  #waiting: (string | number)[] = [];
  #waitingFilled = 0;
  #settled = false;
  #spans = false;
  /** What stands behind all numbers. */
  #unit: string | undefined;

  constructor(name: string, missingRows = 0) {
    this.name = name;
    for (let row = 0; row < missingRows; row++) this.push('');
  }

  /** Takes the next row's cell: text as written, or a number that is one already. */
  push(cell: string | number): void {
    this.rows++;
    if (cell === '' && this.#settled) {
      this.#takeMissing();
      return;
    }
    const value = typeof cell === 'string' ? withoutQuotes(cell.trim()) : cell;
    const missing = typeof value === 'string' && isMissing(value);
    if (!missing) this.filled++;
    if (this.#settled) {
      this.#take(value);
      return;
    }
    this.#waiting.push(value);
    if (!missing && ++this.#waitingFilled >= SAMPLE) this.settle();
  }

  /** Decides from the cells so far what the column may hold; called by itself after enough cells, and at the end. */
  settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    const cells = this.#waiting.filter((cell) => typeof cell === 'number' || !isMissing(cell));
    const texts = cells.map(String);
    this.samples.push(...texts.slice(0, 20).map((text) => text.slice(0, LONGEST_SAMPLE)));
    const least = Math.max(1, cells.length * LEAST_SHARE);
    this.#spans = texts.filter((text) => bareTime(text) !== text).length >= least;
    this.#settleTimes(texts, least);
    const numbers = new NumberReader();
    for (const cell of cells) if (typeof cell === 'number') numbers.pushNumber(cell);
    for (const cell of cells) if (typeof cell === 'string') numbers.push(cell);
    if (numbers.parsed < least && this.times.length === 0) this.#unit = commonUnit(texts);
    // classes such as `<18` and `>65` are no numbers
    const plain = numbers.parsed - (numbers.limits?.count ?? 0);
    if (plain >= least || cells.length === 0 || this.#unit !== undefined) this.numbers = new NumberReader();
    this.isLong = texts.some(isTooLong);
    const codes = this.isLong || this.#unit !== undefined || texts.some((text) => /^0\d/.test(text));
    const isNoTime = this.times.every(({ format }) => this.isLong && format.digits);
    if (isNoTime && (!this.numbers || codes)) this.texts = { codes: new Floats(), numbers: new Map() };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const cell of waiting) this.#take(cell);
  }

  /** Takes the formats that read the most cells, where that is enough. */
  #settleTimes(texts: string[], least: number): void {
    // no time has so few digits alone, and wide tables have thousands of such columns
    if (texts.every((text) => text.length < 4 && !/\D/.test(text))) return;
    const formats = TIME_FORMATS.filter(({ id }) => {
      if (id === 'clock') return areAllHours(texts);
      return id === 'year-week' ? isWeekName(this.name) : id !== 'season' || !areFewYears(texts);
    });
    const shares = formats.map((format) => ({ format, parsed: this.#countTimes(format, texts) }));
    const best = shares.reduce((most, { parsed }) => Math.max(most, parsed), 0);
    const taken = shares.filter(({ parsed }) => parsed === best && best >= least);
    this.times = taken.map(({ format }) => timeReading(format));
    const enough = texts.length * ALL_BUT_FEW;
    if (best >= enough || this.#countTimes(MIXED_PERIODS, texts) < enough) return;
    this.times = [timeReading(MIXED_PERIODS)];
    this.grains = new Floats();
  }

  #countTimes(format: TimeFormat, texts: string[]): number {
    let parsed = 0;
    for (const text of texts) if (!Number.isNaN(this.#timeOf(text, format))) parsed++;
    return parsed;
  }

  #timeOf(text: string, format: TimeFormat, zone?: WrittenZone): number {
    return format.parse(this.#spans ? bareTime(text, [format]) : text, zone);
  }

  #takeMissing(): void {
    this.numbers?.pushMissing();
    if (this.texts) this.#takeText('');
    else {
      this.grains?.push(grainOf(''));
      for (const { reading } of this.times) reading.pass(NaN);
    }
  }

  #take(cell: string | number): void {
    if (this.numbers) {
      if (typeof cell === 'number') this.numbers.pushNumber(cell);
      else this.numbers.push(this.#unit === undefined ? cell : withoutUnit(cell, this.#unit));
    }
    if (this.times.length > 0 || this.texts) this.#takeText(String(cell));
  }

  #takeText(text: string): void {
    this.grains?.push(grainOf(text));
    for (const { format, reading, zones } of this.times) {
      const time = this.#timeOf(text, format, zones.cell);
      if (!Number.isNaN(time)) {
        zones.take(reading.values.length);
        reading.pass(time);
      } else if (isMissing(text)) reading.pass(NaN);
      else reading.fail(text);
    }
    if (!this.texts) return;
    const { codes, numbers } = this.texts;
    const name = revived(text);
    let code = numbers.get(name);
    if (code === undefined) numbers.set(name, (code = numbers.size));
    codes.push(code);
    if (numbers.size > MOST_TEXTS) this.texts = undefined;
  }
}

/** Quotation marks are left where a blank stands before them, or where they are single ones. */
export function withoutQuotes(text: string): string {
  const first = text.charCodeAt(0);
  if ((first !== 34 && first !== 39) || text.length < 2 || text.charCodeAt(text.length - 1) !== first) return text;
  return text.slice(1, -1).trim();
}

function timeReading(format: TimeFormat): TimeReading {
  const reading = new Reading();
  const zones = new WrittenZones();
  return { format, reading, zones, parsed: () => reading.values.length - reading.badCount };
}

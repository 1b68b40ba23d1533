import {
  bareTime,
  MIXED_PERIODS,
  TIME_FORMATS,
  areAllHours,
  areFewYears,
  grainOf,
  type TimeFormat,
} from '../values/dates.ts';
import type { WrittenZone } from '../../calendar/timestamp.ts';
import { revived } from '../values/formulas.ts';
import { isMissing, isTooLong } from '../values/numbers.ts';
import { commonUnit, withoutUnit } from '../values/units.ts';
import { Floats, Reading } from './cells.ts';
import { isWeekName } from './names.ts';
import { NumberReader, type Numbers } from './number-reader.ts';
import { WrittenZones } from './zones.ts';

const SAMPLE = 500;
const LONGEST_SAMPLE = 120;
const LEAST_SHARE = 0.5;
const ALL_BUT_FEW = 0.95;
/** A column of texts with more different ones than this names no series. */
const MOST_TEXTS = 200_000;

export type Cell = string | number;

export type TimeReading = ReturnType<typeof timeReading>;

export interface Texts {
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
  #waiting: (readonly [row: number, cell: Cell])[] = [];
  #settled = false;
  #spans = false;
  #unit: string | undefined;

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
    if (numbers.parsed < least && this.times.length === 0) this.#unit = commonUnit(texts);
    if (areMeasured(numbers, cells.length, least) || this.#unit !== undefined) this.reader = new NumberReader();
    this.isLong = texts.some(isTooLong);
    const codes = this.isLong || this.#unit !== undefined || texts.some((text) => /^0\d/.test(text));
    const isNoTime = this.times.every(({ format }) => this.isLong && format.digits);
    if (isNoTime && (!this.reader || codes)) this.texts = { codes: new Floats(), numbers: new Map() };
    for (const [row, cell] of this.#waiting) this.#take(row, cell);
    this.#waiting = [];
  }

  #settleTimes(texts: string[], least: number): void {
    // no time has so few digits alone, and wide tables have thousands of such columns
    if (texts.every((text) => text.length < 4 && !/\D/.test(text))) return;
    const formats = TIME_FORMATS.filter(({ id }) => {
      if (id === 'clock') return areAllHours(texts);
      return id === 'year-week' ? isWeekName(this.name) : id !== 'season' || !areFewYears(texts);
    });
    const shares = formats.map((format) => ({ format, parsed: this.#countTimes(format, texts) }));
    const best = Math.max(...shares.map(({ parsed }) => parsed));
    if (best >= least)
      this.times = shares.filter(({ parsed }) => parsed === best).map(({ format }) => timeReading(format));
    const enough = texts.length * ALL_BUT_FEW;
    if (best >= enough || this.#countTimes(MIXED_PERIODS, texts) < enough) return;
    this.times = [timeReading(MIXED_PERIODS)];
    this.grains = new Floats();
  }

  #countTimes(format: TimeFormat, texts: string[]): number {
    return texts.filter((text) => !Number.isNaN(this.#timeOf(text, format))).length;
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
    if (this.texts) this.texts.codes.fill(codeIn(this.texts, ''), count);
  }

  #take(row: number, cell: Cell): void {
    if (this.rows < row) this.#skipTo(row);
    this.rows = row + 1;
    this.reader?.take(typeof cell === 'string' && this.#unit !== undefined ? withoutUnit(cell, this.#unit) : cell);
    if (this.times.length > 0 || this.texts) this.#takeText(String(cell));
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
    this.texts.codes.push(codeIn(this.texts, revived(text)));
    if (this.texts.numbers.size > MOST_TEXTS) this.texts = undefined;
  }
}

function codeIn({ numbers }: Texts, text: string): number {
  let code = numbers.get(text);
  if (code === undefined) numbers.set(text, (code = numbers.size));
  return code;
}

/** Whether enough cells are numbers; limits such as `<1` only beside numbers, as `<18`, `18–65` and `>65` are classes. */
function areMeasured({ parsed, limits }: NumberReader, cells: number, least: number): boolean {
  const plain = parsed - (limits?.count ?? 0);
  return plain >= least || cells === 0 || (plain > cells - parsed && parsed >= cells * ALL_BUT_FEW);
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

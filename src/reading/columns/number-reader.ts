import { Reading } from './cells.ts';
import { groupSign, hasCurrency, isMissing, parseNumber, type Decimal } from '../values/numbers.ts';

/** What a column of numbers says about its decimal sign. */
export interface DecimalVerdict {
  readonly decimal: Decimal;
  /** `certain`: cells allow only this one; `any`: no cell tells; `open`: all cells allow both, with different numbers. */
  readonly evidence: 'certain' | 'any' | 'open';
}

const SIMPLE = /^-?\d+$/;
/** A reading with this many more failures than the other one is given up, which saves its time and memory. */
const HOPELESS = 50;

/**
 * Reads a column of numbers with both decimal signs at once, over the whole column; the second reading is made only from
 * the first cell on in which the two differ.
 */
export class NumberReader {
  #dot: Reading | undefined = new Reading();
  /** `undefined` before the readings differ, and after this one is given up. */
  #comma: Reading | undefined;
  #differ = false;
  /** Cells that are different numbers under both signs, by the sign they hold. */
  #ambiguous = { ',': 0, '.': 0 };
  /** Whole numbers of four digits or more without a sign between groups: they speak against groups. */
  #ungrouped = 0;
  /** Whole numbers of up to three digits: beside 1,234 they speak for groups, as decimals would not all have three digits. */
  #short = 0;
  /** Whether such a cell is an amount of money, which does not come with three decimals. */
  #money = false;
  #group: string | undefined;
  parsed = 0;
  /** Whether every number so far was whole. */
  whole = true;
  /** Cells that only say what a measurement is below or above, such as `<1`: how many, and the first of them. */
  limits: { readonly row: number; readonly text: string; count: number } | undefined;

  /** Takes a trimmed cell. */
  push(text: string): void {
    if (this.#differ && !this.#comma && isPlain(text)) {
      const value = Number(text);
      this.#dot?.pass(value);
      this.parsed++;
      if (this.whole && !Number.isInteger(value)) this.whole = false;
      return;
    }
    if (SIMPLE.test(text)) {
      if (Math.abs(Number(text)) >= 1000) this.#ungrouped++;
      else if (text !== '0') this.#short++;
      this.pushNumber(Number(text));
    } else if (isMissing(text)) {
      this.pushMissing();
    } else {
      this.#pushWritten(text);
    }
  }

  /** Takes a cell without a value. */
  pushMissing(): void {
    this.#dot?.pass(NaN);
    this.#comma?.pass(NaN);
  }

  /** Takes a number that is one already, as in JSON. */
  pushNumber(value: number): void {
    const finite = Number.isFinite(value);
    for (const reading of [this.#dot, this.#comma]) {
      if (finite) reading?.pass(value);
      else reading?.fail(String(value));
    }
    if (finite) this.parsed++;
    if (!Number.isInteger(value)) this.whole = false;
  }

  #pushWritten(text: string): void {
    const sign = /^[<>≤≥]/.exec(text)?.[0];
    const read = (decimal: Decimal, wanted: boolean) => {
      if (!wanted && this.#differ) return NaN;
      if (sign === undefined) return parseNumber(text, decimal);
      return parseNumber(text.slice(1).trimStart(), decimal) * (sign === '<' || sign === '≤' ? 0.5 : 1);
    };
    const [dot, comma] = [read('.', this.#dot !== undefined), read(',', this.#comma !== undefined)];
    const value = Number.isNaN(dot) ? comma : dot;
    if (sign !== undefined && !Number.isNaN(value)) {
      this.limits ??= { row: (this.#dot ?? this.#comma!).values.length, text, count: 0 };
      this.limits.count++;
    }
    if (!this.#differ && !Object.is(dot, comma)) {
      this.#differ = true;
      this.#comma = new Reading(this.#dot);
    }
    put(this.#dot, dot, text);
    put(this.#comma, comma, text);
    if (!Number.isNaN(value)) {
      this.parsed++;
      this.whole &&= Number.isInteger(value);
      this.#compare(text, dot, comma);
    }
    this.#giveUp();
  }

  /** Notes what a cell says of the decimal sign. */
  #compare(text: string, dot: number, comma: number): void {
    const isDot = !Number.isNaN(dot);
    if (isDot && !Number.isNaN(comma) && dot !== comma) {
      this.#ambiguous[text.includes(',') ? ',' : '.']++;
      if (hasCurrency(text)) this.#money = true;
    }
    if (this.#group === undefined && Number(text) !== dot) this.#group = groupSign(text, isDot ? '.' : ',');
  }

  #giveUp(): void {
    if (!this.#dot || !this.#comma || Math.abs(this.#dot.badCount - this.#comma.badCount) < HOPELESS) return;
    if (this.#dot.badCount > this.#comma.badCount) this.#dot = undefined;
    else this.#comma = undefined;
  }

  /** Which decimal sign the column has. */
  verdict(): DecimalVerdict {
    if (!this.#differ) return { decimal: '.', evidence: 'any' };
    if (!this.#comma || !this.#dot) return { decimal: this.#dot ? '.' : ',', evidence: 'certain' };
    const difference = this.#dot.badCount - this.#comma.badCount;
    if (difference !== 0) return { decimal: difference < 0 ? '.' : ',', evidence: 'certain' };
    const sign = this.#ambiguous[','] >= this.#ambiguous['.'] ? ',' : '.';
    if (this.#ambiguous[sign] === 0) return { decimal: '.', evidence: 'any' };
    // 1,234 beside 1500: the sign cannot stand between groups, so it is the decimal sign.
    if (this.#ungrouped > 0) return { decimal: sign, evidence: 'certain' };
    return { decimal: sign === ',' ? '.' : ',', evidence: this.#short > 0 || this.#money ? 'certain' : 'open' };
  }

  /** The reading with a decimal sign, and the sign between groups of digits, if cells had one. */
  reading(decimal: Decimal): { reading: Reading; group?: string } {
    const wanted = this.#differ && decimal === ',' ? this.#comma : this.#dot;
    const reading = wanted ?? this.#dot ?? this.#comma ?? new Reading();
    const group = this.#group === decimal ? undefined : this.#group;
    return group === undefined ? { reading } : { reading, group };
  }
}

/** Whether a text is digits with no more than a sign before and a point between them, as most cells are. */
function isPlain(text: string): boolean {
  let points = 0;
  const first = text.charCodeAt(0) === 45 ? 1 : 0;
  if (text.length === first || text.length > LONGEST_PLAIN) return false;
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 46) points++;
    else if (code < 48 || code > 57) return false;
  }
  return points === 0 || (points === 1 && text.length > first + 1);
}

/** Longer numbers may be too large for a double. */
const LONGEST_PLAIN = 30;

function put(reading: Reading | undefined, value: number, text: string): void {
  if (Number.isNaN(value)) reading?.fail(text);
  else reading?.pass(value);
}

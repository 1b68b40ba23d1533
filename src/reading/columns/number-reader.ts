import { groupSign, hasCurrency, isMissing, parseNumber, type Decimal } from '../values/numbers.ts';
import { Reading } from './cells.ts';

const HOPELESS = 50;

/** Reads a column with both decimal signs at once; the second reading begins at the first cell in which the two differ. */
export class NumberReader {
  #dot: Reading | undefined = new Reading();
  /** `undefined` before the readings differ, and after this one is given up. */
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
  limits: { readonly row: number; readonly text: string; count: number } | undefined;

  take(cell: string | number): void {
    if (typeof cell === 'number') this.#takePlain(Number.isFinite(cell) ? cell : NaN, cell);
    else if (isPlain(cell, this.#differ && !this.#comma)) {
      const value = Number(cell);
      if (Math.abs(value) >= 1000) this.#hasUngrouped = true;
      else if (cell !== '0') this.#hasGrouped = true;
      this.#takePlain(value, cell);
    } else if (isMissing(cell)) this.skip();
    else this.#takeWritten(cell);
  }

  skip(count = 1): void {
    this.#dot?.skip(count);
    this.#comma?.skip(count);
  }

  #takePlain(value: number, cell: string | number): void {
    if (!Number.isNaN(value)) this.parsed++;
    this.whole &&= Number.isInteger(value);
    const text = Number.isNaN(value) ? String(cell) : '';
    this.#dot?.take(value, text);
    this.#comma?.take(value, text);
  }

  #takeWritten(text: string): void {
    const sign = /^[<>≤≥]/.exec(text)?.[0];
    const body = sign === undefined ? text : text.slice(1).trimStart();
    // half of a lower limit
    const scale = sign === '<' || sign === '≤' ? 0.5 : 1;
    const read = (decimal: Decimal, reading: Reading | undefined) =>
      reading === undefined && this.#differ ? NaN : parseNumber(body, decimal) * scale;
    const [dot, comma] = [read('.', this.#dot), read(',', this.#comma)];
    if (!this.#differ && !Object.is(dot, comma)) {
      this.#differ = true;
      this.#comma = new Reading(this.#dot);
    }
    const value = Number.isNaN(dot) ? comma : dot;
    if (!Number.isNaN(value)) {
      this.parsed++;
      this.whole &&= Number.isInteger(value);
      this.#compare(text, dot, comma);
      if (sign !== undefined) {
        this.limits ??= { row: (this.#dot ?? this.#comma!).values.length, text, count: 0 };
        this.limits.count++;
      }
    }
    this.#dot?.take(dot, text);
    this.#comma?.take(comma, text);
    if (!this.#dot || !this.#comma || Math.abs(this.#dot.badCount - this.#comma.badCount) < HOPELESS) return;
    if (this.#dot.badCount > this.#comma.badCount) this.#dot = undefined;
    else this.#comma = undefined;
  }

  #compare(text: string, dot: number, comma: number): void {
    const isDot = !Number.isNaN(dot);
    if (isDot && !Number.isNaN(comma) && dot !== comma) {
      this.#ambiguous[text.includes(',') ? ',' : '.']++;
      if (hasCurrency(text)) this.#hasGrouped = true;
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

  reading(decimal: Decimal): { reading: Reading; group?: string } {
    const wanted = this.#differ && decimal === ',' ? this.#comma : this.#dot;
    const reading = wanted ?? this.#dot ?? this.#comma ?? new Reading();
    const group = this.#group === decimal ? undefined : this.#group;
    return group === undefined ? { reading } : { reading, group };
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

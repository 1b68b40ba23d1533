import type { Delimiter } from '../types.ts';
import { groupSign, hasCurrency, isMissing, parseNumber, type Decimal } from '../values/numbers.ts';
import { type BadCell, Reading } from './cells.ts';

/** The numbers of a column once its decimal sign is settled. */
export interface Numbers extends Pick<NumberReader, 'parsed' | 'whole' | 'limits'> {
  readonly values: Float64Array;
  readonly bad: readonly BadCell[];
  readonly badCount: number;
  readonly decimal: Decimal;
  readonly group: string | undefined;
  /** Whether its cells allow both signs, as do those of all other columns. */
  readonly isOpen: boolean;
}

const HOPELESS = 50;

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
  limits: { readonly row: number; readonly text: string; count: number } | undefined;

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
    const body = text.slice(sign.length).trimStart();
    // half of a lower limit
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
      if (sign !== '') {
        this.limits ??= { row: (this.#dot ?? this.#comma!).values.length, text, count: 0 };
        this.limits.count++;
      }
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

  /**
   * @param known the sign that the layout says, or that is the only one of another column
   * @param hasDots whether days are written with points: who does that writes no commas between thousands
   */
  settled(known: Decimal | undefined, delimiter: Delimiter | undefined, hasDots: boolean): Numbers {
    const { decimal: own, evidence } = this.verdict();
    const isUnknown = evidence === 'open' && known === undefined;
    // a decimal comma between commas would be quoted; a point is the decimal sign, but where cells are cut by semicolons
    const isLikely = own === '.' ? !hasDots : hasDots || delimiter === ';';
    const isOpen = isUnknown && isLikely && delimiter !== ',' && delimiter !== undefined;
    const likely = own === '.' && hasDots ? ',' : '.';
    const sure = evidence === 'certain' ? own : (known ?? own);
    return this.in(isUnknown && !isOpen ? likely : sure, isOpen);
  }

  in(decimal: Decimal, isOpen = false): Numbers {
    const wanted = this.#differ && decimal === ',' ? this.#comma : this.#dot;
    const { values, bad, badCount } = wanted ?? this.#dot ?? this.#comma ?? new Reading();
    const { parsed, whole, limits } = this;
    const group = this.#group === decimal ? undefined : this.#group;
    return { values: values.all(), bad, badCount, decimal, group, isOpen, parsed, whole, limits };
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

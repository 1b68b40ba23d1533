import { Floats } from './floats.ts';

/** A cell that a reading could make nothing of; rows count from 0, without the header. */
export interface BadCell {
  readonly row: number;
  readonly text: string;
}

const MOST_BAD_CELLS = 1000;
const LONGEST_QUOTE = 60;

/** One way to read a column: a value for each row (`NaN` for missing and failed cells), and the cells that failed. */
export class Reading {
  readonly values: Floats;
  /** The first thousand failed cells. */
  readonly bad: BadCell[];
  badCount: number;

  constructor(from?: Reading) {
    this.values = from ? from.values.fork() : new Floats();
    this.bad = from ? [...from.bad] : [];
    this.badCount = from ? from.badCount : 0;
  }

  /** Takes a cell by what it says; `NaN` where it could not be read. */
  take(value: number, text: string): void {
    if (Number.isNaN(value)) this.fail(text);
    else this.values.push(value);
  }

  pass(value: number): void {
    this.values.push(value);
  }

  /** Takes cells without a value. */
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

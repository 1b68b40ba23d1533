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

export class Reading {
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

const BLOCK = 65_536;
/** Longer blocks are as long as all before them: memory of this size goes back to the system as soon as it is free. */
const LONGEST = 4_194_304;
const FIRST = 64;

/** A list of numbers that grows without copying what it holds: 8 bytes per number, also while it grows. */
export class Floats {
  #full: Float64Array<ArrayBuffer>[] = [];
  #last = new Float64Array(FIRST);
  #used = 0;
  /** How many are in the full blocks. */
  #before = 0;

  get length(): number {
    return this.#before + this.#used;
  }

  push(value: number): void {
    if (this.#used === this.#last.length) this.#grow();
    this.#last[this.#used++] = value;
  }

  /** Adds the same number so many times, at once. */
  fill(value: number, count: number): void {
    for (let left = count; left > 0;) {
      if (this.#used === this.#last.length) this.#grow(left);
      const end = Math.min(this.#last.length, this.#used + left);
      this.#last.fill(value, this.#used, end);
      left -= end - this.#used;
      this.#used = end;
    }
  }

  /** Makes room for so many numbers, or the rest of the block. */
  #grow(wanted = 1): void {
    if (this.#last.length >= BLOCK) {
      this.#full.push(this.#last);
      this.#before += this.#last.length;
      this.#last = new Float64Array(Math.min(LONGEST, this.#before));
      this.#used = 0;
      return;
    }
    const larger = new Float64Array(Math.min(BLOCK, Math.max(this.#last.length * 4, this.#used + wanted)));
    larger.set(this.#last);
    this.#last = larger;
  }

  /** The first number, `NaN` where there is none. */
  get first(): number {
    const block = this.#full[0] ?? this.#last;
    return this.length > 0 ? block[0]! : NaN;
  }

  /** An independent copy that can grow on its own. */
  fork(): Floats {
    const copy = new Floats();
    copy.#full = this.#full.map((block) => block.slice());
    copy.#last = this.#last.slice();
    copy.#used = this.#used;
    copy.#before = this.#before;
    return copy;
  }

  /** All numbers in one array, which is cached for the next call; a list that is read does not grow. */
  all(): Float64Array {
    if (this.#full.length === 0 && this.#used === this.#last.length) return this.#last;
    const all = new Float64Array(this.length);
    let offset = 0;
    for (let block = this.#full.shift(); block; block = this.#full.shift()) {
      all.set(block, offset);
      offset += block.length;
      // not only when it is collected: of millions of rows the blocks would stand beside their copy
      block.buffer.transfer(0);
    }
    all.set(this.#last.subarray(0, this.#used), offset);
    this.#last = all;
    this.#before = 0;
    this.#used = all.length;
    return all;
  }
}

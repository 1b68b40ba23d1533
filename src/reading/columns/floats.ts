const BLOCK = 65_536;
const FIRST = 64;

/** A list of numbers that grows without copying what it holds: 8 bytes per number, also while it grows. */
export class Floats {
  #full: Float64Array[] = [];
  #last = new Float64Array(FIRST);
  #used = 0;

  get length(): number {
    return this.#full.length * BLOCK + this.#used;
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
    if (this.#last.length === BLOCK) {
      this.#full.push(this.#last);
      this.#last = new Float64Array(BLOCK);
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
    return copy;
  }

  /** All numbers in one array, which is cached for the next call; a list that is read does not grow. */
  all(): Float64Array {
    if (this.#full.length === 0 && this.#used === this.#last.length) return this.#last;
    const all = new Float64Array(this.length);
    let offset = 0;
    for (let block = this.#full.shift(); block; block = this.#full.shift()) {
      all.set(block, offset);
      offset += BLOCK;
    }
    all.set(this.#last.subarray(0, this.#used), offset);
    this.#last = all;
    this.#used = all.length;
    return all;
  }
}

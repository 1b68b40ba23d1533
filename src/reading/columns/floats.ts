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

  #grow(): void {
    if (this.#last.length === BLOCK) {
      this.#full.push(this.#last);
      this.#last = new Float64Array(BLOCK);
      this.#used = 0;
      return;
    }
    const larger = new Float64Array(this.#last.length * 4);
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

  /** A copy of all numbers in one array. */
  peek(): Float64Array {
    const all = new Float64Array(this.length);
    this.#full.forEach((block, index) => {
      all.set(block, index * BLOCK);
    });
    all.set(this.#last.subarray(0, this.#used), this.#full.length * BLOCK);
    return all;
  }

  /** All numbers in one array; the list is empty afterwards, so that memory is not held twice for long. */
  take(): Float64Array {
    const all = new Float64Array(this.length);
    let offset = 0;
    for (let block = this.#full.shift(); block; block = this.#full.shift()) {
      all.set(block, offset);
      offset += BLOCK;
    }
    all.set(this.#last.subarray(0, this.#used), offset);
    this.#last = new Float64Array(FIRST);
    this.#used = 0;
    return all;
  }
}

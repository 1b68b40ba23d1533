export interface Minimum {
  readonly at: Float64Array;
  readonly value: number;
}

/**
 * The simplex method (Nelder and Mead 1965) with an upper bound on the evaluations: in forecasting, stopping early is
 * both faster and more accurate than the last digit of the fit. What is not finite counts as very large.
 */
export function nelderMead(
  objective: (point: Float64Array) => number,
  start: readonly number[],
  steps: readonly number[],
  maxEvaluations: number,
  tolerance = 1e-7,
): Minimum {
  const simplex = new Simplex(objective, start, steps);
  for (;;) {
    const [at, value, most] = simplex.rank();
    const isFlat = most - value <= tolerance * (Math.abs(value) + 1e-12);
    if (isFlat || simplex.evaluations >= maxEvaluations) return { at, value };
    simplex.improve();
  }
}

class Simplex {
  evaluations = 0;
  readonly #objective: (point: Float64Array) => number;
  readonly #points: Float64Array[];
  readonly #values: Float64Array;
  readonly #center: Float64Array;
  #reflected: Float64Array;
  #tried: Float64Array;
  #best = 0;
  #worst = 0;
  #secondWorst = 0;

  constructor(objective: (point: Float64Array) => number, start: readonly number[], steps: readonly number[]) {
    this.#objective = objective;
    const first = new Float64Array(start);
    this.#points = [first, ...steps.map((step, i) => first.with(i, first[i] + step))];
    this.#values = new Float64Array(this.#points.map((point) => this.#evaluate(point)));
    [this.#center, this.#reflected, this.#tried] = [first.slice(), first.slice(), first.slice()];
  }

  /** Finds the best and the worst corners; gives the best point, and the values of both. */
  rank(): [Float64Array, number, number] {
    const values = this.#values;
    let best = 0;
    let worst = 0;
    for (let i = 1; i < values.length; i++) {
      if (values[i] < values[best]) best = i;
      if (values[i] >= values[worst]) worst = i;
    }
    let secondWorst = best;
    for (let i = 0; i < values.length; i++) if (i !== worst && values[i] > values[secondWorst]) secondWorst = i;
    this.#best = best;
    this.#worst = worst;
    this.#secondWorst = secondWorst;
    return [this.#points[best], values[best], values[worst]];
  }

  /** Reflects the worst corner at the center of the others, and expands, contracts or shrinks as it gets better or worse. */
  improve(): void {
    const values = this.#values;
    const atWorst = values[this.#worst];
    this.#centerOthers();
    const atReflected = this.#tryAt(this.#reflected, 2, -1);
    if (atReflected < values[this.#best]) {
      const atExpanded = this.#tryAt(this.#tried, 3, -2);
      if (atExpanded < atReflected) this.#takeTried(atExpanded);
      else this.#takeReflected(atReflected);
      return;
    }
    if (atReflected < atWorst) this.#takeReflected(atReflected);
    if (atReflected < values[this.#secondWorst]) return;
    const atContracted = this.#tryAt(this.#tried, 0.5, 0.5);
    if (atContracted < values[this.#worst]) this.#takeTried(atContracted);
    else this.#shrink();
  }

  #evaluate(point: Float64Array): number {
    this.evaluations++;
    const value = this.#objective(point);
    return Number.isFinite(value) ? value : 1e300;
  }

  #centerOthers(): void {
    const center = this.#center.fill(0);
    const size = center.length;
    for (let i = 0; i <= size; i++) {
      if (i === this.#worst) continue;
      const point = this.#points[i];
      for (let j = 0; j < size; j++) center[j] += point[j] / size;
    }
  }

  /** Fills in so much of the center and so much of the worst corner. */
  #tryAt(point: Float64Array, ofCenter: number, ofWorst: number): number {
    const center = this.#center;
    const worst = this.#points[this.#worst];
    for (let j = 0; j < point.length; j++) point[j] = ofCenter * center[j] + ofWorst * worst[j];
    return this.#evaluate(point);
  }

  #takeReflected(value: number): void {
    [this.#points[this.#worst], this.#reflected] = [this.#reflected, this.#points[this.#worst]];
    this.#values[this.#worst] = value;
  }

  #takeTried(value: number): void {
    [this.#points[this.#worst], this.#tried] = [this.#tried, this.#points[this.#worst]];
    this.#values[this.#worst] = value;
  }

  #shrink(): void {
    const best = this.#points[this.#best];
    this.#points.forEach((point, i) => {
      if (i === this.#best) return;
      for (let j = 0; j < point.length; j++) point[j] = 0.5 * (point[j] + best[j]);
      this.#values[i] = this.#evaluate(point);
    });
  }
}

/** Golden-section search for the minimum of a function of one variable between two bounds. */
export function goldenSection(objective: (x: number) => number, low: number, high: number, iterations: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let a = low;
  let b = high;
  let c = b - ratio * (b - a);
  let d = a + ratio * (b - a);
  let atC = objective(c);
  let atD = objective(d);
  for (let i = 0; i < iterations; i++) {
    if (atC < atD) {
      b = d;
      d = c;
      atD = atC;
      c = b - ratio * (b - a);
      atC = objective(c);
    } else {
      a = c;
      c = d;
      atC = atD;
      d = a + ratio * (b - a);
      atD = objective(d);
    }
  }
  return atC < atD ? c : d;
}

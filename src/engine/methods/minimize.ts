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
  /** Two points that are no corners, to be tried. */
  readonly #spare: Float64Array[];
  #best = 0;
  #worst = 0;
  #secondWorst = 0;

  constructor(objective: (point: Float64Array) => number, start: readonly number[], steps: readonly number[]) {
    this.#objective = objective;
    const first = new Float64Array(start);
    this.#points = [first, ...steps.map((step, i) => first.with(i, first[i] + step))];
    this.#values = new Float64Array(this.#points.map((point) => this.#evaluate(point)));
    this.#center = first.slice();
    this.#spare = [first.slice(), first.slice()];
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
    this.#centerOthers();
    const reflected = this.#tryAt(0, 2, -1);
    if (reflected < values[this.#best]) {
      const expanded = this.#tryAt(1, 3, -2);
      if (expanded < reflected) this.#take(1, expanded);
      else this.#take(0, reflected);
      return;
    }
    const isEnough = reflected < values[this.#secondWorst];
    if (reflected < values[this.#worst]) this.#take(0, reflected);
    if (isEnough) return;
    const contracted = this.#tryAt(1, 0.5, 0.5);
    if (contracted < values[this.#worst]) this.#take(1, contracted);
    else this.#shrink();
  }

  #evaluate(point: Float64Array): number {
    this.evaluations++;
    const value = this.#objective(point);
    return Number.isFinite(value) ? value : 1e300;
  }

  #centerOthers(): void {
    const center = this.#center.fill(0);
    for (let i = 0; i < this.#points.length; i++) {
      if (i === this.#worst) continue;
      const point = this.#points[i];
      for (let j = 0; j < center.length; j++) center[j] += point[j] / center.length;
    }
  }

  /** The value at a spare point made of so much of the center and so much of the worst corner. */
  #tryAt(spare: number, ofCenter: number, ofWorst: number): number {
    const point = this.#spare[spare];
    const worst = this.#points[this.#worst];
    for (let j = 0; j < point.length; j++) point[j] = ofCenter * this.#center[j] + ofWorst * worst[j];
    return this.#evaluate(point);
  }

  #take(spare: number, value: number): void {
    const worst = this.#points[this.#worst];
    this.#points[this.#worst] = this.#spare[spare];
    this.#spare[spare] = worst;
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

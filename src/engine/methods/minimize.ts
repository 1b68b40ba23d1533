/** The simplex method (Nelder and Mead 1965): stopping early is both faster and, in forecasting, more accurate. */
export function nelderMead(
  objective: (point: Float64Array) => number,
  start: readonly number[],
  steps: readonly number[],
  maxEvaluations: number,
  tolerance = 1e-7,
): { readonly at: Float64Array; readonly value: number } {
  let evaluations = 0;
  const valueOf = (point: Float64Array): number => {
    evaluations++;
    const value = objective(point);
    return Number.isFinite(value) ? value : 1e300;
  };
  const first = new Float64Array(start);
  const points = [first, ...steps.map((step, i) => first.with(i, first[i] + step))];
  const values = new Float64Array(points.map(valueOf));
  const center = first.slice();
  const spare = [first.slice(), first.slice()];
  let worst = 0;
  /** The value at a spare point made of so much of the center and so much of the worst corner. */
  const tryAt = (place: number, ofCenter: number, ofWorst: number): number => {
    const point = spare[place];
    for (let j = 0; j < point.length; j++) point[j] = ofCenter * center[j] + ofWorst * points[worst][j];
    return valueOf(point);
  };
  const take = (place: number, value: number): void => {
    [points[worst], spare[place]] = [spare[place], points[worst]];
    values[worst] = value;
  };
  for (;;) {
    let best = 0;
    worst = 0;
    for (let i = 1; i < values.length; i++) {
      if (values[i] < values[best]) best = i;
      if (values[i] >= values[worst]) worst = i;
    }
    const least = values[best];
    const isFlat = values[worst] - least <= tolerance * (Math.abs(least) + 1e-12);
    if (isFlat || evaluations >= maxEvaluations) return { at: points[best], value: least };
    const secondMost = centerOthers(points, values, worst, center);
    const reflected = tryAt(0, 2, -1);
    if (reflected < least) {
      const expanded = tryAt(1, 3, -2);
      if (expanded < reflected) take(1, expanded);
      else take(0, reflected);
      continue;
    }
    if (reflected < values[worst]) take(0, reflected);
    if (reflected < secondMost) continue;
    const contracted = tryAt(1, 0.5, 0.5);
    if (contracted < values[worst]) take(1, contracted);
    else {
      points.forEach((point, i) => {
        if (i === best) return;
        for (let j = 0; j < point.length; j++) point[j] = 0.5 * (point[j] + points[best][j]);
        values[i] = valueOf(point);
      });
    }
  }
}

function centerOthers(points: readonly Float64Array[], values: Float64Array, without: number, center: Float64Array) {
  center.fill(0);
  let most = -Infinity;
  for (let i = 0; i < points.length; i++) {
    if (i === without) continue;
    most = Math.max(most, values[i]);
    for (let j = 0; j < center.length; j++) center[j] += points[i][j] / center.length;
  }
  return most;
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

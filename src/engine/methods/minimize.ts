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
  const size = start.length;
  let evaluations = 0;
  const evaluate = (point: Float64Array): number => {
    evaluations++;
    const value = objective(point);
    return Number.isFinite(value) ? value : 1e300;
  };
  const points: Float64Array[] = [new Float64Array(start)];
  for (let i = 0; i < size; i++) {
    const point = new Float64Array(start);
    point[i] += steps[i];
    points.push(point);
  }
  const values = new Float64Array(points.map(evaluate));
  const center = new Float64Array(size);
  const reflected = new Float64Array(size);
  const tried = new Float64Array(size);
  const replace = (index: number, point: Float64Array, value: number): void => {
    points[index].set(point);
    values[index] = value;
  };

  for (;;) {
    let best = 0;
    let worst = 0;
    for (let i = 1; i <= size; i++) {
      if (values[i] < values[best]) best = i;
      if (values[i] >= values[worst]) worst = i;
    }
    let secondWorst = best;
    for (let i = 0; i <= size; i++) if (i !== worst && values[i] > values[secondWorst]) secondWorst = i;
    const flat = values[worst] - values[best] <= tolerance * (Math.abs(values[best]) + 1e-12);
    if (flat || evaluations >= maxEvaluations) return { at: points[best], value: values[best] };

    center.fill(0);
    for (let i = 0; i <= size; i++) {
      if (i === worst) continue;
      for (let j = 0; j < size; j++) center[j] += points[i][j] / size;
    }
    for (let j = 0; j < size; j++) reflected[j] = 2 * center[j] - points[worst][j];
    const atReflected = evaluate(reflected);
    if (atReflected < values[best]) {
      for (let j = 0; j < size; j++) tried[j] = 3 * center[j] - 2 * points[worst][j];
      const atExpanded = evaluate(tried);
      if (atExpanded < atReflected) replace(worst, tried, atExpanded);
      else replace(worst, reflected, atReflected);
    } else if (atReflected < values[secondWorst]) {
      replace(worst, reflected, atReflected);
    } else {
      if (atReflected < values[worst]) replace(worst, reflected, atReflected);
      for (let j = 0; j < size; j++) tried[j] = 0.5 * (center[j] + points[worst][j]);
      const atContracted = evaluate(tried);
      if (atContracted < values[worst]) replace(worst, tried, atContracted);
      else {
        for (let i = 0; i <= size; i++) {
          if (i === best) continue;
          for (let j = 0; j < size; j++) points[i][j] = 0.5 * (points[i][j] + points[best][j]);
          values[i] = evaluate(points[i]);
        }
      }
    }
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

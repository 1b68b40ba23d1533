/** In how many parts the weight is given away. */
const parts = 10;
/** What straying from equal weights costs, as a share of the error. */
const prior = 0.06;

/**
 * Weights, that are 0 or more and add up to 1, with which forecasts erred least in the past, drawn to equal ones.
 *
 * @param errors of each forecast at each past step; signed, `NaN` where nothing was observed
 */
export function stackingWeights(errors: readonly Float64Array[]): Float64Array {
  const count = errors.length;
  const known = errors[0].reduce<number[]>((list, error, i) => {
    if (Number.isFinite(error)) list.push(i);
    return list;
  }, []);
  let best = new Float64Array(count).fill(1 / count);
  let least = Infinity;
  const scale = meanError(errors, best, known);
  const trial = new Float64Array(count);
  const place = (k: number, left: number): void => {
    if (k === count - 1) {
      trial[k] = left / parts;
      const distance = trial.reduce((sum, weight) => sum + (weight - 1 / count) ** 2, 0);
      const error = meanError(errors, trial, known) + prior * scale * distance;
      if (error < least) {
        least = error;
        best = trial.slice();
      }
      return;
    }
    for (let taken = 0; taken <= left; taken++) {
      trial[k] = taken / parts;
      place(k + 1, left - taken);
    }
  };
  place(0, parts);
  return best;
}

export function meanError(errors: readonly Float64Array[], weights: Float64Array, rows: readonly number[]): number {
  let sum = 0;
  for (const row of rows) {
    let error = 0;
    for (let k = 0; k < weights.length; k++) if (weights[k] > 0) error += weights[k] * errors[k][row];
    sum += Math.abs(error);
  }
  return sum / rows.length;
}

import { blocksOf, centredMean, effectOf, plain, type TrainingPart } from './effect.ts';

/** The share of the error by which a covariate must reduce it at least, as all together must (`trial.ts`). */
export const leastGain = 0.02;

/**
 * Which covariates tell something: how much worse the history is predicted when a covariate is that of another time, and
 * the others are as they were (permutation importance, Breiman 2001). A covariate is moved as a whole, so that it keeps its
 * own pattern.
 *
 * @returns for each covariate by how many standard errors, over the blocks, the error grows; 0 where it grows by too little
 */
export function scoresOf(part: TrainingPart): number[] {
  const n = part.values.length;
  const start = Math.max(0, n - 4000);
  const values = part.values.slice(start);
  const covariates = part.covariates.map(({ name, values: all }) => ({ name, values: all.slice(start, n) }));
  const { width, block } = blocksOf(part.periods, values.length);
  const level = centredMean(values, width);
  const effect = effectOf({ values, covariates, periods: part.periods, length: values.length }, plain);
  const errorsOf = (predicted: Float64Array): Float64Array =>
    values.map((value, i) => Math.abs(value - level[i] - predicted[i]));
  const before = errorsOf(effect.values);
  const total = before.reduce((sum, error) => sum + (Number.isFinite(error) ? error : 0), 0);
  // By whole blocks, so that the place in the week stays.
  const away = block * Math.max(1, Math.round(values.length / (2.6 * block)));
  return covariates.map((covariate, k) => {
    const moved = covariate.values.map((_, i) => covariate.values[(i + away) % values.length]);
    const after = errorsOf(
      effect.of(
        covariates.map((each, l) => (l === k ? { ...each, values: moved } : each)),
        0,
      ),
    );
    const gains = new Float64Array(Math.ceil(after.length / block));
    after.forEach((error, i) => {
      const gain = error - before[i];
      if (Number.isFinite(gain)) gains[Math.floor(i / block)] += gain;
    });
    const gain = gains.reduce((sum, each) => sum + each, 0);
    const deviation = Math.sqrt(gains.reduce((sum, each) => sum + (each - gain / gains.length) ** 2, 0));
    return deviation > 0 && gain > leastGain * total ? gain / deviation : 0;
  });
}

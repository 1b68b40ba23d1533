import { centredMean } from './features.ts';
import { ridgeEffect } from './ridge-effect.ts';
import { treeEffect, windowsOf } from './tree-effect.ts';
import type { Lesson } from './types.ts';

const mostRows = 4000;
/** A covariate that is the same for a larger share of the steps is seldom anything. */
const mostOfAll = 0.9;

/**
 * Which covariates tell something: how much worse the history is foretold when a covariate is that of another time, and
 * the others are as they were (permutation importance, Breiman 2001). A covariate is moved as a whole, so that it keeps its
 * own pattern.
 *
 * @returns for each covariate by how many standard errors, over the blocks, the error grows
 */
export function scoresOf(lesson: Lesson): number[] {
  const { covariates, periods } = lesson;
  const n = lesson.values.length;
  const start = Math.max(0, n - mostRows);
  const values = lesson.values.slice(start);
  const recent = covariates.map(({ name, values: all }) => ({ name, values: all.slice(start, n) }));
  const { width, block } = windowsOf(periods, values.length);
  const level = centredMean(values, width);
  const ownLesson = { values, covariates: recent, periods, length: values.length };
  const effect = treeEffect(ownLesson);
  const seldom = recent.map((each) => isSeldom(each.values));
  const linear = seldom.some(Boolean) ? ridgeEffect(ownLesson) : undefined;
  const missOf = (said: Float64Array): Float64Array => values.map((value, i) => Math.abs(value - level[i] - said[i]));
  const before = missOf(effect.values);
  const beforeLinear = linear && missOf(linear.values);
  return recent.map((covariate, k) => {
    // By whole blocks, so that the place in the week stays.
    const away = block * Math.max(1, Math.round(values.length / (2.6 * block)));
    const moved = covariate.values.map((_, i) => covariate.values[(i + away) % values.length]);
    const others = recent.map((each, l) => (l === k ? { ...each, values: moved } : each));
    const isLinear = linear && beforeLinear && seldom[k];
    const after = missOf((isLinear ? linear : effect).of(others, 0));
    const gains = blockSums(after, isLinear ? beforeLinear : before, block);
    const gain = gains.reduce((sum, each) => sum + each, 0);
    const mean = gain / gains.length;
    const deviation = Math.sqrt(gains.reduce((sum, each) => sum + (each - mean) ** 2, 0));
    return deviation > 0 ? gain / deviation : 0;
  });
}

/** Whether it is nearly always the same: trees, whose leaves need some steps, do not see it. */
function isSeldom(values: Float64Array): boolean {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(...counts.values()) > mostOfAll * values.length;
}

function blockSums(after: Float64Array, before: Float64Array, block: number): number[] {
  const sums = new Array<number>(Math.ceil(after.length / block)).fill(0);
  after.forEach((miss, i) => {
    const difference = miss - before[i];
    if (Number.isFinite(difference)) sums[Math.floor(i / block)] += difference;
  });
  return sums;
}

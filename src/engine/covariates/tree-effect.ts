import { Random } from '../random.ts';
import { centredMean, featuresOf } from './features.ts';
import { addTrees, binned, boostTrees, rebinned, type Tree, type TreeOptions } from './trees.ts';
import type { Effect, Lesson } from './types.ts';

const parts = 3;
const options: TreeOptions = { trees: 80, depth: 5, rate: 0.1, leaf: 12, shrinkage: 6, columnShare: 0.7 };
/** Deviations beyond so many standard deviations count as if they were so large. */
const bound = 3;

/**
 * Effects by boosted trees, which find bends and what covariates do together with each other and the hour by themselves.
 * Every third block of the history is foretold from the other two, so that the remainder is as large as in the future.
 */
export function treeEffect({ values, covariates, periods, length }: Lesson): Effect {
  const n = values.length;
  const { width, block } = windowsOf(periods, values.length);
  const level = centredMean(values, width);
  const target = values.map((value, i) => value - level[i]);
  const known = indices(0, n).filter((i) => Number.isFinite(target[i]));
  const spread = Math.sqrt(known.reduce((sum, i) => sum + target[i] ** 2, 0) / known.length);
  const table = binned(featuresOf(covariates, periods, length).columns);
  const partOf = (i: number): number => Math.floor(i / block) % parts;
  const random = new Random(1);
  const models: Tree[][] = [];
  for (let part = 0; part < parts; part++) {
    const rows = known.filter((i) => partOf(i) !== part);
    models.push(boostTrees(table, target, rows, bound * spread, options, random));
  }
  const predict = (bins: readonly Uint8Array[], from: number): Float64Array => {
    const effect = new Float64Array(length);
    models.forEach((trees, part) => {
      const own = indices(from, n).filter((i) => partOf(i) === part);
      addTrees(trees, bins, own, effect);
      addTrees(trees, bins, indices(Math.max(from, n), length), effect, 1 / parts);
    });
    return effect;
  };
  return {
    values: predict(table.bins, 0),
    of: (others, from) => predict(rebinned(table, featuresOf(others, periods, length, covariates).columns), from),
  };
}

/** Over how many steps the level is taken, and how many stay together when the history is parted. */
export function windowsOf(periods: readonly number[], length: number): { width: number; block: number } {
  const [short = 1, long = short] = periods.map(Math.round);
  const cycle = long <= 40 * short ? long : short;
  const block = Math.max(1, Math.min(Math.max(cycle < 40 ? 2 * cycle : cycle, 6), Math.floor(length / 6)));
  return { width: 4 * block, block };
}

const indices = (from: number, to: number): Int32Array =>
  Int32Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

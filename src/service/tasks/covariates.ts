import { type Grid, toGrid } from '../../calendar/grid.ts';
import type { CovariateSummary } from '../../contract/local.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { type CovariateCell, covariateOf } from '../../engine/covariates/covariate.ts';
import type { CovariateReport } from '../../engine/covariates/forecast.ts';
import type { Covariate } from '../../engine/covariates/types.ts';
import type { EngineInput } from '../../engine/types.ts';
import { toNumbers } from '../store/points.ts';

/** A series of which more is known than its values. */
export interface KnownBeforehand {
  /** The points up to the last one with a value. */
  readonly history: SeriesPoint[];
  /** The names of what is known. */
  readonly names: readonly string[];
  /** Steps after the history that something is known of; 0 where there is none. */
  readonly stepsAhead: (grid: Grid) => number;
  /** What is known, on the grid of the history, of its last steps and of those after it. */
  readonly covariatesOn: (grid: Grid, steps: number) => Covariate[];
  /** The numbers of one of all that are known, likewise; undefined where there is none. */
  readonly numbersOn: (name: string, grid: Grid, steps: number) => Float64Array | undefined;
  /** What a covariate was made of. */
  readonly sourceOf: (covariate: string) => string;
}

/**
 * What points say in `metadata.covariates`; undefined where they say nothing.
 * @param others names that are no covariates, as they are bounds
 */
export function knownBeforehand(
  points: readonly SeriesPoint[],
  others: readonly string[] = [],
): KnownBeforehand | undefined {
  const cells = points.map(cellsOf);
  const made = new Map<string, string>();
  const all = [...new Set(cells.flatMap((each) => (each ? Object.keys(each) : [])))];
  if (all.length === 0) return undefined;
  const names = all.filter((name) => !others.includes(name));
  const { times, values, zone } = toNumbers(points);
  let last = -Infinity;
  times.forEach((time, i) => {
    if (Number.isFinite(values[i])) last = Math.max(last, time);
  });
  const onGrid = ({ frequency }: Grid, of: Float64Array): Float64Array =>
    toGrid(times, of, { frequency: frequency ?? null, zone }).values;
  return {
    history: points.filter((_, i) => times[i] <= last),
    names,
    stepsAhead: (grid) => onGrid(grid, values).length - grid.values.length,
    sourceOf: (covariate) => made.get(covariate) ?? covariate,
    numbersOn: (name, grid, steps) => {
      const numbers = Float64Array.from(cells, (each) => (typeof each?.[name] === 'number' ? each[name] : NaN));
      return numbers.some(Number.isFinite) ? onGrid(grid, numbers).slice(grid.values.length - steps) : undefined;
    },
    covariatesOn: (grid, steps) =>
      names
        .flatMap((name) => {
          const found = covariateOf(
            name,
            cells.map((each) => each?.[name]),
          );
          for (const each of found) made.set(each.name, name);
          return found;
        })
        .map(({ name, values: known }) => ({ name, values: onGrid(grid, known).slice(grid.values.length - steps) })),
  };
}

const cellsOf = ({ metadata }: SeriesPoint): Readonly<Record<string, CovariateCell>> | undefined => {
  const covariates = metadata?.covariates;
  return typeof covariates === 'object' && covariates !== null
    ? (covariates as Readonly<Record<string, CovariateCell>>)
    : undefined;
};

export function summarizeCovariates(
  names: readonly string[],
  report: CovariateReport | undefined,
  input: EngineInput,
): CovariateSummary {
  if (!report) return { used: [], offered: [...names] };
  const used = report.used.map((each) => ({ ...each }));
  return { used, offered: [...names], backtest: backtestOf(report, input) };
}

export function backtestOf(
  { origins, horizon, errorWith, errorWithout }: Omit<CovariateReport, 'used'>,
  { values, periods }: EngineInput,
): NonNullable<CovariateSummary['backtest']> {
  const scale = seasonalChange(values, Math.round(periods[0] ?? 1));
  return {
    origins,
    horizon,
    mae: errorWith,
    mae_without: errorWithout,
    ...(scale > 0 ? { mase: errorWith / scale, mase_without: errorWithout / scale } : {}),
  };
}

/** The mean absolute change over a season. */
function seasonalChange(values: Float64Array, season: number): number {
  let sum = 0;
  let count = 0;
  for (let i = season; i < values.length; i++) {
    const change = Math.abs(values[i] - values[i - season]);
    if (!Number.isFinite(change)) continue;
    sum += change;
    count++;
  }
  return sum / count;
}

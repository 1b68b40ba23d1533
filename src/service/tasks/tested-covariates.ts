import type { CovariateTest } from '../../contract/analysis.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { helpOf } from '../../engine/covariates/forecast.ts';
import { backtestOf } from './covariates.ts';
import { readQuestion } from './question.ts';
import type { CovariatesTask } from './tasks.ts';

/** Which covariates of the points help on a backtest; none where there is no observation. */
export function testCovariates(task: CovariatesTask): CovariateTest {
  const points = JSON.parse(task.points) as SeriesPoint[];
  if (!points.some(({ value }) => typeof value === 'number')) return { covariates: [] };
  const { known, grid, input } = readQuestion(task);
  if (!known) return { covariates: [] };
  const help = helpOf(task.model, input, known.covariatesOn(grid, input.values.length), task.parameters);
  const helping = new Set(help?.names.map(known.sourceOf));
  return {
    covariates: known.names.map((name) => ({ name, helps: helping.has(name) })),
    ...(help ? { backtest: backtestOf(help, input) } : {}),
  };
}

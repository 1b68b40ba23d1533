import { isoInstant } from '../../calendar/format.ts';
import type { Backtest } from '../../contract/analysis.ts';
import { withWide } from '../../engine/bounds/bounds.ts';
import { foldsWithin } from '../../engine/bounds/folds.ts';
import { backtestFolds, type Folds } from '../../engine/backtest.ts';
import { backtestWithCovariates } from '../../engine/covariates/backtest.ts';
import { JobError } from '../errors.ts';
import { readQuestion, type Question } from './question.ts';
import type { BacktestTask } from './tasks.ts';

/**
 * The folds of a question at some levels, made as its forecast is: with its covariates and within its bounds.
 * @returns undefined where the series is too short
 */
export function foldsOf(
  { model, parameters, origins }: Pick<BacktestTask, 'model' | 'parameters' | 'origins'>,
  { grid, input, known, bounds }: Question,
  levels: readonly number[],
): Folds | undefined {
  const covariates = known?.covariatesOn(grid, input.values.length) ?? [];
  const asked = bounds
    ? { ...input, samples: undefined, levels: withWide(levels), acrossZero: true }
    : { ...input, samples: undefined, levels };
  const made =
    covariates.length > 0
      ? backtestWithCovariates(model, asked, covariates, { origins }, parameters)
      : backtestFolds(model, asked, { origins }, parameters);
  return made && bounds ? foldsWithin(made, levels, bounds) : made;
}

/** Forecasts the series of a prediction again from times in its past. @throws JobError where it is too short for that */
export function runBacktest(task: BacktestTask): Backtest {
  const { id, levels } = task;
  const question = readQuestion(task);
  const { grid, input } = question;
  const tested = foldsOf(task, question, levels);
  if (!tested) throw new JobError('The series is too short to hold back a part of it and forecast that.');
  const unseen = grid.values.length - input.values.length;
  const at = (index: number) => isoInstant(grid.timeAt(unseen + index));
  return {
    prediction_id: id,
    horizon: tested.horizon,
    folds: tested.folds.map(({ end, point, quantiles, naive, halfScale }) => ({
      origin: at(end - 1),
      ...(halfScale > 0 ? { scale: 2 * halfScale } : {}),
      points: Array.from(point, (value, step) => {
        const actual = input.values[end + step];
        return {
          timestamp: at(end + step),
          ...(Number.isFinite(actual) ? { actual } : {}),
          value,
          seasonal_naive: naive[step],
          quantiles: Object.fromEntries(levels.map((level, index) => [String(level), quantiles[index][step]])),
        };
      }),
    })),
  };
}

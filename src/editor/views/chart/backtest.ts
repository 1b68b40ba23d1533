import { inDigits } from '../../../calendar/digits.ts';
import * as vscode from 'vscode';
import { type QuantilePair, quantilePairs } from '../../../chart/chart-view.ts';
import { lastSeason } from '../../../chart/figures.ts';
import type { Frequency } from '../../../calendar/frequency.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { Backtest, BacktestFold } from '../../../contract/local.ts';
import type { BacktestView, FoldView } from './protocol.ts';
import { coverageOf, meanOf, scoresOf } from './comparison.ts';

/** The interval that is drawn, where a forecast has it; else its widest one. */
const DRAWN = 80;

/** How a forecast did when it was made again in the past, step by step and interval by interval, beside repeating the last season. */
export function backtestView(
  backtest: Backtest,
  frequency: Frequency | undefined,
  period: number | undefined,
): BacktestView {
  const { folds, horizon } = backtest;
  const span = stepNoun(frequency, horizon);
  const intervals = quantilePairs(Object.keys(folds[0]?.points[0]?.quantiles ?? {}));
  const drawn = intervals.find(({ level }) => level === DRAWN) ?? intervals.at(-1);
  const model = scoresOf(backtest);
  const naive = scoresOf(backtest, undefined, 'seasonal_naive');
  const naiveLabel = vscode.l10n.t('Repeating {0}', lastSeason(frequency, period));
  return {
    sentences: [
      folds.length === 1
        ? vscode.l10n.t(
            'The forecast was repeated from one point in the past, {0} ahead, without seeing the values that followed.',
            span,
          )
        : vscode.l10n.t(
            'The forecast was repeated from {0} points in the past, each {1} ahead, without seeing the values that followed.',
            folds.length,
            span,
          ),
      ...verdict(model.mase, naive.mase, naiveLabel),
    ],
    folds: folds.map((fold) => foldView(fold, drawn)),
    ...(drawn ? { level: drawn.level } : {}),
    scores: [
      { label: vscode.l10n.t('Forecast'), ...model },
      { label: naiveLabel, ...naive },
    ],
    errors: { model: errorsOf(folds, horizon, 'value'), naive: errorsOf(folds, horizon, 'seasonal_naive') },
    coverage: intervals.flatMap(({ level, low, high }) => {
      const covered = coverageOf(
        folds.flatMap(({ points }) => points),
        low,
        high,
      );
      return covered === undefined ? [] : [{ level, covered: covered * 100 }];
    }),
    naiveLabel,
  };
}

function verdict(mase: number | undefined, naive: number | undefined, label: string): string[] {
  if (mase === undefined || naive === undefined || !(naive > 0)) return [];
  const percent = Math.round(Math.abs(1 - mase / naive) * 100);
  const scores = [label, inDigits(mase, 2), inDigits(naive, 2)] as const;
  if (percent === 0) return [vscode.l10n.t('As good as “{0}”: MASE {1} and {2}.', ...scores)];
  return mase < naive
    ? [vscode.l10n.t('{0}% better than “{1}”: MASE {2} instead of {3}.', percent, ...scores)]
    : [vscode.l10n.t('{0}% worse than “{1}”: MASE {2} instead of {3}.', percent, ...scores)];
}

function foldView({ cutoff, points }: BacktestFold, interval: QuantilePair | undefined): FoldView {
  const times = Float64Array.from(points, ({ timestamp }) => parseTimestamp(timestamp));
  const limit = (key: string | undefined) =>
    Float64Array.from(points, ({ quantiles }) => (key === undefined ? NaN : (quantiles?.[key] ?? NaN)));
  return {
    origin: parseTimestamp(cutoff),
    forecast: { times, values: Float64Array.from(points, ({ value }) => value) },
    naive: { times, values: Float64Array.from(points, (point) => point.seasonal_naive) },
    lower: limit(interval?.low),
    upper: limit(interval?.high),
  };
}

const errorsOf = (folds: readonly BacktestFold[], horizon: number, value: 'value' | 'seasonal_naive'): Float64Array =>
  Float64Array.from({ length: horizon }, (_, step) => {
    const points = folds.map((fold) => fold.points[step]);
    const errors = points.map((point) =>
      point?.actual === undefined ? undefined : Math.abs(point.actual - point[value]),
    );
    return meanOf(errors) ?? NaN;
  });

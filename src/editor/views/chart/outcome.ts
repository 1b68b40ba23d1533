import * as vscode from 'vscode';
import { inSignificant } from '../../../calendar/digits.ts';
import { parseDuration } from '../../../calendar/duration.ts';
import type { Frequency } from '../../../calendar/frequency.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { chartView } from '../../../chart/chart-view.ts';
import { valueAt } from '../../../chart/frame.ts';
import type { Forecast, Points } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/resources.ts';
import type { Held } from '../../connection/memory.ts';
import { meanOf } from './comparison.ts';

export const frequencyOf = (prediction: LocalPrediction | undefined): Frequency | undefined =>
  prediction?.details?.frequency ? parseDuration(prediction.details.frequency) : undefined;

export interface Outcome {
  readonly actual: Points;
  readonly coverage: Held;
  readonly sentence: string;
}

/** The level of the interval that is evaluated. */
const LEVEL = 80;
/** So many steps in a row on one side of the interval are not chance. */
const MISSED = 3;

/**
 * Compares a forecast with the observations since it was made.
 * @param observed the series as its file has it now
 * @returns undefined if there are none yet
 */
export function outcomeOf(prediction: LocalPrediction, observed: Points): Outcome | undefined {
  const { forecast, history } = chartView(prediction, { timeZone: 'UTC' });
  const last = history.times.at(-1);
  if (!forecast || last === undefined) return undefined;
  const steps = [...forecast.times]
    .map((time, step) => ({ time, step, value: time > last ? valueAt(observed, time) : NaN }))
    .filter(({ value }) => Number.isFinite(value));
  if (steps.length === 0) return undefined;
  const coverage = coverageOf(forecast, steps, frequencyOf(prediction));
  const error = meanError(steps, (step) => forecast.values[step]);
  const period = Math.max(1, Math.round(prediction.details?.seasonal_periods?.[0] ?? 1));
  const naive = meanError(steps, (step) => history.values.at((step % period) - period) ?? NaN);
  return {
    actual: {
      times: Float64Array.from(steps, ({ time }) => time),
      values: Float64Array.from(steps, ({ value }) => value),
    },
    coverage,
    sentence: sentenceOf(coverage, error, naive),
  };
}

interface Step {
  readonly step: number;
  readonly value: number;
}

function coverageOf({ intervals, values }: Forecast, steps: readonly Step[], frequency: Frequency | undefined): Held {
  const interval =
    intervals.find(({ level }) => level === LEVEL) ?? intervals.toSorted((a, b) => a.level - b.level).at(-1);
  if (!interval) return { of: steps.length };
  const sides = steps
    .filter(({ step }) => Number.isFinite(values[step]))
    .map(({ step, value }) => (value > interval.upper[step] ? 1 : value < interval.lower[step] ? -1 : 0));
  const end = sides.at(-1) ?? 0;
  const run = sides.length - 1 - sides.findLastIndex((one) => one !== end);
  return {
    of: sides.length,
    inside: sides.filter((one) => one === 0).length,
    level: interval.level,
    ...(end !== 0 && run >= MISSED ? { missed: end > 0 ? 'above' : 'below', span: stepNoun(frequency, run) } : {}),
  };
}

const meanError = (steps: readonly Step[], expected: (step: number) => number): number | undefined =>
  meanOf(steps.map(({ step, value }) => Math.abs(value - expected(step))).filter(Number.isFinite));

/** “covered 9 of 10”, or “above the 80% interval for 4 weeks” */
export function coverageText({ of, inside, level = LEVEL, missed, span = '' }: Held): string | undefined {
  if (missed === 'above') return vscode.l10n.t('above the {0}% interval for {1}', level, span);
  if (missed === 'below') return vscode.l10n.t('below the {0}% interval for {1}', level, span);
  return inside === undefined ? undefined : vscode.l10n.t('covered {0} of {1}', inside, of);
}

function sentenceOf(coverage: Held, error: number | undefined, naive: number | undefined): string {
  const { of, inside, level, missed } = coverage;
  const short = (value: number) => inSignificant(value, 3);
  const text = coverageText(coverage) ?? '';
  return [
    of === 1
      ? vscode.l10n.t('One observation has arrived since this forecast was made.')
      : vscode.l10n.t('{0} observations have arrived since this forecast was made.', of),
    inside !== undefined &&
      level !== undefined &&
      vscode.l10n.t('{0} of {1} lie inside the {2}% interval.', inside, of, level),
    missed !== undefined && `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`,
    error !== undefined &&
      naive !== undefined &&
      vscode.l10n.t('Mean absolute error: {0}; of the seasonal naive baseline: {1}.', short(error), short(naive)),
  ]
    .filter(Boolean)
    .join(' ');
}

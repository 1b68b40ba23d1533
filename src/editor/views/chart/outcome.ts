import * as vscode from 'vscode';
import { chartView } from '../../../chart/chart-view.ts';
import { valueAt } from '../../../chart/frame.ts';
import type { Forecast, Points } from '../../../chart/types.ts';
import type { Frequency } from '../../../calendar/frequency.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { parseDuration } from '../../../calendar/duration.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Held } from '../../connection/memory.ts';
import { meanOf } from './comparison.ts';
import { inSignificant } from '../../../calendar/digits.ts';

/** What has come of a forecast, and how it did. */
export interface Outcome {
  /** The observations at the steps of the forecast, so far. */
  readonly actual: Points;
  readonly coverage: Held;
  /** In words, for the head of the chart. */
  readonly sentence: string;
}

/** The level by which a forecast is judged. */
const LEVEL = 80;
/** This many steps in a row on one side of the interval are not chance. */
const MISSED = 3;

/**
 * Holds a forecast against the observations that have come since it was made.
 * @param observed the series as its file has it now
 * @returns undefined where nothing has come yet
 */
export function outcomeOf(prediction: LocalPrediction, observed: Points): Outcome | undefined {
  const { forecast, history } = chartView(prediction, { timeZone: 'UTC' });
  if (!forecast || history.times.length === 0) return undefined;
  const last = history.times.at(-1)!;
  const steps = matched(forecast, observed, last);
  if (steps.length === 0) return undefined;
  const actual = {
    times: Float64Array.from(steps, ({ step }) => forecast.times[step]),
    values: Float64Array.from(steps, ({ value }) => value),
  };
  const frequency = prediction.details?.frequency ? parseDuration(prediction.details.frequency) : undefined;
  const coverage = coverageOf(forecast, steps, frequency);
  const error = meanError(steps, (step) => forecast.values[step]);
  const period = Math.max(1, Math.round(prediction.details?.seasonal_periods?.[0] ?? 1));
  const naive = meanError(steps, (step) => history.values.at((step % period) - period) ?? NaN);
  return { actual, coverage, sentence: sentenceOf(coverage, error, naive) };
}

interface Step {
  readonly step: number;
  readonly value: number;
}

/** The steps of a forecast that were observed after its history, by their times. */
const matched = ({ times }: Forecast, observed: Points, last: number): Step[] =>
  [...times]
    .map((time, step) => ({ step, value: time > last ? valueAt(observed, time) : NaN }))
    .filter(({ value }) => Number.isFinite(value));

function coverageOf({ intervals, values }: Forecast, steps: readonly Step[], frequency: Frequency | undefined): Held {
  const interval =
    intervals.find(({ level }) => level === LEVEL) ?? intervals.toSorted((a, b) => a.level - b.level).at(-1);
  if (!interval) return { of: steps.length };
  const side = ({ step, value }: Step) => (value > interval.upper[step] ? 1 : value < interval.lower[step] ? -1 : 0);
  const known = steps.filter(({ step }) => Number.isFinite(values[step]));
  const sides = known.map(side);
  const inside = sides.filter((one) => one === 0).length;
  const end = sides.at(-1) ?? 0;
  const run = sides.length - 1 - sides.findLastIndex((one) => one !== end);
  const isMissed = end !== 0 && run >= MISSED;
  return {
    of: known.length,
    inside,
    level: interval.level,
    ...(isMissed ? { missed: end > 0 ? 'above' : 'below', span: stepNoun(frequency, run) } : {}),
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
  const { of, inside, level } = coverage;
  const arrived =
    of === 1
      ? vscode.l10n.t('One observation has arrived since this forecast was made.')
      : vscode.l10n.t('{0} observations have arrived since this forecast was made.', of);
  const interval =
    inside === undefined || level === undefined
      ? undefined
      : vscode.l10n.t('{0} of {1} lie inside the {2}% interval.', inside, of, level);
  const short = (value: number) => inSignificant(value, 3);
  const errors =
    error === undefined || naive === undefined
      ? undefined
      : vscode.l10n.t('Mean absolute error: {0}; of the seasonal naive baseline: {1}.', short(error), short(naive));
  const missed = coverage.missed === undefined ? undefined : `${capital(coverageText(coverage) ?? '')}.`;
  return [arrived, interval, missed, errors].filter(Boolean).join(' ');
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

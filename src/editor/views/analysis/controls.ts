import * as vscode from 'vscode';
import type { Capabilities } from '../../../client/capabilities.ts';
import { approximateStep, cycleLengths, fixedStep, type Frequency } from '../../../calendar/frequency.ts';
import { stepNoun } from '../../../calendar/words.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import { PointQuantiles } from '../../../contract/local.ts';
import { type ChartControls, type Look, LOOKS } from './protocol.ts';

/** A model to choose for a forecast. */
export interface ModelChoice {
  readonly id: string;
  readonly label: string;
  readonly isTuned: boolean;
}

/** Longer forecasts are refused by the local service. */
const MOST_STEPS = 10_000;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Spans that people plan with, in milliseconds, and from which length of a step on they are of use. */
const SPANS: readonly (readonly [least: number, spans: readonly number[]])[] = [
  [360 * DAY, [2, 3, 5, 10].map((years) => years * 365.25 * DAY)],
  [80 * DAY, [1, 2, 3, 5].map((years) => years * 365.25 * DAY)],
  [27 * DAY, [0.25, 0.5, 1, 2, 3].map((years) => years * 365.25 * DAY)],
  [6 * DAY, [28 * DAY, 91 * DAY, 182 * DAY, 364 * DAY]],
  [DAY, [7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY, 365 * DAY]],
  [HOUR, [DAY, 2 * DAY, 7 * DAY, 14 * DAY]],
  [60_000, [HOUR, 6 * HOUR, DAY, 7 * DAY]],
  [0, [60_000, 600_000, HOUR]],
];

/** Quick picks of a horizon: whole steps of spans that people plan with. */
export function horizonPicks(frequency: Frequency | undefined): { steps: number; label: string }[] {
  const pick = (steps: number) => ({ steps, label: stepNoun(frequency, steps) });
  if (!frequency) return [6, 12, 24, 52].map(pick);
  const step = fixedStep(frequency) ?? approximateStep(frequency);
  const spans = SPANS.find(([least]) => step >= least)?.[1] ?? [];
  const { day, week } = cycleLengths(frequency);
  // of open time, where some is closed
  const lengthOf = (span: number) => (span >= WEEK ? (span * week) / WEEK : span >= DAY ? (span * day) / DAY : span);
  const steps = spans
    .map((span) => Math.round(lengthOf(span) / step))
    .filter((count) => count >= 1 && count <= MOST_STEPS);
  return [...new Set(steps)].map(pick);
}

/** What a step is called in the plural. */
export function unitOf(frequency: Frequency | undefined): string {
  const [number, ...words] = stepNoun(frequency, 3).split(' ');
  return number === '3' ? words.join(' ') : vscode.l10n.t('steps of {0}', stepNoun(frequency, 1));
}

/** The bands that a forecast has, in per cent, rising. */
export function bandsOf(prediction: LocalPrediction): number[] {
  const parsed = PointQuantiles.safeParse(prediction.prediction_series?.[0]?.metadata);
  const levels = parsed.success ? Object.keys(parsed.data.quantiles).map(Number) : [];
  const lower = levels.filter((level) => level < 0.5 && levels.some((other) => Math.abs(other + level - 1) < 1e-9));
  return lower.map((level) => Number(((1 - 2 * level) * 100).toPrecision(6))).sort((a, b) => a - b);
}

/** What a service can tell of its forecasts. */
const looksOf = (offers: Capabilities): Look[] =>
  LOOKS.filter((look) =>
    offers.has(({ backtest: 'getBacktest', parts: 'getParts', odd: 'findOddPoints' } as const)[look]),
  );

/** What can be changed of a forecast at its service. */
export function controlsOf(
  prediction: LocalPrediction,
  frequency: Frequency | undefined,
  offers: Capabilities,
  models: readonly ModelChoice[],
  { former, back }: Pick<ChartControls, 'former' | 'back'>,
): ChartControls {
  const takes = (field: string) => offers.takes('createPrediction', field);
  const steps = prediction.prediction_series?.length ?? 0;
  const most = Math.min(MOST_STEPS, offers.rules('createPrediction', 'prediction_length')?.maximum ?? MOST_STEPS);
  const id = prediction.ai_model_id;
  const isKnown = models.some((model) => model.id === id);
  const choices = id === undefined || isKnown ? models : [{ id, label: id, isTuned: false }, ...models];
  const bands = bandsOf(prediction);
  return {
    ...(takes('prediction_length')
      ? { horizon: { steps, most, unit: unitOf(frequency), picks: horizonPicks(frequency) } }
      : {}),
    ...(id !== undefined && choices.length > 1 ? { model: { id, choices } } : {}),
    ...(takes('quantile_levels') && bands.length > 0 ? { bands } : {}),
    ...(back === undefined ? {} : { back }),
    looks: looksOf(offers),
    canCompare: (prediction.input_series?.length ?? 0) > 0,
    former,
  };
}

import * as vscode from 'vscode';
import { DAY, HOUR, WEEK } from '../../../calendar/civil.ts';
import { formatInstant, stepNoun } from '../../../calendar/format.ts';
import { approximateStep, cycleLengths, fixedStep, type Frequency } from '../../../calendar/frequency.ts';
import { zoneOf } from '../../../calendar/zone.ts';
import { gainOf, knownOf, quantilePairs, short, signed } from '../../../chart/chart-view.ts';
import type { Capabilities } from '../../../client/capabilities.ts';
import { takesCovariates } from '../../../client/fit.ts';
import { type LocalPrediction, PointQuantiles } from '../../../contract/resources.ts';
import type { KnownColumn, ReadSeries } from '../../../reading/types.ts';
import { analysesOf } from './analyses.ts';

export const MOST_STEPS = 10_000; // the local service refuses longer forecasts

const SPANS = [
  // that people plan with, in milliseconds
  ...[60_000, 600_000, HOUR, 6 * HOUR, DAY],
  ...[1, 2, 4].map((weeks) => weeks * WEEK),
  ...[0.25, 0.5, 1, 2, 3, 5, 10].map((years) => years * 365.25 * DAY),
];
const MOST_PICKS = 6;

export function horizonPicks(frequency: Frequency | undefined, most = MOST_STEPS): { steps: number; label: string }[] {
  const pick = (steps: number) => ({ steps, label: stepNoun(frequency, steps) });
  if (!frequency) return [6, 12, 24, 52].filter((steps) => steps <= most).map(pick);
  const step = fixedStep(frequency) ?? approximateStep(frequency);
  const { day, week } = cycleLengths(frequency);
  const lengthOf = (span: number) => (span >= WEEK ? (span * week) / WEEK : span >= DAY ? (span * day) / DAY : span);
  const steps = SPANS.map((span) => Math.round(lengthOf(span) / step)).filter((count) => count > 1 && count <= most);
  return [...new Set(steps)].slice(0, MOST_PICKS).map(pick);
}

export function unitOf(frequency: Frequency | undefined): string {
  const [number, ...words] = stepNoun(frequency, 3).split(' ');
  return number === '3' ? words.join(' ') : vscode.l10n.t('steps of {0}', stepNoun(frequency, 1));
}

export const quantileLevels = ({ prediction_series: ahead }: LocalPrediction): number[] =>
  Object.keys(PointQuantiles.safeParse(ahead?.[0]?.metadata).data?.quantiles ?? {})
    .map(Number)
    .sort((a, b) => a - b);

/** The levels of the intervals of a forecast in percent, ascending. */
export const intervalLevels = (prediction: LocalPrediction): readonly number[] =>
  quantilePairs(quantileLevels(prediction).map(String)).map(({ level }) => level);

export interface ModelChoice {
  readonly id: string;
  readonly label: string;
  readonly isTuned: boolean;
}

export interface Means {
  readonly offers?: Capabilities | undefined;
  readonly models: readonly ModelChoice[];
  readonly tests?: ReadonlyMap<string, boolean> | undefined;
}

/** How the service in use can change a forecast. @param series as its file has it now, if it is forecast from its file */
export function controlsOf(
  {
    prediction,
    ref,
    offers,
    models,
    tests,
  }: Means & { prediction: LocalPrediction; ref: { former?: readonly string[] | undefined } },
  frequency: Frequency | undefined,
  series: ReadSeries | undefined,
) {
  const takes = (field: string) => offers?.takes('createPrediction', field) ?? false;
  const { prediction_series: ahead = [], input_series: past = [] } = prediction;
  const most = Math.min(MOST_STEPS, offers?.rules('createPrediction', 'prediction_length')?.maximum ?? MOST_STEPS);
  const horizon = { steps: ahead.length, most, unit: unitOf(frequency), picks: horizonPicks(frequency, most) };
  const intervals = intervalLevels(prediction);
  return {
    horizon: takes('prediction_length') ? horizon : undefined,
    model: offers && modelControl(prediction.ai_model_id, models),
    intervals: takes('quantile_levels') && intervals.length > 0 ? intervals : undefined,
    columns:
      offers && takesCovariates(offers, 'createPrediction')
        ? columnsView(prediction, series, tests, offers.has('testCovariates'))
        : undefined,
    back: ref.former?.length ? vscode.l10n.t('Back to the Previous Forecast') : undefined,
    analyses: offers ? analysesOf(offers) : [],
    canCompare: offers !== undefined && past.length > 0,
  };
}

function modelControl(id: string | undefined, models: readonly ModelChoice[]) {
  if (id === undefined) return undefined;
  const isKnown = models.some((model) => model.id === id);
  const choices = isKnown ? models : [{ id, label: id, isTuned: false }, ...models];
  return choices.length > 1 ? { id, choices } : undefined;
}

export function columnsOf(series: readonly ReadSeries[]): readonly KnownColumn[] {
  const columns = series[0]?.beside?.columns ?? [];
  const values = new Set(series.map(({ valueColumn }) => valueColumn));
  const isAhead = columns.some(({ ahead, isCalendar }) => ahead > 0 && !isCalendar);
  return columns.filter(({ name, isCalendar }) => isCalendar || (isAhead && !values.has(name)));
}

export function howFar({ ahead, isCalendar }: KnownColumn, series: ReadSeries): string {
  if (isCalendar) return vscode.l10n.t('known for any horizon');
  const until = series.beside?.futureTimes[ahead - 1];
  if (until === undefined) return vscode.l10n.t('known for the past only');
  if (series.timeKind === 'row') return vscode.l10n.t('known for {0} more rows', ahead);
  const zone = zoneOf(series.timeZone ?? 'UTC');
  return vscode.l10n.t('known until {0}', formatInstant(until, series.frequency, zone));
}

export const helpWords = (helps: boolean): string =>
  helps ? vscode.l10n.t('Helped in a backtest') : vscode.l10n.t('Did not help in a backtest');

export const offeredTo = ({ details, input_series: points }: LocalPrediction): readonly string[] =>
  details?.covariates?.offered ?? knownOf(points ?? [])?.columns.map(({ name }) => name) ?? [];

export function columnsView(
  prediction: LocalPrediction,
  series: ReadSeries | undefined,
  tests: ReadonlyMap<string, boolean> | undefined,
  canTest: boolean,
) {
  const offered = offeredTo(prediction);
  const inFile = series ? columnsOf([series]) : [];
  const others = offered.filter((name) => inFile.every((column) => column.name !== name));
  if (inFile.length + others.length === 0) return undefined;
  const choice = (name: string, far?: string) => {
    const isUsed = offered.includes(name);
    const helps = tests?.get(name);
    const found = isUsed ? worthOf(prediction, name) : helps === undefined ? undefined : helpWords(helps);
    return { name, isUsed, about: [far, found].filter(Boolean).join(' · ') };
  };
  const worth = worthOfAll(prediction);
  return {
    choices: [
      ...inFile.map((column) => choice(column.name, howFar(column, series!))),
      ...others.map((name) => choice(name)),
    ],
    ...(worth === undefined ? {} : { worth }),
    canTest: canTest && tests === undefined && inFile.some(({ name }) => !offered.includes(name)),
  };
}

/** The effect of a covariate: “+61 from 0 to 1”; of a text column for each word. */
function worthOf({ details }: LocalPrediction, name: string): string | undefined {
  const { used } = details?.covariates ?? {};
  if (!used) return undefined;
  const own = used.filter((each) => each.name === name || each.name.startsWith(`${name} = `));
  if (own.length === 0) return helpWords(false);
  const effects = own.map((each) =>
    each.name === name
      ? vscode.l10n.t('{0} from {1} to {2}', signed(each.effect), short(each.low), short(each.high))
      : vscode.l10n.t('{0} at “{1}”', signed(each.effect), each.name.slice(name.length + 3)),
  );
  return effects.join(', ');
}

function worthOfAll({ details }: LocalPrediction): string | undefined {
  const { used = [], offered = [], backtest } = details?.covariates ?? {};
  if (offered.length === 0) return undefined;
  if (used.length === 0) return vscode.l10n.t('None of these helped in a backtest, so the forecast does not use them.');
  if (!backtest || !(backtest.mae_without > 0)) return undefined;
  const figures = [gainOf(details!.covariates!), short(backtest.mae), short(backtest.mae_without)] as const;
  return vscode.l10n.t('In a backtest the error was {0}% smaller with them: {1} instead of {2}.', ...figures);
}

import * as vscode from 'vscode';
import { DAY } from '../../../calendar/civil.ts';
import { forecastDecimals, inPercent, inSignificant } from '../../../calendar/digits.ts';
import { isoInstant, stepNoun } from '../../../calendar/format.ts';
import { type Frequency, parseDuration } from '../../../calendar/frequency.ts';
import type { Forecast, Known, KnownColumn, Points } from '../../../chart/chart-view.ts';
import { chartView, knownOf } from '../../../chart/chart-view.ts';
import { indexOf, valueAt } from '../../../chart/frame.ts';
import type { Backtest, BacktestFold, LocalPrediction } from '../../../contract/resources.ts';
import { plainTable, rounded } from '../../../reading/writing/write.ts';
import { ago } from '../shared/ago.ts';
import type { Coverage } from '../../connection/memory.ts';
import type { OutgoingPoint } from '../../../reading/points.ts';

export const MOST_COMPARED = 4;

export interface Entry {
  readonly key: string;
  readonly label?: string | undefined;
  readonly named: LocalPrediction;
  readonly make?:
    | { readonly id: string }
    | {
        readonly from: LocalPrediction;
        readonly change?: { readonly model?: string | undefined; readonly horizon: number };
        readonly other?: { readonly scenario: string; readonly series: readonly OutgoingPoint[] } | undefined;
      };
  readonly prediction?: LocalPrediction;
  readonly isScenario?: boolean | undefined;
  readonly backtest?: Backtest;
  readonly sentence?: string;
}

export interface Comparison {
  readonly entries: readonly Entry[];
  readonly others: readonly LocalPrediction[];
}

interface Naming {
  readonly models: readonly { readonly id: string; readonly label: string }[];
  readonly nameOf: (prediction: LocalPrediction) => string;
  readonly at: (time: number) => string;
  readonly frequency: Frequency | undefined;
}

export function compareView({ entries, others }: Comparison, { models, nameOf, at, frequency }: Naming) {
  const tested = entries.flatMap(({ backtest }) => (backtest ? [backtest] : []));
  const origins = commonOrigins(tested);
  const scores = entries.map(({ backtest }) => backtest && scoresOf(backtest, origins));
  const best = bestOf(scores);
  const lines = entries.map(({ prediction }) => prediction && lineOf(prediction));
  const names = entries.map(({ label, named, prediction }) => label ?? nameOf(prediction ?? named));
  const labels = distinctLabels(names, entries, lines, at);
  const rows = entries.map((entry, index) => {
    const { key, prediction, sentence, isScenario = entries[0].isScenario } = entry;
    const [line, mainLine, isMain] = [lines[index], lines[0], index === 0];
    const state: 'pending' | 'done' | 'failed' = prediction ? 'done' : sentence === undefined ? 'pending' : 'failed';
    return {
      id: prediction?.id ?? key,
      label: labels[index],
      isMain,
      state,
      sentence,
      line,
      total: line && totalOf(line, isMain ? undefined : mainLine),
      difference:
        !isMain && line && mainLine && isScenario
          ? differenceWords([names[index], line], [names[0], mainLine], at)
          : undefined,
      scores: scores[index],
      isBest: index === best,
    };
  });
  const used = new Set(entries.flatMap(({ named, prediction }) => [named.ai_model_id, prediction?.id]));
  return {
    rows,
    most: MOST_COMPARED,
    about: tested.length > 0 ? aboutScores(origins.size, stepNoun(frequency, tested[0].horizon)) : undefined,
    models: models.filter(({ id }) => !used.has(id)).map(({ id, label }) => ({ id, label })),
    predictions: others.filter(({ id }) => !used.has(id)).map((one) => ({ id: one.id, label: nameOf(one) })),
  };
}

const NONE = new Float64Array();
const UTC = { timeZone: 'UTC' };

const lineOf = (prediction: LocalPrediction): Points =>
  chartView({ ...prediction, input_series: [] }, UTC).forecast ?? { times: NONE, values: NONE };

function aboutScores(origins: number, span: string): string {
  if (origins === 0)
    return vscode.l10n.t(
      'These forecasts cannot be compared: there is no time in the past from which all of them could be repeated.',
    );
  return vscode.l10n.t(
    'Backtest scores from the same points in the past ({0}), each {1} ahead. MASE and sMAPE: lower is better.',
    origins,
    span,
  );
}

const distinctLabels = (
  names: readonly string[],
  entries: readonly Entry[],
  lines: readonly (Points | undefined)[],
  at: (time: number) => string,
): string[] =>
  names.map((name, index) => {
    const starts = lines.filter((_, other) => names[other] === name).map((line) => line?.times[0]);
    if (starts.length < 2) return name;
    const start = lines[index]?.times[0];
    const isDistinct = start !== undefined && starts.filter((one) => one === start).length === 1;
    const { prediction } = entries[index];
    const about = isDistinct ? vscode.l10n.t('from {0}', at(start)) : ago(prediction?.created_at);
    return about === undefined ? name : `${name} · ${about}`;
  });

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);
const figure = (value: number): string => inSignificant(value, 4);
const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : '±'}${figure(Math.abs(value))}`;
const percentOf = (change: number, before: number): string => {
  const percent = (100 * change) / Math.abs(before);
  return Number.isFinite(percent) ? inPercent(signed(Number(percent.toPrecision(2)))) : signed(change);
};

/** “1,374 (+12%)”: the sum of a line, compared with a main line of the same steps. */
export function totalOf(line: Points, main: Points | undefined): string {
  const total = sumOf(line.values);
  const isSameSteps = main?.times.length === line.times.length && main.times.every((time, i) => time === line.times[i]);
  if (!isSameSteps) return figure(total);
  const before = sumOf(main.values);
  return `${figure(total)} (${percentOf(total - before, before)})`;
}

type Named = readonly [name: string, line: Points];

export function differenceWords([name, line]: Named, [mainName, main]: Named, at: (time: number) => string) {
  const steps = [...line.times].flatMap((time, step) => {
    const before = valueAt(main, time);
    return Number.isNaN(before) ? [] : [{ time, change: line.values[step] - before, before }];
  });
  if (steps.length === 0) return undefined;
  const total = sumOf(steps.map(({ change }) => change));
  const largest = steps.reduce((a, b) => (Math.abs(b.change) > Math.abs(a.change) ? b : a));
  if (largest.change === 0) return vscode.l10n.t('“{0}” is the same as “{1}” at every step.', name, mainName);
  const share = percentOf(total, sumOf(steps.map(({ before }) => before)));
  const most = vscode.l10n.t('the largest at {0}: {1}', at(largest.time), signed(largest.change));
  const words = [name, figure(Math.abs(total)), mainName, steps.length, share, most] as const;
  return total >= 0
    ? vscode.l10n.t('“{0}” is {1} higher than “{2}” over the {3} steps ({4}), {5}.', ...words)
    : vscode.l10n.t('“{0}” is {1} lower than “{2}” over the {3} steps ({4}), {5}.', ...words);
}

type Cell = string | number | undefined;
type Column = readonly [name: string, cells: readonly Cell[]];

/** A row for each step: of each forecast the covariates in which it differs, its intervals, and the difference from the first. */
export function comparedTable(compared: readonly { readonly label: string; readonly prediction: LocalPrediction }[]) {
  const all = compared.map(({ label, prediction }) => {
    const { history, forecast = { times: NONE, values: NONE, intervals: [] } } = chartView(prediction, UTC);
    const decimals = forecastDecimals(history.values, forecast.intervals);
    return { label, forecast, decimals, known: knownOf(prediction.input_series ?? []) };
  });
  const times = Float64Array.from(new Set(all.flatMap(({ forecast }) => [...forecast.times]))).sort();
  const cellsOf = (known: Known | undefined, name: string): Cell[] => {
    const column = known?.columns.find((one) => one.name === name);
    return [...times].map((time) => (column ? cellOf(column, column.values[indexOf(known!.times, time)]) : undefined));
  };
  const differing = [...new Set(all.flatMap(({ known }) => known?.columns.map(({ name }) => name) ?? []))].filter(
    (name) => new Set(all.map(({ known }) => JSON.stringify(cellsOf(known, name)))).size > 1,
  );
  const [main] = all;
  const columns = all.flatMap(({ label, forecast, decimals, known }, index): Column[] => {
    const numbers = (name: string, of: (time: number) => number): Column => [
      name,
      rounded(times.map(of), decimals).map((value) => (Number.isFinite(value) ? value : undefined)),
    ];
    const line = (name: string, values: Float64Array) =>
      numbers(name, (time) => valueAt({ times: forecast.times, values }, time));
    const difference = (time: number) => valueAt(forecast, time) - valueAt(main.forecast, time);
    return [
      ...differing.map((name): Column => [`${label} · ${name}`, cellsOf(known, name)]),
      line(label, forecast.values),
      ...forecast.intervals
        .toSorted((a, b) => a.level - b.level)
        .flatMap(({ level, lower, upper }) => [
          line(`${label} · lower_${level}`, lower),
          line(`${label} · upper_${level}`, upper),
        ]),
      ...(index === 0 ? [] : [numbers(vscode.l10n.t('{0} − {1}', label, main.label), difference)]),
    ];
  });
  const letters = times.every((time) => time % DAY === 0) ? 10 : undefined;
  return plainTable([
    ['timestamp', ...columns.map(([name]) => name)],
    ...[...times].map((time, row) => [isoInstant(time).slice(0, letters), ...columns.map(([, cells]) => cells[row])]),
  ]);
}

export function cellOf({ kind, texts }: KnownColumn, value = NaN): string | number | undefined {
  if (Number.isNaN(value)) return undefined;
  return kind === 'text' ? texts?.[value] : value;
}

export function commonOrigins(backtests: readonly Backtest[]): ReadonlySet<string> {
  const [first = [], ...others] = backtests.map(({ folds }) => folds.map(originOf));
  return new Set(first.filter((origin) => others.every((one) => one.includes(origin))));
}

const originOf = ({ cutoff, points }: BacktestFold): string => `${cutoff} ${points.length}`;

type Scores = Readonly<Partial<Record<'mase' | 'smape' | 'coverage80', number>>>;

/**
 * The scores of a backtest: sMAPE in percent (0 to 200) and MASE as in the M4 competition (Makridakis, Spiliotis and
 * Assimakopoulos 2018), and the coverage of the 80% interval. Steps without an observation are not scored.
 * @param origins from {@link commonOrigins}; all if absent
 */
export function scoresOf(
  { folds }: Backtest,
  origins?: ReadonlySet<string>,
  value: 'value' | 'seasonal_naive' = 'value',
): Scores {
  const scored = folds
    .filter((fold) => !origins || origins.has(originOf(fold)))
    .flatMap(({ points, scale }) => points.map((point) => ({ ...point, scale })))
    .flatMap(({ actual, ...point }) => (actual === undefined ? [] : [{ ...point, actual }]));
  const errors = scored.map((point) => Math.abs(point.actual - point[value]));
  const mase = meanOf(scored.map(({ scale }, index) => (scale === undefined ? scale : errors[index] / scale)));
  const smape = meanOf(
    scored.map((point, index) => {
      const size = Math.abs(point.actual) + Math.abs(point[value]);
      return errors[index] === 0 ? 0 : (200 * errors[index]) / size;
    }),
  );
  return { mase, smape, coverage80: value === 'value' ? coverageOf(scored, '0.1', '0.9') : undefined };
}

export const coverageOf = (
  points: readonly { readonly actual?: number; readonly quantiles?: Readonly<Record<string, number>> | undefined }[],
  low: string,
  high: string,
): number | undefined =>
  meanOf(
    points.map(({ actual, quantiles }) => {
      const [lower, upper] = [quantiles?.[low], quantiles?.[high]];
      if (actual === undefined || lower === undefined || upper === undefined) return undefined;
      return actual >= lower && actual <= upper ? 1 : 0;
    }),
  );

/** The mean of the known numbers; `undefined` if there is none, or if it is not finite. */
export function meanOf(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  const mean = sumOf(known) / known.length;
  return Number.isFinite(mean) ? mean : undefined;
}

/** The index of the lowest MASE, else of the lowest sMAPE; -1 for fewer than two scores. */
export function bestOf(scores: readonly (Scores | undefined)[]): number {
  for (const measure of ['mase', 'smape'] as const) {
    const known = scores.map((one) => one?.[measure] ?? Infinity);
    if (known.filter(Number.isFinite).length >= 2) return known.indexOf(Math.min(...known));
  }
  return -1;
}

export const frequencyOf = (prediction: LocalPrediction | undefined): Frequency | undefined =>
  prediction?.details?.frequency ? parseDuration(prediction.details.frequency) : undefined;

const LEVEL = 80;
const MISSED = 3; // so many steps in a row on one side of the interval are not chance

/** @param observed the series as its file has it now @returns undefined if nothing was observed yet */
export function outcomeOf(prediction: LocalPrediction, observed: Points) {
  const { forecast, history } = chartView(prediction, UTC);
  const last = history.times.at(-1);
  if (!forecast || last === undefined) return undefined;
  const valueOf = (step: number) => valueAt(observed, forecast.times[step]);
  const isSeen = (step: number) => forecast.times[step] > last && Number.isFinite(valueOf(step));
  const steps = [...forecast.times.keys()].filter(isSeen);
  if (steps.length === 0) return undefined;
  const times = Float64Array.from(steps, (step) => forecast.times[step]);
  const errorOf = (expected: (step: number) => number) =>
    meanOf(steps.map((step) => Math.abs(valueOf(step) - expected(step))).filter(Number.isFinite));
  const period = Math.max(1, Math.round(prediction.details?.seasonal_periods?.[0] ?? 1));
  const naive = errorOf((step) => history.values.at((step % period) - period) ?? NaN);
  const coverage = coverageSoFar(forecast, steps, valueOf, frequencyOf(prediction));
  const error = errorOf((step) => forecast.values[step]);
  const line = { times, values: Float64Array.from(steps, valueOf) };
  return { line, coverage, sentence: sentenceOf(coverage, error, naive) };
}

function coverageSoFar(
  { intervals, values }: Forecast,
  steps: readonly number[],
  valueOf: (step: number) => number,
  frequency: Frequency | undefined,
): Coverage {
  const interval = intervals.find(({ level }) => level === LEVEL) ?? intervals.at(0);
  if (!interval) return { of: steps.length };
  const sides = steps
    .filter((step) => Number.isFinite(values[step]))
    .map((step) => Number(valueOf(step) > interval.upper[step]) - Number(valueOf(step) < interval.lower[step]));
  const end = sides.at(-1) ?? 0;
  const run = sides.length - 1 - sides.findLastIndex((one) => one !== end);
  return {
    of: sides.length,
    inside: sides.filter((one) => one === 0).length,
    level: interval.level,
    ...(end !== 0 && run >= MISSED ? { missed: end > 0 ? 'above' : 'below', span: stepNoun(frequency, run) } : {}),
  };
}

/** “covered 9 of 10”, or “above the 80% interval for 4 weeks” */
export function coverageText({ of, inside, level = LEVEL, missed, span = '' }: Coverage): string | undefined {
  if (missed === 'above') return vscode.l10n.t('above the {0}% interval for {1}', level, span);
  if (missed === 'below') return vscode.l10n.t('below the {0}% interval for {1}', level, span);
  return inside === undefined ? undefined : vscode.l10n.t('covered {0} of {1}', inside, of);
}

function sentenceOf(coverage: Coverage, error: number | undefined, naive: number | undefined): string {
  const { of, inside, level, missed } = coverage;
  const short = (value: number) => inSignificant(value, 3);
  const text = coverageText(coverage) ?? '';
  return [
    vscode.l10n.t('Observations since this forecast was made: {0}.', of),
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

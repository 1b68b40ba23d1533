import * as vscode from 'vscode';
import { forecastDecimals, inSignificant, inPercent } from '../../../calendar/digits.ts';
import { isoInstant } from '../../../calendar/format.ts';
import type { Frequency } from '../../../calendar/frequency.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { chartView, knownOf } from '../../../chart/chart-view.ts';
import { valueAt } from '../../../chart/frame.ts';
import type { Known, Points } from '../../../chart/types.ts';
import type { Backtest, BacktestFold, LocalPrediction } from '../../../contract/local.ts';
import type { OutgoingPoint } from '../../../reading/points.ts';
import { rounded } from '../../../reading/writing/forecast-columns.ts';
import { plainTable } from '../../../reading/writing/plain.ts';
import { ago } from '../shared/ago.ts';
import type { CompareRow, CompareView, ModelChoice, Scores } from './protocol.ts';

/** Most forecasts over each other. */
export const MOST_COMPARED = 4;

/** One of the forecasts that lie over each other; one that is neither there nor failed is being made. */
export interface Entry {
  /** Stays the same while it is made. */
  readonly key: string;
  readonly label: string;
  /** Which model makes it; absent for what was stored. */
  readonly model?: string | undefined;
  /** How it is made, where it is not there yet: the one of this id is read, or one is made like another one. */
  readonly make?:
    | { readonly id: string }
    | { readonly from: LocalPrediction; readonly model?: string | undefined; readonly horizon?: number | undefined }
    | { readonly from: LocalPrediction; readonly scenario: string; readonly series: readonly OutgoingPoint[] };
  readonly prediction?: LocalPrediction;
  readonly isScenario?: boolean;
  readonly backtest?: Backtest;
  /** Why it, or its backtest, could not be made. */
  readonly sentence?: string;
}

/** Forecasts of one series that lie over each other, the main one first. */
export interface Comparison {
  /** Distinguishes it from comparisons that were closed. */
  readonly run: number;
  readonly entries: readonly Entry[];
  /** Other predictions of the series. */
  readonly others: readonly LocalPrediction[];
}

/** What a prediction is called among others of its series. */
export type NameOf = (prediction: LocalPrediction) => string;

const entryOf = (run: number, prediction: LocalPrediction, nameOf: NameOf): Entry => ({
  key: `${run} ${prediction.id}`,
  label: nameOf(prediction),
  prediction,
});

export const openedWith = (run: number, main: LocalPrediction, nameOf: NameOf): Comparison => ({
  run,
  entries: [entryOf(run, main, nameOf)],
  others: [],
});

/** Adds an entry if there is room and it is new. @param id its unique key */
export function withEntry(comparison: Comparison, id: string, entry: Omit<Entry, 'key'>): Comparison {
  const key = `${comparison.run} ${id}`;
  const { entries } = comparison;
  const isThere = entries.some((one) => one.key === key || one.prediction?.id === id);
  return isThere || entries.length >= MOST_COMPARED
    ? comparison
    : { ...comparison, entries: [...entries, { ...entry, key }] };
}

/** With a scenario over the main line; where there is no room, in the place of the last one. */
export function withScenario(
  comparison: Comparison,
  scenario: { readonly name: string; readonly series: readonly OutgoingPoint[] },
  from: LocalPrediction,
): Comparison {
  const room = { ...comparison, entries: comparison.entries.slice(0, MOST_COMPARED - 1) };
  const make = { from, scenario: scenario.name, series: scenario.series };
  return withEntry(room, `scenario-${crypto.randomUUID()}`, { label: scenario.name, make, isScenario: true });
}

/**
 * Adds the result of an entry. Of several entries of the same prediction, such as a scenario made twice, the first
 * stays.
 */
export function withMade(comparison: Comparison, key: string, parts: Partial<Entry>): Comparison {
  const entries = comparison.entries.map((entry) => (entry.key === key ? { ...entry, ...parts } : entry));
  const ids = entries.map(({ key: own, prediction }) => prediction?.id ?? own);
  return { ...comparison, entries: entries.filter((_, index) => ids.indexOf(ids[index]) === index) };
}

/**
 * Another one is the main line. What lies beside it stays, with the former one where there is room; where the horizon is
 * another one, all of it is made again for that, and the new line takes the place of the former one.
 */
export function withMain(comparison: Comparison, main: LocalPrediction, nameOf: NameOf): Comparison {
  const { run, entries } = comparison;
  const known = entries.find(({ prediction }) => prediction?.id === main.id);
  if (known) return { ...comparison, entries: [known, ...entries.filter((entry) => entry !== known)] };
  const [former, ...others] = entries;
  const horizon = main.prediction_series?.length;
  const entry = entryOf(run, main, nameOf);
  if (horizon !== undefined && horizon !== former?.prediction?.prediction_series?.length)
    return { ...comparison, entries: [entry, ...others.map((one) => again(one, main, horizon))] };
  // the former one can be stepped back to; the others are what the person compares with
  return { ...comparison, entries: [entry, ...(entries.length >= MOST_COMPARED ? others : entries)] };
}

/** What lies beside the main line, as far ahead as that. */
function again({ key, label, model, prediction, isScenario }: Entry, main: LocalPrediction, horizon: number): Entry {
  const from = prediction ? { ...prediction, input_series: prediction.input_series ?? main.input_series } : main;
  const make = { from, model: prediction?.ai_model_id ?? model, horizon };
  return { key: `${key} ${horizon}`, label, model, make, ...(isScenario ? { isScenario } : {}) };
}

/** What the page shows of it. @param at a moment in words */
export function compareView(
  { entries, others }: Comparison,
  {
    models,
    nameOf,
    at,
    frequency,
  }: {
    readonly models: readonly ModelChoice[];
    readonly nameOf: NameOf;
    readonly at: (time: number) => string;
    readonly frequency: Frequency | undefined;
  },
): CompareView {
  const tested = entries.flatMap(({ backtest }) => (backtest ? [backtest] : []));
  const origins = commonOrigins(tested);
  const scores = entries.map(({ backtest }) => backtest && scoresOf(backtest, origins));
  const best = bestOf(scores);
  const lines = entries.map(({ prediction }) => prediction && lineOf(prediction));
  const labels = distinctLabels(entries, lines, at);
  const [main, mainLine] = [entries[0], lines[0]];
  const rows = entries.map((entry, index): CompareRow => {
    const [line, scored] = [lines[index], scores[index]];
    const { key, prediction, sentence } = entry;
    const isMain = index === 0;
    const hasDifference = !isMain && line && mainLine && (entry.isScenario ?? main.isScenario);
    const difference = hasDifference ? differenceWords([entry.label, line], [main.label, mainLine], at) : undefined;
    return {
      id: prediction?.id ?? key,
      label: labels[index],
      isMain,
      state: prediction ? 'done' : sentence === undefined ? 'pending' : 'failed',
      ...(sentence === undefined ? {} : { sentence }),
      ...(line ? { line, total: totalOf(line, isMain ? undefined : mainLine) } : {}),
      ...(difference === undefined ? {} : { difference }),
      ...(scored ? { scores: scored } : {}),
      isBest: index === best,
    };
  });
  const used = new Set(entries.flatMap(({ model, prediction }) => [model, prediction?.id, prediction?.ai_model_id]));
  return {
    rows,
    most: MOST_COMPARED,
    ...(tested.length > 0 ? { about: aboutScores(origins.size, stepNoun(frequency, tested[0].horizon)) } : {}),
    models: models.filter(({ id }) => !used.has(id)).map(({ id, label }) => ({ id, label })),
    predictions: others.filter(({ id }) => !used.has(id)).map((one) => ({ id: one.id, label: nameOf(one) })),
  };
}

/** A prediction by itself, without a setting of what is shown. */
const UTC = { timeZone: 'UTC' };

const lineOf = (prediction: LocalPrediction): Points =>
  chartView({ ...prediction, input_series: [] }, UTC).forecast ?? { times: NONE, values: NONE };

function aboutScores(origins: number, span: string): string {
  if (origins === 0)
    return vscode.l10n.t(
      'These forecasts cannot be compared: there is no time in the past from which all of them could be repeated.',
    );
  if (origins === 1)
    return vscode.l10n.t(
      'Backtest scores from one point in the past, {0} ahead. MASE and sMAPE: lower is better.',
      span,
    );
  return vscode.l10n.t(
    'Backtest scores from the same {0} points in the past, each {1} ahead. MASE and sMAPE: lower is better.',
    origins,
    span,
  );
}

/** Makes equal labels distinct by where their forecasts begin, or else when they were made. */
function distinctLabels(
  entries: readonly Entry[],
  lines: readonly (Points | undefined)[],
  at: (time: number) => string,
): string[] {
  const starts = lines.map((line) => line?.times[0]);
  return entries.map(({ label, prediction }, index) => {
    const same = starts.filter((_, other) => entries[other].label === label);
    if (same.length < 2) return label;
    const start = starts[index];
    const isApart = start !== undefined && same.filter((one) => one === start).length === 1;
    const apart = isApart ? vscode.l10n.t('from {0}', at(start)) : ago(prediction?.created_at, Date.now());
    return apart === undefined ? label : `${label} · ${apart}`;
  });
}

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);
const figure = (value: number): string => inSignificant(value, 4);
const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : '±'}${figure(Math.abs(value))}`;
const percentOf = (change: number, before: number): string => {
  const percent = (100 * change) / Math.abs(before);
  return Number.isFinite(percent) ? inPercent(signed(Number(percent.toPrecision(2)))) : signed(change);
};

/** “1,374 (+12 %)”: all steps of a line together, beside another one of the same steps. */
export function totalOf(line: Points, main: Points | undefined): string {
  const total = sumOf(line.values);
  const isSameSteps = main?.times.length === line.times.length && main.times.every((time, i) => time === line.times[i]);
  if (!isSameSteps) return figure(total);
  const before = sumOf(main.values);
  return `${figure(total)} (${percentOf(total - before, before)})`;
}

type Named = readonly [name: string, line: Points];

/** How a forecast differs from another one, in a sentence. */
export function differenceWords(
  [name, line]: Named,
  [mainName, main]: Named,
  at: (time: number) => string,
): string | undefined {
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
  const by = figure(Math.abs(total));
  const words = [name, by, mainName, steps.length, share, most] as const;
  return total >= 0
    ? vscode.l10n.t('“{0}” is {1} higher than “{2}” over the {3} steps ({4}), {5}.', ...words)
    : vscode.l10n.t('“{0}” is {1} lower than “{2}” over the {3} steps ({4}), {5}.', ...words);
}

/** A forecast that lies over others. */
export interface Compared {
  readonly label: string;
  readonly prediction: LocalPrediction;
}

const DAY = 86_400_000;
const NONE = new Float64Array();

/**
 * Forecasts beside each other as a table, a row for each step: of each the covariates where it differs, the
 * forecast with its limits, and how it differs from the first one.
 */
export function comparedTable(compared: readonly Compared[]): string {
  const all = compared.map(({ label, prediction }) => {
    const { history, forecast = { times: NONE, values: NONE, intervals: [] } } = chartView(prediction, UTC);
    const decimals = forecastDecimals(history.values, forecast.intervals);
    return { label, forecast, decimals, known: knownOf(prediction.input_series ?? []) };
  });
  const times = Float64Array.from(new Set(all.flatMap(({ forecast }) => [...forecast.times]))).sort();
  const isDated = times.every((time) => time % DAY === 0);
  const given = all.map(({ known }) => cellsOf(known, times));
  const names = [...new Set(given.flatMap((cells) => [...cells.keys()]))];
  const none = [...times].map(() => undefined);
  const differing = names.filter(
    (name) => new Set(given.map((cells) => JSON.stringify(cells.get(name) ?? none))).size > 1,
  );
  const columns = all.flatMap(({ label, forecast, decimals }, index): Column[] => {
    const main = all[0];
    const numbers = (name: string, of: (time: number) => number): Column => [
      name,
      [...rounded(times.map(of), decimals)].map((value) => (Number.isFinite(value) ? value : undefined)),
    ];
    const line = (name: string, values: Float64Array) =>
      numbers(name, (time) => valueAt({ times: forecast.times, values }, time));
    const limits = forecast.intervals.toSorted((a, b) => a.level - b.level);
    const difference = (time: number) => valueAt(forecast, time) - valueAt(main.forecast, time);
    return [
      ...differing.map((name): Column => [`${label} · ${name}`, given[index].get(name) ?? none]),
      line(label, forecast.values),
      ...limits.flatMap(({ level, lower, upper }) => [
        line(`${label} · lower_${level}`, lower),
        line(`${label} · upper_${level}`, upper),
      ]),
      ...(index === 0 ? [] : [numbers(vscode.l10n.t('{0} − {1}', label, main.label), difference)]),
    ];
  });
  const written = [...times].map((time) => (isDated ? isoInstant(time).slice(0, 10) : isoInstant(time)));
  return plainTable([
    ['timestamp', ...columns.map(([name]) => name)],
    ...written.map((time, row) => [time, ...columns.map(([, cells]) => cells[row])]),
  ]);
}

type Cell = string | number | undefined;
type Column = readonly [name: string, cells: readonly Cell[]];

/** What is known at some moments, by the names of the columns. */
const cellsOf = (known: Known | undefined, times: Float64Array): ReadonlyMap<string, readonly Cell[]> =>
  new Map(
    known?.columns.map(({ name, kind, texts, values }) => {
      const cells = [...times].map((time): Cell => {
        const value = valueAt({ times: known.times, values }, time);
        if (Number.isNaN(value)) return undefined;
        return kind === 'text' ? texts?.[value] : value;
      });
      return [name, cells];
    }),
  );

/** The origins that all of these backtests have, as instants. */
export function commonOrigins(backtests: readonly Backtest[]): ReadonlySet<string> {
  const [first, ...others] = backtests.map(({ folds }) => new Set(folds.map(keyOf)));
  return new Set([...(first ?? [])].filter((origin) => others.every((one) => one.has(origin))));
}

/** An origin with what follows it: of two horizons only the shorter one could be compared. */
const keyOf = ({ cutoff, points }: BacktestFold): string => `${cutoff} ${points.length}`;

/**
 * The scores of some folds: sMAPE in per cent (0 to 200) and MASE as the M4 competition has them (Makridakis, Spiliotis and
 * Assimakopoulos 2018), and the share inside the 80 % interval. Steps without an observation are not scored.
 * @param origins as {@link commonOrigins} gives them; all where absent
 */
export function scoresOf(
  { folds }: Backtest,
  origins?: ReadonlySet<string>,
  value: 'value' | 'seasonal_naive' = 'value',
): Scores {
  const scored = folds
    .filter((fold) => !origins || origins.has(keyOf(fold)))
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
  const coverage80 = value === 'value' ? coverageOf(scored, '0.1', '0.9') : undefined;
  return {
    ...(mase === undefined ? {} : { mase }),
    ...(smape === undefined ? {} : { smape }),
    ...(coverage80 === undefined ? {} : { coverage80 }),
  };
}

/** The share of actual values between two quantiles, of those with both. */
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

/** The mean of the numbers that are known; `undefined` of none, and where it is not finite. */
export function meanOf(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  const mean = sumOf(known) / known.length;
  return Number.isFinite(mean) ? mean : undefined;
}

/** Which of some scores is the best: the lowest MASE, else the lowest sMAPE; none of fewer than two. */
export function bestOf(scores: readonly (Scores | undefined)[]): number {
  for (const measure of ['mase', 'smape'] as const) {
    const known = scores.map((one) => one?.[measure]);
    if (known.filter((value) => value !== undefined).length < 2) continue;
    const least = Math.min(...known.map((value) => value ?? Infinity));
    return known.indexOf(least);
  }
  return -1;
}

import * as vscode from 'vscode';
import { forecastDecimals, inSignificant, inPercent } from '../../../calendar/digits.ts';
import { isoInstant } from '../../../calendar/format.ts';
import type { Frequency } from '../../../calendar/frequency.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { chartView } from '../../../chart/chart-view.ts';
import { knownOf } from '../../../chart/known.ts';
import type { Forecast, Known, Points } from '../../../chart/types.ts';
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
  /** Tells it from those that were closed before. */
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

/** With one more, where there is room and it is not there. @param id which tells it from the others */
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

/** With what came of an entry; of several of the same prediction, as of a scenario made twice, the first one stays. */
export function withMade(comparison: Comparison, key: string, parts: Partial<Entry>): Comparison {
  const entries = comparison.entries.map((entry) => (entry.key === key ? { ...entry, ...parts } : entry));
  const ids = entries.map(({ key: own, prediction }) => prediction?.id ?? own);
  return { ...comparison, entries: entries.filter((_, index) => ids.indexOf(ids[index]) === index) };
}

/**
 * Another one is the main line. What lies beside it stays, with the former one where there is room; where the horizon is
 * another one, all of it is made again for that, and the new line takes the place of the former one.
 */
export function turnedTo(comparison: Comparison, main: LocalPrediction, nameOf: NameOf): Comparison {
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
    const isTold = !isMain && line && mainLine && (entry.isScenario ?? main.isScenario);
    const difference = isTold ? differenceWords([entry.label, line], [main.label, mainLine], at) : undefined;
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

function lineOf(prediction: LocalPrediction): Points {
  const { forecast } = chartView({ ...prediction, input_series: [] }, { timeZone: 'UTC' });
  return { times: forecast?.times ?? new Float64Array(), values: forecast?.values ?? new Float64Array() };
}

function aboutScores(origins: number, span: string): string {
  if (origins === 0)
    return vscode.l10n.t('These forecasts have no time in the past in common from which they could be compared.');
  return origins === 1
    ? vscode.l10n.t(
        'Scores of forecasts made again at one time in the past, {0} ahead. MASE and sMAPE: lower is better.',
        span,
      )
    : vscode.l10n.t(
        'Scores of forecasts made again at the same {0} times in the past, {1} ahead each. MASE and sMAPE: lower is better.',
        origins,
        span,
      );
}

/** Labels with what tells those of the same label apart: where their forecasts begin, else when they were made. */
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
  const other = new Map([...main.times].map((time, step) => [time, main.values[step]]));
  const steps = [...line.times].flatMap((time, step) => {
    const before = other.get(time);
    return before === undefined ? [] : [{ time, change: line.values[step] - before, before }];
  });
  if (steps.length === 0) return undefined;
  const total = sumOf(steps.map(({ change }) => change));
  const largest = steps.reduce((a, b) => (Math.abs(b.change) > Math.abs(a.change) ? b : a));
  if (largest.change === 0) return vscode.l10n.t('“{0}” is the same as “{1}” at every step.', name, mainName);
  const share = percentOf(total, sumOf(steps.map(({ before }) => before)));
  const most = vscode.l10n.t('the most at {0}: {1}', at(largest.time), signed(largest.change));
  const by = figure(Math.abs(total));
  return total >= 0
    ? vscode.l10n.t(
        '“{0}” is {1} higher than “{2}” over the {3} steps ({4}), {5}.',
        name,
        by,
        mainName,
        steps.length,
        share,
        most,
      )
    : vscode.l10n.t(
        '“{0}” is {1} lower than “{2}” over the {3} steps ({4}), {5}.',
        name,
        by,
        mainName,
        steps.length,
        share,
        most,
      );
}

/** A forecast that lies over others. */
export interface Compared {
  readonly label: string;
  readonly prediction: LocalPrediction;
}

const DAY = 86_400_000;

/**
 * Forecasts beside each other as a table, a row for each step: of each the covariates where it differs, the
 * forecast with its limits, and how it differs from the first one.
 */
export function comparedTable(compared: readonly Compared[]): string {
  const all = compared.map(({ label, prediction }) => {
    const { history, forecast = { times: new Float64Array(), values: new Float64Array(), intervals: [] } } = chartView(
      prediction,
      { timeZone: 'UTC' },
    );
    const { values } = history;
    return {
      label,
      forecast,
      decimals: forecastDecimals(values, forecast.intervals),
      known: knownOf(prediction.input_series ?? []),
    };
  });
  const times = [...new Set(all.flatMap(({ forecast }) => [...forecast.times]))].sort((a, b) => a - b);
  const isDated = times.every((time) => time % DAY === 0);
  const differing = differingColumns(
    all.map(({ known }) => known),
    times,
  );
  const [main] = all;
  const columns = all.flatMap((one) => {
    const { label, forecast, decimals, known } = one;
    const given = differing.map((name) => ({ name: `${label} · ${name}`, cells: cellsOf(known, name, times) }));
    const difference =
      one === main
        ? []
        : [
            {
              name: vscode.l10n.t('{0} − {1}', label, main.label),
              cells: differences(forecast, main.forecast, times, decimals),
            },
          ];
    return [...given, ...forecastColumns(label, forecast, times, decimals), ...difference];
  });
  const written = times.map((time) => (isDated ? isoInstant(time).slice(0, 10) : isoInstant(time)));
  return plainTable([
    ['timestamp', ...columns.map(({ name }) => name)],
    ...written.map((time, row) => [time, ...columns.map(({ cells }) => cells[row])]),
  ]);
}

type Cell = string | number | undefined;

interface Column {
  readonly name: string;
  readonly cells: readonly Cell[];
}

const numbers = (values: Float64Array, decimals: number): Cell[] =>
  [...rounded(values, decimals)].map((value) => (Number.isFinite(value) ? value : undefined));

function forecastColumns(
  label: string,
  { times, values, intervals }: Forecast,
  at: readonly number[],
  decimals: number,
): Column[] {
  // prettier-ignore
  const place = new Map([...times].map((time, step) => [time, step]));
  const aligned = (of: Float64Array) =>
    numbers(
      Float64Array.from(at, (time) => of[place.get(time) ?? -1] ?? NaN),
      decimals,
    );
  return [
    { name: label, cells: aligned(values) },
    ...intervals
      .toSorted((a, b) => a.level - b.level)
      .flatMap(({ level, lower, upper }) => [
        { name: `${label} · lower_${level}`, cells: aligned(lower) },
        { name: `${label} · upper_${level}`, cells: aligned(upper) },
      ]),
  ];
}

function differences(forecast: Forecast, main: Forecast, at: readonly number[], decimals: number): Cell[] {
  const before = new Map([...main.times].map((time, step) => [time, main.values[step]]));
  const now = new Map([...forecast.times].map((time, step) => [time, forecast.values[step]]));
  return numbers(
    Float64Array.from(at, (time) => (now.get(time) ?? NaN) - (before.get(time) ?? NaN)),
    decimals,
  );
}

function cellsOf(known: Known | undefined, name: string, at: readonly number[]): Cell[] {
  const column = known?.columns.find((one) => one.name === name);
  if (!known || !column) return at.map(() => undefined);
  const place = new Map([...known.times].map((time, row) => [time, row]));
  return at.map((time): Cell => {
    const value = column.values[place.get(time) ?? -1] ?? NaN;
    if (Number.isNaN(value)) return undefined;
    return column.kind === 'text' ? column.texts?.[value] : value;
  });
}

/** The columns of which not all say the same. */
function differingColumns(all: readonly (Known | undefined)[], at: readonly number[]): string[] {
  const names = new Set(all.flatMap((known) => known?.columns.map(({ name }) => name) ?? []));
  return [...names].filter((name) => new Set(all.map((known) => JSON.stringify(cellsOf(known, name, at)))).size > 1);
}

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
  const smape = new Mean();
  const mase = new Mean();
  const inside = new Mean();
  for (const fold of folds) {
    if (origins && !origins.has(keyOf(fold))) continue;
    for (const point of fold.points) {
      const { actual, quantiles } = point;
      if (actual === undefined) continue;
      const error = Math.abs(actual - point[value]);
      smape.add(error === 0 ? 0 : (200 * error) / (Math.abs(actual) + Math.abs(point[value])));
      if (fold.scale !== undefined) mase.add(error / fold.scale);
      const { '0.1': low, '0.9': high } = quantiles ?? {};
      if (low !== undefined && high !== undefined) inside.add(actual >= low && actual <= high ? 1 : 0);
    }
  }
  return {
    ...(mase.known === undefined ? {} : { mase: mase.known }),
    ...(smape.known === undefined ? {} : { smape: smape.known }),
    ...(inside.known === undefined || value !== 'value' ? {} : { coverage80: inside.known }),
  };
}

/** A running mean. */
export class Mean {
  #sum = 0;
  #count = 0;

  add(value: number): void {
    this.#sum += value;
    this.#count++;
  }

  /** `undefined` of nothing, and where it is not finite. */
  get known(): number | undefined {
    const mean = this.#sum / this.#count;
    return Number.isFinite(mean) ? mean : undefined;
  }

  get count(): number {
    return this.#count;
  }
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

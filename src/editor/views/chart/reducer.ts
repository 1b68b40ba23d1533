import * as vscode from 'vscode';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { Capabilities } from '../../../client/capabilities.ts';
import type { Backtest, LocalPrediction } from '../../../contract/resources.ts';
import type { OutgoingPoint } from '../../../reading/points.ts';
import type { ReadSeries } from '../../../reading/types.ts';
import type {
  Analyses,
  Analysis,
  ChartIntent,
  ChartRef,
  Found,
  FoundAnalyses,
  ModelChoice,
  PredictionRef,
  Supposed,
} from './protocol.ts';

export interface Chart {
  readonly ref: ChartRef;
  readonly prediction?: LocalPrediction | undefined;
  readonly problem?: unknown;
  /** Whether its file still has the numbers that were forecast. */
  readonly isCurrent: boolean;
  /** The series as its file has it now, with the calendar columns once they are known. */
  readonly series?: ReadSeries | undefined;
  readonly tests?: ReadonlyMap<string, boolean> | undefined;
  /** Absent if the service of the prediction is not in use, or not known yet. */
  readonly offers?: Capabilities | undefined;
  readonly models: readonly ModelChoice[];
  readonly offered: readonly Analysis[];
  readonly analyses: FoundAnalyses;
  readonly runs: number;
  readonly comparison?: Comparison | undefined;
}

export const startOf = (ref: ChartRef): Chart => ({
  ref,
  isCurrent: true,
  models: [],
  offered: [],
  analyses: {},
  runs: 0,
});

export const MOST_COMPARED = 4;

/** A forecast of a comparison. Without a prediction and without a sentence, it is being made. */
export interface Entry {
  readonly key: string;
  readonly label: string;
  readonly model?: string | undefined;
  /** How it is obtained: by reading this id, or by a forecast like another one. */
  readonly make?:
    | { readonly id: string }
    | { readonly from: LocalPrediction; readonly model?: string | undefined; readonly horizon?: number | undefined }
    | { readonly from: LocalPrediction; readonly scenario: string; readonly series: readonly OutgoingPoint[] };
  readonly prediction?: LocalPrediction;
  readonly isScenario?: boolean;
  readonly backtest?: Backtest;
  readonly sentence?: string;
}

export interface Comparison {
  /** Distinguishes it from comparisons that were closed. */
  readonly run: number;
  readonly entries: readonly Entry[];
  readonly others: readonly LocalPrediction[];
}

export type NameOf = (prediction: LocalPrediction) => string;

export type ChartEvent =
  | Extract<ChartIntent, { readonly type: 'suppose' | 'compare' }>
  /** Another prediction is shown. `isOfFile`: of the same series of the same file. */
  | { readonly type: 'show'; readonly ref: PredictionRef; readonly isOfFile: boolean }
  | { readonly type: 'loaded'; readonly prediction: LocalPrediction }
  | {
      readonly type: 'known';
      readonly facts: Partial<
        Pick<Chart, 'problem' | 'isCurrent' | 'series' | 'tests' | 'offers' | 'models' | 'offered'>
      >;
    }
  | { [A in Analysis]: { readonly type: 'found'; readonly analysis: A; readonly found: Found<Analyses[A]> } }[Analysis]
  | { readonly type: 'compare-with'; readonly others: readonly LocalPrediction[] }
  | { readonly type: 'others'; readonly others: readonly LocalPrediction[] }
  | { readonly type: 'entry'; readonly key: string; readonly result: Partial<Entry> };

const MOST_FORMER = 20;

export function reduce(chart: Chart, event: ChartEvent, nameOf: NameOf): Chart {
  const { prediction, comparison } = chart;
  switch (event.type) {
    case 'show':
      return withPrediction(chart, event.ref, event.isOfFile);
    case 'loaded': {
      const { prediction: loaded } = event;
      const now = { ...chart, prediction: loaded, problem: undefined, ...(prediction ? {} : { analyses: {} }) };
      const isCompared = comparison && loaded.prediction_series;
      return isCompared ? { ...now, comparison: withMain(comparison, loaded, nameOf) } : now;
    }
    case 'known':
      return { ...chart, ...event.facts };
    case 'found':
      return { ...chart, analyses: { ...chart.analyses, [event.analysis]: event.found } };
    case 'suppose':
      return prediction ? withScenario(chart, prediction, event, nameOf) : chart;
    case 'compare':
      return prediction ? { ...chart, ...compared(chart, prediction, event, nameOf) } : chart;
    case 'compare-with': {
      if (!prediction) return chart;
      const opened = openComparison(chart, prediction, nameOf);
      const all = event.others.reduce((now, other) => withOther(now, other, nameOf), opened.comparison);
      return { ...chart, ...opened, comparison: all };
    }
    case 'others':
      return comparison ? { ...chart, comparison: { ...comparison, others: event.others } } : chart;
    case 'entry':
      return comparison ? { ...chart, comparison: withResult(comparison, event.key, event.result) } : chart;
  }
}

function withPrediction(chart: Chart, { serviceId, predictionId }: PredictionRef, isOfFile: boolean): Chart {
  const { ref, series, tests, comparison } = chart;
  const isOtherService = ref.serviceId !== serviceId;
  const { former: before = [] } = ref;
  const isBack = before.at(-1) === predictionId;
  const former = isBack ? before.slice(0, -1) : [...before, ref.predictionId].slice(-MOST_FORMER);
  return {
    ...chart,
    ref: { serviceId, predictionId, former: isOtherService ? [] : former },
    prediction: undefined,
    problem: undefined,
    isCurrent: true,
    series: isOfFile ? series : undefined,
    tests: isOfFile ? tests : undefined,
    comparison: isOtherService ? undefined : comparison,
  };
}

const entryOf = (run: number, prediction: LocalPrediction, nameOf: NameOf): Entry => ({
  key: `${run} ${prediction.id}`,
  label: nameOf(prediction),
  prediction,
});

const openComparison = ({ runs }: Chart, main: LocalPrediction, nameOf: NameOf) => ({
  runs: runs + 1,
  comparison: { run: runs + 1, entries: [entryOf(runs + 1, main, nameOf)], others: [] } as Comparison,
});

function compared(
  chart: Chart,
  main: LocalPrediction,
  { do: what, id }: ChartIntent & { type: 'compare' },
  nameOf: NameOf,
): Partial<Chart> {
  const { comparison, models } = chart;
  if (what === 'open') return openComparison(chart, main, nameOf);
  if (!comparison) return {};
  const { entries, others } = comparison;
  switch (what) {
    case 'close':
      return { comparison: undefined };
    case 'add-model': {
      const label = models.find((model) => model.id === id)?.label ?? id;
      const make = { from: main, model: id, horizon: main.prediction_series?.length ?? 1 };
      return { comparison: withEntry(comparison, `model:${id}`, { label, model: id, make }) };
    }
    case 'add-prediction': {
      const other = others.find((one) => one.id === id);
      return other ? { comparison: withOther(comparison, other, nameOf) } : {};
    }
    case 'remove':
      return {
        comparison: { ...comparison, entries: entries.filter((one) => (one.prediction?.id ?? one.key) !== id) },
      };
    case 'save':
    case 'main':
      return {};
  }
}

/** Adds an entry if there is room and it is new. @param id its unique key */
function withEntry(comparison: Comparison, id: string, entry: Omit<Entry, 'key'>): Comparison {
  const key = `${comparison.run} ${id}`;
  const { entries } = comparison;
  const isKnown = entries.some((one) => one.key === key || one.prediction?.id === id);
  return isKnown || entries.length >= MOST_COMPARED
    ? comparison
    : { ...comparison, entries: [...entries, { ...entry, key }] };
}

const withOther = (comparison: Comparison, other: LocalPrediction, nameOf: NameOf): Comparison =>
  withEntry(comparison, other.id, { label: nameOf(other), make: { id: other.id } });

/** Of several entries of the same prediction, such as a scenario made twice, the first stays. */
function withResult(comparison: Comparison, key: string, result: Partial<Entry>): Comparison {
  const entries = comparison.entries.map((entry) => (entry.key === key ? { ...entry, ...result } : entry));
  const ids = entries.map(({ key: own, prediction }) => prediction?.id ?? own);
  return { ...comparison, entries: entries.filter((_, index) => ids.indexOf(ids[index]) === index) };
}

/**
 * Makes another prediction the main one. The former one stays if there is room. With another horizon, the others are made
 * again for it, and the new main one replaces the former one.
 */
function withMain(comparison: Comparison, main: LocalPrediction, nameOf: NameOf): Comparison {
  const { run, entries } = comparison;
  const known = entries.find(({ prediction }) => prediction?.id === main.id);
  if (known) return { ...comparison, entries: [known, ...entries.filter((entry) => entry !== known)] };
  const [former, ...others] = entries;
  const horizon = main.prediction_series?.length;
  const entry = entryOf(run, main, nameOf);
  if (horizon !== undefined && horizon !== former?.prediction?.prediction_series?.length)
    return { ...comparison, entries: [entry, ...others.map((one) => withHorizon(one, main, horizon))] };
  return { ...comparison, entries: [entry, ...(entries.length >= MOST_COMPARED ? others : entries)] };
}

function withHorizon({ key, label, model, prediction, isScenario }: Entry, main: LocalPrediction, horizon: number) {
  const from = prediction ? { ...prediction, input_series: prediction.input_series ?? main.input_series } : main;
  const make = { from, model: prediction?.ai_model_id ?? model, horizon };
  return { key: `${key} ${horizon}`, label, model, make, ...(isScenario ? { isScenario } : {}) };
}

/** Adds a scenario to the comparison; without room, it replaces the last entry. */
function withScenario(
  chart: Chart,
  from: LocalPrediction,
  { name, cells }: { readonly name: string; readonly cells: readonly Supposed[] },
  nameOf: NameOf,
): Chart {
  const { comparison, runs } = chart.comparison
    ? { comparison: chart.comparison, runs: chart.runs }
    : openComparison(chart, from, nameOf);
  const room = { ...comparison, entries: comparison.entries.slice(0, MOST_COMPARED - 1) };
  const label = name.trim() || scenarioName(cells);
  const make = { from, scenario: label, series: supposedSeries(from, cells) };
  return { ...chart, runs, comparison: withEntry(room, crypto.randomUUID(), { label, make, isScenario: true }) };
}

type Cells = Readonly<Record<string, unknown>>;
const covariatesOf = (metadata: Cells | undefined) => (metadata?.['covariates'] ?? {}) as Cells;

/** The points of a prediction with other future covariates; a `null` removes the value. */
export function supposedSeries(
  { input_series: given, prediction_series: ahead }: LocalPrediction,
  cells: readonly Supposed[],
): OutgoingPoint[] {
  const points = given ?? [];
  const byTime = Map.groupBy(cells, ({ time }) => time);
  const switches = new Set(
    points.flatMap(({ metadata }) =>
      Object.entries(covariatesOf(metadata)).flatMap(([name, cell]) => (typeof cell === 'boolean' ? [name] : [])),
    ),
  );
  const changed = (metadata: Cells | undefined, changes: readonly Supposed[]) => {
    const known = new Map(Object.entries(covariatesOf(metadata)));
    for (const { column, value } of changes) {
      if (value === null) known.delete(column);
      else known.set(column, switches.has(column) ? value === 1 : value);
    }
    return { ...metadata, covariates: Object.fromEntries(known) };
  };
  const known = points.map(({ timestamp, value, metadata }): OutgoingPoint => {
    const time = parseTimestamp(timestamp);
    const changes = value === undefined ? byTime.get(time) : undefined;
    byTime.delete(time);
    const now = changes ? changed(metadata, changes) : metadata;
    return { timestamp, value: value ?? null, ...(now ? { metadata: now } : {}) };
  });
  // steps of the forecast without a covariate so far
  const further = (ahead ?? []).flatMap(({ timestamp, metadata }): OutgoingPoint[] => {
    const changes = byTime.get(parseTimestamp(timestamp));
    const row = typeof metadata?.row === 'number' ? { row: metadata.row } : undefined;
    return changes ? [{ timestamp, value: null, metadata: changed(row, changes) }] : [];
  });
  return [...known, ...further];
}

/** A name for a scenario that has none: its columns and their value. */
export function scenarioName(cells: readonly Supposed[]): string {
  const byColumn = [...Map.groupBy(cells, ({ column }) => column)];
  const [[column, own] = ['', []]] = byColumn;
  const values = new Set(own.map(({ value }) => value));
  if (byColumn.length > 1 || values.size > 1) return byColumn.map(([name]) => name).join(', ');
  const value = String(own[0]?.value ?? '–');
  return own.length === 1
    ? vscode.l10n.t('{0} {1} at 1 step', column, value)
    : vscode.l10n.t('{0} {1} at {2} steps', column, value, own.length);
}

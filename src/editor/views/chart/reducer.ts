import * as vscode from 'vscode';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { Capabilities } from '../../../client/capabilities.ts';
import type { LocalPrediction } from '../../../contract/resources.ts';
import type { OutgoingPoint } from '../../../reading/points.ts';
import type { ReadSeries } from '../../../reading/types.ts';
import { type Comparison, type Entry, MOST_COMPARED } from './comparison.ts';
import type { ModelChoice } from './controls.ts';
import type {
  Analyses,
  Analysis,
  ChartIntent,
  ChartRef,
  Found,
  FoundAnalyses,
  PredictionRef,
  Supposed,
} from './protocol.ts';

/** What is known of a prediction besides itself, each part as soon as it is. */
interface Facts {
  readonly problem?: unknown;
  /** Whether its file still has the numbers that were forecast. */
  readonly isCurrent: boolean;
  /** The series as its file has it now, with the calendar columns once they are known. */
  readonly series?: ReadSeries | undefined;
  readonly tests?: ReadonlyMap<string, boolean> | undefined;
  /** Absent if the service of the prediction is not in use, or not known yet. */
  readonly offers?: Capabilities | undefined;
  readonly models: readonly ModelChoice[];
}

export interface Chart extends Facts {
  readonly ref: ChartRef;
  readonly prediction?: LocalPrediction | undefined;
  readonly analyses: FoundAnalyses;
  readonly comparison?: Comparison | undefined;
}

export const startOf = (ref: ChartRef): Chart => ({ ref, isCurrent: true, models: [], analyses: {} });

type Compare = ChartIntent & { readonly type: 'compare' };

export type ChartEvent =
  | (ChartIntent & { readonly type: 'suppose' })
  | (Compare & { readonly do: Exclude<Compare['do'], 'save' | 'main'> })
  /** Another prediction is shown. `isOfFile`: of the same series of the same file. */
  | { readonly type: 'show'; readonly ref: PredictionRef; readonly isOfFile: boolean }
  | { readonly type: 'loaded'; readonly prediction: LocalPrediction }
  | { readonly type: 'known'; readonly facts: Partial<Facts> }
  | { readonly type: 'found'; readonly analysis: Analysis; readonly found: Found<Analyses[Analysis]> }
  | { readonly type: 'compare-with'; readonly others: readonly LocalPrediction[] }
  | { readonly type: 'others'; readonly others: readonly LocalPrediction[] }
  | { readonly type: 'entry'; readonly key: string; readonly result: Partial<Entry> };

const MOST_FORMER = 20;

export function reduce(chart: Chart, event: ChartEvent): Chart {
  const { prediction, comparison } = chart;
  switch (event.type) {
    case 'show':
      return withPrediction(chart, event.ref, event.isOfFile);
    case 'loaded': {
      const { prediction: loaded } = event;
      const now = { ...chart, prediction: loaded, problem: undefined, ...(prediction ? {} : { analyses: {} }) };
      const isCompared = comparison && loaded.prediction_series;
      return isCompared ? { ...now, comparison: withMain(comparison, loaded) } : now;
    }
    case 'known':
      return { ...chart, ...event.facts };
    case 'found':
      return { ...chart, analyses: { ...chart.analyses, [event.analysis]: event.found } };
    case 'suppose':
      return prediction ? { ...chart, comparison: withScenario(comparison, prediction, event) } : chart;
    case 'compare':
      return prediction ? { ...chart, comparison: compared(chart, prediction, event) } : chart;
    case 'compare-with':
      return prediction ? { ...chart, comparison: event.others.reduce(withOther, comparisonOf(prediction)) } : chart;
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

const entryOf = (prediction: LocalPrediction): Entry => ({ key: prediction.id, named: prediction, prediction });
const comparisonOf = (main: LocalPrediction): Comparison => ({ entries: [entryOf(main)], others: [] });

function compared({ comparison, models }: Chart, main: LocalPrediction, { do: what, id }: ChartEvent & Compare) {
  if (what === 'open') return comparison ?? comparisonOf(main);
  if (!comparison || what === 'close') return undefined;
  const { entries, others } = comparison;
  if (what === 'remove')
    return { ...comparison, entries: entries.filter((one) => (one.prediction?.id ?? one.key) !== id) };
  if (what === 'add-prediction') return others.filter((one) => one.id === id).reduce(withOther, comparison);
  const label = models.find((model) => model.id === id)?.label ?? id;
  const change = { model: id, horizon: main.prediction_series?.length ?? 1 };
  const named = { ...main, ai_model_id: id };
  return withEntry(comparison, { key: `model:${id}`, label, named, make: { from: main, change } });
}

function withEntry(comparison: Comparison, entry: Entry): Comparison {
  const { entries } = comparison;
  const isKnown = entries.some(({ key, prediction }) => key === entry.key || prediction?.id === entry.key);
  return isKnown || entries.length >= MOST_COMPARED ? comparison : { ...comparison, entries: [...entries, entry] };
}

const withOther = (comparison: Comparison, other: LocalPrediction): Comparison =>
  withEntry(comparison, { key: other.id, named: other, make: { id: other.id } });

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
function withMain(comparison: Comparison, main: LocalPrediction): Comparison {
  const { entries } = comparison;
  const known = entries.find(({ prediction }) => prediction?.id === main.id);
  if (known) return { ...comparison, entries: [known, ...entries.filter((entry) => entry !== known)] };
  const [former, ...others] = entries;
  const horizon = main.prediction_series?.length;
  if (horizon !== undefined && horizon !== former?.prediction?.prediction_series?.length)
    return { ...comparison, entries: [entryOf(main), ...others.map((one) => withHorizon(one, main, horizon))] };
  return { ...comparison, entries: [entryOf(main), ...(entries.length >= MOST_COMPARED ? others : entries)] };
}

function withHorizon(entry: Entry, main: LocalPrediction, horizon: number): Entry {
  const { key, label, named, make: before, prediction, isScenario } = entry;
  const from = prediction ? { ...prediction, input_series: prediction.input_series ?? main.input_series } : main;
  const other = !prediction && before && 'from' in before ? before.other : undefined;
  const make = { from, change: { model: named.ai_model_id, horizon }, other };
  const { prediction_series: _, ...bare } = named;
  return { key: `${key} ${horizon}`, label, named: { ...bare, prediction_length: horizon }, make, isScenario };
}

/** Adds a scenario to the comparison; without room, it replaces the last entry. */
function withScenario(
  before: Comparison | undefined,
  from: LocalPrediction,
  { name, cells }: ChartIntent & { readonly type: 'suppose' },
): Comparison {
  const comparison = before ?? comparisonOf(from);
  const room = { ...comparison, entries: comparison.entries.slice(0, MOST_COMPARED - 1) };
  const label = name.trim() || scenarioName(cells);
  const make = { from, other: { scenario: label, series: supposedSeries(from, cells) } };
  return withEntry(room, { key: crypto.randomUUID(), label, named: from, make, isScenario: true });
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
  const times = new Set(points.map(({ timestamp }) => parseTimestamp(timestamp)));
  // steps of the forecast without a covariate so far
  const further = (ahead ?? []).flatMap(({ timestamp, metadata }) => {
    const time = parseTimestamp(timestamp);
    const row = typeof metadata?.row === 'number' ? { row: metadata.row } : undefined;
    return byTime.has(time) && !times.has(time) ? [{ timestamp, value: undefined, metadata: row }] : [];
  });
  return [...points, ...further].map(({ timestamp, value, metadata }): OutgoingPoint => {
    const changes = value === undefined ? byTime.get(parseTimestamp(timestamp)) : undefined;
    const now = changes ? changed(metadata, changes) : metadata;
    return { timestamp, value: value ?? null, ...(now ? { metadata: now } : {}) };
  });
}

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

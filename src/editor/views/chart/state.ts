import * as vscode from 'vscode';
import { inPercent } from '../../../calendar/digits.ts';
import { formatInstant, stepNoun } from '../../../calendar/format.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import { zoneOf } from '../../../calendar/zone.ts';
import { type Action, chartView, type ChartView, knownOf, type Notice, titleOf } from '../../../chart/chart-view.ts';
import { ServiceError } from '../../../client/errors.ts';
import type { LocalPrediction } from '../../../contract/resources.ts';
import type { OutgoingPoint } from '../../../reading/points.ts';
import type { ReadSeries } from '../../../reading/types.ts';
import type { App } from '../../app.ts';
import type { Note } from '../../connection/memory.ts';
import { setting } from '../../names.ts';
import { sentenceOf } from '../../ui/say.ts';
import { memo } from '../shared/memo.ts';
import type { Comparison, Entry } from './comparison.ts';
import { cellOf, compareView, frequencyOf, MOST_COMPARED, outcomeOf } from './comparison.ts';
import { controlsOf, type Means } from './controls.ts';
import type { ChartIntent, ChartRef, ChartState, FoundAnalyses, PredictionRef, Status, Supposed } from './protocol.ts';

export interface Chart extends Means {
  readonly ref: ChartRef;
  readonly prediction?: LocalPrediction | undefined;
  readonly problem?: unknown;
  readonly isCurrent: boolean;
  readonly series?: ReadSeries | undefined;
  readonly analyses: FoundAnalyses;
  readonly comparison?: Comparison | undefined;
  readonly toCompare?: readonly LocalPrediction[] | undefined;
}

export const startOf = (ref: ChartRef): Chart => ({ ref, isCurrent: true, models: [], analyses: {} });

const MOST_FORMER = 20;

/** A chart that shows another prediction. @param isOfFile whether it is of the same series of the same file */
export function showing(chart: Chart, { serviceId, predictionId }: PredictionRef, isOfFile: boolean): Chart {
  const { ref, series, tests, comparison } = chart;
  const isSameService = ref.serviceId === serviceId;
  const { former: before = [] } = ref;
  const isBack = before.at(-1) === predictionId;
  const former = isBack ? before.slice(0, -1) : [...before, ref.predictionId].slice(-MOST_FORMER);
  return {
    ...chart,
    ref: { serviceId, predictionId, former: isSameService ? former : [] },
    prediction: undefined,
    problem: undefined,
    isCurrent: true,
    series: isOfFile ? series : undefined,
    tests: isOfFile ? tests : undefined,
    comparison: isSameService ? comparison : undefined,
    toCompare: undefined,
  };
}

export function loaded(chart: Chart, prediction: LocalPrediction): Chart {
  const { comparison, toCompare } = chart;
  const now = { ...chart, prediction, problem: undefined, ...(chart.prediction ? {} : { analyses: {} }) };
  if (!prediction.prediction_series) return now;
  const known = comparison && { ...now, comparison: withMain(comparison, prediction) };
  return toCompare ? comparingWith(known ?? now, toCompare) : (known ?? now);
}

const entryOf = (prediction: LocalPrediction): Entry => ({ key: prediction.id, named: prediction, prediction });
const otherOf = (other: LocalPrediction): Entry => ({ key: other.id, named: other, make: { id: other.id } });
const comparisonOf = (main: LocalPrediction): Comparison => ({ entries: [entryOf(main)], others: [] });
const idOf = ({ key, prediction }: Entry): string => prediction?.id ?? key;

/** Compares these alone, of which what was compared already stays as it is, and what failed is tried again. */
export function comparingWith(chart: Chart, toCompare: readonly LocalPrediction[]): Chart {
  const { prediction, comparison } = chart;
  if (!prediction?.prediction_series) return { ...chart, toCompare };
  const { entries, others } = comparison ?? comparisonOf(prediction);
  const wanted = toCompare.map((one) => entries.find((entry) => idOf(entry) === one.id) ?? otherOf(one));
  const all = [...new Set([entries[0], ...wanted])].slice(0, MOST_COMPARED);
  const tried = all.map(({ sentence: _, ...entry }) => entry);
  return { ...chart, comparison: { entries: tried, others }, toCompare: undefined };
}

type Intent<T extends ChartIntent['type']> = ChartIntent & { readonly type: T };

export function compared(chart: Chart, { do: what, id }: Pick<Intent<'compare'>, 'do' | 'id'>): Chart {
  const { comparison, models, prediction: main } = chart;
  if (!main) return chart;
  const taking = (now: Comparison | undefined): Chart => ({ ...chart, comparison: now });
  if (what === 'open') return taking(comparison ?? comparisonOf(main));
  if (!comparison || what === 'close') return taking(undefined);
  const { entries, others } = comparison;
  if (what === 'remove') return taking({ ...comparison, entries: entries.filter((one) => idOf(one) !== id) });
  if (what === 'add-prediction') {
    const other = others.find((one) => one.id === id);
    return other ? taking(withEntry(comparison, otherOf(other))) : chart;
  }
  const label = models.find((model) => model.id === id)?.label ?? id;
  const change = { model: id, horizon: main.prediction_series?.length ?? 1 };
  const named = { ...main, ai_model_id: id };
  return taking(withEntry(comparison, { key: `model:${id}`, label, named, make: { from: main, change } }));
}

function withEntry(comparison: Comparison, entry: Entry): Comparison {
  const { entries } = comparison;
  const isKnown = entries.some(({ key, prediction }) => key === entry.key || prediction?.id === entry.key);
  return isKnown || entries.length >= MOST_COMPARED ? comparison : { ...comparison, entries: [...entries, entry] };
}

/** Of several entries of the same prediction, such as a scenario made twice, the first stays. */
export function withResult(chart: Chart, key: string, result: Partial<Entry>): Chart {
  const { comparison } = chart;
  if (!comparison) return chart;
  const entries = comparison.entries.map((entry) => (entry.key === key ? { ...entry, ...result } : entry));
  const ids = entries.map(idOf);
  const once = entries.filter((_, index) => ids.indexOf(ids[index]) === index);
  return { ...chart, comparison: { ...comparison, entries: once } };
}

/** Makes another prediction the main one; the former stays if there is room. Others follow to a new horizon. */
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
export function supposing(chart: Chart, { name, cells }: Pick<Intent<'suppose'>, 'name' | 'cells'>): Chart {
  const { prediction: from } = chart;
  if (!from) return chart;
  const { entries, others } = chart.comparison ?? comparisonOf(from);
  const room = { entries: entries.slice(0, MOST_COMPARED - 1), others };
  const label = name.trim() || scenarioName(cells);
  const make = { from, other: { scenario: label, series: supposedSeries(from, cells) } };
  const entry = { key: crypto.randomUUID(), label, named: from, make, isScenario: true };
  return { ...chart, comparison: withEntry(room, entry) };
}

type Cells = Readonly<Record<string, unknown>>;
const covariatesOf = (metadata: Cells | undefined) => (metadata?.['covariates'] ?? {}) as Cells;

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
  return vscode.l10n.t('{0} {1} (steps: {2})', column, value, own.length);
}

const LABELS = {
  again: vscode.l10n.t('Forecast Again'),
  'change-steps': vscode.l10n.t('Change Steps…'),
  'lay-over': vscode.l10n.t('Compare Both'),
  'leave-out': vscode.l10n.t('Forecast without Them'),
  mark: vscode.l10n.t('Mark in the File'),
  model: vscode.l10n.t('Choose a Model…'),
  retry: vscode.l10n.t('Try Again'),
  'set-token': vscode.l10n.t('Set Token…'),
  'show-reading': vscode.l10n.t('How It Is Read'),
  'stop-keeping': vscode.l10n.t('Stop'),
};
export type ActionId = keyof typeof LABELS | 'take-totals';

export const action = (id: keyof typeof LABELS): Action => ({ id, label: LABELS[id] });

/** Codes of failures that another model may not have; services of others have no codes. */
const OF_MODEL: readonly unknown[] = [undefined, 'few_points', 'model_deleted', 'model_of_other_version', 'too_slow'];
const NAIVE = 'seasonal-naive';

export const withoutScenario = ({ label, scenario }: Pick<Note, 'label' | 'scenario'>): string =>
  scenario !== undefined && label.endsWith(` · ${scenario}`) ? label.slice(0, -` · ${scenario}`.length) : label;

/** Identifies the series of a prediction: file, series and selection, or the stored one; `undefined` if unknown. */
export function seriesKey(
  note: Pick<Note, 'label' | 'source' | 'scenario'> | undefined,
  prediction: Pick<LocalPrediction, 'input_series_id'> | undefined,
): string | undefined {
  const { uri, id, isPart } = note?.source ?? {};
  // part of a file is identified by the lines in its label; other labels may be names that a person entered
  if (uri !== undefined) return JSON.stringify([uri, id, ...(isPart ? [note && withoutScenario(note)] : [])]);
  return prediction?.input_series_id ? JSON.stringify([prediction.input_series_id]) : undefined;
}

export const failedStatus = (problem: unknown, ...actions: Action[]): Status => ({
  kind: 'failed',
  sentence: sentenceOf(problem),
  actions: [...actions, action('retry')],
});

export const LOADING: Status = { kind: 'waiting', sentence: vscode.l10n.t('Loading…') };

export function running(progress?: number): Status {
  const percent = Math.round(Math.min(1, Math.max(0, progress ?? 0)) * 100);
  const share = progress === undefined ? '' : ` ${inPercent(String(percent))}`;
  return { kind: 'waiting', sentence: vscode.l10n.t('Forecasting…{0}', share), progress };
}

export function statusOf(prediction: LocalPrediction | undefined, problem?: unknown): Status | undefined {
  if (problem !== undefined) {
    const isTokenRefused = problem instanceof ServiceError && problem.kind === 'unauthorized';
    return failedStatus(problem, ...(isTokenRefused ? [action('set-token')] : []));
  }
  if (!prediction) return LOADING;
  const { status, progress, error, input_series, prediction_series } = prediction;
  if (status === 'QUEUED') return { kind: 'waiting', sentence: vscode.l10n.t('Waiting in the queue…') };
  if (status === 'IN_PROGRESS') return running(progress);
  if (status === 'FAILED') {
    const sentence = error ?? vscode.l10n.t('The forecast failed. The service gives no reason.');
    const actions = [action('again'), ...(OF_MODEL.includes(prediction['error_code']) ? [action('model')] : [])];
    return { kind: 'failed', sentence, ...(input_series ? { actions } : {}) };
  }
  if (status === 'COMPLETED' || prediction_series) return undefined;
  const sentence = vscode.l10n.t(
    'The service reports the status “{0}”, which this extension does not know. The job is followed until it ends.',
    status,
  );
  return { kind: 'other', sentence };
}

export function noticeOf(fileName: string, isCurrent: boolean, isOtherFuture: boolean): Notice | null {
  if (!isCurrent)
    return {
      sentence: vscode.l10n.t('{0} has changed since this forecast was made.', fileName),
      actions: [action('again')],
    };
  const sentence = vscode.l10n.t('The covariates in {0} have changed since this forecast was made.', fileName);
  return isOtherFuture ? { sentence, actions: [action('lay-over'), action('again')] } : null;
}

/** The menu of a chart besides exports; each id is a command that is called with its prediction. */
function menuOf({ forecast }: ChartView, isOfFile: boolean, isKept: boolean): Action[] {
  const keep = isKept ? vscode.l10n.t('Stop Keeping Up to Date') : vscode.l10n.t('Keep Up to Date');
  return [
    ...(forecast && isOfFile ? [{ id: 'insertForecast', label: vscode.l10n.t('Insert Forecast into File') }] : []),
    ...(forecast ? [{ id: 'export', label: vscode.l10n.t('More Export Formats…') }] : []),
    { id: 'forecastAgain', label: vscode.l10n.t('Forecast Again') },
    ...(isOfFile ? [{ id: 'keepUpToDate', label: keep }] : []),
    { id: 'rename', label: vscode.l10n.t('Rename…') },
    { id: 'pin', label: vscode.l10n.t('Pin or Unpin') },
    { id: 'copyId', label: vscode.l10n.t('Copy ID') },
  ];
}

function contextOf({ ref, prediction, isCurrent }: Chart, { memory, kept }: Pick<App, 'memory' | 'kept'>) {
  const note = memory.recall(ref.serviceId, ref.predictionId);
  return {
    note,
    serviceId: ref.serviceId,
    modelLabel: memory.recall(ref.serviceId, prediction?.ai_model_id ?? '')?.label,
    isKept: kept.has(note?.source?.uri),
    isCurrent,
    timeZone: setting('timeZone'),
  };
}

function shownOf(prediction: LocalPrediction, context: ReturnType<typeof contextOf>) {
  const { note, serviceId, isKept, isCurrent, ...others } = context;
  const { source } = note ?? {};
  const naiveModel = serviceId === 'local' ? NAIVE : undefined;
  const chart = chartView(prediction, { ...note, ...others, naiveModel, fileZone: source?.timeZone });
  const isOfFile = source?.uri !== undefined && source.isPart !== true;
  const keptRemark = {
    text: vscode.l10n.t('Kept up to date: forecast again whenever {0} is saved', source?.fileName ?? ''),
    lines: [],
    action: action('stop-keeping'),
  };
  return {
    key: JSON.stringify([serviceId, prediction.id]),
    chart: {
      ...chart,
      menu: menuOf(chart, isOfFile, isKept),
      ...(source?.uri === undefined
        ? {}
        : { reading: [action('show-reading'), ...(isOfFile ? [action('change-steps')] : [])] }),
      ...(isOfFile && isKept && isCurrent ? { remarks: [keptRemark, ...(chart.remarks ?? [])] } : {}),
    },
  };
}

/** Turns a chart into the state of its page; parts with unchanged inputs keep their identity, and are not sent. */
export function chartViewer({ memory, kept }: Pick<App, 'memory' | 'kept'>) {
  const shownAs = memo((prediction: LocalPrediction, context: string) =>
    shownOf(prediction, JSON.parse(context) as ReturnType<typeof contextOf>),
  );
  const comparedAs = memo((comparison: Comparison, models: Chart['models'], serviceId: string, zone: string) => {
    const frequency = frequencyOf(comparison.entries[0]?.prediction);
    const at = (time: number) => formatInstant(time, frequency, zoneOf(zone));
    const nameOf = (prediction: LocalPrediction) => {
      const { id, ai_model_id: model = '', prediction_length, prediction_series } = prediction;
      const { scenario } = memory.recall(serviceId, id) ?? {};
      if (scenario !== undefined) return scenario;
      const known = models.find((one) => one.id === model) ?? memory.recall(serviceId, model);
      const steps = prediction_series?.length ?? prediction_length;
      const horizon = steps === undefined ? undefined : stepNoun(frequencyOf(prediction), steps);
      return [known?.label ?? model, horizon].filter(Boolean).join(' · ');
    };
    return compareView(comparison, { models, nameOf, at, frequency });
  });
  const [actualsAs, changedAs] = [memo(outcomeOf), memo(changedAhead)];
  const drawnOf = ({ prediction, problem }: Chart, context: ReturnType<typeof contextOf>, status?: Status) => {
    if (!prediction || (status && (problem !== undefined || prediction.status !== 'FAILED'))) return undefined;
    const shown = shownAs(prediction, JSON.stringify(context));
    return status && shown.chart.history.times.length === 0 ? undefined : shown;
  };
  const changedFuture = ({ prediction, series }: Chart, note: Note | undefined) =>
    prediction?.prediction_series && series && note?.scenario === undefined ? changedAs(prediction, series) : [];
  const changeableOf = (chart: Chart, { scenario, source }: Partial<Note> = {}) => {
    const { prediction, series, analyses } = chart;
    if (!prediction?.prediction_series) return { actuals: null, controls: null, analyses };
    const isOfFile = source?.uri !== undefined && !source.isPart && scenario === undefined;
    const changeable = { ...chart, prediction };
    return {
      actuals: (series && actualsAs(prediction, series)) ?? null,
      controls: controlsOf(changeable, frequencyOf(prediction), isOfFile ? series : undefined),
      analyses,
    };
  };
  return (chart: Chart, before: ChartState): ChartState<ChartRef> => {
    const { ref, prediction, problem, isCurrent, comparison, models } = chart;
    const context = contextOf(chart, { memory, kept });
    const { label, source } = context.note ?? {};
    const status = statusOf(prediction, problem);
    const isOtherFuture = changedFuture(chart, context.note).length > 0;
    const now = {
      ...before,
      ref,
      title: prediction ? tabTitle(titleOf(prediction, label), isCurrent) : before.title,
      shown: drawnOf(chart, context, status) ?? before.shown,
      standing: status ? { title: label ?? before.title, status } : null,
      notice: status ? null : noticeOf(source?.fileName ?? vscode.l10n.t('The file'), isCurrent, isOtherFuture),
      compared: comparison ? comparedAs(comparison, models, ref.serviceId, source?.timeZone ?? 'UTC') : null,
    };
    return !prediction && status === LOADING ? now : { ...now, ...changeableOf(chart, context.note) };
  };
}

const tabTitle = (label: string, isCurrent: boolean): string =>
  isCurrent ? vscode.l10n.t('Forecast: {0}', label) : vscode.l10n.t('Forecast: {0} (outdated)', label);

export function changedAhead(prediction: LocalPrediction, series: ReadSeries): Supposed[] {
  const before = knownOf(prediction.input_series ?? []);
  const { beside } = series;
  if (!before || !beside) return [];
  const steps = new Map([...beside.futureTimes].map((time, index) => [time, series.times.length + index]));
  return before.columns.flatMap((column): Supposed[] => {
    const now = beside.columns.find(({ name }) => name === column.name);
    if (!now) return [];
    return [...before.times].flatMap((time, index): Supposed[] => {
      const at = steps.get(time);
      if (at === undefined) return [];
      const value = cellOf(now, now.values[at]);
      const isSame = cellOf(column, column.values[index]) === value;
      return isSame ? [] : [{ column: column.name, time, value: value ?? null }];
    });
  });
}

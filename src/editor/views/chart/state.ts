import * as vscode from 'vscode';
import { formatInstant } from '../../../calendar/format.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { zoneOf } from '../../../calendar/zone.ts';
import { chartView, knownOf, titleOf } from '../../../chart/chart-view.ts';
import { type Action, CHANGE_STEPS, type ChartView, type Notice, SHOW_READING } from '../../../chart/types.ts';
import { ServiceError } from '../../../client/errors.ts';
import type { LocalPrediction } from '../../../contract/resources.ts';
import type { ReadSeries } from '../../../reading/types.ts';
import type { App } from '../../app.ts';
import type { Note } from '../../connection/memory.ts';
import { setting } from '../../connection/settings.ts';
import { sentenceOf } from '../../ui/say.ts';
import { cellOf, compareView, frequencyOf, outcomeOf } from './comparison.ts';
import { controlsOf } from './controls.ts';
import { type ChartRef, type ChartState, EMPTY, type PredictionRef, type Status, type Supposed } from './protocol.ts';
import type { Chart } from './reducer.ts';

export const AGAIN = 'again';
export const OTHER_MODEL = 'model';
/** Codes of failures that another model may not have; services of others have no codes. */
const OF_MODEL: readonly unknown[] = [undefined, 'few_points', 'model_deleted', 'model_of_other_version', 'too_slow'];
export const RETRY = 'retry';
export const SET_TOKEN = 'set-token';
export const STOP_KEEPING = 'stop-keeping';
export const LAY_OVER = 'lay-over';
const NAIVE = 'seasonal-naive';

export const withoutScenario = ({ label, scenario }: Pick<Note, 'label' | 'scenario'>): string =>
  scenario !== undefined && label.endsWith(` · ${scenario}`) ? label.slice(0, -` · ${scenario}`.length) : label;

/**
 * Identifies the series of a prediction, whatever its model: the file, the series in it and its selection, or the
 * stored series. `undefined` if unknown.
 */
export function seriesKey(
  note: Pick<Note, 'label' | 'source' | 'scenario'> | undefined,
  prediction: Pick<LocalPrediction, 'input_series_id'> | undefined,
): string | undefined {
  const { uri, id, isPart } = note?.source ?? {};
  // part of a file is identified by the lines in its label; other labels may be names that a person entered
  if (uri !== undefined) return JSON.stringify([uri, id, ...(isPart ? [note && withoutScenario(note)] : [])]);
  return prediction?.input_series_id ? JSON.stringify([prediction.input_series_id]) : undefined;
}

export const showReading = (): Action => ({ id: SHOW_READING, label: vscode.l10n.t('How It Is Read') });

export const failedStatus = (problem: unknown, ...actions: Action[]): Status => ({
  kind: 'failed',
  sentence: sentenceOf(problem),
  actions: [...actions, { id: RETRY, label: vscode.l10n.t('Try Again') }],
});

/** The status of a prediction without a chart; `undefined` when it is done. */
export function statusOf(prediction: LocalPrediction | undefined, problem?: unknown): Status | undefined {
  if (problem !== undefined) {
    const isTokenRefused = problem instanceof ServiceError && problem.kind === 'unauthorized';
    return failedStatus(problem, ...(isTokenRefused ? [{ id: SET_TOKEN, label: vscode.l10n.t('Set Token…') }] : []));
  }
  if (!prediction) return { kind: 'loading' };
  const { status, progress, error, input_series, prediction_series } = prediction;
  if (status === 'QUEUED') return { kind: 'queued' };
  if (status === 'IN_PROGRESS') return { kind: 'running', progress };
  if (status === 'FAILED') {
    const sentence = error ?? vscode.l10n.t('The forecast failed. The service gives no reason.');
    const other = { id: OTHER_MODEL, label: vscode.l10n.t('Choose a Model…') };
    const actions = [forecastAgain(), ...(OF_MODEL.includes(prediction['error_code']) ? [other] : [])];
    return { kind: 'failed', sentence, ...(input_series ? { actions } : {}) };
  }
  if (status === 'COMPLETED' || prediction_series) return undefined;
  const sentence = vscode.l10n.t(
    'The service reports the status “{0}”, which this extension does not know. The job is followed until it ends.',
    status,
  );
  return { kind: 'other', sentence };
}

const forecastAgain = (): Action => ({ id: AGAIN, label: vscode.l10n.t('Forecast Again') });

export function noticeOf(fileName: string, isCurrent: boolean, isOtherFuture: boolean): Notice | null {
  if (!isCurrent)
    return {
      sentence: vscode.l10n.t('{0} has changed since this forecast was made.', fileName),
      actions: [forecastAgain()],
    };
  const sentence = vscode.l10n.t('The covariates in {0} have changed since this forecast was made.', fileName);
  const compare = { id: LAY_OVER, label: vscode.l10n.t('Compare Both') };
  return isOtherFuture ? { sentence, actions: [compare, forecastAgain()] } : null;
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
    // an outdated forecast is not the one that is kept up to date
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
  const changeSteps = { id: CHANGE_STEPS, label: vscode.l10n.t('Change Steps…') };
  const keptRemark = {
    text: vscode.l10n.t('Kept up to date: forecast again whenever {0} is saved', source?.fileName ?? ''),
    lines: [],
    action: { id: STOP_KEEPING, label: vscode.l10n.t('Stop') },
  };
  return {
    key: JSON.stringify([serviceId, prediction.id]),
    chart: {
      ...chart,
      menu: menuOf(chart, isOfFile, isKept),
      ...(source?.uri === undefined ? {} : { reading: [showReading(), ...(isOfFile ? [changeSteps] : [])] }),
      ...(isOfFile && isKept && isCurrent ? { remarks: [keptRemark, ...(chart.remarks ?? [])] } : {}),
    },
  };
}

/** Turns a chart into the state of its page. Parts with unchanged inputs keep their identity, and are not sent again. */
export class ChartViewer {
  readonly #known: Pick<App, 'memory' | 'kept'>;
  readonly #made = new Map<string, { readonly of: readonly unknown[]; readonly part: unknown }>();
  #before: Omit<ChartState, 'ref'>;

  /** @param title of the tab until the prediction is loaded */
  constructor(known: Pick<App, 'memory' | 'kept'>, title: string) {
    this.#known = known;
    this.#before = { ...EMPTY, title };
  }

  noteOf({ serviceId, predictionId }: PredictionRef): Note | undefined {
    return this.#known.memory.recall(serviceId, predictionId);
  }

  changedAhead({ ref, prediction, series }: Chart): Supposed[] {
    if (!prediction?.prediction_series || !series || this.noteOf(ref)?.scenario !== undefined) return [];
    return this.#once('changed', [prediction, series], () => changedAhead(prediction, series));
  }

  stateOf(chart: Chart): ChartState<ChartRef> {
    const { ref, prediction, problem, isCurrent, series, analyses } = chart;
    const context = contextOf(chart, this.#known);
    const { note } = context;
    const { uri, isPart, fileName = vscode.l10n.t('The file') } = note?.source ?? {};
    const status = statusOf(prediction, problem);
    // the series of a failed forecast stays visible below its status
    const isShown = prediction && (!status || (problem === undefined && prediction.status === 'FAILED'));
    const inputs = [prediction, JSON.stringify(context)];
    const shown = isShown ? this.#once('shown', inputs, () => shownOf(prediction, context)) : undefined;
    const label = prediction && titleOf(prediction, note?.label);
    const made = prediction?.prediction_series ? prediction : undefined;
    // part of a file, and a scenario, are forecast from what was sent
    const isOfFile = uri !== undefined && !isPart && note?.scenario === undefined;
    const before = this.#before;
    this.#before = {
      ...before,
      title: label === undefined ? before.title : tabTitle(label, isCurrent),
      shown: shown && (!status || shown.chart.history.times.length > 0) ? shown : before.shown,
      standing: status ? { title: note?.label ?? before.title, status } : null,
      notice: status ? null : noticeOf(fileName, isCurrent, this.changedAhead(chart).length > 0),
      compared: this.#compared(chart),
    };
    // the controls of the previous prediction stay until the next one is loaded
    if (prediction || status?.kind !== 'loading')
      this.#before = {
        ...this.#before,
        actuals: made && series ? this.#once('actuals', [made, series], () => actualsOf(made, series)) : null,
        controls: made
          ? controlsOf({ ...chart, prediction: made }, frequencyOf(made), isOfFile ? series : undefined)
          : null,
        analyses,
      };
    return { ...this.#before, ref };
  }

  #compared({ ref, comparison, models }: Chart): ChartState['compared'] {
    if (!comparison) return null;
    const frequency = frequencyOf(comparison.entries[0]?.prediction);
    const zone = this.noteOf(ref)?.source?.timeZone ?? 'UTC';
    const at = (time: number) => formatInstant(time, frequency, zoneOf(zone));
    const nameOf = (prediction: LocalPrediction) => this.#nameOf(ref, models, prediction);
    return this.#once('compared', [comparison, models, zone], () =>
      compareView(comparison, { models, nameOf, at, frequency }),
    );
  }

  #nameOf(ref: ChartRef, models: Chart['models'], prediction: LocalPrediction): string {
    const { id: predictionId, ai_model_id: id = '', prediction_length: length, prediction_series: series } = prediction;
    const { scenario } = this.noteOf({ ...ref, predictionId }) ?? {};
    if (scenario !== undefined) return scenario;
    const model = models.find((one) => one.id === id)?.label ?? this.noteOf({ ...ref, predictionId: id })?.label ?? id;
    const steps = series?.length ?? length;
    const horizon = steps === undefined ? undefined : stepNoun(frequencyOf(prediction), steps);
    return [model, horizon].filter(Boolean).join(' · ');
  }

  #once<T>(name: string, of: readonly unknown[], make: () => T): T {
    const last = this.#made.get(name);
    if (last?.of.every((one, index) => one === of[index])) return last.part as T;
    const part = make();
    this.#made.set(name, { of, part });
    return part;
  }
}

function actualsOf(prediction: LocalPrediction, series: ReadSeries): ChartState['actuals'] {
  const found = outcomeOf(prediction, series);
  return found ? { line: found.actual, sentence: found.sentence } : null;
}

/** Distinguishes the tab of a chart from that of its file. */
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

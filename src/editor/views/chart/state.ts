import * as vscode from 'vscode';
import { formatInstant } from '../../../calendar/format.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { zoneOf } from '../../../calendar/zone.ts';
import { chartView, titleOf } from '../../../chart/chart-view.ts';
import { type Action, CHANGE_STEPS, type ChartView, type Notice, SHOW_READING } from '../../../chart/types.ts';
import { ServiceError } from '../../../client/errors.ts';
import type { LocalPrediction } from '../../../contract/resources.ts';
import type { ReadSeries } from '../../../reading/types.ts';
import type { App } from '../../app.ts';
import type { Note } from '../../connection/memory.ts';
import { setting } from '../../connection/settings.ts';
import { memo, steady } from '../shared/memo.ts';
import { compareView } from './comparison.ts';
import { changedAhead, controlsOf } from './controls.ts';
import { frequencyOf, outcomeOf } from './outcome.ts';
import { type ChartRef, type ChartState, EMPTY, type PredictionRef, type Status, type Supposed } from './protocol.ts';
import type { Chart, Comparison, NameOf } from './reducer.ts';

export const AGAIN = 'again';
export const OTHER_MODEL = 'model';
export const RETRY = 'retry';
export const SET_TOKEN = 'set-token';
export const STOP_KEEPING = 'stop-keeping';
export const LAY_OVER = 'lay-over';
/** The id of the seasonal naive baseline at the local service. */
const NAIVE = 'seasonal-naive';

/** The label of the series of a note, without the name of its scenario. */
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

const sentenceOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

/** The status of a page that could not load what it shows. */
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
  switch (status) {
    case 'COMPLETED':
      return undefined;
    case 'QUEUED':
      return { kind: 'queued' };
    case 'IN_PROGRESS':
      return { kind: 'running', progress };
    case 'FAILED': {
      const sentence = error ?? vscode.l10n.t('The forecast failed. The service gives no reason.');
      const other = { id: OTHER_MODEL, label: vscode.l10n.t('Choose a Model…') };
      return { kind: 'failed', sentence, ...(input_series ? { actions: [forecastAgain(), other] } : {}) };
    }
    default: {
      const sentence = vscode.l10n.t(
        'The service reports the status “{0}”, which this extension does not know. The job is followed until it ends.',
        status,
      );
      return prediction_series ? undefined : { kind: 'other', sentence };
    }
  }
}

const forecastAgain = (): Action => ({ id: AGAIN, label: vscode.l10n.t('Forecast Again') });

/** Says that the file of a forecast has changed: its values, or its future covariates. */
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

interface Known {
  readonly note: Note | undefined;
  readonly serviceId: string;
  readonly modelLabel: string | undefined;
  readonly isKept: boolean;
  readonly isCurrent: boolean;
  readonly timeZone: string;
}

function shownOf(prediction: LocalPrediction, known: Known): NonNullable<ChartState['shown']> {
  const { note, serviceId, modelLabel, isKept, isCurrent, timeZone } = known;
  const { source } = note ?? {};
  const naiveModel = serviceId === 'local' ? NAIVE : undefined;
  const chart = chartView(prediction, { ...note, modelLabel, naiveModel, timeZone, fileZone: source?.timeZone });
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
      // an outdated forecast is not the one that is kept up to date
      ...(isOfFile && isKept && isCurrent ? { remarks: [keptRemark, ...(chart.remarks ?? [])] } : {}),
    },
  };
}

/** Turns a chart into the state of its page. Parts with unchanged inputs keep their identity, and are not sent again. */
export class ChartViewer {
  readonly #known: Pick<App, 'memory' | 'kept'>;
  readonly #changed = memo(changedAhead);
  readonly #context = steady<Known>();
  readonly #shown = memo(shownOf);
  readonly #actuals = memo((prediction: LocalPrediction, series: ReadSeries) => {
    const found = outcomeOf(prediction, series);
    return found ? { line: found.actual, sentence: found.sentence } : null;
  });
  readonly #compared = memo((comparison: Comparison, models: Chart['models'], zone: string, nameOf: NameOf) => {
    const frequency = frequencyOf(comparison.entries[0]?.prediction);
    const at = (time: number) => formatInstant(time, frequency, zoneOf(zone));
    return compareView(comparison, { models, nameOf, at, frequency });
  });
  readonly #nameOf = memo((ref: ChartRef, models: Chart['models']): NameOf => (prediction) => {
    const noteOf = (predictionId: string) => this.noteOf({ ...ref, predictionId });
    const { scenario } = noteOf(prediction.id) ?? {};
    if (scenario !== undefined) return scenario;
    const { ai_model_id: id = '', prediction_length: length, prediction_series: series } = prediction;
    const model = models.find((one) => one.id === id)?.label ?? noteOf(id)?.label ?? id;
    const steps = series?.length ?? length;
    const horizon = steps === undefined ? undefined : stepNoun(frequencyOf(prediction), steps);
    return [model, horizon].filter(Boolean).join(' · ');
  });
  #before: Omit<ChartState, 'ref'>;

  /** @param title of the tab until the prediction is loaded */
  constructor(known: Pick<App, 'memory' | 'kept'>, title: string) {
    this.#known = known;
    this.#before = { ...EMPTY, title };
  }

  noteOf({ serviceId, predictionId }: PredictionRef): Note | undefined {
    return this.#known.memory.recall(serviceId, predictionId);
  }

  /** Names predictions by their scenario, or by their model and horizon. */
  nameOf({ ref, models }: Chart): NameOf {
    return this.#nameOf(ref, models);
  }

  changedAhead({ ref, prediction, series }: Chart): Supposed[] {
    if (!prediction?.prediction_series || !series || this.noteOf(ref)?.scenario !== undefined) return [];
    return this.#changed(prediction, series);
  }

  stateOf(chart: Chart): ChartState<ChartRef> {
    const { ref, prediction, problem, isCurrent, series, analyses, comparison, models } = chart;
    const note = this.noteOf(ref);
    const { uri, isPart, fileName = vscode.l10n.t('The file'), timeZone: zone = 'UTC' } = note?.source ?? {};
    const status = statusOf(prediction, problem);
    const context = this.#context({
      note,
      serviceId: ref.serviceId,
      modelLabel: this.noteOf({ ...ref, predictionId: prediction?.ai_model_id ?? '' })?.label,
      isKept: this.#known.kept.has(uri),
      isCurrent,
      timeZone: setting('timeZone'),
    });
    // the series of a failed forecast stays visible below its status
    const isShown = prediction && (!status || (problem === undefined && prediction.status === 'FAILED'));
    const shown = isShown ? this.#shown(prediction, context) : undefined;
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
      compared: comparison ? this.#compared(comparison, models, zone, this.nameOf(chart)) : null,
    };
    // the controls of the previous prediction stay until the next one is loaded
    if (prediction || status?.kind !== 'loading')
      this.#before = {
        ...this.#before,
        actuals: made && series ? this.#actuals(made, series) : null,
        controls: made
          ? controlsOf({ ...chart, prediction: made }, frequencyOf(made), isOfFile ? series : undefined)
          : null,
        analyses,
      };
    return { ...this.#before, ref };
  }
}

/** Distinguishes the tab of a chart from that of its file. */
const tabTitle = (label: string, isCurrent: boolean): string =>
  isCurrent ? vscode.l10n.t('Forecast: {0}', label) : vscode.l10n.t('Forecast: {0} (outdated)', label);

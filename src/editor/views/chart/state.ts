import * as vscode from 'vscode';
import { parseDuration } from '../../../calendar/duration.ts';
import { formatInstant } from '../../../calendar/format.ts';
import type { Frequency } from '../../../calendar/frequency.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { zoneOf } from '../../../calendar/zone.ts';
import { chartView, titleOf } from '../../../chart/chart-view.ts';
import {
  type Action,
  CHANGE_STEPS,
  type ChartView,
  type Notice,
  type ReadingRemark,
  SHOW_READING,
} from '../../../chart/types.ts';
import { ServiceError } from '../../../client/errors.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { ReadSeries } from '../../../reading/types.ts';
import type { App } from '../../app.ts';
import type { Note, Source } from '../../connection/memory.ts';
import { setting } from '../../connection/settings.ts';
import { memo, steady } from '../shared/memo.ts';
import { changedAhead, controlsOf } from './controls.ts';
import { type Comparison, compareView, type NameOf } from './comparison.ts';
import { outcomeOf } from './outcome.ts';
import { type ChartRef, type ChartState, EMPTY, type PredictionRef, type Status } from './protocol.ts';
import type { Chart } from './reducer.ts';

/** The ways on that a chart's page offers below a sentence. */
export const AGAIN = 'again';
export const OTHER_MODEL = 'model';
export const RETRY = 'retry';
export const SET_TOKEN = 'set-token';
export const STOP_KEEPING = 'stop-keeping';
export const LAY_OVER = 'lay-over';
/** Seasonal naive, as the local service calls it. */
const NAIVE = 'seasonal-naive';

/** What the series of a note is called, without what is supposed of it. */
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

export const frequencyOf = (prediction: LocalPrediction | undefined): Frequency | undefined =>
  prediction?.details?.frequency ? parseDuration(prediction.details.frequency) : undefined;

/** Opens the quick pick of the steps at which a file is read. */
const changeSteps = (): Action => ({ id: CHANGE_STEPS, label: vscode.l10n.t('Change Steps…') });

/** The link of a chart to how its file is read. */
export const showReading = (): Action => ({ id: SHOW_READING, label: vscode.l10n.t('How It Is Read') });

/** Where a prediction stands while it has no chart; `undefined` when it is done. */
export function statusOf(prediction: LocalPrediction | undefined, problem?: unknown): Status | undefined {
  if (problem !== undefined) {
    const sentence = problem instanceof Error ? problem.message : String(problem);
    const isTokenRefused = problem instanceof ServiceError && problem.kind === 'unauthorized';
    const token = isTokenRefused ? [{ id: SET_TOKEN, label: vscode.l10n.t('Set Token…') }] : [];
    return { kind: 'failed', sentence, actions: [...token, { id: RETRY, label: vscode.l10n.t('Try Again') }] };
  }
  if (!prediction) return { kind: 'loading' };
  const { status, progress, error, input_series, prediction_series } = prediction;
  if (status === 'COMPLETED') return undefined;
  if (status === 'QUEUED') return { kind: 'queued' };
  if (status === 'IN_PROGRESS') return { kind: 'running', progress };
  if (status === 'FAILED') {
    const sentence = error ?? vscode.l10n.t('The forecast failed. The service gives no reason.');
    const again = { id: AGAIN, label: vscode.l10n.t('Forecast Again') };
    const other = { id: OTHER_MODEL, label: vscode.l10n.t('Choose a Model…') };
    return { kind: 'failed', sentence, ...(input_series ? { actions: [again, other] } : {}) };
  }
  const unknown = vscode.l10n.t(
    'The service reports the status “{0}”, which this extension does not know. The job is followed until it ends.',
    status,
  );
  return prediction_series ? undefined : { kind: 'other', sentence: unknown };
}

/** What is said of a forecast whose file has changed: its values, or the future of what is known. */
export function noticeOf(fileName: string, isCurrent: boolean, isOtherFuture: boolean): Notice | null {
  const again = { id: AGAIN, label: vscode.l10n.t('Forecast Again') };
  if (!isCurrent)
    return { sentence: vscode.l10n.t('{0} has changed since this forecast was made.', fileName), actions: [again] };
  const sentence = vscode.l10n.t('The covariates in {0} have changed since this forecast was made.', fileName);
  const over = { id: LAY_OVER, label: vscode.l10n.t('Compare Both') };
  return isOtherFuture ? { sentence, actions: [over, again] } : null;
}

/** Says that a file is forecast again whenever it is saved, with the way to end that. */
const keptRemark = ({ fileName }: Source): ReadingRemark => ({
  text: vscode.l10n.t('Kept up to date: forecast again whenever {0} is saved', fileName),
  lines: [],
  action: { id: STOP_KEEPING, label: vscode.l10n.t('Stop') },
});

/** What the menu of a chart has besides ways to save it; the commands of these ids are called on its prediction. */
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

/** What is known here of the prediction of a chart and of others of its series. */
export class ChartFacts {
  readonly #known: Pick<App, 'memory' | 'kept'>;
  readonly #chart: () => Chart;
  readonly #changed = memo(changedAhead);

  constructor(known: Pick<App, 'memory' | 'kept'>, chart: () => Chart) {
    this.#known = known;
    this.#chart = chart;
  }

  noteOf({ serviceId, predictionId }: PredictionRef): Note | undefined {
    return this.#known.memory.recall(serviceId, predictionId);
  }

  get note(): Note | undefined {
    return this.noteOf(this.#chart().ref);
  }

  get isKept(): boolean {
    return this.#known.kept.has(this.note?.source?.uri);
  }

  /** Whether the forecast is made again from its file; one of a part of it, and a scenario, from what was sent. */
  get isOfFile(): boolean {
    const { source, scenario } = this.note ?? {};
    return source?.uri !== undefined && !source.isPart && scenario === undefined;
  }

  isScenario({ id }: Pick<LocalPrediction, 'id'>): boolean {
    return this.noteOf({ ...this.#chart().ref, predictionId: id })?.scenario !== undefined;
  }

  /** Where the file says another future now than the forecast was given. */
  get changedAhead() {
    const { prediction, series } = this.#chart();
    if (!prediction?.prediction_series || !series || this.note?.scenario !== undefined) return [];
    return this.#changed(prediction, series);
  }

  /** The scenario, or the model and how far it goes. */
  readonly nameOf: NameOf = (prediction) => {
    const { ref, models } = this.#chart();
    const noteOf = (predictionId: string) => this.noteOf({ ...ref, predictionId });
    const { scenario } = noteOf(prediction.id) ?? {};
    if (scenario !== undefined) return scenario;
    const { ai_model_id: id = '', prediction_length: length, prediction_series: series } = prediction;
    const model = models.find((one) => one.id === id)?.label ?? noteOf(id)?.label ?? id;
    const steps = series?.length ?? length;
    return [model, steps === undefined ? undefined : stepNoun(frequencyOf(prediction), steps)]
      .filter(Boolean)
      .join(' · ');
  };
}

/** What a chart shows besides its prediction. */
interface ChartContext {
  readonly note: Note | undefined;
  readonly serviceId: string;
  readonly modelLabel: string | undefined;
  readonly isKept: boolean;
  readonly isCurrent: boolean;
  readonly timeZone: string;
}

/** Builds the state of a page. Parts with unchanged inputs keep their identity. */
export function stateMaker(facts: ChartFacts, start: string): (chart: Chart) => ChartState<ChartRef> {
  const contextOf = steady<ChartContext>();
  const shownOf = memo(shownWith);
  const actuals = memo((prediction: LocalPrediction, series: ReadSeries) => {
    const found = outcomeOf(prediction, series);
    return found ? { line: found.actual, sentence: found.sentence } : null;
  });
  const compared = memo((comparison: Comparison, models: Chart['models'], zone: string) => {
    const frequency = frequencyOf(comparison.entries[0]?.prediction);
    const at = (time: number) => formatInstant(time, frequency, zoneOf(zone));
    return compareView(comparison, { models, nameOf: facts.nameOf, at, frequency });
  });
  let before: Omit<ChartState, 'ref'> = { ...EMPTY, title: start };
  return (chart) => {
    const { ref, prediction, problem, isCurrent, series, analyses, comparison, models } = chart;
    const { note, isKept } = facts;
    const status = statusOf(prediction, problem);
    const modelLabel = facts.noteOf({ ...ref, predictionId: prediction?.ai_model_id ?? '' })?.label;
    const about = { note, serviceId: ref.serviceId, modelLabel, isKept, isCurrent, timeZone: setting('timeZone') };
    // of one that FAILED the series stays in sight, below what is said of it
    const isShown = prediction && (!status || (problem === undefined && prediction.status === 'FAILED'));
    const shown = isShown ? shownOf(prediction, contextOf(about)) : undefined;
    const label = prediction && titleOf(prediction, note?.label);
    const fileName = note?.source?.fileName ?? vscode.l10n.t('The file');
    // what can be done with the one before stays until the next one is there
    const isAwaited = !prediction && status?.kind === 'loading';
    const made = prediction?.prediction_series ? prediction : undefined;
    const ofFile = facts.isOfFile ? series : undefined;
    const now = {
      actuals: made && series ? actuals(made, series) : null,
      controls: made ? controlsOf({ ...chart, prediction: made }, frequencyOf(made), ofFile) : null,
      analyses,
    };
    before = {
      ...before,
      title: label === undefined ? before.title : tabTitle(label, isCurrent),
      shown: shown && (!status || shown.chart.history.times.length > 0) ? shown : before.shown,
      standing: status ? { title: note?.label ?? before.title, status } : null,
      notice: status ? null : noticeOf(fileName, isCurrent, facts.changedAhead.length > 0),
      compared: comparison ? compared(comparison, models, note?.source?.timeZone ?? 'UTC') : null,
      ...(isAwaited ? {} : now),
    };
    return { ...before, ref };
  };
}

/** The title of a chart's tab, which is not to be mistaken for that of the file itself. */
const tabTitle = (label: string, isCurrent: boolean): string =>
  isCurrent ? vscode.l10n.t('Forecast: {0}', label) : vscode.l10n.t('Forecast: {0} (outdated)', label);

/** The chart of a prediction, with what this editor knows of it. */
function shownWith(
  prediction: LocalPrediction,
  { note, serviceId, modelLabel, isKept, isCurrent, timeZone }: ChartContext,
): NonNullable<ChartState['shown']> {
  const { source } = note ?? {};
  const naiveModel = serviceId === 'local' ? NAIVE : undefined;
  const chart = chartView(prediction, { ...note, modelLabel, naiveModel, timeZone, fileZone: source?.timeZone });
  const isOfFile = source?.uri !== undefined && source.isPart !== true;
  return {
    key: JSON.stringify([serviceId, prediction.id]),
    chart: {
      ...chart,
      menu: menuOf(chart, isOfFile, isKept),
      ...(source?.uri === undefined ? {} : { reading: [showReading(), ...(isOfFile ? [changeSteps()] : [])] }),
      // an old one that is looked at again is not the one that follows the file
      ...(isOfFile && isKept && isCurrent ? { remarks: [keptRemark(source), ...(chart.remarks ?? [])] } : {}),
    },
  };
}

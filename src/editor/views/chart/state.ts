import * as vscode from 'vscode';
import { formatInstant } from '../../../calendar/format.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { zoneOf } from '../../../calendar/zone.ts';
import { chartView, knownOf, quantilePairs, titleOf } from '../../../chart/chart-view.ts';
import {
  type Action,
  CHANGE_STEPS,
  type ChartView,
  type Known,
  type Notice,
  SHOW_READING,
} from '../../../chart/types.ts';
import { ServiceError } from '../../../client/errors.ts';
import type { App } from '../../app.ts';
import type { Note } from '../../connection/memory.ts';
import { setting } from '../../connection/settings.ts';
import { compareView, frequencyOf, outcomeOf } from './comparison.ts';
import {
  type ChartControls,
  type ChartRef,
  type ChartState,
  EMPTY,
  type PredictionRef,
  type Status,
  type Supposed,
} from './protocol.ts';
import type { Chart, Comparison, NameOf } from './reducer.ts';
import { approximateStep, cycleLengths, fixedStep, type Frequency } from '../../../calendar/frequency.ts';
import { gainOf, short, signed } from '../../../chart/figures.ts';
import { takesCovariates } from '../../../client/fit.ts';
import { type LocalPrediction, PointQuantiles } from '../../../contract/resources.ts';
import type { KnownColumn, ReadSeries } from '../../../reading/types.ts';

export const AGAIN = 'again';
export const OTHER_MODEL = 'model';
/** Codes of failures that another model may not have; services of others have no codes. */
const OF_MODEL: readonly unknown[] = [undefined, 'few_points', 'model_deleted', 'model_of_other_version', 'too_slow'];
export const RETRY = 'retry';
export const SET_TOKEN = 'set-token';
export const STOP_KEEPING = 'stop-keeping';
export const LAY_OVER = 'lay-over';
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
      const isOfModel = OF_MODEL.includes(prediction['error_code']);
      return {
        kind: 'failed',
        sentence,
        ...(input_series ? { actions: [forecastAgain(), ...(isOfModel ? [other] : [])] } : {}),
      };
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

interface Noted {
  readonly note: Note | undefined;
  readonly serviceId: string;
  readonly modelLabel: string | undefined;
  readonly isKept: boolean;
  readonly isCurrent: boolean;
  readonly timeZone: string;
}

function shownOf(prediction: LocalPrediction, known: Noted): NonNullable<ChartState['shown']> {
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
  readonly #context = steady<Noted>();
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

function memo<A extends readonly unknown[], T>(make: (...of: A) => T): (...of: A) => T {
  let last: { readonly of: A; readonly made: T } | undefined;
  return (...of) => {
    if (!last || of.some((one, index) => one !== last?.of[index])) last = { of, made: make(...of) };
    return last.made;
  };
}

/** Returns the former value as long as the next ones are equal as JSON. */
function steady<T>(): (now: T) => T {
  let last: { readonly text: string; readonly value: T } | undefined;
  return (value) => {
    const text = JSON.stringify(value);
    if (last?.text !== text) last = { text, value };
    return last.value;
  };
}

/** The local service refuses longer forecasts. */
export const MOST_STEPS = 10_000;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const YEAR = 365.25 * DAY;

/** Spans that people plan with, in milliseconds, by the shortest step that they suit. */
const SPANS: readonly (readonly [least: number, spans: readonly number[]])[] = [
  [360 * DAY, [2 * YEAR, 3 * YEAR, 5 * YEAR, 10 * YEAR]],
  [80 * DAY, [YEAR, 2 * YEAR, 3 * YEAR, 5 * YEAR]],
  [27 * DAY, [0.25 * YEAR, 0.5 * YEAR, YEAR, 2 * YEAR, 3 * YEAR]],
  [6 * DAY, [28 * DAY, 91 * DAY, 182 * DAY, 364 * DAY]],
  [DAY, [7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY, 365 * DAY]],
  [HOUR, [DAY, 2 * DAY, 7 * DAY, 14 * DAY]],
  [60_000, [HOUR, 6 * HOUR, DAY, 7 * DAY]],
  [0, [60_000, 600_000, HOUR]],
];

export function horizonPicks(frequency: Frequency | undefined): { steps: number; label: string }[] {
  const pick = (steps: number) => ({ steps, label: stepNoun(frequency, steps) });
  if (!frequency) return [6, 12, 24, 52].map(pick);
  const step = fixedStep(frequency) ?? approximateStep(frequency);
  const spans = SPANS.find(([least]) => step >= least)?.[1] ?? [];
  const { day, week } = cycleLengths(frequency);
  // of open time only
  const lengthOf = (span: number) => (span >= WEEK ? (span * week) / WEEK : span >= DAY ? (span * day) / DAY : span);
  const steps = spans
    .map((span) => Math.round(lengthOf(span) / step))
    .filter((count) => count >= 1 && count <= MOST_STEPS);
  return [...new Set(steps)].map(pick);
}

export function unitOf(frequency: Frequency | undefined): string {
  const [number, ...words] = stepNoun(frequency, 3).split(' ');
  return number === '3' ? words.join(' ') : vscode.l10n.t('steps of {0}', stepNoun(frequency, 1));
}

/** The quantile levels of a forecast, ascending. */
export const quantileLevels = ({ prediction_series: ahead }: LocalPrediction): number[] =>
  Object.keys(PointQuantiles.safeParse(ahead?.[0]?.metadata).data?.quantiles ?? {})
    .map(Number)
    .sort((a, b) => a - b);

/** The levels of the intervals of a forecast in percent, ascending. */
export const intervalLevels = (prediction: LocalPrediction): number[] =>
  quantilePairs(quantileLevels(prediction).map(String)).map(({ level }) => level);

/** How the service in use can change a forecast. @param series as its file has it now, if it is forecast from its file */
export function controlsOf(
  { prediction, ref, offers, models, offered, tests }: Chart & { readonly prediction: LocalPrediction },
  frequency: Frequency | undefined,
  series: ReadSeries | undefined,
): ChartControls {
  const back = ref.former?.length ? { back: vscode.l10n.t('Back to the Previous Forecast') } : {};
  if (!offers) return { ...back, canCompare: false, analyses: [] };
  const takes = (field: string) => offers.takes('createPrediction', field);
  const steps = prediction.prediction_series?.length ?? 0;
  const most = Math.min(MOST_STEPS, offers.rules('createPrediction', 'prediction_length')?.maximum ?? MOST_STEPS);
  const { ai_model_id: id } = prediction;
  const isKnown = models.some((model) => model.id === id);
  const choices = id === undefined || isKnown ? models : [{ id, label: id, isTuned: false }, ...models];
  const intervals = intervalLevels(prediction);
  const columns = takesCovariates(offers, 'createPrediction')
    ? columnsView(prediction, series, tests, offers.has('testCovariates'))
    : undefined;
  return {
    ...(takes('prediction_length')
      ? { horizon: { steps, most, unit: unitOf(frequency), picks: horizonPicks(frequency) } }
      : {}),
    ...(id !== undefined && choices.length > 1 ? { model: { id, choices } } : {}),
    ...(takes('quantile_levels') && intervals.length > 0 ? { intervals } : {}),
    ...(columns ? { columns } : {}),
    ...back,
    analyses: offered,
    canCompare: (prediction.input_series?.length ?? 0) > 0,
  };
}

/** The columns that a forecast of these series may use; those of the file only if one has values for the future. */
export function columnsOf(series: readonly ReadSeries[]): readonly KnownColumn[] {
  const columns = series[0]?.beside?.columns ?? [];
  const values = new Set(series.map(({ valueColumn }) => valueColumn));
  const isAhead = columns.some(({ ahead, isCalendar }) => ahead > 0 && !isCalendar);
  return columns.filter(({ name, isCalendar }) => isCalendar || (isAhead && !values.has(name)));
}

export function howFar({ ahead, isCalendar }: KnownColumn, series: ReadSeries): string {
  if (isCalendar) return vscode.l10n.t('known any number of steps ahead');
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

/** The columns of its file and those that it was given; undefined if there are none. */
export function columnsView(
  prediction: LocalPrediction,
  series: ReadSeries | undefined,
  tests: ReadonlyMap<string, boolean> | undefined,
  canTest: boolean,
): ChartControls['columns'] {
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
      return cellOf(column, column.values[index]) === value ? [] : [{ column: column.name, time, value }];
    });
  });
}

function cellOf({ kind, texts }: Known['columns'][number], value: number): string | number | null {
  if (Number.isNaN(value)) return null;
  return kind === 'text' ? (texts?.[value] ?? null) : value;
}

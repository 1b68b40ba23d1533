import { createHash } from '#platform/hash';
import * as vscode from 'vscode';
import { stepNoun } from '../../calendar/words.ts';
import { quantilePairs } from '../../chart/chart-view.ts';
import type { Capabilities } from '../../client/capabilities.ts';
import { ServiceError } from '../../client/errors.ts';
import { takesCovariates } from '../../client/fit.ts';
import { ended } from '../../client/poller.ts';
import type { ForecastFile } from '../../contract/forecast-file.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { Bounds, LocalCreatePrediction } from '../../contract/requests.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { type OutgoingPoint, stepsKnown, toPoints } from '../../reading/points.ts';
import type { ReadSeries, SeriesDocument } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import type { Note, Source } from '../connection/memory.ts';
import { fileNameOf, type OpenedDocument } from '../files/document.ts';
import { fingerprintOf } from '../files/series-file.ts';
import { usesCovariates, withCalendar } from '../request/covariates.ts';
import {
  type Charts,
  createPrediction,
  expectChart,
  fingerprint,
  levelsOf,
  MOST_LETTERS,
  type RequestOptions,
  showChart,
  withDefaults,
} from '../request/request.ts';
import { type Shape, shaped } from '../request/shape.ts';
import { columnsOf, intervalLevels } from '../views/chart/controls.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { withoutScenario } from '../views/chart/state.ts';

/** The data of a forecast. */
export type ForecastSource =
  /** A series as its file has it. */
  | { readonly kind: 'file'; readonly opened: OpenedDocument; readonly series: ReadSeries }
  /** A series that the service has stored. */
  | { readonly kind: 'stored'; readonly id: string; readonly label: string }
  /** What was sent for another forecast, whatever its file holds now; or the same with other points. */
  | {
      readonly kind: 'prediction';
      readonly ref: PredictionRef;
      readonly prediction: LocalPrediction;
      readonly series?: readonly OutgoingPoint[];
      /** What is supposed of its future, where that is another one: stands in its label. */
      readonly scenario?: string;
      /** What was done with its points besides what was done with those of the other one. */
      readonly remark?: NonNullable<Note['remarks']>[number];
    }
  /** A request that a forecast file holds; made as it says, with no defaults of this editor. */
  | { readonly kind: 'request'; readonly file: ForecastFile };

/** How it is to be made; what is absent stays as it was, or is left to the settings and the service. */
export interface ForecastChange {
  /** Empty: the default of the service. */
  readonly model?: string | undefined;
  readonly horizon?: number | undefined;
  /** In per cent. */
  readonly intervals?: readonly number[] | undefined;
  /** Columns that it may make use of; absent: those that were chosen for the file before, else those that help. */
  readonly covariates?: readonly string[] | undefined;
  /** Between what it lies; absent: as was chosen for the file before. */
  readonly bounds?: Bounds | undefined;
  /** What is done to a series that the service does not take as it is. */
  readonly shape?: Shape | undefined;
  /** Whether it is made once more though there is one of the same data. */
  readonly isAnew?: boolean | undefined;
}

export interface Wanted {
  readonly source: ForecastSource;
  readonly change?: ForecastChange;
  readonly show: Charts;
}

type Options = RequestOptions & Pick<LocalCreatePrediction, 'bounds' | 'fine_tuning_epochs'>;

/** A request, and what is kept of it beside what the service keeps. */
interface Prepared {
  readonly data: Pick<LocalCreatePrediction, 'series' | 'series_id'>;
  readonly options: Options;
  readonly note: Note;
  /** Identifies these data. */
  readonly fingerprint: string;
}

/**
 * Makes one forecast; nothing else in this editor requests one. A forecast of the same data and options is reused
 * unless a new one is requested.
 * @throws ServiceError, SeriesError, Cancelled
 */
export async function makeForecast(app: App, wanted: Wanted, signal: AbortSignal): Promise<LocalPrediction> {
  const { source, show } = wanted;
  const { info } = await app.connection.ready();
  const isQuick = source.kind === 'file' && info.kind === 'local';
  const chart = isQuick ? expectChart(app, show, sourceOf(source.opened, source.series)) : undefined;
  try {
    return await makeAndShow(app, wanted, signal);
  } finally {
    chart?.dispose();
  }
}

async function makeAndShow(
  app: App,
  { source, change = {}, show }: Wanted,
  signal: AbortSignal,
): Promise<LocalPrediction> {
  const { client, info } = await app.connection.ready();
  const offers = await client.capabilities();
  const { data, options: asked, note, fingerprint: of } = await prepare(app, source, change, signal);
  const options = taken(offers, asked);
  const key = hashOf(options, note.label, of);
  const known = change.isAnew === true ? undefined : await madeBefore(app, key, signal);
  if (known) showChart(app, show, { serviceId: info.id, predictionId: known.id }, known);
  const request = { ...options, ...data, name: note.label.slice(0, MOST_LETTERS) };
  const made = known ?? (await createPrediction(app, { request, note: { ...note, key } }, show, signal));
  if (source.kind === 'file') await noteMade(app, info.id, source, options, show.isFollowing === true);
  return made;
}

/** A prediction that has ended, with its forecast. @throws ServiceError if it failed; the signal's reason */
export async function finished(
  session: Pick<Session, 'client' | 'predictions'>,
  made: LocalPrediction,
  signal: AbortSignal,
): Promise<LocalPrediction> {
  const last = await ended(session.predictions, made, signal);
  if (last.status !== 'COMPLETED') throw new ServiceError('refused', last.error ?? last.status);
  return last.prediction_series ? last : readOne(session, last.id, signal);
}

/** @throws ServiceError if it no longer exists */
export async function readOne(
  { client }: Pick<Session, 'client'>,
  id: string,
  signal: AbortSignal,
): Promise<LocalPrediction> {
  const [found] = (await client.findPredictions(new Set([id]), signal)).jobs;
  if (found) return found;
  throw new ServiceError('not-found', vscode.l10n.t('The service no longer has this prediction.'));
}

function prepare(app: App, source: ForecastSource, change: ForecastChange, signal: AbortSignal): Promise<Prepared> {
  switch (source.kind) {
    case 'file':
      return ofFile(app, source, change, signal);
    case 'stored':
      return ofStored(app, source, change);
    case 'prediction':
      return Promise.resolve(ofPrediction(app, source, change));
    case 'request':
      return Promise.resolve(ofRequest(source));
  }
}

async function ofFile(
  app: App,
  { opened, series }: ForecastSource & { kind: 'file' },
  { model, horizon, intervals, covariates: wanted, bounds: between, shape = {} }: ForecastChange,
  signal: AbortSignal,
): Promise<Prepared> {
  const { uri, fileName, document } = opened;
  const levels = intervals && levelsOf(intervals);
  const asked = { ai_model_id: model || undefined, prediction_length: horizon, quantile_levels: levels };
  const before = app.choices.recall(uri, document.shape);
  const bounds = between ?? before?.bounds;
  const options: Options = { ...(await withDefaults(app, asked)), ...(bounds ? { bounds } : {}) };
  const { series: recent, remarks: done } = shaped(lastPoints(series), shape);
  const chosen = wanted ?? before?.covariates;
  const helping = chosen ? undefined : await columnsThatHelp(app, recent, options, signal);
  const names = [...(chosen ?? helping?.names ?? []), ...boundColumns(bounds)];
  const covariates = names.length > 0 && (await usesCovariates(app)) ? names : [];
  const { full, steps = helping?.steps } = await withCalendar(app, uri, recent, {
    names: covariates,
    asked: options,
    signal,
  });
  const points = toPoints(full, covariates);
  const known = covariates.length > 0 ? { covariates: points.map(({ metadata }) => metadata?.covariates) } : {};
  const remarks = [...remarksOf(series), ...done, ...(helping ? [helping.remark] : [])];
  return {
    data: { series: points },
    options: { ...options, ...(steps === undefined ? {} : { prediction_length: steps }) },
    note: {
      label: document.series.length === 1 ? fileName : `${fileName} · ${series.name}`,
      valueLabel: valueLabelOf(document, series),
      remarks,
      holidays: series.holidays,
      source: sourceOf(opened, series),
    },
    fingerprint: fingerprint([recent], known),
  };
}

async function ofStored(
  app: App,
  { id, label }: ForecastSource & { kind: 'stored' },
  { model, horizon }: ForecastChange,
): Promise<Prepared> {
  const options = await withDefaults(app, { ai_model_id: model, prediction_length: horizon });
  return { data: { series_id: id }, options, note: { label }, fingerprint: id };
}

/** @throws ServiceError if the service no longer has its series */
function ofPrediction(
  app: App,
  { ref, prediction, series: other, scenario, remark }: ForecastSource & { kind: 'prediction' },
  { model, horizon, intervals, bounds, covariates }: ForecastChange,
): Prepared {
  const sent = other ?? prediction.input_series?.map(({ value, ...point }) => ({ ...point, value: value ?? null }));
  if (!sent)
    throw new ServiceError('not-found', vscode.l10n.t('The service no longer has the series of this prediction.'));
  const series = covariates ? onlyColumns(sent, covariates) : [...sent];
  const { key: _key, held: _held, made: _made, ...note } = noteOf(app, ref);
  const label = scenario === undefined ? note.label : `${withoutScenario(note)} · ${scenario}`;
  const levels = levelsOf(intervals ?? intervalLevels(prediction));
  return {
    data: { series },
    options: {
      ai_model_id: (model ?? prediction.ai_model_id) || undefined,
      prediction_length: horizon ?? prediction.prediction_length ?? prediction.prediction_series?.length,
      ...(levels.length > 0 ? { quantile_levels: levels } : {}),
      bounds: bounds ?? prediction.details?.bounds,
    },
    note: {
      ...note,
      label,
      ...(scenario === undefined ? {} : { scenario }),
      ...(remark ? { remarks: [...(note.remarks ?? []), remark] } : {}),
    },
    fingerprint: hashOf(series),
  };
}

function ofRequest({
  file: { name, value_name: valueLabel, request },
}: ForecastSource & { kind: 'request' }): Prepared {
  const { series, ai_model_id, prediction_length, quantile_levels, fine_tuning_epochs, bounds } = request;
  return {
    data: { series },
    options: {
      ai_model_id,
      prediction_length,
      quantile_levels: quantile_levels ?? undefined,
      fine_tuning_epochs,
      bounds,
    },
    note: { label: name, ...(valueLabel === undefined ? {} : { valueLabel }) },
    fingerprint: hashOf(series),
  };
}

/** The columns that bounds are. */
export const boundColumns = ({ floor, capacity }: Bounds = {}): string[] =>
  [floor, capacity].filter((bound) => typeof bound === 'string');

/** Keeps how a file is forecast, in case it is kept up to date. */
async function noteMade(
  app: App,
  serviceId: string,
  { opened, series }: ForecastSource & { kind: 'file' },
  { ai_model_id: model, prediction_length: horizon, quantile_levels: levels = [] }: Options,
  isAgain: boolean,
): Promise<void> {
  if (opened.isPart) return;
  const intervals = quantilePairs(levels.map(String)).map(({ level }) => level);
  const made = { serviceId, series: series.id, model, horizon, fingerprint: fingerprintOf(series) };
  await app.kept.note(opened.uri.toString(), { ...made, ...(intervals.length > 0 ? { intervals } : {}) }, isAgain);
}

/** The options that are said, as far as the service takes them. */
function taken(offers: Capabilities, options: Options): Options {
  const isAlways = (name: string) => name === 'ai_model_id' || name === 'fine_tuning_epochs';
  const said = Object.entries(options).filter(
    ([name, value]) =>
      value !== undefined && value !== null && (isAlways(name) || offers.takes('createPrediction', name)),
  );
  return Object.fromEntries(said);
}

/** The prediction of the same request made before, where it is still there and did not fail. */
async function madeBefore(app: App, key: string, signal: AbortSignal): Promise<LocalPrediction | undefined> {
  const { client, info } = await app.connection.ready();
  const id = app.memory.find(info.id, key)?.made;
  if (id === undefined) return undefined;
  const [known] = (await client.findPredictions(new Set([id]), signal)).jobs;
  return known?.status === 'FAILED' ? undefined : known;
}

/** Points that say no more of their steps than these columns. */
function onlyColumns(points: readonly OutgoingPoint[], names: readonly string[]): OutgoingPoint[] {
  return points.flatMap((point) => {
    const { covariates, ...metadata } = point.metadata ?? {};
    if (typeof covariates !== 'object' || covariates === null) return [point];
    const left = Object.fromEntries(Object.entries(covariates).filter(([name]) => names.includes(name)));
    if (Object.keys(left).length > 0) return [{ ...point, metadata: { ...metadata, covariates: left } }];
    return typeof point.value === 'number' ? [{ ...point, metadata }] : [];
  });
}

const hashOf = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** What is known of a prediction; its label where nothing is. */
export const noteOf = (app: App, { serviceId, predictionId }: PredictionRef): Note =>
  app.memory.recall(serviceId, predictionId) ?? { label: vscode.l10n.t('Prediction {0}', predictionId.slice(-6)) };

/** Columns that a forecast makes use of without being asked to. */
export interface HelpingColumns {
  readonly names: readonly string[];
  /** The default horizon with covariates: as far as the file knows them. */
  readonly steps: number;
  readonly remark: NonNullable<Note['remarks']>[number];
}

/** The future covariates of a file that help in a backtest, if the person chose none. @throws ServiceError */
export async function columnsThatHelp(
  app: App,
  series: ReadSeries,
  { ai_model_id: model, prediction_length: horizon }: RequestOptions,
  signal: AbortSignal,
): Promise<HelpingColumns | undefined> {
  const all = columnsOf([series])
    .filter(({ isCalendar }) => isCalendar !== true)
    .map(({ name }) => name);
  if (all.length === 0) return undefined;
  const { client } = await app.connection.ready();
  const offers = await client.capabilities();
  if (!offers.has('testCovariates') || !takesCovariates(offers, 'createPrediction')) return undefined;
  const request = { series: toPoints(series, all), ...(model ? { ai_model_id: model } : {}) };
  const { covariates } = await client.do('testCovariates', { body: request, signal });
  const names = covariates.filter(({ helps }) => helps).map(({ name }) => name);
  const steps = stepsKnown(series, names);
  if (steps === undefined) return undefined;
  const [listed, known] = [new Intl.ListFormat(vscode.env.language).format(names), stepNoun(series.frequency, steps)];
  const text = vscode.l10n.t(
    'Uses {0}, which helped in a backtest, for {1}: as far as the file has values',
    listed,
    known,
  );
  return { names, steps: horizon ?? steps, remark: { kind: 'columns', rows: 0, text, lines: [] } };
}

/** What the numbers of a series are; those of percentages have lost their sign. */
export function valueLabelOf({ columns, preview }: SeriesDocument, { valueColumn, name }: ReadSeries): string {
  if (valueColumn === undefined) return name;
  const at = columns.indexOf(valueColumn);
  const cells = preview.map((row) => row[at]?.trim() ?? '').filter((cell) => cell !== '');
  const isPercentage = cells.length > 0 && cells.every((cell) => cell.endsWith('%')) && !valueColumn.includes('%');
  return isPercentage ? `${valueColumn} (%)` : valueColumn;
}

/** What was done with its rows, to be kept with the forecast. */
export const remarksOf = ({ remarks }: ReadSeries): NonNullable<Note['remarks']> =>
  remarks.map(({ lines, ...rest }) => ({ ...rest, lines: lines.map(([first, last]) => [first, last]) }));

/** What is needed to write the forecast in the file's own shape. */
export const sourceOf = (
  { uri, document, isPart }: Pick<OpenedDocument, 'uri' | 'document' | 'isPart'>,
  series: ReadSeries,
): Source => ({
  fileName: fileNameOf(uri),
  uri: uri.toString(),
  format: document.format,
  id: series.id,
  valueColumn: series.valueColumn,
  timeColumn: series.timeColumn,
  idColumn: series.idColumn,
  timeKind: series.timeKind,
  timeZone: series.timeZone,
  fingerprint: fingerprintOf(series),
  isPart,
});

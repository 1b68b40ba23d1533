import { createHash } from '#platform/hash';
import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { stepNoun } from '../../calendar/format.ts';
import { quantilePairs } from '../../chart/chart-view.ts';
import type { ServiceClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import { fitPoints, takesCovariates } from '../../client/fit.ts';
import { ended } from '../../client/poller.ts';
import type { CreatePrediction } from '../../contract/requests.ts';
import { type Bounds, type LocalPrediction, withLimits } from '../../contract/resources.ts';
import type { OutgoingPoint, SendableSeries } from '../../reading/points.ts';
import { hashSeries, lastPoints, stepsKnown, toPoints } from '../../reading/points.ts';
import type { ReadSeries, SeriesDocument } from '../../reading/types.ts';
import type { App, Asked } from '../app.ts';
import { type Session, sessionInUse } from '../connection/connection.ts';
import { setting, VIEWS } from '../names.ts';
import { type Note, type Remark, remark } from '../connection/memory.ts';
import type { OpenedDocument, Unreadable } from '../files/document.ts';
import { onFile, openAsBefore, seriesAsBefore, settleLayout } from '../files/document.ts';
import { fingerprintOf, sourceOf } from '../files/series-file.ts';
import { testColumns, withCalendar } from '../request/covariates.ts';
import { noteModelUse, usualModel, waysAfter } from '../request/pick-model.ts';
import { Cancelled, inBackground, say, type Way, withProgress } from '../ui/say.ts';
import { notifyWhenDone } from '../ui/notify.ts';
import { columnsOf } from '../views/chart/controls.ts';
import { withoutScenario } from '../views/chart/state.ts';
import { noteOf, requestOf } from '../views/chart/export.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { toGrid } from '../../calendar/grid.ts';
import { zoneOf } from '../../calendar/zone.ts';

export interface RequestOptions {
  readonly ai_model_id?: string | undefined;
  readonly prediction_length?: number | undefined;
  readonly quantile_levels?: number[] | undefined;
  readonly sums?: { total: string; parts: string[] }[] | undefined;
}

type Options = Omit<RequestOptions, 'sums'> & Pick<CreatePrediction, 'bounds' | 'fine_tuning_epochs'>;

interface Prepared {
  readonly data: Pick<CreatePrediction, 'series_id'> & { readonly series?: readonly OutgoingPoint[] };
  readonly options: Options;
  readonly note: Note;
}

type ForecastSource =
  | { readonly kind: 'file'; readonly opened: OpenedDocument; readonly series: ReadSeries; readonly isFirst: boolean }
  | (Prepared & { readonly kind: 'sent' });

/** What is absent stays as it was. Of covariates that were never chosen, those that help are used. */
export interface Wanted extends Asked {
  readonly bounds?: Bounds | undefined;
  readonly shape?: Shape | undefined;
  readonly isAnew?: boolean | undefined;
  readonly show?: Charts;
  readonly session?: Session;
}

export interface Charts {
  opened: number;
  readonly former?: PredictionRef;
  readonly since?: number; // epoch milliseconds of the request; absent: when it begins
  readonly isFollowing?: boolean;
}

export const MOST_CHARTS = 4; // more charts at once would fill the editor; other forecasts are in the Predictions view
export const NO_CHART: Charts = { opened: Infinity };

const TITLE = vscode.l10n.t('Forecast');

export async function forecastFiles(app: App, uris: readonly vscode.Uri[], wanted: Wanted = {}): Promise<void> {
  const session = await app.connection.ready();
  // the service starts while the file is read; its first request reports a failure
  session.client.capabilities().catch(() => undefined);
  const show: Charts = { opened: 0 };
  const notices: Promise<unknown>[] = [];
  try {
    for (const uri of uris) {
      const again = (other: Wanted) => () => forecastFiles(app, [uri], other);
      const ways = (error: unknown): readonly Way[] => {
        const found = waysAfter(app, error, again(wanted), again({ ...wanted, model: undefined }));
        return found.length > 0 ? found : shapeWays(error, (shape) => again({ ...wanted, shape })());
      };
      const forecast = async (unreadable: Unreadable) =>
        forecastDocument(app, await openAsBefore(app, uri, unreadable), { ...wanted, show, session });
      await onFile(app, uri, forecast, { ways, notices });
    }
  } finally {
    await Promise.all(notices);
  }
}

async function forecastDocument(app: App, opened: OpenedDocument, wanted: Wanted = {}): Promise<void> {
  const settled = await settleLayout(app, opened, TITLE);
  const series = await seriesAsBefore(app, settled, TITLE);
  app.problems.show(settled);
  await forecastSeries(app, settled, series, wanted);
}

export async function takeTotals(app: App, uri: vscode.Uri): Promise<void> {
  const opened = await openAsBefore(app, uri);
  await forecastDocument(app, await opened.again({ layout: { ...opened.layout, totals: 'take' } }));
}

export const MANY = 5; // so many series are shown as a list instead of a chart each

/** Forecasts series of a document: a chart each of a few, a list of many. @throws Cancelled, ServiceError */
export async function forecastSeries(
  app: App,
  opened: OpenedDocument,
  chosen: readonly ReadSeries[],
  wanted: Wanted = {},
): Promise<void> {
  const { show = { opened: 0 }, session = await app.connection.ready() } = wanted;
  if (chosen.length >= MANY) return app.manyPages.forecast(opened, chosen, wanted, session);
  await withProgress(vscode.l10n.t('Forecasting {0}', opened.fileName), async ({ signal, report }) => {
    for (const [index, series] of chosen.entries()) {
      signal.throwIfAborted();
      if (chosen.length > 1) report(vscode.l10n.t('{0} ({1} of {2})', series.name, index + 1, chosen.length));
      const source = { kind: 'file', opened, series, isFirst: index === 0 } as const;
      await makeForecast(app, source, { ...wanted, show, session }, signal);
    }
  });
}

/** The only way to a forecast. Takes one of the same data and options, and keeps its service. @throws ServiceError, SeriesError, Cancelled */
export async function makeForecast(
  app: App,
  source: ForecastSource,
  { show = { opened: 0 }, session: given, ...change }: Wanted,
  signal: AbortSignal,
): Promise<LocalPrediction> {
  const { since = performance.now() } = show;
  const session = given ?? (await app.connection.ready());
  const { info } = session;
  const getsNewChart = !show.isFollowing && !show.former && show.opened < MOST_CHARTS;
  const isQuick = source.kind === 'file' && info.kind === 'local';
  const ahead = isQuick && getsNewChart ? app.panels.aheadOf(noteOfFile(source)) : undefined;
  try {
    const { data, options, note } =
      source.kind === 'file' ? await ofFile(app, source, change, { session, signal }) : changed(source, change);
    const key = fingerprint([], [options, note.label, data]);
    const known = change.isAnew === true ? undefined : await madeBefore(app, session, key, signal);
    const request = { ...options, ...data, series: data.series && [...data.series] };
    const made = known ?? (await create(app, request, { ...note, key }, { session, signal }));
    const ref = { serviceId: info.id, predictionId: made.id };
    if (show.isFollowing) app.panels.follow(ref, made);
    else if (show.opened++ < MOST_CHARTS) app.panels.open(ref, made, { former: show.former, since, ahead });
    if (source.kind === 'file' && source.isFirst && !source.opened.isPart) {
      const { opened, series } = source;
      const noted = { ...madeWith(options), serviceId: info.id, series: series.id, fingerprint: fingerprintOf(series) };
      app.kept.note(opened.uri.toString(), noted, show.isFollowing === true);
    }
    return made;
  } finally {
    ahead?.dispose();
  }
}

export const forecastWithProgress = (app: App, label: string, source: ForecastSource, wanted: Wanted) =>
  withProgress(vscode.l10n.t('Forecasting {0}', label), ({ signal }) => makeForecast(app, source, wanted, signal));

/** Waits for a prediction and its forecast. @throws ServiceError if it failed; the signal's reason */
export async function finished(
  session: Pick<Session, 'client' | 'predictions'>,
  made: LocalPrediction,
  signal: AbortSignal,
): Promise<LocalPrediction> {
  const last = await ended(session.predictions, made, signal);
  if (last.status !== 'COMPLETED') throw new ServiceError('refused', last.error ?? last.status);
  return last.prediction_series ? last : readOne(session, last.id, signal);
}

export async function readOne({ client }: Pick<Session, 'client'>, id: string, signal: AbortSignal) {
  const [found] = (await client.findPredictions(new Set([id]), signal)).jobs;
  if (found) return found;
  throw new ServiceError('not-found', vscode.l10n.t('The service no longer has this prediction.'));
}

interface Asking {
  readonly session: Session;
  readonly signal: AbortSignal;
}

async function ofFile(
  app: App,
  { opened, series }: ForecastSource & { kind: 'file' },
  { shape = {}, covariates: chosenNow, bounds: boundsNow, ...asked }: Wanted,
  { session, signal }: Asking,
): Promise<Prepared> {
  const { client } = session;
  const { uri, document } = opened;
  const offers = await client.capabilities();
  const before = app.choices.recall(uri, document.shape);
  const chosen = chosenNow ?? before?.covariates;
  const bounds = offers.takes('createPrediction', 'bounds') ? (boundsNow ?? before?.bounds) : undefined;
  const options: Options = { ...(await optionsOf(app, session, asked)), ...(bounds ? { bounds } : {}) };
  const { series: recent, remarks: shapeRemarks } = shaped(lastPoints(series), shape);
  const takesColumns = takesCovariates(offers, 'createPrediction');
  const helping = takesColumns && !chosen ? await columnsThatHelp(recent, options, client, signal) : undefined;
  const covariates = takesColumns ? [...(chosen ?? helping?.names ?? []), ...boundColumns(bounds)] : [];
  const calendar = { names: covariates, asked: options, client, signal };
  const { full, steps = helping?.steps } = await withCalendar(app, uri, recent, calendar);
  return {
    data: { series: toPoints(full, covariates) },
    options: { ...options, ...(steps === undefined ? {} : { prediction_length: steps }) },
    note: {
      ...noteOfFile({ opened, series }),
      valueLabel: valueLabelOf(document, series),
      remarks: [...series.remarks, ...shapeRemarks, ...(helping ? [helping.remark] : [])],
      holidays: series.holidays,
    },
  };
}

const noteOfFile = ({ opened, series }: Pick<ForecastSource & { kind: 'file' }, 'opened' | 'series'>): Note => ({
  label: opened.document.series.length === 1 ? opened.fileName : `${opened.fileName} · ${series.name}`,
  source: sourceOf(opened, series),
});

export const boundColumns = ({ floor, capacity }: Bounds = {}): string[] =>
  [floor, capacity].filter((bound) => typeof bound === 'string');

/** The future covariates that help in a backtest, with the default horizon: as far as the file has values. @throws ServiceError */
async function columnsThatHelp(
  series: ReadSeries,
  { ai_model_id: model, prediction_length: horizon }: RequestOptions,
  client: ServiceClient,
  signal: AbortSignal,
) {
  const all = columnsOf([series])
    .filter(({ isCalendar }) => isCalendar !== true)
    .map(({ name }) => name);
  if (all.length === 0 || !(await client.capabilities()).has('testCovariates')) return undefined;
  const tests = await testColumns(client, series, all, { model, signal });
  const names = all.filter((name) => tests.get(name));
  const steps = stepsKnown(series, names);
  if (steps === undefined) return undefined;
  const text = vscode.l10n.t(
    'Uses {0}, which helped in a backtest, for {1}: as far as the file has values',
    new Intl.ListFormat(vscode.env.language).format(names),
    stepNoun(series.frequency, steps),
  );
  return { names, steps: horizon ?? steps, remark: remark('columns', 0, text) };
}

/** What was sent for a prediction, or other points, whatever its file holds now. @throws ServiceError if its service is not in use, or no longer has it */
export function sentOf(
  app: App,
  ref: PredictionRef,
  prediction: LocalPrediction,
  {
    series: other,
    scenario,
    remark: done,
  }: { readonly series?: readonly OutgoingPoint[]; readonly scenario?: string; readonly remark?: Remark } = {},
): ForecastSource {
  sessionInUse(app.connection, ref.serviceId);
  const { series: sent, ...options } = requestOf(prediction);
  if (!other && !prediction.input_series)
    throw new ServiceError('not-found', vscode.l10n.t('The service no longer has the series of this prediction.'));
  const { key: _key, coverage: _coverage, made: _made, ...note } = noteOf(app, ref);
  return {
    kind: 'sent',
    data: { series: other ?? sent },
    options,
    note: {
      ...note,
      ...(scenario === undefined ? {} : { label: `${withoutScenario(note)} · ${scenario}`, scenario }),
      ...(done ? { remarks: [...(note.remarks ?? []), done] } : {}),
    },
  };
}

function changed({ data, options, note }: Prepared, { model, horizon, intervals, bounds, covariates }: Wanted) {
  return {
    data: data.series && covariates ? { series: onlyColumns(data.series, covariates) } : data,
    options: {
      ...options,
      ai_model_id: (model ?? options.ai_model_id) || undefined,
      prediction_length: horizon ?? options.prediction_length,
      quantile_levels: intervals ? levelsOf(intervals) : options.quantile_levels,
      bounds: bounds ?? options.bounds,
    },
    note,
  };
}

function onlyColumns(points: readonly OutgoingPoint[], names: readonly string[]): OutgoingPoint[] {
  return points.flatMap((point) => {
    const { covariates, ...metadata } = point.metadata ?? {};
    if (typeof covariates !== 'object' || covariates === null) return [point];
    const left = Object.fromEntries(Object.entries(covariates).filter(([name]) => names.includes(name)));
    if (Object.keys(left).length > 0) return [{ ...point, metadata: { ...metadata, covariates: left } }];
    return typeof point.value === 'number' ? [{ ...point, metadata }] : [];
  });
}

async function madeBefore({ memory }: App, { client, info }: Session, key: string, signal: AbortSignal) {
  const id = memory.find(info.id, key)?.made;
  if (id === undefined) return undefined;
  const [known] = (await client.findPredictions(new Set([id]), signal)).jobs;
  return known?.status === 'FAILED' ? undefined : known;
}

async function create(app: App, request: CreatePrediction & Options, note: Note, { session, signal }: Asking) {
  const { client, info } = session;
  const serviceId = info.id;
  const { ai_model_id: model, series } = request;
  const offers = await client.capabilities();
  const leftOut = series ? series.length - fitPoints(series, offers, 'createPrediction').length : 0;
  const noteModel = (error?: unknown) =>
    // a note that cannot be written must not break a forecast
    model === undefined
      ? undefined
      : noteModelUse(app, serviceId, model, error).catch((failure: unknown) => app.log.warn(String(failure)));
  const body = { ...request, name: note.label.slice(0, MOST_LETTERS) };
  const made = await sendOnce(() => client.createPrediction(body, signal), 'predictions').catch(
    async (error: unknown) => {
      if (!request.series_id) await noteModel(error);
      throw error;
    },
  );
  await noteModel();
  const leftOutText = vscode.l10n.t(
    'Points without a value were left out because the service accepts only numbers: {0}',
    inDigits(leftOut),
  );
  const remarks = [...(note.remarks ?? []), ...(leftOut > 0 ? [remark('left-out', leftOut, leftOutText)] : [])];
  app.memory.note(serviceId, made.id, { ...note, ...(remarks.length > 0 ? { remarks } : {}) });
  const { input_series: _, ...item } = made;
  const tree = app.trees.get(VIEWS.predictions);
  if (info.kind === 'local') inBackground(app.log, tree?.refresh());
  else tree?.add({ kind: 'prediction', id: made.id, item, serviceId, offers });
  app.log.info(`${note.label}: prediction ${made.id} is ${made.status}`);
  notifyWhenDone(app, { serviceId, kind: 'prediction', id: made.id, label: note.label }, made.status);
  return made;
}

function madeWith({ ai_model_id: model, prediction_length: horizon, quantile_levels: levels = [] }: Options) {
  const intervals = quantilePairs(levels.map(String)).map(({ level }) => level);
  return { model, horizon, ...(intervals.length > 0 ? { intervals } : {}) };
}

/** The name of the numbers of a series; those of a percentage column have lost their sign. */
function valueLabelOf({ columns, preview }: SeriesDocument, { valueColumn, name }: ReadSeries): string {
  if (valueColumn === undefined) return name;
  const at = columns.indexOf(valueColumn);
  const cells = preview.map((row) => row[at]?.trim() ?? '').filter((cell) => cell !== '');
  const isPercentage = cells.length > 0 && cells.every((cell) => cell.endsWith('%')) && !valueColumn.includes('%');
  return isPercentage ? `${valueColumn} (%)` : valueColumn;
}

/** As asked, with the defaults of the settings, as far as the service takes them. @throws Cancelled */
export async function optionsOf(app: App, session: Session, asked: Asked, asksModel = true): Promise<RequestOptions> {
  const offers = await session.client.capabilities();
  const takes = (field: string) => offers.takes('createPrediction', field);
  const preferred = asked.model || setting('defaultModel');
  const model = preferred || (asksModel ? await usualModel(app, session) : undefined);
  const horizon = asked.horizon ?? setting('defaultHorizon');
  const levels = levelsOf(asked.intervals ?? setting('intervals'));
  return {
    ...(model ? { ai_model_id: model } : {}),
    ...(horizon && takes('prediction_length') ? { prediction_length: horizon } : {}),
    ...(levels.length > 0 && takes('quantile_levels') ? { quantile_levels: levels } : {}),
  };
}

/** The quantile levels of the limits of intervals and of the median. @param intervals in percent */
export const levelsOf = (intervals: readonly number[]): number[] =>
  intervals.length === 0 ? [] : withLimits([0.5], intervals);

export function fingerprint(series: readonly SendableSeries[], asked: object): string {
  const hash = createHash('sha256').update(JSON.stringify(asked));
  for (const one of series) hashSeries(hash, one);
  return hash.digest('base64url');
}

export const MOST_LETTERS = 200;

/** Sends a request that creates something. If its answer is lost, the person decides whether to send it again. @throws Cancelled, ServiceError */
export async function sendOnce<T>(send: () => Promise<T>, what: 'predictions' | 'models'): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.outcomeUnknown) throw error;
      const searched =
        what === 'predictions' && error.looked !== undefined
          ? vscode.l10n.t(' It is not among the {0} predictions that were searched.', inDigits(error.looked))
          : '';
      const answer = await say.error(`${error.message}${searched}`, vscode.l10n.t('Send Again'));
      if (answer !== vscode.l10n.t('Send Again')) throw new Cancelled();
    }
  }
}

export interface Shape {
  /** Missing values are filled by linear interpolation, or all rows before the last one are left out. */
  readonly gaps?: 'fill' | 'after' | undefined;
  readonly most?: number | undefined;
}

export function shapeWays(error: unknown, again: (shape: Shape) => unknown): Way[] {
  const { sent, status } = error instanceof ServiceError ? error : {};
  if (!sent || !(error instanceof ServiceError) || error.isAbout('ai_model_id')) return [];
  if (status === 413) {
    const most = Math.floor(sent.points / 2);
    return [{ label: vscode.l10n.t('Send the Last {0} Points', inDigits(most)), go: () => again({ most }) }];
  }
  if (sent.gaps === 0 || (error.faults.length > 0 && !error.isAbout('series'))) return [];
  return [
    { label: vscode.l10n.t('Fill the Gaps'), go: () => again({ gaps: 'fill' }) },
    { label: vscode.l10n.t('Use Rows After the Last Gap'), go: () => again({ gaps: 'after' }) },
  ];
}

export function shaped(series: ReadSeries, { gaps, most }: Shape) {
  if (gaps === 'fill') return filled(series);
  const end = series.values.findLastIndex((value) => !Number.isNaN(value)) + 1;
  const from = Math.max(gaps === 'after' ? afterLastGap(series) : 0, most === undefined ? 0 : end - most);
  if (from <= 0) return { series, remarks: [] };
  const text =
    gaps === 'after'
      ? vscode.l10n.t('Rows before the last gap were left out: {0}', inDigits(from))
      : vscode.l10n.t('Only the last {0} points were used', inDigits(end - from));
  const cut = lastPoints(series, series.times.length - from);
  return { series: cut, remarks: [remark('cut', from, text)] };
}

const gridOf = ({ times, values, frequency, timeZone = 'UTC' }: ReadSeries) =>
  toGrid(times, values, { frequency: frequency ?? null, zone: zoneOf(timeZone) });

function afterLastGap(series: ReadSeries): number {
  const { values, timeAt } = gridOf(series);
  const last = values.findLastIndex(Number.isFinite);
  const gap = values.subarray(0, last).findLastIndex(Number.isNaN);
  return gap < 0 ? 0 : series.times.findIndex((time) => time > timeAt(gap));
}

function filled(series: ReadSeries): { readonly series: ReadSeries; readonly remarks: Remark[] } {
  const { beside: _, ...bare } = series;
  const grid = gridOf(series);
  const values = grid.values.slice();
  let last = -1;
  let count = 0;
  for (let step = 0; step < values.length; step++) {
    if (Number.isNaN(values[step])) continue;
    for (let at = last + 1; last >= 0 && at < step; at++) {
      values[at] = values[last] + ((values[step] - values[last]) * (at - last)) / (step - last);
      count++;
    }
    last = step;
  }
  const times = Float64Array.from(values, (_value, step) => grid.timeAt(step));
  const kept = times.length === series.times.length ? series : bare;
  const text = vscode.l10n.t('{0} missing values were filled by linear interpolation', inDigits(count));
  return { series: { ...kept, times, values }, remarks: [remark('missing', count, text)] };
}

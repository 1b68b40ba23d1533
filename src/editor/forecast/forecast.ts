import * as vscode from 'vscode';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { ServiceError } from '../../client/errors.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { openSettled, seriesAsBefore, settleLayout } from '../files/choose-series.ts';
import { onFile, openAsBefore, type OpenedDocument, type Unreadable } from '../files/document.ts';
import { askForFiles } from '../files/find-files.ts';
import { setOf } from '../files/sources.ts';
import { forecastAll, forecastMany } from '../many-series/forecast-all.ts';
import { chooseModel, chooseUsualModel, waysAfter } from '../request/pick-model.ts';
import { type Charts, levelsOf } from '../request/request.ts';
import { shapeWays } from '../request/shape.ts';
import { showFailure, type Way } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import { alone } from '../ui/steps.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';
import { type ForecastChange, makeForecast, noteOf } from './forecaster.ts';

const TITLE = vscode.l10n.t('Forecast');
const TITLE_AGAIN = vscode.l10n.t('Forecast Again');
const TITLE_WITH = vscode.l10n.t('Forecast Again With…');

/** Forecasts files, one after another. Asks nothing where a file leaves no choice. A file that fails does not stop the others. */
export async function forecastFiles(app: App, uris: readonly vscode.Uri[], change: ForecastChange = {}): Promise<void> {
  if (uris.length >= MANY) {
    await forecastAll(app, uris, { ai_model_id: change.model, prediction_length: change.horizon });
    return;
  }
  // the service starts while the file is read; its first request reports a failure
  app.connection
    .ready()
    .then(({ client }) => client.capabilities())
    .catch(() => undefined);
  const show: Charts = { opened: 0 };
  const notices: Promise<unknown>[] = [];
  try {
    for (const uri of uris)
      await onFile(app, uri, (unreadable) => forecastFile(uri, unreadable), { ways: waysOf(uri), notices });
  } finally {
    await Promise.all(notices);
  }

  async function forecastFile(uri: vscode.Uri, unreadable: Unreadable): Promise<void> {
    await forecastDocument(app, await openAsBefore(app, uri, unreadable), { change, show });
  }

  function waysOf(uri: vscode.Uri): (error: unknown) => readonly Way[] {
    const { model: _, ...others } = change;
    const again = (changed: ForecastChange) => () => forecastFiles(app, [uri], changed);
    return (error) => {
      const ways = waysAfter(app, error, again(change), again(others));
      return ways.length > 0 ? ways : shapeWays(error, (shape) => again({ ...change, shape })());
    };
  }
}

/**
 * Forecasts a document that was read: what it leaves open is asked, unless it was chosen before.
 * @throws Cancelled, SeriesError, ServiceError
 */
export async function forecastDocument(
  app: App,
  opened: OpenedDocument,
  how: { readonly change: ForecastChange; readonly show: Charts } = { change: {}, show: { opened: 0 } },
): Promise<void> {
  const settled = await settleLayout(app, opened, TITLE);
  const series = await seriesAsBefore(app, settled, TITLE, 'forecast');
  app.problems.show(settled);
  await forecastSeries(app, settled, series, how);
}

/** Forecasts a file with its total rows, now and in the future. */
export async function takeTotals(app: App, uri: vscode.Uri): Promise<void> {
  const opened = await openAsBefore(app, uri);
  const taken = await opened.again({ layout: { ...opened.layout, totals: 'take' } });
  await forecastDocument(app, taken);
}

/** Forecasts files that the person chooses, with this model. */
export async function forecastWithModel(app: App, model: string): Promise<void> {
  await forecastFiles(app, await askForFiles(vscode.l10n.t('Choose a File to Forecast with this Model')), { model });
}

/** From so many series on they are shown as a list, not as a chart each. */
export const MANY = 5;

/**
 * Forecasts series of a document: a chart each of a few, a list of many. What was forecast before in the same way is
 * shown again. @throws Cancelled, ServiceError
 */
export async function forecastSeries(
  app: App,
  opened: OpenedDocument,
  chosen: readonly ReadSeries[],
  { change, show }: { readonly change: ForecastChange; readonly show: Charts },
): Promise<void> {
  if (chosen.length >= MANY) {
    const { model, horizon, intervals, covariates } = change;
    const asked = { ai_model_id: model, prediction_length: horizon, quantile_levels: intervals && levelsOf(intervals) };
    await forecastMany(app, setOf(opened, chosen), asked, covariates);
    return;
  }
  await withPatience(vscode.l10n.t('Forecasting {0}', opened.fileName), async (signal, report) => {
    for (const [index, series] of chosen.entries()) {
      signal.throwIfAborted();
      if (chosen.length > 1) report(vscode.l10n.t('{0} ({1} of {2})', series.name, index + 1, chosen.length));
      await makeForecast(app, { source: { kind: 'file', opened, series }, change, show }, signal);
    }
  });
}

export const storedLabel = (id: string, name: string | undefined): string =>
  name ?? vscode.l10n.t('Series {0}', id.slice(-6));

/** Forecasts a stored series and shows failures. */
export async function forecastStoredSeries(app: App, id: string, label: string): Promise<void> {
  const wanted = { source: { kind: 'stored', id, label }, change: { isAnew: true }, show: { opened: 0 } } as const;
  try {
    await withPatience(vscode.l10n.t('Forecasting {0}', label), (signal) => makeForecast(app, wanted, signal));
  } catch (error) {
    await showFailure(app, error, ...waysAfter(app, error, () => forecastStoredSeries(app, id, label)));
  }
}

/** What is to be another one than before. */
export interface Changes extends Omit<ForecastChange, 'isAnew' | 'bounds'> {
  /** Whether the person chooses the model. */
  readonly isOtherModel?: boolean | undefined;
  /** Whether the person chose the columns, to be used from now on. */
  readonly areColumnsChosen?: boolean | undefined;
}

/**
 * Makes a forecast again, as far ahead as before: of its series as the file has it now, or of what was sent where there is
 * no file. Its chart takes the place of the one before. @throws Cancelled, ServiceError
 */
export async function forecastAgain(
  app: App,
  ref: PredictionRef,
  { isOtherModel = false, areColumnsChosen = false, ...wanted }: Changes = {},
): Promise<void> {
  const session = app.connection.session(ref.serviceId);
  if (!session || ref.serviceId !== app.connection.current.id)
    throw new ServiceError(
      'refused',
      vscode.l10n.t('This prediction belongs to a different service. Switch to that service first.'),
    );
  const { label, source, scenario } = noteOf(app, ref);
  const model = isOtherModel ? ((await otherModel(app)) ?? '') : wanted.model;
  const before = await withPatience(vscode.l10n.t('Reading {0}', label), async (signal) => {
    const { jobs } = await session.client.findPredictions(new Set([ref.predictionId]), signal);
    return jobs.at(0);
  });
  const change = { ...wanted, model: model ?? before?.ai_model_id, isAnew: wanted.horizon === undefined };
  const show = { opened: 0, former: ref };
  const asSent = async (): Promise<void> => {
    const prediction = before ?? { id: ref.predictionId, status: 'FAILED' };
    await withPatience(vscode.l10n.t('Forecasting {0}', label), (signal) =>
      makeForecast(app, { source: { kind: 'prediction', ref, prediction }, change, show }, signal),
    );
  };
  if (source?.uri === undefined || source.isPart || scenario !== undefined) {
    await asSent();
    return;
  }
  const uri = vscode.Uri.parse(source.uri);
  const { id } = source;
  // a total may have been made of the series of the file
  const isOfSeries = before?.details?.totals && before.input_series;
  await onFile(app, uri, async (unreadable) => {
    // an answer may be outdated, for example if its sheet is gone
    const opened = await openSettled(app, uri, TITLE_AGAIN, { missing: unreadable });
    const series = opened.document.series.find((one) => one.id === id);
    if (!series && isOfSeries) return asSent();
    if (!series) throw isGone(opened.fileName, id);
    app.problems.show(opened);
    if (areColumnsChosen && wanted.covariates)
      app.choices.change(uri, opened.document.shape, { covariates: [...wanted.covariates] });
    const horizon = wanted.horizon ?? before?.prediction_length ?? before?.prediction_series?.length;
    return forecastSeries(app, opened, [series], { change: { ...change, horizon }, show });
  });
}

const isGone = (fileName: string, id: string): SeriesError =>
  new SeriesError(
    'unknown-column',
    vscode.l10n.t('{0} no longer has a series “{1}”. Forecast the file to choose another.', fileName, id),
  );

/** Asks for another model, which is remembered for a service that needs one each time. @throws Cancelled, ServiceError */
const otherModel = async (app: App): Promise<string | undefined> =>
  app.connection.current.kind === 'local'
    ? (await chooseModel(app, { place: alone(TITLE_WITH), placeholder: vscode.l10n.t('Which model?') })).id
    : chooseUsualModel(app);

/** Makes chosen forecasts again with one model that the person chooses. @throws Cancelled, ServiceError */
export async function forecastAgainWith(app: App, nodes: readonly ResourceNode[]): Promise<void> {
  const chosen = nodes.filter(({ kind }) => kind === 'prediction');
  if (chosen.length === 0) return;
  const { id: model } = await chooseModel(app, {
    place: alone(TITLE_WITH),
    placeholder: vscode.l10n.t('Which model?'),
  });
  for (const { serviceId, id } of chosen) await forecastAgain(app, { serviceId, predictionId: id }, { model });
}

/** Makes a forecast again without the observations at these times; its chart takes the place of the one before. */
export async function forecastWithout(
  app: App,
  ref: PredictionRef,
  prediction: LocalPrediction,
  times: ReadonlySet<number>,
): Promise<void> {
  const series = (prediction.input_series ?? []).map(({ value, ...point }) => ({
    ...point,
    value: times.has(parseTimestamp(point.timestamp)) ? null : (value ?? null),
  }));
  const text =
    times.size === 1
      ? vscode.l10n.t('1 anomaly was treated as missing')
      : vscode.l10n.t('{0} anomalies were treated as missing', times.size);
  const remark = { kind: 'missing' as const, rows: times.size, text, lines: [] };
  const source = { kind: 'prediction', ref, prediction, series, remark } as const;
  try {
    await withPatience(vscode.l10n.t('Forecasting {0}', noteOf(app, ref).label), (signal) =>
      makeForecast(app, { source, change: { isAnew: true }, show: { opened: 0, former: ref } }, signal),
    );
  } catch (error) {
    await showFailure(app, error);
  }
}

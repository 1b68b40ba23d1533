import * as vscode from 'vscode';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { ServiceError } from '../../client/errors.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import { SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { settleLayout } from '../files/choose-series.ts';
import { openAsBefore } from '../files/document.ts';
import { onFile } from '../files/treat-as-missing.ts';
import { chooseModel, chooseUsualModel } from '../request/pick-model.ts';
import { showFailure } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import { alone } from '../ui/steps.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';
import { forecastSeries } from './forecast.ts';
import { type ForecastChange, makeForecast, noteOf } from './forecaster.ts';

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
      vscode.l10n.t('This prediction belongs to another service than the one in use. Switch to it first.'),
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
    // what was answered may not hold any more, such as a sheet that is gone
    const opened = await settleLayout(app, (await openAsBefore(app, uri, unreadable)).opened, TITLE);
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
    vscode.l10n.t('{0} has no series “{1}” any more. Forecast the file to choose another one.', fileName, id),
  );

const TITLE = vscode.l10n.t('Forecast Again');
const TITLE_WITH = vscode.l10n.t('Forecast Again With…');

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
      ? vscode.l10n.t('1 odd observation was taken as missing')
      : vscode.l10n.t('{0} odd observations were taken as missing', times.size);
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

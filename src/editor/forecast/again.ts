import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { readPredictions } from '../../client/poller.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { rememberColumns, settleLayout } from '../files/choose-series.ts';
import { openAsBefore, type Reading } from '../files/document.ts';
import { Cancelled, showFileFailure } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import { alone } from '../ui/steps.ts';
import type { ResourceNode } from '../views/tree/node.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { createPrediction, MOST_LETTERS } from '../request/create.ts';
import { forecastSeries, type ForecastOptions } from './forecast-series.ts';
import { chooseModel, chooseUsualModel } from '../request/pick-model.ts';
import { levelsOf } from '../request/request.ts';

/** What is to be another one than before. */
export interface Changes {
  /** Whether the person chooses the model. */
  readonly isOtherModel?: boolean | undefined;
  readonly model?: string | undefined;
  readonly horizon?: number | undefined;
  /** In per cent. */
  readonly bands?: readonly number[] | undefined;
  /** Columns that it may make use of. */
  readonly covariates?: readonly string[] | undefined;
  /** Whether the person chose these columns, to be used from now on. */
  readonly areColumnsChosen?: boolean | undefined;
}

/**
 * Makes a forecast again, as far ahead as before: of its series as the file has it now, or of what was sent where there is
 * no file. Its chart takes the place of the one before. @throws Cancelled, ServiceError
 */
export async function forecastAgain(
  app: App,
  ref: PredictionRef,
  { isOtherModel = false, model: wanted, horizon: length, bands, covariates, areColumnsChosen = false }: Changes = {},
): Promise<void> {
  const session = app.connection.session(ref.serviceId);
  if (!session || ref.serviceId !== app.connection.current.id)
    throw new ServiceError(
      'refused',
      vscode.l10n.t('This prediction belongs to another service than the one in use. Switch to it first.'),
    );
  const known = app.memory.recall(ref.serviceId, ref.predictionId);
  const note = known ?? { label: vscode.l10n.t('Prediction {0}', ref.predictionId.slice(-6)) };
  const chosen = isOtherModel ? await otherModel(app) : undefined;
  const before = await withPatience(vscode.l10n.t('Reading {0}', note.label), async (signal) => {
    const { jobs } = await readPredictions(session.client, new Set([ref.predictionId]), signal);
    return jobs.at(0);
  });
  const model = wanted ?? chosen ?? (isOtherModel ? undefined : before?.ai_model_id);
  const horizon = length ?? before?.prediction_length ?? before?.prediction_series?.length;
  const source = known?.source;
  const asSent = async (): Promise<void> => {
    const series = before?.input_series;
    if (!series)
      throw new ServiceError(
        'not-found',
        vscode.l10n.t('The service does not have the series of this prediction any more.'),
      );
    const request = {
      series: covariates ? onlyColumns(series, covariates) : series,
      ai_model_id: model,
      prediction_length: horizon,
      ...(bands ? { quantile_levels: levelsOf(bands) } : {}),
      ...(before.details?.bounds ? { bounds: before.details.bounds } : {}),
      name: note.label.slice(0, MOST_LETTERS),
    };
    await withPatience(vscode.l10n.t('Forecasting {0}', note.label), (signal) =>
      createPrediction(app, request, note, { opened: 0, former: ref }, signal),
    );
  };
  if (source?.uri === undefined || source.isPart || known?.scenario !== undefined) {
    await asSent();
    return;
  }
  const options = { model, horizon, bands, covariates, areColumnsChosen, isAnew: length === undefined };
  // a total may have been made of the series of the file
  const absent = before?.details?.totals && before.input_series ? asSent : undefined;
  await ofFile(app, vscode.Uri.parse(source.uri), source.id, options, { former: ref, absent });
}

const TITLE = vscode.l10n.t('Forecast Again');
const TITLE_WITH = vscode.l10n.t('Forecast Again With…');

/** Asks for another model, which is remembered for a service that needs one each time. @throws Cancelled, ServiceError */
const otherModel = async (app: App): Promise<string | undefined> =>
  app.connection.current.kind === 'local'
    ? (await chooseModel(app, alone(TITLE_WITH), vscode.l10n.t('Which model?'))).id
    : chooseUsualModel(app);

/** Points that say no more of their steps than these columns. */
function onlyColumns(points: readonly SeriesPoint[], names: readonly string[]): SeriesPoint[] {
  return points.flatMap((point) => {
    const { covariates, ...metadata } = point.metadata ?? {};
    if (typeof covariates !== 'object' || covariates === null) return [point];
    const left = Object.fromEntries(Object.entries(covariates).filter(([name]) => names.includes(name)));
    if (Object.keys(left).length > 0) return [{ ...point, metadata: { ...metadata, covariates: left } }];
    // of the future there is nothing else to tell
    return point.value === undefined ? [] : [{ ...point, metadata }];
  });
}

/** Makes chosen forecasts again with one model that the person chooses. @throws Cancelled, ServiceError */
export async function forecastAgainWith(app: App, nodes: readonly ResourceNode[]): Promise<void> {
  const chosen = nodes.filter(({ kind }) => kind === 'prediction');
  if (chosen.length === 0) return;
  const { id: model } = await chooseModel(app, alone(TITLE_WITH), vscode.l10n.t('Which model?'));
  for (const { serviceId, id } of chosen) await forecastAgain(app, { serviceId, predictionId: id }, { model });
}

async function ofFile(
  app: App,
  uri: vscode.Uri,
  id: string,
  options: ForecastOptions & Pick<Changes, 'areColumnsChosen'>,
  from: {
    readonly former: PredictionRef;
    /** What is done where the file does not have the series. */
    readonly absent: (() => Promise<void>) | undefined;
  },
  missing?: Reading['missing'],
): Promise<void> {
  try {
    // what was answered may not hold any more, such as a sheet that is gone
    const opened = await settleLayout((await openAsBefore(app, uri, missing)).opened, TITLE);
    const series = opened.document.series.find((one) => one.id === id);
    if (!series && from.absent) {
      await from.absent();
      return;
    }
    if (!series) {
      throw new SeriesError(
        'unknown-column',
        vscode.l10n.t(
          '{0} has no series “{1}” any more. Forecast the file to choose another one.',
          opened.fileName,
          id,
        ),
      );
    }
    app.problems.show(opened);
    if (options.areColumnsChosen && options.covariates) await rememberColumns(app, opened, options.covariates);
    await forecastSeries(app, opened, [series], options, { opened: 0, former: from.former });
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    const repairable = error instanceof SeriesError && error.canBePassedOver && missing === undefined;
    const repair = {
      label: vscode.l10n.t('Treat as Missing'),
      go: () => ofFile(app, uri, id, options, from, 'treat-as-missing'),
    };
    await showFileFailure(app, uri, error, repairable ? repair : undefined);
  }
}

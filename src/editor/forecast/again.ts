import * as vscode from 'vscode';
import { defaultHorizon } from '../../calendar/frequency.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import type { LocalPrediction } from '../../contract/resources.ts';
import { SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { sessionInUse } from '../connection/connection.ts';
import { remark } from '../connection/memory.ts';
import { onFile, openAsBefore, openSettled } from '../files/document.ts';
import { chooseModel, chooseUsualModel, waysAfter } from '../request/pick-model.ts';
import { say, showFailure, withProgress } from '../ui/say.ts';
import { alone } from '../ui/steps.ts';
import { noteOf } from '../views/chart/export.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { reduce, startOf, stepsFor } from '../views/file-reading/view.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';
import { type Charts, forecastSeries, forecastWithProgress, optionsOf, sentOf, type Wanted } from './forecast.ts';

const TITLE_AGAIN = vscode.l10n.t('Forecast Again');

export const storedLabel = (id: string, name: string | undefined): string =>
  name ?? vscode.l10n.t('Series {0}', id.slice(-6));

export async function forecastStoredSeries(app: App, id: string, label: string): Promise<void> {
  try {
    const session = await app.connection.ready();
    const options = await optionsOf(app, session, {});
    const source = { kind: 'sent', data: { series_id: id }, options, note: { label } } as const;
    await forecastWithProgress(app, label, source, { isAnew: true, session });
  } catch (error) {
    await showFailure(app, error, ...waysAfter(app, error, () => forecastStoredSeries(app, id, label)));
  }
}

export interface Changes extends Omit<Wanted, 'isAnew' | 'bounds' | 'show' | 'session'> {
  readonly isOtherModel?: boolean | undefined;
  readonly areColumnsChosen?: boolean | undefined;
}

const inPlaceOf = (former: PredictionRef): Charts => ({ opened: 0, former, since: performance.now() });

/** Of its series as the file has it now, else of what was sent, in the chart of the former. @throws Cancelled, ServiceError */
export async function forecastAgain(
  app: App,
  ref: PredictionRef,
  { isOtherModel = false, areColumnsChosen = false, ...wanted }: Changes = {},
): Promise<void> {
  const session = sessionInUse(app.connection, ref.serviceId);
  const show = inPlaceOf(ref);
  const { label, source, scenario } = noteOf(app, ref);
  const model = isOtherModel ? ((await otherModel(app)) ?? '') : wanted.model;
  const { jobs } = await withProgress(vscode.l10n.t('Reading {0}', label), (signal) =>
    session.client.findPredictions(new Set([ref.predictionId]), signal),
  );
  const before = jobs.at(0);
  const isAnew = wanted.horizon === undefined;
  const change = { ...wanted, model: model ?? before?.ai_model_id, isAnew, show, session };
  const asSent = async () => {
    const sent = sentOf(app, ref, before ?? { id: ref.predictionId, status: 'FAILED' });
    await forecastWithProgress(app, label, sent, change);
  };
  if (source?.uri === undefined || source.isPart || scenario !== undefined) return asSent();
  const uri = vscode.Uri.parse(source.uri);
  const isTotal = before?.details?.totals && before.input_series;
  await onFile(app, uri, async (unreadable) => {
    const opened = await openSettled(app, uri, TITLE_AGAIN, { missing: unreadable });
    const series = opened.document.series.find(({ id }) => id === source.id);
    if (!series && isTotal) return asSent();
    if (!series)
      throw new SeriesError(
        'unknown-column',
        vscode.l10n.t(
          '{0} no longer has a series “{1}”. Forecast the file to choose another.',
          opened.fileName,
          source.id,
        ),
      );
    app.problems.show(opened);
    if (areColumnsChosen && wanted.covariates)
      app.choices.change(uri, opened.document.shape, { covariates: [...wanted.covariates] });
    const horizon = wanted.horizon ?? before?.prediction_length ?? before?.prediction_series?.length;
    return forecastSeries(app, opened, [series], { ...change, horizon });
  });
}

const askForModel = (app: App) =>
  chooseModel(app, { place: alone(vscode.l10n.t('Forecast Again With…')), placeholder: vscode.l10n.t('Which model?') });

/** Asks for another model, which is remembered for a remote service. @throws Cancelled, ServiceError */
const otherModel = async (app: App): Promise<string | undefined> =>
  app.connection.current.kind === 'local' ? (await askForModel(app)).id : chooseUsualModel(app);

export async function forecastAgainWith(app: App, nodes: readonly ResourceNode[]): Promise<void> {
  const chosen = nodes.filter(({ kind }) => kind === 'prediction');
  if (chosen.length === 0) return;
  const { id: model } = await askForModel(app);
  for (const { serviceId, id } of chosen) await forecastAgain(app, { serviceId, predictionId: id }, { model });
}

/** Lets the person choose other steps where they check how the file is read, and makes its forecast again. @throws Cancelled */
export async function changeSteps(app: App, ref: PredictionRef, file: vscode.Uri): Promise<void> {
  const change = await onFile(app, file, async (unreadable) => {
    const opened = await openAsBefore(app, file, unreadable);
    if (stepsFor(reduce(startOf(opened.layout), { ...opened, type: 'read' })).length === 0) {
      await say.info(vscode.l10n.t('The rows of {0} cannot be combined into longer steps.', opened.fileName));
      return undefined;
    }
    const { document } = await app.readings.settle(opened, TITLE_AGAIN);
    const { id } = noteOf(app, ref).source ?? {};
    const series = document.series.find((one) => one.id === id);
    return series ? { horizon: defaultHorizon(series.frequency, series.points) } : {};
  });
  if (change) await forecastAgain(app, ref, change);
}

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
  const source = sentOf(app, ref, prediction, { series, remark: remark('missing', times.size, text) });
  await forecastWithProgress(app, noteOf(app, ref).label, source, { isAnew: true, show: inPlaceOf(ref) });
}

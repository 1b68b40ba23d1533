import * as vscode from 'vscode';
import { isPassing } from '../../client/errors.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { Chosen } from '../files/choices.ts';
import { chooseSeries, rememberChoice, seriesAsBefore, settleLayout } from '../files/choose-series.ts';
import { askForFiles } from '../files/find-files.ts';
import { openAsBefore, type OpenedDocument } from '../files/document.ts';
import { setOf } from '../files/sources.ts';
import { onFile, type Unreadable } from '../files/treat-as-missing.ts';
import { forecastAll, forecastMany } from '../many-series/forecast-all.ts';
import type { Charts } from '../request/create.ts';
import { modelWay } from '../request/pick-model.ts';
import { levelsOf } from '../request/request.ts';
import { shapeWays } from '../request/shape.ts';
import { showFailure, type Way } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import { alone } from '../ui/steps.ts';
import { type ForecastChange, makeForecast } from './forecaster.ts';

const TITLE = vscode.l10n.t('Forecast');

/** Forecasts files, one after another. Asks nothing where a file leaves no choice. A file that fails does not stop the others. */
export async function forecastFiles(app: App, uris: readonly vscode.Uri[], change: ForecastChange = {}): Promise<void> {
  if (uris.length >= MANY) {
    await forecastAll(app, uris, { ai_model_id: change.model, prediction_length: change.horizon });
    return;
  }
  const show: Charts = { opened: 0 };
  const told: Promise<unknown>[] = [];
  try {
    for (const uri of uris)
      await onFile(app, uri, (unreadable) => forecastFile(uri, unreadable), { ways: waysOf(uri), told });
  } finally {
    await Promise.all(told);
  }

  async function forecastFile(uri: vscode.Uri, unreadable: Unreadable): Promise<void> {
    const { opened, chosen } = await openAsBefore(app, uri, unreadable);
    await forecastDocument(app, opened, chosen, { change, show });
  }

  function waysOf(uri: vscode.Uri): (error: unknown) => readonly Way[] {
    const { model: _, ...others } = change;
    const again = { label: vscode.l10n.t('Try Again'), go: () => forecastFiles(app, [uri], change) };
    return (error) => {
      if (isPassing(error)) return [again];
      const model = modelWay(app, error, () => forecastFiles(app, [uri], others));
      return model ? [model] : shapeWays(error, (shape) => forecastFiles(app, [uri], { ...change, shape }));
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
  before: Chosen | undefined,
  how: { readonly change: ForecastChange; readonly show: Charts } = { change: {}, show: { opened: 0 } },
): Promise<void> {
  const settled = await settleLayout(app, opened, TITLE);
  const series = seriesAsBefore(settled, before) ?? (await chooseSeries(settled, alone(TITLE), 'forecast', before));
  rememberChoice(app, settled, series);
  app.problems.show(settled);
  await forecastSeries(app, settled, series, how);
}

/** Forecasts a file anew with its rows of totals, and from then on. */
export async function takeTotals(app: App, uri: vscode.Uri): Promise<void> {
  const { opened, chosen } = await openAsBefore(app, uri);
  const taken = await opened.again({ layout: { ...opened.layout, totals: 'take' } });
  await forecastDocument(app, taken, chosen);
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

/** Forecasts a series that the service has stored, and tells of a failure. */
export async function forecastStoredSeries(app: App, id: string, label: string): Promise<void> {
  const wanted = { source: { kind: 'stored', id, label }, change: { isAnew: true }, show: { opened: 0 } } as const;
  try {
    await withPatience(vscode.l10n.t('Forecasting {0}', label), (signal) => makeForecast(app, wanted, signal));
  } catch (error) {
    const again = () => forecastStoredSeries(app, id, label);
    const way = isPassing(error) ? { label: vscode.l10n.t('Try Again'), go: again } : modelWay(app, error, again);
    await showFailure(app, error, ...(way ? [way] : []));
  }
}

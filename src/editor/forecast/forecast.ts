import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { Chosen } from '../files/choices.ts';
import { chooseSeries, rememberChoice, seriesAsBefore, settleLayout } from '../files/choose-series.ts';
import { askForFiles } from '../files/ask-for-files.ts';
import { openAsBefore, type OpenedDocument } from '../files/document.ts';
import { onFile, type Unreadable } from '../files/treat-as-missing.ts';
import type { Way } from '../ui/failure.ts';
import type { Charts } from '../request/create.ts';
import { forecastAll } from '../many-series/forecast-all.ts';
import { modelWay } from '../request/pick-model.ts';
import { shapeWays } from '../request/shape.ts';
import { isPassing } from '../../client/errors.ts';
import { alone } from '../ui/steps.ts';
import type { ForecastChange } from './forecaster.ts';
import { forecastSeries, MANY } from './forecast-series.ts';

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
    for (const uri of uris) await onFile(app, uri, (unreadable) => forecastFile(uri, unreadable), { ways: waysOf(uri), told }); // prettier-ignore
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
  await rememberChoice(app, settled, series);
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

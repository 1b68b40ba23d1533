import * as vscode from 'vscode';
import { SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { Chosen } from '../files/choices.ts';
import { chooseSeries, rememberChoice, seriesAsBefore, settleLayout } from '../files/choose-series.ts';
import { askForFiles } from '../files/ask-for-files.ts';
import { openAsBefore, type OpenedDocument } from '../files/document.ts';
import { Cancelled, showFileFailure } from '../ui/failure.ts';
import type { Charts } from '../request/create.ts';
import { forecastAll } from '../many-series/forecast-all.ts';
import { modelWay } from '../request/pick-model.ts';
import { isPassing } from '../../client/errors.ts';
import { alone } from '../ui/steps.ts';
import { inBackground } from '../ui/background.ts';
import { type ForecastOptions, forecastSeries, MANY } from './forecast-series.ts';

const TITLE = vscode.l10n.t('Forecast');

/** Forecasts files, one after another. Asks nothing where a file leaves no choice. A file that fails does not stop the others. */
export async function forecastFiles(
  app: App,
  uris: readonly vscode.Uri[],
  options: ForecastOptions = {},
): Promise<void> {
  if (uris.length >= MANY) {
    await forecastAll(app, uris, { ai_model_id: options.model, prediction_length: options.horizon });
    return;
  }
  const charts: Charts = { opened: 0 };
  const failures: Promise<void>[] = [];
  try {
    for (const uri of uris) await forecastFile(app, uri, options, charts, 'error', failures);
  } finally {
    await Promise.all(failures);
  }
}

async function forecastFile(
  app: App,
  uri: vscode.Uri,
  options: ForecastOptions,
  charts: Charts,
  missing: 'error' | 'treat-as-missing',
  failures: Promise<void>[] = [],
): Promise<void> {
  try {
    const { opened, chosen } = await openAsBefore(app, uri, missing);
    await forecastDocument(app, opened, chosen, options, charts);
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    const repairable = error instanceof SeriesError && error.canBePassedOver && missing === 'error';
    if (repairable) inBackground(app.log, app.problems.showFaults(uri, app.choices.latest(uri)?.layout));
    const repair = {
      label: vscode.l10n.t('Treat as Missing'),
      go: () => forecastFile(app, uri, options, charts, 'treat-as-missing'),
    };
    const again = { label: vscode.l10n.t('Try Again'), go: () => forecastFiles(app, [uri], options) };
    const { model: _, ...others } = options;
    const way = isPassing(error) ? again : modelWay(app, error, () => forecastFiles(app, [uri], others));
    // the other files do not wait until the person has read this
    failures.push(showFileFailure(app, uri, error, repairable ? repair : way));
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
  options: ForecastOptions = {},
  charts: Charts = { opened: 0 },
): Promise<void> {
  const settled = await settleLayout(opened, TITLE);
  const series = seriesAsBefore(settled, before) ?? (await chooseSeries(settled, alone(TITLE), 'forecast', before));
  await rememberChoice(app, settled, series);
  app.problems.show(settled);
  await forecastSeries(app, settled, series, options, charts);
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

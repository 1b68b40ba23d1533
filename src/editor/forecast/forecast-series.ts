import * as vscode from 'vscode';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { OpenedDocument } from '../files/document.ts';
import { setOf } from '../files/sources.ts';
import { forecastMany } from '../many-series/forecast-all.ts';
import type { Charts } from '../request/create.ts';
import { levelsOf } from '../request/request.ts';
import { withPatience } from '../ui/progress.ts';
import { type ForecastChange, makeForecast } from './forecaster.ts';

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
    const { model, horizon, bands, covariates } = change;
    const asked = { ai_model_id: model, prediction_length: horizon, quantile_levels: bands && levelsOf(bands) };
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

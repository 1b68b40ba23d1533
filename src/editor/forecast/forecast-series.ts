import * as vscode from 'vscode';
import type { Bounds, LocalCreatePrediction } from '../../contract/requests.ts';
import type { Note, Source } from '../connection/memory.ts';
import { toPoints } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { fileNameOf, type OpenedDocument } from '../files/document.ts';
import { fingerprintOf } from '../files/fingerprint.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { boundColumns } from './bounds.ts';
import { withCalendar } from '../request/calendar.ts';
import { usesCovariates } from '../request/covariates.ts';
import { type Charts, createPrediction, MOST_LETTERS } from '../request/create.ts';
import { fingerprint, levelsOf, withDefaults } from '../request/request.ts';
import { readPredictions } from '../../client/poller.ts';
import { forecastMany } from '../many-series/forecast-all.ts';
import { setOf } from '../files/sources.ts';
import { withPatience } from '../ui/progress.ts';

/** What the person set; everything absent is left to the service. */
export interface ForecastOptions {
  readonly model?: string | undefined;
  readonly horizon?: number | undefined;
  /** In per cent. */
  readonly bands?: readonly number[] | undefined;
  /** Columns that it may make use of; absent: those that were chosen for this file before. */
  readonly covariates?: readonly string[] | undefined;
  /** Between what it lies; absent: as was chosen for this file before. */
  readonly bounds?: Bounds | undefined;
  /** Whether it is made once more though there is one of the same data. */
  readonly isAnew?: boolean | undefined;
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
  { model, horizon, bands, covariates: wanted, bounds: between, isAnew = false }: ForecastOptions,
  charts: Charts,
): Promise<void> {
  const { fileName, document } = opened;
  const asked = { ai_model_id: model, prediction_length: horizon, quantile_levels: bands && levelsOf(bands) };
  if (chosen.length >= MANY) {
    await forecastMany(app, setOf(opened, chosen), asked, wanted);
    return;
  }
  const isOnly = document.series.length === 1;
  const before = app.choices.recall(opened.uri, document.shape);
  const bounds = between ?? before?.bounds;
  const options = { ...(await withDefaults(app, asked)), ...(bounds ? { bounds } : {}) };
  const names = [...(wanted ?? before?.covariates ?? []), ...boundColumns(bounds)];
  const covariates = names.length > 0 && (await usesCovariates(app)) ? names : [];
  await withPatience(vscode.l10n.t('Forecasting {0}', fileName), async (signal, report) => {
    for (const [index, series] of chosen.entries()) {
      signal.throwIfAborted();
      if (chosen.length > 1) report(vscode.l10n.t('{0} ({1} of {2})', series.name, index + 1, chosen.length));
      const label = isOnly ? fileName : `${fileName} · ${series.name}`;
      const recent = lastPoints(series);
      const { full, steps } = await withCalendar(app, opened.uri, recent, covariates, options, signal);
      const points = toPoints(full, covariates);
      const known = covariates.length > 0 ? { covariates: points.map(({ metadata }) => metadata?.covariates) } : {};
      const key = fingerprint([recent], { ...options, label, ...known });
      if (!isAnew && (await isShownAgain(app, key, charts, signal))) continue;
      const request: LocalCreatePrediction = {
        ...options,
        ...(steps === undefined ? {} : { prediction_length: steps }),
        series: points,
        name: label.slice(0, MOST_LETTERS),
      };
      const valueLabel = series.valueColumn ?? series.name;
      const { holidays } = series;
      const note = { label, valueLabel, remarks: remarksOf(series), holidays, key, source: sourceOf(opened, series) };
      await createPrediction(app, request, note, charts, signal);
    }
  });
}

/** Shows the chart of the same request made before, where it is still there and did not fail. */
async function isShownAgain(app: App, key: string, charts: Charts, signal: AbortSignal): Promise<boolean> {
  const { client, info } = await app.connection.ready();
  const id = app.memory.find(info.id, key);
  if (id === undefined) return false;
  const { jobs } = await readPredictions(client, new Set([id]), signal);
  const [known] = jobs;
  if (!known || known.status === 'FAILED') return false;
  charts.opened++;
  app.panels.open({ serviceId: info.id, predictionId: id }, known, false, charts.former);
  return true;
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

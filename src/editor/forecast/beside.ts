import { createHash } from 'node:crypto';
import { ServiceError } from '../../client/errors.ts';
import { readPredictions } from '../../client/poller.ts';
import * as vscode from 'vscode';
import type { LocalPrediction } from '../../contract/local.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import type { App } from '../app.ts';
import type { Note } from '../connection/memory.ts';
import { showFailure } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import { bandsOf } from '../views/analysis/controls.ts';
import type { Change } from '../views/analysis/protocol.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { createPrediction, MOST_LETTERS, noChart } from '../request/create.ts';
import { levelsOf } from '../request/request.ts';

export const noteOf = (app: App, { serviceId, predictionId }: PredictionRef): Note =>
  app.memory.recall(serviceId, predictionId) ?? { label: vscode.l10n.t('Prediction {0}', predictionId.slice(-6)) };

/**
 * Makes a forecast of the very data of another one, whatever its file holds now, and shows no chart of it. What was made in
 * the same way before is taken again. @throws ServiceError
 */
export async function forecastBeside(
  app: App,
  { serviceId, predictionId }: PredictionRef,
  { input_series: series }: LocalPrediction,
  { model, horizon, bands }: Change,
  signal: AbortSignal,
): Promise<LocalPrediction> {
  const { client } = await app.connection.ready();
  const offers = await client.capabilities();
  const takes = (field: string) => offers.takes('createPrediction', field);
  const asked = {
    ...(model === undefined ? {} : { ai_model_id: model }),
    ...(horizon !== undefined && takes('prediction_length') ? { prediction_length: horizon } : {}),
    ...(bands && takes('quantile_levels') ? { quantile_levels: levelsOf(bands) } : {}),
  };
  const { key: _, ...note } = noteOf(app, { serviceId, predictionId });
  const key = createHash('sha256')
    .update(JSON.stringify([asked, note.label, series]))
    .digest('base64url');
  const made = app.memory.find(serviceId, key);
  if (made !== undefined) {
    const { jobs } = await readPredictions(client, new Set([made]), signal);
    const [known] = jobs;
    if (known && known.status !== 'FAILED') return known;
  }
  if (!series)
    throw new ServiceError(
      'not-found',
      vscode.l10n.t('The service does not have the series of this prediction any more.'),
    );
  const request = { ...asked, series, name: note.label.slice(0, MOST_LETTERS) };
  return createPrediction(app, request, { ...note, key }, noChart(), signal);
}

/** Makes a forecast again without the observations at these times; its chart takes the place of the one before. */
export async function forecastWithout(
  app: App,
  ref: PredictionRef,
  prediction: LocalPrediction,
  times: ReadonlySet<number>,
): Promise<void> {
  try {
    const note = noteOf(app, ref);
    const bands = bandsOf(prediction);
    const series = (prediction.input_series ?? []).map((point) =>
      times.has(parseTimestamp(point.timestamp)) ? { ...point, value: undefined } : point,
    );
    const remark = {
      kind: 'missing' as const,
      rows: times.size,
      text:
        times.size === 1
          ? vscode.l10n.t('1 odd observation was taken as missing')
          : vscode.l10n.t('{0} odd observations were taken as missing', times.size),
      lines: [],
    };
    const request = {
      series,
      ...(prediction.ai_model_id === undefined ? {} : { ai_model_id: prediction.ai_model_id }),
      prediction_length: prediction.prediction_series?.length,
      ...(bands.length > 0 ? { quantile_levels: levelsOf(bands) } : {}),
      name: note.label.slice(0, MOST_LETTERS),
    };
    const { key: _, ...rest } = note;
    const kept = { ...rest, remarks: [...(note.remarks ?? []), remark] };
    await withPatience(vscode.l10n.t('Forecasting {0}', note.label), (signal) =>
      createPrediction(app, request, kept, { opened: 0, former: ref }, signal),
    );
  } catch (error) {
    await showFailure(app, error);
  }
}

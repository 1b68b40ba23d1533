import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { type LocalPrediction, PointQuantiles } from '../../contract/local.ts';
import type { Bounds } from '../../contract/requests.ts';
import type { OutgoingPoint } from '../../reading/points.ts';
import type { App } from '../app.ts';
import type { Note } from '../connection/memory.ts';
import { withPatience } from '../ui/progress.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';

/** A stored prediction, and what is known of where it came from. */
export interface Stored {
  readonly prediction: LocalPrediction;
  readonly note: Note | undefined;
  readonly label: string;
}

/** A stored prediction with its series, and what is known of where it came from. @throws ServiceError */
export async function readStored(app: App, { serviceId, predictionId }: PredictionRef): Promise<Stored> {
  const session = app.connection.session(serviceId);
  const note = app.memory.recall(serviceId, predictionId);
  const label = note?.label ?? vscode.l10n.t('Prediction {0}', predictionId.slice(-6));
  const found = await withPatience(vscode.l10n.t('Reading {0}', label), async (signal) =>
    session ? (await session.client.findPredictions(new Set([predictionId]), signal)).jobs : [],
  );
  const [prediction] = found;
  if (prediction) return { prediction, note, label: note?.label ?? prediction.name ?? label };
  throw new ServiceError('not-found', vscode.l10n.t('{0} is not there any more.', label));
}

/** What was asked for to make a prediction, as far as it tells. */
export interface Asked {
  readonly ai_model_id?: string;
  readonly prediction_length?: number;
  readonly quantile_levels?: readonly number[];
  readonly bounds?: Bounds;
  readonly name?: string;
  readonly series: readonly OutgoingPoint[];
}

export function askedOf(prediction: LocalPrediction): Asked {
  const { bounds } = prediction.details ?? {};
  const { input_series = [], ai_model_id, prediction_length, prediction_series, name } = prediction;
  const length = prediction_length ?? prediction_series?.length;
  const quantiles = PointQuantiles.safeParse(prediction_series?.[0]?.metadata).data?.quantiles ?? {};
  const levels = Object.keys(quantiles)
    .map(Number)
    .sort((a, b) => a - b);
  return {
    ...(ai_model_id === undefined ? {} : { ai_model_id }),
    ...(length === undefined ? {} : { prediction_length: length }),
    ...(levels.length > 0 ? { quantile_levels: levels } : {}),
    ...(bounds ? { bounds } : {}),
    ...(name === undefined ? {} : { name }),
    series: input_series.map(({ timestamp, value, metadata }) => ({
      timestamp,
      value: value ?? null,
      ...(metadata ? { metadata } : {}),
    })),
  };
}

import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { readPredictions } from '../../client/poller.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import type { Note } from '../connection/memory.ts';
import { withPatience } from '../ui/progress.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';

/** A stored prediction with its series, and what is known of where it came from. @throws ServiceError */
export async function readStored(
  app: App,
  { serviceId, predictionId }: PredictionRef,
): Promise<{ readonly prediction: LocalPrediction; readonly note: Note | undefined; readonly label: string }> {
  const session = app.connection.session(serviceId);
  const note = app.memory.recall(serviceId, predictionId);
  const label = note?.label ?? vscode.l10n.t('Prediction {0}', predictionId.slice(-6));
  const found = await withPatience(vscode.l10n.t('Reading {0}', label), async (signal) =>
    session ? (await readPredictions(session.client, new Set([predictionId]), signal)).jobs : [],
  );
  const [prediction] = found;
  if (prediction) return { prediction, note, label: note?.label ?? prediction.name ?? label };
  throw new ServiceError('not-found', vscode.l10n.t('{0} is not there any more.', label));
}

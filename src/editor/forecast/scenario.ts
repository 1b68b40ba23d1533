import type { LocalPrediction } from '../../contract/local.ts';
import { readPredictions } from '../../client/poller.ts';
import type { OutgoingPoint } from '../../reading/points.ts';
import type { App } from '../app.ts';
import { bandsOf } from '../views/analysis/controls.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { withoutScenario } from '../views/chart/status.ts';
import { noteOf } from './beside.ts';
import { createPrediction, MOST_LETTERS, noChart } from '../request/create.ts';
import { fingerprint, levelsOf } from '../request/request.ts';

/**
 * Makes a forecast as another one was made, of a series whose future is supposed to be another one, and shows no chart of
 * it. It is stored as every other one, under the name of the scenario.
 *
 * @throws ServiceError
 */
export async function forecastScenario(
  app: App,
  ref: PredictionRef,
  prediction: LocalPrediction,
  { name, series }: { readonly name: string; readonly series: readonly OutgoingPoint[] },
  signal: AbortSignal,
): Promise<LocalPrediction> {
  const { client, info } = await app.connection.ready();
  const bands = bandsOf(prediction);
  const asked = {
    ...(prediction.ai_model_id === undefined ? {} : { ai_model_id: prediction.ai_model_id }),
    prediction_length: prediction.prediction_series?.length,
    ...(bands.length > 0 ? { quantile_levels: levelsOf(bands) } : {}),
  };
  const { key: _, ...note } = noteOf(app, ref);
  const label = `${withoutScenario(note)} · ${name}`;
  const key = fingerprint([], { asked, label, series });
  const made = app.memory.find(info.id, key);
  if (made !== undefined) {
    const [known] = (await readPredictions(client, new Set([made]), signal)).jobs;
    if (known && known.status !== 'FAILED') return known;
  }
  const request = { ...asked, series: [...series], name: label.slice(0, MOST_LETTERS) };
  return createPrediction(app, request, { ...note, label, key, scenario: name }, noChart(), signal);
}

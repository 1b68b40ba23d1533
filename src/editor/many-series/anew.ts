import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { VIEWS } from '../connection/names.ts';
import { MOST_LETTERS } from '../forecast/create.ts';
import { chooseModel } from '../forecast/pick-model.ts';
import { withDefaults } from '../forecast/request.ts';
import { withPatience } from '../ui/progress.ts';
import { alone } from '../ui/steps.ts';
import { sumsAgain } from './add-up.ts';
import { predictAll } from './through-dataset.ts';
import { inBackground } from '../ui/background.ts';

/** Requests at a time. */
const AT_ONCE = 4;

/**
 * Forecasts chosen series again with another model that the person chooses, as far ahead as before.
 * @param whole its dataset where all series of one are chosen
 * @returns ids of the new predictions by those of the ones before
 * @throws Cancelled, ServiceError
 */
export async function forecastAnew(
  app: App,
  session: Session,
  whole: { readonly label: string; readonly datasetId?: string | undefined },
  chosen: readonly LocalPrediction[],
): Promise<ReadonlyMap<string, string>> {
  if (session.info.id !== app.connection.current.id)
    throw new ServiceError(
      'refused',
      vscode.l10n.t('These forecasts belong to another service than the one in use. Switch to it first.'),
    );
  const { label, datasetId } = whole;
  const title = vscode.l10n.t('Forecast {0} Series Again', chosen.length.toLocaleString('en'));
  const { id: model } = await chooseModel(app, alone(title), vscode.l10n.t('Which model?'));
  const [first] = chosen;
  const options = await withDefaults(app, { ai_model_id: model, prediction_length: first?.prediction_length }, false);
  const progress = vscode.l10n.t('Forecasting {0} series of {1}', chosen.length.toLocaleString('en'), label);
  const made = new Map<string, string>();
  await withPatience(progress, async (signal, report) => {
    const offers = await session.client.capabilities();
    if (datasetId !== undefined && offers.has('predictDataset')) {
      const sums = sumsAgain(chosen, offers);
      const request = { ...options, ...(sums ? { sums } : {}) };
      await predictAll(app, session, { id: datasetId, label }, request, signal, report);
      return;
    }
    const queue = chosen.values();
    const work = async (): Promise<void> => {
      for (const { id, name, input_series, input_series_id, prediction_length } of queue) {
        signal.throwIfAborted();
        const series = input_series_id === undefined ? { series: input_series } : { series_id: input_series_id };
        const horizon = prediction_length ?? options.prediction_length;
        const request = { ...options, ...series, prediction_length: horizon, name: name?.slice(0, MOST_LETTERS) };
        const prediction = await session.client.createPrediction(request, signal);
        made.set(id, prediction.id);
        report(vscode.l10n.t('{0} of {1}', made.size.toLocaleString('en'), chosen.length.toLocaleString('en')));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });
  inBackground(app.log, app.trees.get(VIEWS.predictions)?.refresh());
  return made;
}

import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { VIEWS } from '../names.ts';
import { MOST_LETTERS } from '../request/create.ts';
import { chooseModel } from '../request/pick-model.ts';
import { withDefaults } from '../request/request.ts';
import { say } from '../ui/say.ts';
import { withPatience } from '../ui/progress.ts';
import { alone } from '../ui/steps.ts';
import { sumsAgain } from './add-up.ts';
import { forEach } from './one-by-one.ts';
import { shortfallOf } from './shortfall.ts';
import { predictAll } from './through-dataset.ts';
import { inBackground } from '../ui/background.ts';
import { inDigits } from '../../calendar/digits.ts';

/**
 * Forecasts chosen series again with another model that the person chooses, as far ahead as before.
 * @param whole its dataset where all series of one are chosen
 * @returns ids of the new predictions by those of the ones before
 * @throws Cancelled, ServiceError, where none is made; what is made before a failure is kept, and said
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
  const title = vscode.l10n.t('Forecast {0} Series Again', inDigits(chosen.length));
  const { id: model } = await chooseModel(app, alone(title), vscode.l10n.t('Which model?'));
  const [first] = chosen;
  const options = await withDefaults(app, { ai_model_id: model, prediction_length: first?.prediction_length }, false);
  const progress = vscode.l10n.t('Forecasting {0} series of {1}', inDigits(chosen.length), label);
  const made = new Map<string, string>();
  await withPatience(progress, async (signal, report) => {
    const offers = await session.client.capabilities();
    if (datasetId !== undefined && offers.has('predictDataset')) {
      const sums = sumsAgain(chosen, offers);
      const request = { ...options, ...(sums ? { sums } : {}) };
      const set = await predictAll(app, session, { id: datasetId, label }, request, signal, report);
      if (set.shortfall !== undefined) inBackground(app.log, say.warning(set.shortfall));
      return;
    }
    const ends = await forEach(
      chosen,
      async ({ id, name, input_series, input_series_id, prediction_length }, either) => {
        const series = input_series_id === undefined ? { series: input_series } : { series_id: input_series_id };
        const horizon = prediction_length ?? options.prediction_length;
        const request = { ...options, ...series, prediction_length: horizon, name: name?.slice(0, MOST_LETTERS) };
        made.set(id, (await session.client.createPrediction(request, either)).id);
        report(vscode.l10n.t('{0} of {1}', inDigits(made.size), inDigits(chosen.length)));
      },
      signal,
    );
    if (made.size === 0) throw ends.failure ?? ends.refusals[0];
    const shortfall = shortfallOf(made.size, chosen.length, label, ends);
    if (shortfall !== undefined) inBackground(app.log, say.warning(shortfall));
  });
  inBackground(app.log, app.trees.get(VIEWS.predictions)?.refresh());
  return made;
}

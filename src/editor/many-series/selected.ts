import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { isGone, ServiceError } from '../../client/errors.ts';
import { LONGEST_NAME } from '../../client/store-series.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import { fromPoints } from '../../reading/points.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { storeSeries } from '../files/store-series.ts';
import { VIEWS } from '../names.ts';
import { MOST_LETTERS } from '../request/create.ts';
import { chooseModel } from '../request/pick-model.ts';
import { withDefaults } from '../request/request.ts';
import { inBackground } from '../ui/background.ts';
import { withPatience } from '../ui/progress.ts';
import { say } from '../ui/say.ts';
import { alone, askName } from '../ui/steps.ts';
import { predictAll } from './dataset.ts';
import { predictEach } from './forecast-all.ts';
import { forEach } from './requests.ts';
import { sumsAgain } from './settle.ts';

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
  const { label, datasetId: id } = whole;
  const count = inDigits(chosen.length);
  const place = alone(vscode.l10n.t('Forecast {0} Series Again', count));
  const { id: model } = await chooseModel(app, { place, placeholder: vscode.l10n.t('Which model?') });
  const horizon = chosen[0]?.prediction_length;
  const options = await withDefaults(app, { ai_model_id: model, prediction_length: horizon }, false);
  const made = new Map<string, string>();
  await withPatience(vscode.l10n.t('Forecasting {0} series of {1}', count, label), async (signal, report) => {
    const offers = await session.client.capabilities();
    const work = { signal, report };
    const again = async (): Promise<string | undefined> => {
      if (id !== undefined && offers.has('predictDataset')) {
        const asked = { id, label, options: { ...options, ...sumsAgain(chosen, offers) } };
        return (await predictAll(app, session, asked, work)).shortfall;
      }
      const requests = chosen.map(({ name, input_series: series, input_series_id: series_id, prediction_length }) => ({
        ...options,
        ...(series_id === undefined ? { series } : { series_id }),
        prediction_length: prediction_length ?? options.prediction_length,
        name: name?.slice(0, MOST_LETTERS),
      }));
      const each = await predictEach(app, session, { label, requests }, work);
      for (const [index, one] of each.made.entries()) if (one) made.set(chosen[index].id, one.id);
      return each.shortfall;
    };
    const shortfall = await again();
    if (shortfall !== undefined) inBackground(app.log, say.warning(shortfall));
  });
  inBackground(app.log, app.trees.get(VIEWS.predictions)?.refresh());
  return made;
}

/**
 * Stores the series of chosen forecasts as a dataset of their own, and shows it. A forecast that was deleted meanwhile is
 * left out, which is said; where another cannot be read, nothing more is, and nothing is stored.
 * @throws Cancelled, ServiceError
 */
export async function storeSelected(
  app: App,
  { client }: Session,
  label: string,
  chosen: readonly LocalPrediction[],
): Promise<void> {
  const count = inDigits(chosen.length);
  const name = await askName({
    place: alone(vscode.l10n.t('Make a Dataset of {0} Series', count)),
    prompt: vscode.l10n.t('What should the dataset be called?'),
    value: vscode.l10n.t('{0} series of {1}', count, label),
    most: LONGEST_NAME,
  });
  const id = await withPatience(vscode.l10n.t('Storing {0}', name), async (signal, report) => {
    const read = chosen.map((): ReturnType<typeof fromPoints> | undefined => undefined);
    const { failure, refusals } = await forEach(
      chosen,
      async (prediction, index, either) => {
        const { input_series = [] } = prediction.input_series
          ? prediction
          : await client.getPrediction(prediction.id, either);
        read[index] = fromPoints(input_series, prediction.name ?? prediction.id);
      },
      { signal, report },
      isGone,
    );
    const series = read.filter((one) => one !== undefined);
    const reason = failure ?? (series.length === 0 ? refusals[0] : undefined);
    if (reason !== undefined) throw reason;
    const stored = await storeSeries(app, client, { name, series }, { signal, report });
    const [refusal] = refusals;
    if (refusal)
      inBackground(
        app.log,
        say.warning(
          vscode.l10n.t(
            '{0} of {1} series are stored in {2}. The others are not: {3}',
            inDigits(series.length),
            count,
            name,
            refusal.message,
          ),
        ),
      );
    return stored.id;
  });
  await app.trees.get(VIEWS.datasets)?.refresh();
  await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  await app.trees.get(VIEWS.datasets)?.reveal(id);
}

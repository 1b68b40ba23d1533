import { inSignificant } from '../../calendar/digits.ts';
import * as vscode from 'vscode';
import type { ForecastFile } from '../../contract/forecast-file.ts';
import { isPassing } from '../../client/errors.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import { finished, makeForecast } from '../forecast/forecaster.ts';
import { noChart } from '../request/create.ts';
import { modelWay } from '../request/pick-model.ts';
import { showFailure } from '../ui/failure.ts';
import { inBackground } from '../ui/background.ts';
import { withPatience } from '../ui/progress.ts';
import { say } from '../ui/say.ts';
import { differenceOf } from './file.ts';

/**
 * Asks the service in use for the forecast of a file again, and says how what came differs from what the file holds.
 * @returns the file as it is now; undefined where it stays as it is
 */
export async function runForecastFile(app: App, file: ForecastFile): Promise<ForecastFile | undefined> {
  try {
    const made = await withPatience(vscode.l10n.t('Forecasting {0}', file.name), (signal) => make(app, file, signal));
    const { prediction: before } = file;
    const { ai_model_id, created_at, details, prediction_series } = made;
    const now = { ...file, prediction: { ai_model_id, created_at, details, prediction_series } };
    if (!before?.prediction_series) return now;
    const difference = differenceOf(before, made);
    inBackground(app.log, say.info(wordsOf(difference, file.name)));
    return difference.kind === 'none' ? undefined : now;
  } catch (error) {
    const again = () => runForecastFile(app, file);
    const way = isPassing(error) ? { label: vscode.l10n.t('Try Again'), go: again } : modelWay(app, error, again);
    await showFailure(app, error, ...(way ? [way] : []));
    return undefined;
  }
}

function wordsOf(difference: ReturnType<typeof differenceOf>, name: string): string {
  switch (difference.kind) {
    case 'none':
      return vscode.l10n.t('{0} was reproduced: the same numbers came out.', name);
    case 'times':
      return vscode.l10n.t('The forecast of {0} has other steps now.', name);
    case 'values': {
      const { steps, of, most } = difference;
      const share = inSignificant(most * 100, 2);
      return vscode.l10n.t('{0} of {1} steps of {2} came out differently, by {3} % at most.', steps, of, name, share);
    }
  }
}

/** @throws ServiceError, Cancelled */
async function make(app: App, file: ForecastFile, signal: AbortSignal): Promise<LocalPrediction> {
  const wanted = { source: { kind: 'request', file }, change: { isAnew: true }, show: noChart() } as const;
  const made = await makeForecast(app, wanted, signal);
  return finished(await app.connection.ready(), made, signal);
}

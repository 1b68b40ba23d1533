import * as vscode from 'vscode';
import type { LocalPrediction } from '../../contract/local.ts';
import { fromPoints } from '../../reading/points.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { VIEWS } from '../connection/names.ts';
import { LONGEST_NAME } from '../../client/store-series.ts';
import { storeSeries } from '../files/store-series.ts';
import { withPatience } from '../ui/progress.ts';
import { alone, askText } from '../ui/steps.ts';

/** Series that are read at a time. */
const AT_ONCE = 4;

/** Stores the series of chosen forecasts as a dataset of their own, and shows it. @throws Cancelled, ServiceError */
export async function storeSelected(
  app: App,
  session: Session,
  label: string,
  chosen: readonly LocalPrediction[],
): Promise<void> {
  const count = chosen.length.toLocaleString('en');
  const dataset = await askText({
    place: alone(vscode.l10n.t('Make a Dataset of {0} Series', count)),
    prompt: vscode.l10n.t('What should the dataset be called?'),
    value: vscode.l10n.t('{0} series of {1}', count, label),
    check: (text) => {
      if (text.trim() === '') return vscode.l10n.t('Enter a name.');
      return text.length > LONGEST_NAME ? vscode.l10n.t('At most {0} characters.', LONGEST_NAME) : undefined;
    },
  });
  const { id } = await withPatience(vscode.l10n.t('Storing {0}', dataset), async (signal, report) => {
    const series = new Array<ReturnType<typeof fromPoints>>(chosen.length);
    const queue = chosen.entries();
    let done = 0;
    const work = async (): Promise<void> => {
      for (const [index, prediction] of queue) {
        signal.throwIfAborted();
        const points = prediction.input_series ?? (await session.client.getPrediction(prediction.id, signal)).input_series; // prettier-ignore
        series[index] = fromPoints(points ?? [], prediction.name ?? prediction.id);
        report(vscode.l10n.t('{0} of {1}', (++done).toLocaleString('en'), count));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return storeSeries(app, session.client, dataset, series, signal);
  });
  await app.trees.get(VIEWS.datasets)?.refresh();
  await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  await app.trees.get(VIEWS.datasets)?.reveal(id);
}

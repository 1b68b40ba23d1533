import * as vscode from 'vscode';
import type { LocalPrediction } from '../../contract/local.ts';
import { isGone } from '../../client/errors.ts';
import { LONGEST_NAME } from '../../client/store-series.ts';
import { fromPoints } from '../../reading/points.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { VIEWS } from '../names.ts';
import { storeSeries } from '../files/store-series.ts';
import { inBackground } from '../ui/background.ts';
import { withPatience } from '../ui/progress.ts';
import { say } from '../ui/say.ts';
import { alone, askText } from '../ui/steps.ts';
import { forEach } from './one-by-one.ts';
import { inDigits } from '../../calendar/digits.ts';

/**
 * Stores the series of chosen forecasts as a dataset of their own, and shows it. A forecast that was deleted meanwhile is
 * left out, which is said; where another cannot be read, nothing more is, and nothing is stored.
 * @throws Cancelled, ServiceError
 */
export async function storeSelected(
  app: App,
  session: Session,
  label: string,
  chosen: readonly LocalPrediction[],
): Promise<void> {
  const count = inDigits(chosen.length);
  const dataset = await askText({
    place: alone(vscode.l10n.t('Make a Dataset of {0} Series', count)),
    prompt: vscode.l10n.t('What should the dataset be called?'),
    value: vscode.l10n.t('{0} series of {1}', count, label),
    check: (text) => {
      if (text.trim() === '') return vscode.l10n.t('Enter a name.');
      return text.length > LONGEST_NAME ? vscode.l10n.t('At most {0} characters.', LONGEST_NAME) : undefined;
    },
  });
  const { id, series, refusals } = await withPatience(vscode.l10n.t('Storing {0}', dataset), async (signal, report) => {
    const read = new Array<ReturnType<typeof fromPoints> | undefined>(chosen.length);
    let done = 0;
    const ends = await forEach(
      chosen.entries(),
      async ([index, prediction], either) => {
        const points = prediction.input_series ?? (await session.client.getPrediction(prediction.id, either)).input_series; // prettier-ignore
        read[index] = fromPoints(points ?? [], prediction.name ?? prediction.id);
        report(vscode.l10n.t('{0} of {1}', inDigits(++done), count));
      },
      signal,
      isGone,
    );
    const series = read.filter((one) => one !== undefined);
    const reason = ends.failure ?? (series.length === 0 ? ends.refusals[0] : undefined);
    if (reason !== undefined) throw reason;
    return {
      ...(await storeSeries(app, session.client, dataset, series, signal, report)),
      series,
      refusals: ends.refusals,
    };
  });
  if (refusals.length > 0) inBackground(app.log, say.warning(notAll(dataset, series.length, count, refusals[0])));
  await app.trees.get(VIEWS.datasets)?.refresh();
  await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  await app.trees.get(VIEWS.datasets)?.reveal(id);
}

const notAll = (dataset: string, stored: number, all: string, { message }: Error): string =>
  vscode.l10n.t(
    '{0} of {1} series are stored in {2}. The others are not: {3}',
    inDigits(stored),
    all,
    dataset,
    message,
  );

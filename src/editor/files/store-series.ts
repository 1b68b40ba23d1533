import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import type { ServiceClient } from '../../client/client.ts';
import * as stored from '../../client/store-series.ts';
import type { LocalDataset } from '../../contract/local.ts';
import type { SendableSeries } from '../../reading/points.ts';
import type { App } from '../app.ts';
import { inBackground } from '../ui/background.ts';
import { say } from '../ui/say.ts';
import { ServiceError } from '../../client/errors.ts';
import { VIEWS } from '../names.ts';
import { showFileFailure } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import { alone } from '../ui/steps.ts';
import { chooseSeries, settleLayout } from './choose-series.ts';
import { openAsBefore } from './document.ts';

type Sender = Pick<App, 'reader' | 'log'>;
type Storing = Omit<stored.DatasetToStore<SendableSeries & { readonly name: string }>, 'for_job'>;

/** Canceled by its signal; reports progress if the series are sent one by one. */
interface Work {
  readonly signal: AbortSignal;
  readonly report?: (message: string) => void;
}

/**
 * Stores series as a dataset. Their text is made in a thread, so that however many they are, nothing waits for it.
 * @throws ServiceError; the signal's reason when aborted
 */
export const storeSeries = (app: Sender, client: ServiceClient, dataset: Storing, work: Work): Promise<LocalDataset> =>
  stored.storeSeries(client, app.reader, dataset, sendingOf(app, dataset, work));

/** As {@link storeSeries}, for forecasts or a training. @param dataset its tags are for a service that knows no such data */
export const storeForJob = (
  app: Sender,
  client: ServiceClient,
  dataset: Storing,
  work: Work,
): Promise<stored.JobDataset> => stored.storeForJob(client, app.reader, dataset, sendingOf(app, dataset, work));

const sendingOf = ({ log }: Sender, { name }: Storing, { signal, report }: Work): stored.Sending => ({
  signal,
  onStored: (done, all) => {
    report?.(vscode.l10n.t('{0} of {1} series sent', inDigits(done), inDigits(all)));
  },
  onLeft: (id) => {
    const text = vscode.l10n.t(
      'Part of {0} was sent and could not be deleted; the service may keep it as the dataset {1}.',
      name,
      id,
    );
    inBackground(log, say.warning(text));
  },
});

/** Stores series of a file as a dataset of the service. */
export async function createDataset(app: App, uri: vscode.Uri): Promise<void> {
  const title = vscode.l10n.t('Create Dataset');
  try {
    const { client, info } = await app.connection.ready();
    if (!(await client.capabilities()).has('createDataset'))
      throw new ServiceError('refused', vscode.l10n.t('{0} does not accept datasets.', info.name));
    const opened = await settleLayout(app, (await openAsBefore(app, uri)).opened, title);
    const series = await chooseSeries(opened, alone(title), 'store');
    const name = opened.fileName.replace(/\.\w+$/, '');
    await withPatience(vscode.l10n.t('Storing {0}', opened.fileName), (signal, report) =>
      storeSeries(app, client, { name, series }, { signal, report }),
    );
    await app.trees.get(VIEWS.datasets)?.refresh();
    await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  } catch (error) {
    await showFileFailure(app, uri, error);
  }
}

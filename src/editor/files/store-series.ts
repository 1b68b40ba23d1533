import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import type { ServiceClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import * as client from '../../client/store-series.ts';
import type { LocalDataset } from '../../contract/resources.ts';
import type { SendableSeries } from '../../reading/points.ts';
import type { App } from '../app.ts';
import { VIEWS } from '../names.ts';
import { inBackground, say, showFileFailure, withPatience } from '../ui/say.ts';
import { alone } from '../ui/steps.ts';
import { chooseSeries, openSettled } from './choose-series.ts';

type Sender = Pick<App, 'reader' | 'log'>;
type Storing = Omit<client.DatasetToStore<SendableSeries & { readonly name: string }>, 'for_job'>;

interface Work {
  readonly signal: AbortSignal;
  readonly report?: (message: string) => void;
}

/** Stores series as a dataset. @throws ServiceError; the signal's reason when aborted */
export const storeSeries = (app: Sender, to: ServiceClient, dataset: Storing, work: Work): Promise<LocalDataset> =>
  client.storeSeries(to, app.reader, dataset, sendingOf(app, dataset, work));

export const storeForJob = (app: Sender, to: ServiceClient, dataset: Storing, work: Work): Promise<client.JobDataset> =>
  client.storeForJob(to, app.reader, dataset, sendingOf(app, dataset, work));

const sendingOf = ({ log }: Sender, { name }: Storing, { signal, report }: Work): client.Sending => ({
  signal,
  onStored: (done, all) => report?.(vscode.l10n.t('{0} of {1} series sent', inDigits(done), inDigits(all))),
  onLeft: (id) => {
    const text = vscode.l10n.t(
      'Part of {0} was sent and could not be deleted; the service may keep it as the dataset {1}.',
      name,
      id,
    );
    inBackground(log, say.warning(text));
  },
});

export async function createDataset(app: App, uri: vscode.Uri): Promise<void> {
  const title = vscode.l10n.t('Create Dataset');
  try {
    const session = await app.connection.ready();
    if (!(await session.client.capabilities()).has('createDataset'))
      throw new ServiceError('refused', vscode.l10n.t('{0} does not accept datasets.', session.info.name));
    const opened = await openSettled(app, uri, title);
    const series = await chooseSeries(opened, alone(title), 'store');
    const name = opened.fileName.replace(/\.\w+$/, '');
    await withPatience(vscode.l10n.t('Storing {0}', opened.fileName), (signal, report) =>
      storeSeries(app, session.client, { name, series }, { signal, report }),
    );
    await app.trees.get(VIEWS.datasets)?.refresh();
    await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  } catch (error) {
    await showFileFailure(app, uri, error);
  }
}

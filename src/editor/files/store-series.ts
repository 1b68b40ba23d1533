import * as vscode from 'vscode';
import * as stored from '../../client/store-series.ts';
import type { LocalDataset } from '../../contract/local.ts';
import type { ServiceClient } from '../../client/client.ts';
import type { SendableSeries } from '../../reading/thread/messages.ts';
import type { App } from '../app.ts';
import type { SendingEvents } from '../../client/stream-series.ts';
import { inBackground } from '../ui/background.ts';
import { say } from '../ui/say.ts';
import { inDigits } from '../../calendar/digits.ts';

type Sender = Pick<App, 'reader' | 'log'>;
type Report = (message: string) => void;
type NamedSeries = SendableSeries & { readonly name: string };

/**
 * Stores series as a dataset. Their text is made in a thread, so that however many they are, nothing waits for it.
 * @param report is told how many of how many are stored, where they go little by little
 * @throws ServiceError; the signal's reason when aborted
 */
export const storeSeries = (
  app: Sender,
  client: ServiceClient,
  name: string,
  series: readonly NamedSeries[],
  signal: AbortSignal,
  report?: Report,
): Promise<LocalDataset> => stored.storeSeries(client, app.reader, name, series, signal, eventsOf(app, name, report));

/** As {@link storeSeries}, for forecasts or a training. */
export const storeForJob = (
  app: Sender,
  client: ServiceClient,
  name: string,
  series: readonly NamedSeries[],
  signal: AbortSignal,
  { tags = [], report }: { readonly tags?: readonly string[]; readonly report?: Report | undefined } = {},
): Promise<stored.JobDataset> =>
  stored.storeForJob(client, app.reader, name, series, signal, { tags, ...eventsOf(app, name, report) });

function eventsOf(app: Sender, name: string, report: Report | undefined): SendingEvents {
  return {
    onStored: (done, all) => {
      report?.(vscode.l10n.t('{0} of {1} series sent', inDigits(done), inDigits(all)));
    },
    onLeft: (id) => {
      const text = vscode.l10n.t(
        'A part of {0} was sent and could not be deleted again: the service may keep it as the dataset {1}.',
        name,
        id,
      );
      inBackground(app.log, say.warning(text));
    },
  };
}

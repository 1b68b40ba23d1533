import * as stored from '../../client/store-series.ts';
import type { LocalDataset } from '../../contract/local.ts';
import type { ServiceClient } from '../../client/client.ts';
import type { SendableSeries } from '../../reading/thread/messages.ts';
import type { App } from '../app.ts';

type NamedSeries = SendableSeries & { readonly name: string };

/**
 * Stores series as a dataset. Their text is made in a thread, so that however many they are, nothing waits for it.
 * @throws ServiceError; the signal's reason when aborted
 */
export const storeSeries = (
  { reader }: Pick<App, 'reader'>,
  client: ServiceClient,
  name: string,
  series: readonly NamedSeries[],
  signal: AbortSignal,
): Promise<LocalDataset> => stored.storeSeries(client, reader.bodyOf.bind(reader), name, series, signal);

/** As {@link storeSeries}, for forecasts or a training. */
export const storeForJob = (
  { reader }: Pick<App, 'reader'>,
  client: ServiceClient,
  name: string,
  series: readonly NamedSeries[],
  signal: AbortSignal,
  tags?: readonly string[],
): Promise<stored.JobDataset> => stored.storeForJob(client, reader.bodyOf.bind(reader), name, series, signal, tags);

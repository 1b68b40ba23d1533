import type { LocalDataset } from '../../contract/local.ts';
import type { ServiceClient } from '../../client/client.ts';
import type { SendableSeries } from '../../reading/thread/reader.ts';
import type { App } from '../app.ts';

/** The service takes no longer names and tags. */
export const LONGEST_NAME = 200;
const LONGEST_TAG = 100;

/**
 * Stores series as a dataset. Their text is made in a thread, so that however many they are, nothing waits for it.
 * @throws ServiceError; the signal's reason when aborted
 */
export async function storeSeries(
  app: App,
  client: ServiceClient,
  name: string,
  series: readonly (SendableSeries & { readonly name: string })[],
  signal: AbortSignal,
  tags: readonly string[] = [],
): Promise<LocalDataset> {
  const fields = { name: name.slice(0, LONGEST_NAME), tags: tags.map((tag) => tag.slice(0, LONGEST_TAG)) };
  const named = series.map((one) => ({ ...one, name: one.name.slice(0, LONGEST_NAME) }));
  return client.createDatasetFrom(await app.reader.bodyOf(fields, named, signal), signal);
}

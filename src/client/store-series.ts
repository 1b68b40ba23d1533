import type { LocalDataset } from '../contract/local.ts';
import type { ServiceClient } from './client.ts';

/** Makes the body of a request of these fields and of `series`, off this thread where it is large. */
export type BodyMaker<S> = (
  fields: Readonly<Record<string, unknown>>,
  series: readonly S[],
  signal?: AbortSignal,
) => Promise<Uint8Array<ArrayBuffer>>;

/** The service takes no longer names and tags. */
export const LONGEST_NAME = 200;
const LONGEST_TAG = 100;

/**
 * Stores series as a dataset: the one way of this house, whoever asks.
 * @throws ServiceError; the signal's reason when aborted
 */
export async function storeSeries<S extends { readonly name: string }>(
  client: ServiceClient,
  bodyOf: BodyMaker<S>,
  name: string,
  series: readonly S[],
  signal: AbortSignal,
  tags: readonly string[] = [],
): Promise<LocalDataset> {
  const fields = { name: name.slice(0, LONGEST_NAME), tags: tags.map((tag) => tag.slice(0, LONGEST_TAG)) };
  const named = series.map((one) => ({ ...one, name: one.name.slice(0, LONGEST_NAME) }));
  return client.createDatasetFrom(await bodyOf(fields, named, signal), signal);
}

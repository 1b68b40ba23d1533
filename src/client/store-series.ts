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
 * @param further fields of the request
 * @throws ServiceError; the signal's reason when aborted
 */
export async function storeSeries<S extends { readonly name: string }>(
  client: ServiceClient,
  bodyOf: BodyMaker<S>,
  name: string,
  series: readonly S[],
  signal: AbortSignal,
  { tags = [], ...further }: { readonly tags?: readonly string[]; readonly for_job?: boolean } = {},
): Promise<LocalDataset> {
  const short = tags.map((tag) => tag.slice(0, LONGEST_TAG));
  const fields = { name: name.slice(0, LONGEST_NAME), tags: short, ...further };
  const named = series.map((one) => ({ ...one, name: one.name.slice(0, LONGEST_NAME) }));
  return client.createDatasetFrom(await bodyOf(fields, named, signal), signal);
}

/** Data that was stored for a job. */
export interface JobDataset {
  readonly id: string;
  /** Whether the service keeps it as an ordinary dataset: no other job uses it, and nobody else deletes it. */
  readonly isOwn: boolean;
}

/**
 * As {@link storeSeries}, for forecasts or a training: where the service knows the difference, it is not listed as a dataset
 * and is stored once.
 * @param tags for a service that does not
 */
export async function storeForJob<S extends { readonly name: string }>(
  client: ServiceClient,
  bodyOf: BodyMaker<S>,
  name: string,
  series: readonly S[],
  signal: AbortSignal,
  tags: readonly string[] = [],
): Promise<JobDataset> {
  const isKnown = (await client.capabilities()).takes('createDataset', 'for_job');
  const made = await storeSeries(client, bodyOf, name, series, signal, isKnown ? { for_job: true } : { tags });
  return { id: made.id, isOwn: !isKnown };
}

import { fitText } from '../contract/fit-text.ts';
import type { LocalDataset } from '../contract/local.ts';
import type { ServiceClient } from './client.ts';
import { ServiceError } from './errors.ts';
import {
  areMany,
  canStream,
  type SendingEvents,
  type SentSeries,
  type SeriesTexts,
  streamSeries,
} from './stream-series.ts';

/** The service takes no longer names and tags. */
export const LONGEST_NAME = 200;
const LONGEST_TAG = 100;
const nameOf = (text: string): string => fitText(text.slice(0, LONGEST_NAME));

/** What is said of a dataset beside its name and its series, and who is told how it goes. */
interface Storing extends SendingEvents {
  readonly tags?: readonly string[];
}

/**
 * Stores series as a dataset: the one way of this house, whoever asks. They go as one document where they are few or the
 * service knows no other, else as a stream, also where a document is too large for it or for a proxy before it; either way
 * the dataset is whole, or it is deleted again.
 * @throws ServiceError; the signal's reason when aborted
 */
export async function storeSeries<S extends SentSeries>(
  client: ServiceClient,
  texts: SeriesTexts<NoInfer<S>>,
  name: string,
  series: readonly S[],
  signal: AbortSignal,
  { tags = [], for_job, ...events }: Storing & { readonly for_job?: boolean } = {},
): Promise<LocalDataset> {
  const short = tags.map((tag) => fitText(tag.slice(0, LONGEST_TAG)));
  const fields = { name: nameOf(name), tags: short, ...(for_job === undefined ? {} : { for_job }) };
  const named = series.map((one) => ({ ...one, name: nameOf(one.name) }));
  const isStreamable = canStream(await client.capabilities(), named);
  const stream = () => streamSeries(client, texts, fields, named, signal, events);
  if (isStreamable && areMany(named)) return stream();
  try {
    return await client.createDatasetFrom(await texts.bodyOf(fields, named, signal), signal);
  } catch (error) {
    const isTooMuch = error instanceof ServiceError && error.status === 413;
    if (isTooMuch && isStreamable && !signal.aborted) return stream();
    throw error;
  }
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
 * @param storing tags are for a service that does not
 */
export async function storeForJob<S extends SentSeries>(
  client: ServiceClient,
  texts: SeriesTexts<NoInfer<S>>,
  name: string,
  series: readonly S[],
  signal: AbortSignal,
  { tags = [], ...events }: Storing = {},
): Promise<JobDataset> {
  const isKnown = (await client.capabilities()).takes('createDataset', 'for_job');
  const kind = isKnown ? { for_job: true } : { tags };
  const made = await storeSeries(client, texts, name, series, signal, { ...kind, ...events });
  return { id: made.id, isOwn: !isKnown };
}

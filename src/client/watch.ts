import type { LocalPrediction } from '../contract/local.ts';
import type { ServiceClient } from './client.ts';
import { ServiceError } from './errors.ts';

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** What is known of it already, such as the answer to its creation. */
  readonly known?: LocalPrediction | undefined;
  readonly onChange: (prediction: LocalPrediction) => void;
}

/** Whether the interface promises that this status will change. */
export const isPending = (status: string): boolean => status === 'QUEUED' || status === 'IN_PROGRESS';

const FIRST_WAIT = 150;
const LONGEST_WAIT = 10_000;
const MOST_PAGES = 50;

/**
 * Follows a prediction until it has ended, asking less and less often. Reads it by itself where the service offers
 * that, else looks it up in the list, which is all that the interface has.
 * @returns the prediction with its series. @throws ServiceError, also where it is not there (any more)
 */
export async function watchPrediction(
  client: ServiceClient,
  id: string,
  options: WatchOptions,
): Promise<LocalPrediction> {
  const { signal, known, onChange } = options;
  const isWhole = (prediction: LocalPrediction) =>
    !isPending(prediction.status) && prediction.input_series !== undefined;
  if (known) onChange(known);
  let last = known;
  for (let wait = FIRST_WAIT; !last || !isWhole(last); wait = Math.min(LONGEST_WAIT, wait * 1.6)) {
    if (last && isPending(last.status)) await pause(wait, signal);
    last = await findPrediction(client, id, signal);
    onChange(last);
    if (!isPending(last.status)) return last;
  }
  return last;
}

/** Reads one prediction. @throws ServiceError where the service does not have it */
export async function findPrediction(client: ServiceClient, id: string, signal: AbortSignal): Promise<LocalPrediction> {
  if ((await client.capabilities()).has('get', '/predictions/{}')) return client.getPrediction(id, signal);
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await client.listPredictions({ cursor, signal });
    const found = page.items.find((item) => item.id === id);
    if (found) return found;
    if (page.next === undefined || page.next === cursor) break;
    cursor = page.next;
  }
  throw new ServiceError('not-found', 'The service does not list this prediction any more.');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

import type { ServiceClient } from '../client/client.ts';
import { ServiceError } from '../client/errors.ts';
import type { LocalPrediction } from '../contract/local.ts';

const MOST_PAGES = 20;

/** A stored prediction: read by its id where the service offers that, else looked for in the list. */
export async function findPrediction(
  client: ServiceClient,
  id: string,
  signal: AbortSignal,
): Promise<LocalPrediction | undefined> {
  if ((await client.capabilities()).has('getPrediction')) {
    try {
      return await client.getPrediction(id, signal);
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
      throw error;
    }
  }
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, next } = await client.listPredictions({ cursor, signal });
    const found = items.find((item) => item.id === id);
    if (found || next === undefined || next === cursor) return found;
    cursor = next;
  }
  return undefined;
}

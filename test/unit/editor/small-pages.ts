import type { ServiceClient } from '../../../src/client/client.ts';

/** A service whose pages are no larger than this, until the function that is returned is called. */
export function smallPages(client: ServiceClient, size: () => number): () => void {
  const { list, listPredictions } = client;
  // base models come all at once
  client.list = (name, query, ...more) =>
    list.call(client, name, name === 'listBaseModels' ? query : { ...query, size: size() }, ...more) as never;
  client.listPredictions = (query, ...more) => listPredictions.call(client, { ...query, size: size() }, ...more);
  return () => {
    Object.assign(client, { list, listPredictions });
  };
}

import type { ServiceClient } from '../../client/client.ts';
import type { DatasetPredictions } from '../../contract/local.ts';
import { isPending } from '../../contract/operation.ts';
import { predictionsOfDataset } from './forecasts.ts';
import { forEach } from './one-by-one.ts';

/** How many of the predictions that one request queued have not begun, and how many run. Services that cannot tell them from others of the dataset count those too. */
export async function pendingOf(
  client: ServiceClient,
  { dataset_id, created_at: createdAt }: DatasetPredictions,
  signal: AbortSignal,
): Promise<{ readonly waiting: number; readonly running: number }> {
  const count = async (status: string): Promise<number> =>
    (await client.listDatasetPredictions(dataset_id, { status, createdAt, size: 1, withSeries: false, signal }))
      .total ?? 0;
  const waiting = await count('QUEUED');
  return { waiting, running: await count('IN_PROGRESS') };
}

/**
 * Takes the predictions that one request queued out of the queue again, and no others of their dataset: another window may
 * wait for those.
 * @throws ServiceError
 */
export async function cancelPending(
  client: ServiceClient,
  { dataset_id, created_at, prediction_ids }: DatasetPredictions,
): Promise<void> {
  const offers = await client.capabilities();
  if (created_at !== undefined && offers.asks('cancelDatasetPredictions', 'created_at')) {
    await client.cancelDatasetPredictions(dataset_id, created_at);
    return;
  }
  const pending: string[] = [];
  for await (const page of predictionsOfDataset(client, dataset_id, new Set(prediction_ids), false))
    pending.push(...page.filter(({ status }) => isPending(status)).map(({ id }) => id));
  const { failure } = await forEach(
    pending,
    (id, signal) => client.delete('deletePrediction', id, signal),
    new AbortController().signal,
    ({ kind }) => kind === 'not-found',
  );
  if (failure !== undefined) throw failure;
}

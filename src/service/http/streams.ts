/** What goes in and out in bulk, in constant memory: no more is read than was stored, or taken. */
import { failure } from '../../contract/failures.ts';
import { MOST_FAULTS } from '../../contract/local.ts';
import type { LineFault } from '../store/bulk.ts';
import { BusyError, RequestError } from '../errors.ts';
import type { ReadLines } from '../tasks/bodies.ts';
import type { Datasets } from '../store/datasets.ts';
import type { Caller, Keys } from '../store/keys.ts';
import { mayPass } from '../database/trouble.ts';

export const NDJSON = 'application/x-ndjson';

interface Adding {
  readonly datasets: Datasets;
  readonly keys: Keys;
  readonly caller: Caller;
  /** That the request came under. */
  readonly key: string | undefined;
  /** Aborted where the service ends. */
  readonly closing: AbortSignal;
}

/**
 * Stores the series of a stream, each part of it in a transaction of its own. What was stored stays where the stream breaks
 * off or is refused in the middle.
 * @throws RequestError 404; BusyError
 */
export async function addStream(
  id: string,
  parts: AsyncIterable<ReadLines>,
  { datasets, keys, caller, key, closing }: Adding,
): Promise<object> {
  await datasets.get(id);
  let [stored, unchanged, refused] = [0, 0, 0];
  const faults: LineFault[] = [];
  const refuse = (some: readonly LineFault[]) => {
    refused += some.length;
    faults.push(...some.slice(0, MOST_FAULTS - faults.length));
  };
  for await (const { lines, faults: wrong } of parts) {
    if (closing.aborted) throw new BusyError(failure('stream_ends'));
    const under = key === undefined ? lines : lines.map((line) => ({ ...line, key }));
    const added = await datasets.addLines(id, under, async (db, count) => {
      await keys.count(caller, count, 'stored', db);
    });
    stored += added.stored;
    unchanged += added.unchanged;
    refuse([...wrong, ...added.refused].sort((a, b) => a.line - b.line));
  }
  return { dataset_id: id, stored, unchanged, refused, faults };
}

/** Parts of a text as the body of an answer, each asked for when the one before has been taken. */
export function streamed(parts: AsyncGenerator<string>, report: (error: unknown) => void): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          // the status was told: that it is not whole shows as it breaks off
          if (!mayPass(error) && !(error instanceof RequestError)) report(error);
          throw error;
        }
      },
      cancel: async () => {
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': NDJSON } });
}

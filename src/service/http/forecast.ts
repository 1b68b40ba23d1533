/** A forecast of one series, as it is asked for: stored, waited for, and counted of its key once. */
import { failure } from '../../contract/failures.ts';
import { mayPass } from '../database/trouble.ts';
import { BusyError } from '../errors.ts';
import type { Bodies } from '../tasks/bodies.ts';
import type { Ended } from '../jobs/pending.ts';
import type { Queue } from '../jobs/queue.ts';
import { type Creations, forgetMade, type Note, type Once, type Steps } from '../store/creations.ts';
import type { Caller, Keys } from '../store/keys.ts';
import type { Predictions } from '../resources/predictions.ts';
import type { StoredPrediction } from '../resources/prediction-rows.ts';

interface Call {
  readonly caller: Caller;
  readonly once?: Once | undefined;
  readonly signal: AbortSignal;
}

interface Resources {
  readonly creations: Creations;
  readonly keys: Keys;
  readonly predictions: Predictions;
  readonly queue: Queue;
  /** Aborted where the service ends. */
  readonly closing: AbortSignal;
}

/**
 * Stores what is asked for, and waits for it where the client does.
 * @param input whether the answer has the series
 * @returns the prediction as it is then
 * @throws RequestError; BusyError where the service ends before it was done; the signal's reason
 */
export async function forecast(
  body: Bodies['createPrediction'],
  input: boolean,
  { signal, caller, once }: Call,
  { creations, keys, predictions, queue, closing }: Resources,
): Promise<StoredPrediction> {
  for (;;) {
    signal.throwIfAborted();
    // by this request, and not by another under the same key
    let counted: string | undefined;
    let stored: StoredPrediction | undefined;
    const id = await creations.once(once, async (note) => {
      stored = await predictions.create(body, queue, {
        first: roomFirst(keys, caller, note),
        // last, as other requests of the same key wait from there on
        last: async (db) => {
          counted = await keys.count(caller, 1, 'forecast', db);
        },
      });
      return stored.id;
    });
    queue.wake();
    // what is known of it here need not be read again
    const told = async (ended?: Ended): Promise<StoredPrediction> =>
      stored ? { ...stored, ...(input ? {} : { input_series: undefined }), ...ended } : predictions.get(id, input);
    if (body.is_async) return told();
    const isForgotten = async () => once !== undefined && !(await creations.knows(once, id));
    let ended: Ended | undefined;
    try {
      ended = await queue.ended(id, signal);
    } catch (error) {
      let isTakenBack = false as boolean;
      // what comes again under the key is done anew, and not answered with what was cancelled
      await queue.cancel(id, failure('cancelled'), async (db) => {
        await forgetMade(db, id);
        await keys.takeBack(caller, counted, db);
        isTakenBack = true;
      });
      // by another that was lost at the same time
      if (!isTakenBack && (await isForgotten())) await keys.takeBack(caller, counted);
      throw error;
    }
    const made = await patiently(signal, async () => {
      // what was asked for with a key is told to none that was revoked meanwhile
      await keys.mustBeThere(caller);
      return ended ? told(ended) : predictions.get(id, input);
    });
    // it ended with its program, or with another client under the same key, which is no answer to this one
    if (made.status !== 'FAILED' || !(await isForgotten())) return made;
    await keys.takeBack(caller, counted);
    if (closing.aborted) throw new BusyError(failure('ended_before'));
  }
}

/** How long what is done is read again and again, where the store cannot be read just then, in milliseconds. */
const PATIENCE = 20_000;
const REST = 250;

async function patiently<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + PATIENCE; ;) {
    try {
      return await read();
    } catch (error) {
      if (!mayPass(error) || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, REST));
      signal.throwIfAborted();
    }
  }
}

/** Notes what is made, and refuses what the key may not have before it is stored. */
export const roomFirst =
  (keys: Keys, caller: Caller, note: Note | undefined): Steps['first'] =>
  async (db, made, count) => {
    await note?.(db, made);
    await keys.checkRoom(caller, count, 'forecast', db);
  };

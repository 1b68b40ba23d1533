/**
 * Passes some turns of the event loop, before which all is done that can be done at once on a store of this thread: a
 * transaction that took long is committed in a turn of its own.
 */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

/** Resolves when others have had their turn: a timer of a browser waits for some milliseconds, a message does not. */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve(undefined);
  };
  port2.postMessage(undefined);
  return promise;
}

export const unref = <T>(timer: T): T => timer;

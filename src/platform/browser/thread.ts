/** What a program sees of the worker that runs it. */
import type { FromWorker, Start } from './threads.ts';

/** What started it holds its first message. */
declare const self: DedicatedWorkerGlobalScope & { readonly started: Promise<MessageEvent<Start>> };

// as in Node, a promise whose failure nobody takes ends the thread with it
self.addEventListener('unhandledrejection', ({ reason }) => {
  setTimeout(() => {
    throw reason;
  });
});

const { workerData, port } = (await self.started).data;

export { workerData };

export const parentPort = {
  on: (_event: 'message', listener: (message: never) => void): void => {
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      listener(data as never);
    };
  },
  postMessage: (message: unknown, transfer: Transferable[] = []): void => {
    port.postMessage(message, transfer);
  },
  close: (): void => {
    self.postMessage({ kind: 'ended' } satisfies FromWorker);
  },
};

/** A file that lies beside the program. */
export function readBeside(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const { port1, port2 } = new MessageChannel();
  const { promise: read, resolve: done } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  port1.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
    port1.close();
    done(data);
  };
  self.postMessage({ kind: 'read', name, answer: port2 } satisfies FromWorker, [port2]);
  return read;
}

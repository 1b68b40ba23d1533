import type { Start } from './threads.ts';

declare const self: DedicatedWorkerGlobalScope;
declare const timeSeriesForecasts: {
  readonly start: Promise<Start>;
  ask(kind: 'read', name: string): Promise<Uint8Array<ArrayBuffer>>;
};

// as in Node, a promise whose failure nobody takes ends the thread with it
self.addEventListener('unhandledrejection', ({ reason }) => {
  setTimeout(() => {
    throw reason;
  });
});

const { workerData, port } = await timeSeriesForecasts.start;

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
};

export const readFile = (name: string): Promise<Uint8Array<ArrayBuffer>> => timeSeriesForecasts.ask('read', name);

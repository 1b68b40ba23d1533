/** Entry of the thread that runs the local service, so that neither SQLite nor JSON ever holds up the extension host. */
import { parentPort, workerData } from 'node:worker_threads';
import { openService, type Service } from './service.ts';
import type { FromService, ThreadData, ToService } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread');
const { folder, token, computeScript } = workerData as ThreadData;
const post = (message: FromService, transfer: ArrayBuffer[] = []) => {
  port.postMessage(message, transfer);
};
const report = (error: unknown) => {
  post({ type: 'report', text: error instanceof Error ? (error.stack ?? error.message) : String(error) });
};

let service: Promise<Service> | undefined;
const aborts = new Map<number, AbortController>();

async function answer(message: ToService & { type: 'request' }): Promise<void> {
  const { id, method, url, headers, body } = message;
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    service ??= openService({ folder, token, computeScript, report });
    const { fetch } = await service;
    const request = new Request(url, { method, headers: headers.map(([k, v]) => [k, v]), body, signal: abort.signal });
    const response = await fetch(request);
    const bytes = response.body ? await response.arrayBuffer() : undefined;
    const reply = {
      type: 'response',
      id,
      status: response.status,
      headers: [...response.headers],
      body: bytes,
    } as const;
    post(reply, bytes ? [bytes] : []);
  } catch (error) {
    service = undefined;
    report(error);
    post({ type: 'unavailable', id, message: error instanceof Error ? error.message : String(error) });
  } finally {
    aborts.delete(id);
  }
}

async function close(): Promise<void> {
  for (const abort of aborts.values()) abort.abort();
  await (await service)?.close();
  port?.close();
}

port.on('message', (message: ToService) => {
  if (message.type === 'request') void answer(message);
  else if (message.type === 'abort') aborts.get(message.id)?.abort();
  else close().catch(report);
});

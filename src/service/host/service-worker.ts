/** Entry of the thread that runs the local service, so that neither SQLite nor JSON ever holds up the extension host. */
import { expectedOf } from '../errors.ts';
import { failure } from '../../contract/failures.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { StoreError } from '../database/trouble.ts';
import { KeptService } from './kept-service.ts';
import { NDJSON } from '../http/streams.ts';
import type { FromService, ThreadData, ToService } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread');
const { folder, token, computeScript, keepDays } = workerData as ThreadData;
const post = (message: FromService, transfer: ArrayBuffer[] = []) => {
  port.postMessage(message, transfer);
};
const report = (error: unknown) => {
  post({ type: 'report', text: error instanceof Error ? (error.stack ?? error.message) : String(error) });
};

const service = new KeptService({ folder, token, computeScript, keepDays, report });
const aborts = new Map<number, AbortController>();

async function answer(message: ToService & { type: 'request' }): Promise<void> {
  const { id, method, url, headers, body } = message;
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    const opened = await service.open();
    const request = new Request(url, { method, headers: headers.map(([k, v]) => [k, v]), body, signal: abort.signal });
    const response = await opened.fetch(request);
    if (response.status === 500 && opened.damage !== undefined) {
      post({ type: 'unavailable', id, failure: opened.damage, isDamaged: true });
      return;
    }
    const isStream = response.headers.get('content-type') === NDJSON;
    const bytes = response.body && !isStream ? await response.arrayBuffer() : undefined;
    const { status, headers: told } = response;
    if (isStream) streams.set(id, (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader());
    post({ type: 'response', id, status, headers: [...told], body: bytes, isStream }, bytes ? [bytes] : []);
  } catch (error) {
    fail(id, error);
  } finally {
    aborts.delete(id);
  }
}

/** Bodies that are read part by part, by the number of their request. */
const streams = new Map<number, ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>>();

async function pull(id: number): Promise<void> {
  try {
    const { value } = (await streams.get(id)?.read()) ?? {};
    if (!value) streams.delete(id);
    post({ type: 'part', id, part: value });
  } catch {
    // the service has reported what is a defect
    streams.delete(id);
    post({ type: 'broken', id });
  }
}

async function abort(id: number): Promise<void> {
  aborts.get(id)?.abort();
  const stream = streams.get(id);
  streams.delete(id);
  await stream?.cancel();
}

async function repair(id: number): Promise<void> {
  try {
    post({ type: 'repaired', id, repair: await service.repair() });
  } catch (error) {
    fail(id, error);
  }
}

function fail(id: number, error: unknown): void {
  report(error);
  const said = expectedOf(error) ?? failure('other', error instanceof Error ? error.message : String(error));
  post({ type: 'unavailable', id, failure: said, isDamaged: error instanceof StoreError && error.isDamaged });
}

async function close(): Promise<void> {
  for (const abort of aborts.values()) abort.abort();
  await service.close();
  port?.close();
}

port.on('message', (message: ToService) => {
  switch (message.type) {
    case 'request':
      answer(message).catch(report);
      break;
    case 'abort':
      abort(message.id).catch(report);
      break;
    case 'pull':
      pull(message.id).catch(report);
      break;
    case 'repair':
      repair(message.id).catch(report);
      break;
    case 'keep':
      service.keepFor(message.days);
      break;
    case 'close':
      close().catch(report);
  }
});

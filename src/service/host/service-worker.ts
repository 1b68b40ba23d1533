/** Entry of the thread that runs the local service, so that neither SQLite nor JSON ever holds up the extension host. */
import { expectedOf } from '../errors.ts';
import { failure } from '../../contract/failures.ts';
import { parentPort, workerData } from '#platform/thread';
import { sharedBy } from '#platform/windows';
import { StoreError } from '../database/trouble.ts';
import { KeptService } from './kept-service.ts';
import { NDJSON } from '../../contract/operations.ts';
import type { FromService, ThreadData, ToService } from './service-thread.ts';

const port = parentPort;
if (!port) throw new Error('worker.ts runs as a worker thread');
const { folder, token, computeScript, keepDays } = workerData as ThreadData;
const post = (message: FromService, transfer: (ArrayBuffer | ReadableStream)[] = []) => {
  port.postMessage(message, transfer as ArrayBuffer[]);
};
const report = (error: unknown) => {
  post({ type: 'report', text: error instanceof Error ? (error.stack ?? error.message) : String(error) });
};

const service = new KeptService({ folder, token, computeScript, keepDays, report });
const { fetch, isHere } = sharedBy(async (request) => (await service.open()).fetch(request));
const aborts = new Map<number, AbortController>();

async function answer(message: ToService & { type: 'request' }): Promise<void> {
  const { id, method, url, headers, body } = message;
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    const request = new Request(url, { method, headers: headers.map(([k, v]) => [k, v]), body, signal: abort.signal });
    const response = await fetch(request);
    const damage = response.status === 500 && isHere() ? (await service.open()).damage : undefined;
    if (damage !== undefined) {
      post({ type: 'unavailable', id, failure: damage, isDamaged: true });
      return;
    }
    const isStream = response.headers.get('content-type') === NDJSON;
    const told = (isStream ? response.body : response.body && (await response.arrayBuffer())) ?? undefined;
    const { status, headers: heads } = response;
    post({ type: 'response', id, status, headers: [...heads], body: told }, told ? [told] : []);
  } catch (error) {
    fail(id, error);
  } finally {
    aborts.delete(id);
  }
}

async function repair(id: number): Promise<void> {
  try {
    if (!isHere()) throw new StoreError(failure('store_elsewhere'));
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
      aborts.get(message.id)?.abort();
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

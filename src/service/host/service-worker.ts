/** Entry of the thread that runs the local service, so that neither SQLite nor JSON ever holds up the extension host. */
import { parentPort, workerData } from '#platform/thread';
import { sharedBy } from '#platform/windows';
import { failure, type Failure } from '../../contract/failures.ts';
import { NDJSON } from '../../contract/operations.ts';
import { answerCalls, type Talk } from '../../platform/calls.ts';
import { expectedOf, StoreError } from '../errors.ts';
import { KeptService } from './service.ts';
import type { Answer, ServiceCall, ThreadData } from './service-thread.ts';

let tell: Talk['tell'] | undefined;
const report = (error: unknown) => {
  tell?.(error instanceof Error ? (error.stack ?? error.message) : String(error)).catch(() => undefined);
};

const service = new KeptService({ ...(workerData as ThreadData), report });
const { fetch, isHere } = sharedBy(async (request) => (await service.open()).fetch(request));
const closing = new AbortController();

async function run(talk: Talk): Promise<void> {
  ({ tell } = talk);
  await new Promise((resolve) => talk.stop.addEventListener('abort', resolve));
  closing.abort();
  await service.close();
}

/** Bytes as a stream, which are not copied: those of a large dataset would take their room three times. */
const streamOf = (bytes: ArrayBuffer) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new Uint8Array(bytes));
      controller.close();
    },
  });

async function answer({ url, body: sent, ...call }: ServiceCall & { kind: 'request' }, stop: AbortSignal) {
  const signal = AbortSignal.any([stop, closing.signal]);
  const request = new Request(url, { ...call, ...(sent && { body: streamOf(sent), duplex: 'half' }), signal });
  const response = await fetch(request);
  const damage = response.status === 500 && isHere() ? (await service.open()).damage : undefined;
  if (damage) throw damage;
  const isStream = response.headers.get('content-type') === NDJSON;
  const body = (isStream ? response.body : response.body && (await response.arrayBuffer())) ?? undefined;
  return { status: response.status, headers: [...response.headers], body };
}

answerCalls<ServiceCall>(
  parentPort,
  (call, talk) => {
    if (call.kind === 'run') return run(talk);
    if (call.kind === 'request') return answer(call, talk.stop);
    if (call.kind === 'keep') return service.keepFor(call.days);
    if (!isHere()) throw new StoreError(failure('store_elsewhere'));
    return service.repair();
  },
  (error): Failure => {
    report(error);
    return expectedOf(error) ?? failure('other', error instanceof Error ? error.message : String(error));
  },
  (value) => {
    const { body } = (value ?? {}) as Partial<Answer>;
    return body ? [body as ArrayBuffer] : [];
  },
);

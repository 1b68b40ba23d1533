import { FailureError } from '../errors.ts';
import { failure, type Failure } from '../../contract/failures.ts';
import { Worker } from 'node:worker_threads';
import type { Repair } from '../database/repair.ts';
import type { FromService, ThreadData, ToService } from './messages.ts';

/** The local service could not answer at all. */
export class ServiceUnavailableError extends FailureError {
  /** Whether its database is damaged, and can be repaired. */
  readonly isDamaged: boolean;

  constructor(failure: Failure, isDamaged = false) {
    super(failure);
    this.isDamaged = isDamaged;
  }
}

const stopped = () => new ServiceUnavailableError(failure('service_stopped'));

/** What Node gives for the number of a thread that has ended. */
const ENDED = -1;

interface Pending {
  readonly resolve: (answer: Response | Repair) => void;
  readonly reject: (error: Error) => void;
}

/** A thread and the requests that wait for its answers: they end with it, and not with its successor. */
interface Running {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  /** Who waits for the next part of a body. */
  readonly streams: Map<number, PromiseWithResolvers<Uint8Array | undefined>>;
}

/** The local service in a thread of its own, with a `fetch` to talk to it. The thread starts with the first request. */
export class ServiceThread {
  readonly #script: string | URL;
  readonly #data: () => Promise<ThreadData>;
  readonly #report: (text: string) => void;
  #running: Promise<Running> | undefined;
  #number = 0;
  #isClosed = false;

  /**
   * @param script the bundled or source form of `worker.ts`
   * @param data asked for at each start of the thread
   * @param report is told of defects, for the log
   */
  constructor(script: string | URL, data: () => Promise<ThreadData>, report: (text: string) => void) {
    this.#script = script;
    this.#data = data;
    this.#report = report;
  }

  /** As the platform's `fetch`, whatever the host in the URL. @throws ServiceUnavailableError */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    // bytes are copied once and not streamed, which would take a second for 50 MB
    const bytes = init?.body instanceof Uint8Array ? new Uint8Array(init.body).buffer : undefined;
    const request = new Request(input, bytes ? { ...init, body: null } : init);
    const { signal } = request;
    signal.throwIfAborted();
    const body = bytes ?? (request.body ? await request.arrayBuffer() : undefined);
    const running = await this.#start();
    signal.throwIfAborted();
    const { method, url } = request;
    const headers = [...request.headers];
    return (await this.#ask(
      running,
      (id) => ({ type: 'request', id, method, url, headers, body }),
      body ? [body] : [],
      signal,
    )) as Response;
  };

  /** Sets a damaged database aside and saves what can be read of it. @throws ServiceUnavailableError */
  async repair(): Promise<Repair> {
    return (await this.#ask(await this.#start(), (id) => ({ type: 'repair', id }))) as Repair;
  }

  /** Days after which predictions that ended are deleted, where the thread runs; the next one is told at its start. */
  async keepFor(days: number): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    if (running) this.#send(running.worker, { type: 'keep', days });
  }

  /** @returns the answer of the kind that was asked for */
  async #ask(
    { worker, pending }: Running,
    messageOf: (id: number) => ToService,
    transfer: ArrayBuffer[] = [],
    signal?: AbortSignal,
  ): Promise<Response | Repair> {
    const id = ++this.#number;
    const { promise, resolve, reject } = Promise.withResolvers<Response | Repair>();
    pending.set(id, { resolve, reject });
    const onAbort = () => {
      this.#send(worker, { type: 'abort', id });
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort);
    try {
      this.#send(worker, messageOf(id), transfer);
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      pending.delete(id);
    }
  }

  /** Ends the thread; unfinished jobs go back to the queue. A later request starts it anew. */
  async stop(): Promise<void> {
    const starting = this.#running;
    this.#running = undefined;
    const running = await starting?.catch(() => undefined);
    if (!running) return;
    const { worker } = running;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    this.#send(worker, { type: 'close' });
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 3000))]);
    await worker.terminate();
  }

  /** As {@link stop}, for good: what still asks afterwards is refused, and starts nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  #send(worker: Worker, message: ToService, transfer: ArrayBuffer[] = []): void {
    worker.postMessage(message, transfer);
  }

  #start(): Promise<Running> {
    if (this.#isClosed) return Promise.reject(new ServiceUnavailableError(failure('service_closed')));
    if (this.#running) return this.#running;
    const forget = () => {
      if (this.#running === starting) this.#running = undefined;
    };
    const starting: Promise<Running> = this.#data().then(
      (workerData) => {
        const worker = new Worker(this.#script, { workerData });
        const pending = new Map<number, Pending>();
        const running: Running = { worker, pending, streams: new Map() };
        worker.on('message', (message: FromService) => {
          this.#receive(message, running);
        });
        worker.on('error', (error) => {
          this.#report(error.stack ?? error.message);
        });
        worker.on('exit', () => {
          forget();
          for (const { reject } of [...pending.values(), ...running.streams.values()]) {
            reject(stopped());
          }
        });
        return running;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    this.#running = starting;
    return starting;
  }

  #receive(message: FromService, running: Running): void {
    if (message.type === 'report') {
      this.#report(message.text);
      return;
    }
    const pending = running.pending.get(message.id);
    const stream = running.streams.get(message.id);
    if (message.type === 'unavailable') {
      pending?.reject(new ServiceUnavailableError(message.failure, message.isDamaged));
    } else if (message.type === 'repaired') pending?.resolve(message.repair);
    else if (message.type === 'part') stream?.resolve(message.part);
    else if (message.type === 'broken') stream?.reject(new TypeError('The answer broke off.'));
    else {
      const { id, status, headers, body, isStream } = message;
      const answer = isStream ? this.#stream(id, running) : (body ?? null);
      pending?.resolve(new Response(answer, { status, headers: headers.map(([k, v]) => [k, v]) }));
    }
  }

  /** A body that comes part by part, as it is read. */
  #stream(id: number, { worker, streams }: Running): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (worker.threadId === ENDED) throw stopped();
          const next = Promise.withResolvers<Uint8Array | undefined>();
          streams.set(id, next);
          this.#send(worker, { type: 'pull', id });
          try {
            const part = await next.promise;
            if (part) controller.enqueue(part);
            else controller.close();
          } finally {
            streams.delete(id);
          }
        },
        cancel: () => {
          this.#send(worker, { type: 'abort', id });
        },
      },
      { highWaterMark: 0 },
    );
  }
}

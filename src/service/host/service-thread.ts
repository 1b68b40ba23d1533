import { FailureError } from '../errors.ts';
import { failure, type Failure } from '../../contract/failures.ts';
import { type Script, Worker } from '#platform/threads';
import type { Repair } from '../database/repair.ts';

export class ServiceUnavailableError extends FailureError {
  /** Whether its database is damaged, and can be repaired. */
  readonly isDamaged: boolean;

  constructor(failure: Failure, isDamaged = false) {
    super(failure);
    this.isDamaged = isDamaged;
  }
}

const stopped = () => new ServiceUnavailableError(failure('service_stopped'));

interface Pending {
  readonly resolve: (answer: Response | Repair) => void;
  readonly reject: (error: Error) => void;
}

/** A thread and the requests that wait for its answers: they end with it, and not with its successor. */
interface Running {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  readonly ended: AbortSignal;
}

export interface ThreadData {
  readonly folder: string;
  readonly token: string;
  readonly computeScript: string;
  readonly keepDays: number;
}

export type ToService =
  | {
      readonly type: 'request';
      readonly id: number;
      readonly method: string;
      readonly url: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: ArrayBuffer | undefined;
    }
  | { readonly type: 'abort'; readonly id: number }
  /** Sets a damaged database aside and saves what can be read of it. */
  | { readonly type: 'repair'; readonly id: number }
  | { readonly type: 'keep'; readonly days: number }
  | { readonly type: 'close' };

export type FromService =
  | {
      readonly type: 'response';
      readonly id: number;
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      /** As a stream where it comes in parts, each when it is asked for. */
      readonly body: ArrayBuffer | ReadableStream<Uint8Array> | undefined;
    }
  | { readonly type: 'repaired'; readonly id: number; readonly repair: Repair }
  | { readonly type: 'unavailable'; readonly id: number; readonly failure: Failure; readonly isDamaged: boolean }
  | { readonly type: 'report'; readonly text: string };

/** The local service in a thread of its own, with a `fetch` to talk to it. The thread starts with the first request. */
export class ServiceThread {
  readonly #script: Script;
  readonly #data: () => Promise<ThreadData>;
  readonly #report: (text: string) => void;
  #running: Promise<Running> | undefined;
  #number = 0;
  #isClosed = false;

  /** @param data is asked for at each start of the thread @param report gets defects, for the log */
  constructor(script: Script, data: () => Promise<ThreadData>, report: (text: string) => void) {
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
        const ended = new AbortController();
        const running: Running = { worker, pending, ended: ended.signal };
        worker.on('message', (message: FromService) => {
          this.#receive(message, running);
        });
        worker.on('error', (error) => {
          this.#report(error.stack ?? error.message);
        });
        worker.on('exit', () => {
          forget();
          ended.abort(stopped());
          for (const { reject } of pending.values()) reject(stopped());
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

  #receive(message: FromService, { pending, ended }: Running): void {
    if (message.type === 'report') {
      this.#report(message.text);
      return;
    }
    const { resolve, reject } = pending.get(message.id) ?? {};
    if (message.type === 'unavailable') reject?.(new ServiceUnavailableError(message.failure, message.isDamaged));
    else if (message.type === 'repaired') resolve?.(message.repair);
    else {
      const { status, headers, body } = message;
      // one that is not waited for any more is let go of
      if (body instanceof ReadableStream && !resolve) body.cancel().catch(() => undefined);
      const told = body instanceof ReadableStream ? body.pipeThrough(new TransformStream(), { signal: ended }) : body;
      resolve?.(new Response(told, { status, headers: headers.map(([k, v]) => [k, v]) }));
    }
  }
}

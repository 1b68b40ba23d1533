import { type Script, Worker } from '#platform/threads';
import { failure, type Failure } from '../../contract/failures.ts';
import { Calls } from '../../platform/calls.ts';
import { orAborted } from '../../platform/pause.ts';
import type { Repair } from '../database/sqlite.ts';
import { FailureError } from '../errors.ts';

export class ServiceUnavailableError extends FailureError {}

const stopped = () => new ServiceUnavailableError(failure('service_stopped'));

export interface ThreadData {
  readonly folder: string;
  readonly token: string;
  readonly computeScript: string;
  readonly keepDays: number;
}

type Headers = [string, string][];

/** `run` ends when it is asked to stop and the service is closed; it tells defects, for the log. */
export type ServiceCall = Readonly<
  | { kind: 'request'; method: string; url: string; headers: Headers; body: ArrayBuffer | undefined }
  | { kind: 'run' | 'repair' }
  | { kind: 'keep'; days: number }
>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ArrayBuffer | ReadableStream<Uint8Array> | undefined;
}

interface Running {
  readonly calls: Calls<ServiceCall, Failure>;
  readonly ended: AbortSignal;
  readonly close: () => Promise<unknown>;
}

/** For new objects, in MB: with what Node takes, 10,000 series took 200 MB more, and no less time. */
const YOUNG_MEMORY = 12;
const GRACE = 3_000; // how long a service may take to close, in milliseconds

/** The local service in a thread of its own, with a `fetch` to talk to it. The thread starts with the first request. */
export class ServiceThread {
  readonly #script: Script;
  readonly #data: () => Promise<ThreadData>;
  readonly #report: (text: string) => void;
  #running: Promise<Running> | undefined;
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
    const { method, url, signal } = request;
    signal.throwIfAborted();
    const sent = bytes ?? (request.body ? await request.arrayBuffer() : undefined);
    const { calls, ended } = await this.#start();
    signal.throwIfAborted();
    const call: ServiceCall = { kind: 'request', method, url, headers: [...request.headers], body: sent };
    const answer = calls.make(call, { transfer: sent && [sent], stop: signal }) as Promise<Answer>;
    try {
      const { body, ...head } = await orAborted(answer, signal);
      const isStream = body instanceof ReadableStream;
      return new Response(isStream ? body.pipeThrough(new TransformStream(), { signal: ended }) : body, head);
    } catch (error) {
      answer.then(({ body }) => (body instanceof ReadableStream ? body.cancel() : undefined)).catch(() => undefined);
      throw error;
    }
  };

  async repair(): Promise<Repair> {
    const { calls } = await this.#start();
    return (await calls.make({ kind: 'repair' })) as Repair;
  }

  async keepFor(days: number): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    await running?.calls.make({ kind: 'keep', days }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    const starting = this.#running;
    this.#running = undefined;
    const running = await starting?.catch(() => undefined);
    await running?.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  #start(): Promise<Running> {
    if (this.#isClosed) return Promise.reject(new ServiceUnavailableError(failure('service_closed')));
    if (this.#running) return this.#running;
    const forget = () => {
      if (this.#running === starting) this.#running = undefined;
    };
    const starting = this.#data().then((data) => this.#run(data, forget));
    starting.catch(forget);
    this.#running = starting;
    return starting;
  }

  #run(workerData: ThreadData, onEnd: () => void): Running {
    const worker = new Worker(this.#script, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEMORY } });
    const calls = new Calls<ServiceCall, Failure>(worker, (failure) => new ServiceUnavailableError(failure));
    const [ended, closing] = [new AbortController(), new AbortController()];
    worker.on('error', (error) => this.#report(error.stack ?? error.message));
    worker.on('exit', () => {
      onEnd();
      ended.abort(stopped());
      calls.end(stopped());
    });
    const run = calls.make({ kind: 'run' }, { stop: closing.signal, onPart: this.#report }).catch(() => undefined);
    const close = async () => {
      closing.abort();
      await orAborted(run, AbortSignal.timeout(GRACE)).catch(() => undefined);
      await worker.terminate();
    };
    return { calls, ended: ended.signal, close };
  }
}

/** What a worker thread of Node is to its callers, over a worker of a browser. */

import type { Programs } from './programs.ts';

export type Script = string | { readonly programs: Programs; address(): Promise<string> };

export const addressOf = (script: Script): Promise<string> =>
  typeof script === 'string' ? Promise.resolve(script) : script.address();

/** Threads that compute at a time: more would be too many for a page among others. */
export const threadsHere = (): number => Math.max(1, Math.min(4, navigator.hardwareConcurrency));

export interface Start {
  readonly workerData: unknown;
  readonly port: MessagePort;
}

interface Question {
  readonly kind: 'read' | 'address';
  readonly name: string;
  readonly answer: MessagePort;
}

type Listener = (value: never) => void;

export class Worker {
  readonly #script: Script;
  readonly #port: MessagePort;
  readonly #listeners = new Map<string, Set<Listener>>();
  #worker: globalThis.Worker | undefined;
  #hasEnded = false;

  readonly #fail = (error: unknown): void => {
    this.emit('error', error instanceof Error ? error : new Error(String(error)));
    this.#end();
  };

  constructor(script: Script, { workerData }: { readonly workerData?: unknown } = {}) {
    this.#script = script;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => {
      this.emit('message', data);
    };
    this.#start({ workerData, port: port2 }).catch(this.#fail);
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  on(event: string, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return this;
  }

  emit(event: string, value: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(value as never);
  }

  terminate(): Promise<void> {
    this.#end();
    return Promise.resolve();
  }

  async #start(start: Start): Promise<void> {
    const address = await addressOf(this.#script);
    if (this.#hasEnded) return;
    const worker = new globalThis.Worker(address);
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Question>) => {
      this.#answer(data).catch(this.#fail);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Error(event.message || 'The worker cannot be started.'));
    };
    worker.postMessage(start, [start.port]);
  }

  async #answer({ kind, name, answer }: Question): Promise<void> {
    if (typeof this.#script === 'string') throw new Error(`${name} cannot be read from here.`);
    const { programs } = this.#script;
    answer.postMessage(await (kind === 'read' ? programs.read(name) : programs.address(name)));
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#worker?.terminate();
    this.#port.close();
    this.emit('exit', 1);
  }
}

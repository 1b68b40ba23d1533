/** Calls to a thread: messages with numbers, so that each has its answer, what it tells before that, and a way to be stopped. */
import type { Worker } from '#platform/threads';
import type { parentPort } from '#platform/thread';

type ToThread = { readonly id: number } & ({ readonly call: unknown } | { readonly word: 'stop' | 'go on' });
type FromThread = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly thrown: unknown }
  | { readonly part: unknown }
);

interface Open {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onPart?: ((part: never) => void) | undefined;
}

interface CallOptions extends Pick<Open, 'onPart'> {
  readonly transfer?: ArrayBuffer[];
  /** Asks the thread to end the call early; its answer is waited for all the same. */
  readonly stop?: AbortSignal | undefined;
}

export class Calls<Call, Thrown> {
  readonly worker: Worker;
  readonly #open = new Map<number, Open>();
  #count = 0;

  constructor(worker: Worker, errorOf: (thrown: Thrown) => Error) {
    this.worker = worker;
    worker.on('message', (message: FromThread) => {
      const open = this.#open.get(message.id);
      if ('value' in message) open?.resolve(message.value);
      else if ('thrown' in message) open?.reject(errorOf(message.thrown as Thrown));
      else {
        open?.onPart?.(message.part as never);
        this.#post({ id: message.id, word: 'go on' });
      }
    });
  }

  /** @throws what the thread throws, or the reason of its {@link end} */
  async make(call: Call, { transfer, stop, onPart }: CallOptions = {}): Promise<unknown> {
    const id = ++this.#count;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.set(id, { resolve, reject, onPart });
    const onStop = () => {
      this.#post({ id, word: 'stop' });
    };
    stop?.addEventListener('abort', onStop);
    try {
      this.#post({ id, call }, transfer);
      return await promise;
    } finally {
      stop?.removeEventListener('abort', onStop);
      this.#open.delete(id);
    }
  }

  end(reason: Error): void {
    for (const { reject } of this.#open.values()) reject(reason);
  }

  #post(message: ToThread, transfer: ArrayBuffer[] = []): void {
    this.worker.postMessage(message, transfer);
  }
}

export interface Talk {
  /** Resolves when it was taken: a message is taken in whole before anything else is done there. */
  readonly tell: (part: unknown) => Promise<void>;
  readonly stop: AbortSignal;
}

/** Answers the calls to this thread. @param transferOf parts of an answer that need not be copied */
export function answerCalls<Call>(
  port: typeof parentPort,
  run: (call: Call, talk: Talk) => unknown,
  thrownOf: (error: unknown) => unknown,
  transferOf: (value: unknown) => ArrayBuffer[] = () => [],
): void {
  if (!port) throw new Error('Calls are answered in a worker thread.');
  const open = new Map<number, { readonly stop: AbortController; goOn?: () => void }>();
  const post = (message: FromThread, transfer: ArrayBuffer[] = []) => {
    port.postMessage(message, transfer);
  };
  const answer = async (id: number, call: Call) => {
    const stop = new AbortController();
    const tell = (part: unknown) =>
      new Promise<void>((goOn) => {
        open.set(id, { stop, goOn });
        post({ id, part });
      });
    open.set(id, { stop });
    const value = await run(call, { tell, stop: stop.signal });
    post({ id, value }, transferOf(value));
  };
  port.on('message', ({ id, ...message }: ToThread) => {
    if ('word' in message) {
      const { stop, goOn } = open.get(id) ?? {};
      if (message.word === 'stop') stop?.abort();
      else goOn?.();
      return;
    }
    answer(id, message.call as Call)
      .finally(() => open.delete(id))
      .catch((error: unknown) => {
        post({ id, thrown: thrownOf(error) });
      });
  });
}

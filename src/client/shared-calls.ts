interface Running<T> {
  readonly work: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/** Calls that are under way. An equal call made meanwhile waits for the running one. */
export class SharedCalls<T> {
  readonly #running = new Map<string, Running<T>>();

  /** The call ends where all who wait for it have left. @throws what it throws; the signal's reason */
  async join(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const running = this.#running.get(key) ?? this.#start(key, start);
    running.waiting++;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => {
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', leave);
    try {
      return await Promise.race([running.work, left]);
    } finally {
      signal?.removeEventListener('abort', leave);
      if (--running.waiting === 0) {
        running.stop.abort(signal?.reason);
        if (this.#running.get(key) === running) this.#running.delete(key);
      }
    }
  }

  /** Something was changed: what is asked from now on is not answered by what was asked before. */
  forget(): void {
    this.#running.clear();
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): Running<T> {
    const stop = new AbortController();
    const work = start(stop.signal);
    work.catch(() => undefined);
    const running = { work, stop, waiting: 0 };
    this.#running.set(key, running);
    return running;
  }
}

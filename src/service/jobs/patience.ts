import { mayPass, storeTrouble } from '../database/trouble.ts';

/** Before what could not be written is tried again, in milliseconds. */
const REST = 1_000;

/** The service closes: what waits goes on at its next start. */
export const CLOSING = new Error('The service closes.');

/** Writes to a store that may be locked or have no room for a while: what was computed is not lost. */
export class Patience {
  readonly #closing: AbortSignal;
  readonly #report: (error: unknown) => void;

  constructor(closing: AbortSignal, report: (error: unknown) => void) {
    this.#closing = closing;
    this.#report = report;
  }

  /**
   * Writes, again and again until it can.
   * @param onFull is told each time that there is no room
   * @throws the signal's reason, {@link CLOSING}, any other error of the store
   */
  async write<T>(
    write: () => Promise<T>,
    { signal, onFull }: { signal?: AbortSignal; onFull?: (error: unknown) => void } = {},
  ): Promise<T> {
    let isTold = false;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!mayPass(error)) throw error;
        if (!isTold) this.#report(error);
        isTold = true;
        if (storeTrouble(error)?.status === 507) onFull?.(error);
        await this.rest(signal);
      }
    }
  }

  /** A second. @throws the signal's reason, {@link CLOSING} */
  async rest(signal?: AbortSignal): Promise<void> {
    const ends = AbortSignal.any([this.#closing, ...(signal ? [signal] : [])]);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, REST);
      ends.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
      if (ends.aborted) resolve();
    });
    signal?.throwIfAborted();
    if (this.#closing.aborted) throw CLOSING;
  }
}

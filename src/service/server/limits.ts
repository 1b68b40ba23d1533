import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { BusyError } from '../errors.ts';
import type { Caller } from '../store/keys.ts';

/** Counts requests of keys that may ask so often a minute; each program that serves counts those that come to it. */
export class Limits {
  /** By how many requests a minute they let pass. */
  readonly #limiters = new Map<number, RateLimiterMemory>();

  /** @throws BusyError where a key asks more often than it may */
  async admit({ id, requestsPerMinute: points }: Caller): Promise<void> {
    if (points === undefined) return;
    const limiter = this.#limiters.get(points) ?? new RateLimiterMemory({ points, duration: 60 });
    this.#limiters.set(points, limiter);
    try {
      await limiter.consume(id);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const after = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new BusyError(`This key may be used for ${points} requests a minute. Try again in ${after} s.`, after);
    }
  }
}

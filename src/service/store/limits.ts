import { sql } from 'kysely';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { BusyError } from '../errors.ts';
import type { Home } from '../database/home.ts';
import type { Caller } from './keys.ts';

/**
 * Counts requests of keys that may ask so often a minute, from the first of that minute on: in the store where services
 * share it, by whose clock; else in this program.
 */
export class Limits {
  readonly #home: Home;
  /** By how many requests a minute they let pass. */
  readonly #limiters = new Map<number, RateLimiterMemory>();

  constructor(home: Home) {
    this.#home = home;
  }

  /** @throws BusyError where a key asks more often than it may */
  async admit(caller: Caller): Promise<void> {
    const { requestsPerMinute: most } = caller;
    if (most === undefined) return;
    const rest = this.#home.isShared ? await this.#countTogether(caller, most) : await this.#count(caller, most);
    if (rest === undefined) return;
    const after = Math.max(1, Math.ceil(rest));
    throw new BusyError(`This key may be used for ${most} requests a minute. Try again in ${after} s.`, after);
  }

  /** Forgets counts of minutes long ago. */
  async forgetOld(): Promise<void> {
    if (this.#home.isShared)
      await sql`delete from requests where began < now() - interval '1 hour'`.execute(this.#home.db);
  }

  /** @returns seconds until it may be used again, where it may not now */
  async #count({ id }: Caller, points: number): Promise<number | undefined> {
    const limiter = this.#limiters.get(points) ?? new RateLimiterMemory({ points, duration: 60 });
    this.#limiters.set(points, limiter);
    try {
      await limiter.consume(id);
      return undefined;
    } catch (error) {
      if (error instanceof Error) throw error;
      return (error as RateLimiterRes).msBeforeNext / 1000; // what it rejects with where it refuses
    }
  }

  /** As {@link #count}. The library's own for PostgreSQL prepares statements, which no pooler of transactions allows. */
  async #countTogether({ id, space }: Caller, most: number): Promise<number | undefined> {
    const isOn = sql`requests.began > now() - interval '1 minute'`;
    const { rows } = await sql<{ count: number; rest: number }>`
      insert into requests (key_id, began, count) select id, now(), 1 from keys where id = ${id}
      on conflict (key_id) do update set
        count = case when ${isOn} then requests.count + 1 else 1 end,
        began = case when ${isOn} then requests.began else now() end
      returning count, extract(epoch from began + interval '1 minute' - now())::double precision rest
    `.execute(this.#home.in(space));
    return rows.length > 0 && rows[0].count > most ? rows[0].rest : undefined;
  }
}

import { failure } from '../contract/failures.ts';
import { sql } from 'kysely';
import { BusyError } from '../service/errors.ts';
import type { Store } from '../service/database/store.ts';
import type { Caller, Limiter } from '../service/store/keys.ts';

const MINUTE = 60_000;

/** Counts requests of a key in a minute: in the store where services share it, else in this program. */
export class Limits implements Limiter {
  readonly #store: Store;
  readonly #counts = new Map<string, { count: number; readonly until: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  async admit(caller: Caller): Promise<void> {
    const { requests_per_minute: most } = caller;
    if (most === null) return;
    const { count, rest } = this.#store.isShared ? await this.#countTogether(caller) : this.#count(caller);
    const after = Math.max(1, Math.ceil(rest));
    if (count > most) throw new BusyError(failure('requests_per_minute', most, after), after);
  }

  async forgetOld(): Promise<void> {
    const now = performance.now();
    for (const [id, { until }] of this.#counts) if (until <= now) this.#counts.delete(id);
    if (!this.#store.isShared) return;
    await sql`delete from requests where began < now() - interval '1 hour'`.execute(this.#store.db);
  }

  #count({ id }: Caller): Counted {
    const now = performance.now();
    const known = this.#counts.get(id);
    const counted = known && known.until > now ? known : { count: 0, until: now + MINUTE };
    counted.count++;
    this.#counts.set(id, counted);
    return { count: counted.count, rest: (counted.until - now) / 1000 };
  }

  async #countTogether({ id, tenant }: Caller): Promise<Counted> {
    const isOn = sql`requests.began > now() - interval '1 minute'`;
    const { rows } = await sql<Counted>`
      insert into requests (key_id, began, count) select id, now(), 1 from keys where id = ${id}
      on conflict (key_id) do update set
        count = case when ${isOn} then requests.count + 1 else 1 end,
        began = case when ${isOn} then requests.began else now() end
      returning count, extract(epoch from began + interval '1 minute' - now())::double precision rest
    `.execute(this.#store.in(tenant));
    return rows.at(0) ?? { count: 0, rest: 0 }; // the key is gone
  }
}

interface Counted {
  readonly count: number;
  readonly rest: number;
}

/** The engine that lives in the store itself, for programs on one machine: a row is a job until it is done. */
import { hasDied, newOwner } from '#platform/program';
import { unref } from '#platform/turn';
import { sql } from 'kysely';
import type { Db } from '../database/store.ts';
import type { Capacities, Engine, Job, Lane, Line, Waiting, Work } from './engine.ts';
import { LANES } from './engine.ts';
import { type Deaths, type JobWatch, type Kinds, Queue, Runner } from './queue.ts';

/** A program that works on jobs says so this often, and is believed to be alive for so long without, in milliseconds. */
const HEARTBEAT = 5_000;
const LEASE = 20_000;

/** Run out, or later than one can be: the clock was set back. */
const lapsed = () => sql<boolean>`(lease_until < ${Date.now()} or lease_until > ${Date.now() + 1.25 * LEASE})`;

export interface JobsOptions {
  readonly threads: number;
  readonly report: (error: unknown) => void;
  readonly watch?: JobWatch | undefined;
}

export async function openEmbedded(db: Db, kinds: Kinds, { report, ...options }: JobsOptions): Promise<Queue> {
  const owner = newOwner();
  const queue = new Queue(new EmbeddedEngine(db, owner, report), db, report, true);
  await new Runner({ queue, kinds, deaths: embeddedDeaths(db, owner), ...options }).start();
  return queue;
}

interface Row {
  readonly seq: number;
  readonly lane: Lane;
  readonly tenant: string;
  readonly kind: string;
  readonly targets: string;
  readonly suspect: number;
  readonly lost: number;
  readonly more: number;
}

interface Running extends Line {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export class EmbeddedEngine implements Engine {
  readonly #db: Db;
  readonly #owner: string;
  readonly #report: (error: unknown) => void;
  readonly #running = new Map<number, Running>();
  readonly #maybe = new Set<Lane>(LANES);
  #timer: NodeJS.Timeout | undefined;
  #capacities: Capacities | undefined;
  #work: Work = () => Promise.resolve([]);
  #turns: Promise<void> = Promise.resolve();
  #isWoken = false;
  #isClosed = false;

  constructor(db: Db, owner: string, report: (error: unknown) => void) {
    this.#db = db;
    this.#owner = owner;
    this.#report = report;
  }

  async add(db: Db, { lane, tenant }: Line, jobs: readonly Job[], most: number): Promise<boolean> {
    const rank = sql<number>`max(
      coalesce((select max(rank) + 1 from jobs where lane = ${lane} and tenant = ${tenant}), 0),
      coalesce((select min(rank) from jobs where lane = ${lane} and owner is null), 0))`;
    const { numAffectedRows } = await sql`insert into jobs (lane, tenant, rank, kind, targets, suspect, added)
      select ${lane}, ${tenant}, first.rank + key, value ->> 'kind', value ->> 'targets',
        coalesce(value ->> 'isSuspect', 0), ${Date.now()}
      from json_each(${JSON.stringify(jobs)}), (select ${rank} as rank) first
      where (select count(*) from jobs where lane = ${lane} and tenant = ${tenant} and owner is null) < ${most}
      order by key`.execute(db);
    this.#maybe.add(lane);
    return numAffectedRows !== 0n;
  }

  start(capacities: Capacities, work: Work): Promise<void> {
    this.#capacities = capacities;
    this.#work = work;
    this.#timer = setInterval(() => this.#check(), HEARTBEAT);
    unref(this.#timer);
    this.#check();
    return Promise.resolve();
  }

  wake(): void {
    if (this.#isWoken || !this.#capacities) return;
    this.#isWoken = true;
    this.#inTurn(async () => {
      this.#isWoken = false;
      for (const lane of LANES) if (this.#maybe.has(lane)) await this.#fill(lane);
    });
  }

  answers(): Promise<boolean> {
    return Promise.resolve(!this.#isClosed);
  }

  async waiting(): Promise<readonly Waiting[]> {
    const { rows } = await sql<{ lane: Lane; jobs: number; first: number }>`select lane, count(*) jobs, min(added) first
      from jobs where owner is null group by lane`.execute(this.#db);
    return rows.map(({ lane, jobs, first }) => ({ lane, jobs, age: Math.max(0, (Date.now() - first) / 1000) }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#turns;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Says that this program lives, lets go of jobs whose programs do not, and takes what waits. Writes only where it must. */
  #check(): void {
    this.#inTurn(async () => {
      if (this.#running.size > 0) await this.#renew();
      const { rows } = await sql<{ lane: Lane; is_lapsed: number }>`
        select lane, max(owner is not null and owner <> ${this.#owner} and ${lapsed()}) is_lapsed
        from jobs group by lane`.execute(this.#db);
      if (rows.some(({ is_lapsed }) => is_lapsed === 1)) {
        await sql`update jobs set owner = null, lost = lost + 1
          where owner <> ${this.#owner} and ${lapsed()}`.execute(this.#db);
      }
      for (const { lane } of rows) this.#maybe.add(lane);
      for (const { lane } of rows) await this.#fill(lane);
    });
  }

  async #renew(): Promise<void> {
    const { rows } = await sql<{ seq: number }>`update jobs set lease_until = ${Date.now() + LEASE}
      where owner = ${this.#owner} returning seq`.execute(this.#db);
    const mine = new Set(rows.map(({ seq }) => seq));
    for (const [seq, { abort }] of this.#running) if (!mine.has(seq)) abort.abort(TAKEN);
  }

  async #fill(lane: Lane): Promise<void> {
    const { most, ofOne } = this.#capacities![lane];
    while (!this.#isClosed && this.#maybe.has(lane)) {
      const running = [...this.#running.values()].filter((one) => one.lane === lane);
      if (running.length >= most) return;
      const ofEach = Map.groupBy(running, ({ tenant }) => tenant);
      const full = [...ofEach].filter(([, some]) => some.length >= ofOne).map(([tenant]) => tenant);
      const row = await this.#claim(lane, full);
      if (row) this.#begin(row);
      if (row ? row.more === 0 : full.length === 0) this.#maybe.delete(lane);
      if (!row) return;
    }
  }

  async #claim(lane: Lane, full: readonly string[]): Promise<Row | undefined> {
    const { rows } = await sql<Row>`update jobs set owner = ${this.#owner}, lease_until = ${Date.now() + LEASE}
      where seq = (
        select seq from jobs where lane = ${lane} and owner is null
        and tenant not in (select value from json_each(${JSON.stringify(full)}))
        order by rank, seq limit 1)
      returning seq, lane, tenant, kind, targets, suspect, lost,
        exists (select 1 from jobs other where other.lane = ${lane} and other.owner is null) more`.execute(this.#db);
    return rows[0];
  }

  #begin({ seq, lane, tenant, kind, targets, suspect, lost }: Row): void {
    const abort = new AbortController();
    const { signal } = abort;
    const job = { kind, targets: JSON.parse(targets) as string[], isSuspect: suspect === 1 };
    const work = async () => {
      const left = await this.#work({ job, lane, tenant, isLost: lost > 0, signal }).catch((error: unknown) => {
        if (error !== TAKEN) this.#report(error);
        return job.targets; // taken again at the next look
      });
      const own = sql`where seq = ${seq} and owner = ${this.#owner}`;
      if (left.length === 0) await sql`delete from jobs ${own}`.execute(this.#db);
      else await sql`update jobs set owner = null, targets = ${JSON.stringify(left)} ${own}`.execute(this.#db);
    };
    const done = work()
      .catch(this.#report)
      .finally(() => {
        this.#running.delete(seq);
        this.wake();
      });
    this.#running.set(seq, { lane, tenant, abort, done });
  }

  /** For timers and events, out of which nothing may be thrown: a failure is reported, and the next look tells. */
  #inTurn(work: () => Promise<void>): void {
    this.#turns = this.#turns.then(() => (this.#isClosed ? undefined : work())).catch(this.#report);
  }
}

const TAKEN = new Error('Another program works on the job.');

/** Programs of this machine that began with jobs that were lost before. @param program the owner of its jobs */
const embeddedDeaths = (db: Db, program: string): Deaths => ({
  program,
  of: async (target) => {
    const begun = await db.selectFrom('begun_jobs').select('program').where('target', '=', target).execute();
    return begun.filter(({ program }) => hasDied(program)).length;
  },
  begin: async (target) => {
    const begun = db.insertInto('begun_jobs').values({ target, program });
    await begun.onConflict((conflict) => conflict.doNothing()).execute();
  },
});

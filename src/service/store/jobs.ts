import { uptime } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import type { Home } from '../database/home.ts';
import { type Db, transaction } from '../database/tables.ts';

/**
 * What of a job's `attempts` is one that a thread had begun with when its program died. One that only waited for a thread
 * then counts as 1: it is hardly what ended the program.
 */
export const WEIGHT_OF_START = 3;

/** How long a program that works on a job, or answers its client, is believed to be alive without renewing, in ms. */
export const LEASE = 20_000;

/**
 * Whose turn comes first; the numbers are stored with the jobs. Within one of them, who came first. `dataset` is that of
 * the series of one.
 */
export const PRIORITY = { forecast: 1, training: 0, dataset: -1 } as const;
export type Turn = keyof typeof PRIORITY;

/** Where jobs wait: in fair turns with those of other tenants that come in the same turn. */
export interface Line {
  readonly turn: Turn;
  /** The tenant. */
  readonly space: string;
}

export interface NewJob extends Line {
  readonly kind: string;
  readonly target: string;
}

/** How many jobs of each turn may wait of one tenant. */
export const MOST_WAITING: Readonly<Record<Turn, number>> = { forecast: 1_000, training: 100, dataset: 1_000_000 };

export interface Job {
  readonly kind: string;
  readonly target: string;
  readonly attempts: number;
  readonly space: string;
}

/**
 * A lease that has run out, or that ends later than one can: the clock was set back since. A clock may be put right by a
 * few seconds.
 */
const lapsed = () => sql<boolean>`(lease_until < ${Date.now()} or lease_until > ${Date.now() + 1.25 * LEASE})`;

/**
 * The place of a new job among those of its turn, as of fair queueing (Demers, Keshav, Shenker 1989): behind the last of its
 * own tenant, and not before the first of any. So tenants take turns, however many jobs one of them has.
 */
const nextRank = ({ turn, space }: Line) => sql<number>`max(
  coalesce((select max(rank) + 1 from jobs where priority = ${PRIORITY[turn]} and space = ${space}), 0),
  coalesce((select min(rank) from jobs where priority = ${PRIORITY[turn]} and owner is null), 0))`;

/** What a program takes now. */
interface Claim {
  readonly kinds: readonly string[];
  readonly passedOver: readonly string[];
  readonly held: readonly string[];
  readonly full: readonly string[];
}

/** Texts as a table with the column `value`, in their order, which is `key`. */
const each = (texts: readonly string[]) => sql`json_each(${JSON.stringify(texts)})`;

/** When this machine was started, in seconds; clocks that are put right move it a little. */
const bootOf = (): number => Math.round(Date.now() / 1000 - uptime());
const SAME_BOOT = 300;

/** Names this run of this program, and no other ever. */
export const newOwner = (): string => `${process.pid} ${bootOf()} ${crypto.randomUUID()}`;

/** Whether a program is seen to have died: it is not there any more, and its machine was not started anew since. */
export function hasDied(owner: string): boolean {
  const [, pid, boot] = /^(\d+) (\d+) /.exec(owner) ?? [];
  if (pid === undefined || Math.abs(Number(boot) - bootOf()) > SAME_BOOT) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // it is there where it may not be asked
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * The rows behind the embedded queue, on SQLite. A row is a job that has not ended. Its `owner` is the program that works
 * on it; its `client` the program whose client waits for the answer. Either renews `lease_until` while it lives.
 */
export class Jobs {
  readonly #db: Db;
  readonly #owner: string;

  /** @param owner names this run of this program, and no other ever */
  constructor({ db }: Home, owner: string) {
    this.#db = db;
    this.#owner = owner;
  }

  /** @param isAwaited whether a client of this program waits: then no other program does the job, and it ends with this one */
  async add(db: Db, { kind, target, ...line }: NewJob, isAwaited: boolean): Promise<void> {
    const [client, lease_until] = isAwaited ? [this.#owner, Date.now() + LEASE] : [null, 0];
    await sql`insert into jobs (kind, target, priority, space, rank, client, lease_until)
      select ${kind}, ${target}, ${PRIORITY[line.turn]}, ${line.space}, ${nextRank(line)}, ${client}, ${lease_until}`.execute(
      db,
    );
  }

  /** As {@link add}, many at once, for which nobody waits. */
  async addAll(db: Db, kind: string, targets: readonly string[], line: Line): Promise<void> {
    await sql`insert into jobs (kind, target, priority, space, rank, lease_until)
      select ${kind}, value, ${PRIORITY[line.turn]}, ${line.space}, first.rank + key, 0
      from ${each(targets)}, (select ${nextRank(line)} as rank) first order by key`.execute(db);
  }

  async has(target: string, db = this.#db): Promise<boolean> {
    return (await this.kindOf(target, db)) !== undefined;
  }

  async kindOf(target: string, db = this.#db): Promise<string | undefined> {
    return (await db.selectFrom('jobs').select('kind').where('target', '=', target).executeTakeFirst())?.kind;
  }

  /** Whether as many of this tenant wait in this turn as may. */
  async isFull(db: Db, { turn, space }: Line): Promise<boolean> {
    const most = MOST_WAITING[turn];
    const { rows } = await sql<{ n: number }>`select count(*) n from (
      select 1 from jobs where priority = ${PRIORITY[turn]} and space = ${space} limit ${most})`.execute(db);
    return rows[0].n >= most;
  }

  /**
   * Takes the job whose turn it is.
   * @param kinds those that this program knows
   * @param passedOver kinds that let those behind them go first
   * @param held kinds that are not taken now, and those behind them wait with them
   * @param full tenants of which none is taken now
   */
  async claim({ kinds, passedOver, held, full }: Claim): Promise<Job | undefined> {
    const me = this.#owner;
    const { rows } = await sql<Job>`update jobs
      set owner = ${me}, lease_until = ${Date.now() + LEASE}, attempts = attempts + 1
      where seq = (
        select seq from jobs
        where owner is null and (client is null or client = ${me})
        and kind in (select value from ${each(kinds)}) and kind not in (select value from ${each(passedOver)})
        and space not in (select value from ${each(full)})
        order by priority desc, rank, seq limit 1)
      and kind not in (select value from ${each(held)}) returning kind, target, attempts, space`.execute(this.#db);
    return rows[0];
  }

  /** Does `write` as one with the look whether the job is still this program's. @returns whether it is */
  whileOwned(target: string, write: (db: Db) => Promise<void>): Promise<boolean> {
    return transaction(this.#db, async (db) => {
      const isOwned = await this.#isOwned(db, target);
      if (isOwned) await write(db);
      return isOwned;
    });
  }

  async #isOwned(db: Db, target: string): Promise<boolean> {
    const owned = db.selectFrom('jobs').select('seq').where('target', '=', target).where('owner', '=', this.#owner);
    return (await owned.executeTakeFirst()) !== undefined;
  }

  /** Ends a job of this program, with its result, as one. Writes nothing where the job was taken away meanwhile. */
  finish(target: string, write: (db: Db) => Promise<void>): Promise<void> {
    return this.#end(sql`target = ${target} and owner = ${this.#owner}`, write);
  }

  /** Ends a job whoever works on it, as one with `write`. */
  end(target: string, write: (db: Db) => Promise<void>): Promise<void> {
    return this.#end(sql`target = ${target}`, write);
  }

  #end(which: RawBuilder<unknown>, write: (db: Db) => Promise<void>): Promise<void> {
    return transaction(this.#db, async (db) => {
      const { rows } = await sql`delete from jobs where ${which} returning target`.execute(db);
      if (rows.length > 0) await write(db);
    });
  }

  /** Drops jobs, in the transaction that deletes their resources. */
  async forget(db: Db, targets: readonly string[]): Promise<void> {
    await sql`delete from jobs where target in (select value from ${each(targets)})`.execute(db);
  }

  /** A thread has begun with a job of this program. */
  async started(db: Db, target: string): Promise<void> {
    await sql`update jobs set attempts = attempts + ${WEIGHT_OF_START - 1} where target = ${target}`.execute(db);
  }

  /** Gives a job of this program back, unless a client of it waits. */
  release(target: string, isStarted: boolean, write: (db: Db) => Promise<void>): Promise<void> {
    const weight = isStarted ? WEIGHT_OF_START : 1;
    return transaction(this.#db, async (db) => {
      const { rows } = await sql`update jobs set owner = null, attempts = attempts - ${weight}
        where target = ${target} and owner = ${this.#owner} returning target`.execute(db);
      if (rows.length > 0) await write(db);
    });
  }

  /** Says that this program lives. @returns of these jobs, which it still owns */
  async renew(targets: readonly string[]): Promise<Set<string>> {
    const mine = sql`owner = ${this.#owner} or client = ${this.#owner}`;
    const { rows } = await sql`select 1 from jobs where ${mine} limit 1`.execute(this.#db);
    if (rows.length === 0) return new Set();
    return transaction(this.#db, async (db) => {
      await sql`update jobs set lease_until = ${Date.now() + LEASE} where ${mine}`.execute(db);
      const owned = new Set<string>();
      for (const target of targets) if (await this.#isOwned(db, target)) owned.add(target);
      return owned;
    });
  }

  /** What waits, by whose turn it is, and for how many seconds the first of each has. */
  async waiting(): Promise<{ turn: Turn; jobs: number; age: number }[]> {
    const counted = await sql<{ priority: number; jobs: number; first: number }>`
      select priority, count(*) jobs, min(seq) first from jobs where owner is null group by priority`.execute(this.#db);
    const all: { turn: Turn; jobs: number; age: number }[] = [];
    for (const { priority, jobs, first } of counted.rows) {
      const { rows } = await sql<{ since: string }>`
        select created_at since from predictions where id = (select target from jobs where seq = ${first}) union all
        select created_at since from fine_tuned_models where id = (select target from jobs where seq = ${first})`.execute(
        this.#db,
      );
      const age = rows.length > 0 ? Math.max(0, (Date.now() - Date.parse(rows[0].since)) / 1000) : 0;
      const turns = Object.keys(PRIORITY) as Turn[];
      all.push({ turn: turns.find((turn) => PRIORITY[turn] === priority) ?? 'dataset', jobs, age });
    }
    return all;
  }

  /** Those whose client's program ended: nobody waits for them any more. */
  abandoned(): Promise<readonly Job[]> {
    return this.#all(sql`client <> ${this.#owner} and ${lapsed()}`);
  }

  /** Those whose clients this program answers. */
  awaitedHere(): Promise<readonly Job[]> {
    return this.#all(sql`client = ${this.#owner}`);
  }

  /**
   * Lets go of those whose programs do not renew them; `write` is done as one with each. What was begun counts as an attempt
   * only where its program is seen to have died: one that sleeps did not fall over it.
   */
  async letGo(write: (db: Db, job: Job) => Promise<void>): Promise<void> {
    const isLeft = sql`owner <> ${this.#owner} and ${lapsed()}`;
    for (const job of await this.#all<Job & { owner: string }>(sql`client is null and ${isLeft}`)) {
      const attempts = hasDied(job.owner) ? job.attempts : Math.floor((job.attempts - 1) / WEIGHT_OF_START) * WEIGHT_OF_START; // prettier-ignore
      await transaction(this.#db, async (db) => {
        const { rows } = await sql`update jobs set owner = null, attempts = ${attempts}
          where target = ${job.target} and ${isLeft} returning target`.execute(db);
        if (rows.length > 0) await write(db, job);
      });
    }
  }

  async #all<T extends Job>(where: RawBuilder<unknown>): Promise<readonly T[]> {
    return (await sql<T>`select kind, target, attempts, space, owner from jobs where ${where}`.execute(this.#db)).rows;
  }
}

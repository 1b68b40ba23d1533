import type { DatabaseSync } from 'node:sqlite';
import { transaction } from './database.ts';

/**
 * What of a job's `attempts` is one that a thread had begun with when its program died. One that only waited for a thread
 * then counts as 1: it is hardly what ended the program.
 */
export const WEIGHT_OF_START = 3;

/** How long a program that works on a job, or answers its client, is believed to be alive without renewing, in ms. */
export const LEASE = 20_000;

/** Whose turn comes first. Within one of them, who came first. */
export const PRIORITY = { forecast: 1, training: 0, panel: -1 } as const;
export type Turn = keyof typeof PRIORITY;

/** How many jobs of each turn may wait. */
export const MOST_WAITING: Readonly<Record<Turn, number>> = { forecast: 1_000, training: 100, panel: 1_000_000 };

export interface Job {
  readonly kind: string;
  readonly target: string;
  readonly attempts: number;
}

/** A lease that has run out, or that ends later than one can: the clock was set back since. Its parameters: {@link span}. */
const LAPSED = '(lease_until < ? or lease_until > ?)';

/** The leases to be believed now; a clock may be put right by a few seconds. */
const span = (): [number, number] => [Date.now(), Date.now() + 1.25 * LEASE];

/**
 * The rows behind the queue. A row is a job that has not ended. Its `owner` is the program that works on it; its `client`
 * the program whose client waits for the answer. Either renews `lease_until` while it lives.
 */
export class Jobs {
  readonly #database: DatabaseSync;
  readonly #owner: string;

  /** @param owner names this run of this program, and no other ever */
  constructor(database: DatabaseSync, owner: string) {
    this.#database = database;
    this.#owner = owner;
  }

  /** @param isAwaited whether a client of this program waits: then no other program does the job, and it ends with this one */
  add(kind: string, target: string, turn: Turn, isAwaited: boolean): void {
    this.#database
      .prepare('insert into jobs (kind, target, priority, client, lease_until) values (?, ?, ?, ?, ?)')
      .run(kind, target, PRIORITY[turn], isAwaited ? this.#owner : null, isAwaited ? Date.now() + LEASE : 0);
  }

  /** As {@link add}, many at once, for which nobody waits. */
  addAll(kind: string, targets: readonly string[], turn: Turn): void {
    this.#database
      .prepare(
        'insert into jobs (kind, target, priority, lease_until) select ?, value, ?, 0 from json_each(?) order by key',
      )
      .run(kind, PRIORITY[turn], JSON.stringify(targets));
  }

  has(target: string): boolean {
    return this.#database.prepare('select 1 from jobs where target = ?').get(target) !== undefined;
  }

  kindOf(target: string): string | undefined {
    const row = this.#database.prepare('select kind from jobs where target = ?').get(target);
    return row && String(row.kind);
  }

  /** Whether as many wait of this turn as may. */
  isFull(turn: Turn): boolean {
    const waiting = this.#database
      .prepare('select count(*) n from (select 1 from jobs where priority = ? limit ?)')
      .get(PRIORITY[turn], MOST_WAITING[turn])?.n;
    return Number(waiting) >= MOST_WAITING[turn];
  }

  /**
   * Takes the job whose turn it is.
   * @param kinds those that this program knows
   * @param passedOver kinds that let those behind them go first
   * @param held kinds that are not taken now, and those behind them wait with them
   */
  claim(kinds: readonly string[], passedOver: readonly string[], held: readonly string[]): Job | undefined {
    // read to the end, past the commit: a job is only taken where that could be written
    const [row] = this.#database
      .prepare(
        `update jobs set owner = ?, lease_until = ?, attempts = attempts + 1
         where seq = (
           select seq from jobs
           where (client = ? and owner is null or client is null and (owner is null or owner <> ? and ${LAPSED}))
           and kind in (select value from json_each(?)) and kind not in (select value from json_each(?))
           order by priority desc, seq limit 1)
         and kind not in (select value from json_each(?)) returning kind, target, attempts`,
      )
      .all(
        this.#owner,
        Date.now() + LEASE,
        this.#owner,
        this.#owner,
        ...span(),
        JSON.stringify(kinds),
        JSON.stringify(passedOver),
        JSON.stringify(held),
      );
    return row && { kind: String(row.kind), target: String(row.target), attempts: Number(row.attempts) };
  }

  /** Does `write` as one with the look whether the job is still this program's. @returns whether it is */
  whileOwned(target: string, write: () => void): boolean {
    return transaction(this.#database, () => {
      const isOwned =
        this.#database.prepare('select 1 from jobs where target = ? and owner = ?').get(target, this.#owner) !==
        undefined;
      if (isOwned) write();
      return isOwned;
    });
  }

  /** Ends a job of this program, with its result, as one. Writes nothing where the job was taken away meanwhile. */
  finish(target: string, write: () => void): void {
    transaction(this.#database, () => {
      const { changes } = this.#database
        .prepare('delete from jobs where target = ? and owner = ?')
        .run(target, this.#owner);
      if (changes > 0) write();
    });
  }

  /** Ends a job whoever works on it, as one with `write`. */
  end(target: string, write: () => void): void {
    transaction(this.#database, () => {
      const { changes } = this.#database.prepare('delete from jobs where target = ?').run(target);
      if (changes > 0) write();
    });
  }

  /** Drops jobs, in the transaction that deletes their resources. */
  forget(targets: readonly string[]): void {
    this.#database
      .prepare('delete from jobs where target in (select value from json_each(?))')
      .run(JSON.stringify(targets));
  }

  /** A thread has begun with a job of this program. */
  started(target: string): void {
    this.#database.prepare('update jobs set attempts = attempts + ? where target = ?').run(WEIGHT_OF_START - 1, target);
  }

  /** Gives a job of this program back, unless a client of it waits. */
  release(target: string, isStarted: boolean, write: () => void): void {
    transaction(this.#database, () => {
      const { changes } = this.#database
        .prepare('update jobs set owner = null, attempts = attempts - ? where target = ? and owner = ?')
        .run(isStarted ? WEIGHT_OF_START : 1, target, this.#owner);
      if (changes > 0) write();
    });
  }

  /** Says that this program lives. @returns of these jobs, which it still owns */
  renew(targets: readonly string[]): Set<string> {
    const mine = 'owner = ? or client = ?';
    if (!this.#database.prepare(`select 1 from jobs where ${mine}`).get(this.#owner, this.#owner)) return new Set();
    return transaction(this.#database, () => {
      this.#database
        .prepare(`update jobs set lease_until = ? where ${mine}`)
        .run(Date.now() + LEASE, this.#owner, this.#owner);
      const owned = this.#database.prepare('select 1 from jobs where target = ? and owner = ?');
      return new Set(targets.filter((target) => owned.get(target, this.#owner) !== undefined));
    });
  }

  /** Those whose client's program ended: nobody waits for them any more. */
  abandoned(): Job[] {
    return this.#all(`client <> ? and ${LAPSED}`, this.#owner, ...span());
  }

  /** Those whose clients this program answers. */
  awaitedHere(): Job[] {
    return this.#all('client = ?', this.#owner);
  }

  /** Lets go of those of programs that died or have given them away; `write` is done as one with each. */
  letGo(write: (job: Job) => void): void {
    const times = span();
    const left = this.#all(`client is null and owner <> ? and ${LAPSED}`, this.#owner, ...times);
    const letGo = this.#database.prepare(`update jobs set owner = null where target = ? and owner <> ? and ${LAPSED}`);
    for (const job of left) {
      transaction(this.#database, () => {
        const { changes } = letGo.run(job.target, this.#owner, ...times);
        if (changes > 0) write(job);
      });
    }
  }

  #all(where: string, ...parameters: (string | number)[]): Job[] {
    return this.#database
      .prepare(`select kind, target, attempts from jobs where ${where}`)
      .all(...parameters)
      .map((row) => ({ kind: String(row.kind), target: String(row.target), attempts: Number(row.attempts) }));
  }
}

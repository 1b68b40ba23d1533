/** Which programs died over a job: seen by the connections that a program has to the database as long as it lives. */
import { sql } from 'kysely';
import type { Db } from '../database/tables.ts';
import { pendingOf } from './boss-queue.ts';

/** So many programs may die over a job before it is given up. */
export const MOST_DEATHS = 3;

/**
 * What was begun of jobs that were lost before, in `meta`, with the program that began it. A program that sleeps, or whose
 * connections are few, keeps one; one that finds that it lost a job takes its entry back. Nothing counts where a pooler hides
 * whose the connections are, or where the database was started anew since.
 */
export class Deaths {
  readonly #db: Db;
  readonly #program: string;

  /** @param program the `application_name` of its connections, and of no other */
  constructor(db: Db, program: string) {
    this.#db = db;
    this.#program = program;
  }

  /** How many programs are seen to have died over it. */
  async of(target: string): Promise<number> {
    const { rows } = await sql<{ n: number }>`select count(*) n from meta
      where starts_with(name, ${entriesOf(target)}) and value::timestamptz > pg_postmaster_start_time()
      and not exists (select 1 from pg_stat_activity where application_name = substr(name, ${entriesOf(target).length + 1}))`.execute(
      this.#db,
    );
    return rows[0].n;
  }

  async begin(target: string): Promise<void> {
    await sql`insert into meta (name, value)
      select ${this.#entry(target)}, now()::text
      where exists (select 1 from pg_stat_activity where application_name = ${this.#program})
      on conflict do nothing`.execute(this.#db);
  }

  async end(target: string): Promise<void> {
    await sql`delete from meta where name = ${this.#entry(target)}
      or (starts_with(name, ${entriesOf(target)}) and not exists (${pendingOf(target)}))`.execute(this.#db);
  }

  #entry(target: string): string {
    return entriesOf(target) + this.#program;
  }
}

const entriesOf = (target: string): string => `begun ${target} `;

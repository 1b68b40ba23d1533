import { sql } from 'kysely';
import type { Db } from '../service/database/store.ts';
import { forgetBegun } from '../service/jobs/writes.ts';
import type { Deaths } from '../service/jobs/runner.ts';

/**
 * Which programs died over a job: seen by the connections that a program has to the database as long as it lives. One that
 * sleeps, or whose connections are few, keeps one. Nothing counts where a pooler hides whose the connections are, or where the
 * database was started anew since.
 */
export class PostgresDeaths implements Deaths {
  readonly #db: Db;
  readonly #program: string;

  /** @param program the `application_name` of its connections, and of no other */
  constructor(db: Db, program: string) {
    this.#db = db;
    this.#program = program;
  }

  async of(target: string): Promise<number> {
    const { rows } = await sql<{ n: number }>`select count(*) n from begun_jobs
      where target = ${target} and began > pg_postmaster_start_time()
      and not exists (select 1 from pg_stat_activity where application_name = program)`.execute(this.#db);
    return rows[0].n;
  }

  async begin(target: string): Promise<void> {
    await sql`insert into begun_jobs (target, program) select ${target}, ${this.#program}
      where exists (select 1 from pg_stat_activity where application_name = ${this.#program})
      on conflict do nothing`.execute(this.#db);
  }

  end(target: string): Promise<void> {
    return forgetBegun(this.#db, target, this.#program);
  }
}

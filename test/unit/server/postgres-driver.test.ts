import assert from 'node:assert/strict';
import { Kysely, PostgresAdapter, PostgresDriver, PostgresQueryCompiler, sql } from 'kysely';
import type pg from 'pg';
import { boundPool } from '../../../src/server/postgres.ts';
import { snapshot, type Tables, transaction } from '../../../src/service/database/store.ts';
import { until } from '../editor/until.ts';

/** A database that answers when it is told to. */
class Slow {
  readonly asked: string[] = [];
  readonly answers: PromiseWithResolvers<unknown>[] = [];
  released = 0;
  readonly db: Kysely<Tables>;

  constructor() {
    const client = {
      query: (text: string) => {
        this.asked.push(text.split(';')[0]);
        const answer = Promise.withResolvers<unknown>();
        this.answers.push(answer);
        return answer.promise;
      },
      release: () => this.released++,
    } as unknown as pg.PoolClient;
    const pool = {
      connect: () => Promise.resolve(client),
      end: () => Promise.resolve(),
      options: {} as pg.PoolOptions,
    };
    this.db = new Kysely<Tables>({
      dialect: {
        createDriver: () => new PostgresDriver({ pool: boundPool(pool, undefined) }),
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: () => assert.fail(),
      },
    });
  }

  async askedFor(count: number): Promise<void> {
    await until(
      () => this.asked.length,
      (length) => length >= count,
    );
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    assert.equal(this.asked.length, count, this.asked.join('; '));
  }

  answer(index: number): void {
    this.answers[index].resolve({ command: 'SELECT', rowCount: 0, rows: [] });
  }
}

describe('transaction on PostgreSQL', () => {
  it('is rolled back if it cannot begin, without running its statements', async () => {
    const slow = new Slow();
    const read = snapshot(slow.db, (db) => sql`select 1`.execute(db));
    await slow.askedFor(1);
    slow.answers[0].reject(new Error('no'));
    await slow.askedFor(2);
    slow.answer(1);
    await assert.rejects(read, /no/);
    assert.deepEqual([slow.asked[1], slow.released], ['rollback', 1]);
  });

  it('of a single statement is sent with the statement', async () => {
    const slow = new Slow();
    const read = sql`select 1`.execute(slow.db);
    await slow.askedFor(3);
    assert.deepEqual(slow.asked, ['begin', 'select 1', 'commit']);
    for (const place of [0, 1, 2]) slow.answer(place);
    await read;
    assert.equal(slow.released, 1);
  });

  it('of several statements waits for begin and commit', async () => {
    const slow = new Slow();
    const written = transaction(slow.db, (db) => sql`select 1`.execute(db));
    await slow.askedFor(1);
    slow.answer(0);
    await slow.askedFor(2);
    slow.answer(1);
    await slow.askedFor(3);
    assert.deepEqual([slow.asked[2], slow.released], ['commit', 0]);
    slow.answer(2);
    await written;
    assert.equal(slow.released, 1);
  });
});

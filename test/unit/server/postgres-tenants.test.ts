/** The second lock between tenants: the store's own conditions are left out here, and the database holds all the same. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import pg from 'pg';
import { asSuperuser, type Postgres, startPostgres } from '../../harness/postgres.ts';
import { type Db, type Store, snapshot, transaction } from '../../../src/service/database/store.ts';
import { boundPool, openPostgres } from '../../../src/server/postgres.ts';

const TABLES = [
  'keys',
  'usage',
  'requests',
  'datasets',
  'series',
  'batches',
  'predictions',
  'fine_tuned_models',
  'creations',
] as const;
type Table = (typeof TABLES)[number];

/** A row of each table, of the tenant that it is stored in; `n` makes it one of its kind. */
const rowsOf = (n: string, tenant: string): readonly [Table, string][] => [
  ['keys', `insert into keys (id, status, scope, digest, sealed, created_at, tenant) values ('k${n}', 'ACTIVE', 'write', 'd${n}', '', '', '${tenant}')`],
  ['usage', `insert into usage (key_id, day, series) values ('k${n}', '2024-01-01', 1)`],
  ['requests', `insert into requests (key_id, began, count) values ('k${n}', 1, 1)`],
  ['datasets', `insert into datasets (id, tags, created_at, tenant) values ('t${n}', '[]', '', '${tenant}')`],
  ['series', `insert into series (id, rows, points, tenant) values ('s${n}', 0, '[]', '${tenant}')`],
  ['batches', `insert into batches (id, dataset_id, series, created_at, tenant) values ('b${n}', 't${n}', 1, '', '${tenant}')`],
  ['predictions', `insert into predictions (id, ai_model_id, status, input_series_id, options, created_at, tenant)
    values ('p${n}', 'theta', 'COMPLETED', 's${n}', '{}', '', '${tenant}')`],
  ['fine_tuned_models', `insert into fine_tuned_models (id, status, base_model, config, input_config, created_at, updated_at, tenant)
    values ('m${n}', 'QUEUED', 'theta', '{}', '{}', '', '', '${tenant}')`],
  ['creations', `insert into creations (tenant, key, hash, made, created_at) values ('${tenant}', 'c${n}', '', '', '')`],
]; // prettier-ignore

const count = async (db: Db, table: Table): Promise<number> =>
  (await sql<{ n: number }>`select count(*) n from ${sql.table(table)}`.execute(db)).rows[0].n;

describe('row-level security between tenants', function () {
  this.timeout(60_000);
  let postgres: Postgres;
  let database: string;
  let store: Store;
  const reports: unknown[] = [];
  const warnings: string[] = [];
  const report = (error: unknown) => reports.push(error);
  const open = (address: string, warn = (sentence: string) => void warnings.push(sentence)) =>
    openPostgres({ database: address, connections: 2, report, warn });

  before(async () => {
    postgres = await startPostgres();
    database = await postgres.database();
    store = await open(database);
    for (const tenant of ['one', 'two'])
      for (const [, insert] of rowsOf(tenant, tenant)) await sql.raw(insert).execute(store.in(tenant));
  });
  after(async () => {
    await store.close();
    await postgres.remove();
    assert.deepEqual(reports, []);
  });

  it('is on each table except the version, and applies to the owner', async () => {
    const { rows } = await sql<{ name: string; owner: string }>`
      select relname name, pg_get_userbyid(relowner) = current_user owner from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)
    `.execute(store.db);
    assert.deepEqual(rows, [{ name: 'store_version', owner: true }]);
    assert.deepEqual([store.hasRowSecurity, warnings], [true, []]);
  });

  it('shows a tenant its own rows, and maintenance all rows', async () => {
    for (const table of TABLES) {
      assert.equal(await count(store.in('one'), table), 1, table);
      assert.equal(await count(store.db, table), 2, table);
      assert.equal(await count(store.in('three'), table), 0, table);
      assert.equal(await count(store.in(''), table), 0, table);
      assert.equal(await count(store.in('all'), table), 0, table);
      assert.equal(await snapshot(store.in('two'), (db) => count(db, table)), 1, table);
    }
    const { rows } = await sql<{ id: string }>`select id from predictions`.execute(store.in('two'));
    assert.deepEqual(rows, [{ id: 'ptwo' }]);
  });

  it('releases no connection within a transaction that failed to set a tenant', async () => {
    const pool = new pg.Pool({ connectionString: database, max: 1 });
    try {
      const client = await pool.connect();
      const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
      // as where the statement behind `begin` is cancelled
      const broken = (text: string, ...given: unknown[]) =>
        query(text.replace(/select set_config.*/, 'select 1 / 0'), ...given);
      Object.assign(client, { query: broken });
      client.release();
      const bound = await boundPool(pool, 'one').connect();
      await assert.rejects(bound.query('begin', []), /division by zero/);
      bound.release();
      assert.equal((await pool.query('select 1')).rowCount, 1);
    } finally {
      await pool.end();
    }
  });

  it('prevents changing, moving, deleting and adding rows of another tenant', async () => {
    const one = store.in('one');
    for (const table of TABLES) {
      const undone = new Error('undone');
      const work = transaction(one, async (db) => {
        const column = sql.ref({ usage: 'day', requests: 'count', series: 'name' }[table as string] ?? 'created_at');
        const changed = await sql`update ${sql.table(table)} set ${column} = ${column}`.execute(db);
        assert.equal(Number(changed.numAffectedRows), 1, table);
        // predictions name a series
        if (table === 'series') await sql`delete from predictions`.execute(db);
        const deleted = await sql`delete from ${sql.table(table)}`.execute(db);
        assert.equal(Number(deleted.numAffectedRows), 1, table);
        throw undone;
      });
      await assert.rejects(work, undone, table);
      const isRefused = { code: '42501' };
      if (!['usage', 'requests'].includes(table))
        await assert.rejects(sql`update ${sql.table(table)} set tenant = 'two'`.execute(one), isRefused, table);
    }
    for (const [table, insert] of rowsOf('new', 'two')) {
      await assert.rejects(sql.raw(insert).execute(one), { code: '42501' }, table);
    }
    for (const insert of [
      `insert into usage (key_id, day, series) values ('ktwo', '2024-01-02', 1)`,
      `insert into requests (key_id, began, count) values ('ktwo', 1, 1) on conflict (key_id) do update set count = 9`,
    ]) {
      await assert.rejects(sql.raw(insert).execute(one), { code: '42501' }, insert);
    }
    for (const table of TABLES) assert.equal(await count(store.db, table), 2, table);
  });

  it('shows nothing to a connection without a tenant, also after others had one', async () => {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    const seen = async () => {
      const counts: number[] = [];
      for (const table of TABLES) {
        const { rows } = await client.query<{ n: string }>(`select count(*) n from ${table}`);
        counts.push(Number(rows[0].n));
      }
      return counts;
    };
    try {
      const nothing = TABLES.map(() => 0);
      assert.deepEqual(await seen(), nothing);
      await client.query(`begin; select set_config('forecasts.tenant', 'one', true)`);
      assert.deepEqual(await seen(), TABLES.map(() => 1)); // prettier-ignore
      await client.query('commit');
      assert.deepEqual(await seen(), nothing);
      for (const table of TABLES) {
        assert.equal((await client.query(`delete from ${table}`)).rowCount, 0, table);
      }
      for (const [table, insert] of rowsOf('bare', 'default')) {
        await assert.rejects(client.query(insert), { code: '42501' }, table);
      }
    } finally {
      await client.end();
    }
  });

  it('separates many tenants on few connections, with errors among them', async () => {
    const asked = Array.from({ length: 60 }, async (_, n) => {
      const tenant = n % 2 ? 'one' : 'two';
      const db = store.in(tenant);
      if (n % 5 === 0) {
        await assert.rejects(sql.raw(rowsOf(tenant, tenant)[1][1]).execute(db), { code: '23505' });
        await assert.rejects(sql`select no_such_column from keys where id = ${tenant}`.execute(db), { code: '42703' });
      }
      const work = (db: Db) => sql<{ id: string }>`select id from series where rows < ${n + 1}`.execute(db);
      const { rows } = await (n % 3 ? work(db) : snapshot(db, work));
      assert.deepEqual(rows, [{ id: `s${tenant}` }]);
    });
    await Promise.all(asked);
  });

  it('has no effect on a superuser, which is reported', async () => {
    const reported: string[] = [];
    const free = await open(asSuperuser(database), (sentence) => void reported.push(sentence));
    try {
      assert.equal(free.hasRowSecurity, false);
      assert.equal(reported.length, 1);
      assert.match(reported[0], /superuser or has BYPASSRLS/);
    } finally {
      await free.close();
    }
  });
});

/** What is not to be kept any longer goes in few statements, on each store. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { Datasets, removeUnused } from '../../../../src/service/store/datasets.ts';
import { removeOld } from '../../../../src/service/store/maintenance.ts';
import { type Db, transaction } from '../../../../src/service/database/store.ts';
import { onEachStore } from './stores.ts';
import { until } from '../../editor/until.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 31);
const ago = (days: number) => new Date(NOW - days * DAY).toISOString();

onEachStore('what is old', (counted, name) => {
  const all = async (table: 'predictions' | 'series'): Promise<string[]> =>
    (await counted().store.db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
  /** A prediction of a series, with its output where it is done. */
  const add = async (id: string, days: number, input: string, more: { status?: string; tenant?: string } = {}) => {
    const { db } = counted().store;
    const { status = 'COMPLETED', tenant = 'default' } = more;
    const output = status === 'COMPLETED' ? `out ${id}` : null;
    if (output !== null) await db.insertInto('series').values({ id: output, rows: 0, points: '[]', tenant }).execute();
    await sql`insert into predictions (id, ai_model_id, status, input_series_id, prediction_series_id, options, created_at,
        tenant)
      values (${id}, 'theta', ${status}, ${input}, ${output}, '{}', ${ago(days)}, ${tenant})`.execute(db);
  };
  const remove = (most: number) => {
    const { store, asked } = counted();
    asked.length = 0;
    return removeOld(store.db, NOW - 3 * DAY, most);
  };

  /** Ends a transaction once who does something else waits for it, or is done. @returns what the other one does */
  const whileWaiting = async <T>(
    first: (db: Db) => Promise<unknown>,
    other: () => Promise<T>,
    last?: (db: Db) => Promise<unknown>,
  ): Promise<T> => {
    let result: Promise<T> | undefined;
    await transaction(counted().store.db, async (db) => {
      await first(db);
      let isDone = false;
      result = other();
      result.catch(() => undefined).finally(() => (isDone = true)); // told below
      const waiting = sql<{ n: number }>`select count(*) n from pg_locks where not granted`;
      await until(async () => isDone || (await waiting.execute(db)).rows[0].n, Boolean);
      await last?.(db);
    });
    return result!;
  };

  beforeEach(async () => {
    const { db } = counted().store;
    for (const table of ['predictions', 'series', 'datasets'] as const) await db.deleteFrom(table).execute();
    await db.insertInto('datasets').values({ id: 'd', tags: '[]', created_at: '' }).execute();
    const inputs = ['alone', 'shared', 'other'].map((id) => ({ id, dataset_id: null }));
    for (const one of [...inputs, { id: 'of d', dataset_id: 'd' }]) {
      await db
        .insertInto('series')
        .values({ ...one, rows: 0, points: '[]' })
        .execute();
    }
  });

  it('is deleted in few statements, with series that nothing else uses', async () => {
    await add('first', 9, 'alone');
    await add('failed', 8, 'of d', { status: 'FAILED' });
    await add('of others', 8, 'other', { tenant: 'other' });
    await add('old', 7, 'shared');
    await add('new', 2, 'shared');
    await add('waits', 9, 'of d', { status: 'QUEUED' });
    await add('runs', 9, 'of d', { status: 'IN_PROGRESS' });
    assert.equal(await remove(100), 4);
    assert.equal(counted().asked.length, name === 'PostgreSQL' ? 4 : 2);
    assert.deepEqual(await all('predictions'), ['new', 'runs', 'waits']);
    assert.deepEqual(await all('series'), ['of d', 'out new', 'shared']);
    assert.equal(await remove(100), 0);
  });

  it('is deleted in parts, oldest first', async () => {
    for (const [days, id] of [[5, 'b'], [6, 'a'], [4, 'c']] as const) await add(id, days, 'of d'); // prettier-ignore
    assert.equal(await remove(2), 2);
    assert.deepEqual(await all('predictions'), ['c']);
    assert.equal(await remove(2), 1);
    assert.deepEqual(await all('series'), ['alone', 'of d', 'other', 'shared']);
  });

  if (name === 'PostgreSQL') {
    it('is left if a transaction locks it, while others go', async () => {
      await add('held', 9, 'alone');
      await add('free', 8, 'shared');
      const { store } = counted();
      await transaction(store.db, async (db) => {
        await sql`select 1 from predictions where id = 'held' for update`.execute(db);
        assert.equal(await remove(100), 1);
      });
      assert.deepEqual(await all('predictions'), ['held']);
      assert.equal(await remove(100), 1);
    });

    it('is deleted with a series whose other prediction is deleted at the same time', async () => {
      await add('theirs', 2, 'shared');
      await add('old', 9, 'shared');
      const removed = await whileWaiting(
        async (db) => {
          await sql`delete from predictions where id = 'theirs'`.execute(db);
          await removeUnused(db, ['shared', 'out theirs']);
        },
        () => remove(100),
      );
      assert.equal(removed, 1);
      assert.deepEqual(await all('series'), ['alone', 'of d', 'other']);
    });

    it('leaves a series that is forecast again at the same time', async () => {
      await add('old', 9, 'shared');
      await add('older', 9, 'alone');
      const removed = await whileWaiting(
        (db) =>
          sql`insert into predictions (id, ai_model_id, status, input_series_id, options, created_at)
            values ('again', 'theta', 'QUEUED', 'shared', '{}', ${ago(0)})`.execute(db),
        () => remove(100),
      );
      assert.equal(removed, 2);
      assert.deepEqual(await all('series'), ['of d', 'other', 'shared']);
    });

    it('leaves no series of a dataset that is deleted at the same time', async () => {
      await add('old', 9, 'of d');
      const { store } = counted();
      await whileWaiting(
        async (db) => {
          await sql`delete from predictions where id = 'old'`.execute(db);
          await removeUnused(db, ['of d', 'out old']);
        },
        () => new Datasets(store).remove('d'),
      );
      assert.deepEqual(await all('series'), ['alone', 'other', 'shared']);
    });

    it('causes no deadlock with the deletion of a dataset', async () => {
      await add('old', 9, 'of d');
      const { store } = counted();
      await sql`update predictions set dataset_id = 'd'`.execute(store.db);
      await whileWaiting(
        (db) => sql`delete from predictions where id = 'old'`.execute(db),
        () => new Datasets(store).remove('d'),
        (db) => removeUnused(db, ['of d', 'out old']),
      );
      assert.deepEqual(await all('series'), ['alone', 'other', 'shared']);
    });
  }
});

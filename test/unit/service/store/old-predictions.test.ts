/** What is not to be kept any longer goes in few statements, on each home. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { Datasets } from '../../../../src/service/store/datasets.ts';
import { removeOld } from '../../../../src/service/store/old-predictions.ts';
import { transaction } from '../../../../src/service/store/tables.ts';
import { onEachStore } from './both-homes.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 31);
const ago = (days: number) => new Date(NOW - days * DAY).toISOString();

onEachStore('what is old', (counted, name) => {
  const all = async (table: 'predictions' | 'series'): Promise<string[]> =>
    (await counted().home.db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
  /** A prediction of a series, with its output where it is done. */
  const add = async (id: string, days: number, input: string, more: { status?: string; space?: string } = {}) => {
    const { db } = counted().home;
    const { status = 'COMPLETED', space = 'default' } = more;
    const output = status === 'COMPLETED' ? `out ${id}` : null;
    if (output !== null) await db.insertInto('series').values({ id: output, rows: 0, points: '[]', space }).execute();
    await sql`insert into predictions (id, ai_model_id, status, input_series_id, prediction_series_id, options, created_at,
        space)
      values (${id}, 'theta', ${status}, ${input}, ${output}, '{}', ${ago(days)}, ${space})`.execute(db);
  };
  const remove = (most: number) => {
    const { home, asked } = counted();
    asked.length = 0;
    return removeOld(home.db, new Datasets(home), NOW - 3 * DAY, most);
  };

  beforeEach(async () => {
    const { db } = counted().home;
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

  it('goes in two statements, with its series that belong to nothing else', async () => {
    await add('first', 9, 'alone');
    await add('failed', 8, 'of d', { status: 'FAILED' });
    await add('of others', 8, 'other', { space: 'other' });
    await add('old', 7, 'shared');
    await add('new', 2, 'shared');
    await add('waits', 9, 'of d', { status: 'QUEUED' });
    await add('runs', 9, 'of d', { status: 'IN_PROGRESS' });
    assert.equal(await remove(100), 4);
    assert.equal(counted().asked.length, 2);
    assert.deepEqual(await all('predictions'), ['new', 'runs', 'waits']);
    assert.deepEqual(await all('series'), ['of d', 'out new', 'shared']);
    assert.equal(await remove(100), 0);
  });

  it('goes a part at a time, the oldest first', async () => {
    for (const [days, id] of [[5, 'b'], [6, 'a'], [4, 'c']] as const) await add(id, days, 'of d'); // prettier-ignore
    assert.equal(await remove(2), 2);
    assert.deepEqual(await all('predictions'), ['c']);
    assert.equal(await remove(2), 1);
    assert.deepEqual(await all('series'), ['alone', 'of d', 'other', 'shared']);
  });

  if (name === 'PostgreSQL') {
    it('is left to who has hold of it, and the others go meanwhile', async () => {
      await add('held', 9, 'alone');
      await add('free', 8, 'shared');
      const { home } = counted();
      await transaction(home.db, async (db) => {
        await sql`select 1 from predictions where id = 'held' for update`.execute(db);
        assert.equal(await remove(100), 1);
      });
      assert.deepEqual(await all('predictions'), ['held']);
      assert.equal(await remove(100), 1);
    });
  }
});

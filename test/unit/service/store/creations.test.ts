/** What is known by the key that it was made under, on each store. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { failure } from '../../../../src/contract/failures.ts';
import { BusyError } from '../../../../src/service/errors.ts';
import { createOnce, forgetMade, type Once } from '../../../../src/service/store/creations.ts';
import { DEFAULT_TENANT } from '../../../../src/service/database/store.ts';
import { onEachStore } from './stores.ts';

onEachStore('what was made under a key', (counted) => {
  it('is forgotten with its prediction, also if that got its time in the next second', async () => {
    const { db } = counted().store;
    await db.insertInto('series').values({ id: 's', dataset_id: null, rows: 0, points: '[]' }).execute();
    const prediction = { ai_model_id: 'theta', status: 'FAILED', input_series_id: 's', options: '{}' };
    const times = ['00Z', '00.001Z', '59.999Z'];
    for (const [at, time] of times.entries()) {
      const second = `2026-01-01T00:00:${time}`;
      await db
        .insertInto('predictions')
        .values({ ...prediction, id: `p${at}`, created_at: second })
        .execute();
      const off = (milliseconds: number) => new Date(Date.parse(second) + milliseconds).toISOString();
      for (const [name, created_at] of [
        ['at once', second],
        ['a moment later', off(2)],
        ['sooner', off(-2)],
      ]) {
        await db
          .insertInto('creations')
          .values({ tenant: 'default', key: `${name} ${time}`, hash: '', made: `p${at}`, created_at })
          .execute();
      }
    }
    await forgetMade(db, 'p1');
    const left = async () =>
      (await db.selectFrom('creations').select('key').orderBy('key').execute()).map(({ key }) => key);
    const others = (name: string) => [`${name} 00Z`, `${name} 59.999Z`];
    assert.deepEqual(await left(), ['a moment later', 'at once', 'sooner'].flatMap(others));
    for (const at of times.keys()) await forgetMade(db, `p${at}`);
    assert.deepEqual(await left(), []);
  });

  it('is found if another request under the same key was faster and used up the limit', async () => {
    const { store } = counted();
    const once: Once = {
      db: store.db,
      tenant: DEFAULT_TENANT,
      key: 'last',
      hash: createHash('sha256').update('asked'),
    };
    const refused = () => Promise.reject(new BusyError(failure('busy')));
    await assert.rejects(createOnce(once, refused), BusyError);
    const made = await createOnce(once, async () => {
      await createOnce(once, async (note) => {
        await note?.(store.db, 'theirs');
        return { id: 'theirs' };
      });
      return refused();
    });
    assert.deepEqual(made, { id: 'theirs' });
  });

  it('is created by the second request if the first one’s is deleted before it is found', async () => {
    const { store } = counted();
    const once: Once = {
      db: store.db,
      tenant: DEFAULT_TENANT,
      key: 'same',
      hash: createHash('sha256').update('asked'),
    };
    const faster = {
      tenant: once.tenant,
      key: once.key,
      hash: 'x',
      made: 'theirs',
      created_at: '2020-01-01T00:00:00Z',
    };
    let rounds = 0;
    const make = () =>
      createOnce(once, async (note) => {
        if (++rounds > 1) {
          await note?.(store.db, 'mine');
          return { id: 'mine' };
        }
        await store.db.insertInto('creations').values(faster).execute();
        try {
          await note?.(store.db, 'mine');
          return assert.fail('two are made');
        } finally {
          await store.db.deleteFrom('creations').execute();
        }
      });
    assert.deepEqual(await make(), { id: 'mine', made: { id: 'mine' } });
    assert.deepEqual(await make(), { id: 'mine' });
    assert.equal(rounds, 2);
  });
});

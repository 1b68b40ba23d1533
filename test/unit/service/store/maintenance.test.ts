import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { openDatabase, sqliteStore } from '../../../../src/service/database/sqlite.ts';
import type { Store } from '../../../../src/service/database/store.ts';
import { Maintenance } from '../../../../src/service/store/maintenance.ts';
import { settled } from '../turns.ts';

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

describe('maintenance', () => {
  let store: Store;
  let maintenance: Maintenance;
  let reports: unknown[];
  /** What the end of each turn waits for. */
  let blocked: Promise<unknown>;
  let turns: number;

  const open = async (keepDays?: number) => {
    const tidy = async (isLast: boolean) => {
      turns++;
      await blocked;
      return store.tidy(isLast);
    };
    maintenance = new Maintenance({
      store: { ...store, tidy },
      keepDays,
      report: (error) => reports.push(error),
    });
  };
  const left = async () => (await maintenance.storage({ tenant: 'default', scope: 'admin' })).predictions;
  const add = async (days: number, count = 1, status = 'COMPLETED') => {
    for (let n = 0; n < count; n++) {
      const id = crypto.randomUUID();
      await store.db.insertInto('series').values({ id: `s${id}`, dataset_id: null, name: null, rows: 0, start_timestamp: null, end_timestamp: null, freq: null, points: '[]' }).execute(); // prettier-ignore
      await store.db.insertInto('predictions').values({ id, ai_model_id: 'theta', status, name: null, input_series_id: `s${id}`, prediction_series_id: null, options: '{}', progress: null, error: null, details: null, created_at: ago(days) }).execute(); // prettier-ignore
    }
  };

  beforeEach(async () => {
    store = sqliteStore(await openDatabase(':memory:'));
    mock.timers.enable({ apis: ['setTimeout'] });
    [reports, blocked, turns] = [[], Promise.resolve(), 0];
  });
  afterEach(async () => {
    await maintenance.close();
    mock.timers.reset();
    await store.close();
    assert.deepEqual(reports, []);
  });

  it('deletes batches without predictions', async () => {
    const batch = (id: string) =>
      store.db.insertInto('batches').values({ id, dataset_id: 'd', series: 1, created_at: '' }).execute();
    await batch('gone');
    await batch('there');
    await add(0);
    await store.db.updateTable('predictions').set({ batch_id: 'there' }).execute();
    await open();
    mock.timers.tick(50);
    await settled();
    const left = await store.db.selectFrom('batches').select('id').execute();
    assert.deepEqual(left.map(({ id }) => id), ['there']); // prettier-ignore
  });

  it('deletes old finished predictions with their series, and keeps waiting and new ones', async () => {
    await add(9);
    await add(9, 1, 'QUEUED');
    await add(9, 1, 'FAILED');
    await add(2);
    await open(3);
    mock.timers.tick(50);
    await settled();
    assert.equal(await left(), 2);
    assert.equal((await store.db.selectFrom('series').select('id').execute()).length, 2);
  });

  it('deletes nothing by default', async () => {
    await add(4000);
    await open();
    mock.timers.tick(50);
    await settled();
    assert.deepEqual([turns, await left()], [1, 1]);
    assert.equal((await maintenance.storage({ tenant: 'default', scope: 'admin' })).keep_days, undefined);
  });

  it('works in steps, and continues at once while there is more', async () => {
    await add(9, 120);
    await open(3);
    mock.timers.tick(50);
    await settled();
    assert.equal(await left(), 20);
    mock.timers.tick(50);
    await settled();
    assert.equal(await left(), 0);
    mock.timers.tick(50);
    await settled();
    assert.equal(turns, 2, 'then there is nothing to look for soon');
  });

  it('applies a new retention time at once, also while it runs', async () => {
    await add(9);
    await open();
    const go = Promise.withResolvers<undefined>();
    blocked = go.promise;
    mock.timers.tick(50);
    await settled();
    assert.equal(turns, 1);
    maintenance.keepFor(3);
    mock.timers.tick(50);
    await settled();
    assert.equal(turns, 1, 'one after the other');
    go.resolve(undefined);
    await settled();
    mock.timers.tick(50);
    await settled();
    assert.equal(await left(), 0);
    assert.equal((await maintenance.storage({ tenant: 'default', scope: 'admin' })).keep_days, 3);
    await add(2);
    maintenance.keepFor(1);
    mock.timers.tick(50);
    await settled();
    assert.equal(await left(), 0);
  });

  it('finishes its step on close, and begins none after', async () => {
    await open();
    const go = Promise.withResolvers<undefined>();
    blocked = go.promise;
    mock.timers.tick(50);
    await settled();
    let isClosed = false;
    const closed = maintenance.close().then(() => (isClosed = true));
    await settled();
    assert.equal(isClosed, false);
    go.resolve(undefined);
    await closed;
    maintenance.keepFor(1);
    mock.timers.tick(600_000);
    await settled();
    assert.equal(turns, 1);
  });

  it('continues after a defect, which is reported, and after a full disk, which is not', async () => {
    await open();
    blocked = Promise.reject(new Error('a defect'));
    mock.timers.tick(50);
    await settled();
    assert.equal(reports.splice(0).length, 1);
    blocked = Promise.reject(Object.assign(new Error('full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }));
    mock.timers.tick(600_000);
    await settled();
    blocked = Promise.resolve();
    mock.timers.tick(600_000);
    await settled();
    assert.equal(turns, 3);
  });
});

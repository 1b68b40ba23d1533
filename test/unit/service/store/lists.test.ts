import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LocalDataset, Page } from '../../../../src/contract/resources.ts';
import { openDatabase } from '../../../../src/service/database/sqlite.ts';
import { LocalService, monthly } from '../local-service.ts';

describe('lists of the store', () => {
  const local = new LocalService();

  it('do not read points, since counts and spans are columns', async () => {
    const { call } = local;
    const { body: made } = await call<LocalDataset>('POST', '/datasets', {
      name: 'big',
      series: [{ series: monthly }, { series: monthly.slice(6) }],
    });
    await new Promise(setImmediate);
    const database = new DatabaseSync(join(local.folder, 'forecasts.db'));
    assert.equal(database.prepare(`update series set points = 'nobody is to read this'`).run().changes, 2);
    database.close();
    const { status, body } = await call<Page<LocalDataset>>('GET', '/datasets');
    assert.equal(status, 200);
    const [listed] = body.items;
    assert.deepEqual(listed, made);
    assert.equal(listed.series_count, 2);
    assert.equal(listed.stats?.rows, 2 * monthly.length - 6);
    const { items } = (await call<Page<{ id: string }>>('GET', `/datasets/${made.id}/series`)).body;
    assert.equal(items.length, 2);
  });

  it('are counted by an index alone', async () => {
    const database = await openDatabase(':memory:');
    for (const [table, filter] of [
      ['series', `dataset_id = 'd'`],
      ['predictions', `dataset_id = 'd'`],
      ['predictions', `status = 'FAILED'`],
      ['predictions', `dataset_id = 'd' and status = 'FAILED'`],
    ]) {
      const counted = `select count(*) from ${table} where tenant = 'default' and ${filter}`;
      const [plan] = database.prepare(`explain query plan ${counted}`).all();
      assert.match(String(plan.detail), /COVERING INDEX/, counted);
    }
    database.close();
  });
});

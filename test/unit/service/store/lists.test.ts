import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LocalDataset } from '../../../../src/contract/local.ts';
import type { Page } from '../../../../src/contract/resources.ts';
import { MIGRATIONS } from '../../../../src/service/database/migrations.ts';
import { LocalService, monthly } from '../local-service.ts';

describe('lists of the store', () => {
  const local = new LocalService();

  it('are read without the points of a series, whose counts and span stand in columns', async () => {
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

  it('know of predictions of before which dataset their series are of', () => {
    const place = MIGRATIONS.findIndex((step) => step.includes('alter table predictions add column dataset_id'));
    const database = new DatabaseSync(':memory:');
    for (const step of MIGRATIONS.slice(0, place)) database.exec(step);
    database.exec(`insert into datasets (id, tags, created_at) values ('d', '[]', '');
      insert into series (id, dataset_id, rows, points) values ('in', 'd', 0, '[]'), ('alone', null, 0, '[]');
      insert into predictions (id, ai_model_id, status, input_series_id, options, created_at)
        values ('of', 'theta', 'QUEUED', 'in', '{}', ''), ('other', 'theta', 'QUEUED', 'alone', '{}', '')`);
    for (const step of MIGRATIONS.slice(place)) database.exec(step);
    const rows = database.prepare('select id, dataset_id from predictions order by seq').all();
    assert.deepEqual(
      rows.map((row) => Object.values(row)),
      [
        ['of', 'd'],
        ['other', null],
      ],
    );
    database.close();
  });
});

import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import type { LocalDataset, LocalPrediction, Page } from '../../../../src/contract/resources.ts';
import { readBody } from '../../../../src/service/tasks/bodies.ts';
import { openDatabase, sqliteStore } from '../../../../src/service/database/sqlite.ts';
import { Datasets } from '../../../../src/service/store/datasets.ts';
import { LocalService, monthly } from '../local-service.ts';

const several = [
  { name: 'north', series: monthly },
  { name: 'south', series: monthly.slice(6) },
];

describe('internal dataset of a job', () => {
  const { call } = new LocalService();
  const store = async (body: object) => (await call<LocalDataset>('POST', '/datasets', body)).body;
  const listed = async (query = '') => (await call<Page<LocalDataset>>('GET', `/datasets${query}`)).body;

  it('is listed only on request', async () => {
    const own = await store({ name: 'retail', series: several.slice(1) });
    const job = await store({ name: 'retail.csv', for_job: true, series: several });
    assert.deepEqual([own.for_job ?? false, job.for_job], [false, true]);
    const plain = await listed();
    assert.deepEqual([plain.total, plain.items.map(({ id }) => id)], [1, [own.id]]);
    const all = await listed('?for_jobs=true');
    assert.deepEqual([all.total, all.items.map(({ id }) => id)], [2, [job.id, own.id]]);
    assert.equal((await call('GET', `/datasets/${job.id}`)).status, 200);
    assert.equal((await call('GET', '/datasets?for_jobs=perhaps')).status, 422);
  });

  it('is stored once for the same series, and again for others', async () => {
    const first = await store({ name: 'a.csv', for_job: true, series: several });
    const again = await store({ name: 'b.csv', for_job: true, series: several });
    assert.equal(again.id, first.id);
    const renamed = several.map(({ name, series }) => ({ name: `${name}!`, series }));
    const changed = several.map(({ name, series }) => ({ name, series: series.slice(1) }));
    const parts = [{ name: 'north', series: monthly }];
    for (const series of [renamed, changed, parts, several.toReversed()]) {
      assert.notEqual((await store({ for_job: true, series })).id, first.id);
    }
    assert.equal((await listed('?for_jobs=true')).total, 5);
  });

  it('becomes a dataset if a person stores the same, and jobs use a person’s dataset', async () => {
    const job = await store({ for_job: true, series: several });
    const own = await store({ name: 'shops', tags: ['retail'], series: several });
    assert.deepEqual([own.id, own.for_job ?? false, own.name, own.tags], [job.id, false, 'shops', ['retail']]);
    assert.equal((await store({ for_job: true, series: several })).id, own.id);
    const second = await store({ name: 'shops again', series: several });
    assert.notEqual(second.id, own.id, 'who stores the same twice gets it twice');
    assert.equal((await listed()).total, 2);
  });

  it('serves forecasts with other options', async () => {
    const data = await store({ for_job: true, series: several });
    const queue = (body: object) =>
      call<{ prediction_ids: string[] }>('POST', `/datasets/${data.id}/predictions`, body);
    const ids = [await queue({ ai_model_id: 'theta' }), await queue({ ai_model_id: 'ets' })].flatMap(
      ({ body }) => body.prediction_ids,
    );
    const found = await call<Page<LocalPrediction>>('GET', `/predictions?dataset_id=${data.id}`);
    assert.deepEqual(found.body.items.map(({ id }) => id).toSorted(), ids.toSorted());
  });
});

describe('internal dataset of deleted jobs', () => {
  let database: DatabaseSync;
  let datasets: Datasets;
  const store = (body: object) =>
    datasets.create(readBody('createDataset', [new TextEncoder().encode(JSON.stringify(body))]));
  const age = (id: string) =>
    database.prepare("update datasets set created_at = '2020-01-01T00:00:00.000Z' where id = ?").run(id);
  const removeAll = async () => {
    let count = 0;
    while (await datasets.removeUnneeded(new Date(Date.now() - 3_600_000).toISOString())) count++;
    return count;
  };

  beforeEach(async () => {
    database = await openDatabase(':memory:');
    datasets = new Datasets(sqliteStore(database));
  });
  afterEach(() => {
    database.close();
  });

  it('is deleted unless a prediction or model needs it or is about to', async () => {
    const make = (name: string, tags: string[] = []) => ({ for_job: true, tags, series: [{ name, series: monthly }] });
    const [predicted, trained, tagged, fresh, gone, again] = await Promise.all(
      [make('predicted'), make('trained'), make('tagged', ['t']), make('fresh'), make('gone'), make('again')].map(
        store,
      ),
    );
    const own = await store({ series: [{ name: 'own', series: monthly }] });
    for (const { id } of [predicted, trained, tagged, gone, again, own]) age(id);
    const [series] = (await datasets.series.list({ size: 1 }, { dataset_id: predicted.id })).items;
    database.exec(`insert into predictions (id, ai_model_id, status, input_series_id, options, created_at)
      values ('p', 'theta', 'COMPLETED', '${series.id}', '{}', '2020-01-01T00:00:00Z')`);
    const input = JSON.stringify({ dataset_ids: [trained.id] });
    const insert = database.prepare(`insert into fine_tuned_models
      (id, status, base_model, config, input_config, created_at, updated_at) values (?, 'COMPLETED', 'theta', '{}', ?, '', '')`);
    insert.run('m', input);
    insert.run('damaged', '{');
    await store(make('again'));
    assert.equal(await removeAll(), 1);
    assert.equal(await datasets.has(gone.id), false);
    for (const { id } of [predicted, trained, tagged, fresh, again, own]) assert.equal(await datasets.has(id), true);
    database.exec("delete from predictions; delete from fine_tuned_models where id = 'm'");
    assert.equal(await removeAll(), 2, 'once they are gone');
  });
});

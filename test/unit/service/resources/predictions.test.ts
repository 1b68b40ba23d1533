/** Predictions whose series go while they are stored, on both homes. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { sql } from 'kysely';
import { RequestError } from '../../../../src/service/errors.ts';
import type { Queue } from '../../../../src/service/jobs/queue.ts';
import { Datasets } from '../../../../src/service/store/datasets.ts';
import { transaction } from '../../../../src/service/database/store.ts';
import { prepareSeries } from '../prepare-series.ts';
import { Predictions } from '../../../../src/service/resources/predictions.ts';
import { monthly } from '../local-service.ts';
import { onEachStore } from '../store/stores.ts';
import { until } from '../../editor/until.ts';

onEachStore('predictions', (counted, name) => {
  it('of a series that is deleted meanwhile are refused as not found', async () => {
    const { store } = counted();
    const datasets = new Datasets(store);
    const predictions = new Predictions(store);
    const series_id = await datasets.series.add(store.db, prepareSeries(monthly));
    const queue = { add: () => assert.fail('it is not stored') } as unknown as Queue;
    const request = { series_id, ai_model_id: 'theta' };
    const deleted = predictions.create(request, queue, {
      note: async (db) => {
        await db.deleteFrom('series').where('id', '=', series_id).execute();
      },
      count: () => assert.fail('it is not stored'),
    });
    await assert.rejects(deleted, (error) => error instanceof RequestError && error.status === 404);
    assert.equal(await datasets.series.has(series_id), true, 'it is undone as one');
  });

  it('report another missing row as a defect, not as a missing series', async () => {
    const { store } = counted();
    const datasets = new Datasets(store);
    const predictions = new Predictions(store);
    const series = prepareSeries(monthly);
    const known = await datasets.series.add(store.db, series);
    const { id } = await datasets.create({ series: [{ name: 'one', series }] });
    const defect = Object.assign(new Error('of the queue'), { code: '23503' });
    const fails = () => Promise.reject(defect);
    const queue = { checkRoom: () => Promise.resolve(), add: fails } as unknown as Queue;
    for (const request of [{ series }, { series_id: known }]) {
      await assert.rejects(predictions.create({ ...request, ai_model_id: 'theta' }, queue), defect);
    }
    await assert.rejects(predictions.createOfDataset(id, { ai_model_id: 'theta' }, queue), defect);
  });

  it('delete their forecasts with them', async () => {
    const { store } = counted();
    const datasets = new Datasets(store);
    const predictions = new Predictions(store);
    const series = prepareSeries(monthly);
    const queue = { add: () => Promise.resolve(), changed: () => undefined } as unknown as Queue;
    const seriesNow = async () => (await store.db.selectFrom('series').select('id').execute()).length;
    const before = await seriesNow();
    const { id } = await predictions.create({ series, ai_model_id: 'theta' }, queue);
    const prediction_series_id = await datasets.series.add(store.db, series);
    await store.db.updateTable('predictions').set({ status: 'COMPLETED', prediction_series_id }).execute();
    await predictions.remove(id, queue);
    assert.equal(await seriesNow(), before);
  });

  it('of a batch are listed and cancelled separately', async () => {
    const { store } = counted();
    const datasets = new Datasets(store);
    const predictions = new Predictions(store);
    const series = ['one', 'two'].map((each) => ({ name: each, series: prepareSeries(monthly) }));
    const { id: datasetId } = await datasets.create({ series });
    let changes = 0;
    const nothing = () => Promise.resolve();
    const queue = { checkRoom: nothing, add: nothing, changed: () => changes++ } as unknown as Queue;
    const clock = mock.method(Date, 'now', () => Date.UTC(2026, 4, 1)); // both in one millisecond
    const run = () => predictions.createOfDataset(datasetId, { ai_model_id: 'theta' }, queue);
    const [first, second] = await Promise.all([run(), run()]).finally(() => {
      clock.mock.restore();
    });
    assert.deepEqual(await predictions.batches.predictions(first.id), first.ids);
    const listed = async (batchId?: string) => {
      const shown = { include_series: false, include_input: false, include_sparkline: false };
      const { items } = await predictions.listed({ size: 9, ...shown, dataset_id: datasetId, batch_id: batchId });
      return items.map(({ id }) => id).toSorted();
    };
    assert.deepEqual(await listed(first.id), first.ids.toSorted());
    await predictions.removePending(datasetId, queue, first.id);
    assert.deepEqual(await listed(), second.ids.toSorted());
    assert.equal(changes, 1);
    await predictions.removePending(datasetId, queue);
    assert.deepEqual(await listed(), []);
  });

  if (name === 'SQLite') return; // one writes after the other there

  it('of a dataset that is deleted meanwhile keep their series', async () => {
    const { store } = counted();
    const datasets = new Datasets(store);
    const predictions = new Predictions(store);
    const { id } = await datasets.create({ series: [{ name: 'one', series: prepareSeries(monthly) }] });
    const queue = { add: () => datasets.remove(id) } as unknown as Queue;
    const { ids } = await predictions.createOfDataset(id, { ai_model_id: 'theta' }, queue);
    assert.equal(await datasets.has(id), false);
    assert.equal((await predictions.get(ids[0])).name, 'one');
  });

  it('that are cancelled while their dataset is deleted leave no series behind', async () => {
    const { store } = counted();
    const datasets = new Datasets(store);
    const predictions = new Predictions(store);
    const { id } = await datasets.create({ series: [{ name: 'one', series: prepareSeries(monthly) }] });
    const nothing = () => Promise.resolve();
    const queue = { checkRoom: nothing, add: nothing, changed: nothing } as unknown as Queue;
    await predictions.createOfDataset(id, { ai_model_id: 'theta' }, queue);
    const seriesNow = async () => (await store.db.selectFrom('series').select('id').execute()).length;
    const before = await seriesNow();
    const waiting = async (count: number) => {
      const locks = sql<{ n: number }>`select count(*) n from pg_locks where not granted`;
      await until(async () => (await locks.execute(store.db)).rows[0].n, (n) => n >= count); // prettier-ignore
    };
    const both: Promise<void>[] = [];
    await transaction(store.db, async (db) => {
      await sql`select 1 from predictions for update`.execute(db);
      both.push(predictions.removePending(id, queue));
      await waiting(1);
      both.push(datasets.remove(id));
      await waiting(2);
    });
    await Promise.all(both);
    assert.equal(await seriesNow(), before - 1);
  });
});

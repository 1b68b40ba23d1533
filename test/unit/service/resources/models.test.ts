import assert from 'node:assert/strict';
import { openDatabase, sqliteStore } from '../../../../src/service/database/sqlite.ts';
import type { Queue } from '../../../../src/service/jobs/queue.ts';
import { Models, trainingJobs } from '../../../../src/service/resources/models.ts';
import { Datasets } from '../../../../src/service/store/datasets.ts';
import type { Threads } from '../../../../src/service/tasks/pool.ts';
import { StillApp } from '../http/still-app.ts';
import { prepareSeries } from '../prepare-series.ts';

const series = Array.from({ length: 24 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2022, month, 1)).toISOString(),
  value: 10 + month,
}));

interface Model {
  readonly id: string;
  readonly status: string;
  readonly detail: unknown;
}

describe('stored models', () => {
  const app = new StillApp();
  const { call } = app;
  const make = (body: object = {}) => call<Model>('POST', '/fine_tuned_models', { input_config: { series }, ...body });
  const become = (id: string, status: string) =>
    app.database.prepare('update fine_tuned_models set status = ? where id = ?').run(status, id);
  const stops = () => app.count('fine_tuned_models where stopping = 1');

  it('leave nothing behind when deleted', async () => {
    const { body } = await make();
    become(body.id, 'IN_PROGRESS');
    for (let time = 0; time < 2; time++) await call('POST', `/fine_tuned_models/${body.id}/stop`);
    assert.equal(stops(), 1);
    assert.equal((await call('DELETE', `/fine_tuned_models/${body.id}`)).status, 204);
    assert.deepEqual([stops(), app.count('fine_tuned_models')], [0, 0]);
    assert.equal((await call('DELETE', `/fine_tuned_models/${body.id}`)).status, 404);
    assert.equal((await call('POST', `/fine_tuned_models/${body.id}/stop`)).status, 404);
  });

  it('are trained on data of their tenant, although another has the same tag', async () => {
    const database = await openDatabase(':memory:');
    const store = sqliteStore(database);
    const models = new Models(store);
    const queue = { add: () => Promise.resolve() } as unknown as Queue;
    const one = (name: string) => ({ name, tags: ['sales'], series: [{ name, series: prepareSeries(series) }] });
    for (const tenant of ['ours', 'theirs']) await new Datasets(store, tenant).create(one(tenant));
    const request = { base_model: 'theta', input_config: { dataset_tags: ['sales'] } };
    const { id } = await models.in('ours').create(request, queue);
    let trained: number | undefined;
    const gone = new Error('Nothing is trained here.');
    const run = (task: { readonly dataset: readonly string[] }) => {
      trained = task.dataset.length;
      return Promise.reject(gone);
    };
    const events = { tenant: 'ours', onStart: () => undefined, onProgress: () => undefined };
    const { signal } = new AbortController();
    const training = trainingJobs(models, { run } as unknown as Threads).run([id], signal, events);
    await assert.rejects(training, gone);
    assert.equal(trained, 1);
    await store.close();
  });

  it('that have ended cannot be stopped', async () => {
    const { body } = await make();
    for (const status of ['COMPLETED', 'FAILED']) {
      become(body.id, status);
      const answer = await call<Model>('POST', `/fine_tuned_models/${body.id}/stop`);
      assert.equal(answer.body.status, status);
    }
    assert.equal(stops(), 0);
  });

  it('forecast only once trained, and otherwise say why not', async () => {
    const { body } = await make({ name: 'mine' });
    const predict = () =>
      call<{ errors: { detail: string }[] }>('POST', '/predictions', { series, ai_model_id: body.id });
    for (const [status, sentence] of [
      ['QUEUED', /“mine” is still being trained/],
      ['FAILED', /“mine” could not be trained/],
    ] as const) {
      become(body.id, status);
      const refused = await predict();
      assert.equal(refused.status, 409);
      assert.match(refused.body.errors[0].detail, sentence);
    }
    assert.equal(app.count('predictions'), 0);
  });
});

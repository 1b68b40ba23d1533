/** One suite on both homes of the store: a file of SQLite with the embedded queue, PostgreSQL with workers. */
import { said } from './said.ts';
import assert from 'node:assert/strict';
import type { AnswerOf } from '../../../src/contract/operations.ts';
import type {
  LocalKey,
  LocalDataset,
  LocalFineTunedModel,
  LocalPrediction,
  Page,
  StoredSeries,
} from '../../../src/contract/resources.ts';
import { callOf, onEachHome, token } from './homes.ts';
import { monthly } from './local-service.ts';
import { until } from '../editor/until.ts';

onEachHome((running) => {
  const call = callOf(running);
  const ended = <T extends { status?: string }>(path: string): Promise<T> => {
    const read = async () => (await call<T>('GET', path)).body;
    return until(read, ({ status }) => status === 'COMPLETED' || status === 'FAILED', 50_000);
  };
  const several = Array.from({ length: 7 }, (_, i) => ({
    name: `s${i}`,
    series: monthly.slice(i).map((point) => ({ ...point, value: point.value + i })),
  }));
  const store = async (more: object = {}) =>
    (await call<LocalDataset>('POST', '/datasets', { name: 'd', series: several, ...more })).body;

  it('forecasts a series and returns it unchanged', async () => {
    const request = {
      series: monthly,
      ai_model_id: 'theta',
      prediction_length: 3,
      name: 'Größe',
      requested_by: 'test',
    };
    const { status, body } = await call<LocalPrediction>('POST', '/predictions', request);
    assert.equal(status, 201);
    assert.deepEqual([body.status, body.error, body.name, body.requested_by], ['COMPLETED', null, 'Größe', 'test']);
    assert.deepEqual(body.input_series, monthly);
    assert.equal(body.prediction_series?.length, 3);
    assert.equal(body.prediction_length, 3);
    const read = await call<LocalPrediction>('GET', `/predictions/${body.id}`);
    assert.deepEqual(read.body, body);
    const again = await call<LocalPrediction>('POST', '/predictions', {
      series_id: body.input_series_id,
      ai_model_id: 'theta',
      prediction_length: 3,
    });
    assert.deepEqual(again.body.prediction_series, body.prediction_series);
    assert.equal((await call('GET', `/predictions/${body.id}/backtest`)).status, 200);
    assert.equal((await call('GET', `/predictions/${body.id}/decomposition`)).status, 200);
    for (const { id } of [body, again.body]) assert.equal((await call('DELETE', `/predictions/${id}`)).status, 204);
    assert.equal((await call('GET', `/predictions/${body.id}`)).status, 404);
    assert.equal((await call('GET', `/series/${body.input_series_id}`)).status, 404, 'nothing needs it any more');
  });

  it('fails an impossible prediction with a reason', async () => {
    const series = monthly.map((point) => ({ ...point, value: null }));
    const { status, body } = await call<LocalPrediction>('POST', '/predictions', { series });
    assert.deepEqual([status, body.status], [201, 'FAILED']);
    assert.match(said(body.error), /no observed value/);
    await call('DELETE', `/predictions/${body.id}`);
  });

  it('lists batches with their progress, and repeats one by its id for the present dataset', async () => {
    const data = await store();
    const totals = [{ total: 's0', parts: ['s1'] }];
    const run = async (path: string, body?: object) => {
      const made = await call<AnswerOf<'predictDataset'>>('POST', path, body);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      for (const id of made.body.prediction_ids) await ended<LocalPrediction>(`/predictions/${id}`);
      return made.body;
    };
    const asked = { ai_model_id: 'seasonal-naive', prediction_length: 2 };
    const first = await run(`/datasets/${data.id}/predictions`, asked);
    const more = JSON.stringify({ name: 's7', series: monthly });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
    const added = new Request(`http://local/datasets/${data.id}/series`, { method: 'POST', headers, body: more });
    assert.equal((await running().service.fetch(added)).status, 201);
    const second = await run(`/batches/${first.batch_id}/predictions`);
    assert.deepEqual([first, second].map(({ prediction_ids }) => prediction_ids.length), [7, 8]); // prettier-ignore
    assert.notEqual(second.batch_id, first.batch_id);
    const [id] = second.prediction_ids;
    const one = (await call<LocalPrediction>('GET', `/predictions/${id}`)).body;
    assert.deepEqual([one.ai_model_id, one.prediction_length, one.batch_id], ['seasonal-naive', 2, second.batch_id]);
    await call('DELETE', `/predictions/${id}`);
    const { items, total } = (await call<Page<AnswerOf<'getBatch'>>>('GET', `/batches?dataset_id=${data.id}&size=1`))
      .body;
    const { created_at, ...batch } = items[0];
    assert.ok(created_at >= (data.created_at ?? '?'));
    const counts = { series: 8, pending: 0, completed: 7, failed: 0 };
    const reported = { id: second.batch_id, dataset_id: data.id, ai_model_id: 'seasonal-naive', ...counts };
    assert.deepEqual([total, batch], [2, reported]);
    assert.deepEqual((await call('GET', `/batches/${String(second.batch_id)}`)).body, items[0]);
    const summed = await run(`/datasets/${data.id}/predictions`, { ...asked, sums: totals });
    const again = await run(`/batches/${summed.batch_id}/predictions`);
    const { body: whole } = await call<Page<LocalPrediction>>('GET', `/predictions?batch_id=${again.batch_id}`);
    const levels = whole.items.map(({ name, details }) => [name, details?.totals?.level]);
    assert.ok(levels.some(([name, level]) => name === 's0' && level === 0), 'it adds up again'); // prettier-ignore
    const { body: key } = await call<LocalKey>('POST', '/keys', { scope: 'read' });
    assert.equal((await call('GET', `/batches/${first.batch_id}`, undefined, key.secret)).status, 200);
    assert.equal((await call('POST', `/batches/${first.batch_id}/predictions`, undefined, key.secret)).status, 403);
    await call('DELETE', `/keys/${key.id}`);
    await call('DELETE', `/datasets/${data.id}`);
    for (const path of ['/batches/none', `/batches/none/predictions`]) {
      assert.equal((await call(path.endsWith('none') ? 'GET' : 'POST', path)).status, 404);
    }
    assert.equal((await call('POST', `/batches/${first.batch_id}/predictions`)).status, 404, 'the dataset is gone');
    for (const { prediction_ids } of [first, second, summed, again])
      for (const one of prediction_ids) await call('DELETE', `/predictions/${one}`);
  });

  it('forecasts each series of a dataset once, and lists pages in order', async () => {
    const data = await store({ tags: ['a', 'b', 'a'] });
    assert.deepEqual([data.series_count, data.tags, data.stats?.rows], [7, ['a', 'b'], 7 * 60 - 21]);
    const listed = await call<Page<StoredSeries>>('GET', `/datasets/${data.id}/series?size=100`);
    assert.deepEqual(
      listed.body.items.map(({ name }) => name),
      several.map(({ name }) => name),
    );
    const asked = { ai_model_id: 'theta', prediction_length: 2 };
    const made = await call<{ prediction_ids: string[] }>('POST', `/datasets/${data.id}/predictions`, asked);
    const ids = made.body.prediction_ids;
    for (const id of ids) assert.equal((await ended<LocalPrediction>(`/predictions/${id}`)).status, 'COMPLETED');
    const seen: LocalPrediction[] = [];
    for (let cursor = ''; ;) {
      const query = `?size=3&dataset_id=${data.id}&status=COMPLETED&include_sparkline=true${cursor}`;
      const { body } = await call<Page<LocalPrediction>>('GET', `/predictions${query}`);
      assert.equal(body.total, 7);
      seen.push(...body.items);
      if (!body.next_page) break;
      cursor = `&cursor=${body.next_page}`;
    }
    assert.deepEqual(
      seen.map(({ id }) => id),
      ids.toReversed(),
    );
    assert.ok(seen.every(({ prediction_series, sparkline }) => prediction_series?.length === 2 && sparkline));
    assert.equal((await call('DELETE', `/datasets/${data.id}`)).status, 204);
    assert.equal((await call<LocalPrediction>('GET', `/predictions/${ids[0]}`)).body.input_series?.length, 60);
    for (const id of ids) assert.equal((await call('DELETE', `/predictions/${id}`)).status, 204);
  });

  it('forecasts the other series of a dataset if one fails, with the reason', async () => {
    const bad = { name: 'none', series: monthly.map((point) => ({ ...point, value: null })) };
    const series = Array.from({ length: 60 }, (_, i) => (i === 30 ? bad : several[i % several.length]));
    const data = await store({ series });
    const { body } = await call<{ prediction_ids: string[] }>('POST', `/datasets/${data.id}/predictions`, {
      ai_model_id: 'seasonal-naive',
    });
    const all: LocalPrediction[] = [];
    for (const id of body.prediction_ids) all.push(await ended<LocalPrediction>(`/predictions/${id}`));
    assert.deepEqual(
      all.map(({ status, name }) => [status, name]),
      series.map(({ name }) => [name === 'none' ? 'FAILED' : 'COMPLETED', name]),
    );
    assert.match(said(all[30].error), /no observed value/);
    assert.ok(all.every((one, i) => i === 30 || (one.prediction_series?.length === 24 && one.details?.backtest)));
    assert.equal(new Set(all.map(({ prediction_series_id }) => prediction_series_id)).size, 60);
    for (const id of body.prediction_ids) await call('DELETE', `/predictions/${id}`);
    await call('DELETE', `/datasets/${data.id}`);
  });

  it('reconciles forecasts of a dataset', async () => {
    const of = (value: (month: number) => number) => monthly.map((point, i) => ({ ...point, value: value(i) }));
    const series = [
      { name: 'north', series: of((i) => 10 + (i % 5)) },
      { name: 'south', series: of((i) => 20 + (i % 3)) },
      { name: 'all', series: of((i) => 30 + (i % 5) + (i % 3)) },
    ];
    const data = await store({ series });
    const { body } = await call<{ prediction_ids: string[] }>('POST', `/datasets/${data.id}/predictions`, {
      ai_model_id: 'theta',
      prediction_length: 2,
      sums: [{ total: 'all', parts: ['north', 'south'] }],
    });
    const values: number[] = [];
    for (const id of body.prediction_ids) {
      const one = await ended<LocalPrediction>(`/predictions/${id}`);
      assert.equal(one.status, 'COMPLETED', said(one.error));
      values.push(one.prediction_series?.[1].value ?? NaN);
    }
    assert.ok(Math.abs(values[0] + values[1] - values[2]) < 1e-6, String(values));
    for (const id of body.prediction_ids) await call('DELETE', `/predictions/${id}`);
    await call('DELETE', `/datasets/${data.id}`);
  });

  it('reports the queue, and cancels pending predictions of a dataset', async () => {
    const data = await store();
    const asked = { ai_model_id: 'hybrid', fine_tuning_epochs: 200 };
    for (let n = 0; n < 3; n++) await call('POST', `/datasets/${data.id}/predictions`, asked);
    const waiting = await running().service.waiting();
    assert.deepEqual(
      waiting.map(({ lane, jobs, age }) => [lane, jobs > 0, age >= 0 && age < 60]),
      [['dataset', true, true]],
    );
    assert.equal((await call('DELETE', `/datasets/${data.id}/predictions`)).status, 204);
    const { body } = await call<Page<LocalPrediction>>('GET', `/predictions?dataset_id=${data.id}`);
    assert.ok(body.items.every(({ status }) => status === 'COMPLETED'));
    await call('DELETE', `/datasets/${data.id}`);
  });

  it('stores internal datasets once, and lists them on request', async () => {
    const first = await store({ for_job: true });
    assert.equal((await store({ for_job: true })).id, first.id);
    const { body } = await call<Page<LocalDataset>>('GET', '/datasets');
    assert.ok(body.items.every(({ id }) => id !== first.id));
    assert.equal((await store()).id, first.id, 'it becomes that of a person who stores the same');
    await call('DELETE', `/datasets/${first.id}`);
  });

  it('trains a model by dataset tags and forecasts with it', async () => {
    const data = await store({ tags: ['retail', 'Köln'] });
    const asked = { base_model: 'theta', name: 'm', input_config: { dataset_tags: ['Köln'] } };
    const made = await call<LocalFineTunedModel>('POST', '/fine_tuned_models', asked);
    assert.equal(made.status, 201);
    const model = await ended<LocalFineTunedModel>(`/fine_tuned_models/${made.body.id}`);
    assert.equal(model.status, 'COMPLETED', said(model.error));
    assert.equal(model.horizon, 24);
    const list = await call<Page<LocalFineTunedModel>>('GET', '/fine_tuned_models');
    assert.deepEqual(list.body.items, [model]);
    const forecast = { series: monthly, ai_model_id: model.id };
    assert.equal((await call<LocalPrediction>('POST', '/predictions', forecast)).body.status, 'COMPLETED');
    const unknown = { base_model: 'theta', input_config: { dataset_tags: ['nowhere'] } };
    assert.equal((await call('POST', '/fine_tuned_models', unknown)).status, 404);
    assert.equal((await call('DELETE', `/fine_tuned_models/${model.id}`)).status, 204);
    await call('DELETE', `/datasets/${data.id}`);
  });

  it('stops a training with its best result so far, and deletes a running one', async () => {
    const asked = { base_model: 'hybrid', config: { max_epochs: 1000 }, input_config: { series: monthly } };
    const train = async () => (await call<LocalFineTunedModel>('POST', '/fine_tuned_models', asked)).body.id;
    const statusOf = async (id: string) =>
      (await call<LocalFineTunedModel>('GET', `/fine_tuned_models/${id}`)).body.status;
    const begins = (id: string) => until(() => statusOf(id), (status) => status !== 'QUEUED'); // prettier-ignore
    const [first, second] = [await train(), await train()];
    await begins(first);
    assert.equal((await call('POST', `/fine_tuned_models/${first}/stop`)).status, 200);
    assert.equal((await ended<LocalFineTunedModel>(`/fine_tuned_models/${first}`)).status, 'COMPLETED');
    for (const id of [first, second]) assert.equal((await call('DELETE', `/fine_tuned_models/${id}`)).status, 204);
    assert.equal((await call('GET', `/fine_tuned_models/${second}`)).status, 404);
  });

  it('creates keys, shows them, and refuses them once deleted', async () => {
    const { body: key } = await call<LocalKey>('POST', '/keys', { name: 'notebook', scope: 'admin' });
    const { body: list } = await call<Page<LocalKey>>('GET', '/keys');
    assert.deepEqual(
      list.items.map(({ secret }) => secret),
      [key.secret, token],
    );
    assert.equal((await call('GET', '/keys', undefined, key.secret)).status, 200);
    assert.equal((await call('DELETE', `/keys/${key.id}`, undefined, key.secret)).status, 409);
    assert.equal((await call('DELETE', `/keys/${key.id}`)).status, 204);
    assert.equal((await call('GET', '/keys', undefined, key.secret)).status, 401);
  });

  it('reports a tenant’s own storage, and total bytes only to the operator', async () => {
    const { body: key } = await call<{ secret: string; id: string }>('POST', '/keys', { scope: 'write' });
    const bytes = async (secret?: string) => (await call<{ bytes: number }>('GET', '/storage', undefined, secret)).body.bytes; // prettier-ignore
    const [all, before] = [await bytes(), await bytes(key.secret)];
    assert.ok(all > before);
    const { body: data } = await call<{ id: string }>('POST', '/datasets', { series: [{ series: monthly }] });
    const stored = JSON.stringify(monthly).length;
    assert.equal(await bytes(key.secret), before + stored);
    await call('DELETE', `/datasets/${data.id}`);
    await call('DELETE', `/keys/${key.id}`);
  });

  it('stores nothing of a refused request', async () => {
    const before = (await call<{ predictions: number; datasets: number }>('GET', '/storage')).body;
    assert.equal((await call('POST', '/predictions', { series: monthly, ai_model_id: 'none' })).status, 404);
    assert.equal((await call('POST', '/datasets', { series: [{ series: [{ timestamp: 'x' }] }] })).status, 422);
    const { body } = await call<{ predictions: number; datasets: number }>('GET', '/storage');
    assert.deepEqual([body.predictions, body.datasets], [before.predictions, before.datasets]);
  });

  it('serves many concurrent clients, each its own data', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        call<LocalPrediction>('POST', '/predictions', {
          series: monthly,
          ai_model_id: 'seasonal-naive',
          name: `${i}`,
        }),
      ),
    );
    assert.deepEqual(
      all.map(({ body }) => `${body.name} ${body.status}`),
      all.map((_, i) => `${i} COMPLETED`),
    );
    await Promise.all(all.map(({ body }) => call('DELETE', `/predictions/${body.id}`)));
  });
});

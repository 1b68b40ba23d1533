import { said } from './said.ts';
import assert from 'node:assert/strict';
import type { LocalDataset, LocalFineTunedModel, LocalPrediction, Page } from '../../../src/contract/resources.ts';
import { endless, LocalService, monthly } from './local-service.ts';
import { until } from '../editor/until.ts';

describe('forecasts and trainings of the local service', () => {
  const local = new LocalService();
  const { call, token } = local;

  it('answers a synchronous prediction when it is done', async () => {
    const { status, body } = await call<LocalPrediction>('POST', '/predictions', { series: monthly });
    assert.equal(status, 201);
    assert.equal(body.status, 'COMPLETED');
    assert.equal(body.input_series?.length, 60);
    assert.equal(body.prediction_series?.[0].timestamp, '2024-01-01T00:00:00Z');
    assert.equal(body.details?.frequency, 'P1M');
    const quantiles = body.prediction_series[0].metadata?.quantiles as Record<string, number>;
    assert.deepEqual(Object.keys(quantiles).map(Number), [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975]);
    const values = Object.values(quantiles);
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
    );
    const read = await call<LocalPrediction>('GET', `/predictions/${body.id}`);
    assert.deepEqual(read.body, body);
    const listed = await call<Page<LocalPrediction>>('GET', '/predictions');
    assert.deepEqual(listed.body.items, [body]);
    const lean = await call<Page<LocalPrediction>>('GET', '/predictions?include_series=false');
    assert.equal(lean.body.items[0].input_series, null);
  });

  it('returns the mean and the total of intermittent demand', async () => {
    const series = monthly.map(({ timestamp }, i) => ({ timestamp, value: [0, 0, 3, 0, 1, 0, 0][(i * i) % 7] }));
    const { body } = await call<LocalPrediction>('POST', '/predictions', { series, prediction_length: 6 });
    const { mean, total } = body.details!.demand!;
    assert.ok(mean > 0 && Math.abs(total.mean - 6 * mean) < 1e-9);
    assert.ok(total.quantiles['0.1'] <= total.mean && total.quantiles['0.9'] >= total.mean);
    for (const point of body.prediction_series!) assert.equal(point.metadata?.mean, mean);
  });

  it('rounds to twelve digits, since logarithms differ between platforms', async () => {
    const { body } = await call<LocalPrediction>('POST', '/predictions', { series: monthly, prediction_length: 12 });
    for (const { value, metadata } of body.prediction_series!) {
      for (const number of [value, ...Object.values(metadata!.quantiles!)]) {
        assert.equal(number, Number(number!.toPrecision(12)));
      }
    }
  });

  it('respects is_async, prediction_length and quantile_levels', async () => {
    const request = {
      series: monthly,
      is_async: true,
      prediction_length: 5,
      quantile_levels: [0.9, 0.1],
      ai_model_id: 'theta',
    };
    await local.restart({ computeScript: endless });
    const { body } = await call<LocalPrediction>('POST', '/predictions', request);
    assert.ok(['QUEUED', 'IN_PROGRESS'].includes(body.status), body.status);
    await local.restart();
    const get = async () => (await call<LocalPrediction>('GET', `/predictions/${body.id}`)).body;
    const last = await until(get, ({ status }) => status === 'COMPLETED' || status === 'FAILED');
    assert.equal(last.status, 'COMPLETED');
    assert.equal(last.prediction_series?.length, 5);
    assert.deepEqual(Object.keys(last.prediction_series[0].metadata?.quantiles as object), ['0.1', '0.9']);
  });

  it('predicts a stored series by series_id', async () => {
    const dataset = {
      name: 'retail',
      tags: ['a', 'b'],
      series: [
        { name: 'one', series: monthly },
        { name: 'two', series: monthly },
      ],
    };
    const made = await call<LocalDataset>('POST', '/datasets', dataset);
    assert.equal(made.status, 201);
    assert.deepEqual(made.body.stats, {
      size: made.body.stats?.size,
      rows: 120,
      start_timestamp: '2019-01-01T00:00:00Z',
      end_timestamp: '2023-12-01T00:00:00Z',
      freq: 'P1M',
    });
    const series = await call<Page<{ id: string; name: string }>>('GET', `/datasets/${made.body.id}/series`);
    assert.deepEqual(
      series.body.items.map((item) => item.name),
      ['one', 'two'],
    );
    const { body } = await call<LocalPrediction>('POST', '/predictions', { series_id: series.body.items[0].id });
    assert.equal(body.status, 'COMPLETED');
    assert.equal(body.name, 'one');
    assert.equal((await call('DELETE', `/datasets/${made.body.id}`)).status, 204);
    assert.equal((await call<LocalPrediction>('GET', `/predictions/${body.id}`)).body.input_series?.length, 60);
  });

  it('trains a model that sets the horizon of its predictions', async () => {
    const request = {
      base_model: 'theta',
      input_config: { series: monthly },
      config: { context_length: 48, prediction_length: 6, use_rope_scaling: false, num_samples: 200, max_epochs: 5 },
    };
    const { status, body } = await call<LocalFineTunedModel>('POST', '/fine_tuned_models', request);
    assert.equal(status, 201);
    assert.deepEqual(body.config, request.config);
    assert.deepEqual(body.input_config?.series?.length, 60);
    assert.ok(body.created_at && body.updated_at);
    const get = async () => (await call<LocalFineTunedModel>('GET', `/fine_tuned_models/${body.id}`)).body;
    const model = await until(get, ({ status }) => status === 'COMPLETED' || status === 'FAILED');
    assert.equal(model.status, 'COMPLETED', said(model.error));
    assert.ok(model.scores?.mase !== undefined && model.scores.base_mase !== undefined);
    assert.ok(model.scores.mase <= model.scores.base_mase);
    assert.equal(model.horizon, 6);
    const prediction = await call<LocalPrediction>('POST', '/predictions', { series: monthly, ai_model_id: model.id });
    assert.equal(prediction.body.prediction_series?.length, 6);
    assert.equal(prediction.body.ai_model_id, model.id);
  });

  it('trains the neural model and stores its training history', async () => {
    const { body: dataset } = await call<LocalDataset>('POST', '/datasets', {
      tags: ['many'],
      series: [{ series: monthly }, { series: monthly.map((point) => ({ ...point, value: 2 * point.value + 3 })) }],
    });
    const { body } = await call<LocalFineTunedModel>('POST', '/fine_tuned_models', {
      base_model: 'hybrid',
      input_config: { dataset_ids: [dataset.id], dataset_tags: ['many'] },
      config: { prediction_length: 6, num_samples: 100, max_epochs: 2, context_length: 48 },
    });
    const get = async () => (await call<LocalFineTunedModel>('GET', `/fine_tuned_models/${body.id}`)).body;
    const model = await until(get, ({ status }) => status === 'COMPLETED' || status === 'FAILED');
    assert.equal(model.status, 'COMPLETED', said(model.error));
    assert.equal(model.warnings ?? undefined, undefined);
    assert.equal(model.scores?.series, 2);
    assert.ok(model.training);
    const { record, chosen_epochs: chosen } = model.training;
    assert.ok(record[chosen!].validation <= record[0].validation);
    assert.deepEqual(
      record.map(({ epoch }) => epoch),
      [0, 1, 2],
    );
    assert.equal(model.training.max_epochs, 2);
    assert.ok(model.training.chosen_epochs! <= 2);
    const prediction = await call<LocalPrediction>('POST', '/predictions', { series: monthly, ai_model_id: model.id });
    assert.equal(prediction.body.prediction_series?.length, 6);
  }).timeout(60_000);

  it('fine-tunes on the series itself before predicting', async () => {
    const request = { series: monthly, ai_model_id: 'hybrid', fine_tuning_epochs: 2, prediction_length: 4 };
    const { body } = await call<LocalPrediction>('POST', '/predictions', request);
    assert.equal(body.status, 'COMPLETED', said(body.error));
    assert.equal(body.details?.fine_tuning?.series, 1);
    assert.ok(body.details.fine_tuning.epochs <= 2);
    const short = await call<LocalPrediction>('POST', '/predictions', { ...request, series: monthly.slice(0, 5) });
    assert.equal(short.body.status, 'COMPLETED');
    assert.match(said(short.body.details?.warnings?.[0]), /too short/);
    const constant = monthly.map((point) => ({ ...point, value: 5 }));
    const same = await call<LocalPrediction>('POST', '/predictions', { ...request, series: constant });
    assert.match(said(same.body.details?.warnings?.[0]), /is constant/);
  }).timeout(60_000);

  it('refuses timestamps beyond the range of dates', async () => {
    const days = Array.from({ length: 8 }, (_, day) => ({
      timestamp: `+275760-09-${String(day + 5).padStart(2, '0')}`,
      value: day,
    }));
    const months = Array.from({ length: 9 }, (_, month) => ({
      timestamp: `+275760-${String(month + 1).padStart(2, '0')}-01`,
      value: month,
    }));
    for (const series of [days, months, days.slice(-1), days.map((point, row) => ({ ...point, metadata: { row } }))]) {
      const { body } = await call<LocalPrediction>('POST', '/predictions', { series, prediction_length: 20 });
      assert.equal(body.status, 'FAILED');
      assert.match(said(body.error), /outside the range of dates that can be forecast/);
    }
    const offset = { series: [{ timestamp: '+275760-09-13T00:00:00-01:00', value: 1 }] };
    const { status, body } = await call<{ detail: string }>('POST', '/predictions', offset);
    assert.equal(status, 422);
    assert.match(body.detail, /outside the range of dates that can be forecast/);
  });

  it('forecasts a series of row numbers without a calendar', async () => {
    const series = monthly.map(({ value }, index) => ({
      timestamp: new Date(index * 1000).toISOString(),
      value,
      metadata: { row: index + 1 },
    }));
    const { body } = await call<LocalPrediction>('POST', '/predictions', { series, prediction_length: 2 });
    assert.equal(body.details?.frequency, undefined);
    assert.deepEqual(
      body.prediction_series?.map((point) => [point.timestamp, point.metadata?.row]),
      [
        ['1970-01-01T00:01:00Z', 61],
        ['1970-01-01T00:01:01Z', 62],
      ],
    );
  });

  it('fails a series without observations with a message', async () => {
    const series = [{ timestamp: '2020-01-01', value: null }];
    const { body } = await call<LocalPrediction>('POST', '/predictions', { series });
    assert.equal(body.status, 'FAILED');
    assert.match(said(body.error), /no observed value/);
  });

  it('cancels a synchronous prediction whose client disconnected', async () => {
    const abort = new AbortController();
    const series = Array.from({ length: 20_000 }, (_, i) => ({
      timestamp: new Date(Date.UTC(2019, 0, 1, i)).toISOString(),
      value: Math.sin(i / 7) + (i % 24),
    }));
    const gone = local.service.fetch(
      new Request('http://local/predictions', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ series }),
        signal: abort.signal,
      }),
    );
    abort.abort();
    await gone.catch(() => undefined);
    const { body } = await call<Page<LocalPrediction>>('GET', '/predictions?include_series=false');
    assert.ok(body.items.every((item) => ['FAILED', 'COMPLETED'].includes(item.status)));
  });

  it('predicts all series of a dataset at low priority, and cancels unfinished ones', async () => {
    const series = Array.from({ length: 300 }, (_, index) => ({ name: `s${index}`, series: monthly }));
    const { body: dataset } = await call<LocalDataset>('POST', '/datasets', { name: 'many', tags: ['a'], series });
    const path = `/datasets/${dataset.id}/predictions`;
    const made = await call<{ prediction_ids: string[] }>('POST', path, { prediction_length: 3 });
    assert.equal(made.status, 201);
    assert.equal(new Set(made.body.prediction_ids).size, 300);
    const single = await call<LocalPrediction>('POST', '/predictions', { series: monthly });
    assert.equal(single.body.status, 'COMPLETED');
    const of = async (query: string) =>
      (await call<Page<LocalPrediction>>('GET', `/predictions?dataset_id=${dataset.id}${query}`)).body;
    const waiting = (await of('&status=QUEUED')).total ?? 0;
    assert.ok(waiting > 100, `${waiting} of 300 wait for the single one`);
    await until(
      async () => (await of('&status=COMPLETED')).total ?? 0,
      (total) => total >= 10,
    );
    assert.equal((await call('DELETE', path)).status, 204);
    assert.equal((await of('&status=QUEUED')).total, 0);
    assert.equal((await of('&status=IN_PROGRESS')).total, 0);
    const { items, total = 0 } = await of('&include_input=false&size=200');
    assert.ok(total >= 10 && total < 300, String(total));
    assert.equal(items[0].prediction_series?.length, 3);
    assert.equal(items[0].input_series, null);
    assert.match(items[0].name ?? '', /^s\d+$/);
    assert.equal(items[0].sparkline, null);
    const [drawn] = (await of('&include_series=false&include_sparkline=true&size=1')).items;
    assert.deepEqual([drawn.sparkline?.past.length, drawn.sparkline?.ahead.length], [Math.min(48, monthly.length), 3]);
    assert.ok(Math.abs(drawn.sparkline!.past.at(-1)! - monthly.at(-1)!.value) < 1e-6);
    assert.deepEqual(new Set(items.map(({ status }) => status)), new Set(['COMPLETED']));
    assert.equal((await call('POST', '/datasets/none/predictions', {})).status, 404);
    assert.equal((await call('POST', path, { ai_model_id: 'none' })).status, 404);
    assert.equal((await of('')).total, total);
  });
});

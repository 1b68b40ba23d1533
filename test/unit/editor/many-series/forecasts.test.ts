import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/client/errors.ts';
import { forecastsOf, readSet } from '../../../../src/editor/many-series/forecast-set.ts';
import { clientOf } from '../../client/client-of.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';

describe('written forecasts of a dataset', () => {
  const extension = new Extension();
  const writing = { names: 'limits', withHistory: false } as const;

  /** The set of a file of this many series, and what reads it. */
  async function forecast(name: string, count: number) {
    const { app } = extension;
    const columns = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`c${n}`, (month: number) => seasonal(month) + n]),
    );
    await extension.run('forecastAll', extension.file(name, months(24, columns)));
    const session = app.connection.inUse;
    const [{ id }] = (await session.client.listDatasets({ size: 1 }, true)).items;
    return {
      set: await readSet(session.client, { serviceId: 'local', datasetId: id, label: name }),
      client: session.client,
      id,
    };
  }

  it('are the same in the same order as a stream and by page, also after a broken stream', async () => {
    const { set, client } = await forecast('both.csv', 12);
    const stream = client.lines.bind(client);
    const list = client.listDatasetPredictions.bind(client);
    let [streams, lists] = [0, 0];
    try {
      client.listDatasetPredictions = (...asked) => {
        lists++;
        return list(...asked);
      };
      const streamed = await forecastsOf(client, set, writing);
      assert.deepEqual([streamed.map(({ id }) => id), lists], [Array.from({ length: 12 }, (_, n) => `c${n}`), 0]); // prettier-ignore
      const past = await forecastsOf(client, set, { ...writing, withHistory: true });
      assert.deepEqual(past.map(({ id, forecast: { history } = {} }) => [id, history?.values.length]), streamed.map(({ id }) => [id, 24])); // prettier-ignore
      lists = 0;
      client.lines = async function* (name, id, signal) {
        streams++;
        let left = 5;
        for await (const one of stream(name, id, signal)) {
          if (left-- === 0) throw new ServiceError('unreachable', 'The connection broke off.');
          yield one;
        }
      };
      assert.deepEqual(await forecastsOf(client, set, writing), streamed);
      assert.deepEqual([streams, lists], [1, 1]);
    } finally {
      Object.assign(client, { lines: stream, listDatasetPredictions: list });
    }
  });

  it('are the shown ones, although newer ones exist', async () => {
    const { set, client, id } = await forecast('newer.csv', 3);
    const before = await forecastsOf(client, set, writing);
    const { items } = await client.list('listDatasetSeries', {}, {}, id);
    const again = { series_id: items[1].id, ai_model_id: 'theta', prediction_length: 2 };
    await client.createPrediction({ ...again, is_async: false });
    const after = await forecastsOf(client, set, writing);
    assert.deepEqual(
      after.toSorted((a, b) => a.id.localeCompare(b.id)),
      before,
    );
  });
});

describe('history of the forecasts of a dataset', () => {
  const paging = { in: 'query', schema: { type: 'string' } };
  const list = { parameters: ['dataset_id', 'include_input', 'include_series'].map((name) => ({ ...paging, name })) };
  const lines = { responses: { 200: { content: { 'application/x-ndjson': {} } } } };
  const paths = { '/predictions': { get: list }, '/predictions/{id}': { get: {} } };
  const both = { paths: { ...paths, '/datasets/{id}/forecasts.ndjson': { get: lines } } };
  const predictions = ['b', 'a'].map((id) => ({ id, name: `series ${id}`, status: 'COMPLETED' }));
  const input_series = [1, 2].map((value, day) => ({ timestamp: `2024-01-0${day + 1}T00:00:00Z`, value }));
  const prediction_series = [{ timestamp: '2024-01-03T00:00:00Z', value: 3 }];

  /** What a service of two series is asked, and what is written of them. @param isLong whether its page holds only one */
  async function written(description: object, withHistory: boolean, isLong = false) {
    const { client, requests } = clientOf(
      ({ url }) => {
        const { pathname, searchParams } = new URL(url);
        const input = searchParams.get('include_input') === 'false' ? {} : { input_series };
        const whole = predictions.map((one) => ({ ...one, ...input, prediction_series }));
        if (pathname.endsWith('.ndjson')) {
          const rows = predictions.map((one) => ({ ...one, prediction_series }));
          const line = (one: (typeof rows)[number]) => ({ ...one, series_id: one.id, prediction_id: one.id, ai_model_id: 'm' }); // prettier-ignore
          return new Response(rows.toReversed().map((one) => `${JSON.stringify(line(one))}\n`).join('')); // prettier-ignore
        }
        if (!pathname.endsWith('/predictions'))
          return Response.json(whole.find(({ id }) => pathname.endsWith(`/${id}`)));
        const left = { ...predictions[1], series_left_out: 'The page would hold too much.' };
        return Response.json({ items: isLong ? [whole[0], left] : whole });
      },
      { description },
    );
    const all = await forecastsOf(
      client,
      { ref: { serviceId: 'local', label: 'd', datasetId: 'd' }, predictions: predictions.toReversed() },
      { names: 'limits', withHistory },
    );
    return {
      asked: requests.map(({ url }) => new URL(url).pathname.slice('/v1'.length)),
      all: all.map(({ id, values, forecast }) => [id, Array.from(forecast?.history?.values ?? []), Array.from(values)]),
    };
  }
  const whole = ['a', 'b'].map((id) => [`series ${id}`, [1, 2], [3]]);
  const ahead = ['a', 'b'].map((id) => [`series ${id}`, [], [3]]);

  it('is written on request, from pages if the stream has none', async () => {
    assert.deepEqual(await written(both, true), { asked: ['/predictions'], all: whole });
    assert.deepEqual(await written({ paths }, true), { asked: ['/predictions'], all: whole });
  });

  it('is not requested otherwise', async () => {
    assert.deepEqual(await written(both, false), { asked: ['/datasets/d/forecasts.ndjson'], all: ahead });
    assert.deepEqual(await written({ paths }, false), { asked: ['/predictions'], all: ahead });
  });

  it('is read singly, with its forecast, for a series too large for a page', async () => {
    const { asked, all } = await written(both, true, true);
    assert.deepEqual(asked, ['/predictions', '/predictions/a']);
    assert.deepEqual(all, whole);
  });
});

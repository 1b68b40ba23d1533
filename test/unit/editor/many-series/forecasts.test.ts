import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/client/errors.ts';
import { setOfDataset } from '../../../../src/editor/many-series/through-dataset.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';

describe('the forecasts of a dataset that are written', () => {
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
    return { set: await setOfDataset(app, session, { id, label: name }, undefined), client: session.client, id };
  }

  it('are the same in the same order as a stream and page by page, also where a stream breaks off', async () => {
    const { set, client } = await forecast('both.csv', 12);
    const stream = client.datasetForecasts.bind(client);
    const list = client.listDatasetPredictions.bind(client);
    let [streams, lists] = [0, 0];
    try {
      client.listDatasetPredictions = (...asked) => {
        lists++;
        return list(...asked);
      };
      const streamed = await set.forecasts(writing);
      assert.deepEqual([streamed.map(({ id }) => id), lists], [Array.from({ length: 12 }, (_, n) => `c${n}`), 0]); // prettier-ignore
      client.datasetForecasts = async function* (id, signal) {
        streams++;
        let left = 5;
        for await (const one of stream(id, signal)) {
          if (left-- === 0) throw new ServiceError('unreachable', 'The connection broke off.');
          yield one;
        }
      };
      assert.deepEqual(await set.forecasts(writing), streamed);
      assert.deepEqual([streams, lists], [3, 1]);
    } finally {
      Object.assign(client, { datasetForecasts: stream, listDatasetPredictions: list });
    }
  });

  it('are those that are shown, though newer ones were made of some series', async () => {
    const { set, client, id } = await forecast('newer.csv', 3);
    const before = await set.forecasts(writing);
    const { items } = await client.listDatasetSeries(id);
    const again = { series_id: items[1].id, ai_model_id: 'theta', prediction_length: 2 };
    await client.createPrediction({ ...again, is_async: false });
    const after = await set.forecasts(writing);
    assert.deepEqual(
      after.toSorted((a, b) => a.id.localeCompare(b.id)),
      before,
    );
  });
});

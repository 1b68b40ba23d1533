/** A series that is too long to be one row as it is, on both homes of the store. */
import assert from 'node:assert/strict';
import type { AnswerOf } from '../../../src/contract/operations.ts';
import type { Anomalies, LocalDataset, LocalPrediction, Page, StoredSeries } from '../../../src/contract/resources.ts';
import { callOf, onEachHome, token } from './homes.ts';

/** Hours, 2 MB of JSON. */
const long = Array.from({ length: 30_000 }, (_, hour) => ({
  timestamp: new Date(Date.UTC(2020, 0, 1, hour)).toISOString(),
  value: hour === 29_000 ? 900 : Math.round(100 + 20 * Math.sin((hour * Math.PI) / 12)),
  metadata: { note: hour % 100 === 0 ? 'Zähler 😀' : 'a' },
}));

onEachHome((running) => {
  const call = callOf(running);

  it('stores a long series unchanged and handles it like others', async () => {
    const asked = { series: long, ai_model_id: 'seasonal-naive', prediction_length: 24, is_async: false };
    const { status, body: made } = await call<LocalPrediction>('POST', '/predictions', asked);
    assert.equal(status, 201);
    assert.equal(made.status, 'COMPLETED');
    assert.equal(made.prediction_series?.length, 24);
    const { body: read } = await call<LocalPrediction>('GET', `/predictions/${made.id}`);
    assert.deepEqual(read.input_series, long);
    const id = made.input_series_id ?? '';
    assert.deepEqual((await call<StoredSeries>('GET', `/series/${id}`)).body.series, long);
    const { body: page } = await call<Page<LocalPrediction>>('GET', '/predictions?include_sparkline=true');
    assert.equal(page.items[0].id, made.id);
    assert.equal(page.items[0].sparkline?.past.at(-1), long.at(-1)?.value);
    const { body: found } = await call<Anomalies>('POST', '/anomalies', { series_id: id });
    const largest = found.points.toSorted((one, other) => other.rarity - one.rarity)[0];
    assert.equal(Date.parse(largest.timestamp), Date.parse(long[29_000].timestamp));
    const again = { series_id: id, ai_model_id: 'seasonal-naive', prediction_length: 24, is_async: false };
    const { body: second } = await call<LocalPrediction>('POST', '/predictions', again);
    assert.deepEqual(second.prediction_series, made.prediction_series);
  });

  it('recognizes a repeated stream line with a long series', async () => {
    const { body: dataset } = await call<LocalDataset>('POST', '/datasets', { name: 'd' });
    const add = async (series: typeof long) => {
      const request = new Request(`http://local/datasets/${dataset.id}/series`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
        body: JSON.stringify({ id: 'one', series }),
      });
      const { stored, unchanged, refused } = (await (
        await running().service.fetch(request)
      ).json()) as AnswerOf<'addSeries'>;
      return { stored, unchanged, refused };
    };
    assert.deepEqual(await add(long), { stored: 1, unchanged: 0, refused: 0 });
    assert.deepEqual(await add(long), { stored: 0, unchanged: 1, refused: 0 });
    assert.deepEqual(await add(long.slice(1)), { stored: 0, unchanged: 0, refused: 1 });
  });
});

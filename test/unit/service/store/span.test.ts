/** From when to when datasets go whose series have different offsets, on each store. */
import assert from 'node:assert/strict';
import { Datasets } from '../../../../src/service/store/datasets.ts';
import { prepareSeries } from '../prepare-series.ts';
import { spanOf } from '../../../../src/service/store/points.ts';
import { onEachStore } from './stores.ts';

const tenDays = (time_zone: string, from: string) =>
  prepareSeries(
    Array.from({ length: 10 }, (_, day) => ({
      timestamp: new Date(Date.parse(from) + day * 86_400_000).toISOString(),
      value: day,
      metadata: { time_zone },
    })),
  );

onEachStore('the span of a dataset', (counted) => {
  // as texts the last would be the first, and the first the last
  const series = {
    tokyo: tenDays('Asia/Tokyo', '2024-06-30T15:00:00Z'),
    utc: tenDays('UTC', '2024-06-30T18:00:00Z'),
    denver: tenDays('America/Denver', '2024-06-30T22:00:00Z'),
    timeless: prepareSeries([]),
  };
  const span = ['2024-07-01T00:00:00+09:00', '2024-07-09T16:00:00-06:00'];
  const orders = [
    ['tokyo', 'utc', 'timeless', 'denver'],
    ['timeless', 'denver', 'utc', 'tokyo'],
    ['utc', 'denver', 'tokyo', 'timeless'],
  ] as const;

  for (const order of orders) {
    it(`covers its instants: ${order.join(', ')}`, async () => {
      const datasets = new Datasets(counted().store);
      const spanNow = async (id: string) => {
        const { stats } = await datasets.get(id);
        return [stats?.start_timestamp, stats?.end_timestamp];
      };
      const lines = order.map((name, at) => ({ line: at + 1, id: name, series: series[name] }));
      const count = () => Promise.resolve();
      const whole = await datasets.create({ series: lines });
      assert.deepEqual(await spanNow(whole.id), span, 'stored as a whole');
      const { id: together } = await datasets.create({ series: [] });
      await datasets.addLines(together, lines, count);
      assert.deepEqual(await spanNow(together), span, 'added together');
      const { id } = await datasets.create({ series: [] });
      for (const one of lines) await datasets.addLines(id, [one], count);
      assert.deepEqual(await spanNow(id), span, 'one after the other');
    });
  }

  it('covers its readable timestamps', () => {
    const [damaged, start, end] = ['0', '2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'];
    assert.deepEqual(spanOf([{ start: damaged, end: damaged }, { start, end }, {}]), { start, end });
    assert.deepEqual(spanOf([{}]), { start: undefined, end: undefined });
  });
});

import { failure } from '../../../../src/contract/failures.ts';
import assert from 'node:assert/strict';
import { BusyError } from '../../../../src/service/errors.ts';
import { Datasets } from '../../../../src/service/store/datasets.ts';
import { slicesOf } from '../../../../src/service/store/points.ts';
import { onEachStore } from './stores.ts';

const seriesOf = (value: number) => ({
  points: `[{"timestamp":"2024-01-01T00:00:00.000Z","value":${value}}]`,
  rows: 1,
});
const numbers = Array.from({ length: 230 }, (_, i) => i);

describe('rows of series', () => {
  it('go into statements in order, limited in number and size', () => {
    const sizesOf = (lengths: readonly number[]) => {
      const rows = lengths.map((length, index) => ({ index, points: ' '.repeat(length) }));
      const parts = [...slicesOf(rows, 100, 1_000_000, ({ points }) => points.length)];
      assert.deepEqual(parts.flat(), rows);
      return parts.map(({ length }) => length);
    };
    assert.deepEqual(sizesOf([]), []);
    assert.deepEqual(sizesOf(numbers), [100, 100, 30]);
    assert.deepEqual(sizesOf([600_000, 600_000, 5, 3_000_000, 1, 1]), [1, 2, 1, 2]);
  });
});

onEachStore('many series', (counted) => {
  const datasets = () => new Datasets(counted().store);
  const namesOf = async (id: string): Promise<(string | undefined)[]> => {
    const names: (string | undefined)[] = [];
    for (let cursor: string | undefined; ;) {
      const { items, next_page } = await datasets().series.list({ cursor, size: 100 }, { dataset_id: id });
      names.push(...items.map(({ name }) => name ?? undefined));
      if (next_page == null) return names;
      cursor = next_page;
    }
  };
  const insertions = () => counted().asked.filter(({ kind }) => kind === 'InsertQueryNode').length;

  it('are stored in few statements, and listed in order', async () => {
    counted().asked.length = 0;
    const series = numbers.map((i) => ({ name: `s${i}`, series: seriesOf(i) }));
    const { id, series_count } = await datasets().create({ series });
    assert.equal(insertions(), 1 + 3, 'the dataset, and its series');
    assert.equal(series_count, 230);
    assert.deepEqual(
      await namesOf(id),
      numbers.map((i) => `s${i}`),
    );
  });

  it('are searched for forecasts in small groups, also if none has one', async () => {
    const series = numbers.map((i) => ({ name: `s${i}`, series: seriesOf(i) }));
    const { id } = await datasets().create({ series });
    const forecasts = await datasets().forecasts(id, () => Promise.resolve());
    counted().asked.length = 0;
    for await (const line of forecasts) assert.fail(line);
    assert.equal(counted().asked.length, Math.ceil(230 / 50));
  });

  it('of a stream are reported one by one: present already, or different', async () => {
    const { id } = await datasets().create({ name: 'of a stream', series: [] });
    const count = (_db: unknown, stored: number) => Promise.resolve(void stored);
    await datasets().addLines(id, [{ line: 1, id: 'known', name: 'known', series: seriesOf(0) }], count);
    const lines = numbers.map((i) => ({ line: i + 1, id: `s${i}`, name: `s${i}`, series: seriesOf(i) }));
    lines[7] = { line: 8, id: 'known', name: 'known', series: seriesOf(0) };
    lines[120] = { line: 121, id: 'known', name: 'known', series: seriesOf(1) };
    lines[150] = { ...lines[149], line: 151 };
    lines[220] = { ...lines[3], line: 221, series: seriesOf(99) };
    counted().asked.length = 0;
    const counts: number[] = [];
    const added = await datasets().addLines(id, lines, (_db, stored) => Promise.resolve(void counts.push(stored)));
    assert.equal(insertions(), 3);
    assert.deepEqual([added.stored, added.unchanged, added.refused.map(({ line }) => line)], [226, 2, [121, 221]]);
    assert.deepEqual(counts, [226]);
    assert.equal((await datasets().get(id)).series_count, 227);
    const wanted = ['known', ...numbers.filter((i) => ![7, 120, 150, 220].includes(i)).map((i) => `s${i}`)];
    assert.deepEqual(await namesOf(id), wanted.toReversed());
  });

  it('of a stream are all refused if they exceed the limit of a key', async () => {
    const { id } = await datasets().create({ name: 'too many', series: [] });
    const lines = numbers.map((i) => ({ line: i + 1, series: seriesOf(i) }));
    const refuse = () => Promise.reject(new BusyError(failure('busy')));
    await assert.rejects(datasets().addLines(id, lines, refuse), BusyError);
    assert.deepEqual(await namesOf(id), []);
    assert.equal((await datasets().get(id)).series_count ?? 0, 0);
  });
});

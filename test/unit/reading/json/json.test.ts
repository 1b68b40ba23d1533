import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { JsonReader } from '../../../../src/reading/json/json.ts';
import { SeriesError } from '../../../../src/reading/types.ts';
import { only, read } from '../helpers.ts';
import { threads } from '../../threads.ts';

const ndjson = (...parts: readonly string[]) => {
  const reader = new JsonReader('a.ndjson', 'ndjson');
  for (const part of parts) reader.push(part);
  return reader.finish().tables;
};
const at = (line: number) => (error: unknown) =>
  error instanceof SeriesError && error.reason === 'broken-json' && error.line === line;

describe('JSON lines', () => {
  it('read the same wherever the text is split', () => {
    const text = '{"t":"2024-01-01","v":1}\n\n{"t":"2024-01-02","v":2}\n{"t":"2024-01-03","v":3,"w":"x"}';
    for (let cut = 0; cut <= text.length; cut++) {
      const [table, ...rest] = ndjson(text.slice(0, cut), text.slice(cut));
      assert.deepEqual([table?.rows, rest.length], [3, 0], String(cut));
      assert.deepEqual(table?.columns.map(({ name }) => name), ['t', 'v', 'w']); // prettier-ignore
      assert.deepEqual([0, 1, 2].map((row) => table?.lineOf(row)), [1, 3, 4]); // prettier-ignore
    }
  });

  it('may be arrays or single numbers, and an empty text has no rows', () => {
    const [arrays] = ndjson('["2024-01-01", 1]\n["2024-01-02", 2]\n');
    assert.deepEqual(arrays?.columns.map(({ name }) => name), ['Column 1', 'Column 2']); // prettier-ignore
    assert.deepEqual([...only('1\n2\nnull\n4\n', 'a.ndjson').values], [1, 2, NaN, 4]);
    assert.deepEqual(ndjson('\n \n'), []);
  });

  it('may have a whole series on each line, named by itself or by its line', () => {
    const line = (name: object) => JSON.stringify({ ...name, target: [1, 2, 3, 4], start: '2024-01-31', freq: 'ME' });
    const { series } = read(`${line({ item_id: 'a' })}\n${line({})}\n`, 'a.ndjson');
    assert.deepEqual(series.map(({ id }) => id), ['a', 'Line 2']); // prettier-ignore
    assert.equal(new Date(series[1]!.times[3]!).toISOString().slice(0, 10), '2024-04-30');
  });

  it('are refused at the broken line, also at a last line without an end', () => {
    assert.throws(() => ndjson('{"v":1}\n{"v":\n{"v":3}\n'), at(2));
    assert.throws(() => ndjson('{"v":1}\n{"v":2}\n{"v"'), at(3));
  });
});

describe('cells of a JSON row', () => {
  const columns = (rows: unknown) => {
    const reader = new JsonReader('a.json', 'json');
    reader.push(JSON.stringify(rows));
    return reader.finish().tables[0]?.columns.map(({ name }) => name);
  };

  it('include nested objects by path, without lists, deep levels and metadata', () => {
    const row = { at: { $date: '2024-01-01' }, v: { mean: 1, by: { hour: { deep: 2 } } }, tags: ['x'], metadata: { a: 1 } };
    assert.deepEqual(columns([row, row]), ['at', 'v.mean']);
  }); // prettier-ignore

  it('may have digits of full width', () => {
    const rows = [...'１２３４'].map((day) => ({ t: `２０２４-０１-０${day}`, v: `${day}２．５` }));
    const series = only(JSON.stringify(rows), 'a.json');
    assert.deepEqual([series.times[0], series.values[3]], [Date.UTC(2024, 0, 1), 42.5]);
  });

  it('begin with an empty column if a name appears later', () => {
    const text = JSON.stringify([1, 2, 3, 4].map((day) => ({ t: `2024-01-0${day}`, v: day, ...(day > 2 ? { w: day * 10 } : {}) }))); // prettier-ignore
    const { series } = read(text, 'a.json');
    const late = series.find(({ id }) => id === 'w');
    assert.deepEqual([...late!.values].filter((value) => !Number.isNaN(value)), [30, 40]); // prettier-ignore
    assert.equal(new Date(late!.times.at(-1)!).toISOString().slice(0, 10), '2024-01-04');
  });
});

describe('JSON object with very many names', () => {
  /** What a thread of so little memory answers. */
  const answerOf = async (content: string) => {
    const worker = new Worker(threads.series, {
      workerData: {},
      resourceLimits: { maxOldGenerationSizeMb: 65, maxYoungGenerationSizeMb: 32 },
    });
    worker.postMessage({
      id: 1,
      call: { operation: 'read', name: 'a.json', args: [{ content }, { fileName: 'a.json' }] },
    });
    try {
      const [answer] = (await once(worker, 'message')) as [{ value?: { series: { points: number }[] }; thrown?: { refused?: { reason: string } } }]; // prettier-ignore
      return answer.value?.series.map(({ points }) => points) ?? answer.thrown?.refused?.reason;
    } finally {
      await worker.terminate();
    }
  };
  const objectOf = (size: number, member: (place: number) => string) =>
    `{${Array.from({ length: size }, (_, place) => member(place)).join()}}`;

  it('is read if they are times and refused if they are columns, both in little memory', async () => {
    const times = objectOf(200_000, (minute) => `"${new Date(minute * 60_000).toISOString()}":{"v":${minute % 977}}`);
    assert.deepEqual(await answerOf(times), [200_000]);
    assert.equal(await answerOf(objectOf(200_000, (place) => `"k${place}":${place}`)), 'too-large');
  });
});

import assert from 'node:assert/strict';
import { lines, read } from '../helpers.ts';
import { writeSeries } from '../../../../src/reading/writing/write.ts';

const rowsOf = (ids: readonly string[]) => ids.flatMap((ean) => [1, 2, 3, 4, 5, 6, 7, 8].map((day) => ({ ean, day: `2024-01-0${day}`, sold: day * ean.length }))); // prettier-ignore
const csvOf = (ids: readonly string[]) => {
  const rows = rowsOf(ids);
  return lines(rows.length, (i) => Object.values(rows[i]!).join(','), 'ean,day,sold');
};

describe('ids of digits', () => {
  const all = [
    ['01001', '02001'],
    ['012345678', '022345678'],
    ['0123456789', '0223456789'],
    ['0012345678905', '0012345678912'],
    ['001234567890123456', '001234567890123457'],
  ];

  it('are neither times nor values where they begin with a zero, and keep it', () => {
    for (const ids of all) {
      assert.deepEqual(read(csvOf(ids)).series.map(({ id }) => id), ids); // prettier-ignore
      assert.deepEqual(read(JSON.stringify(rowsOf(ids)), 'a.json').series.map(({ id }) => id), ids); // prettier-ignore
    }
  });

  it('are written as they were read, also in JSON', () => {
    for (const ids of all) {
      const csv = read(csvOf(ids));
      assert.equal(writeSeries(csv.series, csv.format), csvOf(ids));
      for (const kind of ['json', 'ndjson'] as const) {
        const text = writeSeries(csv.series, { ...csv.format, kind });
        assert.deepEqual(read(text, `a.${kind}`).series.map(({ id }) => id), ids, text.slice(0, 80)); // prettier-ignore
      }
    }
  });

  it('leave counts since 1970 the numbers that they were', () => {
    for (const first of [1_704_067_200, 1_704_067_200_000, 1_704_067_200_000_000]) {
      const step = first / 1_704_067_200;
      const text = JSON.stringify(Array.from({ length: 8 }, (_, i) => ({ t: first + i * 3600 * step, kW: i })));
      const { series, format } = read(text, 'a.json');
      assert.equal(series[0]?.frequency?.unit, 'hour');
      assert.deepEqual(JSON.parse(writeSeries(series, format)), JSON.parse(text));
    }
  });
});

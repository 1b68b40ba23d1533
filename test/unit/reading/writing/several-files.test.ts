import assert from 'node:assert/strict';
import type { DocumentFormat } from '../../../../src/reading/types.ts';
import { writeSeries, type WritableSeries } from '../../../../src/reading/writing/write.ts';

const csv: DocumentFormat = {
  kind: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  header: true,
  skippedLines: 0,
  decimal: '.',
};
const month = (index: number) => Date.UTC(2024, index, 1);
const forecast = (file: string, quantiles: Record<string, number[]>): WritableSeries => ({
  id: 'sales',
  file,
  timeKind: 'period',
  times: [month(2), month(3)],
  values: [5, 6],
  quantiles,
});
const rowsOf = (text: string) => text.trimEnd().split('\n');

describe('forecasts of several files in one table', () => {
  it('are stacked with their file under common column names', () => {
    const text = writeSeries([forecast('a.csv', { '0.1': [4, 5] }), forecast('b.csv', { '0.9': [7, 8] })], csv);
    const [head, first, , third] = rowsOf(text);
    assert.equal(head, 'file,series,timestamp,value,0.1,0.9');
    assert.equal(first, 'a.csv,sales,2024-03-01,5,4,');
    assert.equal(third, 'b.csv,sales,2024-03-01,5,,7');
  });

  it('have row numbers for series without times', () => {
    const rows = { ...forecast('a.csv', {}), timeKind: 'row', times: [9_000, 10_000] } as const;
    const [, first, second] = rowsOf(writeSeries([rows, forecast('b.csv', {})], csv));
    assert.equal(first, 'a.csv,sales,10,5');
    assert.equal(second, 'a.csv,sales,11,6');
  });

  it('have their history in its own column before the interval limits', () => {
    const one = {
      ...forecast('a.csv', { '0.1': [4, 5], '0.9': [7, 8] }),
      forecast: { names: 'limits', history: { times: [month(0), month(1)], values: [1, 2] } },
    } as const;
    const [head, first, , third] = rowsOf(writeSeries([one], csv));
    const columns = head!.split(',');
    assert.deepEqual(columns.slice(-4), ['value', 'lower_80', 'forecast', 'upper_80']);
    assert.deepEqual(first!.split(',').slice(-4), ['1', '', '', '']);
    assert.deepEqual(third!.split(',').slice(-4), ['', '4', '5', '7']);
  });
});

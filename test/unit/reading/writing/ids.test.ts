import assert from 'node:assert/strict';
import { lines, read } from '../helpers.ts';
import { writeSeries } from '../../../../src/reading/writing/write.ts';

const rowsOf = (ids: readonly string[]) => ids.flatMap((ean) => [1, 2, 3, 4, 5, 6, 7, 8].map((day) => ({ ean, day: `2024-01-0${day}`, sold: day * ean.length }))); // prettier-ignore
const csvOf = (ids: readonly string[]) => {
  const rows = rowsOf(ids);
  return lines(rows.length, (i) => Object.values(rows[i]!).join(','), 'ean,day,sold');
};

describe('numeric ids', () => {
  const all = [
    ['01001', '02001'],
    ['012345678', '022345678'],
    ['0123456789', '0223456789'],
    ['0012345678905', '0012345678912'],
    ['001234567890123456', '001234567890123457'],
  ];

  it('with leading zeros are neither times nor values, and keep their zeros', () => {
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

  const long = ['123456789012345678', '123456789012345679', '987654321098765432'];
  /** As a program writes them that has whole numbers of any length. */
  const bare = (text: string) => text.replaceAll(/"(\d{16,})"/g, '$1');

  it('keep every digit beyond double precision, also as JSON numbers', () => {
    const text = bare(JSON.stringify(rowsOf(long)));
    assert.match(text, /"ean":123456789012345678,/);
    const files = [['a.csv', csvOf(long)], ['a.json', text], ['a.ndjson', text.slice(1, -1).replaceAll('},{', '}\n{')]] as const; // prettier-ignore
    for (const [name, content] of [...files, ['b.json', text.replaceAll('"sold":18', '"sold":NaN')] as const]) {
      const { series, problems } = read(content, name);
      assert.deepEqual(series.map(({ id }) => id), long, name); // prettier-ignore
      assert.deepEqual([series[0]?.points, series[0]?.duplicates], [name === 'b.json' ? 7 : 8, 0]);
      assert.deepEqual(problems.filter(({ severity }) => severity === 'error'), []); // prettier-ignore
    }
  });

  it('beyond double precision or named id are not values', () => {
    const order = (i: number) => 123_456_789_012_345_678n + BigInt(i) * 7919n;
    const rows = lines(30, (i) => `${new Date(Date.UTC(2024, 0, i + 1)).toISOString().slice(0, 10)},${order(i)},${i}`, 'day,order_id,sold'); // prettier-ignore
    const { series, choices } = read(rows);
    assert.deepEqual(series.map(({ valueColumn }) => valueColumn), ['sold']); // prettier-ignore
    assert.deepEqual(choices, []);
  });

  it('do not include long amounts', () => {
    const wei = (i: number) => 123_456_789_012_345_678n + BigInt(i * i) * 1_000_000_007n;
    const day = (i: number) => new Date(Date.UTC(2024, 0, i + 1)).toISOString().slice(0, 10);
    const single = read(lines(30, (i) => `${day(i)},${wei(i)}`, 'day,wei'));
    assert.deepEqual([single.series.length, single.series[0]?.values[0]], [1, Number(wei(0))]);
    const twice = read(lines(60, (i) => `${day(i >> 1)},${'AB'[i % 2]},${wei(i)}`, 'day,chain,wei'));
    assert.deepEqual(twice.series.map(({ id, points }) => [id, points]), [['A', 30], ['B', 30]]); // prettier-ignore
    const nameless = read(lines(60, (i) => `${day(i >> 1)},${wei(i)}`, 'day,wei'));
    assert.equal(nameless.series.length, 1, 'they tell no series apart');
    const alone = read(bare(JSON.stringify({ wei: Array.from({ length: 30 }, (_, i) => `98${wei(i)}`) })), 'a.json');
    assert.equal(alone.series[0]?.points, 30);
  });

  it('do not include long amounts if no other column has values', () => {
    const day = (i: number) => new Date(Date.UTC(2024, 0, i + 1)).toISOString().slice(0, 10);
    const wei = (i: number) => 123_456_789_012_345_678n + BigInt(i % 7) * 1_000_000_007n;
    const amount = (i: number) => (i % 5 === 0 ? String(wei(i)) : String(i % 9));
    const tables = [
      ['day,wei', (i: number) => `${day(i >> 1)},${amount(i)}`],
      ['day,in,out', (i: number) => `${day(i >> 1)},${amount(i)},${amount(i + 1)}`],
      ['n,year,day,wei', (i: number) => `${i},2024,${day(i >> 1)},${amount(i)}`],
    ] as const;
    for (const [head, row] of tables) {
      const { series, problems } = read(lines(60, row, head), 'file.csv', { aggregate: null });
      assert.deepEqual(series.map(({ valueColumn, points }) => [valueColumn, points]), head.split(',').filter((name) => /wei|in|out/.test(name)).map((name) => [name, 30]), head); // prettier-ignore
      assert.deepEqual(problems.filter(({ severity }) => severity === 'error'), []); // prettier-ignore
    }
    const shops = read(lines(60, (i) => `${day(i >> 1)},${i % 2},${amount(i)}`, 'day,shop_id,wei'));
    assert.deepEqual(shops.series.map(({ id, valueColumn }) => [id, valueColumn]), [['0', 'wei'], ['1', 'wei']]); // prettier-ignore
  });

  it('do not include epoch times', () => {
    for (const first of [1_704_067_200, 1_704_067_200_000, 1_704_067_200_000_000]) {
      const step = first / 1_704_067_200;
      const text = JSON.stringify(Array.from({ length: 8 }, (_, i) => ({ t: first + i * 3600 * step, kW: i })));
      const { series, format } = read(text, 'a.json');
      assert.equal(series[0]?.frequency?.unit, 'hour');
      assert.deepEqual(JSON.parse(writeSeries(series, format)), JSON.parse(text));
    }
  });
});

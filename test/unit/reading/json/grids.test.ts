import assert from 'node:assert/strict';
import { findGrids } from '../../../../src/reading/json/grids.ts';
import { brief, only, read } from '../helpers.ts';

const days = [1, 2, 3, 4, 5, 6, 7, 8].map((day) => `2024-01-0${day}`);
const briefly = (value: unknown) => read(JSON.stringify(value), 'a.json').series.map(brief);
const DAILY = 'P1D 2024-01-01..2024-01-08 8 0';

describe('JSON of other programs', () => {
  it('reads pandas tables in each orientation', () => {
    const records = days.map((ds, y) => ({ ds, y }));
    const split = { columns: ['ds', 'y'], index: days.map((_, row) => row), data: days.map((ds, y) => [ds, y]) };
    const indexed = { columns: ['y'], index: days, data: days.map((_, y) => [y]) };
    const byColumn = { y: Object.fromEntries(days.map((ds, y) => [ds, y])) };
    const numbered = {
      ds: Object.fromEntries(days.map((ds, row) => [row, ds])),
      y: Object.fromEntries(days.map((_, row) => [row, row])),
    };
    const byIndex = Object.fromEntries(days.map((ds, y) => [ds, { y }]));
    const byTime = Object.fromEntries(days.map((ds, y) => [ds, y]));
    for (const value of [records, split, indexed, byColumn, numbered, byIndex])
      assert.deepEqual(briefly(value), [`y ${DAILY}`], JSON.stringify(value));
    assert.deepEqual(briefly(byTime), [`value ${DAILY}`]);
  });

  it('reads arrays of columns and arrays of rows', () => {
    assert.deepEqual(briefly({ ds: days, y: [1, 2, 3, 4, 5, 6, 7, 8] }), [`y ${DAILY}`]);
    assert.equal(
      briefly(days.map((ds, y) => [ds, y]))[0]
        ?.split(' ')
        .slice(-4)
        .join(' '),
      DAILY,
    );
  });

  it('reads rows of cells below a row with their names', () => {
    const rows = days.map((day, row) => [day, row, `a${row % 2}`]);
    assert.deepEqual(briefly([['day', 'sold', 'by'], ...rows]), [`sold ${DAILY}`]);
    const texts = rows.map((row) => row.map(String));
    assert.deepEqual(briefly({ range: 'A1:B9', values: [['Date', 'Sales', 'Sales'], ...texts] })[0], `Sales ${DAILY}`);
    const serials = days.map((_, row) => [45_292 + row, row]);
    assert.deepEqual(briefly({ values: [['Date', 'Sales'], ...serials] }), [`Sales ${DAILY}`]);
    const missing = [['Rome', 'n/a'], ...days.map((_, row) => ['Rome', String(row)])];
    assert.deepEqual(briefly(missing), ['a – rows 8 0'], 'no name n/a');
    const cells = Array.from({ length: 20 }, (_, y) => [`2024-01-${y + 10}`, y === 3 ? 'oops' : y]);
    const lines = [['day', 'y'], ...cells].map((row) => JSON.stringify(row));
    assert.deepEqual(read(`[${lines.join(',\n')}]`, 'a.json').problems.map(({ line }) => line), [5]); // prettier-ignore
  });

  it('reads a list of values for each time, also one row a line', () => {
    const rows = days.map((time, row) => ({ time, values: [row, row * 10, null] }));
    const expected = [`values 1 ${DAILY}`, `values 2 ${DAILY}`];
    assert.deepEqual(briefly(rows), expected);
    assert.deepEqual(
      briefly({ name: 'meters', data: rows }),
      expected.map((each) => `meters/${each}`),
    );
    assert.deepEqual(read(rows.map((row) => JSON.stringify(row)).join('\n'), 'a.ndjson').series.map(brief), expected);
    const epochs = days.map((time, row) => ({ t: Date.parse(time) / 1000, v: [row, -row] }));
    assert.deepEqual(briefly(epochs), [`v 1 ${DAILY}`, `v 2 ${DAILY}`]);
    // beside a number of the row a list is no more of them
    assert.deepEqual(briefly(days.map((time, y) => ({ time, y, at: [48 + y, 11] }))), [`y ${DAILY}`]);
  });

  it('reads a start, a frequency and values, as GluonTS writes them, in the zone of the start', () => {
    const [naive] = briefly({ item_id: 'a', start: '2024-01-01', freq: 'D', target: [1, 2, 3, 4, 5, 6, 7, 8] });
    assert.equal(naive, `a ${DAILY}`);
    const zoned = { start: '2024-01-01T00:00:00+09:00', freq: 'MS', target: [1, 2, 3, 4, 5, 6] };
    const { times, timeZone } = only(JSON.stringify(zoned), 'a.json');
    assert.equal(timeZone, '+09:00');
    assert.equal(new Date(times[2]!).toISOString(), '2024-02-29T15:00:00.000Z', 'the first of March in Tokyo');
    const [untimed] = read(JSON.stringify({ target: [1, 2, null, 4] }), 'a.json').series;
    assert.deepEqual([untimed?.timeKind, untimed?.missing], ['row', 1]);
  });

  it('reads Prometheus answers, with series named by labels', () => {
    const result = ['north', 'south'].map((zone) => ({
      metric: { __name__: 'load', zone },
      values: days.map((_, row) => [1_704_067_200 + row * 86_400, String(row + 0.5)]),
    }));
    const answer = { status: 'success', data: { resultType: 'matrix', result } };
    assert.deepEqual(briefly(answer), [`load zone=north ${DAILY}`, `load zone=south ${DAILY}`]);
  });

  it('names several series by their keys and takes small ones for settings', () => {
    const points = days.map((timestamp, value) => ({ timestamp, value }));
    const value = { shops: { north: points, south: points }, colors: [{ r: 1, g: 2 }], metadata: points };
    assert.deepEqual(briefly(value), [`north ${DAILY}`, `south ${DAILY}`]);
  });

  it('finds series up to seven levels deep', () => {
    const deep = (levels: number): unknown => (levels === 0 ? [1, 2, 3, 4] : { a: deep(levels - 1) });
    assert.equal(findGrids(deep(7)).length, 1);
    assert.equal(findGrids(deep(8)).length, 0);
    assert.deepEqual(findGrids([]), []);
    assert.deepEqual(findGrids('text'), []);
    assert.deepEqual(findGrids({ a: { b: [] } }), []);
  });

  it('does not read few cells spread over many columns as a table', () => {
    const value = Object.fromEntries(
      Array.from({ length: 40 }, (_, column) => [
        `c${column}`,
        Object.fromEntries(column === 0 ? days.map((ds, y) => [ds, y]) : [[days[0]!, 1]]),
      ]),
    );
    assert.ok(findGrids(value).every(({ size }) => size < 40 * days.length));
  });

  it('keeps the position of each row in the file', () => {
    const [table] = findGrids({ meta: 1, data: { rows: days.map((ds, y) => ({ ds, y })) } });
    assert.deepEqual(table?.path, ['data', 'rows']);
    assert.equal(table?.size, 8);
  });
});

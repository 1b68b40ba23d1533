import assert from 'node:assert/strict';
import { Column, Floats } from '../../../../src/reading/columns/column.ts';
import { HOSTILE } from '../hostile-documents.ts';
import { readSeries } from '../../../../src/reading/read.ts';
import { lines, read } from '../helpers.ts';

const columnOf = (rows: number, cells: Readonly<Record<number, string | number>>) => {
  const column = new Column('y');
  for (const [row, cell] of Object.entries(cells)) column.put(Number(row), cell);
  column.finish(rows);
  column.numbers = column.reader?.in('.');
  return column;
};

/** How often a method is called while something is done. */
function callsOf<K extends string>(prototype: Record<K, (...args: never[]) => void>, method: K, work: () => void) {
  const own = prototype[method];
  let calls = 0;
  prototype[method] = function (this: unknown, ...args: never[]) {
    calls++;
    own.apply(this, args);
  };
  try {
    work();
  } finally {
    prototype[method] = own;
  }
  return calls;
}

describe('Column', () => {
  it('has no value in skipped rows before, between and after its cells', () => {
    const column = columnOf(7, { 2: '1.5', 4: 2 });
    assert.equal(column.rows, 7);
    assert.deepEqual([...column.numbers!.values], [NaN, NaN, 1.5, NaN, 2, NaN, NaN]);
  });

  it('has an empty text in skipped rows of a text column', () => {
    const { codes, numbers } = columnOf(4, { 1: 'a', 2: 'b' }).texts!;
    assert.deepEqual([...codes.all()], [0, 1, 2, 0]);
    assert.deepEqual([...numbers.keys()], ['', 'a', 'b']);
  });

  it('takes time and memory by its cells, not by the rows of the table', () => {
    for (const name of ['rows with ever new names', 'lines with ever new names', 'wide rows, then narrow ones']) {
      const [fileName, make] = HOSTILE[name]!;
      const document = make(16_384);
      const work = () => {
        try {
          readSeries(document, { fileName, missing: 'report' });
        } catch {
          // a sentence is as good here
        }
      };
      const cells = document.length / 2;
      assert.ok(callsOf(Column.prototype, 'put', work) <= cells, `${name}: cells`);
      assert.ok(callsOf(Floats.prototype, 'push', work) <= 2 * cells, `${name}: numbers`);
    }
  });

  it('is numeric although half of its cells are limits, but not if they are classes', () => {
    const rows = (cell: (row: number) => string) =>
      lines(60, (row) => `2022-${String(1 + (row % 12)).padStart(2, '0')}-${String(1 + Math.floor(row / 12)).padStart(2, '0')},${cell(row)}`, 'day,interest'); // prettier-ignore
    const [series] = read(rows((row) => (row % 5 < 3 ? '<1' : String(row)))).series;
    assert.equal(series?.points, 60);
    assert.ok(series.values.includes(0.5));
    const classes = columnOf(60, Object.fromEntries(Array.from({ length: 60 }, (_, row) => [row, ['<18', '18-65', '>65'][row % 3]!]))); // prettier-ignore
    assert.equal(classes.numbers, undefined);
  });

  it('has decimal commas if dates are written with dots', () => {
    const document = read(
      lines(40, (row) => `${String(1 + (row % 28)).padStart(2, '0')}.0${1 + Math.floor(row / 28)}.2024;${10 + row},${100 + row}`, 'Datum;Arbeit'),
    ); // prettier-ignore
    assert.deepEqual(document.choices, []);
    assert.equal(document.series[0]?.values[0], 10.1);
  });
});

describe('table of months by years', () => {
  it('reads Japanese and Korean era years, and Dutch month abbreviations', () => {
    const japan = read(lines(12, (row) => `${row + 1}月,${row},${row + 12},${row + 24}`, '月,2021年,2022年,2023年'));
    assert.deepEqual(japan.series[0]?.summary.split(' · ').slice(1, 3), ['monthly', 'Jan 2021 – Dec 2023']);
    const months = ['jan', 'feb', 'mrt', 'apr', 'mei', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'dec'];
    const dutch = read(lines(3, (row) => [2021 + row, ...months.map((_, at) => at + row)].join(';'), `Jaar;${months.join(';')}`)); // prettier-ignore
    assert.equal(dutch.series[0]?.points, 36);
  });
});

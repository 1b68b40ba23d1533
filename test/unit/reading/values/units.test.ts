import assert from 'node:assert/strict';
import { commonUnit, withoutUnit } from '../../../../src/reading/values/numbers.ts';
import { brief, lines, only, read } from '../helpers.ts';

const day = (row: number) => `2024-01-${String(row + 1).padStart(2, '0')}`;
const file = (cell: (row: number) => string, before = '', head = 'date,load') =>
  lines(20, (row) => `${day(row)},${before}${cell(row)}`, head);

describe('unit after the numbers of a column', () => {
  it('is the same in nearly all cells that have one', () => {
    assert.equal(commonUnit(['5.1 °C', '5.3 °C', '6 °C']), '°C');
    assert.equal(commonUnit(['1,5kWh', '1,6kWh', '', '2kWh'].filter(Boolean)), 'kWh');
    assert.equal(commonUnit(['1 ct/kWh', '2 ct/kWh', '3', '4 ct/kWh']), 'ct/kWh');
    assert.equal(withoutUnit('5.1 °C', '°C'), '5.1');
    assert.equal(withoutUnit('5.1 K', '°C'), '5.1 K');
  });

  it('is absent if units vary, numbers are few, or the text is something else', () => {
    for (const cells of [[], ['1 GiB', '500 MiB', '2 GiB'], ['10Y', '2Y', '10Y'], ['1 Jan', '2 Jan', '3 Jan'], ['A1', 'A2', 'A3'], ['1 a b', '2 c d', '3 e f'], ['x', 'y', 'z'], ['1', '2', '3'], ['1', '2', '3', '4', '5 p', '6 p']])
      assert.equal(commonUnit(cells), undefined, cells[0]); // prettier-ignore
  });

  it('is not one of a few classes, such as sizes', () => {
    const sizes = (count: number) => Array.from({ length: count }, (_, row) => `${[32, 64, 128, 256][row % 4]!} GB`);
    assert.equal(commonUnit(sizes(16)), 'GB');
    assert.equal(commonUnit(sizes(40)), undefined);
    const phones = lines(60, (row) => `2024-${String(1 + Math.floor(row / 28)).padStart(2, '0')}-${String((row % 28) + 1).padStart(2, '0')},${[13, 15, 17][row % 3]!} inch,${row}.5`, 'date,size,sales'); // prettier-ignore
    assert.deepEqual(read(phones).series.map(({ valueColumn }) => valueColumn), ['sales']); // prettier-ignore
  });

  it('leaves values unchanged, also beside other columns', () => {
    assert.deepEqual([...only(file((row) => `${row}.5 °C`)).values.slice(0, 3)], [0.5, 1.5, 2.5]);
    const both = read(file((row) => `${row % 7}%,${row + 20}.25 GiB`, '', 'date,cpu,ram'));
    assert.deepEqual(both.series.map(({ id }) => id), ['cpu', 'ram']); // prettier-ignore
    const german = lines(20, (row) => `${day(row)};1.${200 + row},5 kWh`, 'Tag;Verbrauch');
    assert.equal(only(german).values[3], 1203.5);
  });

  it('names the cell with another unit, and does not split series by bond terms', () => {
    const { problems } = read(file((row) => (row === 4 ? '900 MiB' : `${row}.5 GiB`)));
    assert.deepEqual(problems.map(({ line, message }) => [line, message]), [[6, '“900 MiB” is not a number.']]); // prettier-ignore
    const terms = lines(60, (row) => `${day(Math.floor(row / 3))},${[2, 5, 10][row % 3]!}Y,${row / 10}`, 'date,term,rate'); // prettier-ignore
    assert.deepEqual(read(terms).series.map(brief), ['2Y', '5Y', '10Y'].map((id) => `${id} P1D 2024-01-01..2024-01-20 20 0`)); // prettier-ignore
  });

  it('explains why a remembered choice fails', () => {
    const text = file((row) => 'xyz'[row % 3]!, '5,', 'date,load,kind');
    assert.throws(() => read(text, 'a.csv', { valueColumns: ['kind'] }), /The column “kind” has no numbers. Choose another one./); // prettier-ignore
  });
});

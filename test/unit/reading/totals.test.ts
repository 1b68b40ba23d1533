import assert from 'node:assert/strict';
import { readSeries } from '../../../src/reading/read.ts';
import { brief, lines, pad } from './helpers.ts';

const read = (text: string, layout = {}) => readSeries(text, { fileName: 'sales.csv', layout });
const month = (i: number) => `${2022 + Math.floor(i / 12)}-${pad((i % 12) + 1)}`;
const amount = (i: number) => 100 + ((i * 37) % 50);
const sum = Array.from({ length: 24 }, (_, i) => amount(i)).reduce((a, b) => a + b);
const body = lines(24, (i) => `${month(i)},${amount(i)}`);
const EXPECTED = 'sales P1M 2022-01-01..2023-12-01 24 0';

const joined = (total: string) =>
  lines(42, (row) => `${row % 3 === 0 ? `2024-01-${pad(1 + row / 3)}` : ''},${'ABC'[row % 3]},${row + 1}`, 'date,shop,sales') + total; // prettier-ignore

describe('total below merged day cells', () => {
  it('is not a row of the last day', () => {
    const { series } = read(joined(',,903\n'));
    assert.deepEqual(series.map(({ id, points }) => [id, points]), [['A', 14], ['B', 14], ['C', 14]]); // prettier-ignore
  });

  it('does not change the day of rows without a note', () => {
    const day = (row: number) => (row % 3 === 0 ? `2024-01-${pad(1 + row / 3)}` : '');
    const note = (row: number) => (row === 16 || row > 57 ? '' : 'fine');
    const { series } = read(lines(60, (row) => `${day(row)},${'ABC'[row % 3]},${note(row)},${row + 1}`, 'date,shop,note,sales')); // prettier-ignore
    assert.deepEqual(series.map(({ points }) => points), [20, 20, 20]); // prettier-ignore
  });
});

describe('total rows', () => {
  const last = ['Total', 'TOTAL:', 'Sum', 'Grand Total', 'Gesamt', 'Summe 2022/23', 'Somme', 'Suma', 'Totale', 'Totaal',
    'Razem', 'Yhteensä', 'Итого', '合计', '総計', '합계', 'Average', 'Toplam']; // prettier-ignore
  for (const label of last) {
    it(`are left out at the end if labeled ${label}`, () => {
      const { series, problems, choices } = read(`month,sales\n${body}${label},${sum}\n`);
      assert.deepEqual(series.map(brief), [EXPECTED]);
      assert.deepEqual(series[0]?.remarks, [
        { kind: 'totals', rows: 1, text: '1 row with a total left out', lines: [[26, 26]] },
      ]);
      assert.deepEqual(problems.map(({ line, severity }) => [line, severity]), [[26, 'info']]); // prettier-ignore
      assert.deepEqual(choices.map(({ kind }) => kind), ['totals']); // prettier-ignore
    });
  }

  it('are left out at the top, between years, and if their value is a formula', () => {
    assert.deepEqual(read(`month,sales\nTotal,${sum}\n${body}`).series.map(brief), [EXPECTED]);
    const years = body.replace('2023-01,', 'Total 2022,9\n2023-01,').concat('Total 2023,"=SUM(B14:B25)"\n');
    const [series] = read(`month,sales\n${years}`).series;
    assert.equal(brief(series!), EXPECTED);
    assert.deepEqual(series?.remarks[0]?.lines, [[14, 14], [27, 27]]); // prettier-ignore
  });

  it('are left out without a label if they are the sum, and reported otherwise', () => {
    assert.deepEqual(read(`month,sales\n${body},${sum}\n`).series.map(brief), [EXPECTED]);
    assert.throws(() => read(`month,sales\n${body},${sum + 5}\n`), /This row has a value but no time/);
  });

  it('are left out whatever they are called if they are the sum, also below months by years', () => {
    assert.deepEqual(read(`month,sales\n${body}Guztira,${sum}\n`).series.map(brief), [EXPECTED]);
    assert.throws(() => read(`month,sales\n${body}Guztira,${sum + 5}\n`), /“Guztira” is not a time/);
    const months = ['janv', 'févr', 'mars', 'avr', 'mai', 'juin', 'juil', 'août', 'sept', 'oct', 'nov', 'déc'];
    const sumOf = (rows: readonly number[]) => rows.reduce((all, row) => all + row, 0);
    const years = months.map((_, row) => [0, 1, 2, 3].map((year) => amount(row * 5 + year)));
    const rows = years.map((cells, row) => [months[row], ...cells, sumOf(cells)].join(';'));
    const last = [0, 1, 2, 3].map((year) => sumOf(years.map((cells) => cells[year]!)));
    for (const name of ['Total général', 'Guztira']) {
      const head = `Étiquettes;2019;2020;2021;2022;${name}`;
      const { series, problems } = read(`${head}\n${rows.join('\n')}\n${name};${last.join(';')};${sumOf(last)}\n`);
      assert.deepEqual(series.map(brief), ['sales P1M 2019-01-01..2022-12-01 48 0']);
      assert.deepEqual(problems.map(({ line, severity }) => [line, severity]), [[14, 'info']]); // prettier-ignore
    }
  });

  it('are left out between the rows that they are the sums of', () => {
    const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const cells = names.map((_, row) => [0, 1, 2].map((year) => amount(row * 5 + year)));
    const sumOf = (rows: readonly (readonly number[])[]) => [0, 1, 2].map((at) => rows.reduce((all, row) => all + row[at]!, 0));
    const quarter = (row: number) => (row % 3 === 2 ? [`Q${(row + 1) / 3},${sumOf(cells.slice(row - 2, row + 1)).join()}`] : []);
    const rows = names.flatMap((name, row) => [`${name},${cells[row]!.join()}`, ...quarter(row)]);
    const across = read(`Month,2021,2022,2023\n${rows.join('\n')}\nYear,${sumOf(cells).join()}\n`);
    assert.deepEqual(across.series.map(brief), ['sales P1M 2021-01-01..2023-12-01 36 0']);
    assert.match(across.problems[0]!.message, /contains the sum of the others.* This occurs in 5 places/);
    const years = [2021, 2022, 2023].flatMap((year, at) => [
      ...names.map((name, row) => `${year},${name},${cells[row]![at]}`),
      `${year},Guztira,${sumOf(cells)[at]}`,
    ]);
    const { series, problems } = read(`Year,Month,Sales\n${years.join('\n')}\n`);
    assert.deepEqual(series.map(brief), ['Sales P1M 2021-01-01..2023-12-01 36 0']);
    assert.deepEqual(problems.map(({ line, severity }) => [line, severity]), [[14, 'info']]);
  }); // prettier-ignore

  it('of years are left out above their months or quarters in the same column', () => {
    const parts = { Sales: ['Jan', 'Feb', 'Mrz', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez'], GDP: ['Qtr1', 'Qtr2', 'Qtr3', 'Qtr4'] }; // prettier-ignore
    for (const [name, labels] of Object.entries(parts)) {
      const years = [2021, 2022, 2023].flatMap((year) => {
        const cells = labels.map((label, row) => [label, amount(year + row)] as const);
        return [`${year},${cells.reduce((all, [, cell]) => all + cell, 0)}`, ...cells.map((cell) => cell.join())];
      });
      const { series, problems } = read(`Row Labels,${name}\n${years.join('\n')}\nGrand Total,9\n`);
      const [one] = series;
      const count = 3 * labels.length;
      assert.deepEqual([one!.id, one!.points, one!.gaps, series.length], [name, count, 0, 1]);
      assert.equal(one!.frequency?.unit, name === 'GDP' ? 'quarter' : 'month');
      assert.ok(problems.every(({ severity }) => severity === 'info'));
    }
  });

  it('are found by a label in another column, in a date part, and after decimal years', () => {
    const regions = lines(24, (i) => `${month(i)},shop,${amount(i)}`);
    assert.equal(brief(read(`month,place,sales\n${regions},Total,9\n`).series[0]!), EXPECTED);
    const parts = lines(24, (i) => `${2022 + Math.floor(i / 12)},${(i % 12) + 1},${amount(i)}`);
    assert.deepEqual(read(`Year,Month,sales\n${parts}Total,,${sum}\n`).series.map(brief), [EXPECTED]);
    const names = lines(24, (i) => `${2022 + Math.floor(i / 12)},${i % 12 < 6 ? 'H1' : 'H2'},${amount(i)}`);
    assert.ok(read(`Year,Half,sales\n${names}Total,,${sum}\n`).series.length > 0);
    const fractions = lines(24, (i) => `${(2022 + i / 12).toFixed(3)},${amount(i)}`);
    assert.deepEqual(read(`time,sales\n${fractions}Total,${sum}\n`).series.map(brief), [EXPECTED]);
    const years = lines(12, (i) => `${2001 + i},${amount(i)}`);
    assert.deepEqual(read(`year,sales\n${years}Total,9\n`).series.map(brief), [
      'sales P1Y 2001-01-01..2012-01-01 12 0',
    ]);
  });

  it('count as a step if the person says so', () => {
    const { series } = read(`month,sales\n${body}Total,${sum}\n`, { totals: 'take' });
    assert.deepEqual(series.map(brief), ['sales P1M 2022-01-01..2024-01-01 25 0']);
    assert.deepEqual([series[0]?.values.at(-1), series[0]?.remarks], [sum, []]);
  });

  it('do not excuse other unreadable rows', () => {
    assert.throws(() => read(`month,sales\n${body}Toronto,9\n`), /“Toronto” is not a time/);
    assert.throws(() => read(`month,sales\n${body}summer,9\n`), /“summer” is not a time/);
  });
});

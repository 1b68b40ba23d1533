import assert from 'node:assert/strict';
import { brief, lines, MONTHS_EN, only } from '../helpers.ts';
import { headerTimes } from '../../../../src/reading/proposals/time-parts.ts';

const days = (cells: readonly string[]) =>
  headerTimes(cells)?.at.map((time) => (Number.isNaN(time) ? '–' : new Date(time).toISOString().slice(0, 10)));

describe('times in a header', () => {
  it('are rising years, months or days beside names', () => {
    assert.deepEqual(days(['name', '2019', '2020', '2021']), ['–', '2019-01-01', '2020-01-01', '2021-01-01']);
    assert.deepEqual(days(['shop', '', 'Jan 2024', 'Feb 2024', 'Mar 2024']), ['–', '–', '2024-01-01', '2024-02-01', '2024-03-01']); // prettier-ignore
    assert.deepEqual(days(['id', '2024-02-28', '2024-02-29', '2024-03-01'])?.[2], '2024-02-29');
    assert.equal(headerTimes(['name', '2019', '2020', '2021'])?.timeKind, 'period', 'years are spans');
    assert.equal(headerTimes(['id', '2024-02-28', '2024-02-29', '2024-03-01'])?.timeKind, 'date');
  });

  it('are also years in steps of two or five, but not numbers that resemble years', () => {
    assert.equal(days(['name', '1990', '1995', '2000', '2005'])?.length, 5);
    assert.equal(headerTimes(['name', '1990', '1995', '2004']), undefined, 'at unequal distances');
    assert.equal(headerTimes(['name', '12', '13', '14']), undefined);
  });

  it('may fall, as in statements with the newest period first', () => {
    const { at } = headerTimes(['name', '2021', '2020', '2019'])!;
    assert.deepEqual(
      at.slice(1),
      [2021, 2020, 2019].map((year) => Date.UTC(year)),
    );
  });

  it('are not fewer than three, fewer than half, unordered, or beside plain numbers', () => {
    assert.equal(headerTimes(['name', '2020', '2021']), undefined);
    assert.equal(headerTimes(['a', 'b', 'c', 'd', 'e', '2019', '2020', '2021']), undefined);
    assert.equal(headerTimes(['name', '2021', '2019', '2020']), undefined);
    assert.equal(headerTimes(['17.5', '2019', '2020', '2021']), undefined, 'a row of values');
    assert.equal(headerTimes(['2018', '2019', '2020', '2021']), undefined, 'nothing says that it is a header');
    assert.equal(headerTimes([]), undefined);
  });

  it('are read although some of their columns contain text', () => {
    const cell = (year: number, month: number) => (month % 4 === 3 ? 'open' : year * 12 + month);
    const months = lines(6, (row) => `${2015 + row},${MONTHS_EN.map((_, month) => cell(row, month)).join()}`, `year,${MONTHS_EN.join()}`); // prettier-ignore
    assert.equal(brief(only(months)), 'file P1M 2015-01-01..2020-11-01 54 17');
  });
});

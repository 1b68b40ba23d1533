import assert from 'node:assert/strict';
import type { LocalPrediction } from '../../../../../src/contract/resources.ts';
import type { ReadSeries } from '../../../../../src/reading/types.ts';
import { columnsOf, columnsView, howFar, offeredTo } from '../../../../../src/editor/views/chart/controls.ts';
import { changedAhead } from '../../../../../src/editor/views/chart/state.ts';
import { useWindow } from '../panels.ts';

const DAY = 86_400_000;
const day = (index: number) => Date.UTC(2024, 0, 1) + index * DAY;
const column = (name: string, values: readonly number[], more: object = {}) => ({ name, kind: 'number', values: Float64Array.from(values), ahead: 2, ...more }); // prettier-ignore

/** Three observed days and two ahead, with these columns. */
const seriesOf = (...columns: object[]): ReadSeries =>
  ({
    id: 'sales',
    valueColumn: 'sold',
    timeKind: 'date',
    times: Float64Array.of(day(0), day(1), day(2)),
    values: Float64Array.of(1, 2, 3),
    beside: { futureTimes: Float64Array.of(day(3), day(4)), columns },
  }) as unknown as ReadSeries;

const point = (index: number, value: number | undefined, covariates?: object) => ({ timestamp: new Date(day(index)).toISOString(), value, ...(covariates ? { metadata: { covariates } } : {}) }); // prettier-ignore
const given = (price: readonly number[]): LocalPrediction =>
  ({ id: 'p', status: 'COMPLETED', input_series: price.map((one, index) => point(index, index < 3 ? index : undefined, { price: one })), prediction_series: [point(3, 1), point(4, 1)] }) as unknown as LocalPrediction; // prettier-ignore

describe('covariates in the controls', () => {
  useWindow();

  it('lists the columns of a file with future values', () => {
    const names = (...columns: object[]) => columnsOf([seriesOf(...columns)]).map(({ name }) => name);
    assert.deepEqual(names(column('price', [1, 2, 3, 4, 5]), column('past', [1, 2, 3], { ahead: 0 })), ['price', 'past']); // prettier-ignore
    assert.deepEqual(names(column('past', [1, 2, 3], { ahead: 0 })), [], 'nothing of it is known in advance');
    assert.deepEqual(names(column('holiday', [], { isCalendar: true }), column('past', [1], { ahead: 0 })), ['holiday']); // prettier-ignore
    assert.deepEqual(names(column('sold', [1, 2, 3, 4, 5]), column('price', [1, 2, 3, 4, 5])), ['price'], 'not the values themselves'); // prettier-ignore
    assert.deepEqual(columnsOf([]), []);
  });

  it('describes how far a covariate is known', () => {
    const series = seriesOf();
    const far = (more: object, of = series) => howFar(column('x', [], more) as never, of);
    assert.match(far({ ahead: 2 }), /^known until 5 Jan 2024|^known until 2024-01-05/);
    assert.equal(far({ ahead: 0 }), 'known for the past only');
    assert.equal(far({ isCalendar: true }), 'known for any horizon');
    assert.equal(far({ ahead: 2 }, { ...series, timeKind: 'row' }), 'known for 2 more rows');
  });

  it('checks the covariates of the request, including those the file no longer has', () => {
    const series = seriesOf(column('price', [1, 2, 3, 4, 5]), column('sky', [1, 2, 3, 4, 5]));
    const view = columnsView(given([1, 2, 3, 4]), series, undefined, true)!;
    assert.deepEqual(view.choices.map(({ name, isUsed }) => [name, isUsed]), [['price', true], ['sky', false]]); // prettier-ignore
    assert.equal(view.canTest, true, 'of the other one it can be found out');
    const renamed = columnsView(given([1, 2, 3, 4]), seriesOf(column('cost', [1, 2, 3, 4, 5])), undefined, true)!;
    assert.deepEqual(renamed.choices.map(({ name, isUsed }) => [name, isUsed]), [['cost', false], ['price', true]]); // prettier-ignore
  });

  it('shows the result of a test of each covariate', () => {
    const series = seriesOf(column('price', [1, 2, 3, 4, 5]), column('sky', [1, 2, 3, 4, 5]));
    const bare = { id: 'p', status: 'COMPLETED', input_series: [] } as unknown as LocalPrediction;
    const { choices, canTest } = columnsView(bare, series, new Map([['price', true], ['sky', false]]), true)!; // prettier-ignore
    assert.deepEqual([choices.map(({ about }) => about.split(' · ')[1]), canTest], [['Helped in a backtest', 'Did not help in a backtest'], false]); // prettier-ignore
    assert.deepEqual(offeredTo(bare), []);
    assert.equal(columnsView(bare, undefined, undefined, true), undefined);
  });

  it('reports that no covariate helped', () => {
    const details = { covariates: { offered: ['price'], used: [] } };
    const { worth, choices } = columnsView({ ...given([1, 2, 3, 4]), details } as unknown as LocalPrediction, undefined, undefined, false)!; // prettier-ignore
    assert.match(worth ?? '', /None of these helped/);
    assert.equal(choices[0].about, 'Did not help in a backtest');
  });

  it('compares future covariates with those in the file now', () => {
    const prediction = given([1, 2, 3, 40, 50]);
    const now = (...values: number[]) => changedAhead(prediction, seriesOf(column('price', values)));
    assert.deepEqual(now(1, 2, 3, 40, 50), []);
    assert.deepEqual(now(9, 9, 9, 40, 50), [], 'the past is not the future');
    assert.deepEqual(now(1, 2, 3, 41, 50), [{ column: 'price', time: day(3), value: 41 }]);
    assert.deepEqual(now(1, 2, 3, 40, NaN), [{ column: 'price', time: day(4), value: null }]);
    assert.deepEqual(changedAhead(prediction, seriesOf(column('cost', [1, 2, 3, 4, 5]))), []);
    assert.deepEqual(changedAhead({ id: 'p', status: 'COMPLETED' }, seriesOf(column('price', [1]))), []);
  });
});

import assert from 'node:assert/strict';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';
import type { Capabilities } from '../../../../../src/client/capabilities.ts';
import type { ReadSeries } from '../../../../../src/reading/types.ts';
import type { Session } from '../../../../../src/editor/connection/connection.ts';
import { Beforehand } from '../../../../../src/editor/views/analysis/beforehand.ts';
import { changedAhead, columnsOf, columnsView, howFar, offeredTo } from '../../../../../src/editor/views/analysis/columns.ts'; // prettier-ignore
import { held, useWindow } from '../panels.ts';

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

describe('columns that a forecast may make use of', () => {
  useWindow();

  it('are those of a file that knows some of them further ahead than the values', () => {
    const names = (...columns: object[]) => columnsOf([seriesOf(...columns)]).map(({ name }) => name);
    assert.deepEqual(names(column('price', [1, 2, 3, 4, 5]), column('past', [1, 2, 3], { ahead: 0 })), ['price', 'past']); // prettier-ignore
    assert.deepEqual(names(column('past', [1, 2, 3], { ahead: 0 })), [], 'nothing of it is known beforehand');
    assert.deepEqual(names(column('holiday', [], { isCalendar: true }), column('past', [1], { ahead: 0 })), ['holiday']); // prettier-ignore
    assert.deepEqual(names(column('sold', [1, 2, 3, 4, 5]), column('price', [1, 2, 3, 4, 5])), ['price'], 'not the values themselves'); // prettier-ignore
    assert.deepEqual(columnsOf([]), []);
  });

  it('say how far they are known', () => {
    const series = seriesOf();
    const far = (more: object, of = series) => howFar(column('x', [], more) as never, of);
    assert.match(far({ ahead: 2 }), /^known until 5 Jan 2024|^known until 2024-01-05/);
    assert.equal(far({ ahead: 0 }), 'known of the past only');
    assert.equal(far({ isCalendar: true }), 'known for as long as you like');
    assert.equal(far({ ahead: 2 }, { ...series, timeKind: 'row' }), 'known for 2 rows more');
  });

  it('are ticked where the forecast was given them, those of another time too', () => {
    const series = seriesOf(column('price', [1, 2, 3, 4, 5]), column('sky', [1, 2, 3, 4, 5]));
    const view = columnsView(given([1, 2, 3, 4]), series, undefined, true)!;
    assert.deepEqual(view.choices.map(({ name, isUsed }) => [name, isUsed]), [['price', true], ['sky', false]]); // prettier-ignore
    assert.equal(view.canTest, true, 'of the other one it can be found out');
    const renamed = columnsView(given([1, 2, 3, 4]), seriesOf(column('cost', [1, 2, 3, 4, 5])), undefined, true)!;
    assert.deepEqual(renamed.choices.map(({ name, isUsed }) => [name, isUsed]), [['cost', false], ['price', true]]); // prettier-ignore
  });

  it('say what a test of them found', () => {
    const series = seriesOf(column('price', [1, 2, 3, 4, 5]), column('sky', [1, 2, 3, 4, 5]));
    const bare = { id: 'p', status: 'COMPLETED', input_series: [] } as unknown as LocalPrediction;
    const { choices, canTest } = columnsView(bare, series, new Map([['price', true], ['sky', false]]), true)!; // prettier-ignore
    assert.deepEqual([choices.map(({ about }) => about.split(' · ')[1]), canTest], [['Helped on a backtest', 'Did not help on a backtest'], false]); // prettier-ignore
    assert.deepEqual(offeredTo(bare), []);
    assert.equal(columnsView(bare, undefined, undefined, true), undefined);
  });

  it('say that none of them helped where that is so', () => {
    const details = { covariates: { offered: ['price'], used: [] } };
    const { worth, choices } = columnsView({ ...given([1, 2, 3, 4]), details } as unknown as LocalPrediction, undefined, undefined, false)!; // prettier-ignore
    assert.match(worth ?? '', /none of these helped/);
    assert.equal(choices[0].about, 'Did not help on a backtest');
  });

  it('are compared with what the file says of the future now, of the days that it says something of', () => {
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

describe('what is known beforehand of the series of a chart', () => {
  useWindow();
  const offers = { rules: () => ({}), has: () => true } as unknown as Capabilities;
  const series = seriesOf(column('price', [1, 2, 3, 4, 5]));
  const bare = { id: 'p', status: 'COMPLETED', ai_model_id: 'theta', input_series: [] } as unknown as LocalPrediction;

  it('is found out by a test of the file’s columns, told of this chart only', async () => {
    const answer = held<{ covariates: { name: string; helps: boolean }[] }>();
    const asked: { ai_model_id?: string }[] = [];
    const session = { client: { testCovariates: (request: object) => { asked.push(request); return answer.promise; } } } as unknown as Session; // prettier-ignore
    const known = new Beforehand();
    await known.test(session, bare);
    assert.equal(asked.length, 0, 'there is nothing to test');
    known.came(series);
    const testing = known.test(session, bare);
    assert.equal(asked[0].ai_model_id, 'theta');
    answer.keep({ covariates: [{ name: 'price', helps: true }] });
    await testing;
    assert.match(known.controls(bare, offers, true).columns!.choices[0].about, /Helped/);
    assert.equal(known.controls(bare, offers, false).columns, undefined, 'a forecast of a part takes no other columns');
  });

  it('is not that of the series before, whose test comes late', async () => {
    const answer = held<{ covariates: { name: string; helps: boolean }[] }>();
    const session = { client: { testCovariates: () => answer.promise } } as unknown as Session;
    const known = new Beforehand();
    known.came(series);
    const testing = known.test(session, bare);
    known.turn();
    assert.equal(known.hasColumns, false);
    answer.keep({ covariates: [{ name: 'price', helps: true }] });
    await testing;
    known.came(series);
    assert.doesNotMatch(known.controls(bare, offers, true).columns!.choices[0].about, /Helped/);
    known.dispose();
  });

  it('is not the test of another series, where that was there before', async () => {
    const session = { client: { testCovariates: () => Promise.resolve({ covariates: [{ name: 'price', helps: true }] }) } } as unknown as Session; // prettier-ignore
    const known = new Beforehand();
    known.came(series);
    await known.test(session, bare);
    known.turn();
    known.came(seriesOf(column('price', [5, 4, 3, 2, 1])));
    const { choices, canTest } = known.controls(bare, offers, true).columns!;
    assert.deepEqual([/Helped/.test(choices[0].about), canTest], [false, true]);
  });
});

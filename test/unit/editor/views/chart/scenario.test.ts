import assert from 'node:assert/strict';
import type { Capabilities } from '../../../../../src/client/capabilities.ts';
import type { LocalPrediction } from '../../../../../src/contract/resources.ts';
import { columnsView, controlsOf } from '../../../../../src/editor/views/chart/controls.ts';
import { comparedTable, differenceWords, totalOf } from '../../../../../src/editor/views/chart/comparison.ts';
import { scenarioName, startOf, supposedSeries } from '../../../../../src/editor/views/chart/state.ts';

const day = (index: number): string => new Date(Date.UTC(2024, 4, 1 + index)).toISOString();
const at = (index: number): number => Date.UTC(2024, 4, 1 + index);

/** Two observations; of the two steps after them something is known, and the forecast goes one further. */
const prediction = {
  id: 'p',
  status: 'COMPLETED',
  input_series: [
    { timestamp: day(0), value: 10, metadata: { covariates: { promo: false, price: 2 } } },
    { timestamp: day(1), value: 20, metadata: { covariates: { promo: true, price: 2 } } },
    { timestamp: day(2), value: undefined, metadata: { covariates: { promo: false, price: 2 } } },
    { timestamp: day(3), value: undefined, metadata: { covariates: { promo: false } } },
  ],
  prediction_series: [2, 3, 4].map((index) => ({ timestamp: day(index), value: 10 * index })),
  details: {
    frequency: 'P1D',
    covariates: {
      offered: ['promo', 'sky', 'price'],
      used: [
        { name: 'promo', effect: 61.23, low: 0, high: 1 },
        { name: 'sky = rain', effect: -5, low: 0, high: 1 },
      ],
      backtest: { origins: 3, horizon: 3, mae: 1, mae_without: 4 },
    },
  },
} as unknown as LocalPrediction;

describe('scenario', () => {
  it('changes only future covariates', () => {
    const series = supposedSeries(prediction, [
      { column: 'promo', time: at(2), value: 1 },
      { column: 'price', time: at(2), value: null },
      { column: 'price', time: at(4), value: 9 },
      { column: 'promo', time: at(1), value: 0 },
    ]);
    assert.deepEqual(
      series.map(({ value, metadata }) => [value, metadata?.covariates]),
      [
        [10, { promo: false, price: 2 }],
        [20, { promo: true, price: 2 }],
        [null, { promo: true }],
        [null, { promo: false }],
        [null, { price: 9 }],
      ],
    );
    assert.equal(series.at(-1)!.timestamp, day(4));
  });

  it('shows its difference from the main line in figures and in a sentence', () => {
    const times = Float64Array.of(at(2), at(3));
    const main = { times, values: Float64Array.of(100, 100) };
    const line = { times, values: Float64Array.of(100, 124) };
    assert.equal(totalOf(main, undefined), '200');
    assert.equal(totalOf(line, main), '224 (+12%)');
    assert.equal(totalOf(main, { times: times.subarray(1), values: main.values.subarray(1) }), '200');
    assert.equal(totalOf(line, { times, values: Float64Array.of(0, 0) }), '224 (+224)');
    const words = (a: typeof main, b: typeof main) => differenceWords(['A', a], ['B', b], (time) => day((time - at(0)) / 86_400_000).slice(0, 10)); // prettier-ignore
    assert.equal(
      words(line, main),
      '“A” is 24 higher than “B” over the 2 steps (+12%), the largest at 2024-05-04: +24.',
    );
    assert.match(words(main, line)!, /^“A” is 24 lower than “B” over the 2 steps \(−11%\)/);
    assert.equal(words(main, main), '“A” is the same as “B” at every step.');
    assert.equal(words(main, { times: Float64Array.of(at(9)), values: Float64Array.of(1) }), undefined);
  });

  it('gets a name if the person enters none', () => {
    const cell = (column: string, value: number, index = 2) => ({ column, time: at(index), value });
    assert.equal(scenarioName([cell('promo', 1), cell('promo', 1, 3)]), 'promo 1 (steps: 2)');
    assert.equal(scenarioName([cell('promo', 1)]), 'promo 1 (steps: 1)');
    assert.equal(scenarioName([cell('price', 1), cell('price', 2, 3)]), 'price');
    assert.equal(scenarioName([cell('promo', 1), cell('price', 2)]), 'promo, price');
  });

  it('is saved beside the main line with its differences', () => {
    const other = {
      ...prediction,
      input_series: prediction.input_series!.map((point, index) =>
        index === 2 ? { ...point, metadata: { covariates: { promo: true, price: 2 } } } : point,
      ),
      prediction_series: prediction.prediction_series!.map((point, index) => ({
        ...point,
        value: point.value! + index,
      })),
    } as LocalPrediction;
    assert.equal(
      comparedTable([
        { label: '=Main', prediction },
        { label: 'Promo', prediction: other },
      ]),
      [
        `timestamp,'=Main · promo,'=Main,Promo · promo,Promo,Promo − =Main`,
        '2024-05-03,0,20,1,20,0',
        '2024-05-04,0,30,0,31,1',
        '2024-05-05,,40,,42,2',
        '',
      ].join('\n'),
    );
  });
});

describe('future covariates on the chart page', () => {
  it('shows the effect of each covariate, also without a file', () => {
    const { choices, worth } = columnsView(prediction, undefined, undefined, true)!;
    assert.deepEqual(
      choices.map(({ name, isUsed, about }) => [name, isUsed, about]),
      [
        ['promo', true, '+61.2 from 0 to 1'],
        ['sky', true, '−5 at “rain”'],
        ['price', true, 'Did not help in a backtest'],
      ],
    );
    assert.equal(worth, 'In a backtest the error was 75% smaller with them: 1 instead of 4.');
  });

  it('offers neither covariates nor scenarios if the service does not support them', () => {
    const announcing = (isTaken: boolean) => ({ rules: () => (isTaken ? {} : undefined), has: () => false, takes: () => false }) as unknown as Capabilities; // prettier-ignore
    const chart = startOf({ serviceId: 'local', predictionId: 'p', former: [] });
    const columns = (of: LocalPrediction, isTaken: boolean) => controlsOf({ ...chart, prediction: of, offers: announcing(isTaken) }, undefined, undefined).columns; // prettier-ignore
    assert.equal(columns(prediction, false), undefined);
    assert.equal(columns(prediction, true)?.choices.length, 3);
    const bare = { ...prediction, input_series: prediction.input_series!.slice(0, 2).map(({ timestamp, value }) => ({ timestamp, value })), details: {} } as LocalPrediction; // prettier-ignore
    assert.equal(columns(bare, true), undefined);
  });
});

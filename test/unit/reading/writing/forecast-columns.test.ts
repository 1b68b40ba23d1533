import assert from 'node:assert/strict';
import { forecastColumns, rounded, writtenForecast } from '../../../../src/reading/writing/write.ts';

const names = (levels: readonly string[], kind: 'limits' | 'quantiles') =>
  forecastColumns(levels, kind).map(({ name }) => name);

describe('columns of a saved forecast', () => {
  it('are interval limits around the forecast, the widest outside', () => {
    const levels = ['0.9', '0.025', '0.1', '0.975'];
    assert.deepEqual(names(levels, 'limits'), ['lower_95', 'lower_80', 'forecast', 'upper_80', 'upper_95']);
    assert.deepEqual(names(levels, 'quantiles'), ['forecast', '0.025', '0.1', '0.9', '0.975']);
  });

  it('keep the name of an unpaired quantile', () => {
    assert.deepEqual(names(['0.2', '0.05', '0.95'], 'limits'), ['lower_90', 'quantile_0.2', 'forecast', 'upper_90']);
    assert.deepEqual(names(['0.1'], 'limits'), ['quantile_0.1', 'forecast']);
    assert.deepEqual(names([], 'limits'), ['forecast']);
  });

  it('name the quantile of each column', () => {
    const [lower, middle, upper] = forecastColumns(['0.1', '0.9'], 'limits');
    assert.deepEqual([lower?.level, middle?.level, upper?.level], ['0.1', undefined, '0.9']);
  });
});

describe('numbers of a saved forecast', () => {
  it('have interval limits by level, with the requested digits', () => {
    const intervals = [
      { level: 80, lower: [1.2345], upper: [9.8765] },
      { level: 95, lower: [0.5], upper: [12.005] },
    ];
    const { values, quantiles } = writtenForecast({ values: [5.5555], intervals }, 1);
    assert.deepEqual([...values], [5.6]);
    assert.deepEqual(
      Object.entries(quantiles).map(([level, all]) => [level, all[0]]),
      [
        ['0.025', 0.5],
        ['0.1', 1.2],
        ['0.9', 9.9],
        ['0.975', 12],
      ],
    );
  });

  it('stay unchanged if too large for the requested digits', () => {
    assert.deepEqual([...rounded([1e20, -2.345, NaN], 2)], [1e20, -2.35, NaN]);
  });
});

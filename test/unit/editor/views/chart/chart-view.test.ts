import assert from 'node:assert/strict';
import { chartView, chartStatus } from '../../../../../src/editor/views/chart/chart-view.ts';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';

const month = (index: number) => new Date(Date.UTC(2020, index, 1)).toISOString();

const prediction: LocalPrediction = {
  id: 'prediction_abcdef',
  status: 'COMPLETED',
  ai_model_id: 'ensemble',
  input_series: Array.from({ length: 24 }, (_, i) => ({ timestamp: month(i), value: i })),
  prediction_series: Array.from({ length: 3 }, (_, i) => ({
    timestamp: month(24 + i),
    value: 24.5 + i,
    metadata: { quantiles: { '0.1': 20 + i, '0.25': 22 + i, '0.5': 24 + i, '0.75': 26 + i, '0.9': 28 + i } },
  })),
  details: {
    frequency: 'P1M',
    seasonal_periods: [12],
    gaps: 0,
    backtest: { origins: 3, horizon: 3, skill: 0.31, coverage80: 0.82 },
  },
};
const context = { label: 'sales.csv', valueLabel: 'Sales', timeZone: 'UTC' };

describe('view of a prediction', () => {
  it('has history, the median and nested bands, and says what was read', () => {
    const model = chartView(prediction, context);
    assert.equal(model.title, 'sales.csv');
    assert.equal(model.summary, 'Sales · monthly · Jan 2020 – Dec 2021 · 24 points, no gaps');
    assert.equal(
      model.detail,
      '3 months ahead by ensemble · on its own history 31 % better than repeating last year, 80 % band held 82 %',
    );
    assert.equal(model.history.times.length, 24);
    assert.deepEqual([...(model.forecast?.values ?? [])], [24, 25, 26]);
    assert.deepEqual(
      model.forecast?.bands.map((band) => [band.level, band.lower[0], band.upper[0]]),
      [
        [80, 20, 28],
        [50, 22, 26],
      ],
    );
  });

  it('shows a service’s bare forecast: no quantiles, no details, no name', () => {
    const bare: LocalPrediction = {
      id: 'prediction_abcdef',
      status: 'COMPLETED',
      input_series: [
        { timestamp: '2024-01-01', value: 1 },
        { timestamp: 'soon', value: 2 },
      ],
      prediction_series: [{ timestamp: '2024-01-03T00:00:00+02:00', value: 3 }],
    };
    const model = chartView(bare, { label: undefined, valueLabel: undefined, timeZone: 'UTC' });
    assert.equal(model.title, 'Prediction abcdef');
    assert.deepEqual(model.forecast?.bands, []);
    assert.deepEqual([...(model.forecast?.values ?? [])], [3]);
    assert.match(model.warnings[0], /1 point.* timestamp that cannot be read/);
    assert.equal(chartView({ id: 'x', status: 'COMPLETED' }, context).forecast, undefined);
  });

  it('of one that FAILED shows the series and the model, and can be made again', () => {
    const { prediction_series: _, ...rest } = prediction;
    const failed = { ...rest, status: 'FAILED', ai_model_id: 'chronos' };
    const view = chartView(failed, context);
    assert.equal(view.detail, 'Model: chronos');
    assert.ok(view.history.times.length > 0);
    assert.deepEqual(view.warnings, [], 'nothing is said of COMPLETED');
    const status = chartStatus(failed);
    assert.deepEqual(
      status?.actions?.map(({ label }) => label),
      ['Forecast Again', 'Choose a Model…'],
    );
  });

  it('says where an unfinished prediction stands', () => {
    assert.equal(chartStatus(prediction), undefined);
    assert.deepEqual(chartStatus({ ...prediction, status: 'IN_PROGRESS', progress: 0.5 }), {
      kind: 'running',
      progress: 0.5,
    });
    const { input_series: _, ...bare } = prediction;
    assert.deepEqual(chartStatus({ ...bare, status: 'FAILED', error: 'no data' }), {
      kind: 'failed',
      sentence: 'no data',
    });
    assert.match(JSON.stringify(chartStatus({ ...prediction, status: 'PAUSED' })), /PAUSED/);
  });
});

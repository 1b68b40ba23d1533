import assert from 'node:assert/strict';
import { chartStatus, chartView, panelTitle, seriesKey } from '../../../../../src/editor/views/chart/chart-view.ts';
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
    assert.equal(model.detail, '3 months ahead by ensemble');
    assert.deepEqual(
      model.figures.map(({ text }) => text),
      ['31 % better than repeating last year, on its own history', '80 % band held 82 %'],
    );
    assert.equal(model.advice, undefined);
    assert.equal(model.supportedUntil, undefined);
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

  it('says from where on the history does not support a long forecast', () => {
    const ahead = Array.from({ length: 40 }, (_, i) => ({ timestamp: month(24 + i), value: i }));
    const model = chartView({ ...prediction, prediction_series: ahead }, context);
    assert.equal(new Date(model.supportedUntil!).toISOString(), month(24 + 23));
    assert.match(model.warnings.join(), /longer than the history\. What lies beyond Dec 2023 is drawn faded/);
  });

  it('tells what is to be expected where the median is zero', () => {
    const demand = { mean: 1.4166, total: { mean: 17, quantiles: { '0.1': 9, '0.5': 17, '0.9': 27 } } };
    const details = { ...prediction.details, backtest: undefined, demand };
    const { detail } = chartView({ ...prediction, details }, context);
    assert.equal(detail, '3 months ahead by ensemble · on average 1.42 per month, in all 17 (80 % between 9 and 27)');
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

describe('the chart of a series', () => {
  const source = { fileName: 'sales.csv', uri: 'file:///sales.csv', id: 'north' };
  const key = (label: string, more: object = {}, series = 'series_1') =>
    seriesKey(
      { label, source: { ...source, ...more } as NonNullable<Parameters<typeof seriesKey>[0]>['source'] },
      { input_series_id: series },
    );

  it('is the same for every model and every time it is forecast, and another one for each series and selection', () => {
    assert.equal(key('sales.csv'), key('sales.csv', {}, 'series_2'));
    const others = [
      key('sales.csv, lines 2–13'),
      key('sales.csv', { id: 'south' }),
      key('sales.csv', { uri: 'file:///a' }),
    ];
    assert.equal(new Set([key('sales.csv'), ...others]).size, 4);
  });

  it('is that of the stored series where there is no file, and not known of neither', () => {
    const stored = seriesKey({ label: 'store 12' }, { input_series_id: 'series_1' });
    assert.ok(stored !== undefined);
    assert.equal(seriesKey(undefined, { input_series_id: 'series_1' }), stored);
    assert.equal(seriesKey({ label: 'store 12' }, { input_series_id: undefined }), undefined);
  });

  it('has a title that is not that of the file, and says when it is outdated', () => {
    assert.equal(panelTitle('sales.csv', true), 'Forecast: sales.csv');
    assert.equal(panelTitle('sales.csv', false), 'Forecast: sales.csv (outdated)');
  });
});

import assert from 'node:assert/strict';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';
import { chartStatus, panelTitle, seriesKey } from '../../../../../src/editor/views/chart/status.ts';

const prediction: LocalPrediction = {
  id: 'prediction_abcdef',
  status: 'COMPLETED',
  input_series: [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }],
  prediction_series: [{ timestamp: '2024-01-02T00:00:00Z', value: 1 }],
};

describe('where a prediction stands', () => {
  it('that FAILED can be made again', () => {
    const { prediction_series: _, ...rest } = prediction;
    const status = chartStatus({ ...rest, status: 'FAILED' });
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
    assert.equal(key('sales.csv'), key('a name that somebody gave'));
    const others = [
      key('sales.csv, lines 2–13', { isPart: true }),
      key('sales.csv, lines 2–25', { isPart: true }),
      key('sales.csv', { id: 'south' }),
      key('sales.csv', { uri: 'file:///a' }),
    ];
    assert.equal(new Set([key('sales.csv'), ...others]).size, 5);
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

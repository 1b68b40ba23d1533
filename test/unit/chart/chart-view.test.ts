import assert from 'node:assert/strict';
import { chartView } from '../../../src/chart/chart-view.ts';
import { zoneOf } from '../../../src/calendar/zone.ts';
import type { LocalPrediction } from '../../../src/contract/resources.ts';

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
  it('has history, median and nested intervals, and describes what was read', () => {
    const model = chartView(prediction, context);
    assert.equal(model.title, 'sales.csv');
    assert.equal(model.summary, 'Sales · monthly · Jan 2020 – Dec 2021 · 24 points, no gaps');
    assert.equal(model.detail, '3 months ahead by ensemble');
    assert.deepEqual(
      model.figures.map(({ text }) => text),
      ['31% better than the seasonal naive baseline, on its own history', '80% interval covered 82%'],
    );
    assert.equal(model.advice, undefined);
    assert.equal(model.supportedUntil, undefined);
    assert.equal(model.history.times.length, 24);
    assert.deepEqual([...(model.forecast?.values ?? [])], [24, 25, 26]);
    assert.deepEqual(
      model.forecast?.intervals.map((interval) => [interval.level, interval.lower[0], interval.upper[0]]),
      [
        [80, 20, 28],
        [50, 22, 26],
      ],
    );
  });

  it('sorts its points by time, and counts those with an unreadable time', () => {
    const { input_series: past = [], prediction_series: ahead = [] } = prediction;
    const mixed = { ...prediction, input_series: [...past.toReversed(), { timestamp: 'soon', value: 1 }], prediction_series: ahead.toReversed() }; // prettier-ignore
    const { history, forecast, warnings } = chartView(mixed, context);
    assert.deepEqual([...history.values], [...past.keys()]);
    assert.deepEqual([...forecast!.values, ...forecast!.intervals[0]!.lower], [24, 25, 26, 20, 21, 22]);
    assert.match(warnings.join(), /1 points were left out/);
  });

  it('warns if a completed prediction has no forecast, in any form', () => {
    for (const prediction_series of [undefined, []])
      assert.deepEqual(chartView({ ...prediction, prediction_series }, context).warnings, ['The service says COMPLETED but sent no forecast.']); // prettier-ignore
  });

  it('warns beyond the horizon that the history supports', () => {
    const ahead = Array.from({ length: 40 }, (_, i) => ({ timestamp: month(24 + i), value: i }));
    const model = chartView({ ...prediction, prediction_series: ahead }, context);
    assert.equal(new Date(model.supportedUntil!).toISOString(), month(24 + 23));
    assert.match(model.warnings.join(), /longer than the history\. Steps after Dec 2023 are drawn faded/);
  });

  it('shows months and days as sent in any zone', () => {
    const inZone = (timeZone: string, more: Partial<LocalPrediction> = {}) =>
      chartView({ ...prediction, ...more }, { ...context, timeZone });
    const there = inZone('America/New_York');
    assert.equal(there.timeZone, 'UTC');
    assert.match(there.summary, /Jan 2020 – Dec 2021/);
    const ahead = Array.from({ length: 40 }, (_, i) => ({ timestamp: month(24 + i), value: i }));
    const long = inZone('America/New_York', { prediction_series: ahead });
    assert.match(long.warnings.join(), /Steps after Dec 2023 are/);

    // months of Berlin, told as instants in UTC
    const berlin = zoneOf('Europe/Berlin');
    const local = (index: number) => new Date(berlin.fromWall(Date.UTC(2020, index, 1))).toISOString();
    const reported = {
      input_series: Array.from({ length: 24 }, (_, i) => ({ timestamp: local(i), value: i })),
      prediction_series: ahead.map(({ value }) => ({ timestamp: local(24 + value), value })),
    };
    const set = inZone('Europe/Berlin', reported);
    assert.equal(set.timeZone, 'Europe/Berlin');
    assert.match(set.summary, /Jan 2020 – Dec 2021/);
    assert.match(set.warnings.join(), /Steps after Dec 2023 are/, 'on the same clock');
    const hours = Array.from({ length: 48 }, (_, i) => ({ timestamp: new Date(Date.UTC(2024, 0, 1, i)).toISOString(), value: i })); // prettier-ignore
    const hourly = inZone('America/New_York', { input_series: hours, prediction_series: [], details: { ...prediction.details, frequency: 'PT1H' } }); // prettier-ignore
    assert.match(hourly.summary, /2023-12-31 19:00 – 2024-01-02 18:00/);
  });

  it('shows the expected demand if the median is zero', () => {
    const demand = { mean: 1.4166, total: { mean: 17, quantiles: { '0.1': 9, '0.5': 17, '0.9': 27 } } };
    const details = { ...prediction.details, backtest: undefined, demand };
    const { detail } = chartView({ ...prediction, details }, context);
    assert.equal(detail, '3 months ahead by ensemble · 1.42 in 1 month on average, 17 in total (80% between 9 and 27)');
  });

  it('shows a bare forecast without quantiles, details and name', () => {
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
    assert.deepEqual(model.forecast?.intervals, []);
    assert.deepEqual([...(model.forecast?.values ?? [])], [3]);
    assert.match(model.warnings[0], /1 point.* left out because their timestamps cannot be read/);
    assert.equal(chartView({ id: 'x', status: 'COMPLETED' }, context).forecast, undefined);
  });

  it('of a FAILED prediction shows the series and the model', () => {
    const { prediction_series: _, ...rest } = prediction;
    const failed = { ...rest, status: 'FAILED', ai_model_id: 'chronos' };
    const view = chartView(failed, context);
    assert.equal(view.detail, 'Model: chronos');
    assert.ok(view.history.times.length > 0);
    assert.deepEqual(view.warnings, [], 'nothing is said of COMPLETED');
  });
});

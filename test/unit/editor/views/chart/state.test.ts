import assert from 'node:assert/strict';
import { localized } from '../../../../../src/client/errors.ts';
import type { LocalPrediction } from '../../../../../src/contract/resources.ts';
import type { App } from '../../../../../src/editor/app.ts';
import { EMPTY } from '../../../../../src/editor/views/chart/protocol.ts';
import { chartViewer, compared, loaded, noticeOf, seriesKey, startOf, statusOf, withoutScenario } from '../../../../../src/editor/views/chart/state.ts'; // prettier-ignore

const prediction: LocalPrediction = {
  id: 'prediction_abcdef',
  status: 'COMPLETED',
  input_series: [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }],
  prediction_series: [{ timestamp: '2024-01-02T00:00:00Z', value: 1 }],
};

describe('status of a prediction', () => {
  it('offers to forecast a failed one again, with another model where that may help', () => {
    const { prediction_series: _, ...rest } = prediction;
    const waysAfter = (error: unknown) => {
      const failed = localized({ ...rest, status: 'FAILED', error }) as LocalPrediction;
      return statusOf(failed)?.actions?.map(({ label }) => label);
    };
    const refused = { code: 'few_points', params: ['chronos', 20, 12], detail: '' };
    assert.deepEqual(waysAfter(refused), ['Forecast Again', 'Choose a Model…']);
    const elsewhere = { code: 'out_of_memory', params: [], detail: '' };
    assert.deepEqual(waysAfter(elsewhere), ['Forecast Again']);
    assert.deepEqual(waysAfter('20 points are too few'), ['Forecast Again', 'Choose a Model…'], 'of another service');
  });

  it('describes an unfinished prediction', () => {
    assert.equal(statusOf(prediction), undefined);
    assert.deepEqual(statusOf({ ...prediction, status: 'IN_PROGRESS', progress: 0.5 }), {
      kind: 'waiting',
      sentence: 'Forecasting… 50%',
      progress: 0.5,
    });
    const sentenceAt = (progress?: number) => statusOf({ ...prediction, status: 'IN_PROGRESS', progress })?.sentence;
    assert.deepEqual([undefined, 0, 0.404, 7].map(sentenceAt), ['Forecasting…', 'Forecasting… 0%', 'Forecasting… 40%', 'Forecasting… 100%']); // prettier-ignore
    const { input_series: _, ...bare } = prediction;
    assert.deepEqual(statusOf({ ...bare, status: 'FAILED', error: 'no data' }), {
      kind: 'failed',
      sentence: 'no data',
    });
    assert.match(JSON.stringify(statusOf({ ...bare, prediction_series: undefined, status: 'PAUSED' })), /PAUSED/);
    assert.equal(statusOf({ ...prediction, status: 'SUCCEEDED' }), undefined, 'with its forecast it is done');
  });
});

describe('key of a series', () => {
  const source = { fileName: 'sales.csv', uri: 'file:///sales.csv', id: 'north' };
  const key = (label: string, more: object = {}, series = 'series_1') =>
    seriesKey(
      { label, source: { ...source, ...more } as NonNullable<Parameters<typeof seriesKey>[0]>['source'] },
      { input_series_id: series },
    );

  it('is the same for all forecasts of a series, and distinguishes series and selections', () => {
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

  it('is that of the stored series without a file, and undefined without both', () => {
    const stored = seriesKey({ label: 'store 12' }, { input_series_id: 'series_1' });
    assert.ok(stored !== undefined);
    assert.equal(seriesKey(undefined, { input_series_id: 'series_1' }), stored);
    assert.equal(seriesKey({ label: 'store 12' }, { input_series_id: undefined }), undefined);
  });
});

describe('status and notice of a chart', () => {
  it('shows that it is loading while nothing is known', () => {
    assert.deepEqual(statusOf(undefined, undefined), { kind: 'waiting', sentence: 'Loading…' });
    assert.equal(statusOf(prediction, undefined), undefined);
  });

  it('shows a failure first, with Try Again', () => {
    const retry = [{ id: 'retry', label: 'Try Again' }];
    assert.deepEqual(statusOf(prediction, new Error('Nobody answers.')), { kind: 'failed', sentence: 'Nobody answers.', actions: retry }); // prettier-ignore
    assert.equal(statusOf(undefined, 'a text')?.sentence, 'a text');
  });

  it('reports a failed forecast whose service gives no reason', () => {
    assert.match(JSON.stringify(statusOf({ id: 'p', status: 'FAILED' })), /gives no reason/);
    assert.deepEqual(statusOf({ id: 'p', status: 'QUEUED' }), { kind: 'waiting', sentence: 'Waiting in the queue…' });
  });

  it('reports changed values of the file before changed covariates', () => {
    assert.equal(noticeOf('sales.csv', true, false), null);
    assert.match(noticeOf('sales.csv', false, true)!.sentence, /^sales\.csv has changed since this forecast was made/);
    const other = noticeOf('sales.csv', true, true)!;
    assert.match(other.sentence, /^The covariates in sales\.csv have changed/);
    assert.deepEqual(other.actions.map(({ id }) => id), ['lay-over', 'again']); // prettier-ignore
  });

  it('removes the name of a scenario from the label of its series', () => {
    assert.equal(withoutScenario({ label: 'sales.csv · With promo', scenario: 'With promo' }), 'sales.csv');
    assert.equal(withoutScenario({ label: 'My own name', scenario: 'With promo' }), 'My own name');
    assert.equal(withoutScenario({ label: 'sales.csv · With promo' }), 'sales.csv · With promo');
  });
});

describe('state of a chart', () => {
  it('keeps the identity of the comparison while other parts change', () => {
    const recall = () => ({ label: 'a.csv', source: { uri: 'file:///a.csv', timeZone: 'Europe/Berlin' } });
    const viewOf = chartViewer({ memory: { recall }, kept: { has: () => false } } as unknown as App);
    const ref = { serviceId: 'local', predictionId: prediction.id };
    const chart = compared(loaded(startOf(ref), prediction), { do: 'open', id: '' });
    const before = viewOf(chart, { ...EMPTY, ref, title: 'Forecast' });
    assert.ok(before.compared);
    assert.equal(viewOf({ ...chart, isCurrent: false }, before).compared, before.compared);
  });
});

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

describe('where a prediction stands', () => {
  it('that FAILED can be made again, with another model where that may help', () => {
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

  it('says where an unfinished prediction stands', () => {
    assert.equal(statusOf(prediction), undefined);
    assert.deepEqual(statusOf({ ...prediction, status: 'IN_PROGRESS', progress: 0.5 }), {
      kind: 'running',
      progress: 0.5,
    });
    const { input_series: _, ...bare } = prediction;
    assert.deepEqual(statusOf({ ...bare, status: 'FAILED', error: 'no data' }), {
      kind: 'failed',
      sentence: 'no data',
    });
    assert.match(JSON.stringify(statusOf({ ...bare, prediction_series: undefined, status: 'PAUSED' })), /PAUSED/);
    assert.equal(statusOf({ ...prediction, status: 'SUCCEEDED' }), undefined, 'with its forecast it is done');
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
});

describe('what a panel says besides its chart', () => {
  it('is that it is read, where nothing of it is known yet', () => {
    assert.deepEqual(statusOf(undefined, undefined), { kind: 'loading' });
    assert.equal(statusOf(prediction, undefined), undefined);
  });

  it('is what went wrong before all else, with a way to try again', () => {
    const retry = [{ id: 'retry', label: 'Try Again' }];
    assert.deepEqual(statusOf(prediction, new Error('Nobody answers.')), { kind: 'failed', sentence: 'Nobody answers.', actions: retry }); // prettier-ignore
    assert.equal(statusOf(undefined, 'a text')?.sentence, 'a text');
  });

  it('is that a forecast failed for no reason that its service gives', () => {
    assert.match(JSON.stringify(statusOf({ id: 'p', status: 'FAILED' })), /gives no reason/);
    assert.deepEqual(statusOf({ id: 'p', status: 'QUEUED' }), { kind: 'queued' });
  });

  it('is that its file has changed: its values before the future of what is known', () => {
    assert.equal(noticeOf('sales.csv', true, false), null);
    assert.match(noticeOf('sales.csv', false, true)!.sentence, /^sales\.csv has changed since this forecast was made/);
    const other = noticeOf('sales.csv', true, true)!;
    assert.match(other.sentence, /^The covariates in sales\.csv have changed/);
    assert.deepEqual(other.actions.map(({ id }) => id), ['lay-over', 'again']); // prettier-ignore
  });

  it('calls a scenario by its series where that is meant', () => {
    assert.equal(withoutScenario({ label: 'sales.csv · With promo', scenario: 'With promo' }), 'sales.csv');
    assert.equal(withoutScenario({ label: 'My own name', scenario: 'With promo' }), 'My own name');
    assert.equal(withoutScenario({ label: 'sales.csv · With promo' }), 'sales.csv · With promo');
  });
});

describe('the state of a chart', () => {
  it('has what is compared as it was, also of a file with a zone, while something else changes', () => {
    const recall = () => ({ label: 'a.csv', source: { uri: 'file:///a.csv', timeZone: 'Europe/Berlin' } });
    const viewOf = chartViewer({ memory: { recall }, kept: { has: () => false } } as unknown as App);
    const ref = { serviceId: 'local', predictionId: prediction.id };
    const chart = compared(loaded(startOf(ref), prediction), { do: 'open', id: '' });
    const before = viewOf(chart, { ...EMPTY, ref, title: 'Forecast' });
    assert.ok(before.compared);
    assert.equal(viewOf({ ...chart, isCurrent: false }, before).compared, before.compared);
  });
});

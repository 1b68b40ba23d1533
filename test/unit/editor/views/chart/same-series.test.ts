import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { URI } from 'vscode-uri';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';
import type { Session } from '../../../../../src/editor/connection/connection.ts';
import type { Memory } from '../../../../../src/editor/connection/memory.ts';
import { lineOf, SameSeries } from '../../../../../src/editor/views/chart/same-series.ts';
import { log, predictionOf, useWindow } from '../panels.ts';

const note = (uri: string, more: object = {}) => ({ label: 'shops.csv · north', source: { fileName: 'shops.csv', uri, id: 'north', ...more } }); // prettier-ignore
const refOf = (predictionId: string, serviceId = 'local') => ({ serviceId, predictionId });

describe('the predictions of one series', () => {
  const window = useWindow();

  function make(notes: Record<string, object> = {}, items: readonly LocalPrediction[] = [], main: LocalPrediction | undefined = predictionOf('p1')) {
    const session = { client: { listPredictions: () => Promise.resolve({ items, unreadable: [] }) } } as unknown as Session;
    const memory = { recall: (_: string, id: string) => notes[id] } as unknown as Memory;
    const models = [{ id: 'theta', label: 'Theta', isTuned: false }];
    return new SameSeries({ ref: () => refOf('p1'), prediction: () => main, session: () => session }, memory, () => models);
  } // prettier-ignore
  const others = async (series: SameSeries) => (await series.others(new AbortController().signal)).map(({ id }) => id);

  it('are those of the same series of the file, whatever they are called, and no others', async () => {
    const notes = { p1: note('file:///a.csv'), p2: { ...note('file:///a.csv'), label: 'with theta' }, p3: note('file:///a.csv', { id: 'south' }), p4: note('file:///b.csv') }; // prettier-ignore
    const items = [predictionOf('p1'), predictionOf('p2'), predictionOf('p3'), predictionOf('p4'), predictionOf('p5')];
    assert.deepEqual(await others(make(notes, items)), ['p2']);
  });

  it('are those of the same stored series, where there is no file', async () => {
    const items = [predictionOf('p2', { input_series_id: 's1' }), predictionOf('p3', { input_series_id: 's2' }), predictionOf('p4')]; // prettier-ignore
    assert.deepEqual(await others(make({}, items, predictionOf('p1', { input_series_id: 's1' }))), ['p2']);
    assert.deepEqual(await others(make({}, items)), [], 'of which nothing is known has none');
  });

  it('are only those that are there: done, and of a chart that has its forecast', async () => {
    const notes = { p1: note('file:///a.csv'), p2: note('file:///a.csv') };
    assert.deepEqual(await others(make(notes, [predictionOf('p2', { status: 'IN_PROGRESS' })])), []);
    const none = new SameSeries({ ref: () => refOf('p1'), prediction: () => undefined, session: () => assert.fail('nobody is asked') }, { recall: () => undefined } as unknown as Memory, () => []); // prettier-ignore
    assert.deepEqual(await others(none), []);
  });

  it('are told apart by scenario, or by model and span', () => {
    const series = make({ p2: { label: 'x', scenario: 'With promo' }, mine: { label: 'My model' } });
    assert.equal(series.nameOf(predictionOf('p2')), 'With promo');
    assert.equal(series.nameOf(predictionOf('p3', { details: { frequency: 'P1D' } as never })), 'Theta · 3 days');
    assert.equal(series.nameOf(predictionOf('p3', { ai_model_id: 'mine' })), 'My model · 3 points');
    assert.equal(series.nameOf({ id: 'p', status: 'COMPLETED', ai_model_id: 'unknown-model' }), 'unknown-model');
  });

  it('are made again from their file, save those of a part of it and scenarios', () => {
    assert.equal(make({ p1: note('file:///a.csv') }).isOfFile(), true);
    assert.equal(make({ p1: note('file:///a.csv', { isPart: true }) }).isOfFile(), false);
    assert.equal(make({ p1: { ...note('file:///a.csv'), scenario: 'x' } }).isOfFile(), false);
    assert.equal(make().isOfFile(), false);
  });

  it('are of one file where both were made of the same series of it', () => {
    const series = make({ p1: note('file:///a.csv'), p2: note('file:///a.csv'), p3: note('file:///a.csv', { id: 'south' }) }); // prettier-ignore
    const one = (a: string, b: string) => series.areOfOneFile(refOf(a), refOf(b));
    assert.deepEqual([one('p1', 'p2'), one('p1', 'p3'), one('p1', 'p9'), one('p8', 'p9')], [true, false, false, false]);
  });

  it('say moments in the zone of their file', () => {
    const hourly = predictionOf('p1', { details: { frequency: 'PT1H' } as never });
    assert.match(make({ p1: note('file:///a.csv', { timeZone: 'Asia/Tokyo' }) }, [], hourly).at(Date.UTC(2024, 0, 1)), /09:00/); // prettier-ignore
    assert.match(make({}, [], hourly).at(Date.UTC(2024, 0, 1)), /00:00/);
  });

  it('are saved beside each other in one file, named after the series', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'forecasts-compared-'));
    try {
      const target = URI.file(path.join(folder, 'both.csv'));
      window().person.savesAs(target);
      const series = make({ p1: note('file:///data/shops.csv') });
      await series.save(log(), [{ label: 'A', prediction: predictionOf('p1') }, { label: 'B', prediction: predictionOf('p2') }]); // prettier-ignore
      const [head, first] = readFileSync(target.fsPath, 'utf8').split('\n');
      assert.equal(head, 'timestamp,A,B,B − A');
      assert.equal(first, '2024-01-11,10,10,0');
      assert.match(String((window().person.saved[0]?.defaultUri as URI).path), /\/data\/shops-north-compared-forecast\.csv$/); // prettier-ignore
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('have lines of their forecasts alone', () => {
    assert.deepEqual([...lineOf(predictionOf('p1')).values], [10, 11, 12]);
    assert.equal(lineOf({ id: 'p', status: 'QUEUED' }).times.length, 0);
  });
});

import assert from 'node:assert/strict';
import { URI } from 'vscode-uri';
import { MANY_VIEW_TYPE } from '../../../../../src/editor/names.ts';
import type { ManyDeeds } from '../../../../../src/editor/views/many-series/panel.ts';
import { ManyPanels } from '../../../../../src/editor/views/many-series/panels.ts';
import type { HostMessage, SetRef } from '../../../../../src/editor/views/many-series/protocol.ts';
import { rowOf } from '../../../../../src/editor/views/many-series/rows.ts';
import { Services, log, offering, predictionOf, restoredPanel, settled, useWindow } from '../panels.ts';

describe('the pages of many forecasts', () => {
  const window = useWindow();

  function make() {
    const asked: SetRef[] = [];
    const load: ManyDeeds['load'] = async function* (ref) {
      asked.push(ref);
      yield await Promise.resolve([predictionOf('read')]);
    };
    const deeds = { load, open: () => Promise.resolve(), do: () => Promise.resolve(undefined) };
    const { connection } = new Services({ capabilities: () => Promise.resolve(offering()) });
    const panels = new ManyPanels({ extensionUri: URI.file('/extension'), connection, log: log(), deeds });
    const ids = (at: number) => {
      const rows = (window().panels[at].posted as HostMessage[]).findLast((message) => message.type === 'rows');
      return rows?.rows.map(({ id }) => id);
    };
    return { panels, asked, ids };
  }
  const refOf = (label: string, datasetId?: string): SetRef => ({ serviceId: 'local', label, datasetId });

  it('are one for each dataset, whatever it is called by now, and one for each file', async () => {
    const { panels, ids } = make();
    panels.open(refOf('a', 'd1'), [predictionOf('p1')]);
    panels.open(refOf('renamed', 'd1'), [predictionOf('p2')]);
    panels.open(refOf('a', 'd2'), [predictionOf('p3')]);
    panels.open(refOf('file.csv'), [predictionOf('p4')]);
    panels.open(refOf('file.csv'), [predictionOf('p5')]);
    await settled();
    assert.deepEqual([window().panels.length, ids(0), ids(1), ids(2)], [3, ['p2'], ['p3'], ['p5']]);
    assert.deepEqual(window().panels.map(({ viewType }) => viewType), Array(3).fill(MANY_VIEW_TYPE)); // prettier-ignore
  });

  it('have the name of what they are of now as their title', async () => {
    const { panels } = make();
    panels.open(refOf('a', 'd1'), []);
    assert.equal(window().panels[0].title, 'Forecasts: a');
    panels.open(refOf('renamed', 'd1'), []);
    await settled();
    assert.equal(window().panels[0].title, 'Forecasts: renamed');
  });

  it('are opened anew where they were closed', async () => {
    const { panels, ids } = make();
    panels.open(refOf('a', 'd1'), [predictionOf('p1')]);
    window().panels[0].dispose();
    panels.open(refOf('a', 'd1'), [predictionOf('p2')]);
    await settled();
    assert.deepEqual([window().panels.length, ids(1)], [2, ['p2']]);
  });

  it('come back after a reload with what they are of, read from the service', async () => {
    const { panels, asked } = make();
    const { panel, webview } = restoredPanel(MANY_VIEW_TYPE);
    const saved = { ...refOf('a', 'd1'), order: { column: 'name' }, filter: 'north' };
    await panels.deserializeWebviewPanel(webview, saved);
    await settled();
    assert.deepEqual(asked, [{ serviceId: 'local', label: 'a', datasetId: 'd1' }]);
    assert.equal(panel.isDisposed, false);
    panels.open(refOf('a', 'd1'), [predictionOf('p1')]);
    assert.equal(window().panels.length, 0, 'it is that page which shows them');
  });

  it('are not there twice where one was opened anew before its tab came back', async () => {
    const { panels } = make();
    panels.open(refOf('a', 'd1'), [predictionOf('p1')]);
    const { panel, webview } = restoredPanel(MANY_VIEW_TYPE);
    window().panels[0].active = false;
    await panels.deserializeWebviewPanel(webview, refOf('a', 'd1'));
    assert.deepEqual([panel.isDisposed, window().panels[0].active], [true, true]);
  });

  it('that kept nothing readable are closed', async () => {
    const { panels } = make();
    for (const saved of [undefined, 'text', { serviceId: 'local' }, { serviceId: 'local', label: 'a', predictionIds: [1] }]) {
      const { panel, webview } = restoredPanel(MANY_VIEW_TYPE);
      await panels.deserializeWebviewPanel(webview, saved);
      assert.equal(panel.isDisposed, true, JSON.stringify(saved));
    } // prettier-ignore
  });

  it('stay where the window reloads', () => {
    const { panels } = make();
    panels.open(refOf('a', 'd1'), []);
    panels.dispose();
    assert.equal(window().panels[0].isDisposed, false);
  });
});

describe('a forecast as a row of the list', () => {
  it('is drawn from its series where its service sends no sketch', () => {
    const row = rowOf(predictionOf('p1'));
    assert.deepEqual([row.name, row.model, row.last, row.next, row.past?.at(-1)], ['series p1', 'theta', 9, 10, 9]);
  });

  it('is drawn from the sketch of its service, with the figures of its backtest', () => {
    const { input_series: _, prediction_series: __, ...bare } = predictionOf('p1');
    const details = { backtest: { smape: 4, skill: 0.1, coverage80: 0.9 } } as never;
    const row = rowOf({ ...bare, details, sketch: { past: [1, 2, null], ahead: [3], lower: [2], upper: [4] } });
    assert.deepEqual([row.last, row.next, row.error, row.skill, row.held], [2, 3, 4, 0.1, 0.9]);
  });

  it('says where it stands, or why it failed', () => {
    const state = (status: string, error?: string) => rowOf(predictionOf('p', { status, error })).state;
    assert.equal(state('IN_PROGRESS'), 'in progress');
    assert.equal(state('QUEUED'), 'queued');
    assert.equal(state('FAILED', 'it has 2 points'), 'failed: it has 2 points');
    assert.equal(state('FAILED'), 'failed: without a reason');
    assert.equal(rowOf(predictionOf('p', { status: 'FAILED' })).hasFailed, true);
    assert.equal(rowOf({ id: 'p9', status: 'COMPLETED' }).name, 'p9', 'the id where it has no name');
  });
});

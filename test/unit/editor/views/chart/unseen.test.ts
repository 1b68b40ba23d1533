import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { UnseenCharts } from '../../../../../src/editor/views/chart/unseen.ts';
import { nameParts } from '../../../../../src/editor/views/chart/save.ts';
import { Memento } from '../../workbench/memento.ts';
import { TabInputText, TabInputWebview } from '../../workbench/values.ts';
import { log, settled, useWindow } from '../panels.ts';

describe('charts whose tabs came back but were not looked at', () => {
  const window = useWindow();

  function reloaded(before: Record<string, string>, tabs: readonly string[], viewType = 'mainThreadWebview-forecasts.chart') {
    const state = new Memento();
    const first = new UnseenCharts(state as unknown as vscode.Memento, log());
    for (const [key, title] of Object.entries(before)) first.seen(key, () => title);
    const closed: string[] = [];
    const all = tabs.map((label) => ({ label, input: new TabInputWebview(viewType) as unknown }));
    Object.assign(window().window.tabGroups, { all: [{ tabs: all }], close: ({ label }: { label: string }) => Promise.resolve(void closed.push(label)) });
    return { unseen: new UnseenCharts(state as unknown as vscode.Memento, log()), closed, all, state };
  } // prettier-ignore

  it('are replaced by the one that is opened anew, so that there are not two', async () => {
    const { unseen, closed } = reloaded({ 'local p1': 'Forecast: a', 'local p2': 'Forecast: b' }, ['Forecast: a', 'Forecast: b']); // prettier-ignore
    unseen.replace('local p1', 'Forecast: a', []);
    await settled();
    assert.deepEqual(closed, ['Forecast: a']);
    unseen.replace('local p1', 'Forecast: a', []);
    await settled();
    assert.equal(closed.length, 1, 'once');
  });

  it('stay where it cannot be told which tab is theirs', async () => {
    const two = reloaded({ 'local p1': 'Forecast: a', 'local p2': 'Forecast: a' }, ['Forecast: a', 'Forecast: a']);
    two.unseen.replace('local p1', 'Forecast: a', []);
    const beside = reloaded({ 'local p1': 'Forecast: a' }, ['Forecast: a']);
    beside.unseen.replace('local p1', 'Forecast: a', ['Forecast: a']);
    const double = reloaded({ 'local p1': 'Forecast: a' }, ['Forecast: a', 'Forecast: a']);
    double.unseen.replace('local p1', 'Forecast: a', []);
    await settled();
    assert.deepEqual([two.closed, beside.closed, double.closed], [[], [], []]);
  });

  it('are no tabs of something else with the same name', async () => {
    const file = reloaded({ 'local p1': 'a.csv' }, ['a.csv']);
    Object.assign(file.all[0], { input: new TabInputText(undefined as never) });
    file.unseen.replace('local p1', 'a.csv', []);
    const other = reloaded({ 'local p1': 'a.csv' }, ['a.csv'], 'mainThreadWebview-markdown.preview');
    other.unseen.replace('local p1', 'a.csv', []);
    await settled();
    assert.deepEqual([file.closed, other.closed], [[], []]);
  });

  it('that were looked at, or closed, are none any more', async () => {
    const { unseen, closed, state } = reloaded({ 'local p1': 'Forecast: a', 'local p2': 'Forecast: b' }, ['Forecast: a', 'Forecast: b']); // prettier-ignore
    unseen.seen('local p1', () => 'Forecast: a');
    unseen.replace('local p1', 'Forecast: a', []);
    unseen.closed('local p1');
    await settled();
    assert.deepEqual(closed, []);
    assert.deepEqual(state.get('forecasts.openCharts'), { 'local p2': 'Forecast: b' });
  });

  it('are none where what was kept cannot be read', () => {
    const state = new Memento();
    void state.update('forecasts.openCharts', ['p1']);
    const unseen = new UnseenCharts(state as unknown as vscode.Memento, log());
    unseen.replace('0', 'Forecast: a', []);
  });
});

describe('the name of a file that is saved', () => {
  it('has the words of its title, without endings and without what file systems refuse', () => {
    assert.deepEqual(nameParts('shops.csv · Größe 1/2: "A"'), ['shops', 'Größe', '1', '2', 'A']);
    assert.deepEqual(nameParts('a.b.parquet'), ['a.b']);
    assert.deepEqual(nameParts(undefined, 'x y.xlsx'), ['x', 'y']);
  });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import type { TreeDataProvider } from 'vscode';
import type { ChartView } from '../../../../src/chart/chart-view.ts';
import type { ChartState, Plot } from '../../../../src/editor/views/chart/protocol.ts';
import { act, stateOf } from '../views/panels.ts';
import type { PageHost } from '../../../../src/editor/views/shared/page-host.ts';
import { VIEWS } from '../../../../src/editor/names.ts';
import type { Node } from '../../../../src/editor/views/tree/kinds.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import type { WebviewPanel } from '../workbench/webview-panel.ts';
import { until } from '../until.ts';

describe('plot page', () => {
  const extension = new Extension();

  const shown = async (panel: WebviewPanel): Promise<ChartView> => {
    panel.says({ type: 'ready' });
    return (await until(() => stateOf<ChartState>(panel).shown?.chart, Boolean))!;
  };
  const predictions = async () => (await extension.app.connection.inUse.client.listPredictions({ size: 1 })).total ?? 0;
  const last = () => extension.window.panels.at(-1)!;

  it('draws the series of a file, and forecasts only on request', async () => {
    const file = extension.file(
      'visits.csv',
      months(40, { visits: (month) => (month === 7 ? 'closed?' : seasonal(month)) }),
    );
    await extension.run('plotSeries', file);
    const panel = last();
    assert.equal(panel.title, 'Series: visits.csv');
    const { summary, forecast, history, actions, remarks, warnings } = await shown(panel);
    assert.match(summary, /^visits · monthly · Jan 2015 – Apr 2018 · 40 points, no gaps/);
    assert.deepEqual([forecast, history.times.length, warnings], [undefined, 40, []]);
    assert.deepEqual(actions, [{ id: 'forecast', label: 'Forecast' }]);
    assert.match(remarks?.[0]?.text ?? '', /missing/);
    assert.deepEqual(remarks?.[0]?.lines, [[9, 9]]);
    assert.equal(await predictions(), 0);
    act(panel, { type: 'action', id: 'forecast' });
    await until(
      () => last().title,
      (title) => title === 'Forecast: visits.csv',
    );
    assert.equal(extension.window.panels.length, 2);
    assert.equal(await predictions(), 1);
  });

  it('is revealed if opened twice, follows its file, and saves the series', async () => {
    const file = extension.file('shops.csv', months(40, { north: seasonal, south: (month) => 300 - month }));
    const before = extension.window.panels.length;
    extension.person.picks('south');
    await extension.run('plotSeries', file);
    await extension.run('plotSeries', file);
    assert.equal(extension.window.panels.length, before + 1);
    const panel = last();
    assert.equal(panel.title, 'Series: shops.csv · south');
    assert.equal((await shown(panel)).history.values[0], 300);
    const target = URI.file(path.join(extension.folder, 'saved.csv'));
    extension.person.savesAs(target);
    act(panel, { type: 'export', kind: 'csv' });
    await until(() => extension.person.texts.length, Boolean);
    assert.equal(readFileSync(target.fsPath, 'utf8').split('\n')[1], '2015-01,300');
    writeFileSync(file.fsPath, months(41, { north: seasonal, south: (month) => 301 - month }));
    act(panel, { type: 'action', id: 'retry' });
    await until(
      async () => (await shown(panel)).history.values[0],
      (value) => value === 301,
    );
  });

  it('keeps its drawing while the file cannot be read, and continues after that', async () => {
    const file = extension.file('kept.csv', months(40, { visits: seasonal }));
    await extension.run('plotSeries', file);
    const panel = last();
    await shown(panel);
    rmSync(file.fsPath);
    act(panel, { type: 'action', id: 'retry' });
    const failed = await until(() => stateOf<ChartState>(panel), ({ standing }) => standing !== null); // prettier-ignore
    assert.deepEqual([failed.standing?.status.kind, failed.shown?.chart.history.times.length], ['failed', 40]);
    assert.deepEqual(failed.standing?.status.actions, [{ id: 'retry', label: 'Try Again' }]);
    writeFileSync(file.fsPath, months(41, { visits: seasonal }));
    act(panel, { type: 'action', id: 'retry' });
    const { shown: again } = await until(() => stateOf<ChartState>(panel), ({ standing }) => standing === null); // prettier-ignore
    assert.equal(again?.chart.history.times.length, 41);
  });

  it('copies the series, saves it as workbook and picture, and ignores intents of forecasts', async () => {
    const { window, person, folder } = extension;
    await extension.run('plotSeries', extension.file('taken.csv', months(40, { visits: seasonal })));
    const panel = last();
    await shown(panel);
    act(panel, { type: 'export', kind: 'copy' });
    await until(() => window.statusMessages.at(-1), (said) => said === 'Data copied'); // prettier-ignore
    assert.match(window.clipboard, /^month,visits\n2015-01/);
    const save = async (name: string, intent: object) => {
      person.savesAs(URI.file(path.join(folder, name)));
      act(panel, intent);
      return until(() => (existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name)) : undefined), (bytes) => bytes !== undefined); // prettier-ignore
    };
    assert.equal((await save('taken.xlsx', { type: 'export', kind: 'xlsx' }))?.subarray(0, 2).toString(), 'PK');
    assert.deepEqual([...(await save('taken.png', { type: 'picture', kind: 'png', data: Uint8Array.of(1, 2) }))!], [1, 2]); // prettier-ignore
    const { length } = panel.posted;
    for (const intent of [{ type: 'change', change: { horizon: 3 } }, { type: 'compare', do: 'open' }, { type: 'back' }, { type: 'export', kind: 'file' }]) act(panel, intent); // prettier-ignore
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(panel.posted.length, length);
  });

  it('is restored after a window reload, and reports a series that is gone', async () => {
    const file = extension.file('gone.csv', months(40, { a: seasonal, b: seasonal }));
    extension.person.picks('b');
    await extension.run('plotSeries', file);
    const panel = last();
    await shown(panel);
    const { ref } = stateOf<ChartState<Plot>>(panel);
    await extension.stop();
    writeFileSync(file.fsPath, months(40, { a: seasonal, c: seasonal }));
    extension.start();
    const again = extension.window.window.createWebviewPanel('forecasts.plot', '');
    await (extension.app.plots as PageHost<never, never, never, never>).deserializeWebviewPanel(again as never, {
      ref,
    });
    again.says({ type: 'ready' });
    const failure = () => stateOf<ChartState>(again).standing?.status;
    const failed = await until(failure, (status) => status?.kind === 'failed');
    assert.match(String(failed?.sentence), /gone\.csv no longer has the series b\./);
  });

  it('opens for a series in a dataset, and forecasts it', async () => {
    const { client } = await extension.app.connection.ready();
    const series = Array.from({ length: 30 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2020, month, 1)).toISOString(),
      value: seasonal(month),
    }));
    await client.do('createDataset', { body: { name: 'shops', series: [{ name: 'north', series }] } });
    const tree = extension.app.trees.get(VIEWS.datasets) as unknown as TreeDataProvider<Node>;
    const [dataset] = (await tree.getChildren())!;
    const [row] = (await tree.getChildren(dataset))!;
    const { command } = await tree.getTreeItem(row!);
    await extension.window.commands.executeCommand(command!.command, ...(command!.arguments as unknown[]));
    const panel = last();
    assert.equal(panel.title, 'Series: north');
    const { summary, history } = await shown(panel);
    assert.match(summary, /^north · monthly · Jan 2020 – Jun 2022 · 30 points, no gaps/);
    assert.equal(history.values[0], 100);
    act(panel, { type: 'action', id: 'forecast' });
    await until(
      () => last() === panel,
      (isLast) => !isLast,
    );
    assert.equal(last().title, 'Forecast: north');
  });
});

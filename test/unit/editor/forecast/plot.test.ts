import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import type { TreeDataProvider } from 'vscode';
import type { ChartView } from '../../../../src/chart/types.ts';
import { VIEWS } from '../../../../src/editor/names.ts';
import type { Node } from '../../../../src/editor/views/tree/node.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import type { WebviewPanel } from '../workbench/webview-panel.ts';
import { until } from '../until.ts';

describe('a plotted series', () => {
  const extension = new Extension();

  const shown = async (panel: WebviewPanel): Promise<ChartView> => {
    panel.says({ type: 'ready' });
    const find = () =>
      (panel.posted as { type: string; chart?: ChartView }[]).findLast(({ type }) => type === 'show')?.chart;
    return (await until(find, Boolean))!;
  };
  const predictions = async () => (await extension.app.connection.client().listPredictions({ size: 1 })).total ?? 0;
  const last = () => extension.window.panels.at(-1)!;

  it('of a file is drawn as it was read, and nothing is forecast until that is asked', async () => {
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
    panel.says({ type: 'action', id: 'forecast' });
    await until(
      () => extension.window.panels.length,
      (panels) => panels >= 2,
    );
    assert.equal(last().title, 'Forecast: visits.csv');
    assert.equal(await predictions(), 1);
  });

  it('is shown again, follows its file, and can be saved', async () => {
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
    panel.says({ type: 'export', kind: 'csv' });
    await until(() => extension.person.texts.length, Boolean);
    assert.equal(readFileSync(target.fsPath, 'utf8').split('\n')[1], '2015-01,300');
    writeFileSync(file.fsPath, months(41, { north: seasonal, south: (month) => 301 - month }));
    panel.says({ type: 'action', id: 'retry' });
    await until(
      async () => (await shown(panel)).history.values[0],
      (value) => value === 301,
    );
  });

  it('comes back after a reload, and says where its file no longer has it', async () => {
    const file = extension.file('gone.csv', months(40, { a: seasonal, b: seasonal }));
    extension.person.picks('b');
    await extension.run('plotSeries', file);
    const panel = last();
    await shown(panel);
    const { ref } = panel.posted.findLast((one) => (one as { type: string }).type === 'show') as { ref: object };
    await extension.stop();
    writeFileSync(file.fsPath, months(40, { a: seasonal, c: seasonal }));
    extension.start();
    const again = extension.window.window.createWebviewPanel('forecasts.plot', '');
    await extension.app.plots.deserializeWebviewPanel(again as never, { ...ref, view: {} });
    again.says({ type: 'ready' });
    const failure = () =>
      JSON.stringify(again.posted.filter((one) => (one as { status?: { kind: string } }).status?.kind === 'failed'));
    assert.match(await until(failure, (told) => told !== '[]'), /gone\.csv does not have the series b any more\./);
  });

  it('that is stored opens by a click on it in its dataset, and can be forecast', async () => {
    const { client } = await extension.app.connection.ready();
    const series = Array.from({ length: 30 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2020, month, 1)).toISOString(),
      value: seasonal(month),
    }));
    await client.createDataset({ name: 'shops', series: [{ name: 'north', series }] });
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
    panel.says({ type: 'action', id: 'forecast' });
    await until(
      () => last() === panel,
      (isLast) => !isLast,
    );
    assert.equal(last().title, 'Forecast: north');
  });
});

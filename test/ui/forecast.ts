import assert from 'node:assert/strict';
import { canFindHosts } from './extension-hosts.ts';
import { Store } from './store.ts';
import { themes } from './window.ts';
import type { Workbench } from './workbench.ts';

export function forecastTests(vscode: () => Workbench): void {
  describe('Forecast of a CSV file', () => {
    before(() => vscode().setTheme(themes.light));

    /** Header lines and the number of history rows, forecast rows and intervals, as the chart's page shows them. */
    async function chart() {
      const page = vscode().webviewFrame();
      await page.getByRole('tab', { name: 'Table' }).click();
      const table = page.getByRole('table');
      await table.waitFor();
      const rows = Number(await table.getAttribute('aria-rowcount')) - 1;
      const columns = await table.getByRole('columnheader').allTextContents();
      await page.getByRole('tab', { name: 'Chart' }).click();
      const plot = page.locator('canvas').first();
      await plot.waitFor();
      const label = await page.locator('[aria-roledescription="chart"]').getAttribute('aria-label');
      return { rows, columns, label: label ?? '' };
    }

    async function expectChart() {
      const isThere = ({ label, rows }: Awaited<ReturnType<typeof chart>>) =>
        label.includes('144 points') && rows > 144;
      const { rows, columns, label } = await vscode().until(chart, isThere);
      assert.match(label, /air-passengers\.csv/);
      assert.match(label, /Passengers · monthly · Jan 1949 – Dec 1960 · 144 points, no gaps/);
      assert.match(label, /24 months ahead by /);
      assert.equal(rows, 144 + 24);
      assert.ok(
        columns.some((name) => /80/.test(name)),
        columns.join(' | '),
      );
    }

    it('opens a chart with history, forecast and interval by right-click > Forecast', async () => {
      await vscode().explorerContextMenu('air-passengers.csv', 'Forecast');
      await vscode().webviewFrame().locator('canvas').first().waitFor();
      await expectChart();
      // its progress may be there for a moment yet, and nothing else at any time
      const isProgress = (text: string) => text === 'Forecasting air-passengers.csv';
      assert.deepEqual(
        (await vscode().notifications()).filter((text) => !isProgress(text)),
        [],
      );
      await vscode().until(
        async () => (await vscode().notifications()).filter(isProgress),
        (texts) => texts.length === 0,
      );
      await vscode().shot('forecast-light');
    });

    it('lists the prediction as completed in the Predictions view', async () => {
      await vscode().openView('Forecasts');
      const row = vscode().treeItem('Predictions', 'air-passengers.csv');
      await row.waitFor();
      await row.getByText('24 months').waitFor();
      await row.locator('.codicon-pass').waitFor();
      await vscode().shot('sidebar-light');
    });

    it('restores the chart after a window reload', async () => {
      await vscode().reload();
      await vscode().webviewFrame().locator('canvas').first().waitFor();
      await expectChart();
      await vscode().openView('Forecasts');
      await vscode().treeItem('Predictions', 'air-passengers.csv').click();
      await expectChart();
      const tabs = (await vscode().editorTabs()).filter((title) => title.startsWith('Forecast: '));
      assert.deepEqual(tabs, ['Forecast: air-passengers.csv'], 'the chart that came back is the one that is shown');
      await vscode().shot('reloaded-light');
    });

    it('follows dark and high-contrast themes', async () => {
      await vscode().setTheme(themes.dark);
      await vscode().shot('forecast-dark');
      await vscode().setTheme(themes.highContrast);
      await vscode().shot('forecast-high-contrast');
    });

    it('keeps its state while hidden', async () => {
      await vscode().openView('Explorer');
      await vscode().openFile('air-passengers.csv');
      await vscode().editorTab('air-passengers.csv').waitFor();
      await vscode()
        .page.locator('.tabs-container .tab')
        .filter({ has: vscode().page.locator('[aria-label*="air-passengers.csv"]') })
        .first()
        .click();
      await vscode().webviewFrame().locator('canvas').first().waitFor();
      await expectChart();
    });

    it('loses nothing when the extension host is killed during a forecast', async function () {
      if (!canFindHosts) this.skip();
      const store = Store.of(vscode().userDataDir);
      const names = Array.from({ length: 60 }, (_, series) => `s${series}`);
      const rows = Array.from({ length: 120 }, (_, month) => {
        const date = new Date(Date.UTC(2010, month, 1)).toISOString().slice(0, 10);
        return [date, ...names.map((_name, series) => 100 + month + series + (month % 12))].join(',');
      });
      vscode().writeFile('wide.csv', ['month', ...names].join(',') + '\n' + rows.join('\n') + '\n');
      const before = store.all().size;
      await vscode().explorerContextMenu('wide.csv', 'Forecast All Series');
      await vscode().until(
        () => store.all().size - before,
        (count) => count > 2,
      );
      const acknowledged = [...store.all().keys()];
      const [host] = vscode().extensionHosts();
      process.kill(host, 'SIGKILL');
      await vscode().until(
        () => vscode().extensionHosts(),
        (hosts) => hosts.length > 0 && !hosts.includes(host),
      );
      assert.ok(store.isWhole());
      // the host that came in its place makes a forecast
      vscode().writeFile(
        'after.csv',
        'month,sales\n' + rows.map((row) => row.split(',', 2).join(',')).join('\n') + '\n',
      );
      await vscode().explorerContextMenu('after.csv', 'Forecast');
      await vscode().editorTab('after.csv').waitFor();
      await vscode().webviewFrame().locator('canvas').first().waitFor();
      const after = store.all();
      for (const id of acknowledged) assert.ok(after.has(id) && after.get(id) !== 'FAILED', id);
    });
  });
}

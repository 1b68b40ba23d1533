import assert from 'node:assert/strict';
import { parquetWriteBuffer } from 'hyparquet-writer';
import writeWorkbook from 'write-excel-file/universal';
import { themes } from '../ui/window.ts';
import type { WebWorkbench } from './workbench.ts';

export function forecastTests(vscode: () => WebWorkbench): void {
  const reported = (pattern: RegExp) =>
    vscode().until(
      async () => (await vscode().webviewFrame().locator('.scores').textContent()) ?? '',
      (text) => pattern.test(text),
    );

  describe('Forecast of a CSV file', () => {
    it('opens a chart with history, forecast and interval by right-click > Forecast', async () => {
      await vscode().explorerContextMenu('air-passengers.csv', 'Forecast');
      const page = vscode().webviewFrame();
      await page.locator('canvas').first().waitFor();
      const label = await page.locator('[aria-roledescription="chart"]').getAttribute('aria-label');
      assert.match(label ?? '', /Passengers · monthly · Jan 1949 – Dec 1960 · 144 points, no gaps/);
      await reported(/24 months ahead by hybrid/i);
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
      await vscode().openView('Forecasts');
      await vscode().treeItem('Predictions', 'air-passengers.csv').locator('.codicon-pass').waitFor();
      await vscode().shot('web-forecast-light');
      await vscode().setTheme(themes.dark);
      await vscode().shot('web-forecast-dark');
      await vscode().setTheme(themes.light);
    });

    it('forecasts again in place with another horizon and model', async () => {
      const page = vscode().webviewFrame();
      const horizon = page.getByLabel('Steps ahead', { exact: true });
      await horizon.fill('12');
      await horizon.press('Enter');
      await reported(/12 months ahead by hybrid/i);
      await page.getByLabel('Model').selectOption({ label: 'Theta' });
      await reported(/12 months ahead by theta/i);
    });

    it('compares models with scores', async () => {
      const page = vscode().webviewFrame();
      await page.getByRole('button', { name: 'Compare' }).click();
      const add = page.getByLabel('Add a forecast to compare');
      await add.selectOption({ label: 'Hybrid' });
      await add.selectOption({ label: 'Seasonal naive' });
      await page.getByText('best', { exact: true }).waitFor();
      await vscode().until(
        () => page.locator('.compare tbody td').allTextContents(),
        (cells) => cells.filter((cell) => /^\d\.\d\d$/.test(cell)).length === 3,
      );
      await vscode().shot('web-compare-light');
    });

    it('computes decomposition and backtest', async () => {
      const page = vscode().webviewFrame();
      await page.getByRole('tab', { name: 'Decomposition' }).click();
      await page.getByText(/^Rises by .* per month; July is .* above/).waitFor();
      await page.getByRole('tab', { name: 'Backtest' }).click();
      await page.getByText(/^MASE .*% better than the seasonal naive baseline/).waitFor();
    });

    it('restores the chart after a window reload', async () => {
      await vscode().reload();
      await reported(/12 months ahead by theta/i);
      await vscode().openView('Forecasts');
      await vscode().treeItem('Predictions', 'air-passengers.csv').locator('.codicon-pass').waitFor();
      await vscode().palette('View: Close All Editors');
    });

    it('reads JSON, Excel and Parquet files of the folder', async () => {
      const days = Array.from({ length: 60 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)));
      const sold = days.map((_, day) => 100 + 5 * (day % 7) + (day % 3));
      const rows = days.map((value, day) => [
        { value, type: Date, format: 'yyyy-mm-dd' },
        { value: sold[day], type: Number },
      ]);
      const head = ['day', 'sold'].map((value) => ({ value, type: String }));
      const book = await writeWorkbook([{ data: [head, ...rows] }] as never).toBlob();
      vscode().writeFile('sold.xlsx', new Uint8Array(await book.arrayBuffer()));
      const columnData = [
        { name: 'day', data: days, type: 'TIMESTAMP' as const },
        { name: 'sold', data: sold, type: 'DOUBLE' as const },
      ];
      vscode().writeFile('sold.parquet', new Uint8Array(parquetWriteBuffer({ columnData })));
      await vscode().openView('Explorer');
      for (const [name, points] of [
        ['web-visits.json', /\d+ points/],
        ['sold.xlsx', '60 points'],
        ['sold.parquet', '60 points'],
      ] as const) {
        await vscode().explorerContextMenu(name, 'Forecast');
        await vscode().editorTab(`Forecast: ${name}`).waitFor();
        await vscode().webviewFrame().getByText(points).first().waitFor();
        await vscode().webviewFrame().locator('canvas').first().waitFor();
      }
    });

    it('offers nothing that needs programs of the machine', async () => {
      const titles = await vscode().paletteItems('MCP: ');
      assert.ok(!titles.some((title) => /time series/i.test(title)), titles.join('\n'));
    });
  });
}

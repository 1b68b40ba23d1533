import assert from 'node:assert/strict';
import { forecastsOnNode } from './desktop.ts';
import { storedIn } from './stored.ts';
import type { WebWorkbench } from './workbench.ts';

/** Monthly series of many kinds: trends, seasons, counts with zeros, levels that shift, noise. */
function kinds(count: number, months: number): string {
  let state = 4711;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const valueOf = (series: number, month: number): number => {
    const season = (series % 4) * 6 * Math.sin((2 * Math.PI * (month + series)) / 12);
    const noise = (random() - 0.5) * (1 + (series % 7) * 3);
    if (series % 5 === 4) return random() < 0.6 ? 0 : Math.round(1 + random() * 9);
    return (
      50 + series + (series % 3) * 0.4 * month + season + noise + (series % 6 === 5 && month > months / 2 ? 40 : 0)
    );
  };
  const rows = Array.from({ length: months }, (_, month) => {
    const date = new Date(Date.UTC(2014, month)).toISOString().slice(0, 10);
    return [date, ...Array.from({ length: count }, (_none, series) => valueOf(series, month).toFixed(3))].join(',');
  });
  const names = Array.from({ length: count }, (_, series) => `s${String(series + 1)}`);
  return `month,${names.join(',')}\n${rows.join('\n')}\n`;
}

export function keepingTests(vscode: () => WebWorkbench): void {
  describe('Store in the browser', () => {
    before(async () => {
      await vscode().palette('View: Close All Editors');
      await vscode().openView('Explorer');
    });

    it('has the same forecasts as the desktop', async () => {
      const text = kinds(20, 96);
      vscode().writeFile('twenty.csv', text);
      await vscode().explorerContextMenu('twenty.csv', 'Forecast All Series');
      await vscode().webviewFrame().getByText('20 series').first().waitFor();
      const expected = await forecastsOnNode(text, 'twenty.csv');
      assert.equal(expected.size, 20);
      // the page lists its series before all of them are forecast
      const made = await vscode().until(
        () => storedIn(vscode(), (store) => store.forecasts()),
        (forecasts) => [...expected.keys()].every((name) => forecasts.has(name)),
      );
      for (const [name, points] of expected) {
        assert.equal(made.get(name), points, name);
      }
    });

    it('has everything acknowledged after its tab was killed', async () => {
      vscode().writeFile('sixty.csv', kinds(60, 120));
      const all = () => storedIn(vscode(), (store) => store.all());
      const before = (await all()).size;
      await vscode().palette('View: Close All Editors');
      await vscode().explorerContextMenu('sixty.csv', 'Forecast All Series');
      const done = await vscode().until(
        async () => [...(await all())].filter(([, status]) => status === 'COMPLETED').map(([id]) => id),
        (ids) => ids.length > before + 3,
      );
      await vscode().killTab();
      // a page that came back goes when the chart opens: who waits in it would wait in what is gone
      await vscode().palette('View: Close All Editors');
      await vscode().page.locator('iframe.webview').first().waitFor({ state: 'detached' });
      await vscode().explorerContextMenu('air-passengers.csv', 'Forecast');
      await vscode().editorTab('Forecast: air-passengers.csv').waitFor();
      await vscode().webviewFrame().locator('canvas').first().waitFor();
      const after = await all();
      for (const id of done) assert.equal(after.get(id), 'COMPLETED', id);
    });

    it('is shared with a second window', async () => {
      const second = await vscode().secondWindow();
      await second.close();
    });
  });
}

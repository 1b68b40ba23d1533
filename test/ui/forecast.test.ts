import assert from 'node:assert/strict';
import { canFindHosts } from './extension-hosts.ts';
import { Store } from './store.ts';
import { themes } from './window.ts';
import { Workbench } from './workbench.ts';

describe('Forecast of a CSV file', () => {
  let workbench: Workbench;

  before(async function () {
    this.timeout(300_000);
    workbench = await Workbench.start({ name: 'forecast', theme: themes.light });
  });
  after(() => workbench.stop());

  /** Header lines and the number of history rows, forecast rows and intervals, as the chart's page shows them. */
  async function chart() {
    const page = workbench.webviewFrame();
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
    const isThere = ({ label, rows }: Awaited<ReturnType<typeof chart>>) => label.includes('144 points') && rows > 144;
    const { rows, columns, label } = await workbench.until(chart, isThere);
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
    await workbench.explorerContextMenu('air-passengers.csv', 'Forecast');
    await workbench.webviewFrame().locator('canvas').first().waitFor();
    await expectChart();
    // its progress may be there for a moment yet, and nothing else at any time
    const isProgress = (text: string) => text === 'Forecasting air-passengers.csv';
    assert.deepEqual(
      (await workbench.notifications()).filter((text) => !isProgress(text)),
      [],
    );
    await workbench.until(
      async () => (await workbench.notifications()).filter(isProgress),
      (texts) => texts.length === 0,
    );
    await workbench.shot('forecast-light');
  });

  it('lists the prediction as completed in the Predictions view', async () => {
    await workbench.openView('Forecasts');
    const row = workbench.treeItem('Predictions', 'air-passengers.csv');
    await row.waitFor();
    await row.getByText('24 months').waitFor();
    await row.locator('.codicon-pass').waitFor();
    await workbench.shot('sidebar-light');
  });

  it('restores the chart after a window reload', async () => {
    await workbench.reload();
    await workbench.webviewFrame().locator('canvas').first().waitFor();
    await expectChart();
    await workbench.openView('Forecasts');
    await workbench.treeItem('Predictions', 'air-passengers.csv').click();
    await expectChart();
    const tabs = (await workbench.editorTabs()).filter((title) => title.startsWith('Forecast: '));
    assert.deepEqual(tabs, ['Forecast: air-passengers.csv'], 'the chart that came back is the one that is shown');
    await workbench.shot('reloaded-light');
  });

  it('follows dark and high-contrast themes', async () => {
    await workbench.setTheme(themes.dark);
    await workbench.shot('forecast-dark');
    await workbench.setTheme(themes.highContrast);
    await workbench.shot('forecast-high-contrast');
  });

  it('keeps its state while hidden', async () => {
    await workbench.openView('Explorer');
    await workbench.openFile('air-passengers.csv');
    await workbench.editorTab('air-passengers.csv').waitFor();
    await workbench.page
      .locator('.tabs-container .tab')
      .filter({ has: workbench.page.locator('[aria-label*="air-passengers.csv"]') })
      .first()
      .click();
    await workbench.webviewFrame().locator('canvas').first().waitFor();
    await expectChart();
  });

  it('loses nothing when the extension host is killed during a forecast', async function () {
    if (!canFindHosts) this.skip();
    const store = Store.of(workbench.userDataDir);
    const names = Array.from({ length: 60 }, (_, series) => `s${series}`);
    const rows = Array.from({ length: 120 }, (_, month) => {
      const date = new Date(Date.UTC(2010, month, 1)).toISOString().slice(0, 10);
      return [date, ...names.map((_name, series) => 100 + month + series + (month % 12))].join(',');
    });
    workbench.writeFile('wide.csv', ['month', ...names].join(',') + '\n' + rows.join('\n') + '\n');
    const before = store.all().size;
    await workbench.explorerContextMenu('wide.csv', 'Forecast All Series');
    await workbench.until(
      () => store.all().size - before,
      (count) => count > 2,
    );
    const acknowledged = [...store.all().keys()];
    const [host] = workbench.extensionHosts();
    process.kill(host, 'SIGKILL');
    await workbench.until(
      () => workbench.extensionHosts(),
      (hosts) => hosts.length > 0 && !hosts.includes(host),
    );
    assert.ok(store.isWhole());
    // the host that came in its place makes a forecast
    workbench.writeFile(
      'after.csv',
      'month,sales\n' + rows.map((row) => row.split(',', 2).join(',')).join('\n') + '\n',
    );
    await workbench.explorerContextMenu('after.csv', 'Forecast');
    await workbench.editorTab('after.csv').waitFor();
    await workbench.webviewFrame().locator('canvas').first().waitFor();
    const after = store.all();
    for (const id of acknowledged) assert.ok(after.has(id) && after.get(id) !== 'FAILED', id);
  });

  it('offers Forecast on series files only', async () => {
    workbench.writeFile('picture.png', new Uint8Array([1]));
    const menu = await workbench.explorerMenuItems('picture.png');
    assert.equal(
      menu.some((item) => item.includes('Forecast')),
      false,
    );
    assert.ok((await workbench.explorerMenuItems('air-passengers.csv')).includes('Forecasts'));
  });
});

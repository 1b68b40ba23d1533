import assert from 'node:assert/strict';
import writeWorkbook from 'write-excel-file/universal';
import { lookInAllThemes } from './axe.ts';
import { themes } from './window.ts';
import { useWorkbench } from './workbench.ts';

const odd = 'Monat;Umsatz\n01.01.2024;1,5\n01.02.2024;k. A.?\n01.03.2024;3\n01.04.2024;4,5\n01.06.2024;5\n';
const year = Array.from(
  { length: 24 },
  (_, i) => `01.${String((i % 12) + 1).padStart(2, '0')}.${2022 + Math.floor(i / 12)};${i},5`,
);
/** Daily sales that are low on the holidays of Germany. */
const fixed = ['01-01', '05-01', '10-03', '12-25', '12-26'].flatMap((day) => [`2023-${day}`, `2024-${day}`]);
const moving = ['2023-04-07', '2023-04-10', '2023-05-18', '2023-05-29', '2024-03-29', '2024-04-01', '2024-05-09', '2024-05-20']; // prettier-ignore
const holidays = Array.from({ length: 600 }, (_, i) => {
  const day = new Date(Date.UTC(2023, 0, 2 + i)).toISOString().slice(0, 10);
  return `${day},${([...fixed, ...moving].includes(day) ? 20 : 100) + 5 * (i % 7) + ((i * 13) % 5)}`;
});

describe('Series files', () => {
  const vscode = useWorkbench({
    theme: themes.light,
    files: {
      'odd.csv': odd,
      'sales.csv': `Monat;Umsatz\n${year.join('\n')}\n`,
      'daily.csv': `date,sales\n${holidays.join('\n')}\n`,
    },
  });

  it('shows the problems of a file at their cells and offers a quick fix', async () => {
    await vscode().explorerContextMenu('odd.csv', 'Forecast');
    await vscode().notification('odd.csv, line 3').waitFor();
    await vscode().notificationButton('is not a number', 'Show Line');
    await vscode().editorTab('odd.csv').waitFor();
    await vscode().statusBar(/Ln 3/).waitFor();
    await vscode().page.locator('.monaco-editor .squiggly-error').first().waitFor();
    await vscode().palette('Problems: Focus on Problems View');
    const problems = vscode().page.locator('.markers-panel');
    await problems.getByText('“k. A.?” is not a number').waitFor();
    await problems.getByText('One row is missing between').waitFor();
    await vscode().shot('problems-light');
    await vscode().setTheme(themes.dark);
    await vscode().shot('problems-dark');
    await vscode().setTheme(themes.light);
    await problems.getByText('“k. A.?” is not a number').click();
    // the key is taken once the repairs of the row are known
    await vscode().until(
      async () => {
        await vscode().page.keyboard.press('ControlOrMeta+.');
        const menu = vscode().page.locator('.monaco-menu').first().waitFor({ timeout: 3_000 });
        return menu.then(
          () => true,
          () => false,
        );
      },
      (isOpen) => isOpen,
    );
    await vscode().chooseFromMenu('Treat “k. A.?” as missing');
    await problems.getByText('“k. A.?” is not a number').waitFor({ state: 'detached' });
    await vscode().palette('Forecasts: Clear Problems');
    await problems.getByText('One row is missing between').waitFor({ state: 'detached' });
    await vscode().palette('View: Hide Panel');
  });

  it('offers the holidays of the chosen country and uses them when accepted', async () => {
    await vscode().palette('Forecasts: Set Holiday Country…');
    await vscode().quickAsks('The holidays of which country');
    await vscode().quickType('Germany', { enter: false });
    await vscode().quickPick('Germany');
    await vscode().notification('now offers the holidays of').waitFor();
    await vscode().explorerContextMenu('daily.csv', 'Forecast with Options…');
    await vscode().quickPick('Hybrid');
    await vscode().quickAsks('Which columns should the forecast use?');
    await vscode().until(
      () => vscode().quickItems(),
      (items) => items.some((item) => /holiday \(DE\).*Helped in a backtest/s.test(item)),
    );
    await vscode().shot('holidays-light');
    await vscode().page.keyboard.press('Enter');
    await vscode().quickAsks('Which bounds should the forecast have?');
    await vscode().page.keyboard.press('Enter');
    await vscode().quickAsks('How far ahead');
    await vscode().quickType('21');
    await vscode()
      .webviewFrame()
      .getByText(/with holiday \(DE\): \d+% less error than without/)
      .first()
      .waitFor();
    await vscode().shot('holidays-chart');
  });

  it('forecasts selected rows from the editor menu', async () => {
    await vscode().openFile('sales.csv');
    // an editor that was there before shows the file a moment after its tab
    const lines = vscode().page.locator('.monaco-editor .view-lines').first();
    await lines.getByText('01.01.2022;0,5').waitFor();
    await lines.click();
    await vscode().page.keyboard.press('ControlOrMeta+Home');
    for (let line = 0; line < 13; line++) await vscode().page.keyboard.press('Shift+ArrowDown');
    await vscode()
      .statusBar(/Ln 14, Col 1 \(/)
      .waitFor();
    await vscode().palette('Forecasts: Forecast Selection');
    const page = vscode().webviewFrame();
    await page.getByText('12 points').waitFor();
    await vscode().editorTab('Forecast: sales.csv, lines 2–13').waitFor();
  });

  it('writes the forecast in the layout of its file into an untitled document', async () => {
    await vscode().openView('Explorer');
    await vscode().explorerContextMenu('sales.csv', 'Forecast');
    const page = vscode().webviewFrame();
    await page.getByText('24 points').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    await vscode().shot('export-menu');
    await page.getByRole('menuitem', { name: 'Open as Text' }).click();
    const editor = vscode().page.locator('.editor-group-container.active .monaco-editor');
    await editor.getByText('Monat;lower_95;lower_80;lower_50;forecast;upper_50;upper_80;upper_95').waitFor();
    await editor.getByText(/^01\.01\.2024;\d+,\d+;/).waitFor();
  });

  it('deletes several predictions at once; one Undo restores them and their charts', async () => {
    await vscode().openView('Forecasts');
    await vscode()
      .treeItem('Predictions', /sales\.csv, lines/)
      .click();
    await vscode()
      .treeItem('Predictions', /sales\.csv(?!,)/)
      .click({ modifiers: ['ControlOrMeta'] });
    await vscode().treeContextMenu('Predictions', /sales\.csv(?!,)/, 'Compare');
    await vscode().notification('are forecasts of different series').waitFor();
    const title = 'Forecast: sales.csv, lines 2–13';
    await vscode().treeContextMenu('Predictions', /sales\.csv(?!,)/, 'Delete');
    await vscode()
      .treeItem('Predictions', /sales\.csv/)
      .waitFor({ state: 'detached' });
    await vscode().editorTab(title).waitFor({ state: 'detached' });
    await vscode().notification('were deleted.').waitFor();
    await vscode().shot('deleted-undo');
    await vscode().notificationButton('were deleted.', 'Undo');
    await vscode()
      .treeItem('Predictions', /sales\.csv, lines/)
      .waitFor();
    await vscode().editorTab(title).waitFor();
    await vscode().treeContextMenu('Predictions', /sales\.csv, lines/, 'Delete');
    await vscode()
      .treeItem('Predictions', /sales\.csv, lines/)
      .waitFor({ state: 'detached' });
    await vscode().palette('Forecasts: Undo Deletion');
    await vscode()
      .treeItem('Predictions', /sales\.csv, lines/)
      .waitFor();
  });

  it('exports a forecast file, which opens as a chart and reproduces the forecast', async () => {
    await vscode().openView('Forecasts');
    await vscode().treeContextMenu('Predictions', /sales\.csv(?!,)/, 'Export Forecast…');
    await vscode().quickPick('Forecast File…');
    await vscode().quickTitle().getByText('Save Data').waitFor();
    // the dialog takes nothing before it has listed the folder
    await vscode().page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await vscode().page.keyboard.press('Enter');
    await vscode().notificationButton('sales.forecast.json is saved', 'Open');
    await vscode().editorTab('sales.forecast.json').waitFor();
    const page = vscode().webviewFrame();
    await page.getByRole('button', { name: 'Run Again' }).click();
    await vscode().notification('sales.csv was reproduced: the numbers are the same.').waitFor();
    await vscode().shot('forecast-file-light');
    await vscode().setTheme(themes.highContrast);
    await vscode().shot('forecast-file-highContrast');
    await vscode().setTheme(themes.light);
    await page.getByRole('button', { name: 'Open as JSON' }).click();
    await vscode().page.locator('.monaco-editor').getByText('"prediction_length": 12').waitFor();
    await vscode().shot('forecast-file-text');
    await vscode().palette('View: Reopen Editor With...');
    await vscode().quickPick('Forecast Chart');
    await page.getByRole('button', { name: 'Run Again' }).waitFor();
  });
});

describe('Forecast All Series', () => {
  const months = Array.from({ length: 36 }, (_, i) => `${2021 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`); // prettier-ignore
  const rows = Array.from({ length: 40 }, (_, n) =>
    months.map((month, i) => `Store ${n + 1},${month},${100 + n + (i % 12) * 3 + ((i * 7919 * n) % 13)}`).join('\n'),
  );
  const vscode = useWorkbench({
    theme: themes.light,
    files: { 'regions/stores.csv': `store,month,sales\n${rows.join('\n')}\n` },
  });

  it('reads the series of a sheet of a workbook, and the Predictions view filters and groups them', async () => {
    const sheet = (name: string, factor: number) => ({
      sheet: name,
      data: [['month', 'sales'].map((value) => ({ value, type: String })), ...months.map((month, i) => [{ value: new Date(`${month}-01T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' }, { value: factor * (100 + (i % 12)), type: Number }])],
    }); // prettier-ignore
    const book = await writeWorkbook([sheet('North', 1), sheet('South', 7)] as never).toBlob();
    vscode().writeFile('book.xlsx', new Uint8Array(await book.arrayBuffer()));
    await vscode().explorerContextMenu('book.xlsx', 'Forecast');
    await vscode().quickAsks('book.xlsx: Which sheet should be read?');
    await vscode().shot('workbook-sheets');
    await vscode().quickPick('South');
    await vscode().webviewFrame().getByText('36 points').waitFor();
    await vscode().openView('Forecasts');
    await vscode().treeItem('Predictions', 'book.xlsx').waitFor();
    await vscode().treeContextMenu('Predictions', 'book.xlsx', 'Toggle Pin');
    await vscode().treeItem('Predictions', 'pinned').waitFor();
    await vscode().palette('Forecasts: Filter Predictions…');
    await vscode().quickType('nothing of the kind');
    await vscode().treeItem('Predictions', 'book.xlsx').waitFor({ state: 'detached' });
    await vscode().palette('Forecasts: Filter Predictions…');
    await vscode().quickType('book completed');
    await vscode().treeItem('Predictions', 'book.xlsx').waitFor();
    await vscode().shot('sidebar-filtered');
    await vscode().openView('Explorer');
  });

  it('reconciles series that add up, and the page shows the accuracy of each level', async () => {
    const parts = (month: number) => [3, 5, 7].map((prime) => 20 * prime + month + 9 * Math.sin(prime * month));
    const sold = months.map((month, i) => [month, ...parts(i), parts(i).reduce((sum, part) => sum + part)].join(','));
    vscode().writeFile('transport.csv', `month,bus,metro,train,total\n${sold.join('\n')}\n`);
    await vscode().explorerContextMenu('transport.csv', 'Forecast All Series');
    await vscode().quickAsks('Some series are sums of others. Should the forecasts add up too?');
    await vscode().shot('totals-question');
    await vscode().quickPick('Make Them Add Up');
    const page = vscode().webviewFrame();
    await page.getByText('Series and totals add up at every step.').waitFor();
    await page.getByText('3 series').first().waitFor();
    await vscode().shot('totals-page');
  });

  it('shows all series on a page without axe-core findings, restored after a reload', async () => {
    await vscode().explorerContextMenu('regions', 'Forecast All Series');
    const page = vscode().webviewFrame();
    await page.getByText('40 series').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Series' }).click();
    await page.getByRole('grid').focus();
    for (const key of ['ArrowDown', 'Shift+ArrowDown', 'ArrowDown', 'Shift+ArrowDown'])
      await vscode().page.keyboard.press(key);
    await page.getByText('40 series · 2 selected').waitFor();
    await lookInAllThemes(vscode(), 'many');
    await page.getByRole('searchbox').fill('store 17');
    await page.getByText('1 of 40 series').waitFor();
    await vscode().reload();
    await page.getByText('1 of 40 series').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('40 series · 2 selected').waitFor();
    await page.getByRole('searchbox').fill('store 17');
    await page.getByText('1 of 40 series').waitFor();
    await page.getByRole('grid').focus();
    await vscode().page.keyboard.press('Enter');
    await vscode().until(
      () => vscode().editorTabs(),
      (tabs) => tabs.includes('Forecast: stores.csv · Store 17'),
    );
    await vscode().shot('many-chart-beside');
  });

  it('shows a run of two thousand series as one sidebar row that expands', async function () {
    this.timeout(600_000);
    const twoYears = months.slice(0, 24);
    const shops = Array.from({ length: 2000 }, (_, n) =>
      twoYears.map((month, i) => `Shop ${n + 1},${month},${50 + (n % 90) + (i % 12)}`).join('\n'),
    );
    vscode().writeFile('chain.csv', `shop,month,sales\n${shops.join('\n')}\n`);
    await vscode().palette('View: Close All Editors');
    await vscode().openView('Explorer');
    await vscode().explorerContextMenu('chain.csv', 'Forecast All Series');
    await vscode().webviewFrame().getByText('2,000 series').waitFor({ timeout: 500_000 });
    await vscode().openView('Forecasts');
    await vscode().treeItem('Predictions', 'chain.csv').waitFor();
    const rows = await vscode().treeItems('Predictions');
    const runs = rows.filter(({ label }) => label === 'chain.csv');
    assert.deepEqual(
      runs.map(({ expanded, level }) => [expanded, level]),
      [[false, 1]],
    );
    assert.match(runs[0].description, /^2,000 series · /);
    assert.ok(
      rows.length > 1 && rows.every(({ label }) => !label.includes('Shop')),
      'what was made before is in sight beside it',
    );
    await vscode().shot('sidebar-run-of-2000');
    await vscode().treeItem('Predictions', 'chain.csv').locator('.monaco-tl-twistie').click();
    await vscode()
      .treeItem('Predictions', /^Shop \d+/)
      .waitFor();
    const below = (await vscode().treeItems('Predictions')).filter(({ level }) => level === 2);
    assert.ok(below.length > 3 && below.every(({ label }) => label.startsWith('Shop')), JSON.stringify(below[0]));
    await vscode().shot('sidebar-run-of-2000-open');
  });
});

import assert from 'node:assert/strict';
import { lookInAllThemes } from './axe.ts';
import { themes, useWorkbench } from './workbench.ts';

/** So many series that each epoch of a training has its full number of windows, and lasts. */
function manySeries(): string {
  const rows = ['shop,month,sales'];
  for (let shop = 1; shop <= 60; shop++) {
    for (let month = 0; month < 84; month++) {
      const date = new Date(Date.UTC(2015, month)).toISOString().slice(0, 10);
      const season = 20 * Math.sin((month + shop) / 1.9);
      rows.push(`Shop ${shop},${date},${(100 + shop + season + ((month * 7919 + shop * 104729) % 23)).toFixed(1)}`);
    }
  }
  return rows.join('\n');
}

describe('fine-tuned models, datasets and options', () => {
  const vscode = useWorkbench({ name: 'models', theme: themes.light, files: { 'shops.csv': manySeries() } });

  it('stores the series of a file as a dataset, whose series can be opened and forecast', async () => {
    await vscode().explorerContextMenu('retail-long.csv', 'Create Dataset from File…');
    await vscode().quickAsks('Which series of retail-long.csv to store?');
    await vscode().page.keyboard.press('Enter');
    await vscode().treeItem('Datasets', 'retail-long').waitFor();
    assert.match((await vscode().treeItem('Datasets', 'retail-long').textContent()) ?? '', /12 series/);
    await vscode().treeItem('Datasets', 'retail-long').click();
    await vscode().until(
      async () => (await vscode().treeItems('Datasets')).length,
      (count) => count > 3,
    );
    await vscode().shot('dataset-light');
    await vscode().view('Datasets').locator('.monaco-list-row').nth(1).click();
    await vscode().webviewFrame().getByRole('button', { name: 'Forecast', exact: true }).waitFor();
    const [tab] = await vscode().editorTabs();
    assert.match(tab ?? '', /^Series: /);
    await vscode().shot('plot-light');
    await vscode().palette('View: Close All Editors');
    // rows that are out of sight are not there
    await vscode().expandView('Predictions', false);
  });

  it('trains a model on it in a multi-step input, and tells how it learned in every theme', async () => {
    await vscode().treeContextMenu('Datasets', 'retail-long', 'Create Fine-Tuned Model…');
    await vscode().quickAsks('Which base model?');
    await vscode().quickPick('Hybrid');
    await vscode().quickAsks('Which settings to change?');
    await vscode().quickBack();
    await vscode().quickAsks('Which base model?');
    await vscode().quickPick('Hybrid');
    await vscode().quickAsks('Which settings to change?');
    await vscode().page.keyboard.press('Enter');
    await vscode().quickAsks('What should the model be called?');
    await vscode().quickType('Hybrid on retail');
    const model = vscode().treeItem('Models', 'Hybrid on retail');
    await model.waitFor();
    await model.locator('.codicon-pass').waitFor({ timeout: 60_000 });
    assert.match((await model.textContent()) ?? '', /on its hold-out/);
    await model.click();
    const page = vscode().webviewFrame();
    await page.getByRole('heading', { name: 'Hybrid on retail' }).waitFor();
    await page.getByText('on the held-out last horizon of 12 training series').waitFor();
    await page.getByText('retail-long', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Forecast a File with this Model…' }).waitFor();
    await page.getByRole('img', { name: /^Loss in training by epoch: / }).waitFor();
    await page.getByRole('img', { name: /^MASE on the hold-out by epoch: / }).waitFor();
    await lookInAllThemes(vscode(), 'models');
    await vscode().setTheme(themes.light);
  });

  it('shows the model’s page again after a reload of the window, with its link', async () => {
    await vscode().reload();
    const page = vscode().webviewFrame();
    await page.getByRole('heading', { name: 'Hybrid on retail' }).waitFor({ timeout: 30_000 });
    await page.getByRole('img', { name: /^Loss in training by epoch: / }).waitFor();
    await page.getByText('retail-long', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Forecast a File with this Model…' }).click();
    await vscode().quickTitle().waitFor();
    await vscode().escape();
  });

  it('forecasts with the model', async () => {
    await vscode().openView('Explorer');
    await vscode().explorerContextMenu('air-passengers.csv', 'Forecast with Options…');
    await vscode().quickAsks('Which model?');
    await vscode().quickPick('Hybrid on retail');
    await vscode().quickAsks('How far ahead');
    await vscode().quickType('6');
    await vscode().webviewFrame().locator('canvas').first().waitFor();
    const label = await vscode().webviewFrame().locator('[aria-roledescription="chart"]').getAttribute('aria-label');
    assert.match(label ?? '', /6 months ahead by Hybrid on retail/);
    await vscode().shot('options-light');
  });

  it('forecasts with the model after a reload of the window too', async () => {
    await vscode().reload();
    await vscode().openView('Explorer');
    await vscode().explorerContextMenu('air-passengers.csv', 'Forecast with Options…');
    await vscode().quickAsks('Which model?');
    await vscode().quickPick('Hybrid on retail');
    await vscode().quickAsks('How far ahead');
    await vscode().quickType('5');
    const chart = vscode().webviewFrame().locator('[aria-roledescription="chart"]');
    await vscode().until(
      async () => (await chart.getAttribute('aria-label')) ?? '',
      (label) => label.includes('5 months ahead by Hybrid on retail'),
    );
  });

  it('keeps the place of a page while its model is trained', async () => {
    await vscode().openView('Explorer');
    await vscode().explorerContextMenu('shops.csv', 'Create Dataset from File…');
    await vscode().quickAsks('Which series of shops.csv to store?');
    await vscode().page.keyboard.press('Enter');
    // it is shown by itself; whoever opened the view at that moment would close it
    await vscode().treeItem('Datasets', 'shops').waitFor();
    await vscode().treeContextMenu('Datasets', 'shops', 'Create Fine-Tuned Model…');
    await vscode().quickAsks('Which base model?');
    await vscode().quickPick('Hybrid');
    await vscode().quickAsks('Which settings to change?');
    await vscode().quickPick('Epochs');
    await vscode().page.keyboard.press('Enter');
    await vscode().quickAsks('At most so many passes');
    await vscode().quickType('60');
    await vscode().quickAsks('What should the model be called?');
    await vscode().quickType('Page in training');
    await vscode().treeItem('Models', 'Page in training').click();
    const main = vscode().webviewFrame().getByRole('main');
    await main.getByRole('heading', { name: 'Page in training' }).waitFor();
    await main.evaluate((element: { setAttribute: (name: string, value: string) => void }) => {
      element.setAttribute('data-mark', 'the same page');
    });
    const rows = main.locator('tbody tr');
    await vscode().until(
      () => rows.count(),
      (count) => count > 2,
      60_000,
    );
    await vscode().shot('model-in-training-light');
    await main.getByRole('button', { name: 'Stop' }).click();
    await main.getByText('Trained · fine-tuned from').waitFor({ timeout: 30_000 });
    assert.equal(await main.getAttribute('data-mark'), 'the same page');
    assert.ok((await rows.count()) < 60);
  });

  it('trains a model further, from its page', async () => {
    const main = vscode().webviewFrame().getByRole('main');
    await main.getByRole('button', { name: 'Train Further' }).click();
    await main.getByRole('heading', { name: 'Page in training, further' }).waitFor();
    await main.getByRole('button', { name: 'Stop' }).click();
    await main.getByText('Trained · fine-tuned from').waitFor({ timeout: 60_000 });
    await vscode().shot('model-further-light');
  });

  it('goes on training over a reload of the window, and tells when it is done', async function () {
    this.timeout(200_000);
    await vscode().openView('Forecasts');
    // one that is done within moments would be told of in the window that goes
    await vscode().treeContextMenu('Datasets', 'shops', 'Create Fine-Tuned Model…');
    await vscode().quickAsks('Which base model?');
    await vscode().quickPick('Neural');
    await vscode().quickAsks('Which settings to change?');
    await vscode().quickPick('Epochs');
    await vscode().page.keyboard.press('Enter');
    await vscode().quickAsks('At most so many passes');
    await vscode().quickType('100');
    await vscode().quickAsks('What should the model be called?');
    await vscode().quickType('Long in training');
    await vscode().treeItem('Models', 'Long in training').waitFor();
    await vscode().openView('Explorer');
    await vscode().reload();
    const told = vscode().notification('Long in training is trained');
    await told.waitFor({ timeout: 150_000 });
    await vscode().notificationButton('Long in training is trained', 'Forecast with this Model');
    await vscode().quickTitle().waitFor();
    await vscode().escape();
  });

  it('lets the person choose where a file has several series', async () => {
    await vscode().explorerContextMenu('store-sales.csv', 'Forecast');
    await vscode().quickAsks('Which series of store-sales.csv to forecast?');
    const rows = await vscode().quickItems();
    assert.equal(rows.length, 4, rows.join('\n'));
    await vscode().shot('choose-series-light');
    await vscode().escape();
  });

  it('says what is wrong with a file, and shows the line', async () => {
    vscode().writeFile('broken.csv', 'month,value\n2024-01,1\n2024-02,two\n2024-03,3\n2024-04,4\n2024-05,5\n');
    await vscode().explorerContextMenu('broken.csv', 'Forecast');
    await vscode().notification('broken.csv, line 3').waitFor();
    await vscode().shot('bad-cell-light');
    await vscode().notificationButton('broken.csv, line 3', 'Show Line');
    await vscode().editorTab('broken.csv').waitFor();
    await vscode().statusBar(/Ln 3/).waitFor();
  });
});

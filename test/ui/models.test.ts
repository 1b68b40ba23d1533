import assert from 'node:assert/strict';
import { lookInAllThemes } from './axe.ts';
import { themes } from './window.ts';
import { useWorkbench } from './workbench.ts';

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

describe('Fine-tuned models, datasets and options', () => {
  const vscode = useWorkbench({ name: 'models', theme: themes.light, files: { 'shops.csv': manySeries() } });
  const model = (name: string) => vscode().treeItem('Models', name);

  /** Stores all series of a file. */
  async function store(name: string): Promise<void> {
    await vscode().openView('Explorer');
    await vscode().explorerContextMenu(`${name}.csv`, 'Create Dataset from File…');
    await vscode().quickAsks(`Which series of ${name}.csv?`);
    await vscode().page.keyboard.press('Enter');
    // it is shown by itself; a click on the view at that moment would close it
    await vscode().treeItem('Datasets', name).waitFor();
    // rows that are out of sight are not there
    await vscode().expandView('Predictions', false);
  }

  /** Begins a training on the series of `shops.csv` that lasts. */
  async function train(base: string, epochs: string, name: string): Promise<void> {
    await vscode().openView('Forecasts');
    await vscode().treeContextMenu('Datasets', 'shops', 'Create Fine-Tuned Model…');
    await vscode().quickAsks('Which base model?');
    await vscode().quickPick(base);
    await vscode().quickAsks('Which settings do you want to change?');
    await vscode().quickPick('Epochs');
    await vscode().page.keyboard.press('Enter');
    await vscode().quickAsks('Maximum number of passes');
    await vscode().quickType(epochs);
    await vscode().quickAsks('What should the model be called?');
    await vscode().quickType(name);
    await model(name).waitFor();
  }

  describe('Series of a file stored as a dataset', () => {
    before(() => store('retail-long'));

    it('shows their number, opens them and forecasts them', async () => {
      await vscode()
        .treeItem('Datasets', /retail-long.*12 series/)
        .waitFor();
      await vscode().treeItem('Datasets', 'retail-long').click();
      await vscode().until(
        async () => (await vscode().treeItems('Datasets')).length,
        (count) => count > 3,
      );
      await vscode().shot('dataset-light');
      await vscode().view('Datasets').locator('.monaco-list-row').nth(1).click();
      await vscode().webviewFrame().getByRole('button', { name: 'Forecast', exact: true }).waitFor();
      await vscode().until(
        () => vscode().editorTabs(),
        (tabs) => tabs.some((tab) => tab.startsWith('Series: ')),
      );
      await vscode().shot('plot-light');
      await vscode().palette('View: Close All Editors');
    });

    describe('used to train a model', () => {
      before(async () => {
        await vscode().treeContextMenu('Datasets', 'retail-long', 'Create Fine-Tuned Model…');
        await vscode().quickAsks('Which base model?');
        await vscode().quickPick('Hybrid');
        await vscode().quickAsks('Which settings do you want to change?');
        await vscode().quickBack();
        await vscode().quickAsks('Which base model?');
        await vscode().quickPick('Hybrid');
        await vscode().quickAsks('Which settings do you want to change?');
        await vscode().page.keyboard.press('Enter');
        await vscode().quickAsks('What should the model be called?');
        await vscode().quickType('Hybrid on retail');
        await model('Hybrid on retail').locator('.codicon-pass').waitFor({ timeout: 120_000 });
      });

      const openPage = async () => {
        await vscode().openView('Forecasts');
        await model('Hybrid on retail').click();
        const page = vscode().webviewFrame();
        await page.getByRole('heading', { name: 'Hybrid on retail' }).waitFor();
        await page.getByText('retail-long', { exact: true }).waitFor();
        return page;
      };

      it("lists them with the learning curve on the model's page in every theme", async () => {
        await model('Hybrid on retail').getByText('on the holdout').waitFor();
        const page = await openPage();
        await page.getByText('on the holdout of 12 training series').waitFor();
        await page.getByRole('button', { name: 'Forecast a File with this Model…' }).waitFor();
        await page.getByRole('img', { name: /^Training loss by epoch: / }).waitFor();
        await page.getByRole('img', { name: /^MASE on the holdout by epoch: / }).waitFor();
        await lookInAllThemes(vscode(), 'models');
        await vscode().setTheme(themes.light);
      });

      it("links them on the model's page after a window reload", async () => {
        const page = await openPage();
        await vscode().reload();
        await page.getByRole('heading', { name: 'Hybrid on retail' }).waitFor();
        await page.getByRole('img', { name: /^Training loss by epoch: / }).waitFor();
        await page.getByText('retail-long', { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Forecast a File with this Model…' }).click();
        await vscode().quickTitle().waitFor();
        await vscode().escape();
      });

      const forecast = async (steps: string) => {
        await vscode().openView('Explorer');
        await vscode().explorerContextMenu('air-passengers.csv', 'Forecast with Options…');
        await vscode().quickAsks('Which model?');
        await vscode().quickPick('Hybrid on retail');
        await vscode().quickAsks('Which bounds should the forecast have?');
        await vscode().page.keyboard.press('Enter');
        await vscode().quickAsks('How far ahead');
        await vscode().quickType(steps);
        const chart = vscode().webviewFrame().locator('[aria-roledescription="chart"]');
        await vscode().until(
          async () => (await chart.getAttribute('aria-label')) ?? '',
          (label) => label.includes(`${steps} months ahead by Hybrid on retail`),
        );
      };

      it('forecasts other series with the model', async () => {
        await forecast('6');
        await vscode().shot('options-light');
      });

      it('forecasts other series with the model after a window reload', async () => {
        await vscode().reload();
        await forecast('5');
      });
    });
  });

  describe('Long training', () => {
    before(() => store('shops'));

    it('keeps the panel of its page, from which the model can be trained further', async () => {
      await train('Hybrid', '60', 'Page in training');
      await model('Page in training').click();
      const main = vscode().webviewFrame().getByRole('main');
      await main.getByRole('heading', { name: 'Page in training' }).waitFor();
      await main.evaluate((element: { setAttribute: (name: string, value: string) => void }) => {
        element.setAttribute('data-mark', 'the same page');
      });
      const rows = main.locator('tbody tr');
      await vscode().until(
        () => rows.count(),
        (count) => count > 2,
      );
      await vscode().shot('model-in-training-light');
      await main.getByRole('button', { name: 'Stop' }).click();
      await main.getByText(/^Fine-tuned from [^·]+$/).waitFor();
      assert.equal(await main.getAttribute('data-mark'), 'the same page');
      assert.ok((await rows.count()) < 60);
      await main.getByRole('button', { name: 'Continue Training' }).click();
      await main.getByRole('heading', { name: 'Page in training, continued' }).waitFor();
      await main.getByRole('button', { name: 'Stop' }).click();
      await main.getByText(/^Fine-tuned from [^·]+$/).waitFor();
      await vscode().shot('model-further-light');
    });

    it('continues after a window reload and notifies when done', async () => {
      // one that is done within moments would be told of in the window that goes
      await train('Neural', '100', 'Long in training');
      await vscode().openView('Explorer');
      await vscode().reload();
      const reported = vscode().notification('Long in training is trained');
      await reported.waitFor({ timeout: 200_000 });
      await vscode().notificationButton('Long in training is trained', 'Forecast with this Model');
      await vscode().quickTitle().waitFor();
      await vscode().escape();
    });
  });

  it('asks which series to use if a file has several', async () => {
    await vscode().openView('Explorer');
    await vscode().explorerContextMenu('store-sales.csv', 'Forecast');
    await vscode().quickAsks('Which series of store-sales.csv?');
    await vscode().until(
      () => vscode().quickItems(),
      (rows) => rows.length === 4,
    );
    await vscode().shot('choose-series-light');
    await vscode().escape();
  });
});

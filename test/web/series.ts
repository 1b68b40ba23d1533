import assert from 'node:assert/strict';
import { themes } from '../ui/window.ts';
import type { WebWorkbench } from './workbench.ts';

export function seriesTests(vscode: () => WebWorkbench): void {
  describe('Many series', () => {
    it('are forecast at once and listed by accuracy', async () => {
      await vscode().palette('View: Close All Editors');
      await vscode().openView('Explorer');
      await vscode().explorerContextMenu('retail-long.csv', 'Forecast All Series');
      const page = vscode().webviewFrame();
      await page.getByText('12 series').first().waitFor();
      await page.getByRole('grid').waitFor();
      await vscode().shot('web-many-light');
    });

    /** Takes what is ticked; a key may come before the list has the focus. */
    const accept = () =>
      vscode().page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK', exact: true }).click();

    async function train(name: string, epochs: number): Promise<void> {
      await vscode().palette('View: Close All Editors');
      await vscode().palette('Welcome: Open Walkthrough...');
      await vscode().quickType('Get Started with Time Series Forecasts');
      const start = vscode().page.locator('.gettingStartedContainer');
      await start.getByText('Train a model on your series').click();
      await start.getByRole('button', { name: 'Train on a Sample' }).click();
      await vscode().quickAsks('Which series of promotions.csv?');
      await accept();
      await vscode().quickAsks('Which base model?');
      await vscode().quickPick('Hybrid');
      await vscode().quickAsks('Which settings do you want to change?');
      await vscode().quickPick('Epochs');
      await accept();
      await vscode().quickAsks('Maximum number of passes');
      await vscode().quickType(String(epochs));
      await vscode().quickAsks('What should the model be called?');
      await vscode().quickType(name);
      await vscode().openView('Forecasts');
      await vscode().expandView('Models');
    }

    it('fine-tunes a model on the sample and forecasts with it', async () => {
      await train('Trained in the browser', 5);
      const model = vscode().treeItem('Models', 'Trained in the browser');
      await model.locator('.codicon-pass').waitFor({ timeout: 200_000 });
      await model.click();
      await vscode().webviewFrame().getByRole('heading', { name: 'Trained in the browser' }).waitFor();
      await vscode().setTheme(themes.dark);
      await vscode().shot('web-model-dark');
      await vscode().setTheme(themes.light);
    });

    it('keeps the best epoch of a stopped training', async () => {
      await train('Stopped in the browser', 1000);
      await vscode().treeItem('Models', 'Stopped in the browser').click();
      const main = vscode().webviewFrame().getByRole('main');
      await main.getByRole('heading', { name: 'Stopped in the browser' }).waitFor();
      const epochs = () => main.locator('tbody tr').count();
      await vscode().until(epochs, (count) => count > 2);
      await main.getByRole('button', { name: 'Stop' }).click();
      await main.getByText(/^Fine-tuned from [^·]+$/).waitFor();
      assert.ok((await epochs()) < 1000);
    });
  });
}

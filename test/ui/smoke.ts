import assert from 'node:assert/strict';
import type { Workbench } from './workbench.ts';

export function smokeTests(vscode: () => Workbench): void {
  describe('Smoke test', () => {
    it('shows its four views in the activity bar', async () => {
      await vscode().openView('Forecasts');
      for (const view of ['Predictions', 'Datasets', 'Models', 'Keys']) await vscode().view(view).waitFor();
      await vscode().welcome('Predictions').getByText('No forecasts yet').waitFor();
      await vscode().shot('smoke-views');
    });

    it('offers Forecast for series files only', async () => {
      vscode().writeFile('picture.png', new Uint8Array([1]));
      vscode().writeFile('sales.csv', 'month,value\n2020-01,1\n2020-02,2\n');
      await vscode().openView('Explorer');
      const items = await vscode().explorerMenuItems('sales.csv');
      assert.ok(items.includes('Forecast') && items.includes('Forecasts'), items.join('\n'));
      const others = await vscode().explorerMenuItems('picture.png');
      assert.ok(!others.some((item) => item.includes('Forecast')), others.join('\n'));
    });

    it('lists its commands in the palette', async () => {
      const titles = await vscode().paletteItems('Forecasts: ');
      assert.ok(titles.some((title) => title.startsWith('Forecasts: Forecast')), titles.join('\n')); // prettier-ignore
    });
  });
}

/** Comes last, as it hides the side bar. */
export function walkthroughTests(vscode: () => Workbench): void {
  describe('Smoke test', () => {
    before(() => vscode().palette('View: Close All Editors'));

    it('has a walkthrough, whose first step makes a forecast', async () => {
      // With less room VS Code leaves out the pictures and pages of the steps.
      await vscode().palette('View: Toggle Primary Side Bar Visibility');
      await vscode().palette('Welcome: Open Walkthrough...');
      await vscode().quickType('Get Started with Time Series Forecasts');
      const page = vscode().page.locator('.gettingStartedContainer');
      await page.getByText('See a forecast').waitFor();
      await page.getByAltText('A chart of the history').waitFor();
      await vscode().shot('walkthrough');
      await page.getByText('Understand its uncertainty').click();
      await vscode().until(
        async () => {
          const texts = vscode()
            .page.frames()
            .map((frame) => frame.locator('body').textContent({ timeout: 1000 }));
          return (await Promise.all(texts.map((text) => text.catch(() => '')))).join('\n');
        },
        (text) => text.includes('How to read a forecast'),
      );
      await vscode().shot('walkthrough-uncertainty');
      await page.getByText('See a forecast').click();
      await page.getByRole('button', { name: 'Forecast a Sample Series' }).click();
      await vscode().editorTab('air-passengers.csv').waitFor();
      await vscode().webviewFrame().locator('canvas').first().waitFor();
    });
  });
}

import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { lookInAllThemes } from './axe.ts';
import { themes } from './window.ts';
import type { Workbench } from './workbench.ts';

export function accessibilityTests(vscode: () => Workbench): void {
  describe('Accessibility and appearance', () => {
    let passengers: string;
    before(async () => {
      passengers = vscode().readFile('air-passengers.csv');
      vscode().setSettings({ 'workbench.hover.delay': 500 });
      await vscode().setTheme(themes.light);
      await vscode().palette('View: Close All Editors');
    });
    after(() => {
      vscode().writeFile('air-passengers.csv', passengers);
      vscode().setSettings({ 'workbench.hover.delay': undefined });
    });

    /** The chart of a file of the folder, which is opened where it is not yet. */
    async function chart(): Promise<FrameLocator> {
      const isOpen = (await vscode().editorTabs()).some((title) => title.startsWith('Forecast: air-passengers.csv'));
      if (!isOpen) await vscode().explorerContextMenu('air-passengers.csv', 'Forecast');
      const page = vscode().webviewFrame();
      await page.getByRole('tab', { name: 'Chart' }).click();
      await page.locator('canvas').first().waitFor();
      return page;
    }

    it('has no axe-core finding on chart and table in any theme', async () => {
      const page = await chart();
      await page.getByRole('button', { name: '95%' }).click();
      await lookInAllThemes(vscode(), 'accessibility-chart');
      await page.getByRole('tab', { name: 'Table' }).click();
      await page.getByRole('table').waitFor();
      await lookInAllThemes(vscode(), 'accessibility-table');
      await page.getByRole('tab', { name: 'Chart' }).click();
    });

    it('keeps the readout at the cursor when the chart is resized', async () => {
      const page = await chart();
      const plot = page.locator('.plot canvas');
      const before = vscode().page.viewportSize();
      assert.ok(before);
      await page.locator('.plot').focus();
      await vscode().page.keyboard.press('End');
      await vscode().page.keyboard.press('PageUp');
      const reported = await page.locator('.readout').textContent();
      const { width = 0 } = (await plot.boundingBox()) ?? {};
      await vscode().page.setViewportSize({ ...before, width: before.width - 200 });
      await vscode().until(
        async () => (await plot.boundingBox())?.width ?? width,
        (now) => now < width - 100,
      );
      assert.equal(await page.locator('.readout').textContent(), reported);
      await vscode().page.setViewportSize(before);
    });

    it("copies the picture from the chart's context menu", async () => {
      const page = await chart();
      await page.locator('.plot').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Save as CSV…' }).waitFor();
      await vscode().shot('chart-context-menu');
      await page.getByRole('menuitem', { name: 'Copy Image' }).click();
      await vscode().statusBar('Image copied').waitFor();
    });

    it('says that the file has changed and forecasts again in place', async () => {
      const charts = (...wanted: string[]) =>
        vscode().until(
          async () => (await vscode().editorTabs()).filter((title) => title.startsWith('Forecast: air-passengers.csv')),
          (titles) => titles.join() === wanted.join(),
        );
      const page = await chart();
      const text = vscode().readFile('air-passengers.csv');
      vscode().writeFile('air-passengers.csv', text.trimEnd().replace(/\d+$/, '999'));
      const again = page.getByRole('button', { name: 'Forecast Again' });
      await again.waitFor();
      await charts('Forecast: air-passengers.csv (outdated)');
      await vscode().shot('chart-outdated');
      vscode().writeFile('air-passengers.csv', text);
      await again.waitFor({ state: 'hidden' });
      await charts('Forecast: air-passengers.csv');
      vscode().writeFile('air-passengers.csv', text.trimEnd().replace(/\d+$/, '998'));
      await again.click();
      await again.waitFor({ state: 'hidden' });
      await page.getByRole('tab', { name: 'Table' }).click();
      await page.getByRole('cell', { name: '998' }).first().waitFor();
      await charts('Forecast: air-passengers.csv');
    });

    it("shows a forecast's hover in the sidebar, forecasts again and deletes it by keyboard", async () => {
      await chart();
      await vscode().openView('Forecasts');
      const rows = vscode().view('Predictions').locator('.monaco-list-row');
      await vscode().treeItem('Predictions', 'air-passengers.csv').waitFor();
      const before = await rows.count();
      assert.equal(await vscode().view('Models').locator('.pane-header').getAttribute('aria-expanded'), 'false');
      const card = vscode().page.locator('.monaco-hover:visible').last();
      // a row that is painted anew under the mouse takes its card along
      await vscode().until(
        async () => {
          await vscode().page.mouse.move(640, 400);
          await rows.first().hover();
          const link = card.getByRole('link', { name: 'Forecast Again' }).waitFor({ timeout: 5_000 });
          return link.then(
            () => true,
            () => false,
          );
        },
        (isThere) => isThere,
      );
      await card.locator('img').waitFor();
      await card.getByText('better than the seasonal naive baseline').waitFor();
      await vscode().shot('sidebar-card');
      await card.getByRole('link', { name: 'Forecast Again' }).click();
      await vscode().until(
        () => rows.count(),
        (count) => count === before + 1,
      );
      await rows.first().click();
      // the key belongs to the view from when it has the focus; pressed twice, it would delete the next one too
      await vscode().until(
        async () => {
          await vscode().page.keyboard.press('Delete');
          const reported = vscode().notification('was deleted').waitFor({ timeout: 10_000 });
          return reported.then(
            () => true,
            () => false,
          );
        },
        (isDeleted) => isDeleted,
      );
      await vscode().until(
        () => rows.count(),
        (count) => count === before,
      );
      await vscode().expandView('Keys');
      await vscode().treeItem('Keys', 'this machine').waitFor();
      await vscode().treeItem('Keys', 'this machine').click({ button: 'right' });
      assert.ok(!(await vscode().menuItems()).includes('Delete'));
    });
  });
}

import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { lookAtAllInAllThemes } from './axe.ts';
import { themes } from './window.ts';
import type { Workbench } from './workbench.ts';

export function workTests(vscode: () => Workbench): void {
  describe('Changing a forecast in its chart', () => {
    before(async () => {
      await vscode().setTheme(themes.light);
      await vscode().palette('View: Close All Editors');
    });

    const reported = (pattern: RegExp) =>
      vscode().until(
        async () => (await vscode().webviewFrame().locator('.scores').textContent()) ?? '',
        (text) => pattern.test(text),
      );

    it('forecasts again in place with another horizon and model, and undoes one step', async () => {
      await vscode().explorerContextMenu('air-passengers.csv', 'Forecast');
      const page = vscode().webviewFrame();
      const horizon = page.getByLabel('Steps ahead', { exact: true });
      await horizon.waitFor();
      await horizon.fill('12');
      await horizon.press('Enter');
      await reported(/12 months ahead by hybrid/i);
      await page.getByLabel('Model').selectOption({ label: 'Theta' });
      await reported(/12 months ahead by theta/i);
      await page.getByRole('button', { name: 'months: suggestions' }).click();
      await vscode().shot('work-quick-picks');
      await page.getByRole('menuitem', { name: '36 months' }).click();
      await reported(/36 months ahead by theta/i);
      await page.getByRole('button', { name: 'Back' }).click();
      await reported(/12 months ahead by theta/i);
      assert.equal((await vscode().editorTabs()).filter((title) => title.startsWith('Forecast:')).length, 1);
    });

    it('compares models with scores on the same backtest origins', async () => {
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
    });

    it('shows backtest, decomposition and anomalies in tabs in any theme', async () => {
      const page = vscode().webviewFrame();
      const tab = (name: string, seen: RegExp) => async () => {
        await page.getByRole('tab', { name }).click();
        await page.getByText(seen).first().waitFor();
      };
      const anomalies = tab('Anomalies', /threshold: 1 in/);
      await anomalies();
      await page.getByLabel('Threshold').selectOption('100');
      await page.getByText(/threshold: 1 in 100 by chance/).waitFor();
      await lookAtAllInAllThemes(vscode(), [
        { name: 'work-compare', open: tab('Chart', /Show All|Passengers/) },
        { name: 'work-backtest', open: tab('Backtest', /^MASE .*% better than the seasonal naive baseline/) },
        { name: 'work-decomposition', open: tab('Decomposition', /^Rises by .* per month; July is .* above/) },
        { name: 'work-anomalies', open: anomalies },
      ]);
      await page.locator('.anomaly-list .link').first().click();
      await page.locator('.plot').waitFor();
      await vscode().shot('work-anomalies-marks');
    });

    it('fits into a narrow panel', async () => {
      const page = vscode().webviewFrame();
      const before = vscode().page.viewportSize()!;
      await vscode().page.setViewportSize({ ...before, width: 640 });
      for (const name of ['Decomposition', 'Backtest', 'Chart']) {
        await page.getByRole('tab', { name }).click();
        // the page has its new width a moment after the window
        const widths = () =>
          page.locator('body').evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
        await vscode().until(
          widths,
          (reported) => reported.clientWidth < 640 && reported.scrollWidth <= reported.clientWidth,
        );
        assert.deepEqual(await loneSeparators(page), [], name);
        await vscode().shot(`work-narrow-${name.toLowerCase()}`);
      }
      await vscode().page.setViewportSize(before);
      await page.locator('.compare').getByRole('button', { name: 'Hybrid', exact: true }).click();
      await reported(/12 months ahead by hybrid/i);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByLabel('Add a forecast to compare').waitFor({ state: 'hidden' });
    });

    it('offers future covariates as check boxes and draws a scenario over the chart', async () => {
      const day = (index: number) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10);
      const isOn = (index: number) => (index * 7) % 11 < 2;
      const rows = Array.from({ length: 134 }, (_, index) => {
        const sales = 100 + 5 * (index % 7) + (isOn(index) ? 60 : 0) + ((index * 13) % 5);
        return [
          day(index),
          index < 120 ? sales : '',
          isOn(index) ? 'yes' : 'no',
          index % 3 === 0 ? 'rain' : 'sun',
        ].join();
      });
      vscode().writeFile('shop.csv', ['date,sales,promo,sky', ...rows].join('\n'));
      await vscode().explorerContextMenu('shop.csv', 'Forecast');
      const page = vscode().webviewFrame();
      const ticks = page.getByRole('button', { name: /^Covariates: / });
      const openTicks = async () => {
        await page.getByRole('tab', { name: 'Chart' }).click();
        const forecast = page.getByRole('button', { name: 'Forecast with These' });
        if (!(await forecast.isVisible())) await ticks.click();
        await forecast.waitFor();
      };
      await ticks.click();
      await page.getByText(/known until 13 May 2024 · Did not help in a backtest/).waitFor();
      await page.getByRole('checkbox', { name: 'promo' }).uncheck();
      await page.getByRole('button', { name: 'Forecast with These' }).click();
      await page.getByRole('button', { name: 'Covariates: 0 of 2' }).waitFor();
      await openTicks();
      await page.getByRole('checkbox', { name: 'promo' }).check();
      await page.getByRole('button', { name: 'Forecast with These' }).click();
      await reported(/with promo: \d+% less error than without/);
      const openTable = async () => {
        await page.getByRole('tab', { name: 'Table' }).click();
        await page.getByRole('button', { name: 'Forecast Scenario' }).waitFor();
      };
      await page.getByRole('tab', { name: 'Table' }).click();
      await page.getByRole('checkbox', { name: 'promo, 3 May 2024' }).check();
      await page.getByRole('button', { name: 'Fill Down' }).click();
      await page.getByLabel('Name of the scenario').fill('Promotion without end');
      await page.getByRole('button', { name: 'Forecast Scenario' }).click();
      const openChart = async () => {
        await page.getByRole('tab', { name: 'Chart' }).click();
        await page.getByText(/^“Promotion without end” is [\d.,]+ higher than/).waitFor();
      };
      await openChart();
      const sights = [
        { name: 'known-table', open: openTable },
        { name: 'known-scenario', open: openTicks },
      ];
      await lookAtAllInAllThemes(vscode(), sights, ['light', 'highContrast']);
    });

    it('draws new observations over a forecast, and its row shows the accuracy', async () => {
      const rows = vscode().readFile('air-passengers.csv').trimEnd().split('\n');
      vscode().writeFile('growing.csv', rows.slice(0, -8).join('\n'));
      await vscode().explorerContextMenu('growing.csv', 'Toggle Keep Up to Date');
      const page = vscode().webviewFrame();
      await page.getByLabel('Steps ahead', { exact: true }).waitFor();
      await vscode().openView('Forecasts');
      await vscode().treeItem('Predictions', 'growing.csv').waitFor();
      await vscode().explorerContextMenu('growing.csv', 'Toggle Keep Up to Date');
      await vscode().notification('growing.csv is no longer kept up to date.').waitFor();
      vscode().writeFile('growing.csv', rows.join('\n'));
      await page.getByText(/^Observations since this forecast was made: 8\./).waitFor();
      await vscode().shot('work-actuals');
      await vscode().openView('Forecasts');
      await vscode().until(
        async () => (await vscode().treeItem('Predictions', 'growing.csv').textContent()) ?? '',
        (text) => /covered \d of 8|missed/.test(text),
      );
      await vscode().shot('work-held');
    });
  });
}

/** Lines of facts in the head of a chart that begin or end with a separator that is seen; the page's own code. */
const LONE_SEPARATORS = `[...document.querySelectorAll('.summary, .scores')].flatMap((block) => {
  const box = block.getBoundingClientRect();
  const start = box.left + Number(/ ([\\d.]+)px\\)/.exec(getComputedStyle(block).clipPath)?.[1] ?? 0);
  const lines = new Map();
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange();
    for (let at = 0; at < node.length; at++) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      const isSeen = node.data[at].trim() !== '' && right > left && right > start + 1 && left < box.right;
      const line = Math.round((top + bottom) / 16);
      if (isSeen) lines.set(line, [...(lines.get(line) ?? []), { left, letter: node.data[at] }]);
    }
  }
  const texts = [...lines.values()].map((letters) =>
    letters.sort((a, b) => a.left - b.left).map(({ letter }) => letter).join(''));
  return texts.filter((text) => /^·|·$/.test(text));
})`;

const loneSeparators = (page: FrameLocator): Promise<string[]> => page.locator('body').evaluate(LONE_SEPARATORS);

import assert from 'node:assert/strict';
import { lookInAllThemes } from './axe.ts';
import { themes, useWorkbench } from './workbench.ts';

describe('work with a forecast in its chart', () => {
  const vscode = useWorkbench({ name: 'work', theme: themes.light });

  const told = (pattern: RegExp) =>
    vscode().until(
      async () => (await vscode().webviewFrame().locator('.scores').textContent()) ?? '',
      (text) => pattern.test(text),
    );

  it('another horizon and model forecast again in place, and one step goes back', async () => {
    await vscode().explorerContextMenu('air-passengers.csv', 'Forecast');
    const page = vscode().webviewFrame();
    const horizon = page.getByLabel('Steps ahead');
    await horizon.waitFor();
    await horizon.fill('12');
    await horizon.press('Enter');
    await told(/12 months ahead by hybrid/i);
    await page.getByLabel('Model').selectOption({ label: 'Theta' });
    await told(/12 months ahead by theta/i);
    await page.getByRole('button', { name: 'months: quick picks' }).click();
    await vscode().shot('work-quick-picks');
    await page.getByRole('menuitem', { name: '36 months' }).click();
    await told(/36 months ahead by theta/i);
    await page.getByRole('button', { name: 'Back' }).click();
    await told(/12 months ahead by theta/i);
    assert.equal((await vscode().editorTabs()).filter((title) => title.startsWith('Forecast:')).length, 1);
  });

  it('other models lie over it with scores, in any theme and in a narrow panel', async () => {
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
    await lookInAllThemes(vscode(), 'work-compare');
    const before = vscode().page.viewportSize()!;
    await vscode().page.setViewportSize({ ...before, width: 640 });
    await vscode().shot('work-compare-narrow');
    await vscode().page.setViewportSize(before);
    await page.locator('.compare').getByRole('button', { name: 'Hybrid', exact: true }).click();
    await told(/12 months ahead by hybrid/i);
    await page.getByRole('button', { name: 'Compare' }).click();
    await add.waitFor({ state: 'hidden' });
  });
});

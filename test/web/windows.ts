import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { storedIn } from './stored.ts';
import type { WebWorkbench } from './workbench.ts';

interface Locks {
  readonly query: () => Promise<{ readonly held: readonly object[]; readonly pending: readonly object[] }>;
}

/** How many windows have the store, and how many wait for it. */
const windowsOfStore = async (): Promise<readonly [having: number, waiting: number]> => {
  const { locks } = (globalThis as unknown as { readonly navigator: { readonly locks: Locks } }).navigator;
  const { held, pending } = await locks.query();
  const ours = (all: readonly object[]) =>
    all.filter((one) => 'name' in one && one.name === 'time-series-forecasts').length;
  return [ours(held), ours(pending)];
};

export function windowsTests(vscode: () => WebWorkbench): void {
  describe('Two windows on one folder', () => {
    let first: Page;
    const forecast = async (file: string): Promise<void> => {
      await vscode().openView('Explorer');
      await vscode().explorerContextMenu(file, 'Forecast');
      await vscode().editorTab(`Forecast: ${file}`).waitFor();
      await vscode().webviewFrame().locator('canvas').first().waitFor();
    };
    const isListed = async (file: string): Promise<void> => {
      await vscode().openView('Forecasts');
      await vscode().treeItem('Predictions', file).first().locator('.codicon-pass').waitFor();
    };
    const windows = () => vscode().extensionHost().evaluate(windowsOfStore);

    it('share forecasts; the second forecasts through the first', async () => {
      await vscode().palette('View: Close All Editors');
      await forecast('air-passengers.csv');
      first = await vscode().turnToSecondTab();
      await isListed('air-passengers.csv');
      assert.deepEqual(await windows(), [1, 1]);
      await vscode().palette('View: Close All Editors');
      await forecast('web-visits.json');
      await isListed('web-visits.json');
      assert.deepEqual(await windows(), [1, 1]);
    });

    it('keep all forecasts when the first is closed and the second takes over', async () => {
      const all = () => storedIn(vscode(), (store) => store.all());
      const before = await all();
      await first.close();
      assert.deepEqual(await vscode().until(windows, ([, waiting]) => waiting === 0), [1, 0]);
      await vscode().palette('View: Close All Editors');
      vscode().writeFile('third.csv', vscode().readFile('air-passengers.csv'));
      await forecast('third.csv');
      // earlier ones may be on a later page of the list, and are looked for in the store
      await isListed('third.csv');
      const after = await all();
      assert.ok(before.size >= 2 && after.size > before.size);
      // those that had not ended go on in the second window
      for (const [id, status] of before) {
        if (['COMPLETED', 'FAILED'].includes(status)) assert.equal(after.get(id), status, id);
        else assert.ok(after.has(id) && after.get(id) !== 'FAILED', id);
      }
    });
  });
}

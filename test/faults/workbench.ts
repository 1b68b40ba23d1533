import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotHere, type Scenario } from './scenario.ts';

const series = 40;
const rows = Array.from({ length: 120 }, (_, month) => {
  const date = new Date(Date.UTC(2010, month, 1)).toISOString().slice(0, 10);
  return [date, ...Array.from({ length: series }, (_, at) => 100 + month + at + (month % 12))].join(',');
});
const header = ['month', ...Array.from({ length: series }, (_, at) => `s${at}`)].join(',');

/** The workbench of the UI tests; the short form is one of them. */
export const workbench: Scenario = {
  name: 'kill -9 of extension hosts of a real workbench with two windows on one store, at any time',
  async run({ long, random }) {
    if (!long) throw new NotHere('the UI tests kill one; more with --long');
    const { canFindHosts } = await import('../ui/extension-hosts.ts');
    const { Store } = await import('../ui/store.ts');
    if (!canFindHosts) throw new NotHere('the system does not tell of processes');
    const { buildExtension, packageExtension } = await import('../harness/build.ts');
    const { Workbench } = await import('../ui/workbench.ts');
    await buildExtension();
    await packageExtension();
    const rounds = 10;
    const vscode = await Workbench.start({ name: 'faults' });
    const acknowledged = new Set<string>();
    let kills = 0;
    try {
      const store = () => Store.of(vscode.userDataDir);
      const second = await vscode.secondWindow();
      for (let round = 0; round < rounds; round++) {
        // its numbers differ from round to round, so that it is imported and forecast anew
        vscode.writeFile(`wide-${round}.csv`, `${header}\n${rows.join(`${round}\n`)}${round}\n`);
        await vscode.openView('Explorer');
        const before = store().all().size;
        await vscode.explorerContextMenu(`wide-${round}.csv`, 'Forecast All Series');
        await vscode.until(
          () => store().all().size,
          (count) => count > before,
          60_000,
        );
        await sleep(random.between(0, 2_000));
        for (const id of store().all().keys()) acknowledged.add(id);
        const hosts = vscode.extensionHosts();
        const victims = round % 3 === 2 ? hosts : [hosts[random.below(hosts.length)]];
        for (const pid of victims) process.kill(pid, 'SIGKILL');
        kills += victims.length;
        assert.ok(store().isWhole());
        // a window that lost its host too often asks before it starts another; a reload never does
        for (const page of [vscode.page, second]) await page.reload({ waitUntil: 'domcontentloaded' });
        await vscode.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 60_000 });
        await vscode.openView('Forecasts');
        await vscode.view('Predictions').locator('.monaco-list-row').first().waitFor({ timeout: 60_000 });
        await vscode.until(
          () => store().pending(),
          (pending) => pending.length === 0,
          120_000,
        );
        const after = store().all();
        for (const id of acknowledged) assert.equal(after.get(id), 'COMPLETED', `${id} was acknowledged`);
      }
    } finally {
      await vscode.stop();
    }
    return { tried: `${kills}`, outcome: `${acknowledged.size} acknowledged writes, none lost, none stuck` };
  },
};

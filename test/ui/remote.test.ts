import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AwkwardService, startAwkwardService } from '../harness/awkward.ts';
import { themes, useWorkbench } from './workbench.ts';

describe('a remote service', () => {
  let service: AwkwardService;
  before(async () => {
    service = await startAwkwardService();
  });
  after(() => service.close());

  const vscode = useWorkbench({ name: 'remote', theme: themes.dark });

  it('is added by its address, and asks for its token', async () => {
    await vscode().palette('Forecasts: Switch Service…');
    await vscode().quickPick('Add a remote service');
    await vscode().quickAsks('The base URL of the service');
    await vscode().quickType('http://forecasts.example.com');
    await vscode().quickMessage().getByText('Use https').waitFor();
    await vscode().quickType(service.base('quoted'));
    await vscode().quickAsks('What should it be called here?');
    await vscode().quickType('The house service');
    await vscode().quickTitle().getByText('Set Token for The house service').waitFor();
    assert.equal(await vscode().quickInput().getAttribute('type'), 'password');
    await vscode().shot('token-prompt-dark');
    await vscode().quickType('not-the-token');
    await vscode().notification('does not accept the token').waitFor();
    assert.doesNotMatch((await vscode().notifications()).join(), /not-the-token/);
    await vscode().notificationButton('does not accept the token', 'Enter Another');
    await vscode().quickAsks('The token is kept');
    await vscode().quickType(service.token);
    await vscode().notification('The house service accepts the token').waitFor();
    await vscode().statusBar('The house service').click();
    assert.match((await vscode().quickItems()).join(), /The house service, in use/);
    await vscode().escape();
  });

  it('lists its datasets and keys, without a secret', async () => {
    await vscode().openView('Forecasts');
    await vscode().treeItem('Datasets', 'weekly').waitFor();
    await vscode().expandView('Keys');
    await vscode().treeItem('Keys', 'key k1').waitFor();
    const words = JSON.stringify([await vscode().treeItems('Keys'), await vscode().treeItems('Datasets')]);
    assert.doesNotMatch(words, /awkward-(secret|token)/);
    await vscode().shot('remote-dark');
  });

  it('makes a forecast and shows it, without bands as it sends none', async () => {
    await vscode().openView('Explorer');
    await vscode().explorerContextMenu('air-passengers.csv', 'Forecast');
    await vscode().webviewFrame().locator('canvas').first().waitFor();
    const label = await vscode().webviewFrame().locator('[aria-roledescription="chart"]').getAttribute('aria-label');
    assert.match(label ?? '', /Passengers · monthly · Jan 1949 – Dec 1960/);
    assert.match(label ?? '', /2 months ahead by house-model/);
    assert.deepEqual(
      (await vscode().notifications()).filter((text) => !text.includes('accepts the token')),
      [],
    );
  });

  it('keeps its token over a restart', async () => {
    await vscode().restart();
    await vscode().openView('Forecasts');
    await vscode().treeItem('Datasets', 'weekly').waitFor();
  });

  it('is signed out of', async () => {
    await vscode().palette('Forecasts: Sign Out');
    await vscode().welcome('Predictions').getByText('This service needs a token').waitFor();
    await vscode().shot('signed-out-dark');
  });

  it('is removed, and the local service is in use again', async () => {
    await vscode().palette('Forecasts: Switch Service…');
    await vscode().quickPick('Remove a remote service');
    await vscode().quickPick('The house service');
    await vscode().dialogButton('Remove “The house service”', 'Remove');
    await vscode().statusBar('Local forecasts').click();
    assert.doesNotMatch((await vscode().quickItems()).join(), /house|Remove/);
    await vscode().escape();
  });

  it('has left no token and no secret in any file of the editor', () => {
    const files = readdirSync(vscode().userDataDir, { recursive: true, withFileTypes: true });
    const texts = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    assert.ok(texts.length > 5);
    for (const file of texts)
      assert.doesNotMatch(readFileSync(file, 'latin1'), /awkward-(token|secret)|not-the-token/, file);
  });
});

import assert from 'node:assert/strict';
import { searched } from '../harness/secrets.ts';
import { PLAIN, type StrictService, startStrictService } from '../harness/strict.ts';
import { themes } from './window.ts';
import { useWorkbench } from './workbench.ts';

const months = (count: number, value: (month: number) => string) =>
  Array.from({ length: count }, (_, month) => {
    const day = new Date(Date.UTC(2022, month, 1)).toISOString().slice(0, 10);
    return `${day},${value(month)}\n`;
  }).join('');

// what the interface leaves open, decided as by the least kind of service; the unit, host and web tests have others too
describe('Remote service', () => {
  let service: StrictService;
  before(async () => {
    service = await startStrictService(PLAIN);
    // of others, which come before one's own where the oldest are first
    service.seed(60, 12);
  });
  after(() => service.close());

  const vscode = useWorkbench({
    name: 'remote',
    theme: themes.dark,
    files: {
      'gaps.csv': `month,sales\n${months(30, (month) => (month === 7 || month === 8 ? '' : String(100 + month)))}`,
      'short.csv': `month,sales\n${months(3, String)}`,
    },
  });

  it('is added by its base URL and used once its token is accepted', async () => {
    await vscode().palette('Forecasts: Switch Service…');
    await vscode().quickPick('Add a remote service');
    await vscode().quickAsks('The base URL of the service');
    await vscode().quickType('http://forecasts.example.com');
    await vscode().quickMessage().getByText('Use https').waitFor();
    await vscode().quickType(service.url);
    await vscode().quickAsks('What should the service be called here?');
    await vscode().quickType('The house service');
    await vscode().quickTitle().getByText('Set Token for The house service').waitFor();
    assert.equal(await vscode().quickInput().getAttribute('type'), 'password');
    await vscode().quickType('tökén');
    await vscode().quickMessage().getByText('“ö” at position 2').waitFor();
    await vscode().shot('token-prompt-dark');
    await vscode().quickType('not-the-token');
    await vscode().notification('does not accept the token').waitFor();
    assert.doesNotMatch((await vscode().notifications()).join(), /not-the-token/);
    await vscode().statusBar('Local forecasts').waitFor();
    await vscode().notificationButton('does not accept the token', 'Enter Another');
    await vscode().quickAsks('The token is stored');
    await vscode().quickType(service.token);
    await vscode().notification('The house service accepts the token').waitFor();
    await vscode().statusBar('The house service').click();
    await vscode().until(
      async () => (await vscode().quickItems()).join(),
      (items) => items.includes('The house service, in use'),
    );
    await vscode().escape();
  });

  it('lists its datasets page by page and its keys without secrets', async () => {
    await vscode().openView('Forecasts');
    await vscode().treeItem('Datasets', 'retail, weekly').waitFor();
    await vscode().expandView('Keys');
    await vscode().treeItem('Keys', 'revoked').waitFor();
    const words = JSON.stringify([await vscode().treeItems('Keys'), await vscode().treeItems('Datasets')]);
    assert.doesNotMatch(words, /strict-(revoked|token)/);
    await vscode().shot('remote-dark');
  });

  it('forecasts a file with gaps after asking for the model once', async () => {
    await vscode().openView('Explorer');
    await vscode().explorerContextMenu('gaps.csv', 'Forecast');
    await vscode().quickAsks('Which model of The house service');
    await vscode().shot('model-choice-dark');
    await vscode().quickPick('Another model…');
    await vscode().quickAsks('The model’s id');
    await vscode().quickType('chronos-small');
    await vscode().webviewFrame().locator('canvas').first().waitFor();
    const header = vscode().webviewFrame().locator('header');
    await header.getByText('12 months ahead by chronos-small').waitFor();
    await header.getByText('Points without a value were left out').waitFor();
    await vscode().shot('remote-forecast-dark');
  });

  it('shows series and model of a failed forecast and forecasts again', async () => {
    await vscode().explorerContextMenu('short.csv', 'Forecast');
    const page = vscode().webviewFrame();
    await page.getByText('The forecast failed. The service gives no reason.').waitFor();
    await page.locator('canvas').first().waitFor();
    await page.locator('header').getByText('Model: chronos-small').waitFor();
    await vscode().shot('failed-forecast-dark');
    const before = service.predictions.length;
    await page.getByRole('button', { name: 'Forecast Again' }).click();
    await vscode().until(
      () => service.predictions.length,
      (count) => count === before + 1,
    );
  });

  it('keeps its token after a restart, shows an outage above the lists, and recovers by itself', async () => {
    await vscode().restart();
    await vscode().webviewFrame().getByText('The forecast failed. The service gives no reason.').waitFor();
    await vscode().openView('Forecasts');
    await vscode().treeItem('Predictions', 'gaps.csv').waitFor();
    await service.down();
    await vscode().palette('Forecasts: Refresh');
    const message = vscode().view('Predictions').getByText('This list was read');
    await vscode().until(
      async () => (await message.textContent()) ?? '',
      (text) => text.includes('The house service cannot be reached'),
    );
    await vscode().treeItem('Predictions', 'gaps.csv').waitFor();
    await vscode().shot('away-dark');
    await service.up();
    await message.waitFor({ state: 'detached' });
  });

  it('signs out', async () => {
    await vscode().palette('Forecasts: Sign Out');
    await vscode().welcome('Predictions').getByText('This service needs a token').waitFor();
    await vscode().shot('signed-out-dark');
  });

  it('is removed, and the local service is in use again', async () => {
    await vscode().palette('Forecasts: Switch Service…');
    await vscode().quickPick('Remove a remote service');
    await vscode().quickAsks('Which service should be removed');
    await vscode().quickPick('The house service');
    await vscode().dialogButton('Remove “The house service”', 'Remove');
    const listed = async () => {
      await vscode().statusBar('Local forecasts').click();
      const items = (await vscode().quickItems()).join();
      await vscode().escape();
      return items;
    };
    await vscode().until(listed, (items) => !/house|Remove/.test(items));
  });

  it('leaves no token and no secret in any file of the editor', () => {
    const secret = /strict-(revoked|token)|not-the-token/;
    const { count, found } = searched(vscode().userDataDir, (bytes) => secret.test(bytes.toString('latin1')));
    assert.ok(count > 5, `only ${String(count)} files stand in the editor's folder`);
    assert.deepEqual(found, []);
  });
});

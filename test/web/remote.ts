import assert from 'node:assert/strict';
import { type StrictService, startStrictService } from '../harness/strict.ts';
import type { WebWorkbench } from './workbench.ts';

export function remoteTests(vscode: () => WebWorkbench): void {
  describe('Remote service', () => {
    let service: StrictService;
    let other: StrictService;
    before(async () => {
      [service, other] = await Promise.all([startStrictService(), startStrictService({ cors: true })]);
      await vscode().palette('View: Close All Editors');
    });
    after(() => Promise.all([service.close(), other.close()]));

    it('without CORS is reported with the header that it must send', async () => {
      await vscode().palette('Forecasts: Switch Service…');
      await vscode().quickPick('Add a remote service');
      await vscode().quickAsks('The base URL of the service');
      await vscode().quickType(service.url);
      await vscode().quickAsks('What should the service be called here?');
      await vscode().quickType('The house service');
      await vscode().quickAsks('The token is stored');
      await vscode().quickType(service.token);
      await vscode()
        .notification(/Access-Control-Allow-Origin/i)
        .waitFor();
      await vscode().shot('web-cors-light');
      assert.deepEqual(service.predictions, []);
    });

    it('with CORS forecasts', async () => {
      service.mood.cors = true;
      await vscode().notificationButton(/Access-Control-Allow-Origin/, 'Try Again');
      await vscode().notification('The house service accepts the token').waitFor();
      await vscode().openView('Explorer');
      await vscode().explorerContextMenu('air-passengers.csv', 'Forecast');
      await vscode().quickAsks('Which model of The house service');
      await vscode().quickPick('Another model…');
      await vscode().quickAsks('The model’s id');
      await vscode().quickType('chronos-small');
      await vscode().webviewFrame().locator('header').getByText('12 months ahead by chronos-small').waitFor();
      await vscode().shot('web-remote-light');
    });

    it('never has its token sent to another origin by a redirect', async () => {
      await vscode().openView('Forecasts');
      await vscode().treeItem('Predictions', 'air-passengers.csv').waitFor();
      service.mood.elsewhere = new URL(other.url).origin;
      await vscode().palette('Forecasts: Refresh');
      await vscode().view('Predictions').getByText('This list was read').waitFor();
      assert.deepEqual(
        other.requests.filter(({ authorization }) => authorization !== undefined),
        [],
      );
      service.mood.elsewhere = undefined;
    });

    it('is removed, and the local service is in use again', async () => {
      await vscode().palette('Forecasts: Switch Service…');
      await vscode().quickPick('Remove a remote service');
      await vscode().quickAsks('Which service should be removed');
      await vscode().quickPick('The house service');
      await vscode().dialogButton('Remove “The house service”', 'Remove');
      await vscode().statusBar('Local forecasts').waitFor();
    });
  });
}

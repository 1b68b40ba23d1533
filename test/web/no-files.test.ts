import assert from 'node:assert/strict';
import { useWindow } from '../ui/window.ts';
import { WebWorkbench } from './workbench.ts';

describe('Browser without OPFS, as in a private window', () => {
  const vscode = useWindow(() =>
    WebWorkbench.start('web-no-files', ['--disable-blink-features=FileSystemAccessOriginPrivate']),
  );

  it('forecasts, and says that it does not keep the forecasts', async () => {
    const hasFiles = await vscode().extensionHost().evaluate("'getDirectory' in navigator.storage");
    assert.equal(hasFiles, false);
    // it is said for some seconds only, which may be over when the chart is there
    await Promise.all([
      vscode().notification('This window cannot store files').waitFor(),
      vscode().explorerContextMenu('air-passengers.csv', 'Forecast'),
    ]);
    await vscode().webviewFrame().locator('canvas').first().waitFor();
    await vscode().openView('Forecasts');
    await vscode().treeItem('Predictions', 'air-passengers.csv').first().locator('.codicon-pass').waitFor();
    await vscode().shot('web-no-files');
  });
});

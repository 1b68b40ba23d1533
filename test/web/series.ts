import type { WebWorkbench } from './workbench.ts';

export function seriesTests(vscode: () => WebWorkbench): void {
  describe('many series', () => {
    it('are forecast at once and listed by their accuracy', async () => {
      await vscode().palette('View: Close All Editors');
      await vscode().openView('Explorer');
      await vscode().explorerContextMenu('retail-long.csv', 'Forecast All Series');
      const page = vscode().webviewFrame();
      await page.getByText('12 series').first().waitFor();
      await page.getByRole('grid').waitFor();
      await vscode().shot('web-many-light');
    });
  });
}

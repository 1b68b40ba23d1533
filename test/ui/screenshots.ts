import type { Locator } from 'playwright-core';
import { themes } from './window.ts';
import type { Workbench, WorkbenchOptions } from './workbench.ts';

/** A picture of the README or the walkthrough: brings the workbench where it should be; a part of it that is returned is all that is shown. */
interface Picture {
  /** The file's name, without `.png`. */
  name: string;
  /** The folder in `media/`. */
  folder: 'docs' | 'walkthrough';
  options: WorkbenchOptions;
  make: (workbench: Workbench) => Promise<Locator | undefined>;
}

async function forecast(workbench: Workbench): Promise<undefined> {
  await workbench.explorerContextMenu('air-passengers.csv', 'Forecast');
  await workbench.webviewFrame().locator('canvas').first().waitFor();
  await workbench.openView('Forecasts');
  await workbench.treeItem('Predictions', 'air-passengers').waitFor();
}

async function chart(workbench: Workbench): Promise<Locator> {
  await workbench.explorerContextMenu('air-passengers.csv', 'Forecast');
  await workbench.webviewFrame().locator('canvas').first().waitFor();
  await workbench.palette('View: Toggle Primary Side Bar Visibility');
  return workbench.webviewFrame().locator('body');
}

const small = { width: 900, height: 620 };

export const pictures: Picture[] = [
  { name: 'forecast-light', folder: 'docs', options: { theme: themes.light }, make: forecast },
  { name: 'forecast-dark', folder: 'docs', options: { theme: themes.dark }, make: forecast },
  { name: 'chart-light', folder: 'walkthrough', options: { theme: themes.light, viewport: small }, make: chart },
  { name: 'chart-dark', folder: 'walkthrough', options: { theme: themes.dark, viewport: small }, make: chart },
];

import type { Locator } from 'playwright-core';
import { type Workbench, type WorkbenchOptions, themes } from './workbench.ts';

/** A picture of the README: brings the workbench where it should be; a part of it that is returned is all that is shown. */
interface Picture {
  /** The file's name in `media/docs/`, without `.png`. */
  name: string;
  options: WorkbenchOptions;
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type
  make: (workbench: Workbench) => Promise<Locator | void>;
}

async function forecast(workbench: Workbench): Promise<void> {
  await workbench.explorerContextMenu('air-passengers.csv', 'Forecast');
  await workbench.webviewFrame().locator('canvas').first().waitFor();
  await workbench.openView('Forecasts');
  await workbench.treeItem('Predictions', 'air-passengers').waitFor();
}

export const pictures: Picture[] = [
  { name: 'forecast-light', options: { theme: themes.light }, make: forecast },
  { name: 'forecast-dark', options: { theme: themes.dark }, make: forecast },
];

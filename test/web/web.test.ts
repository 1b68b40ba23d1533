import { useWindow } from '../ui/window.ts';
import { folderTests } from './folder.ts';
import { forecastTests } from './forecast.ts';
import { keepingTests } from './keeping.ts';
import { remoteTests } from './remote.ts';
import { seriesTests } from './series.ts';
import { windowsTests } from './windows.ts';
import { WebWorkbench } from './workbench.ts';

// one workbench for all of it, which takes longer to start than most tests take
describe('In the browser', () => {
  const vscode = useWindow(() => WebWorkbench.start('web'));
  folderTests(vscode);
  forecastTests(vscode);
  seriesTests(vscode);
  remoteTests(vscode);
  keepingTests(vscode);
  windowsTests(vscode);
});

import { accessibilityTests } from './accessibility.ts';
import { forecastTests } from './forecast.ts';
import { smokeTests, walkthroughTests } from './smoke.ts';
import { themes } from './window.ts';
import { workTests } from './work.ts';
import { useWorkbench } from './workbench.ts';

// one workbench for all of it, which takes longer to start than most tests take
describe('Charts', () => {
  const vscode = useWorkbench({ name: 'charts', theme: themes.light });
  smokeTests(vscode);
  forecastTests(vscode);
  accessibilityTests(vscode);
  workTests(vscode);
  walkthroughTests(vscode);
});

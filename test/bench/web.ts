/**
 * `npm run bench:web`: how long the first chart of a window takes from the click where extensions run in a web worker, and
 * what of the package the browser loads for it. Each run has a profile and a workbench of its own.
 *
 *     npm run bench:web [-- RUNS]
 */
import { readFileSync, statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { buildExtension, packageExtension } from '../harness/build.ts';
import { vsixFile } from '../harness/paths.ts';
import { end } from '../harness/processes.ts';
import { WebWorkbench } from '../web/workbench.ts';
import { numberOf, readArguments } from './arguments.ts';

const [count = '5'] = readArguments({ allowPositionals: true }).positionals;
const runs = numberOf(count, 'RUNS');

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} KB`;

async function firstChart(vscode: WebWorkbench, file: string): Promise<number> {
  await vscode.openMenu(await vscode.explorerItem(file));
  const start = performance.now();
  const canvas = vscode.webviewFrame().locator('canvas').first();
  await vscode.chooseFromMenu('Forecast');
  // to wait for it would be to look every half a second
  while (!(await canvas.isVisible())) await pause(10);
  return performance.now() - start;
}

await buildExtension();
await packageExtension();
console.log(`package ${kilobytes(statSync(vsixFile).size)}`);
for (const [name, content] of Object.entries(unzipSync(readFileSync(vsixFile)))) {
  if (!name.startsWith('extension/dist/web/')) continue;
  console.log(
    `${name.slice('extension/'.length)} ${kilobytes(content.length)}, ${kilobytes(gzipSync(content).length)} in gzip`,
  );
}
const times: number[][] = [[], []];
for (let run = 0; run < runs; run++) {
  const vscode = await WebWorkbench.start('bench-web');
  times[0].push(await firstChart(vscode, 'air-passengers.csv'));
  await vscode.palette('View: Close All Editors');
  await vscode.openView('Explorer');
  times[1].push(await firstChart(vscode, 'web-visits.json'));
  await vscode.stop();
}
for (const [index, what] of ['first chart of a window', 'second'].entries()) {
  const sorted = times[index].toSorted((a, b) => a - b).map((time) => `${(time / 1000).toFixed(2)} s`);
  console.log(`${what}: median ${sorted[Math.floor(sorted.length / 2)]}, of ${sorted.join(', ')}`);
}
await end(0);

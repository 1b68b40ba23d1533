/**
 * `npm run bench:first-chart`: a CSV of 5,000,000 rows (about 150 MB) is read in the thread and forecast by the local
 * service, as the command Forecast does it: the time of each part by the clock and by the processor, the longest stall of
 * this thread, and the peak of the memory of the whole process.
 *
 *     npm run bench:first-chart [-- ROWS [MODEL]]
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { chartView } from '../../src/chart/chart-view.ts';
import { lastPoints, toPoints } from '../../src/reading/points.ts';
import { numberOf, readArguments } from './arguments.ts';
import { startThreads } from './threads.ts';

const [count = '5000000', model, target] = readArguments({ allowPositionals: true }).positionals;
const rows = numberOf(count, 'ROWS');
if (target !== undefined) {
  generate(target);
  process.exit();
}
const folder = mkdtempSync(join(tmpdir(), 'large-'));
const file = join(folder, 'large.csv');
// in a process of its own, whose memory does not count
spawnSync(process.execPath, [import.meta.filename, count, '', file], { stdio: 'inherit' });
console.log(
  `${rows.toLocaleString('en')} rows, ${(statSync(file).size / 1e6).toFixed(0)} MB, on ${availableParallelism()} cores`,
);

function generate(path: string): void {
  const out = openSync(path, 'w');
  writeSync(out, 'timestamp,load\n');
  for (let row = 0; row < rows;) {
    const lines: string[] = [];
    for (const end = Math.min(rows, row + 100_000); row < end; row++) {
      const time = new Date(Date.UTC(2015, 0, 1) + row * 60_000).toISOString().slice(0, 19);
      const value = 500 + 80 * Math.sin((row * Math.PI) / 720) + ((row * 7919) % 997) / 50;
      lines.push(`${time}Z,${value.toFixed(4)}\n`);
    }
    writeSync(out, lines.join(''));
  }
  closeSync(out);
}

/** Of all threads, in seconds. */
function processorTime(since?: NodeJS.CpuUsage): string {
  const { user, system } = process.cpuUsage(since);
  return ((user + system) / 1e6).toFixed(2);
}

const { reader, client, stop } = startThreads(folder);
await client.capabilities();
await client.list('listKeys');

const before = process.resourceUsage().maxRSS / 1024;
const stalls = monitorEventLoopDelay({ resolution: 5 });
const start = performance.now();
let last = start;
let used = process.cpuUsage();
const lap = (what: string) => {
  const now = performance.now();
  const stall = stalls.max / 1e6;
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${what.padEnd(10)} ${((now - last) / 1000).toFixed(2)} s, ${processorTime(used)} s of the processor, longest stall ${stall.toFixed(0)} ms, peak ${peak.toFixed(0)} MB`,
  );
  used = process.cpuUsage();
  stalls.reset();
  last = performance.now();
};
await new Promise((resolve) => setTimeout(resolve, 100));
stalls.enable();
const { series } = await reader.read({ path: file }, { fileName: 'large.csv' });
lap('read');
const request = { name: 'large.csv', ai_model_id: model || undefined, series: toPoints(lastPoints(series[0])) };
const made = await client.createPrediction(request);
lap('forecast');
await new Promise((resolve) => setTimeout(resolve, 10));
chartView(made, { timeZone: 'UTC' });
await new Promise((resolve) => setTimeout(resolve, 10));
lap('chart');
console.log(`${series[0].summary} · ${made.status}`);
console.log(`in all ${((performance.now() - start) / 1000).toFixed(2)} s, memory ${before.toFixed(0)} MB before`);
console.log(`processor time ${processorTime()} s`);

await stop();
rmSync(folder, { recursive: true });

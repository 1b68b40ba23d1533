/**
 * `npm run bench:dataset`: a CSV of 10,000 monthly series of 100 points is read, stored as a dataset, forecast by the local
 * service and saved as one CSV; the time of each part, the longest stall of this thread, and the memory.
 *
 *     npm run bench:dataset [-- SERIES [POINTS [MODEL]]]
 */
import { mkdtempSync, openSync, closeSync, rmSync, writeSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { storeSeries } from '../../src/client/store-series.ts';
import { forecastsOf } from '../../src/editor/many-series/forecast-set.ts';
import { bundleThreads } from '../harness/build.ts';
import { numberOf, readArguments } from './arguments.ts';
import { startThreads } from './threads.ts';

const { positionals } = readArguments({ allowPositionals: true });
const [count, points] = [numberOf(positionals[0] ?? '10000', 'SERIES'), numberOf(positionals[1] ?? '100', 'POINTS')];
const model = positionals[2];
const folder = mkdtempSync(join(tmpdir(), 'dataset-'));
const file = join(folder, 'dataset.csv');

const out = openSync(file, 'w');
writeSync(out, 'series,month,value\n');
for (let id = 0; id < count; id++) {
  let rows = '';
  for (let i = 0; i < points; i++) {
    const month = `${2010 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`;
    const noise = ((id * 7919 + i * 104_729) % 997) / 997;
    rows += `s${id},${month},${(100 + (id % 50) + i * 0.3 + 12 * Math.sin((i * Math.PI) / 6) + 9 * noise).toFixed(2)}\n`;
  }
  writeSync(out, rows);
}
closeSync(out);

const threads = join(folder, 'threads');
await bundleThreads(threads);
const { reader, client, stop } = startThreads(folder, threads);
await client.list('listKeys');

const stalls = monitorEventLoopDelay({ resolution: 5 });
stalls.enable();
const start = performance.now();
let last = start;
let busy = 0;
let memory = 0;
const watch = setInterval(() => (memory = Math.max(memory, process.memoryUsage.rss())), 20);
const lap = async (what: string) => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  const now = performance.now();
  const stall = (stalls.max / 1e6).toFixed(0);
  const { user, system } = process.cpuUsage();
  const time = `${((now - last) / 1000).toFixed(2)} s, ${((user + system) / 1e6 - busy).toFixed(1)} s of processor time`;
  console.log(`${what.padEnd(20)} ${time}, longest stall ${stall} ms, at most ${(memory / 1e6).toFixed(0)} MB`);
  busy = (user + system) / 1e6;
  memory = 0;
  stalls.reset();
  last = performance.now();
};

const { signal } = new AbortController();
const document = await reader.read({ path: file }, { fileName: 'dataset.csv' });
await lap(`read ${document.series.length} series`);
const dataset = await storeSeries(client, reader, { name: 'dataset', series: document.series }, { signal });
await lap('stored');
const { prediction_ids } = await client.do('predictDataset', { id: dataset.id, body: { ai_model_id: model } });
await lap('queued');
for (;;) {
  const { total = 0 } = await client.listDatasetPredictions(dataset.id, {
    status: 'QUEUED',
    size: 1,
    withSeries: false,
  });
  if (total === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 500));
}
for (;;) {
  const status = 'IN_PROGRESS';
  const { total = 0 } = await client.listDatasetPredictions(dataset.id, { status, size: 1, withSeries: false });
  if (total === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 20));
}
await lap('forecast');
const source = {
  fileName: 'dataset.csv',
  id: 's0',
  format: document.format,
  timeKind: 'period',
  timeColumn: 'month',
  idColumn: 'series',
  valueColumn: 'value',
} as const;
const predictions = prediction_ids.map((id) => ({ id, status: 'COMPLETED' }));
const written = await forecastsOf(
  client,
  { ref: { serviceId: 'local', label: 'dataset', datasetId: dataset.id }, source, predictions },
  { names: 'limits', withHistory: false },
);
await lap('read back');
const text = await reader.write(written, document.format);
writeFileSync(join(folder, 'forecasts.csv'), text);
await lap(`saved ${(text.length / 1e6).toFixed(0)} MB`);
console.log(
  `in all               ${((performance.now() - start) / 1000).toFixed(2)} s on ${availableParallelism()} cores`,
);
console.log(`memory of the process ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB at its peak`);
const { user, system } = process.cpuUsage();
console.log(`processor time ${((user + system) / 1e6).toFixed(1)} s`);

clearInterval(watch);
await stop();
rmSync(folder, { recursive: true });

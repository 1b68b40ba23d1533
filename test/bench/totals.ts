/**
 * `npm run bench:totals`: a hierarchy like that of the M5 competition (articles of departments of categories in one store,
 * daily, most of them sold on few days) is read, its totals made, and forecast by the local service so that all adds up: the
 * time of each part, how far the sums are off, and the scores of each level beside the forecasts by themselves. Made data.
 *
 *     npm run --silent bench:totals [-- [FILE.csv] [--series N] [--days N] [--horizon N] [--json]]
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pagesOf } from '../../src/editor/many-series/forecast-set.ts';
import { findFamily, makeTotals } from '../../src/reading/sums.ts';
import { numberOf, present, readArguments } from './arguments.ts';
import { startThreads } from './threads.ts';

const { values: options, positionals } = readArguments({
  allowPositionals: true,
  options: {
    series: { type: 'string', default: '3000' },
    days: { type: 'string', default: '1913' },
    horizon: { type: 'string', default: '28' },
    json: { type: 'boolean', default: false },
  },
});
const [count, days, horizon] = (['series', 'days', 'horizon'] as const).map((name) =>
  numberOf(options[name], `--${name}`),
) as [number, number, number];
const given = positionals[0] === undefined ? undefined : present(positionals[0]);
const folder = mkdtempSync(join(tmpdir(), 'totals-'));
const file = given ?? made(join(folder, 'demand.csv'), count, days);

const { reader, client, stop } = startThreads(folder);
/** Seconds by the clock, and of all threads: on a machine that does other work the former are more. */
const laps: Record<string, { seconds: number; computed: number }> = {};
let last = performance.now();
let used = process.cpuUsage();
const lap = (what: string) => {
  const { user, system } = process.cpuUsage(used);
  laps[what] = { seconds: (performance.now() - last) / 1000, computed: (user + system) / 1e6 };
  last = performance.now();
  used = process.cpuUsage();
};
await client.list('listKeys');
last = performance.now();
used = process.cpuUsage();
const { signal } = new AbortController();
const document = await reader.read({ content: readFileSync(file) }, { fileName: basename(file) });
lap('read');
const named = document.series.map((one) => ({ ...one, name: one.id }));
const family = findFamily(named);
if (!family) throw new Error(`Nothing of ${file} adds up.`);
const totals = await makeTotals(named, family);
const series = [...totals, ...named];
const sums = family.sums.map(({ total, parts }) => ({ total, parts: [...parts] }));
lap('make totals');
const body = await reader.bodyOf({ name: 'demand', for_job: true }, series, signal);
const { id } = await client.do('createDataset', { body, signal });
lap('store');
const { prediction_ids: ids } = await client.do('predictDataset', { id, body: { sums, prediction_length: horizon } });
const isOpen = async (status: string) =>
  ((await client.listDatasetPredictions(id, { status, size: 1, withSeries: false })).total ?? 0) > 0;
while ((await isOpen('QUEUED')) || (await isOpen('IN_PROGRESS')))
  await new Promise((resolve) => setTimeout(resolve, 100));
lap('forecast');

const values = new Map<string, number[]>();
let levels: readonly Readonly<Record<string, unknown>>[] = [];
for await (const page of pagesOf(client, { datasetId: id }, { withSeries: true }, signal)) {
  for (const { name = '', status, error, prediction_series = [], details } of page) {
    if (status !== 'COMPLETED') throw new Error(error);
    values.set(name, prediction_series.map(({ value }) => value!)); // prettier-ignore
    levels = details?.totals?.levels ?? levels;
  }
}
let off = 0;
for (const { total, parts } of sums) {
  values.get(total)!.forEach((value, step) => {
    const sum = parts.reduce((known, part) => known + values.get(part)![step], 0);
    off = Math.max(off, Math.abs(value - sum) / Math.max(1, Math.abs(value)));
  });
}
await stop();
rmSync(folder, { recursive: true });
const cores = availableParallelism();
if (options.json)
  console.log(JSON.stringify({ series: ids.length, sums: sums.length, cores, seconds: laps, off, levels }));
else {
  console.log(`${ids.length} series, ${sums.length} of them totals, on ${cores} cores`);
  console.table(laps);
  console.log(`The sums are off by ${off.toExponential(1)} of their value at most.`);
  console.table(levels);
}

/** Demand of articles: about as many units a day and as many days without any as in shops, with weeks, years and fashions. */
function made(path: string, count: number, days: number): string {
  let state = 5;
  const uniform = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const sold = (mean: number): number => {
    if (mean > 40) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
    let units = 0;
    for (let left = Math.exp(-mean), product = uniform(); product > left; product *= uniform()) units++;
    return units;
  };
  const drift = (size: number): number[] => {
    let level = 0;
    return Array.from({ length: days }, () => (level = 0.98 * level + size * normal()));
  };
  const store = drift(0.02);
  const departments = ['FOODS_1', 'FOODS_2', 'FOODS_3', 'HOBBIES_1', 'HOBBIES_2', 'HOUSEHOLD_1', 'HOUSEHOLD_2'];
  const moods = departments.map(() => drift(0.03));
  const out = openSync(path, 'w');
  writeSync(out, 'id,date,units\n');
  const articles = count - departments.length - 4;
  for (let article = 0; article < articles; article++) {
    const department = article % departments.length;
    const usual = 0.5 * Math.exp(1.3 * normal());
    const [week, year, phase] = [0.1 + 0.4 * uniform(), 0.4 * uniform(), 2 * Math.PI * uniform()];
    const own = drift(0.06);
    const start = uniform() < 0.6 ? 0 : Math.floor(0.7 * days * uniform());
    let rows = '';
    for (let day = start; day < days; day++) {
      const season =
        1 + week * Math.sin((2 * Math.PI * (day + 2)) / 7) + year * Math.sin((2 * Math.PI * day) / 365.25 + phase);
      const units = sold(usual * Math.max(0.1, season) * Math.exp(store[day] + moods[department][day] + own[day]));
      rows += `${departments[department]}_${String(article).padStart(4, '0')},${new Date(Date.UTC(2011, 0, 29 + day)).toISOString().slice(0, 10)},${units}\n`;
    }
    writeSync(out, rows);
  }
  closeSync(out);
  return path;
}

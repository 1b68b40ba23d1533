/**
 * Fits the table of spreads of the neural model, `src/engine/neural/spread-table.ts`, on files of series: by how much its
 * central intervals must be widened to hold the share of the test points that they say.
 *
 *     npm run bench:calibrate-neural -- --data FILE.json.gz [--data FILE.json.gz …] [--rolling FILE.json.gz …] [--most N]
 *
 * Files are as for `bench:accuracy` and, with --rolling, for `bench:rolling`. At most N series or windows of each group count,
 * and each group counts alike in its kind of series, whatever its size.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { familyOf, type Family } from '../../src/engine/ensemble/ensemble.ts';
import { pieceOf } from '../../src/engine/neural/counts.ts';
import { baseModel } from '../../src/engine/neural/model.ts';
import { spreadProbabilities, spreads } from '../../src/engine/neural/spread-table.ts';
import { prepareSeries } from '../../src/engine/prepare/series.ts';
import { numberOf, readArguments, wrongUse } from './arguments.ts';
import { calendarPeriods, readJson, readRows, seasonalScale, type RollingRow } from './competition.ts';
import { periodsOf, windowsOf } from './rolling-windows.ts';

const { values: options } = readArguments({
  options: {
    data: { type: 'string', multiple: true, default: [] },
    rolling: { type: 'string', multiple: true, default: [] },
    most: { type: 'string', default: '300' },
  },
});
if (options.data.length + options.rolling.length === 0)
  wrongUse('Give it files: --data FILE.json.gz, or --rolling FILE.json.gz as for bench:rolling.');
const target = new URL('../../src/engine/neural/spread-table.ts', import.meta.url);
const families = Object.keys(spreads) as Family[];

/** A group with fewer points weighs less than the others. */
const fewestPoints = 500;
/** Deviations from the median over the half width on that side: by family and group, then by probability. */
type Ratios = Record<Family, Map<string, number[][]>>;
const ratios = Object.fromEntries(families.map((family) => [family, new Map()])) as unknown as Ratios;
const most = numberOf(options.most, '--most');
const seen = new Map<string, number>();
const isWanted = (group: string): boolean => {
  const count = (seen.get(group) ?? 0) + 1;
  seen.set(group, count);
  return count <= most;
};
for (const row of options.data.flatMap(readRows)) {
  if (!(seasonalScale(row) > 0) || !isWanted(row.group)) continue;
  collect(row.group, Float64Array.from(row.train), calendarPeriods(row), Float64Array.from(row.test));
}
for (const row of options.rolling.flatMap((path) => readJson(path) as RollingRow[])) {
  // A long series must not fill its group alone.
  const share = Math.max(1, Math.ceil(row.windows / 5));
  for (const [k, { history, future }] of [...windowsOf(row)].entries()) {
    if (k % share === 0 && isWanted(row.group)) collect(row.group, history, periodsOf(row), future);
  }
}

// What is fitted comes on top of the factors that the forecasts had.
const lines = families.map((family) => {
  const factors = spreadProbabilities.map((probability, k) => {
    const groups = [...ratios[family].values()].map((byProbability) => byProbability[k]);
    return Number((spreads[family][k] * weightedQuantile(groups, probability)).toPrecision(3));
  });
  return `  ${family}: [${factors.join(', ')}],`;
});
const source = readFileSync(target, 'utf8');
const start = source.indexOf('export const spreads:');
const head = source.slice(0, source.indexOf('{', start) + 1);
writeFileSync(target, `${head}\n${lines.join('\n')}\n};\n`);

function collect(group: string, history: Float64Array, periods: readonly number[], future: Float64Array): void {
  if (!history.some(Number.isFinite)) return;
  const series = prepareSeries(history, periods);
  const { missingAtEnd, unit } = series;
  // Quantiles of counts are whole, so that no factor can make them hold an exact share.
  if (pieceOf(series) > 0) return;
  const { point, quantile } = baseModel().forecast(series, missingAtEnd + future.length);
  const byGroup = ratios[familyOf(series)];
  const own = byGroup.get(group) ?? spreadProbabilities.map(() => []);
  byGroup.set(group, own);
  future.forEach((actual, i) => {
    if (!Number.isFinite(actual)) return;
    const step = missingAtEnd + i;
    const deviation = actual / unit - point[step];
    spreadProbabilities.forEach((probability, k) => {
      const level = 0.5 + (Math.sign(deviation) * probability) / 2;
      const half = Math.abs(quantile(level, step) - point[step]);
      own[k].push(deviation === 0 ? 0 : Math.abs(deviation) / Math.max(half, 1e-12));
    });
  });
}

/** The quantile of all numbers, where each group weighs alike; 1 where there are none. */
function weightedQuantile(groups: readonly (readonly number[])[], probability: number): number {
  const all = groups.flatMap((values) =>
    values.map((value) => ({ value, weight: 1 / Math.max(values.length, fewestPoints) })),
  );
  all.sort((a, b) => a.value - b.value);
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  for (const { value, weight } of all) {
    sum += weight;
    if (sum >= probability * total) return value;
  }
  return 1;
}

/**
 * Accuracy over rolling windows by GIFT-Eval's protocol (Aksu et al. 2024): each of the last windows of a series is
 * forecast from everything before it.
 *
 *     npm run --silent bench:rolling -- --data FILE.json.gz [--model ID] [--json] [--most SERIES_PER_GROUP] [--group NAME]
 *
 * Rows: `{"id", "group", "freq" (ISO 8601), "m" (season for scoring), "h", "windows", "values" (null = missing)}`.
 */
import { forecast } from '../../src/engine/forecast.ts';
import { baseModels } from '../../src/engine/models.ts';
import { numberOf, oneOf, readArguments, wrongUse } from './arguments.ts';
import { readJson, type RollingRow } from './competition.ts';
import { geometricMeanOf, periodsOf, tableLine, timed, valuesOf, windowsOf } from './rolling-windows.ts';

/** The levels of the weighted quantile loss, and those of the 80 % and 95 % intervals. */
const lossLevels = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const levels = [0.025, ...lossLevels, 0.975];

interface Sums {
  windows: number;
  points: number;
  scaledError: number;
  scaledNaiveError: number;
  quantileLoss: number;
  size: number;
  inside80: number;
  inside95: number;
  milliseconds: number;
  worst: number;
  worstId: string;
}

const { values: options } = readArguments({
  options: {
    data: { type: 'string' },
    model: { type: 'string', default: baseModels.find((model) => model.isDefault)!.id },
    json: { type: 'boolean', default: false },
    most: { type: 'string', default: 'Infinity' },
    group: { type: 'string' },
  },
});
if (options.data === undefined)
  wrongUse(
    'Usage: npm run --silent bench:rolling -- --data FILE.json.gz [--model ID] [--json] [--most N] [--group NAME]',
  );
oneOf(
  baseModels.map(({ id }) => id),
  options.model,
  '--model',
);
const most = numberOf(options.most, '--most');

const all = (readJson(options.data) as RollingRow[]).filter(
  ({ group }) => options.group === undefined || group === options.group,
);
const seen = new Map<string, number>();
const rows = all.filter(({ group }) => {
  seen.set(group, (seen.get(group) ?? 0) + 1);
  return seen.get(group)! <= most;
});
const groups = new Map<string, Sums>();
warmUp(options.model);
for (const row of rows) scoreRow(options.model, row);
report(options.model, options.json);

/** So that the first group does not pay for the start. */
function warmUp(model: string): void {
  for (const row of rows.slice(0, 20)) {
    const values = valuesOf(row).slice(-500);
    if (values.some(Number.isFinite)) forecast(model, { values, periods: periodsOf(row), horizon: row.h, levels });
  }
}

function scoreRow(model: string, row: RollingRow): void {
  const periods = periodsOf(row);
  for (const { history, future, scale } of windowsOf(row)) {
    const { result, milliseconds } = timed(() => forecast(model, { values: history, periods, horizon: row.h, levels }));
    const sum = sumsOf(row.group);
    sum.windows++;
    sum.milliseconds += milliseconds;
    scoreWindow(sum, future, result.quantiles, seasonalNaive(history, row), scale, row.id);
  }
}

/** The value of the same phase in the last season that has one; the last value of all where none does. */
function seasonalNaive(history: Float64Array, { h, m }: RollingRow): Float64Array {
  const n = history.length;
  const last = history.findLast(Number.isFinite) ?? Number.NaN;
  return Float64Array.from({ length: h }, (_, i) => {
    for (let at = n - m + (i % m); at >= 0; at -= m) if (Number.isFinite(history[at])) return history[at];
    return last;
  });
}

function scoreWindow(
  sum: Sums,
  future: Float64Array,
  quantiles: readonly Float64Array[],
  naive: Float64Array,
  scale: number,
  id: string,
): void {
  const median = quantiles[levels.indexOf(0.5)];
  const inside = (actual: number, i: number, low: number, high: number): boolean =>
    actual >= quantiles[levels.indexOf(low)][i] && actual <= quantiles[levels.indexOf(high)][i];
  let error = 0;
  let naiveError = 0;
  let observed = 0;
  future.forEach((actual, i) => {
    if (!Number.isFinite(actual)) return;
    observed++;
    error += Math.abs(actual - median[i]);
    naiveError += Math.abs(actual - naive[i]);
    sum.size += Math.abs(actual);
    for (const level of lossLevels) {
      const miss = actual - quantiles[levels.indexOf(level)][i];
      sum.quantileLoss += (2 * Math.max(level * miss, (level - 1) * miss)) / lossLevels.length;
    }
    if (inside(actual, i, 0.1, 0.9)) sum.inside80++;
    if (inside(actual, i, 0.025, 0.975)) sum.inside95++;
  });
  sum.points += observed;
  sum.scaledError += error / scale;
  sum.scaledNaiveError += naiveError / scale;
  const ratio = error / observed / Math.max(naiveError / observed, scale);
  if (ratio > sum.worst) {
    sum.worst = ratio;
    sum.worstId = id;
  }
}

function sumsOf(group: string): Sums {
  let sum = groups.get(group);
  if (!sum) {
    sum = {
      windows: 0,
      points: 0,
      scaledError: 0,
      scaledNaiveError: 0,
      quantileLoss: 0,
      size: 0,
      inside80: 0,
      inside95: 0,
      milliseconds: 0,
      worst: 0,
      worstId: '',
    };
    groups.set(group, sum);
  }
  return sum;
}

function report(model: string, asJson: boolean): void {
  const measured = [...groups].map(([name, sum]) => ({
    name,
    windows: sum.windows,
    mase: sum.scaledError / sum.points,
    maseSeasonalNaive: sum.scaledNaiveError / sum.points,
    wql: sum.quantileLoss / sum.size,
    coverage80: sum.inside80 / sum.points,
    coverage95: sum.inside95 / sum.points,
    msPerForecast: sum.milliseconds / sum.windows,
    worst: sum.worst,
    worstId: sum.worstId,
  }));
  const geometricMean = geometricMeanOf(measured.map(({ mase, maseSeasonalNaive }) => mase / maseSeasonalNaive));
  if (asJson) {
    const byName = Object.fromEntries(measured.map(({ name, worstId: _, ...figures }) => [name, figures]));
    console.log(JSON.stringify({ model, geometricMean, groups: byName }));
    return;
  }
  const line = (cells: readonly string[]): string => tableLine(cells, 9);
  console.log(line(['group', 'windows', 'MASE', 'relative', 'WQL', 'cover80', 'cover95', 'ms', 'worst']));
  for (const group of measured) {
    const { name, windows, mase, maseSeasonalNaive, wql, coverage80, coverage95, msPerForecast, worst, worstId } =
      group;
    const figures = [mase, mase / maseSeasonalNaive, wql, coverage80, coverage95, msPerForecast, worst];
    console.log(`${line([name, String(windows), ...figures.map((value) => value.toFixed(3))])}  ${worstId}`);
  }
  console.log(`geometric mean of the relative MASE: ${geometricMean.toFixed(4)}`);
}

/**
 * Accuracy of a model on a file of series: sMAPE, MASE and OWA (relative to Naive2), coverage and width of the intervals,
 * and processor time.
 *
 *     npm run --silent bench:accuracy -- --data FILE.json.gz [--model ID] [--json]
 */
import { forecast } from '../../src/engine/forecast.ts';
import { baseModels } from '../../src/engine/models.ts';
import { oneOf, readArguments, wrongUse } from './arguments.ts';
import { calendarPeriods, meanAbsoluteError, naive2, readRows, seasonalScale, smape, type Row } from './competition.ts';

const levels = [0.025, 0.1, 0.9, 0.975];

interface Sums {
  n: number;
  points: number;
  smape: number;
  mase: number;
  smapeNaive2: number;
  maseNaive2: number;
  inside80: number;
  inside95: number;
  intervalScore: number;
  milliseconds: number;
}

const { values: options } = readArguments({
  options: {
    data: { type: 'string' },
    model: { type: 'string', default: baseModels.find((model) => model.isDefault)!.id },
    json: { type: 'boolean', default: false },
  },
});
if (options.data === undefined)
  wrongUse('Usage: npm run --silent bench:accuracy -- --data FILE.json.gz [--model ID] [--json]');
oneOf(
  baseModels.map(({ id }) => id),
  options.model,
  '--model',
);

const rows = readRows(options.data);
const sums = new Map<string, Sums>();
for (const row of rows.slice(0, 200)) run(options.model, row);
for (const row of rows) {
  const scale = seasonalScale(row);
  if (!(scale > 0)) continue;
  score(sumsOf(row.group), row, scale, options.model);
}
report(options.model, options.json);

function run(model: string, row: Row) {
  const values = Float64Array.from(row.train);
  const started = process.cpuUsage();
  const result = forecast(model, { values, periods: calendarPeriods(row), horizon: row.h, levels });
  const { user, system } = process.cpuUsage(started);
  return { ...result, milliseconds: (user + system) / 1000 };
}

function sumsOf(group: string): Sums {
  let sum = sums.get(group);
  if (!sum) {
    sum = {
      n: 0,
      points: 0,
      smape: 0,
      mase: 0,
      smapeNaive2: 0,
      maseNaive2: 0,
      inside80: 0,
      inside95: 0,
      intervalScore: 0,
      milliseconds: 0,
    };
    sums.set(group, sum);
  }
  return sum;
}

function score(sum: Sums, row: Row, scale: number, model: string): void {
  const { point, quantiles, milliseconds } = run(model, row);
  const benchmark = naive2(row);
  sum.n++;
  sum.milliseconds += milliseconds;
  sum.smape += smape(row.test, point);
  sum.mase += meanAbsoluteError(row.test, point) / scale;
  sum.smapeNaive2 += smape(row.test, benchmark);
  sum.maseNaive2 += meanAbsoluteError(row.test, benchmark) / scale;
  row.test.forEach((actual, i) => {
    const [low95, low80, high80, high95] = quantiles.map((quantile) => quantile[i]);
    sum.points++;
    if (actual >= low80 && actual <= high80) sum.inside80++;
    if (actual >= low95 && actual <= high95) sum.inside95++;
    const missed = Math.max(0, low95 - actual) + Math.max(0, actual - high95);
    sum.intervalScore += (high95 - low95 + (2 / 0.05) * missed) / scale;
  });
}

function report(model: string, asJson: boolean): void {
  const groups = Object.fromEntries(
    [...sums].map(([group, sum]) => [
      group,
      {
        n: sum.n,
        smape: sum.smape / sum.n,
        mase: sum.mase / sum.n,
        owa: 0.5 * (sum.smape / sum.smapeNaive2 + sum.mase / sum.maseNaive2),
        coverage80: sum.inside80 / sum.points,
        coverage95: sum.inside95 / sum.points,
        msis95: sum.intervalScore / sum.points,
        msPerSeries: sum.milliseconds / sum.n,
      },
    ]),
  );
  if (asJson) {
    console.log(JSON.stringify({ model, groups }));
    return;
  }
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(18) : cell.padStart(11))).join('');
  console.log(line(['group', 'n', 'sMAPE', 'MASE', 'OWA', 'coverage80', 'coverage95', 'MSIS95', 'msPerSeries']));
  for (const [name, group] of Object.entries(groups)) {
    const { n, smape, mase, owa, coverage80, coverage95, msis95, msPerSeries } = group;
    const figures = [smape, mase, owa, coverage80, coverage95, msis95, msPerSeries].map((value) => value.toFixed(3));
    console.log(line([name, String(n), ...figures]));
  }
}

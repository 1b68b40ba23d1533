/**
 * What covariates are worth: each of the last windows of a series is forecast from everything before it, with and without
 * its covariates, by GIFT-Eval's protocol as in `bench:rolling`.
 *
 *     npm run --silent bench:covariates -- --data FILE.json.gz [--model ID] [--json] [--noise] [--group NAME]
 *
 * Rows as there, and `"start"` and `"covariates": {name: [values over history and future]}`. With `--noise`, ten random
 * covariates take the place of the row's own. `covariates-prophet.py` measures Prophet on the same windows.
 */
import { type Covariate, covariateOf } from '../../src/engine/covariates/effect.ts';
import { forecastWithCovariates } from '../../src/engine/covariates/forecast.ts';
import { forecast } from '../../src/engine/forecast.ts';
import { baseModels } from '../../src/engine/models.ts';
import { Random } from './training/random.ts';
import { oneOf, readArguments, wrongUse } from './arguments.ts';
import { readJson, type RollingRow } from './competition.ts';
import { periodsOf, tableLine, timed, windowsOf } from './rolling-windows.ts';

interface CovariateRow extends RollingRow {
  readonly start: string;
  readonly covariates: Readonly<Record<string, readonly (number | boolean | string | null)[]>>;
}

interface Sums {
  windows: number;
  points: number;
  with: number;
  without: number;
  inside80: number;
  milliseconds: number;
}

const levels = [0.1, 0.5, 0.9];
const { values: options } = readArguments({
  options: {
    data: { type: 'string' },
    model: { type: 'string', default: baseModels.find((model) => model.isDefault)!.id },
    json: { type: 'boolean', default: false },
    noise: { type: 'boolean', default: false },
    group: { type: 'string' },
  },
});
if (options.data === undefined)
  wrongUse(
    'Usage: npm run --silent bench:covariates -- --data FILE.json.gz [--model ID] [--json] [--noise] [--group NAME]',
  );
oneOf(
  baseModels.map(({ id }) => id),
  options.model,
  '--model',
);

const groups = new Map<string, Sums>();
for (const row of readJson(options.data) as CovariateRow[]) {
  if (options.group === undefined || options.group === row.group) scoreRow(row);
}
report();

function scoreRow(row: CovariateRow): void {
  const periods = periodsOf(row);
  const covariates = options.noise
    ? randomCovariates(row.values.length)
    : Object.entries(row.covariates).flatMap(([name, cells]) => covariateOf(name, cells));
  const sum = groups.get(row.group) ?? { windows: 0, points: 0, with: 0, without: 0, inside80: 0, milliseconds: 0 };
  groups.set(row.group, sum);
  for (const { history, future, origin, scale } of windowsOf(row)) {
    const input = { values: history, periods, horizon: row.h, levels };
    const without = forecast(options.model, input).quantiles[1];
    const known = covariates.map((each) => ({ ...each, values: each.values.slice(0, origin + row.h) }));
    const { result, milliseconds } = timed(() => forecastWithCovariates(options.model, input, known));
    const [low, middle, high] = result.quantiles;
    sum.windows++;
    sum.milliseconds += milliseconds;
    future.forEach((actual, i) => {
      if (!Number.isFinite(actual)) return;
      sum.points++;
      sum.with += Math.abs(actual - middle[i]) / scale;
      sum.without += Math.abs(actual - without[i]) / scale;
      if (actual >= low[i] && actual <= high[i]) sum.inside80++;
    });
  }
}

/** Five of white noise, three that wander, two that are now and then 1. */
function randomCovariates(length: number): Covariate[] {
  const random = new Random(7);
  return Array.from({ length: 10 }, (_, k) => {
    let state = 0;
    const next = (): number => {
      if (k >= 8) return random.chance(0.2) ? 1 : 0;
      state = (k < 5 ? 0 : 0.97 * state) + random.normal();
      return state;
    };
    return { name: `random ${k + 1}`, values: Float64Array.from({ length }, next) };
  });
}

function report(): void {
  const measured = [...groups].map(([name, sum]) => ({
    name,
    windows: sum.windows,
    maseWith: sum.with / sum.points,
    maseWithout: sum.without / sum.points,
    msPerForecast: sum.milliseconds / sum.windows,
    coverage80: sum.inside80 / sum.points,
  }));
  if (options.json) {
    console.log(JSON.stringify({ groups: Object.fromEntries(measured.map(({ name, ...rest }) => [name, rest])) }));
    return;
  }
  const line = (cells: readonly string[]): string => tableLine(cells, 10);
  console.log(line(['group', 'windows', 'with', 'without', 'gain', 'cover80', 'ms']));
  for (const { name, windows, maseWith, maseWithout, msPerForecast, coverage80 } of measured) {
    const gain = `${(100 * (1 - maseWith / maseWithout)).toFixed(1)} %`;
    const cells = [maseWith.toFixed(3), maseWithout.toFixed(3), gain, coverage80.toFixed(3), msPerForecast.toFixed(0)];
    console.log(line([name, String(windows), ...cells]));
  }
}

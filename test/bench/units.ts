/**
 * How many forecasts depend on the unit of their series: the share that changes by more than 0.1 % and 1 % of the spread
 * of its 80 % interval where the series is multiplied by 1,000, and where a constant is added to one that is not positive,
 * of which no logarithm is taken.
 *
 *     npm run --silent bench:units -- --data FILE.json.gz [--model ID] [--most N]
 */
import { forecast } from '../../src/engine/forecast.ts';
import { baseModels } from '../../src/engine/models.ts';
import { numberOf, oneOf, readArguments, wrongUse } from './arguments.ts';
import { calendarPeriods, readRows, type Row } from './competition.ts';

const levels = [0.1, 0.5, 0.9];
const limits = [0.001, 0.01];

const { values: options } = readArguments({
  options: {
    data: { type: 'string' },
    model: { type: 'string', default: baseModels.find((model) => model.isDefault)!.id },
    most: { type: 'string', default: '2000' },
  },
});
if (options.data === undefined)
  wrongUse('Usage: npm run --silent bench:units -- --data FILE.json.gz [--model ID] [--most N]');
oneOf(
  baseModels.map(({ id }) => id),
  options.model,
  '--model',
);
const model = options.model;
const rows = readRows(options.data).slice(0, numberOf(options.most, '--most'));

/** The largest change of a quantile, beside the mean spread of the interval. */
function changeOf(row: Row, factor: number, shift: number, values: Float64Array): number {
  const asked = { periods: calendarPeriods(row), horizon: row.h, levels };
  const before = forecast(model, { ...asked, values }).quantiles;
  const after = forecast(model, { ...asked, values: values.map((value) => factor * value + shift) }).quantiles;
  const spread = before[2].reduce((sum, value, i) => sum + (value - before[0][i]) / row.h, 0);
  let change = 0;
  before.forEach((quantile, k) => {
    quantile.forEach((value, i) => (change = Math.max(change, Math.abs((after[k][i] - shift) / factor - value))));
  });
  return spread > 0 ? change / spread : 0;
}

function print(name: string, changes: readonly number[]): void {
  const shares = limits.map((limit) => {
    const share = changes.filter((change) => change > limit).length / changes.length;
    return `${(100 * share).toFixed(2)} % change by more than ${100 * limit} %`;
  });
  console.log(`${name}, ${changes.length} series: ${shares.join(', ')}`);
}

const seen = rows.map((row) => Float64Array.from(row.train));
print(
  'multiplied by 1,000',
  rows.map((row, i) => changeOf(row, 1000, 0, seen[i])),
);
// Centred, so that there are negative values before and after.
const centred = seen.map((values) => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { values: values.map((value) => value - (low + high) / 2), shift: (high - low) / 8 };
});
print(
  'a constant added',
  rows.map((row, i) => changeOf(row, 1, centred[i].shift, centred[i].values)),
);

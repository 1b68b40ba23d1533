/**
 * Fits the table of interval widths, `src/engine/intervals/interval-table.ts`, on files of series: quantiles of |error| / scale of
 * the default model, and for the other models one factor for each family.
 *
 *     npm run bench:calibrate -- --data FILE.json.gz [--data FILE.json.gz …] [--most SERIES_PER_GROUP]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { familyOf, type Family } from '../../src/engine/ensemble/ensemble.ts';
import { estimate } from '../../src/engine/ensemble/estimate.ts';
import { knots, probabilities, widthFactors, widths } from '../../src/engine/intervals/interval-table.ts';
import { errorScales } from '../../src/engine/intervals/intervals.ts';
import { baseModels, isNeural } from '../../src/engine/models.ts';
import { prepareSeries } from '../../src/engine/prepare/series.ts';
import { baseSettings } from '../../src/engine/settings.ts';
import { numberOf, readArguments, wrongUse } from './arguments.ts';
import { calendarPeriods, readRows, seasonalScale, type Row } from './competition.ts';

const { values: options } = readArguments({
  options: { data: { type: 'string', multiple: true, default: [] }, most: { type: 'string', default: '3000' } },
});
if (options.data.length === 0)
  wrongUse('Usage: npm run bench:calibrate -- --data FILE.json.gz [--data FILE.json.gz …] [--most SERIES_PER_GROUP]');
const most = numberOf(options.most, '--most');
const families = Object.keys(knots) as Family[];
/** Fewer errors at a step tell too little of their quantiles. */
const fewestErrors = 100;
const target = new URL('../../src/engine/intervals/interval-table.ts', import.meta.url);

/** Errors over scale: model, then family, then row of the table. */
const ratios = new Map<string, Record<Family, number[][]>>();
for (const { id } of baseModels.filter((model) => !isNeural(model.id))) {
  ratios.set(
    id,
    Object.fromEntries(families.map((f) => [f, knots[f].map(() => [])])) as unknown as Record<Family, number[][]>,
  );
}

const seen = new Map<string, number>();
for (const row of options.data.flatMap(readRows)) {
  const count = seen.get(row.group) ?? 0;
  if (count >= most || !(seasonalScale(row) > 0)) continue;
  seen.set(row.group, count + 1);
  collect(row);
}
write();

function collect(row: Row): void {
  const series = prepareSeries(Float64Array.from(row.train), calendarPeriods(row));
  const family = familyOf(series);
  for (const [id, byFamily] of ratios) {
    const { point, forecasts, errors } = estimate(id, series, row.h, baseSettings);
    const scales = errorScales(series, point, forecasts, undefined, errors);
    row.test.forEach((actual, i) => {
      byFamily[family][nearestKnot(family, i + 1)]?.push(Math.abs(actual / series.unit - point[i]) / scales[i]);
    });
  }
}

/** The row of the table that a step belongs to; -1 beyond the last. */
function nearestKnot(family: Family, step: number): number {
  const steps = knots[family];
  if (step > steps[steps.length - 1]) return -1;
  let best = 0;
  steps.forEach((knot, k) => {
    if (Math.abs(knot - step) < Math.abs(steps[best] - step)) best = k;
  });
  return best;
}

function quantile(values: readonly number[], probability: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length + 1) * probability) - 1)] ?? 1;
}

function write(): void {
  const number = (value: number): number => Number(value.toPrecision(3));
  const main = ratios.get('ensemble')!;
  // Kinds that the data has none of stay as they were.
  const isFitted = (family: Family): boolean => main[family].every((values) => values.length >= fewestErrors);
  const table = families.map((family) => {
    const rows = main[family].map((values) => probabilities.map((p) => number(quantile(values, p))));
    return `  ${family}: ${JSON.stringify(isFitted(family) ? rows : widths[family])},`;
  });
  const factors = [...ratios]
    .filter(([id]) => id !== 'ensemble')
    .map(([id, byFamily]) => {
      const perFamily = families.map((family) => {
        if (!isFitted(family)) return [family, widthFactors[id]?.[family] ?? 1];
        const logs = byFamily[family].flatMap((values, row) =>
          [0.8, 0.95].map((p) => Math.log(quantile(values, p) / quantile(main[family][row], p))),
        );
        return [family, number(Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length))];
      });
      return `  '${id}': ${JSON.stringify(Object.fromEntries(perFamily))},`;
    });
  const source = readFileSync(target, 'utf8');
  const head = source.slice(0, source.indexOf('export const widths'));
  const middle = source.slice(source.indexOf('/** How much wider'), source.indexOf('export const widthFactors'));
  writeFileSync(
    target,
    `${head}export const widths: Readonly<Record<Family, readonly (readonly number[])[]>> = {\n${table.join('\n')}\n};\n${middle}` +
      `export const widthFactors: Readonly<Record<string, Readonly<Record<Family, number>> | undefined>> = {\n${factors.join('\n')}\n};\n`,
  );
}

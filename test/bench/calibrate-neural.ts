/**
 * Fits the table of spreads of the neural model, `src/engine/neural/spread-table.ts`, on files of series: by how much its
 * central intervals must be widened to hold the share of the test points that they say.
 *
 *     npm run bench:calibrate-neural -- --data FILE.json.gz [--data FILE.json.gz …] [--most SERIES_PER_GROUP]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { familyOf, type Family } from '../../src/engine/ensemble/ensemble.ts';
import { baseModel } from '../../src/engine/neural/model.ts';
import { spreadProbabilities, spreads } from '../../src/engine/neural/spread-table.ts';
import { prepareSeries } from '../../src/engine/prepare/series.ts';
import { calendarPeriods, readRows, seasonalScale, type Row } from './competition.ts';

const { values: options } = parseArgs({
  options: { data: { type: 'string', multiple: true, default: [] }, most: { type: 'string', default: '600' } },
});
const target = new URL('../../src/engine/neural/spread-table.ts', import.meta.url);
const families = Object.keys(spreads) as Family[];

/** Deviation from the median over the half width on that side: by family, then by probability. */
const ratios = Object.fromEntries(
  families.map((family) => [family, spreadProbabilities.map(() => [])]),
) as unknown as Record<Family, number[][]>;
const seen = new Map<string, number>();
for (const row of options.data.flatMap(readRows)) {
  const count = seen.get(row.group) ?? 0;
  if (count >= Number(options.most) || !(seasonalScale(row) > 0)) continue;
  seen.set(row.group, count + 1);
  collect(row);
}

// What is fitted comes on top of the factors that the forecasts had.
const lines = families.map((family) => {
  const factors = ratios[family].map((values, k) => {
    const sorted = values.toSorted((a, b) => a - b);
    const needed = sorted[Math.floor(sorted.length * spreadProbabilities[k])] ?? 1;
    return Number((spreads[family][k] * needed).toPrecision(3));
  });
  return `  ${family}: [${factors.join(', ')}],`;
});
const source = readFileSync(target, 'utf8');
const start = source.indexOf('export const spreads:');
const head = source.slice(0, source.indexOf('{', start) + 1);
writeFileSync(target, `${head}\n${lines.join('\n')}\n};\n`);

function collect(row: Row): void {
  const series = prepareSeries(Float64Array.from(row.train), calendarPeriods(row));
  const { point, quantile } = baseModel().forecast(series, row.h);
  row.test.forEach((actual, i) => {
    const deviation = actual / series.unit - point[i];
    spreadProbabilities.forEach((probability, k) => {
      const level = 0.5 + (Math.sign(deviation) * probability) / 2;
      const half = Math.abs(quantile(level, i) - point[i]);
      ratios[familyOf(series)][k].push(Math.abs(deviation) / Math.max(half, 1e-12));
    });
  });
}

/**
 * What fine-tuning on a panel gains: trains on the training part of a group's series and scores on their test part.
 *
 *     npm run --silent bench:finetune -- --data FILE.json.gz --group tourism_monthly [--model neural] [--epochs N]
 *         [--context N] [--series N] [--json]
 */
import { parseArgs } from 'node:util';
import { forecast } from '../../src/engine/forecast.ts';
import { tuneNeural } from '../../src/engine/neural/tune.ts';
import type { TunedParameters } from '../../src/engine/tune.ts';
import { calendarPeriods, meanAbsoluteError, readRows, seasonalScale, type Row } from './competition.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    group: { type: 'string' },
    model: { type: 'string', default: 'neural' },
    epochs: { type: 'string' },
    context: { type: 'string' },
    series: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const { data, group, model } = options;
if (data === undefined || group === undefined || (model !== 'neural' && model !== 'hybrid')) {
  console.error(
    'Usage: npm run --silent bench:finetune -- --data FILE.json.gz --group GROUP [--model neural|hybrid] [--epochs N] [--context N] [--series N] [--json]',
  );
  process.exit(2);
}
const number = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));
const context = number(options.context);
const rows = readRows(data)
  .filter((row) => row.group === group && seasonalScale(row) > 0)
  .slice(0, number(options.series));
if (rows.length === 0) {
  console.error(`${data} has no usable series of the group ${group}.`);
  process.exit(2);
}

const panel = rows.map((row) => ({ values: Float64Array.from(row.train), periods: calendarPeriods(row) }));
const started = process.cpuUsage();
const tuning = tuneNeural(model, panel, {
  horizon: rows[0].h,
  contextLength: context,
  maxEpochs: number(options.epochs),
});
const { user, system } = process.cpuUsage(started);
const result = {
  group,
  n: rows.length,
  mase: { zeroShot: scoreWith(undefined), fineTuned: scoreWith(tuning.parameters) },
  epochs: tuning.epochs,
  cpuSeconds: (user + system) / 1e6,
};

if (options.json) console.log(JSON.stringify(result));
else {
  const { mase, epochs, cpuSeconds } = result;
  for (const { epoch, loss, validation } of tuning.record) {
    console.log(`epoch ${epoch}: loss ${loss?.toFixed(4) ?? '-'}, hold-out MASE ${validation.toFixed(4)}`);
  }
  const gain = (100 * (1 - mase.fineTuned / mase.zeroShot)).toFixed(1);
  console.log(
    `${group}, ${rows.length} series: MASE ${mase.zeroShot.toFixed(4)} zero-shot, ${mase.fineTuned.toFixed(4)} fine-tuned (${gain} % better) ` +
      `after ${epochs} epochs of ${tuning.windows} windows; ${cpuSeconds.toFixed(1)} s of processor time`,
  );
}

function scoreWith(tuned: TunedParameters | undefined): number {
  return rows.reduce((sum, row) => sum + maseOf(row, tuned), 0) / rows.length;
}

function maseOf(row: Row, tuned: TunedParameters | undefined): number {
  const values = Float64Array.from(row.train).slice(context === undefined ? 0 : -context);
  const input = { values, periods: calendarPeriods(row), horizon: row.h, levels: [] };
  return meanAbsoluteError(row.test, forecast(model, input, tuned).point) / seasonalScale(row);
}

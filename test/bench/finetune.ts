/**
 * What fine-tuning on a dataset gains: trains on the training part of a group's series and scores on their test part.
 *
 *     npm run --silent bench:finetune -- --data FILE.json.gz --group tourism_monthly [--model hybrid] [--epochs N]
 *         [--context N] [--series N] [--ceiling] [--json]
 *
 * With --ceiling also what could be gained at most: the net is trained on the test part of every other series, as no
 * fine-tuning ever is, and scored on the test part of the rest; and so the other way round. The epoch that scores best
 * counts.
 */
import { forecast } from '../../src/engine/forecast.ts';
import { Adam, trainEpoch, trainingWindow } from '../../src/engine/neural/training.ts';
import { baseModel, describeSteps, NeuralModel } from '../../src/engine/neural/model.ts';
import { Network } from '../../src/engine/neural/network.ts';
import { Random } from '../../src/engine/random.ts';
import { isNeural } from '../../src/engine/models.ts';
import { tuneNeural, windowsPerEpoch } from '../../src/engine/tuning/neural.ts';
import { prepareSeries } from '../../src/engine/prepare/series.ts';
import type { TunedParameters } from '../../src/engine/types.ts';
import { numberOf, readArguments, wrongUse } from './arguments.ts';
import { calendarPeriods, meanAbsoluteError, readRows, seasonalScale, type Row } from './competition.ts';

/** Means over the series; coverages as shares. */
interface Scores {
  readonly mase: number;
  readonly coverage80: number;
  readonly coverage95: number;
}

const { values: options } = readArguments({
  options: {
    data: { type: 'string' },
    group: { type: 'string' },
    model: { type: 'string', default: 'hybrid' },
    epochs: { type: 'string' },
    context: { type: 'string' },
    series: { type: 'string' },
    ceiling: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const { data, group, model } = options;
if (data === undefined || group === undefined || !isNeural(model))
  wrongUse(
    'Usage: npm run --silent bench:finetune -- --data FILE.json.gz --group GROUP [--model hybrid] [--epochs N] [--context N] [--series N] [--ceiling] [--json]',
  );
const number = (name: 'context' | 'series' | 'epochs'): number | undefined =>
  options[name] === undefined ? undefined : numberOf(options[name], `--${name}`);
const context = number('context');
const rows = readRows(data)
  .filter((row) => row.group === group && seasonalScale(row) > 0)
  .slice(0, number('series'));
if (rows.length === 0) wrongUse(`${data} has no usable series of the group ${group}.`);

const dataset = rows.map((row) => ({ values: Float64Array.from(row.train), periods: calendarPeriods(row) }));
const started = process.cpuUsage();
const tuning = tuneNeural(dataset, {
  horizon: rows[0].h,
  contextLength: context,
  maxEpochs: number('epochs'),
});
const { user, system } = process.cpuUsage(started);
const result = {
  group,
  n: rows.length,
  zeroShot: scoreWith(undefined),
  fineTuned: scoreWith(tuning.parameters),
  epochs: tuning.epochs,
  cpuSeconds: (user + system) / 1e6,
  ...(options.ceiling ? { ceiling: ceiling() } : {}),
};

if (options.json) console.log(JSON.stringify(result));
else {
  const { zeroShot, fineTuned, epochs, cpuSeconds } = result;
  for (const { epoch, loss, validation } of tuning.record) {
    console.log(`epoch ${epoch}: loss ${loss?.toFixed(4) ?? '-'}, hold-out MASE ${validation.toFixed(4)}`);
  }
  const gain = (100 * (1 - fineTuned.mase / zeroShot.mase)).toFixed(1);
  const share = (one: Scores): string => `${one.coverage80.toFixed(3)} and ${one.coverage95.toFixed(3)}`;
  console.log(
    `${group}, ${rows.length} series: MASE ${zeroShot.mase.toFixed(4)} zero-shot, ${fineTuned.mase.toFixed(4)} fine-tuned (${gain} % better) ` +
      `after ${epochs} epochs of ${tuning.windows} windows; ${cpuSeconds.toFixed(1)} s of processor time`,
  );
  console.log(`inside the 80 and 95 % intervals ${share(zeroShot)}, fine-tuned ${share(fineTuned)}`);
  if (result.ceiling) {
    const { zeroShot, trained } = result.ceiling;
    const most = (100 * (1 - trained / zeroShot)).toFixed(1);
    console.log(`trained on the test parts of other series: ${trained.toFixed(4)} (${most} % better)`);
  }
}

function scoreWith(tuned: TunedParameters | undefined): Scores {
  const scores = rows.map((row) => scoresOf(row, tuned));
  const meanOf = (name: keyof Scores): number => scores.reduce((sum, one) => sum + one[name], 0) / rows.length;
  return { mase: meanOf('mase'), coverage80: meanOf('coverage80'), coverage95: meanOf('coverage95') };
}

function scoresOf(row: Row, tuned: TunedParameters | undefined): Scores {
  const values = Float64Array.from(row.train).slice(context === undefined ? 0 : -context);
  const input = { values, periods: calendarPeriods(row), horizon: row.h, levels: [0.025, 0.1, 0.9, 0.975] };
  const { point, quantiles } = forecast(model as string, input, tuned);
  const inside = (low: number, high: number): number =>
    row.test.filter((value, i) => value >= quantiles[low][i] && value <= quantiles[high][i]).length / row.test.length;
  return {
    mase: meanAbsoluteError(row.test, point) / seasonalScale(row),
    coverage80: inside(1, 2),
    coverage95: inside(0, 3),
  };
}

/** The mean MASE of the net before and after it has learned from what came after the other half of the series. */
function ceiling(): { zeroShot: number; trained: number } {
  const base = baseModel();
  const { shape, parameters } = base.weights;
  const model = new NeuralModel(base.weights);
  const tests = rows.map((row) => {
    const series = prepareSeries(
      Float64Array.from(row.train).slice(context === undefined ? 0 : -context),
      calendarPeriods(row),
    );
    return {
      series,
      window: describeSteps(series, row.h),
      future: Float64Array.from(row.test, (value) => value / series.unit),
      scale: seasonalScale(row) / Math.abs(series.unit),
    };
  });
  const sumOf = (part: typeof tests): number =>
    part.reduce((sum, { window, future, scale }) => sum + meanAbsoluteError(future, model.point(window)) / scale, 0);
  const [batch, steps, epochs] = [256, 6, 6];
  let zeroShot = 0;
  let trained = 0;
  for (const half of [0, 1]) {
    const [seen, kept] = [0, 1].map((which) => tests.filter((_, i) => (i % 2 === half) === (which === 0)));
    const random = new Random(1);
    const set = Array.from({ length: windowsPerEpoch }, (_, i) => {
      const { series, future } = seen[i % seen.length];
      const ahead = Int32Array.from({ length: steps }, () => 1 + random.below(future.length));
      return trainingWindow(series, series.values.length, ahead, future);
    });
    const network = new Network(shape, batch, steps, { trainable: true });
    network.parameters.set(parameters);
    const adam = new Adam(network.parameters, network.gradients);
    model.use(parameters);
    let best = sumOf(kept);
    zeroShot += best;
    for (let epoch = 0; epoch < epochs; epoch++) {
      trainEpoch(network, adam, set, random, () => ({ rate: 5e-4, decay: 1e-3, blend: 0.02 }));
      model.use(adam.average);
      best = Math.min(best, sumOf(kept));
    }
    trained += best;
  }
  return { zeroShot: zeroShot / rows.length, trained: trained / rows.length };
}

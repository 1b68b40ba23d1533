import assert from 'node:assert/strict';
import { forecast } from '../../../../src/engine/forecast.ts';
import { baseModel, NeuralModel } from '../../../../src/engine/neural/model.ts';
import { decodeWeights, encodeWeights } from '../../../../src/engine/neural/weights.ts';
import { Random } from '../../../../src/engine/random.ts';
import { holdOuts, scorer, type TrainingSeries } from '../../../../src/engine/tuning/hold-outs.ts';
import { baseSettings, type TunedParameters } from '../../../../src/engine/types.ts';

const horizon = 12;
const random = new Random(5);
const series = (length: number, periods: readonly number[], at: (i: number) => number): TrainingSeries => ({
  values: Float64Array.from({ length }, (_, i) => at(i)),
  periods,
});
const kinds: Readonly<Record<string, TrainingSeries>> = {
  growth: series(60, [], (i) => 50 + 2 * i + 5 * random.normal()),
  season: series(84, [12], (i) => 100 + 20 * Math.sin((2 * Math.PI * i) / 12) + 4 * random.normal()),
  negative: series(60, [], (i) => -300 - i + 9 * random.normal()),
  hours: series(500, [24, 168], (i) => 100 + 30 * Math.sin((2 * Math.PI * i) / 24) + 8 * random.normal()),
  minutes: series(900, [288], (i) => 50 + 20 * Math.sin((2 * Math.PI * i) / 288) + 9 * random.normal()),
  counts: series(80, [], () => (random.uniform() < 0.7 ? 0 : 1 + random.below(3))),
  plateaus: series(120, [], (i) => 10 * Math.floor(i / 15) + (i % 40 === 0 ? 3 : 0)),
};
const { weights } = baseModel();
/** Weights as a training might leave them. */
const moved = weights.parameters.map((value, i) => value * (1 + 0.2 * Math.sin(i)));
/** As they are stored, in half precision. */
const encoded = encodeWeights(weights, moved);
const parameters: TunedParameters = {
  version: 2,
  settings: { ...baseSettings, restraint: 0 },
  weights: encoded,
};

/** The MASE of the forecast that a person would get. */
function maseOf(model: string, { values, periods }: TrainingSeries, tuned: TunedParameters | undefined): number {
  const cut = values.length - horizon;
  const { point } = forecast(model, { values: values.slice(0, cut), periods, horizon, levels: [] }, tuned);
  const [{ scale, series }] = holdOuts([{ values, periods }], horizon);
  const error = point.reduce((sum, value, i) => sum + Math.abs(value - values[cut + i]), 0) / horizon;
  return error / scale / Math.abs(series.unit);
}

describe('scorer', () => {
  it('scores holdouts as the model forecasts, before and after training', () => {
    for (const [kind, one] of Object.entries(kinds)) {
      const score = scorer(holdOuts([one], horizon), horizon);
      const net = new NeuralModel(weights);
      const close = (score: number, said: string, tuned: TunedParameters | undefined): void => {
        const expected = maseOf('hybrid', one, tuned);
        assert.ok(Math.abs(score - expected) <= 1e-3 * expected, `${kind}, ${said}: ${score} is not ${expected}`);
      };
      close(score(net, 1)[0], 'before', undefined);
      net.use(decodeWeights(encoded).parameters);
      close(score(net, 0)[0], 'after', parameters);
    }
  });
});

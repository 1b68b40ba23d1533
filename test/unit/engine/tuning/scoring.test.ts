import assert from 'node:assert/strict';
import { forecast } from '../../../../src/engine/forecast.ts';
import type { NeuralModelId } from '../../../../src/engine/models.ts';
import { baseModel, NeuralModel, toBase64 } from '../../../../src/engine/neural/model.ts';
import { Random } from '../../../../src/engine/random.ts';
import { encodeWeights } from '../../../../src/engine/neural/weights.ts';
import { baseSettings } from '../../../../src/engine/settings.ts';
import { scorer } from '../../../../src/engine/tuning/scoring.ts';
import { holdOuts, type TrainingSeries } from '../../../../src/engine/tuning/training-series.ts';
import type { TunedParameters } from '../../../../src/engine/tuning/tuned.ts';

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
const parameters = (netOdds?: number): TunedParameters => ({
  version: 1,
  settings: baseSettings,
  weights: toBase64(encodeWeights(weights, moved)),
  ...(netOdds === undefined ? {} : { netOdds }),
});

/** The MASE of the forecast that a person would get. */
function maseOf(model: string, { values, periods }: TrainingSeries, tuned: TunedParameters | undefined): number {
  const cut = values.length - horizon;
  const { point } = forecast(model, { values: values.slice(0, cut), periods, horizon, levels: [] }, tuned);
  const [{ scale, series }] = holdOuts([{ values, periods }], horizon);
  const error = point.reduce((sum, value, i) => sum + Math.abs(value - values[cut + i]), 0) / horizon;
  return error / scale / Math.abs(series.unit);
}

describe('scorer', () => {
  for (const modelId of ['hybrid', 'neural'] satisfies NeuralModelId[]) {
    it(`scores ${modelId} on what it held back as it will forecast, before and after training, by every share`, () => {
      for (const [kind, one] of Object.entries(kinds)) {
        const score = scorer(modelId, holdOuts([one], horizon), horizon);
        const net = new NeuralModel(weights);
        const [[before]] = score(net, [{ trained: false, netOdds: 1 }]);
        const close = (score: number, said: string, tuned: TunedParameters | undefined): void => {
          const expected = maseOf(modelId, one, tuned);
          assert.ok(Math.abs(score - expected) < 1e-3 * expected, `${kind}, ${said}: ${score} is not ${expected}`);
        };
        close(before, 'before', undefined);
        net.use(moved);
        const odds = [1, 4];
        const scores = score(
          net,
          odds.map((netOdds) => ({ trained: true, netOdds })),
        );
        odds.forEach((netOdds, k) => {
          close(scores[k][0], `odds ${netOdds}`, parameters(netOdds));
        });
      }
    });
  }
});

describe('the share of a tuned net in the hybrid', () => {
  const question = { ...kinds.season, horizon, levels: [0.1, 0.9] };

  it('is the usual one in models of former versions, which do not say it', () => {
    assert.deepEqual(forecast('hybrid', question, parameters()), forecast('hybrid', question, parameters(1)));
  });

  it('goes from the ensemble alone to the net alone as its odds rise', () => {
    const [ensemble, net] = [forecast('ensemble', question), forecast('neural', question, parameters())];
    const apart = (netOdds: number, from: Float64Array): number =>
      forecast('hybrid', question, parameters(netOdds)).point.reduce(
        (sum, value, i) => sum + Math.abs(value - from[i]),
        0,
      );
    assert.ok(apart(1e-9, ensemble.point) < 1e-4 * apart(1e-9, net.point));
    assert.ok(apart(1e9, net.point) < 1e-4 * apart(1e9, ensemble.point));
    assert.ok(apart(4, net.point) < 0.7 * apart(1, net.point));
  });
});

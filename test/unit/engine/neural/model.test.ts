import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { forecast } from '../../../../src/engine/forecast.ts';
import { baseWeights } from '../../../../src/engine/neural/base-weights.ts';
import { candidateCount } from '../../../../src/engine/bank.ts';
import { describeWindow, stepFeatureCount, windowFeatureCount } from '../../../../src/engine/neural/features.ts';
import { baseModel } from '../../../../src/engine/neural/model.ts';
import { netsOf, Network } from '../../../../src/engine/neural/network.ts';
import { Random } from '../../../bench/training/random.ts';
import { prepareSeries, Series } from '../../../../src/engine/prepare/series.ts';
import { baseSettings } from '../../../../src/engine/types.ts';
import { baseShape, initialize, pretrain, type Checkpoint } from '../../../bench/training/pretrain.ts';
import { syntheticSeries } from '../../../bench/training/synthetic.ts';

const levels = [0.01, 0.1, 0.5, 0.9, 0.99];
const monthly = Float64Array.from({ length: 96 }, (_, i) => 100 + i + 20 * Math.sin((2 * Math.PI * i) / 12) + (i % 5));
const question = { values: monthly, periods: [12], horizon: 18, levels };

describe('neural base model', () => {
  it('has weights of at most 0.4 MB of text, in the current shape, and a card with their hash', () => {
    assert.ok(baseWeights.length < 400_000);
    assert.deepEqual(baseModel().weights.shape, baseShape);
    const card = readFileSync(new URL('../../../../media/models/neural.md', import.meta.url), 'utf8');
    assert.ok(card.includes(baseModel().weights.hash));
  });

  it('is the mean of nets that were trained apart', () => {
    const one = { ...baseShape, nets: 1 };
    const random = new Random(2);
    const windows = Float32Array.from({ length: one.windowFeatures }, () => random.normal());
    const outputsOf = (network: Network, parameters: Float32Array): Float32Array => {
      network.parameters.set(parameters);
      network.windows.set(windows);
      network.forward(1, 1);
      return network.outputs.slice();
    };
    const nets = [1, 2].map((seed) => {
      const net = new Network(one, 1, 1);
      initialize(net, new Random(seed));
      return net.parameters.slice();
    });
    const [first, second] = nets.map((parameters) => outputsOf(new Network(one, 1, 1), parameters));
    const both = Float32Array.from(nets.flatMap((net) => [...net]));
    outputsOf(new Network(baseShape, 1, 1), both).forEach((value, i) => {
      assert.ok(Math.abs(value - (first[i] + second[i]) / 2) < 1e-6);
    });
    assert.deepEqual(netsOf(baseShape, both), nets);
  });

  // Other features or candidates make stored fine-tuned weights worthless: then raise the version of the format in weights.ts.
  it('extracts the same features as in training', () => {
    const values = Float64Array.from({ length: 72 }, (_, i) => {
      return 100 + i + 15 * Math.sin((2 * Math.PI * i) / 12) + 5 * Math.cos(i * i);
    });
    const { window, steps } = describeWindow(prepareSeries(values, [12]), Int32Array.of(1, 5, 18));
    const sum = (row: Float32Array) => row.reduce((total, value, i) => total + value * Math.cos(i), 0);
    assert.ok(Math.abs(sum(window) - -2.587606) < 2e-3, String(sum(window)));
    assert.ok(Math.abs(sum(steps) - 12.059541) < 2e-3, String(sum(steps)));
  });

  it('forecasts far beyond the steps of its training', () => {
    const { point, quantiles } = forecast('hybrid', { ...question, horizon: 400 });
    assert.ok([point, ...quantiles].every((row) => row.length === 400 && row.every(Number.isFinite)));
  });

  it('repeats a perfect season', () => {
    for (const period of [4, 12, 24]) {
      const values = Float64Array.from({ length: 8 * period }, (_, i) => 50 + 9 * Math.sin((2 * Math.PI * i) / period));
      const { point } = forecast('hybrid', { values, periods: [period], horizon: period, levels: [] });
      point.forEach((value, i) => {
        assert.ok(Math.abs(value - values[i]) < 1.5, `period ${period}, step ${i}: ${value} for ${values[i]}`);
      });
    }
  });

  it('refuses trained weights of an older format', () => {
    const weights = baseWeights.replace('"version":5', '"version":4');
    const tuned = { version: 2, settings: baseSettings, weights } as const;
    assert.throws(
      () => forecast('hybrid', question, tuned),
      (error: Error) => error instanceof RangeError && /older format/.test(error.message),
    );
  });

  it('draws reproducible sample paths with quantiles near the exact ones', () => {
    const exact = forecast('hybrid', question);
    const sampled = forecast('hybrid', { ...question, samples: 2000 });
    assert.deepEqual(sampled, forecast('hybrid', { ...question, samples: 2000 }));
    const width = (row: readonly Float64Array[], i: number) => row[3][i] - row[1][i];
    for (let i = 0; i < 18; i++) {
      assert.ok(Math.abs(width(sampled.quantiles, i) / width(exact.quantiles, i) - 1) < 0.15);
    }
    assert.throws(() => forecast('hybrid', { ...question, samples: 0 }), RangeError);
  });

  it('trains to the same weights with the same seed', () => {
    const options = { seed: 5, series: 1, chunk: 600 };
    const first = pretrain(options);
    assert.deepEqual(pretrain(options), first);
    assert.notDeepEqual(pretrain({ ...options, seed: 6 }), first);
  }).timeout(60_000);

  it('resumes training to the same weights', () => {
    const options = { seed: 5, series: 512, chunk: 256 };
    const checkpoints: Checkpoint[] = [];
    const whole = pretrain({
      ...options,
      onChunk: ({ checkpoint }) => checkpoints.push(structuredClone(checkpoint)),
    });
    assert.deepEqual(
      checkpoints.map(({ chunks }) => chunks),
      [1, 2],
    );
    assert.deepEqual(pretrain({ ...options, resume: checkpoints[0] }), whole);
  }).timeout(60_000);

  it('gives whole quantiles for small counts, and zeros if most values are zero', () => {
    const rare = Float64Array.from({ length: 120 }, (_, i) => (i % 13 === 5 ? 1 + (i % 2) : 0));
    const { point, quantiles } = forecast('hybrid', { values: rare, periods: [12], horizon: 12, levels });
    assert.ok(
      point.every((value) => value === 0),
      String(point),
    );
    assert.ok(quantiles.every((row) => row.every((value) => Number.isInteger(value) && value >= 0)));
    const inHalves = { values: rare.map((value) => value / 2), periods: [12], horizon: 3, levels: [0.5, 0.95] };
    const halves = forecast('hybrid', inHalves);
    assert.ok(halves.quantiles.some((row) => row.some((value) => !Number.isInteger(value))));
  });
});

describe('features', () => {
  it('are finite and in the expected range for any synthetic series', () => {
    const random = new Random(2);
    for (let i = 0; i < 150; i++) {
      const { values, history, periods } = syntheticSeries(random);
      const series = prepareSeries(values.slice(0, history), periods);
      const { window, steps, candidates, scale } = describeWindow(series, Int32Array.of(1, 9));
      assert.equal(window.length, windowFeatureCount);
      assert.equal(steps.length, 2 * stepFeatureCount);
      assert.equal(candidates.length, 2 * candidateCount);
      assert.ok(scale > 0 && [...window, ...steps, ...candidates].every(Number.isFinite));
    }
  });

  it('of a window depend only on its points', () => {
    const whole = prepareSeries(monthly, []);
    const cut = prepareSeries(monthly.slice(0, 70), []);
    const ahead = Int32Array.of(1, 5);
    assert.equal(whole.unit, cut.unit);
    assert.deepEqual(
      describeWindow(
        new Series({ ...whole, candidates: [], seasons: { list: [], adjusted: whole.values } }),
        ahead,
        70,
      ),
      describeWindow(new Series({ ...cut, candidates: [], seasons: { list: [], adjusted: cut.values } }), ahead),
    );
  });
});

import assert from 'node:assert/strict';
import { UnusableDatasetError } from '../../../../src/engine/types.ts';
import { forecast } from '../../../../src/engine/forecast.ts';
import { Random } from '../../../../src/engine/random.ts';
import { evidenceOf, nearlyBest, holdOuts, originsOf } from '../../../../src/engine/tuning/hold-outs.ts';
import { tuneNeural } from '../../../../src/engine/tuning/neural.ts';

/** Series that share what no single one of them tells: every step up is followed by one down of half its size. */
function datasetOf(count: number, length = 60) {
  const random = new Random(4);
  return Array.from({ length: count }, () => {
    const values = new Float64Array(length);
    let step = 0;
    for (let i = 0; i < length; i++) {
      step = -0.5 * step + 5 * random.normal();
      values[i] = (i > 0 ? values[i - 1] : 200) + step + 3 * Math.sin((2 * Math.PI * i) / 7);
    }
    return { values, periods: [] };
  });
}

/** Series that grow faster and faster, which the base model does not believe. */
function accelerating(count: number, first: number) {
  return Array.from({ length: count }, (_, k) => ({
    values: Float64Array.from({ length: 60 }, (_value, i) => (first + 5 + k + i) ** 5),
    periods: [],
  }));
}

describe('tuneNeural', () => {
  it('is never worse than the base on its holdouts, and reports each epoch', () => {
    const seen: number[] = [];
    const tuning = tuneNeural(datasetOf(12), {
      horizon: 6,
      maxEpochs: 3,
      onProgress: ({ fraction }) => seen.push(fraction),
    });
    assert.ok(tuning.mase <= tuning.baseMase);
    assert.equal(tuning.series, 12);
    assert.deepEqual(
      tuning.record.map(({ epoch }) => epoch),
      [0, 1, 2, 3],
    );
    if (tuning.epochs === 0) assert.equal(tuning.record[0].validation, tuning.mase);
    assert.equal(tuning.parameters.weights !== undefined, tuning.epochs > 0);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
    assert.ok(Math.abs(seen[seen.length - 1] - 1) < 0.51);
    assert.deepEqual(JSON.parse(JSON.stringify(tuning.parameters)), {
      ...tuning.parameters,
      settings: JSON.parse(JSON.stringify(tuning.parameters.settings)) as unknown,
    });
  });

  it('is reproducible', () => {
    const [first, second] = [1, 2].map(() => tuneNeural(accelerating(3, 0), { horizon: 2, maxEpochs: 1 }));
    assert.ok(first.windows > 0);
    assert.deepEqual(first, second);
  });

  it('fits what the series of a dataset have in common', () => {
    const [dataset, others] = [accelerating(12, 0), accelerating(3, 40)];
    const first = tuneNeural(dataset, { horizon: 6, maxEpochs: 4 });
    assert.ok(first.epochs > 0);
    assert.ok(first.mase < 0.7 * first.baseMase, `${first.mase} of ${first.baseMase}`);
    assert.ok(first.record[4].loss! < first.record[1].loss!);
    for (const { values, periods } of others) {
      const question = { values: values.slice(0, -6), periods, horizon: 6, levels: [] };
      const errorOf = (point: Float64Array) =>
        point.reduce((sum, value, i) => sum + Math.abs(value - values[values.length - 6 + i]), 0);
      const [base, tuned] = [undefined, first.parameters].map((one) =>
        errorOf(forecast('hybrid', question, one).point),
      );
      assert.ok(tuned < 0.9 * base, `${tuned} of ${base}`);
    }
  });

  it('shrinks a gain at a single time', () => {
    const short = accelerating(12, 0).map(({ values, periods }) => ({ values: values.slice(-18), periods }));
    assert.equal(originsOf(short, 6), 1);
    const { epochs, mase, baseMase } = tuneNeural(short, { horizon: 6, maxEpochs: 3 });
    assert.ok(epochs === 0 ? mase === baseMase : mase < baseMase, `${mase} of ${baseMase}`);
  });

  it('takes the most epochs among nearly equal results', () => {
    const choice = (epoch: number, validation: number) => {
      return { epoch, validation, share: 1, learned: new Float32Array(1) };
    };
    // The best gains 0.5 of 2, so that what gains 0.4 is as good.
    const near = nearlyBest([choice(1, 1.5), choice(2, 1.59), choice(3, 1.61), choice(4, 1.7)], 2);
    assert.deepEqual(
      near.map(({ epoch }) => epoch),
      [1, 2],
    );
  });

  it('continues from a trained model', () => {
    const first = tuneNeural(accelerating(12, 0), { horizon: 6, maxEpochs: 1 });
    assert.ok(first.parameters.weights !== undefined);
    const again = tuneNeural(accelerating(12, 0), { horizon: 6, maxEpochs: 0, start: first.parameters });
    assert.deepEqual(again.parameters, first.parameters);
    assert.ok(again.baseMase < first.baseMase);
  });

  it('is not prevented by one wild series', () => {
    const dataset = accelerating(12, 0);
    const wild = Float64Array.from({ length: 60 }, (_, i) => (i < 54 ? 100 + 1e-6 * (i % 2) : 1000 * i));
    const alone = tuneNeural(dataset, { horizon: 6, maxEpochs: 0 });
    const among = tuneNeural([...dataset, { values: wild, periods: [] }], { horizon: 6, maxEpochs: 2 });
    assert.ok(among.epochs > 0);
    assert.ok(among.baseMase < 3 * alone.baseMase, String(among.baseMase));
  });

  it('uses two holdouts for long series, and shrinks a gain at only one of them', () => {
    assert.equal(originsOf(datasetOf(10), 6), 2);
    assert.equal(originsOf(datasetOf(10, 20), 6), 1);
    assert.equal(holdOuts(datasetOf(1), 6, Infinity, 1)[0].whole.values.length, 48);
    const random = new Random(12);
    const base = Float64Array.from({ length: 60 }, () => 1 + 0.2 * random.normal());
    const times = Array.from({ length: 60 }, (_, i) => i % 2);
    const less = (gains: readonly number[]) => base.map((score, i) => score - gains[i % 2] + 0.05 * random.normal());
    assert.ok(evidenceOf(less([0.1, 0.1]), base, times) > 2);
    assert.ok(evidenceOf(less([0.3, -0.1]), base, times) < 1);
  });

  it('stops when more epochs bring nothing', () => {
    const random = new Random(9);
    const noise = () => Float64Array.from({ length: 30 }, () => 100 + 10 * random.normal());
    const dataset = [1, 2, 3].map(() => ({ values: noise(), periods: [] }));
    const { record } = tuneNeural(dataset, { horizon: 6, maxEpochs: 100 });
    assert.ok(record.length > 10 && record.length < 60, String(record.length));
  });

  it('compares a short-context model with the full-context base', () => {
    const season = (length: number, i: number) => 100 + 20 * Math.sin((2 * Math.PI * i) / 12) + length;
    const dataset = [1, 2, 3].map((k) => ({
      values: Float64Array.from({ length: 72 }, (_, i) => season(k, i)),
      periods: [12],
    }));
    const { baseMase, mase, record } = tuneNeural(dataset, { horizon: 6, maxEpochs: 0, contextLength: 7 });
    assert.equal(mase, record[0].validation);
    assert.ok(mase > 1.5 * baseMase, `${mase} of ${baseMase}`);
  });

  it('returns the base for zero epochs', () => {
    const { parameters, epochs, mase, baseMase } = tuneNeural(datasetOf(4), { horizon: 6, maxEpochs: 0 });
    assert.equal(parameters.weights, undefined);
    assert.equal(epochs, 0);
    assert.equal(mase, baseMase);
  });

  it('explains why it cannot train on a dataset', () => {
    const constant = { values: new Float64Array(60).fill(3), periods: [] };
    const cases: [Parameters<typeof tuneNeural>[0], number | undefined, RegExp][] = [
      [datasetOf(3, 8), undefined, /^few_observations 6 /],
      [[constant], undefined, /^no_change /],
      [datasetOf(3), 5, /^short_context 5 /],
    ];
    for (const [dataset, contextLength, message] of cases) {
      assert.throws(
        () => tuneNeural(dataset, { horizon: 6, contextLength }),
        (error) => error instanceof UnusableDatasetError && message.test(error.message),
      );
    }
    assert.throws(() => tuneNeural(datasetOf(3), { horizon: 0 }), RangeError);
  });
});

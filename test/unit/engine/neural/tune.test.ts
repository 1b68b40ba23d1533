import assert from 'node:assert/strict';
import { forecast } from '../../../../src/engine/forecast.ts';
import { Random } from '../../../../src/engine/neural/random.ts';
import { PanelTooShortError, tuneNeural, TuningCancelledError } from '../../../../src/engine/neural/tune.ts';

/** Series that share what no single one of them tells: every step up is followed by one down of half its size. */
function panelOf(count: number, length = 60) {
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

describe('tuneNeural', () => {
  it('is never worse than the base on what it held out, and says how it went', () => {
    const seen: number[] = [];
    const tuning = tuneNeural('neural', panelOf(12), {
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
    assert.equal(tuning.record[tuning.epochs].validation, tuning.mase);
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

  it('gives the same weights each time, and other forecasts than the base', () => {
    const panel = panelOf(8);
    const [first, second] = [1, 2].map(() => tuneNeural('neural', panel, { horizon: 6, maxEpochs: 2 }));
    assert.deepEqual(first, second);
    if (first.epochs === 0) return;
    const question = { ...panel[0], horizon: 6, levels: [] };
    assert.notDeepEqual(forecast('neural', question, first.parameters), forecast('neural', question));
  });

  it('leaves the base as it is with no epochs', () => {
    const { parameters, epochs, mase, baseMase } = tuneNeural('hybrid', panelOf(4), { horizon: 6, maxEpochs: 0 });
    assert.equal(parameters.weights, undefined);
    assert.equal(epochs, 0);
    assert.equal(mase, baseMase);
  });

  it('refuses a panel that is too short, and stops when cancelled', () => {
    assert.throws(() => tuneNeural('neural', panelOf(3, 8), { horizon: 6 }), PanelTooShortError);
    assert.throws(() => tuneNeural('neural', panelOf(3), { horizon: 6, cancelled: () => true }), TuningCancelledError);
    assert.throws(() => tuneNeural('neural', panelOf(3), { horizon: 0 }), RangeError);
  });
});

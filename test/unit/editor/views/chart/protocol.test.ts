import assert from 'node:assert/strict';
import { ChartIntent, ChartRef, Plot } from '../../../../../src/editor/views/chart/protocol.ts';

const keeps = (intent: object) => {
  assert.deepEqual(ChartIntent.parse(intent), intent, JSON.stringify(intent));
};
const refuses = (...intents: readonly unknown[]) => {
  for (const intent of intents) assert.equal(ChartIntent.safeParse(intent).success, false, JSON.stringify(intent)?.slice(0, 200)); // prettier-ignore
};

describe('intents of the chart page', () => {
  it('accepts a valid change of a forecast, without unknown fields', () => {
    keeps({ type: 'change', change: { horizon: 12 } });
    keeps({ type: 'change', change: { model: 'theta', intervals: [50, 99.9], covariates: ['promo'] } });
    const change = { horizon: 3, series: ['of somebody else'] };
    assert.deepEqual(ChartIntent.parse({ type: 'change', change }), { type: 'change', change: { horizon: 3 } });
    const wrong = [undefined, 'more', { horizon: 0 }, { horizon: 1.5 }, { horizon: '12' }, { model: 7 }, { intervals: [] }, { intervals: [100] }, { intervals: Array(11).fill(50) }, { covariates: [1] }]; // prettier-ignore
    refuses(...wrong.map((one) => ({ type: 'change', change: one })));
  });

  it('accepts known analyses with a sensible threshold', () => {
    keeps({ type: 'analyze', analysis: 'anomalies', rarity: 100 });
    refuses({ type: 'analyze', analysis: 'inside' }, { type: 'analyze' });
    refuses(...[1, 1e9, NaN, '100'].map((rarity) => ({ type: 'analyze', analysis: 'anomalies', rarity })));
  });

  it('accepts a scenario of valid cells', () => {
    const cell = { column: 'promo', time: 0, value: 1 };
    keeps({ type: 'suppose', name: '', cells: [cell, { ...cell, value: null }, { ...cell, value: 'rain' }] });
    const wrong = [{ name: 'x', cells: [] }, { name: 'x'.repeat(101), cells: [cell] }, { cells: [cell] }, { name: 'x', cells: 'all' }, { name: 'x', cells: [cell, null] }, { name: 'x', cells: [{ ...cell, value: NaN }] }, { name: 'x', cells: [{ ...cell, time: '2024' }] }, { name: 'x', cells: [{ ...cell, column: 1 }] }, { name: 'x', cells: [{ ...cell, value: true }] }]; // prettier-ignore
    refuses(...wrong.map((one) => ({ type: 'suppose', ...one })));
  });

  it('accepts the steps of a comparison', () => {
    for (const what of ['open', 'close', 'save']) keeps({ type: 'compare', do: what, id: '' });
    for (const what of ['add-model', 'add-prediction', 'remove', 'main']) keeps({ type: 'compare', do: what, id: 'x' });
    refuses({ type: 'compare', do: 'burn', id: 'x' }, { type: 'compare' }, { type: 'compare', do: 'main', id: 7 });
  });

  it('accepts exports and lines, and refuses unknown intents', () => {
    for (const intent of [{ type: 'back' }, { type: 'test-columns' }, { type: 'copied' }, { type: 'action', id: 'retry' }, { type: 'export', kind: 'csv' }, { type: 'picture', kind: 'png', data: new Uint8Array([1, 2]) }, { type: 'lines', first: 3, last: 12 }]) keeps(intent); // prettier-ignore
    refuses({ type: 'export', kind: 'exe' }, { type: 'picture', kind: 'png', data: 'text' }, { type: 'action', id: 5 });
    refuses({ type: 'lines', first: 3 }, { type: 'lines', first: 0, last: 2 }, { type: 'lines', first: 1.5, last: 2 });
    refuses(undefined, null, 7, 'back', {}, { type: 'toString' }, { type: 'forward' }, { type: 7 });
  });

  it('restores the reference to a prediction or a series', () => {
    const ref = { predictionId: 'p1', serviceId: 'local', former: ['p0'] };
    assert.deepEqual(ChartRef.parse(ref), ref);
    for (const wrong of [{ ...ref, predictionId: 1 }, { ...ref, former: [7] }, undefined]) assert.equal(ChartRef.safeParse(wrong).success, false); // prettier-ignore
    const plot = { kind: 'stored', serviceId: 'local', seriesId: 's "1"', label: 'north' };
    assert.deepEqual(Plot.parse(plot), plot);
    for (const wrong of [{ kind: 'file' }, { ...plot, kind: 'forecast' }, {}]) assert.equal(Plot.safeParse(wrong).success, false); // prettier-ignore
  });
});

import assert from 'node:assert/strict';
import { MOST_NAME, readWorkMessage } from '../../../../../src/editor/views/analysis/protocol.ts';

const read = (message: Record<string, unknown>) => readWorkMessage(message);
const keeps = (message: Record<string, unknown>) => {
  assert.deepEqual(read(message), message, JSON.stringify(message));
};
const refuses = (...messages: Record<string, unknown>[]) => {
  for (const message of messages) assert.equal(read(message), undefined, JSON.stringify(message).slice(0, 200));
};

describe('what the page of a chart may ask for', () => {
  it('is a change of a forecast with what can be one', () => {
    keeps({ type: 'change', change: { horizon: 12 } });
    keeps({ type: 'change', change: { model: 'theta', bands: [50, 99.9], covariates: ['promo'] } });
    refuses(
      { type: 'change' },
      { type: 'change', change: 'more' },
      { type: 'change', change: { horizon: 0 } },
      { type: 'change', change: { horizon: 1.5 } },
      { type: 'change', change: { horizon: '12' } },
      { type: 'change', change: { model: 7 } },
      { type: 'change', change: { bands: [] } },
      { type: 'change', change: { bands: [100] } },
      { type: 'change', change: { bands: Array(11).fill(50) } },
      { type: 'change', change: { covariates: [1] } },
    );
  });

  it('has nothing else in a change than what is one', () => {
    const change = { horizon: 3, series: ['of somebody else'], model: undefined };
    assert.deepEqual(read({ type: 'change', change }), { type: 'change', change: { horizon: 3 } });
  });

  it('is a look at what there is, as rare as makes sense', () => {
    keeps({ type: 'look', look: 'odd', rarity: 100 });
    for (const rarity of [1, 1e9, NaN, '100']) assert.deepEqual(read({ type: 'look', look: 'odd', rarity }), { type: 'look', look: 'odd' }); // prettier-ignore
    refuses({ type: 'look', look: 'inside' }, { type: 'look' });
  });

  it('is to leave odd points out or to mark them', () => {
    keeps({ type: 'odd', do: 'leave-out' });
    keeps({ type: 'odd', do: 'mark' });
    refuses({ type: 'odd', do: 'delete' }, { type: 'odd' });
  });

  it('is another future, of cells that can be one', () => {
    const cell = { column: 'promo', time: 0, value: 1 };
    keeps({ type: 'suppose', name: '', cells: [cell, { ...cell, value: null }, { ...cell, value: 'rain' }] });
    refuses(
      { type: 'suppose', name: 'x', cells: [] },
      { type: 'suppose', name: 'x'.repeat(MOST_NAME + 1), cells: [cell] },
      { type: 'suppose', cells: [cell] },
      { type: 'suppose', name: 'x', cells: 'all' },
      { type: 'suppose', name: 'x', cells: [cell, null] },
      { type: 'suppose', name: 'x', cells: [{ ...cell, value: NaN }] },
      { type: 'suppose', name: 'x', cells: [{ ...cell, time: '2024' }] },
      { type: 'suppose', name: 'x', cells: [{ ...cell, column: 1 }] },
      { type: 'suppose', name: 'x', cells: [{ ...cell, value: true }] },
    );
  });

  it('is a comparison: opened, closed, saved, or with one of it', () => {
    for (const what of ['open', 'close', 'save']) keeps({ type: 'compare', do: what });
    for (const what of ['add-model', 'add-prediction', 'remove', 'main']) {
      keeps({ type: 'compare', do: what, id: 'x' });
      refuses({ type: 'compare', do: what }, { type: 'compare', do: what, id: 7 });
    }
    refuses({ type: 'compare', do: 'burn', id: 'x' }, { type: 'compare' });
  });

  it('is a step back or a test of columns, and nothing of another version', () => {
    keeps({ type: 'back' });
    keeps({ type: 'test-columns' });
    refuses({ type: 'forward' }, {}, { type: 7 });
  });
});

import assert from 'node:assert/strict';
import { boundsFigures } from '../../../src/chart/figures.ts';

describe('the bounds of a forecast in the head of its chart', () => {
  it('are said in a few words', () => {
    const said = (bounds: Parameters<typeof boundsFigures>[0]) => boundsFigures(bounds).map(({ text }) => text);
    assert.deepEqual(said({ floor: 0, capacity: 1200, not_negative: true }), ['between 0 and 1,200']);
    assert.deepEqual(said({ capacity: 'seats', whole: true, not_negative: true }), ['at most seats, not negative, whole numbers']); // prettier-ignore
    assert.deepEqual(said({ floor: -5 }), ['at least -5']);
    assert.deepEqual(said({ not_negative: false }), ['may be negative']);
    assert.deepEqual(said({}), []);
    assert.deepEqual(said(undefined), []);
  });
});

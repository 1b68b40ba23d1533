import assert from 'node:assert/strict';
import { parseDuration, seasonOf } from '../../../src/calendar/frequency.ts';

describe('season of the naive baseline', () => {
  it('is named if it is a year, week, day or hour', () => {
    assert.equal(seasonOf(parseDuration('P1M'), 12), 'year');
    assert.equal(seasonOf(parseDuration('P1D'), 7), 'week');
    assert.equal(seasonOf(parseDuration('PT1H'), 24), 'day');
    assert.equal(seasonOf(parseDuration('PT5M'), 12), 'hour');
  });

  it('is a number of steps otherwise, and one value without a season', () => {
    assert.deepEqual(seasonOf(parseDuration('P1D'), 10), { steps: 10 });
    assert.deepEqual(seasonOf(undefined, 12), { steps: 12 });
    assert.equal(seasonOf(parseDuration('P1D'), 1), 'value');
    assert.equal(seasonOf(parseDuration('P1D'), undefined), 'value');
  });
});

import assert from 'node:assert/strict';
import {
  defaultHorizon,
  seasonalPeriods,
  type Frequency,
  formatDuration,
  parseDuration,
} from '../../../src/calendar/frequency.ts';
import { describeFrequency, stepNoun } from '../../../src/calendar/format.ts';
import { BUSINESS_DAYS } from '../../../src/calendar/open-time.ts';

const parsed = (text: string): Frequency => {
  const frequency = parseDuration(text);
  assert.ok(frequency, text);
  return frequency;
};

describe('frequency', () => {
  it('writes and reads ISO 8601 durations in canonical form', () => {
    for (const text of [
      'P1M',
      'P2M',
      'P3M',
      'P6M',
      'P1Y',
      'P10Y',
      'P1W',
      'P2W',
      'P1D',
      'PT4H',
      'PT5M',
      'PT1S',
      'PT0.5S',
      'PT0.00025S',
      'PT0.0000001S',
    ]) {
      assert.equal(formatDuration(parsed(text)), text);
    }
    assert.deepEqual(parsed('P3M'), { unit: 'quarter', count: 1 });
    assert.deepEqual(parsed('PT60M'), { unit: 'hour', count: 1 });
    assert.deepEqual(parsed('P7D'), { unit: 'week', count: 1 });
    assert.deepEqual(parsed('P12M'), { unit: 'year', count: 1 });
    assert.deepEqual(parsed('PT1H30M'), { unit: 'minute', count: 90 });
  });

  it('reads codes and words of other tools', () => {
    const table: Record<string, string> = {
      H: 'PT1H', h: 'PT1H', D: 'P1D', W: 'P1W', 'W-SUN': 'P1W', M: 'P1M', MS: 'P1M', ME: 'P1M', QS: 'P3M', 'Q-DEC': 'P3M',
      A: 'P1Y', Y: 'P1Y', 'YE-DEC': 'P1Y', '5min': 'PT5M', T: 'PT1M', '15T': 'PT15M', '30 minutes': 'PT30M', S: 'PT1S',
      ms: 'PT0.001S', '500ms': 'PT0.5S', monthly: 'P1M', Hourly: 'PT1H', '2 weeks': 'P2W', day: 'P1D', '6 months': 'P6M',
    }; // prettier-ignore
    for (const [text, duration] of Object.entries(table)) assert.equal(formatDuration(parsed(text)), duration, text);
    assert.deepEqual(parsed('B'), { unit: 'day', count: 1, open: BUSINESS_DAYS });
    assert.deepEqual(parsed('M'), { unit: 'month', count: 1, anchor: 'end' });
    assert.deepEqual(parsed('MS'), { unit: 'month', count: 1 });
  });

  it('rejects other text', () => {
    for (const text of ['', 'P', 'PT', 'P0D', 'P1M2D', 'often', '0min', '-1D', '1.5M', 'x'.repeat(100)]) {
      assert.equal(parseDuration(text), undefined, text);
    }
  });

  it('describes frequencies and steps in words', () => {
    const words = (text: string) => describeFrequency(parsed(text));
    assert.deepEqual(['P1M', 'PT5M', 'B', 'PT30M', 'P3M', 'P1Y', 'P2W', 'P6M', 'PT1S'].map(words), [
      'monthly', 'every 5 minutes', 'business-daily', 'half-hourly', 'quarterly', 'yearly', 'every 2 weeks', 'half-yearly',
      'every second',
    ]); // prettier-ignore
    assert.equal(stepNoun(parsed('P1M'), 24), '24 months');
    assert.equal(stepNoun(parsed('P1W'), 1), '1 week');
    assert.equal(stepNoun(parsed('PT5M'), 288), '1 day');
    assert.equal(stepNoun(undefined, 2), '2 points');
  });

  it('has the seasonal periods of the calendar', () => {
    const table: Record<string, number[]> = {
      PT1H: [24, 168], PT30M: [48, 336], PT15M: [96, 672], PT5M: [288, 2016], PT1M: [60, 1440], PT1S: [60, 3600],
      PT4H: [6, 42], P1D: [7, 365.25], B: [5, 260.9], P1W: [52.18], P1M: [12], P2M: [6], P3M: [4], P6M: [2], P1Y: [],
      'PT0.1S': [600, 36000],
    }; // prettier-ignore
    for (const [text, periods] of Object.entries(table)) assert.deepEqual(seasonalPeriods(parsed(text)), periods, text);
  });

  it('suggests a horizon for the frequency and the number of points', () => {
    const horizon = (text: string, points: number) => defaultHorizon(parseDuration(text), points);
    assert.deepEqual(['P1M', 'P3M', 'P1Y', 'P1W', 'P1D', 'B', 'PT1H', 'PT5M', ''].map((text) => horizon(text, 1000)), [
      24, 8, 6, 26, 28, 20, 48, 288, 12,
    ]); // prettier-ignore
    assert.equal(horizon('P1M', 20), 10);
    assert.equal(horizon('P1Y', 1), 1);
    assert.equal(horizon('P1Y', 0), 1);
  });
});

import assert from 'node:assert/strict';
import { type Frequency, frequencyCode, parseDuration } from '../../../src/calendar/frequency.ts';
import { BUSINESS_DAYS } from '../../../src/calendar/open-time.ts';
import { stepNoun } from '../../../src/calendar/format.ts';
import { parseHorizon } from '../../../src/calendar/horizon.ts';
import { zoneOf } from '../../../src/calendar/zone.ts';

const MONTHLY: Frequency = { unit: 'month', count: 1 };
const DAILY: Frequency = { unit: 'day', count: 1 };
const BUSINESS: Frequency = { unit: 'day', count: 1, open: BUSINESS_DAYS };
const HOURLY: Frequency = { unit: 'hour', count: 1 };

const steps = (text: string, last: string, frequency: Frequency | undefined, zone = 'UTC') => {
  const horizon = parseHorizon(text, { last: Date.parse(last), frequency, zone: zoneOf(zone) });
  return 'steps' in horizon ? horizon.steps : horizon.problem;
};

describe('horizon input', () => {
  it('is a number of steps, a duration or a date', () => {
    for (const [text, frequency, last, expected] of [
      ['90', DAILY, '2021-01-31', 90],
      [' 12 steps ', MONTHLY, '2021-01-01', 12],
      ['2 years', MONTHLY, '2021-12-01', 24],
      ['2 years', DAILY, '2021-12-31', 730],
      ['1 year', { unit: 'month', count: 1, anchor: 'end' }, '2021-01-31', 12],
      ['1 year', { unit: 'quarter', count: 1 }, '2021-10-01', 4],
      ['1y', { unit: 'week', count: 1 }, '2021-01-04', 52],
      ['3 months', DAILY, '2021-01-31', 89],
      ['a day', { unit: 'minute', count: 5 }, '2021-01-01', 288],
      ['30m', { unit: 'minute', count: 5 }, '2021-01-01', 6],
      ['36 h', HOURLY, '2021-01-01', 36],
      ['P1Y', MONTHLY, '2021-01-01', 12],
      ['10 business days', BUSINESS, '2021-01-04', 10],
      ['2 weeks', BUSINESS, '2021-01-04', 10],
      ['until Dec 2027', MONTHLY, '2026-11-01', 13],
      ['until December 2027', DAILY, '2027-11-30', 31],
      ['until 2027', MONTHLY, '2026-12-01', 12],
      ['until Q2 2027', MONTHLY, '2026-12-01', 6],
      ['until 2027-03', MONTHLY, '2026-12-01', 3],
      ['to 2027-01-10', DAILY, '2026-12-31', 10],
      ['until 10 Jan 2027', DAILY, '2026-12-31', 10],
      ['until Jan 10, 2027', DAILY, '2026-12-31', 10],
      ['until 2027-01-01 06:00', HOURLY, '2027-01-01', 6],
    ] as [string, Frequency, string, number][]) {
      assert.equal(steps(text, last, frequency), expected, text);
    }
  });

  it('is counted in the zone of the series', () => {
    assert.equal(steps('until 2027-01-10', '2026-12-30T15:00Z', DAILY, 'Asia/Tokyo'), 10);
    assert.equal(steps('1 month', '2020-12-31T23:00Z', DAILY, '+01:00'), 31);
  });

  it('does not end on a day that does not exist', () => {
    for (const text of [
      'until 30 Feb 2027',
      'until Feb 29, 2027',
      'until 31 April 2027',
      'until 2027-02-29',
      'until 2027-13',
    ])
      assert.equal(steps(text, '2026-12-31', DAILY), 'none', text);
    assert.equal(steps('until 29 Feb 2028', '2028-02-28', DAILY), 1);
  });

  it('is refused if it is empty, ends before the forecast or has no step', () => {
    for (const text of ['', 'soon', 'until', 'until then', '2 parsecs', '1.5', '-3', 'x'.repeat(1000)])
      assert.equal(steps(text, '2021-01-01', DAILY), 'none', text);
    for (const text of ['0', 'until 2020', 'until Jan 2021', '1 hour'])
      assert.equal(steps(text, '2021-01-31', DAILY), 'past', text);
    assert.equal(steps('2 years', '2021-01-01', undefined), 'irregular');
    assert.equal(steps('24', '2021-01-01', undefined), 24);
  });
});

describe('durations in words', () => {
  it('use everyday units', () => {
    for (const [frequency, count, words] of [
      [{ unit: 'minute', count: 5 }, 288, '1 day'],
      [{ unit: 'minute', count: 5 }, 6, '30 minutes'],
      [{ unit: 'minute', count: 1 }, 120, '2 hours'],
      [{ unit: 'minute', count: 15 }, 672, '7 days'],
      [{ unit: 'hour', count: 1 }, 48, '48 hours'],
      [{ unit: 'hour', count: 6 }, 4, '1 day'],
      [BUSINESS, 20, '20 business days'],
      [{ unit: 'week', count: 2 }, 4, '8 weeks'],
      [{ unit: 'month', count: 2 }, 6, '1 year'],
      [MONTHLY, 24, '24 months'],
      [{ unit: 'year', count: 1 }, 1, '1 year'],
    ] as [Frequency, number, string][]) {
      assert.equal(stepNoun(frequency, count), words);
    }
  });

  it('keep business days as their code', () => {
    for (const frequency of [BUSINESS, { ...BUSINESS, count: 2 }, MONTHLY]) {
      assert.deepEqual(parseDuration(frequencyCode(frequency)), frequency);
    }
  });
});

import assert from 'node:assert/strict';
import { frequencyCode, parseDuration, addSteps, stepIndex } from '../../../src/calendar/frequency.ts';
import {
  formatInstant,
  isoInstant,
  writeYear,
  shortMonth,
  describeFrequency,
  stepNoun,
} from '../../../src/calendar/format.ts';
import { zoneOf } from '../../../src/calendar/zone.ts';

const of = (text: string) => parseDuration(text)!;
const day = (text: string) => Date.parse(text);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

describe('step in words', () => {
  it('has an adverb for each unit, once and several times', () => {
    const words = ['PT0.001S', 'PT0.005S', 'PT10S', 'PT1M', 'PT1H', 'PT6H', 'P1D', 'P3D', 'P1W', 'P4W', 'P2M', 'P5Y', '2B'].map((text) => describeFrequency(of(text))); // prettier-ignore
    assert.deepEqual(words, [
      'every millisecond', 'every 5 milliseconds', 'every 10 seconds', 'every minute', 'hourly', 'every 6 hours', 'daily', 'every 3 days',
      'weekly', 'every 4 weeks', 'every 2 months', 'every 5 years', 'every 2 business days',
    ]); // prettier-ignore
  });

  it('is counted in everyday units', () => {
    const noun = (text: string, steps: number) => stepNoun(of(text), steps);
    assert.deepEqual(
      [noun('PT5M', 288), noun('PT5M', 1), noun('PT15M', 4), noun('PT1H', 36), noun('PT1H', 1), noun('PT12H', 14)],
      ['1 day', '5 minutes', '1 hour', '36 hours', '1 hour', '7 days'],
    );
    assert.deepEqual(
      [noun('P1M', 24), noun('P6M', 4), noun('P2M', 4), noun('P3M', 8), noun('P2Y', 3), noun('P2W', 2), noun('B', 5), noun('PT1S', 1500)],
      ['24 months', '2 years', '8 months', '8 quarters', '6 years', '4 weeks', '5 business days', '25 minutes'],
    ); // prettier-ignore
    assert.deepEqual([stepNoun(undefined, 1), stepNoun(undefined, 12_000)], ['1 point', '12,000 points']);
  });

  it('is a code for business days and ISO 8601 otherwise', () => {
    assert.deepEqual([frequencyCode(of('B')), frequencyCode(of('3B')), frequencyCode(of('P1M'))], ['B', '3B', 'P1M']);
  });
});

describe('instant in words', () => {
  it('has the precision of its step', () => {
    const time = day('2021-05-03T13:00:00Z');
    const words = ['P1Y', 'P3M', 'P1M', 'P1D', 'PT1H'].map((text) => formatInstant(time, of(text)));
    assert.deepEqual(words, ['2021', 'Q2 2021', 'May 2021', '2021-05-03 13:00', '2021-05-03 13:00']);
    assert.equal(formatInstant(day('2021-05-03')), '3 May 2021');
    assert.equal(formatInstant(time + 1500, of('PT1S')), '2021-05-03 13:00:01.500');
    assert.equal(formatInstant(NaN), '–');
  });

  it('is in local time of its zone', () => {
    const berlin = zoneOf('Europe/Berlin');
    assert.equal(formatInstant(day('2021-05-02T22:00:00Z'), of('P1D'), berlin), '3 May 2021');
    assert.equal(isoInstant(day('2021-01-31T23:30:00Z'), berlin), '2021-02-01T00:30:00+01:00');
  });

  it('keeps microseconds, and rounds shorter fractions up to the next second', () => {
    assert.equal(isoInstant(0.25), '1970-01-01T00:00:00.000250Z');
    assert.equal(isoInstant(1250), '1970-01-01T00:00:01.250Z');
    assert.equal(isoInstant(999.9999), '1970-01-01T00:00:01Z');
    assert.equal(isoInstant(-1), '1969-12-31T23:59:59.999Z');
  });

  it('has year numbers also before year 1 and after 9999', () => {
    assert.deepEqual([writeYear(3), writeYear(2021), writeYear(12_345), writeYear(-5)], ['year 3', '2021', '+012345', '-000005']); // prettier-ignore
    assert.deepEqual([shortMonth(9), shortMonth(13)], ['Sep', '']);
  });
});

describe('calendar arithmetic', () => {
  it('keeps month ends, days of the month and business days, forward and back', () => {
    const from = (start: string, code: string, ...steps: readonly number[]) =>
      steps.map((step) => dayOf(addSteps(day(start), of(code), step)));
    assert.deepEqual(from('2024-01-31', 'P1M', 1, 2, -2), ['2024-02-29', '2024-03-31', '2023-11-30']);
    assert.deepEqual(from('2024-02-29', 'M', 1, 12), ['2024-03-31', '2025-02-28']);
    assert.deepEqual(from('2024-02-29', 'P1Y', 1, 4), ['2025-02-28', '2028-02-29']);
    assert.deepEqual(from('2024-03-01', 'B', 1, -1, 5), ['2024-03-04', '2024-02-29', '2024-03-08']);
    assert.deepEqual(from('2024-03-02', 'B', 1), ['2024-03-04'], 'a Saturday counts as its Friday');
    assert.deepEqual(from('2024-03-01', 'P2W', 1, -1), ['2024-03-15', '2024-02-16']);
  });

  it('counts steps, also between two of them', () => {
    const index = (a: string, b: string, code: string) => stepIndex(day(a), day(b), of(code));
    assert.equal(index('2024-01-31', '2024-02-29', 'P1M'), 1);
    assert.equal(index('2024-01-01', '2023-11-15', 'P1M'), -2);
    assert.equal(index('2024-03-01', '2024-03-11', 'B'), 6);
    assert.equal(index('2024-03-30T00:00:00Z', '2024-03-31T23:00:00Z', 'P1D'), 2, 'an hour of the clocks moves no day');
    assert.equal(index('2024-01-01', '2026-02-01', 'P1Y'), 2);
  });
});

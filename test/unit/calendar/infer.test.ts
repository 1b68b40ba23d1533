import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Frequency, formatDuration, addSteps } from '../../../src/calendar/frequency.ts';
import { BUSINESS_DAYS } from '../../../src/calendar/open-time.ts';
import { inferFrequency } from '../../../src/calendar/grid.ts';

const times = (...texts: string[]) => Float64Array.from(texts, (text) => Date.parse(text));
const every = (start: string, frequency: Frequency, count: number) =>
  Float64Array.from({ length: count }, (_, step) => addSteps(Date.parse(start), frequency, step));
const month: Frequency = { unit: 'month', count: 1 };
const day: Frequency = { unit: 'day', count: 1 };
const hour: Frequency = { unit: 'hour', count: 1 };
const monthEnd: Frequency = { unit: 'month', count: 1, anchor: 'end' };
const business: Frequency = { unit: 'day', count: 1, open: BUSINESS_DAYS };

describe('inferFrequency', () => {
  it('finds every step from milliseconds to years', () => {
    const frequencies: Frequency[] = [
      { unit: 'millisecond', count: 20 },
      { unit: 'second', count: 1 },
      { unit: 'minute', count: 5 },
      { unit: 'minute', count: 30 },
      hour,
      { unit: 'hour', count: 4 },
      day,
      { unit: 'day', count: 3 },
      { unit: 'week', count: 1 },
      { unit: 'week', count: 2 },
      month,
      monthEnd,
      { unit: 'month', count: 2 },
      { unit: 'quarter', count: 1 },
      { unit: 'quarter', count: 1, anchor: 'end' },
      { unit: 'year', count: 1 },
      { unit: 'year', count: 5 },
      business,
    ];
    for (const frequency of frequencies) {
      const start = frequency.anchor ? '2021-01-31' : '2021-02-01';
      assert.deepEqual(inferFrequency(every(start, frequency, 40)), frequency, formatDuration(frequency));
    }
  });

  it('tolerates gaps, duplicates and odd starts', () => {
    const kept = (frequency: Frequency, start = '2021-03-01') =>
      inferFrequency(every(start, frequency, 200).filter((_, i) => i % 9 !== 3 && i % 11 !== 5));
    for (const frequency of [hour, day, month, { unit: 'week', count: 1 } as const, business]) {
      assert.deepEqual(kept(frequency), frequency);
    }
    const doubled = Float64Array.from([...every('2021-01-01', hour, 20)].flatMap((time) => [time, time]));
    assert.deepEqual(inferFrequency(doubled), hour);
  });

  it('recognizes months of any length, by last day and by days that February lacks', () => {
    assert.deepEqual(inferFrequency(times('2021-01-30', '2021-02-28', '2021-03-30', '2021-04-30')), month);
    assert.deepEqual(inferFrequency(times('2021-01-15', '2021-02-15')), month);
    assert.deepEqual(
      inferFrequency(times('2020-01-31', '2020-02-28', '2020-03-31', '2020-04-30', '2020-05-29')),
      monthEnd,
    );
    assert.deepEqual(inferFrequency(times('2020-12-31', '2021-12-31', '2022-12-31'))?.unit, 'year');
  });

  it('distinguishes a fixed weekday of each month from every four weeks', () => {
    /** The nth of a weekday, from 0 for Sunday, in each of 30 months; the last one for n = 0. */
    const nth = (weekday: number, n: number) =>
      Float64Array.from({ length: 30 }, (_, i) => {
        const end = Date.UTC(2023, n === 0 ? i + 1 : i, n === 0 ? 0 : 7 * n);
        return end - ((new Date(end).getUTCDay() - weekday + 7) % 7) * 86_400_000;
      });
    for (const n of [1, 2, 3, 4]) assert.deepEqual(inferFrequency(nth(5, n)), month, `Friday ${n}`);
    for (const count of [4, 6, 30]) assert.deepEqual(inferFrequency(nth(5, 0).slice(0, count)), monthEnd);
    assert.deepEqual(inferFrequency(nth(1, 1)), month, 'first Mondays');
    const fourWeeks: Frequency = { unit: 'week', count: 4 };
    for (const count of [5, 12, 60]) assert.deepEqual(inferFrequency(every('2024-01-05', fourWeeks, count)), fourWeeks);
  });

  it('keeps days, weeks and 4-hour steps across clock changes', () => {
    const local = (frequency: Frequency) =>
      every('2021-03-01T00:00:00Z', frequency, 60).map((time) =>
        time >= Date.parse('2021-03-28') ? time - 2 * 3_600_000 : time - 3_600_000,
      );
    assert.deepEqual(inferFrequency(local(day)), day);
    assert.deepEqual(inferFrequency(local({ unit: 'week', count: 1 })), { unit: 'week', count: 1 });
    assert.deepEqual(inferFrequency(local({ unit: 'hour', count: 4 })), { unit: 'hour', count: 4 });
  });

  it('distinguishes business days from days', () => {
    assert.deepEqual(inferFrequency(every('2021-01-04', day, 5)), day);
    assert.deepEqual(inferFrequency(every('2021-01-04', business, 6)), business);
    assert.deepEqual(inferFrequency(every('2021-01-04', day, 14)), day);
    assert.deepEqual(
      inferFrequency(every('2020-12-01T16:00:00Z', business, 300).filter((_, i) => i % 20 !== 4)),
      business,
    );
  });

  it('tolerates small jitter and one typing error, not more', () => {
    const jittered = every('2021-01-01', { unit: 'minute', count: 5 }, 100).map(
      (time, i) => time + ((i * 37) % 11) * 1000,
    );
    assert.deepEqual(inferFrequency(jittered), { unit: 'minute', count: 5 });
    const typo = every('2021-01-01', hour, 100);
    typo[50] = typo[50]! + 600_000;
    assert.deepEqual(inferFrequency(typo), hour);
  });

  it('finds none for events, a single instant and no times', () => {
    let seed = 7;
    let time = Date.parse('2021-01-01');
    const events = Float64Array.from({ length: 500 }, () => {
      seed = (seed * 48271) % 2147483647;
      return (time += 1000 + (seed % 600_000));
    });
    assert.equal(inferFrequency(events), undefined);
    assert.equal(inferFrequency(new Float64Array(0)), undefined);
    assert.equal(inferFrequency(times('2021-01-01')), undefined);
    assert.equal(inferFrequency(times('2021-01-01', '2021-01-01')), undefined);
    assert.equal(
      inferFrequency(times('2021-01-04', '2021-01-06', '2021-01-08', '2021-01-11', '2021-01-13', '2021-01-15')),
      undefined,
    );
  });

  it('never throws and never gives a nonpositive step for rising times', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e14, max: 1e14, noNaN: true }), { maxLength: 30 }), (numbers) => {
        const frequency = inferFrequency(Float64Array.from(numbers).sort());
        assert.ok(frequency === undefined || frequency.count > 0);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frequencyCode, type Frequency } from '../../../../src/calendar/frequency.ts';
import { isoInstant } from '../../../../src/calendar/format.ts';
import { zoneOf } from '../../../../src/calendar/zone.ts';
import { aggregate as made } from '../../../../src/reading/series/aggregate.ts';
import type { Aggregate } from '../../../../src/reading/types.ts';

type AggregateOptions = Parameters<typeof made>[3];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const one = (unit: Frequency['unit']): Frequency => ({ unit, count: 1 });
/** In UTC, wherever the test runs. */
const at = (text: string) => Date.parse(/T[\d:]+$/.test(text) ? `${text}Z` : text);
const from = (rows: readonly (readonly [string, number])[]) =>
  [Float64Array.from(rows, ([time]) => at(time)), Float64Array.from(rows, ([, value]) => value)] as const;
const every = (start: string, step: number, count: number) =>
  Float64Array.from({ length: count }, (_, row) => at(start) + row * step);
const aggregate = (...rows: Parameters<typeof made>) => made(...rows)!;
const ones = (times: Float64Array) => times.map(() => 1);

describe('aggregate', () => {
  const rows = from([
    ['2024-01-01T09:00Z', 3],
    ['2024-01-03T08:00Z', 5],
    ['2024-01-01T17:00Z', 4],
    ['2024-01-03T09:00Z', NaN],
    ['2024-01-04T10:00Z', -2],
  ]);
  const by = (how: Aggregate, options: AggregateOptions = {}) =>
    Array.from(aggregate(...rows, { step: one('day'), by: how }, { partial: true, ...options }).values);

  it('gives sum, count, mean, last, minimum and maximum of rows in any order', () => {
    assert.deepEqual(by('sum'), [7, 0, 5, -2]);
    assert.deepEqual(by('count'), [2, 0, 2, 1]);
    assert.deepEqual(by('mean'), [3.5, NaN, 5, -2]);
    assert.deepEqual(by('last'), [4, NaN, 5, -2]);
    assert.deepEqual(by('min'), [3, NaN, 5, -2]);
    assert.deepEqual(by('max'), [4, NaN, 5, -2]);
  });

  it('leaves an empty period of a regular series missing', () => {
    assert.deepEqual(by('sum', { empty: 'missing' }), [7, NaN, 5, -2]);
    assert.deepEqual(by('count', { empty: 'missing' }), [2, NaN, 2, 1]);
  });

  it('takes the first row of a time as the last one if the newest rows come first', () => {
    const newestFirst = from([
      ['2024-01-02', 9],
      ['2024-01-02', 8],
      ['2024-01-01', 7],
    ]);
    const { values } = aggregate(...newestFirst, { step: one('day'), by: 'last' }, { partial: true });
    assert.deepEqual(Array.from(values), [7, 9]);
  });

  it('groups by hours, days, weeks from Monday, months, quarters and years of the zone', () => {
    const times = every('2024-01-01T00:30Z', 6 * HOUR, 4 * 400);
    const starts = (unit: Frequency['unit'], name: string) => {
      const zone = zoneOf(name);
      const options = { zone, partial: true, closed: false };
      const result = aggregate(times, ones(times), { step: one(unit), by: 'sum' }, options);
      return [0, 1].map((period) => isoInstant(result.times[period]!, zone).slice(0, 16));
    };
    assert.deepEqual(starts('hour', 'UTC'), ['2024-01-01T00:00', '2024-01-01T01:00']);
    assert.deepEqual(starts('day', 'America/New_York'), ['2023-12-31T00:00', '2024-01-01T00:00']);
    assert.deepEqual(starts('week', 'Europe/Berlin'), ['2024-01-01T00:00', '2024-01-08T00:00']);
    assert.deepEqual(starts('month', 'America/New_York'), ['2023-12-01T00:00', '2024-01-01T00:00']);
    assert.deepEqual(starts('quarter', 'UTC'), ['2024-01-01T00:00', '2024-04-01T00:00']);
    assert.deepEqual(starts('year', 'Asia/Kathmandu'), ['2024-01-01T00:00', '2025-01-01T00:00']);
  });

  it('keeps repeated hours, and days of 23 and 25 hours, whole', () => {
    const zone = zoneOf('Europe/Berlin');
    const times = every('2024-10-25T22:00Z', HOUR / 2, 4 * 48);
    const hours = aggregate(times, ones(times), { step: one('hour'), by: 'count' }, { zone, partial: true });
    assert.ok(hours.values.every((count) => count === 2));
    const days = aggregate(times, ones(times), { step: one('day'), by: 'count' }, { zone, partial: true });
    assert.deepEqual(Array.from(days.values).slice(0, 3), [48, 50, 48]);
  });

  it('preserves the total at any step', () => {
    const step = fc.constantFrom(one('hour'), one('day'), one('week'), one('month'), one('quarter'));
    const row = fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -9, max: 9 }));
    fc.assert(
      fc.property(step, fc.array(row, { minLength: 1, maxLength: 60 }), (each, pairs) => {
        const times = Float64Array.from(pairs, ([hour]) => at('2020-02-27') + hour * HOUR);
        const values = Float64Array.from(pairs, ([, value]) => value);
        const whole = aggregate(times, values, { step: each, by: 'sum' }, { partial: true });
        const sum = (numbers: Iterable<number>) => Array.from(numbers).reduce((total, number) => total + number, 0);
        assert.equal(sum(whole.values), sum(values));
        assert.equal(sum(whole.rows), pairs.length);
        const cut = aggregate(times, values, { step: each, by: 'count' });
        assert.equal(sum(cut.values) + cut.unfinished + cut.unstarted, pairs.length);
      }),
    );
  });

  it('adds no empty day for one that is closed every week, and no night hours', () => {
    const shop = every('2024-01-01', DAY / 8, 8 * 70).filter((time) => new Date(time).getUTCDay() !== 0);
    const orders = shop.filter((time, row) => new Date(time).getUTCHours() >= 9 && (row * 7) % 11 > 2);
    const days = aggregate(orders, ones(orders), { step: one('day'), by: 'sum' });
    assert.equal(frequencyCode(days.frequency), 'P1D Mo-Sa');
    assert.ok(days.times.every((time) => new Date(time).getUTCDay() !== 0));
    assert.equal(days.times.length, 60);
    const hours = aggregate(orders, ones(orders), { step: { unit: 'hour', count: 3 }, by: 'count' });
    assert.equal(frequencyCode(hours.frequency), 'PT3H Mo-Sa 09:00-24:00');
    assert.ok(hours.values.includes(0), 'an hour without an order by chance is 0');
    const all = aggregate(orders, ones(orders), { step: one('day'), by: 'sum' }, { closed: false });
    assert.deepEqual([all.times.length, all.values.filter((sum) => sum === 0).length], [69, 9]);
  });

  it('gives nothing without times, and refuses a wrong date that implies centuries of hours', () => {
    assert.equal(aggregate(Float64Array.of(NaN), Float64Array.of(1), { step: one('day'), by: 'sum' }), undefined);
    const centuries = every('0001-01-01', 2000 * 365 * DAY, 2);
    assert.equal(made(centuries, ones(centuries), { step: one('hour'), by: 'sum' }), undefined);
  });
});

describe('aggregate: first and last period', () => {
  const months = (times: Float64Array, options: AggregateOptions = {}) =>
    aggregate(times, ones(times), { step: one('month'), by: 'count' }, options);

  it('leaves out an unfinished last month and a first one that began before the data', () => {
    const cut = months(every('2024-01-10', DAY, 150));
    assert.deepEqual(Array.from(cut.values), [29, 31, 30, 31]);
    assert.deepEqual([cut.unstarted, cut.unfinished], [22, 7]);
    const whole = months(every('2024-01-01', DAY, 121));
    assert.deepEqual([Array.from(whole.values), whole.unstarted, whole.unfinished], [[31, 29, 31, 30], 0, 0]);
  });

  it('treats a month as finished if its last weekend never has rows', () => {
    const weekdays = every('2024-01-01', DAY, 180).filter((time) => ![0, 6].includes(new Date(time).getUTCDay()));
    const untilFriday = weekdays.filter((time) => time <= at('2024-03-29'));
    assert.deepEqual(Array.from(months(untilFriday).values), [23, 21, 21]);
    assert.deepEqual(months(untilFriday.slice(0, -1)).unfinished, 20);
  });

  it('considers the hours at which events usually occur', () => {
    let seed = 7;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    // 20 orders a day between 8 and 20 o'clock
    const orders = every('2024-01-01', DAY / 20, 60 * 20)
      .map((time) => Math.floor(time / DAY) * DAY + (8 + 12 * random()) * HOUR)
      .sort();
    const days = (until: string) => {
      const known = orders.filter((time) => time < at(until));
      return aggregate(known, ones(known), { step: one('day'), by: 'count' });
    };
    assert.equal(days('2024-02-29T20:00').unfinished, 0, 'in the evening the day is over');
    assert.ok(days('2024-02-29T13:00').unfinished > 0, 'at one in the afternoon it is not');
    assert.equal(days('2024-02-29T13:00').times.length, 59);
  });

  it('fills a quiet series with empty periods up to the end of the file', () => {
    const sales = every('2024-01-01', 7 * DAY, 9);
    const quiet = aggregate(sales, ones(sales), { step: one('month'), by: 'count' }, { until: at('2024-05-31') });
    assert.deepEqual(Array.from(quiet.values), [5, 4, 0, 0, 0]);
    assert.equal(months(every('2024-01-20', DAY, 42)).unstarted, 12);
  });

  it('treats months as whole quarters by their own step', () => {
    const times = Float64Array.from({ length: 14 }, (_, month) => Date.UTC(2023, month, 1));
    const quarters = aggregate(times, ones(times), { step: one('quarter'), by: 'sum' });
    assert.deepEqual([Array.from(quarters.values), quarters.unfinished], [[3, 3, 3, 3], 2]);
  });
});

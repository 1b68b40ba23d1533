import assert from 'node:assert/strict';
import type { Frequency } from '../../../../src/calendar/frequency.ts';
import {
  rowPattern,
  suggestAggregate,
  suggestStep,
  onSamplingInterval,
} from '../../../../src/reading/series/aggregate.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2024, 0, 1);

function chance(first = 7): () => number {
  let seed = first;
  return () => (seed = (seed * 48271) % 2147483647) / 2147483647;
}

/** Instants of events that come by chance, `perDay` in the mean. */
function events(count: number, perDay: number): Float64Array {
  const random = chance();
  let time = START;
  return Float64Array.from({ length: count }, () => (time += (-Math.log(1 - random()) * DAY) / perDay));
}

describe('rowPattern', () => {
  const kindOf = (times: Float64Array) => rowPattern(times).kind;

  it('recognizes regular steps, also with an outage', () => {
    const days = Float64Array.from({ length: 100 }, (_, day) => START + day * DAY);
    assert.deepEqual(rowPattern(days).frequency, { unit: 'day', count: 1 });
    assert.equal(kindOf(days.filter((_, day) => day < 20 || day > 70)), 'steps');
  });

  it('recognizes events by several rows a day and random times', () => {
    const orders = events(500, 5);
    assert.equal(kindOf(orders), 'events');
    const dated = orders.map((time) => Math.floor(time / DAY) * DAY);
    const pattern = rowPattern(dated);
    assert.equal(pattern.kind, 'events');
    assert.ok(pattern.repeated > 0.7);
    assert.equal(kindOf(dated.toReversed()), 'events', 'newest first');
  });

  it('recognizes events by randomly missing dates', () => {
    const random = chance();
    const some = Float64Array.from({ length: 400 }, (_, day) => START + day * DAY).filter(() => random() < 0.45);
    assert.equal(kindOf(some), 'events');
  });

  it('recognizes a sensor with a drifting clock and its sampling interval', () => {
    const random = chance();
    let time = START;
    const drifting = Float64Array.from({ length: 900 }, () => (time += MINUTE + (random() - 0.5) * 40_000));
    const pattern = rowPattern(drifting);
    assert.deepEqual([pattern.kind, pattern.frequency], ['readings', { unit: 'minute', count: 1 }]);
  });

  it('recognizes events at even times that the file lists out of order', () => {
    const random = chance();
    let time = START;
    const even = Array.from({ length: 400 }, () => (time += 6 * HOUR + (random() - 0.5) * 2 * HOUR));
    assert.equal(kindOf(Float64Array.from(even)), 'readings');
    assert.equal(kindOf(Float64Array.from(even).reverse()), 'readings', 'newest first');
    const days = Array.from({ length: 100 }, (_, day) => even.slice(4 * day, 4 * day + 4).reverse());
    assert.equal(kindOf(Float64Array.from(days.flat())), 'events');
  });

  it('is undefined for a few rows', () => {
    assert.equal(kindOf(events(5, 1)), 'few');
    assert.equal(kindOf(new Float64Array(0)), 'few');
  });
});

describe('onSamplingInterval', () => {
  it('averages readings, closes gaps from drift and keeps outages missing', () => {
    const random = chance();
    let time = START;
    const times = Float64Array.from({ length: 300 }, (_, row) => {
      time += MINUTE + (random() - 0.5) * 40_000 + (row === 100 ? 30 * MINUTE : 0);
      return time;
    });
    const values = times.map((each) => (each - START) / HOUR);
    const interval: Frequency = { unit: 'minute', count: 1 };
    const grid = onSamplingInterval(times, values, interval)!;
    const missing = grid.values.filter(Number.isNaN).length;
    assert.ok(missing >= 28 && missing <= 31, `${missing}`);
    for (let step = 0; step < grid.times.length; step++) {
      const value = grid.values[step]!;
      if (!Number.isNaN(value)) assert.ok(Math.abs(value - (grid.times[step]! - START) / HOUR) < 0.05);
    }
  });
});

describe('suggestStep', () => {
  const unitFor = (count: number, perDay: number) => suggestStep(events(count, perDay)).unit;

  it('depends on the number of rows in a step', () => {
    assert.equal(unitFor(2000, 5), 'day');
    assert.equal(unitFor(5000, 300), 'day');
    assert.equal(unitFor(300, 0.6), 'week');
    assert.equal(unitFor(80, 0.09), 'month');
    assert.equal(unitFor(3000, 1500), 'hour');
    assert.equal(unitFor(3000, 30_000), 'minute');
    assert.equal(unitFor(1350, 1_300_000), 'second');
    assert.equal(unitFor(7 * 120, 120), 'hour', 'a week is few days');
    assert.equal(unitFor(12 * 120, 120), 'day');
  });

  it('does not count a weekly closed day as empty', () => {
    const shop = events(900, 2.5).filter((time) => Math.floor(time / DAY + 3) % 7 < 5);
    assert.equal(suggestStep(shop).unit, 'day');
  });
});

describe('suggestAggregate', () => {
  it('sums amounts and averages levels whose neighbors are alike', () => {
    const times = events(400, 3);
    const random = chance();
    assert.equal(suggestAggregate(times, times.map(() => 5 + 20 * random())), 'sum'); // prettier-ignore
    let weight = 80;
    const weights = times.map(() => (weight += random() - 0.5));
    assert.equal(suggestAggregate(times, weights), 'mean');
    assert.equal(suggestAggregate(times.toReversed(), weights.toReversed()), 'mean');
    assert.equal(suggestAggregate(times, times.map(() => 1)), 'sum'); // prettier-ignore
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { civilFromDays, daysFromCivil, weekdayOfDays } from '../../../src/calendar/civil.ts';
import { formatInstant, isoInstant } from '../../../src/calendar/format.ts';
import { type Frequency, addSteps, stepIndex } from '../../../src/calendar/frequency.ts';
import { BUSINESS_DAYS } from '../../../src/calendar/open-time.ts';
import { toGrid } from '../../../src/calendar/grid.ts';

const at = (text: string) => Date.parse(text);
const times = (...texts: string[]) => Float64Array.from(texts, at);
const values = (...numbers: number[]) => Float64Array.from(numbers);
const iso = (time: number) => isoInstant(time).replace('T00:00:00Z', '');

describe('civil dates', () => {
  it('agree with Date from year 1 to 9999', () => {
    fc.assert(
      fc.property(fc.integer({ min: -719162, max: 2932896 }), (days) => {
        const date = new Date(days * 86_400_000);
        const civil = civilFromDays(days);
        assert.deepEqual(civil, { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() });
        assert.equal(daysFromCivil(civil.year, civil.month, civil.day), days);
        assert.equal(weekdayOfDays(days), (date.getUTCDay() + 6) % 7);
        assert.equal(isoInstant(days * 86_400_000 + 1), date.toISOString().replace('.000Z', '.001Z'));
      }),
    );
  });
});

describe('addSteps', () => {
  it('keeps the last days of months', () => {
    const month: Frequency = { unit: 'month', count: 1 };
    assert.deepEqual([1, 2, 12].map((n) => iso(addSteps(at('2021-01-31'), month, n))), ['2021-02-28', '2021-03-31', '2022-01-31']); // prettier-ignore
    assert.equal(iso(addSteps(at('2021-02-28'), { ...month, anchor: 'end' }, 1)), '2021-03-31');
    assert.equal(iso(addSteps(at('2021-01-15'), month, -1)), '2020-12-15');
    assert.equal(iso(addSteps(at('2020-02-29'), { unit: 'year', count: 1 }, 1)), '2021-02-28');
  });

  it('skips weekends', () => {
    const business: Frequency = { unit: 'day', count: 1, open: BUSINESS_DAYS };
    assert.equal(iso(addSteps(at('2021-01-08'), business, 1)), '2021-01-11');
    assert.equal(iso(addSteps(at('2021-01-08'), business, 6)), '2021-01-18');
    assert.equal(iso(addSteps(at('2021-01-11'), business, -1)), '2021-01-08');
  });

  it('is inverted by stepIndex', () => {
    const frequencies: Frequency[] = [
      { unit: 'minute', count: 5 },
      { unit: 'day', count: 1 },
      { unit: 'week', count: 1 },
      { unit: 'month', count: 1 },
      { unit: 'quarter', count: 1, anchor: 'end' },
      { unit: 'year', count: 1 },
      { unit: 'day', count: 1, open: BUSINESS_DAYS },
    ];
    const start = at('2021-03-31');
    fc.assert(
      fc.property(fc.constantFrom(...frequencies), fc.integer({ min: -400, max: 4000 }), (frequency, step) => {
        assert.equal(stepIndex(start, addSteps(start, frequency, step), frequency), step);
      }),
    );
  });
});

describe('toGrid', () => {
  it('sorts, averages duplicates and counts gaps', () => {
    const grid = toGrid(
      times('2021-04-01', '2021-01-01', '2021-02-01', '2021-02-01', '2021-06-01'),
      values(4, 1, 2, 3, 6),
    );
    assert.deepEqual(grid.frequency, { unit: 'month', count: 1 });
    assert.deepEqual([...grid.values], [1, 2.5, NaN, 4, NaN, 6]);
    assert.deepEqual([grid.gaps, grid.duplicates], [2, 1]);
    assert.deepEqual(
      [0, 5, 6].map((step) => iso(grid.timeAt(step))),
      ['2021-01-01', '2021-06-01', '2021-07-01'],
    );
  });

  it('distinguishes a missing value from a gap', () => {
    const grid = toGrid(times('2021-01-01', '2021-01-02', '2021-01-03', '2021-01-05'), values(1, NaN, 3, 5));
    assert.deepEqual([...grid.values], [1, NaN, 3, NaN, 5]);
    assert.equal(grid.gaps, 1);
  });

  it('keeps irregular rows and continues at the median interval', () => {
    const grid = toGrid(
      times('2021-01-01', '2021-01-02', '2021-01-09', '2021-01-11', '2021-01-20'),
      values(1, 2, 3, 4, 5),
    );
    assert.equal(grid.frequency, undefined);
    assert.deepEqual([...grid.values], [1, 2, 3, 4, 5]);
    assert.equal(iso(grid.timeAt(4)), '2021-01-20');
    assert.equal(grid.timeAt(5) - grid.timeAt(4), 7 * 86_400_000);
  });

  it('makes no grid of a century of seconds', () => {
    const second = Float64Array.from({ length: 50 }, (_, i) => i * 1000);
    second[0] = at('1870-01-01');
    const grid = toGrid(second, new Float64Array(50).fill(1));
    assert.equal(grid.frequency, undefined);
    assert.equal(grid.values.length, 50);
  });

  it('applies a given frequency, also none', () => {
    const days = times('2021-01-01', '2021-01-03');
    assert.equal(toGrid(days, values(1, 2), { frequency: { unit: 'day', count: 1 } }).values.length, 3);
    assert.equal(toGrid(days, values(1, 2), { frequency: null }).frequency, undefined);
  });

  it('accepts no rows, one row and invalid times', () => {
    assert.equal(toGrid(values(), values()).values.length, 0);
    const one = toGrid(times('2021-01-01'), values(7));
    assert.deepEqual([...one.values], [7]);
    assert.equal(one.timeAt(1) - one.timeAt(0), 86_400_000);
    assert.deepEqual([...toGrid(values(NaN, 0), values(1, 2)).values], [2]);
  });

  it('changes no input and loses no observation', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: -9, max: 9 }))), (rows) => {
        const input = Float64Array.from(rows, ([time]) => time * 3_600_000);
        const before = input.slice();
        const grid = toGrid(
          input,
          Float64Array.from(rows, ([, value]) => value),
        );
        assert.deepEqual(input, before);
        const filled = grid.values.filter((value) => !Number.isNaN(value)).length;
        assert.equal(filled + grid.duplicates, rows.length);
        assert.equal(grid.values.length - filled, grid.gaps);
      }),
    );
  });
});

describe('formatted instants', () => {
  it('have the precision of the frequency', () => {
    assert.equal(formatInstant(at('1949-01-01'), { unit: 'month', count: 1 }), 'Jan 1949');
    assert.equal(formatInstant(at('1982-04-01'), { unit: 'quarter', count: 1 }), 'Q2 1982');
    assert.equal(formatInstant(at('1990-12-31'), { unit: 'year', count: 1 }), '1990');
    assert.equal(formatInstant(at('2021-05-03'), { unit: 'day', count: 1 }), '3 May 2021');
    assert.equal(formatInstant(at('2021-05-03T13:00Z'), { unit: 'hour', count: 1 }), '2021-05-03 13:00');
    assert.equal(formatInstant(at('2021-05-03T13:00:05.25Z')), '2021-05-03 13:00:05.250');
  });

  it('are ISO 8601 in any year', () => {
    assert.equal(isoInstant(at('0001-01-01T00:00:00Z')), '0001-01-01T00:00:00Z');
    assert.equal(isoInstant(daysFromCivil(-44, 3, 15) * 86_400_000), '-000044-03-15T00:00:00Z');
    assert.equal(isoInstant(0.25), '1970-01-01T00:00:00.000250Z');
  });
});

import assert from 'node:assert/strict';
import { daysInMonth } from '../../../src/calendar/civil.ts';
import { isoInstant } from '../../../src/calendar/format.ts';
import { type Frequency, addSteps, stepIndex } from '../../../src/calendar/frequency.ts';
import { BUSINESS_DAYS } from '../../../src/calendar/open-time.ts';
import { toGrid } from '../../../src/calendar/grid.ts';
import { zoneOf } from '../../../src/calendar/zone.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);
const day = (time: number) => isoInstant(time).slice(0, 10);
const after = (start: string, frequency: Frequency, steps: readonly number[]) =>
  steps.map((step) => day(addSteps(at(start), frequency, step)));
const business: Frequency = { unit: 'day', count: 1, open: BUSINESS_DAYS };

describe('calendar steps', () => {
  it('include leap days, but not in 1900 and 2100', () => {
    const leap = [1600, 1900, 2000, 2023, 2024, 2100].filter((year) => daysInMonth(year, 2) === 29);
    assert.deepEqual(leap, [1600, 2000, 2024]);
    assert.deepEqual(after('2096-02-29', { unit: 'year', count: 4 }, [1, 2]), ['2100-02-28', '2104-02-29']);
    assert.deepEqual(after('2023-11-30', { unit: 'quarter', count: 1 }, [1, 2]), ['2024-02-29', '2024-05-30']);
  });

  it('are the last day of each quarter or year, also before the start', () => {
    const quarter: Frequency = { unit: 'quarter', count: 1, anchor: 'end' };
    assert.deepEqual(after('2023-06-30', quarter, [-1, 1, 2, 3]), ['2023-03-31', '2023-09-30', '2023-12-31', '2024-03-31']); // prettier-ignore
    const fiscal: Frequency = { unit: 'year', count: 1, anchor: 'end' };
    assert.deepEqual(after('2023-02-28', fiscal, [1, 2]), ['2024-02-29', '2025-02-28']);
  });

  it('continue from a weekend as from its Friday, with every second business day', () => {
    assert.deepEqual(after('2024-01-06', business, [0, 1]), ['2024-01-05', '2024-01-08']);
    assert.deepEqual(after('2024-01-03', { ...business, count: 2 }, [1, 2]), ['2024-01-05', '2024-01-09']);
    assert.deepEqual(after('1970-01-01', business, [-1, -4, -261]), ['1969-12-31', '1969-12-26', '1969-01-01']);
    assert.equal(stepIndex(at('2024-01-05'), at('2024-01-07'), business), 0, 'a Sunday belongs to its Friday');
  });

  it('keep the time of day, also before 1970', () => {
    const time = addSteps(at('1969-12-31T17:30:00Z'), { unit: 'month', count: 1 }, 2);
    assert.equal(isoInstant(time), '1970-02-28T17:30:00Z');
  });
});

describe('grid in a zone', () => {
  const ones = (count: number) => new Float64Array(count).fill(1);

  it('begins a day at 1:00 if midnight is skipped', () => {
    const zone = zoneOf('America/Sao_Paulo');
    const times = Float64Array.from({ length: 30 }, (_, i) => zone.fromWall(Date.UTC(2018, 9, 20 + i)));
    const { frequency, gaps, duplicates, timeAt } = toGrid(times, ones(30), { zone });
    assert.deepEqual([frequency, gaps, duplicates], [{ unit: 'day', count: 1 }, 0, 0]);
    assert.equal(isoInstant(timeAt(15), zone), '2018-11-04T01:00:00-02:00');
    assert.equal(isoInstant(timeAt(30), zone), '2018-11-19T00:00:00-02:00');
  });

  it('has a gap for Samoa’s skipped day, and none for hours of a clock change', () => {
    const apia = zoneOf('Pacific/Apia');
    const days = [27, 28, 29, 31, 32, 33, 34].map((each) => apia.fromWall(Date.UTC(2011, 11, each)));
    assert.equal(toGrid(Float64Array.from(days), ones(7), { zone: apia }).gaps, 1);
    const howe = zoneOf('Australia/Lord_Howe');
    const half = Float64Array.from({ length: 96 }, (_, i) => at('2024-10-05T00:00:00Z') + (i * HOUR) / 2);
    const grid = toGrid(half, ones(96), { zone: howe });
    assert.deepEqual([grid.frequency, grid.gaps, grid.duplicates], [{ unit: 'minute', count: 30 }, 0, 0]);
    assert.equal(isoInstant(howe.fromWall(at('2024-10-06T02:15:00Z')), howe), '2024-10-06T02:45:00+11:00');
    assert.equal(isoInstant(howe.fromWall(at('2024-04-07T01:45:00Z')), howe), '2024-04-07T01:45:00+11:00');
  });

  it('keeps 6:00 in autumn, and months from local midnight to midnight', () => {
    const zone = zoneOf('Europe/Berlin');
    const six = Float64Array.from({ length: 60 }, (_, i) => zone.fromWall(Date.UTC(2024, 9, 20) + i * 6 * HOUR));
    const grid = toGrid(six, ones(60), { zone });
    assert.deepEqual([grid.frequency, grid.gaps], [{ unit: 'hour', count: 6 }, 0]);
    assert.equal(isoInstant(grid.timeAt(60), zone), '2024-11-04T00:00:00+01:00');
    const kathmandu = zoneOf('Asia/Kathmandu');
    const months = Float64Array.from({ length: 12 }, (_, i) => kathmandu.fromWall(Date.UTC(2023, i, 1)));
    const monthly = toGrid(months, ones(12), { zone: kathmandu });
    assert.deepEqual(monthly.frequency, { unit: 'month', count: 1 });
    assert.equal(isoInstant(monthly.timeAt(14), kathmandu), '2024-03-01T00:00:00+05:45');
  });
});

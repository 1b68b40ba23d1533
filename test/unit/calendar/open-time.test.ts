import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  frequencyCode,
  parseDuration,
  defaultHorizon,
  type Frequency,
  seasonalPeriods,
  seasonOf,
  addSteps,
  isInOpenTime,
  stepIndex,
} from '../../../src/calendar/frequency.ts';
import { isoInstant, describeFrequency, stepNoun } from '../../../src/calendar/format.ts';
import { toGrid, inferFrequency } from '../../../src/calendar/grid.ts';
import { parseHorizon } from '../../../src/calendar/horizon.ts';
import { UTC, type Zone, zoneOf } from '../../../src/calendar/zone.ts';

const HOUR = 3_600_000;
/** Of a wall clock in UTC, wherever the test runs. */
const at = (text: string) => Date.parse(/T[\d:]+$/.test(text) ? `${text}Z` : text);
const parsed = (text: string): Frequency => {
  const frequency = parseDuration(text);
  assert.ok(frequency, text);
  return frequency;
};
/** Steps of a frequency from a start on the wall, as instants of the zone. */
const steps = (start: string, code: string, count: number, zone: Zone = UTC) =>
  Float64Array.from({ length: count }, (_, step) => zone.fromWall(addSteps(at(start), parsed(code), step)));
const inferred = (times: Float64Array, zone?: Zone) => {
  const frequency = inferFrequency(times, zone);
  return frequency && frequencyCode(frequency);
};
const without = (times: Float64Array, ...days: string[]) =>
  times.filter((time) => !days.includes(isoInstant(time).slice(0, 10)));
const withMore = (times: Float64Array, ...more: string[]) => Float64Array.from([...times, ...more.map(at)]).sort();

const CODES = [
  'B',
  'P1D Mo-Sa',
  'P1D Su-Th',
  'P1D We,Sa',
  'PT30M Mo-Fr 08:00-18:00',
  'PT1H 06:00-22:00',
  'PT15M Mo-Fr 08:00-12:00,13:00-17:30; Sa 09:00-13:00',
  'PT5M Mo-Fr 09:30-16:00',
  'PT1H Mo-Fr 09:30-16:30',
  'PT20S Mo-Fr 09:30-10:00',
  'PT1H Mo-Th 00:00-17:00,18:00-24:00; Fr 00:00-17:00; Su 18:00-24:00',
].map((code) => code.replace('Su-Th', 'Mo-Th,Su').replace('PT1H 06', 'PT1H Mo-Su 06'));

describe('open time', () => {
  it('is found in ten weeks of steps, whatever it is', () => {
    for (const code of CODES) {
      const week = seasonalPeriods(parsed(code)).at(code.startsWith('P1D') || code === 'B' ? 0 : -1)!;
      assert.equal(inferred(steps('2024-01-01T18:00', code, Math.round(10 * week))), code);
    }
  });

  it('is found despite holidays, one special Sunday and a late evening', () => {
    const shop = steps('2023-01-02', 'P1D Mo-Sa', 400);
    const holidays = ['2023-04-07', '2023-04-10', '2023-05-01', '2023-12-25', '2023-12-26', '2024-01-01'];
    assert.equal(inferred(without(shop, ...holidays)), 'P1D Mo-Sa');
    assert.equal(inferred(withMore(shop, '2023-12-17')), 'P1D Mo-Sa');
    const sundays = ['2023-03-26', '2023-09-24', '2023-11-05', '2023-12-17'];
    assert.equal(inferred(withMore(without(shop, ...holidays), ...sundays)), 'P1D Mo-Sa');
    const calls = steps('2024-01-01T08:00', 'PT30M Mo-Fr 08:00-18:00', 1000);
    assert.equal(
      inferred(withMore(without(calls, '2024-01-10'), '2024-02-06T18:00', '2024-02-06T18:30')),
      'PT30M Mo-Fr 08:00-18:00',
    );
  });

  it('follows a lasting change of hours', () => {
    const shop = steps('2023-01-02', 'P1D Mo-Sa', 320);
    const daily = Float64Array.from({ length: 28 }, (_, day) => shop.at(-1)! + (day + 1) * 24 * HOUR);
    assert.equal(inferred(Float64Array.from([...shop, ...daily])), 'P1D');
  });

  it('requires enough cycles and more than chance', () => {
    assert.equal(inferred(steps('2024-01-01', 'P1D Mo-Sa', 12)), 'P1D');
    assert.equal(inferred(steps('2024-01-01', 'P1D Mo-Sa', 24)), 'P1D Mo-Sa');
    assert.equal(inferred(steps('2024-01-01', 'B', 6)), 'B');
    assert.equal(inferred(steps('2024-01-02T08:00', 'PT30M Mo-Fr 08:00-18:00', 40)), 'PT30M');
    let seed = 7;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (const code of ['P1D', 'PT1H', 'PT30M']) {
      for (const share of [0.9, 0.7, 0.55]) {
        for (const weeks of [3, 4, 6, 12, 30]) {
          const count = (weeks * 7 * 24 * HOUR) / (code === 'P1D' ? 24 * HOUR : code === 'PT1H' ? HOUR : HOUR / 2);
          const holes = steps('2024-01-01', code, count).filter(() => random() < share);
          assert.equal(inferred(holes), code, `${code}, ${share} of ${weeks} weeks`);
        }
      }
    }
  });

  it('is in local time across clock changes', () => {
    const zone = zoneOf('America/New_York');
    const bars = steps('2024-01-02T09:30', 'PT5M Mo-Fr 09:30-16:00', 78 * 100, zone);
    assert.equal(inferred(bars, zone), 'PT5M Mo-Fr 09:30-16:00');
    const { gaps, duplicates, timeAt } = toGrid(bars, bars, { zone });
    assert.deepEqual([gaps, duplicates], [0, 0]);
    assert.equal(isoInstant(timeAt(78 * 100), zone), '2024-05-21T09:30:00-04:00');
    const forex = steps('2024-01-01T00:00', 'PT1H Mo-Th; Fr 00:00-17:00; Su 17:00-24:00', 120 * 30, zone);
    assert.deepEqual(toGrid(forex, forex, { zone }).gaps, 0);
  });

  it('is closed if its rows have no values', () => {
    const daily = steps('2024-01-01', 'P1D', 120);
    const values = daily.map((time) => (new Date(time).getUTCDay() === 0 ? NaN : 1));
    const { frequency, gaps, timeAt } = toGrid(daily, values);
    assert.deepEqual([frequency && frequencyCode(frequency), gaps], ['P1D Mo-Sa', 0]);
    assert.equal(isoInstant(timeAt(values.filter((value) => value === 1).length)), '2024-04-30T00:00:00Z');
  });

  it('can be switched off', () => {
    const shop = steps('2024-01-01', 'P1D Mo-Sa', 60);
    const { frequency, gaps } = toGrid(shop, shop, { open: null });
    assert.deepEqual([frequency, gaps], [{ unit: 'day', count: 1 }, 9]);
  });

  it('leaves out observations in closed time, and continues after it', () => {
    const shop = steps('2024-01-01', 'P1D Mo-Sa', 60);
    const { values, outside, duplicates, gaps, timeAt } = toGrid(withMore(shop, '2024-03-10'), new Float64Array(61).fill(1)); // prettier-ignore
    assert.deepEqual([values.length, outside, duplicates, gaps], [60, 1, 0, 0]);
    assert.equal(isoInstant(timeAt(60)).slice(0, 10), '2024-03-11');
  });
});

describe('steps of open time', () => {
  it('skip Sundays of a store, nights of a call center, and go to the next trading session', () => {
    const next = (time: string, code: string, count: number) =>
      [1, 2].map((step) => isoInstant(addSteps(at(time), parsed(code), count + step)).slice(0, 16));
    assert.deepEqual(next('2024-06-29', 'P1D Mo-Sa', 0), ['2024-07-01T00:00', '2024-07-02T00:00']);
    assert.deepEqual(next('2024-06-28T17:30Z', 'PT30M Mo-Fr 08:00-18:00', 0), ['2024-07-01T08:00', '2024-07-01T08:30']);
    assert.deepEqual(next('2024-06-28T15:55Z', 'PT5M Mo-Fr 09:30-16:00', 0), ['2024-07-01T09:30', '2024-07-01T09:35']);
    assert.deepEqual(next('2024-06-29T12:30Z', 'PT30M Mo-Fr 08:00-18:00; Sa 09:00-13:00', -1), [
      '2024-06-29T12:30',
      '2024-07-01T08:00',
    ]);
  });

  it('are counted back from their result', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CODES),
        fc.nat(5000),
        fc.integer({ min: -3000, max: 3000 }),
        (code, first, count) => {
          const frequency = parsed(code);
          const start = addSteps(at('1969-12-01T18:00Z'), frequency, first);
          const end = addSteps(start, frequency, count);
          assert.ok(isInOpenTime(end, frequency));
          assert.equal(stepIndex(start, end, frequency), count);
          if (code.startsWith('PT')) assert.ok(stepIndex(start, end + 9_000, frequency) === count, 'a late clock');
          if (code.startsWith('PT')) assert.ok(stepIndex(start, end - 9_000, frequency) === count, 'an early clock');
        },
      ),
    );
  });

  it('make horizons: a duration and a date count the open steps', () => {
    const read = (text: string, code: string, last: string) =>
      parseHorizon(text, { last: at(last), frequency: parsed(code) });
    assert.deepEqual(read('2 weeks', 'P1D Mo-Sa', '2024-06-29'), { steps: 12 });
    assert.deepEqual(read('until 2024-07-07', 'P1D Mo-Sa', '2024-06-29'), { steps: 6 });
    assert.deepEqual(read('1 week', 'PT30M Mo-Fr 08:00-18:00', '2024-06-28T17:30Z'), { steps: 100 });
    assert.deepEqual(read('2 weeks', 'PT5M Mo-Fr 09:30-16:00', '2024-06-28T15:55Z'), { steps: 780 });
    assert.deepEqual(read('until 2024-07-02', 'PT5M Mo-Fr 09:30-16:00', '2024-06-28T15:55Z'), { steps: 156 });
    assert.deepEqual(read('10 business days', 'B', '2024-06-28'), { steps: 10 });
    assert.deepEqual(read('until 2024-06-30', 'P1D Mo-Sa', '2024-06-29'), { problem: 'past' });
  });

  it('have usual seasonal periods and horizons', () => {
    const table: Record<string, number[]> = {
      B: [5, 260.9], 'P1D Mo-Sa': [6, 313.1], 'PT30M Mo-Fr 08:00-18:00': [20, 100], 'PT5M Mo-Fr 09:30-16:00': [78, 390],
      'PT30M Mo-Fr 08:00-18:00; Sa 09:00-13:00': [108], 'PT1M Mo-Fr 08:00-18:00': [60, 600], 'PT1M Mo-Fr 09:30-16:00': [390, 1950],
      'PT1H Su 10:00-18:00': [8],
    }; // prettier-ignore
    for (const [code, periods] of Object.entries(table)) assert.deepEqual(seasonalPeriods(parsed(code)), periods, code);
    const horizons = ['B', 'P1D Mo-Sa', 'PT30M Mo-Fr 08:00-18:00', 'PT5M Mo-Fr 09:30-16:00'];
    assert.deepEqual(horizons.map((code) => defaultHorizon(parsed(code), 1000)), [20, 24, 40, 156]); // prettier-ignore
    const season = (code: string, period: number) => seasonOf(parsed(code), period);
    assert.deepEqual([season('PT5M Mo-Fr 09:30-16:00', 78), season('PT5M Mo-Fr 09:30-16:00', 390)], ['day', 'week']);
    assert.deepEqual([season('P1D Mo-Sa', 6), season('P1D Mo-Sa', 313.1)], ['week', 'year']);
  });
});

describe('open time in words', () => {
  it('names the days and hours', () => {
    const words = (code: string) => describeFrequency(parsed(code));
    assert.deepEqual(
      ['B', 'P1D Mo-Sa', 'P1D We,Sa', 'PT30M Mo-Fr 08:00-18:00', 'PT5M Mo-Fr 09:30-16:00'].map(words),
      ['business-daily', 'daily, Mon–Sat', 'daily, Wed, Sat', 'half-hourly, Mon–Fri 8–18', 'every 5 minutes, Mon–Fri 9:30–16:00'],
    ); // prettier-ignore
    assert.equal(words('PT1H Mo-Fr 08:00-12:00,13:00-18:00; Sa 09:00-13:00'), 'hourly, Mon–Fri 8–12, 13–18, Sat 9–13');
    assert.equal(words('PT1H Mo-Su 06:00-24:00'), 'hourly, 6–24');
    assert.equal(words('PT1H Mo 08:00-09:00; Tu 09:00-10:00; We 10:00-11:00; Th 11:00-12:00; Fr 12:00-14:00'), 'hourly, 6 hours a week'); // prettier-ignore
    const nouns = [['B', 5], ['P1D Mo-Sa', 1], ['P1D Mo-Sa', 24], ['PT5M Mo-Fr 09:30-16:00', 156], ['PT30M Mo-Fr 08:00-18:00', 30]] as const; // prettier-ignore
    assert.deepEqual(nouns.map(([code, count]) => stepNoun(parsed(code), count)), [
      '5 business days', '1 open day', '24 open days', '2 open days', '15 hours',
    ]); // prettier-ignore
  });

  it('is written and read as in OpenStreetMap only', () => {
    for (const code of CODES) assert.equal(frequencyCode(parsed(code)), code);
    assert.equal(frequencyCode({ unit: 'day', count: 2, open: parsed('B').open! }), '2B');
    for (const text of ['P1D Xx', 'P1D Mo-', 'P1D Sa-Mo', 'PT1H Mo 25:00', 'PT1H Mo 10:00-09:00', 'P1M Mo-Fr', 'P1W Mo', 'Mo-Fr', `P1D ${'Mo,'.repeat(400)}`]) {
      assert.equal(parseDuration(text), undefined, text);
    } // prettier-ignore
  });
});

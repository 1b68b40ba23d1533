import assert from 'node:assert/strict';
import { timeTicks, valueTicks } from '../../../src/chart/axes.ts';
import { zoneOf } from '../../../src/calendar/zone.ts';

const DAY = 86_400_000;
const plain = { finest: 1, zone: zoneOf('UTC'), quarters: false, rows: false };
const ticks = (from: string, to: string, count: number, finest = 1, zone = 'UTC') =>
  timeTicks({ min: Date.parse(from), max: Date.parse(to) }, count, { ...plain, finest, zone: zoneOf(zone) });
const lines = (list: ReturnType<typeof ticks>) =>
  list.map(({ label, context }, index) => (context === list[index - 1]?.context ? label : `${label}/${context}`));

describe('ticks of the value axis', () => {
  it('are round numbers', () => {
    assert.deepEqual(valueTicks(70, 650, 6), [100, 200, 300, 400, 500, 600]);
    assert.deepEqual(valueTicks(-0.3, 0.3, 3), [-0.2, 0, 0.2]);
    assert.deepEqual(valueTicks(0.1, 0.7, 6), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
  });

  it('work for huge, tiny and empty ranges', () => {
    assert.deepEqual(valueTicks(-5e307, 5e307, 2), [-5e307, 0, 5e307]);
    assert.deepEqual(valueTicks(0, 5e-300, 5), [0, 1e-300, 2e-300, 3e-300, 4e-300, 5e-300]);
    assert.deepEqual(valueTicks(5, 5, 4), [5]);
    assert.ok(valueTicks(1e15, 1e15 + 1, 5).length < 50);
  });
});

describe('ticks of the time axis', () => {
  it('are years, months, days or hours by the room there is', () => {
    assert.deepEqual(lines(ticks('1949-01-01', '1960-12-01', 8)), ['1950', '1952', '1954', '1956', '1958', '1960']);
    assert.deepEqual(lines(ticks('2020-11-15', '2021-02-15', 4)), ['Dec/2020', 'Jan/2021', 'Feb']);
    assert.deepEqual(lines(ticks('2021-03-01', '2021-03-03', 3)), ['1 Mar/2021', '2 Mar', '3 Mar']);
    assert.deepEqual(lines(ticks('2021-03-01T22:30Z', '2021-03-02T01:00Z', 4)), [
      '23:00/1 Mar 2021',
      '00:00/2 Mar 2021',
      '01:00',
    ]);
  });

  it('are quarters for a quarterly series at every zoom', () => {
    const quarterly = (to: string, count: number) =>
      lines(
        timeTicks({ min: Date.parse('2019-11-01'), max: Date.parse(to) }, count, {
          ...plain,
          finest: 91 * DAY,
          quarters: true,
        }),
      );
    assert.deepEqual(quarterly('2020-08-01', 8), ['Q1/2020', 'Q2', 'Q3']);
    assert.deepEqual(quarterly('2021-08-01', 4), ['Q1/2020', 'Q3', 'Q1/2021', 'Q3']);
    assert.deepEqual(quarterly('2040-01-01', 5), ['Q1 2020', 'Q1 2025', 'Q1 2030', 'Q1 2035', 'Q1 2040']);
  });

  it('are not finer than the data', () => {
    assert.deepEqual(lines(ticks('2021-01-01', '2021-02-03', 20, 28 * DAY)), ['Jan/2021', 'Feb']);
  });

  it('are round local times before and after a clock change', () => {
    const list = ticks('2021-03-27T00:00Z', '2021-03-30T00:00Z', 4, 1, 'Europe/Berlin');
    assert.deepEqual(lines(list), ['28 Mar/2021', '29 Mar', '30 Mar']);
    assert.deepEqual(
      list.map(({ at }) => new Date(at).toISOString()),
      ['2021-03-27T23:00:00.000Z', '2021-03-28T22:00:00.000Z', '2021-03-29T22:00:00.000Z'],
    );
  });

  it('start weeks on Mondays', () => {
    for (const { at } of ticks('2021-01-01', '2021-02-15', 7)) assert.equal(new Date(at).getUTCDay(), 1);
  });

  it('fit the room for any range', () => {
    for (let span = 5; span < 1e15; span *= 3.7) {
      const list = timeTicks({ min: 0, max: span }, 6, plain);
      assert.ok(list.length <= 8, `${String(list.length)} ticks for ${String(span)} ms`);
    }
  });
});

describe('ticks of a row axis', () => {
  it('are round row numbers from 1', () => {
    const rows = (max: number) => timeTicks({ min: 0, max }, 8, { ...plain, rows: true });
    const ticks = rows(143_000);
    assert.deepEqual(
      ticks.map(({ label }) => label),
      ['20', '40', '60', '80', '100', '120', '140'],
    );
    assert.equal(ticks[0].at, 19_000);
    assert.deepEqual(
      rows(2000).map(({ label }) => label),
      ['1', '2', '3'],
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { forecast } from '../../../../src/engine/forecast.ts';
import type { Bounds } from '../../../../src/engine/bounds/bounds.ts';
import { bent, squashed, unbent, wholeWithin } from '../../../../src/engine/bounds/squash.ts';
import { forecastWithin } from '../../../../src/engine/bounds/within.ts';
import { Random } from '../../../../src/engine/random.ts';
import type { EngineForecast, EngineInput } from '../../../../src/engine/types.ts';

const levels = [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975];
const constant = (length: number, floor: number, capacity: number, whole = false): Bounds => ({
  floor: new Float64Array(length).fill(floor),
  capacity: new Float64Array(length).fill(capacity),
  whole,
});
const within = (input: EngineInput, bounds: Bounds, model = 'theta', canBend = true): EngineForecast => {
  const make = (asked: EngineInput): EngineForecast => forecast(model, asked);
  return forecastWithin(input, bounds, make, make, canBend);
};
const question = (values: ArrayLike<number>, horizon = 12, periods: number[] = []): EngineInput => ({
  values: Float64Array.from(values),
  periods,
  horizon,
  levels,
});

/** The mean quantile loss over the last windows of a series. */
function loss(
  values: Float64Array,
  bounds: Bounds,
  make: (input: EngineInput, bounds: Bounds) => EngineForecast,
): number {
  let sum = 0;
  for (let end = values.length - 48; end < values.length; end += 12) {
    const upTo = { ...bounds, floor: bounds.floor.slice(0, end + 12), capacity: bounds.capacity.slice(0, end + 12) };
    const { quantiles } = make(question(values.subarray(0, end)), upTo);
    levels.forEach((level, l) => {
      for (let i = 0; i < 12; i++) {
        const miss = values[end + i] - quantiles[l][i];
        sum += Math.max(level * miss, (level - 1) * miss);
      }
    });
  }
  return sum;
}

describe('bounds of a forecast', () => {
  it('hold, with quantiles in order and apart, whatever the series is', () => {
    const series = fc.array(fc.double({ min: -200, max: 200, noNaN: true }), { minLength: 1, maxLength: 60 });
    const edge = fc.double({ min: -250, max: 250, noNaN: true });
    fc.assert(
      fc.property(
        series,
        edge,
        fc.double({ min: 1, max: 300, noNaN: true }),
        fc.integer({ min: 0, max: 3 }),
        (values, floor, width, sides) => {
          const [low, high] = [sides % 2 === 0 ? floor : -Infinity, sides < 2 ? floor + width : Infinity];
          const made = within(question(values), constant(values.length + 12, low, high));
          const free = forecast('theta', { ...question(values), acrossZero: true });
          for (let i = 0; i < 12; i++) {
            const row = made.quantiles.map((each) => each[i]);
            for (const value of [made.point[i], ...row]) assert.ok(value >= low && value <= high, `${value}`);
            row.forEach((value, l) => {
              if (l === 0) return;
              assert.ok(value >= row[l - 1], 'in order');
              const apart = free.quantiles[l][i] - free.quantiles[l - 1][i];
              if (apart > 1e-3) assert.ok(value > row[l - 1], `${row.join(' ')} pile up`);
            });
          }
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });

  it('leave a forecast alone that does not come near them', () => {
    const random = new Random(3);
    const values = Array.from({ length: 80 }, (_, i) => 500 + 10 * Math.sin(i) + random.normal());
    const made = within(question(values), constant(92, 0, 1000));
    const plain = forecast('theta', question(values));
    assert.deepEqual(made.point, plain.point);
    assert.deepEqual(made.quantiles, plain.quantiles);
  });

  it('are not harmful near them, and help growth that they stop', () => {
    const random = new Random(5);
    const share = Float64Array.from(
      { length: 120 },
      (_, i) => 100 / (1 + Math.exp((40 - i) / 9)) - 1.5 * Math.abs(random.normal()),
    );
    const between = constant(120, 0, 100);
    const cut = (input: EngineInput): EngineForecast => {
      const made = forecast('theta', { ...input, acrossZero: true });
      const inside = (row: Float64Array): Float64Array => row.map((value) => Math.max(0, Math.min(100, value)));
      return { ...made, point: inside(made.point), quantiles: made.quantiles.map(inside) };
    };
    const held = loss(share, between, (input, bounds) => within(input, bounds));
    assert.ok(held < 1.01 * loss(share, between, cut), `${held}`);
    const growing = share.subarray(0, 52);
    const [last] = [...within(question(growing), constant(64, 0, 100)).quantiles[3]].slice(-1);
    assert.ok(last > 80 && last < 100, `${last}`);
  });

  it('follow a capacity that changes', () => {
    const capacity = Float64Array.from({ length: 112 }, (_, i) => (i % 20 < 10 ? 100 : 40));
    const random = new Random(9);
    const values = Float64Array.from({ length: 100 }, (_, i) => capacity[i] * (0.9 + 0.03 * random.normal()));
    const made = within(question(values), { floor: new Float64Array(112), capacity, whole: false });
    made.quantiles[6].forEach((value, i) => {
      assert.ok(value <= capacity[100 + i]);
    });
    assert.ok(Math.abs(made.point[5] - 90) < 6 && Math.abs(made.point[11] - 36) < 6, [...made.point].join(' '));
  });

  it('may be whole numbers', () => {
    const values = Array.from({ length: 60 }, (_, i) => 3 + (i % 5) + (i % 3));
    const made = within(question(values), constant(72, 0.5, 8.5, true));
    for (const row of [made.point, ...made.quantiles]) {
      for (const value of row) assert.ok(Number.isInteger(value) && value >= 1 && value <= 8);
    }
    assert.equal(wholeWithin(2.4, { floor: 2.2, capacity: 2.8 }), 2.4);
    assert.equal(wholeWithin(9, { floor: -Infinity, capacity: 4 }), 4);
  });

  it('keep counts and closed days at 0, and may be met', () => {
    const counts = Array.from({ length: 90 }, (_, i) => (i % 7 === 3 ? 2 : 0));
    const made = within({ ...question(counts), periods: [7] }, constant(102, 0, 50));
    const plain = forecast('theta', { ...question(counts), periods: [7] });
    made.quantiles.forEach((row, l) => {
      row.forEach((value, i) => {
        assert.ok(Math.abs(value - plain.quantiles[l][i]) < 1e-6);
      });
    });
    const closed = Array.from({ length: 140 }, (_, i) => (i % 7 === 6 ? 0 : 20 + ((i * 5) % 9)));
    const days = within({ ...question(closed, 14), periods: [7] }, constant(154, 0, 40));
    assert.equal(days.quantiles[6][6], 0);
    const flat = within(question(new Array(30).fill(40)), constant(42, 0, 40));
    assert.ok(Math.abs(flat.point[0] - 40) < 0.01);
  });
});

describe('a squash', () => {
  it('rises, keeps the median, and never reaches a bound', () => {
    const squash = { edges: { floor: 0, capacity: 10 }, middle: 7, spread: 2, sharpness: 2 };
    assert.equal(squashed(7, squash), 7);
    assert.ok(Math.abs(squashed(6, squash) - 6) < 0.02);
    for (const middle of [-30, -0.1, 0, 5, 9.9, 10, 14, 40]) {
      let before = -Infinity;
      for (let value = middle - 100; value <= middle + 100; value += 0.5) {
        const now = squashed(value, { ...squash, middle });
        assert.ok(now > before && now > 0 && now < 10, `${value} of ${middle}: ${now}`);
        before = now;
      }
    }
    assert.equal(squashed(3, { ...squash, edges: { floor: 7, capacity: 7 } }), 7);
    assert.equal(squashed(12, { ...squash, sharpness: Infinity }), 10);
    assert.equal(squashed(12, { ...squash, spread: 0 }), 10);
    assert.equal(squashed(99, { ...squash, edges: { floor: 0, capacity: Infinity } }), 99);
  });

  it('of odds comes back', () => {
    const edges = { floor: -5, capacity: 15 };
    for (const value of [-5, -4.9, 0, 3, 14.99, 15])
      assert.ok(Math.abs(unbent(bent(value, edges), edges) - value) < 1e-9);
  });
});

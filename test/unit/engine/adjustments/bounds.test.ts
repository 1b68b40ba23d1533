import assert from 'node:assert/strict';
import fc from 'fast-check';
import { forecast, backtestFolds } from '../../../../src/engine/forecast.ts';
import { bounded } from '../../../../src/engine/adjustments.ts';
import { Random } from '../../../../src/engine/random.ts';
import type { Bounds, EngineForecast, EngineInput } from '../../../../src/engine/types.ts';

const levels = [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975];
const constant = (length: number, floor: number, capacity: number, whole = false): Bounds => ({
  floor: new Float64Array(length).fill(floor),
  capacity: new Float64Array(length).fill(capacity),
  whole,
});
const free = (length: number): Bounds => constant(length, -Infinity, Infinity);
const within = (input: EngineInput, bounds: Bounds): EngineForecast => forecast('theta', { ...input, bounds });
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
  it('hold for any series, with distinct quantiles in order', () => {
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
          const unbound = forecast('theta', { ...question(values), bounds: free(values.length + 12) });
          for (let i = 0; i < 12; i++) {
            const row = made.quantiles.map((each) => each[i]);
            for (const value of [made.point[i], ...row]) assert.ok(value >= low && value <= high, `${value}`);
            row.forEach((value, l) => {
              if (l === 0) return;
              assert.ok(value >= row[l - 1], 'in order');
              const apart = unbound.quantiles[l][i] - unbound.quantiles[l - 1][i];
              const isInside = unbound.point[i] > low && unbound.point[i] < high;
              const isNarrow = unbound.quantiles[5][i] - unbound.quantiles[1][i] < high - low;
              if (apart > 1e-3 && isInside && isNarrow) assert.ok(value > row[l - 1], `${row.join(' ')} pile up`);
            });
          }
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });

  it('do not change a forecast that stays away from them', () => {
    const random = new Random(3);
    const values = Array.from({ length: 80 }, (_, i) => 500 + 10 * Math.sin(i) + random.normal());
    const made = within(question(values), constant(92, 0, 1000));
    const plain = forecast('theta', question(values));
    assert.deepEqual(made.point, plain.point);
    assert.deepEqual(made.quantiles, plain.quantiles);
  });

  it('do no harm nearby, and help for growth that they stop', () => {
    const random = new Random(5);
    const share = Float64Array.from(
      { length: 120 },
      (_, i) => 100 / (1 + Math.exp((40 - i) / 9)) - 1.5 * Math.abs(random.normal()),
    );
    const between = constant(120, 0, 100);
    const cut = (input: EngineInput): EngineForecast => {
      const made = forecast('theta', { ...input, bounds: free(input.values.length + input.horizon) });
      const inside = (row: Float64Array): Float64Array => row.map((value) => Math.max(0, Math.min(100, value)));
      return { ...made, point: inside(made.point), quantiles: made.quantiles.map(inside) };
    };
    const limited = loss(share, between, (input, bounds) => within(input, bounds));
    assert.ok(limited < 1.01 * loss(share, between, cut), `${limited}`);
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

  it('round to whole numbers on request', () => {
    const values = Array.from({ length: 60 }, (_, i) => 3 + (i % 5) + (i % 3));
    const made = within(question(values), constant(72, 0.5, 8.5, true));
    for (const row of [made.point, ...made.quantiles]) {
      for (const value of row) assert.ok(Number.isInteger(value) && value >= 1 && value <= 8);
    }
  });

  it('keep counts and closed days at 0, and may be reached', () => {
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

describe('quantiles within bounds', () => {
  const rows = (...values: number[]) => ({
    levels: [0.1, 0.5, 0.9],
    rows: values.map((value) => Float64Array.of(value)),
  });
  const limited = (values: readonly number[], floor: number, capacity: number, whole = false): number[] =>
    bounded(rows(...values), { ...question([5], 1), bounds: constant(2, floor, capacity, whole) }).rows.map(([value]) => value); // prettier-ignore
  const near = (actual: readonly number[], expected: readonly number[]): void => {
    actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-9, `${actual.join(' ')}`));
  };

  it('approach a bound on a hyperbola within a fourth of the half width', () => {
    const soft = (value: number): number => (value + Math.hypot(value, 1)) / 2;
    // half of 8 to 16
    near(
      limited([8, 12, 16], -Infinity, 14),
      [8, 12, 16].map((value) => 14 - soft(14 - value)),
    );
    near(
      limited([8, 12, 16], 10, Infinity),
      [8, 12, 16].map((value) => 10 + soft(value - 10)),
    );
    near(limited([-3, 5, 50], -Infinity, Infinity), [-3, 5, 50]);
    near(limited([80, 84, 88], 0, 100), [80, 84, 88]);
  });

  it('collapse to a single allowed value, and are whole on request', () => {
    near(limited([1, 2, 3], 7, 7), [7, 7, 7]);
    near(limited([-8, 3.4, 5], 0.2, 9.7, true).slice(0, 2), [1, 3]);
    near(limited([2.3, 2.4, 2.5], 2.2, 2.8, true).map(Math.floor), [2, 2, 2]);
    for (const value of [1e300, 1e308])
      assert.ok(limited([-value, 5, value], 0, 10).every((one) => one >= 0 && one <= 10));
  });

  it('stay on the side of zero of all observations by default', () => {
    const plain = (value: number): number[] =>
      bounded(rows(-1, 0.5, 2), question([value], 1)).rows.map(([one]) => one + 0);
    assert.deepEqual([plain(1), plain(-1), plain(0)], [[0, 0.5, 2], [-1, 0, 0], [0, 0.5, 2]]); // prettier-ignore
  });
});

describe('folds', () => {
  it('respect the bounds of their own time', () => {
    const capacity = Float64Array.from({ length: 62 }, (_, i) => (i < 52 ? 20 : 12));
    const values = capacity.slice(0, 60).map((most, i) => most - 0.1 - (i % 3) / 10);
    const bounds = { floor: new Float64Array(62), capacity, whole: false };
    const { folds } = backtestFolds('theta', { ...question(values, 2), bounds })!;
    for (const { end, point, quantiles } of folds) {
      for (const row of [point, ...quantiles]) row.forEach((value, i) => assert.ok(value <= capacity[end + i]));
    }
  });
});

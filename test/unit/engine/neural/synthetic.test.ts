import assert from 'node:assert/strict';
import { countsOf, intermittent } from '../../../bench/training/synthetic-counts.ts';
import { changeRegime } from '../../../bench/training/synthetic-events.ts';
import { flow, machine, market, saturate } from '../../../bench/training/synthetic-processes.ts';
import { syntheticSeries } from '../../../bench/training/synthetic.ts';
import { Random } from '../../../bench/training/random.ts';

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('synthetic prior', () => {
  it('gives reproducible finite series with a history and a future on many calendars', () => {
    const [first, second] = [new Random(3), new Random(3)];
    const calendars = new Set<string>();
    let sparse = 0;
    for (let i = 0; i < 400; i++) {
      const { values, history, periods } = syntheticSeries(first);
      assert.deepEqual(syntheticSeries(second).values, values);
      assert.ok(history >= 4 && history < values.length && values.every(Number.isFinite));
      assert.ok(new Set(values.subarray(0, history)).size > 1);
      calendars.add(periods.join());
      if (values.filter((value) => value === 0).length > 0.6 * values.length) sparse++;
    }
    for (const known of ['', '4', '12', '24,168', '288,2016', '7,365.25', '52.18'])
      assert.ok(calendars.has(known), known);
    assert.ok(sparse > 4 && sparse < 100, String(sparse));
  });

  it('has whole, nonnegative counts and demand of all sizes', () => {
    const random = new Random(4);
    const means: number[] = [];
    for (let i = 0; i < 40; i++) {
      const z = Float64Array.from({ length: 300 }, () => random.normal());
      for (const counts of [countsOf(z, random), intermittent(300, random)]) {
        assert.ok(counts.every((value) => Number.isInteger(value) && value >= 0));
        means.push(mean(counts));
      }
    }
    assert.ok(Math.min(...means) < 0.3 && Math.max(...means) > 5);
  });

  it('has rivers that fall slowly, rise fast and stay finite', () => {
    const random = new Random(5);
    let [up, down] = [0, 0];
    for (let i = 0; i < 20; i++) {
      const river = flow(1000, [365.25], random);
      assert.ok(river.every((value) => value >= 0 && Number.isFinite(value)));
      river.forEach((value, k) => {
        if (k > 0 && value > river[k - 1]) up++;
        if (k > 0 && value < river[k - 1]) down++;
      });
    }
    assert.ok(down > 1.5 * up, `${down} down, ${up} up`);
  });

  it('has machines, markets, saturation and regimes of a plausible size', () => {
    const random = new Random(6);
    for (let i = 0; i < 30; i++) {
      const values = machine(300, random);
      const walk = market(300, random);
      assert.ok([...values, ...walk].every(Number.isFinite));
      const before = Float64Array.from(walk);
      saturate(walk, random);
      assert.ok(Math.max(...walk) <= Math.max(...before) && Math.min(...walk) >= Math.min(...before));
      const changed = Float64Array.from(before);
      changeRegime(changed, random);
      assert.equal(changed[0], before[0]);
    }
  });
});

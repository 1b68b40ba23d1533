import assert from 'node:assert/strict';
import { changesOver, characterOf, pastCharacter, tailsOf } from '../../../../src/engine/intervals/character.ts';
import { Random } from '../../../../src/engine/random.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { series, wave } from '../series-helper.ts';

const close = (actual: number, expected: number, tolerance = 1e-6) => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
};
const normal = (n: number, seed: number) => {
  const random = new Random(seed);
  return series(n, () => random.normal());
};
const walk = (steps: Float64Array) => {
  let level = 0;
  return steps.map((step) => (level += step));
};
const of = (values: Float64Array, periods: number[] = []) => {
  const [length, cycles, strength, wandering, tails, lately, overCycle, size, turns] = characterOf(
    prepareSeries(values, periods),
  );
  return { length, cycles, strength, wandering, tails, lately, overCycle, size, turns };
};

describe('the change over each number of steps', () => {
  it('of a line is its growth, and beyond half the history grows with the square root', () => {
    const changes = changesOver(
      series(40, (i) => 3 - 2 * i),
      80,
    );
    for (let step = 1; step <= 20; step++) close(changes[step - 1], 2 * step);
    for (let step = 21; step <= 80; step++) close(changes[step - 1], 40 * Math.sqrt(step / 20));
  });

  it('of one value or a constant is nothing', () => {
    assert.deepEqual([...changesOver(Float64Array.of(5), 3)], [0, 0, 0]);
    assert.deepEqual([...changesOver(new Float64Array(30).fill(5), 3)], [0, 0, 0]);
  });
});

describe('the character of a series', () => {
  it('tells what wanders from what returns', () => {
    const noise = normal(2000, 3);
    // Over eight steps a random walk goes √8 times as far as over one, and noise no farther.
    close(of(walk(noise)).wandering, 0, 0.15);
    close(of(noise).wandering, -0.5 * Math.log(8), 0.15);
  });

  it('tells heavy tails, also where the tail is not cut as a spike', () => {
    const steps = normal(1000, 5);
    const even = of(walk(steps.map(Math.sign))).tails;
    const ordinary = of(walk(steps)).tails;
    const heavy = of(walk(steps.map((step) => step * Math.abs(step)))).tails;
    close(even, -0.5, 1e-3);
    // Of normal steps the root mean square is √(π/2) times the mean.
    close(ordinary, Math.log(Math.PI / 2) - 0.5, 0.1);
    assert.ok(heavy > ordinary + 0.3, `${heavy}`);
  });

  it('tells how much more it has moved lately', () => {
    const steps = normal(200, 7).map((step, i) => Math.sign(step) * (i >= 150 ? 3 : 1));
    close(of(walk(steps)).lately, Math.log(3 / 1.5), 0.02);
    close(of(walk(steps.map(Math.sign))).lately, 0, 1e-6);
  });

  it('tells how evenly it moves', () => {
    const noise = normal(2000, 13);
    const even = walk(noise);
    // The turns of noise are √3 times as large as its steps, of a walk √2 times, and of what grows by a walk far smaller.
    close(of(noise).turns, Math.log(Math.sqrt(3 / 2)), 0.05);
    close(of(even).turns, 0, 0.05);
    assert.ok(of(walk(even)).turns < -2);
    assert.equal(of(series(40, (i) => 5 + i)).turns, -3);
    // a line between two observations is no evenness of the series, and a gap no turn
    const random = new Random(3);
    const holed = (values: Float64Array) => values.map((value, i) => (i % 400 && random.uniform() < 0.5 ? NaN : value));
    close(of(holed(even)).turns, 0, 0.15);
    assert.equal(of(holed(series(400, (i) => 5 + i))).turns, -3);
    assert.equal(of(new Float64Array(40).fill(2)).turns, -Math.log(Math.SQRT2));
  });

  it('tells its length in points and cycles, and its season', () => {
    const { length, cycles, strength, overCycle } = of(
      series(120, (i) => 50 + 10 * wave(i, 12)),
      [12],
    );
    close(length, Math.log(120 / 50));
    close(cycles, 0);
    assert.ok(strength > 0.95);
    assert.equal(overCycle, -3);
    const plain = of(normal(120, 9));
    assert.equal(plain.strength, 0);
    assert.equal(plain.overCycle, 0);
  });

  it('is the same in other units, and numbers within bounds for the oddest series', () => {
    const values = walk(normal(100, 11)).map((value) => 100 + value);
    const [one, other] = [of(values), of(values.map((value) => 7.3 * value))];
    for (const [name, value] of Object.entries(one)) close(other[name as keyof typeof one], value, 1e-6);
    for (const odd of [Float64Array.of(4), new Float64Array(20), series(9, (i) => (i === 4 ? 1e50 : 0))]) {
      for (const [name, value] of Object.entries(of(odd))) assert.ok(Math.abs(value) <= 3, `${name}: ${value}`);
    }
  });
});

describe('the tails of changes over half the horizon', () => {
  const tails = (values: Float64Array, horizon = 8) => tailsOf(prepareSeries(values, []), horizon);
  const steps = normal(3000, 17);
  /** Those of a normal distribution, whose 95 % of the middle reach 1.96 and 80 % 1.28 times its deviation. */
  const ordinary = Math.log(1.96 / 1.2816) - 0.63;

  it('are heavier where few changes are far larger than the others', () => {
    close(tails(walk(steps)), ordinary, 0.1);
    close(tails(steps), ordinary, 0.1);
    const floods = walk(steps.map((step, i) => step * (Math.floor(i / 8) % 10 === 0 ? 4 : 1)));
    assert.ok(tails(floods) > ordinary + 0.3, `${tails(floods)}`);
    // Each is as large as the other.
    assert.ok(tails(series(200, (i) => i % 2)) < ordinary);
  });

  it('are the same in other units, of what was seen alone, and within bounds for the oddest series', () => {
    const values = walk(steps).map((value) => 300 + value);
    close(tails(values.map((value) => 7.3 * value)), tails(values), 1e-6);
    // a line over a gap hardly moves: counted as changes, its steps would make those of the others a heavy tail
    const holed = values.subarray(0, 1000).map((value, i) => (i >= 300 && i < 900 ? NaN : value));
    close(tails(holed), ordinary, 0.15);
    const rare = series(200, (i) => (i % 20 === 0 ? i : 0));
    for (const odd of [Float64Array.of(4), new Float64Array(20), Float64Array.of(4, NaN, 5), rare]) {
      for (const horizon of [1, 30]) assert.ok(tails(odd, horizon) >= -0.63 && tails(odd, horizon) <= 1);
    }
  });
});

describe('what errors of the past tell', () => {
  it('is how large their upper fifth is beside the bands, and the same for any unit of both', () => {
    const rows = [series(10, (i) => (i % 2 === 0 ? 1 : -1) * (i + 1)), series(10, (i) => i + 1)];
    const one = pastCharacter(rows, new Float64Array(10).fill(8));
    // Of two of each of 1 to 10, the sixteenth is an 8, just as wide as the band.
    close(one[0], Math.log(1.05));
    const other = pastCharacter(
      rows.map((row) => row.map((value) => 1000 * value)),
      new Float64Array(10).fill(8000),
    );
    other.forEach((value, i) => {
      close(value, one[i]);
    });
    const doubled = pastCharacter(rows, new Float64Array(10).fill(4));
    close(doubled[0], Math.log(2.05));
  });

  it('tells few large errors by the other numbers, and nothing where nothing was observed', () => {
    const even = pastCharacter([new Float64Array(40).fill(1)], new Float64Array(40).fill(1));
    const odd = pastCharacter([series(40, (i) => (i < 4 ? 9 : 1))], new Float64Array(40).fill(1));
    close(odd[0], even[0]);
    assert.ok(odd[1] > even[1] + 1 && odd[2] > even[2] + 0.3, `${odd} beside ${even}`);
    assert.deepEqual(pastCharacter([], new Float64Array(3)), [0, 0, 0]);
    assert.deepEqual(pastCharacter([new Float64Array(3).fill(Number.NaN)], new Float64Array(3).fill(1)), [0, 0, 0]);
    // Errors over more steps than are asked for, and bands of no width.
    assert.deepEqual(pastCharacter([Float64Array.of(0, 5)], new Float64Array(1)), [0, 0, 0]);
  });
});

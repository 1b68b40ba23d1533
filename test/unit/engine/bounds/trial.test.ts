import assert from 'node:assert/strict';
import type { Bounds } from '../../../../src/engine/bounds/bounds.ts';
import { bendOf, usual } from '../../../../src/engine/bounds/trial.ts';
import { Random } from '../../../../src/engine/random.ts';
import type { EngineInput } from '../../../../src/engine/types.ts';
import { around, constant, question } from './within.ts';

const random = new Random(8);
const middling = Float64Array.from({ length: 40 }, () => 50 + random.normal());

describe('how a forecast is bent within bounds', () => {
  it('is the usual way for a series too short to try others on', () => {
    for (const length of [2, 15]) {
      assert.equal(bendOf(question(middling.slice(0, length)), constant(length + 4, 0, 100), around(1), true), usual);
    }
  });

  it('is the usual way where no bound is near, so that all ways are alike', () => {
    assert.equal(bendOf(question(middling), constant(44, 0, 100), around(1), false), usual);
  });

  it('is cut off where values often lie on the bound itself', () => {
    const piled = Float64Array.from({ length: 48 }, (_, i) => (i % 2 === 0 ? 10 : 9));
    assert.equal(bendOf(question(piled), constant(52, -Infinity, 10), around(1), false).sharpness, Infinity);
    const seldom = piled.map((value, i) => (value === 10 && i !== 20 ? 9.99 : value));
    assert.ok(Number.isFinite(bendOf(question(seldom), constant(52, -Infinity, 10), around(1), false).sharpness));
  });

  it('is tried on the last origins only, each without what came after', () => {
    const asked: EngineInput[] = [];
    bendOf(question(middling), constant(44, 0, 100), around(1, asked), false);
    assert.deepEqual(
      asked.map(({ values, horizon }) => [values.length, horizon]),
      [[36, 4], [32, 4], [28, 4], [24, 4]], // prettier-ignore
    );
    asked.forEach(({ values }) => assert.deepEqual(values, middling.slice(0, values.length)));
  });

  it('is by odds only where both sides are bounded, and it may be', () => {
    const calls = (bounds: Bounds, canBend: boolean): number => {
      const asked: EngineInput[] = [];
      bendOf(question(middling), bounds, around(1, asked), canBend);
      return asked.length;
    };
    assert.equal(calls(constant(44, 0, 100), true), 8);
    assert.equal(calls(constant(44, 0, 100), false), 4);
    assert.equal(calls(constant(44, 0, Infinity), true), 4);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { forecast } from '../../../src/engine/forecast.ts';
import { baseModels } from '../../../src/engine/models.ts';
import type { EngineInput } from '../../../src/engine/types.ts';
import { backtest } from './series-helper.ts';

const levels = [0.005, 0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975, 0.995];

const ordinary = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const count = fc.integer({ min: 0, max: 6 }).map((value) => Math.max(0, value - 3));
const wild = fc.oneof(
  ordinary,
  count,
  fc.constantFrom(Number.NaN, Infinity, -Infinity, 0, -0, 5e-324, 1e300, -1e300, Number.MAX_VALUE, -Number.MAX_VALUE),
  fc.double(),
);
const periods = fc.constantFrom<number[]>([], [4], [12], [7, 365.25], [52.18], [24, 168], [2, 3], [1], [0.5, 5.3]);
const model = fc.constantFrom(...baseModels.map(({ id }) => id));

/** Any numbers with a finite one among them, as they may come from a file. */
const wildInput: fc.Arbitrary<EngineInput> = fc
  .record({
    values: fc.oneof(
      fc.array(wild, { minLength: 1, maxLength: 90 }),
      fc.array(ordinary, { minLength: 1, maxLength: 200 }),
      fc.array(count, { minLength: 1, maxLength: 90 }),
      fc.tuple(ordinary, fc.integer({ min: 1, max: 90 })).map(([value, n]) => new Array<number>(n).fill(value)),
    ),
    periods,
    horizon: fc.integer({ min: 1, max: 40 }),
    levels: fc.constant(levels),
  })
  .filter(({ values }) => values.some(Number.isFinite))
  .map((input) => ({ ...input, values: Float64Array.from(input.values) }));

describe('forecast of any series', () => {
  it('is finite with quantiles that never cross', () => {
    fc.assert(
      fc.property(model, wildInput, (id, input) => {
        const { point, quantiles } = forecast(id, input);
        assert.equal(point.length, input.horizon);
        assert.ok(point.every(Number.isFinite), `point ${point.join()}`);
        quantiles.forEach((quantile, k) => {
          assert.equal(quantile.length, input.horizon);
          assert.ok(quantile.every(Number.isFinite), `level ${levels[k]}: ${quantile.join()}`);
          if (k > 0) quantile.forEach((value, i) => assert.ok(value >= quantiles[k - 1][i], `level ${levels[k]}`));
        });
        quantiles[4].forEach((value, i) => assert.equal(value, point[i]));
      }),
      { numRuns: 400 },
    );
  });

  it('is deterministic and does not change its input', () => {
    fc.assert(
      fc.property(model, wildInput, (id, input) => {
        const before = Float64Array.from(input.values);
        const first = forecast(id, input);
        assert.deepEqual(input.values, before);
        assert.deepEqual(forecast(id, { ...input, values: before }), first);
      }),
      { numRuns: 100 },
    );
  });

  it('stays on the side of zero of all values', () => {
    fc.assert(
      fc.property(model, wildInput, fc.boolean(), (id, input, negative) => {
        const sign = negative ? -1 : 1;
        const values = input.values.map((value) => sign * Math.abs(value));
        fc.pre(values.some((value) => value !== 0 && Number.isFinite(value)));
        const { point, quantiles } = forecast(id, { ...input, values });
        for (const row of [point, ...quantiles]) assert.ok(row.every((value) => sign * value >= 0));
      }),
      { numRuns: 200 },
    );
  });

  it('is equivariant under scale', () => {
    fc.assert(
      fc.property(
        model,
        fc.array(fc.double({ min: -1000, max: 1000, noNaN: true }), { minLength: 1, maxLength: 80 }),
        periods,
        fc.constantFrom(2 ** -20, 0.5, 4, 2 ** 30),
        (id, values, candidates, factor) => {
          const question = { periods: candidates, horizon: 6, levels };
          const rounded = Float64Array.from(values, (value) => Math.round(value * 1e6) / 1e6);
          fc.pre(rounded.some((value) => value !== 0));
          const base = forecast(id, { ...question, values: rounded });
          const scaled = forecast(id, { ...question, values: rounded.map((value) => value * factor) });
          assert.deepEqual(
            scaled.point,
            base.point.map((value) => value * factor),
          );
          assert.deepEqual(
            scaled.quantiles,
            base.quantiles.map((quantile) => quantile.map((value) => value * factor)),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is equivariant under sign', () => {
    fc.assert(
      fc.property(
        model,
        fc.array(fc.double({ min: 0.001, max: 1000, noNaN: true }), { minLength: 1, maxLength: 80 }),
        periods,
        (id, values, candidates) => {
          const question = { periods: candidates, horizon: 6, levels: [0.1, 0.5, 0.9] };
          const up = forecast(id, { ...question, values: Float64Array.from(values) });
          const down = forecast(id, { ...question, values: Float64Array.from(values, (value) => -value) });
          assert.deepEqual(
            down.point,
            up.point.map((value) => -value),
          );
          assert.deepEqual(
            down.quantiles[0],
            up.quantiles[2].map((value) => -value),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('backtest of any series', () => {
  it('has coverage between 0 and 1 and nonnegative errors', () => {
    fc.assert(
      fc.property(model, wildInput, (id, input) => {
        const result = backtest(id, input);
        if (!result) return;
        for (const share of [result.coverage80, result.coverage95]) assert.ok(share >= 0 && share <= 1);
        assert.ok(result.smape >= 0 && result.smape <= 200);
        for (const error of [result.mase, result.maseSeasonalNaive]) assert.ok(Number.isNaN(error) || error >= 0);
        assert.ok(result.origins >= 1 && result.horizon >= 1 && result.horizon <= input.horizon);
      }),
      { numRuns: 200 },
    );
  });
});

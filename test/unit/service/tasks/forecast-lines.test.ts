import assert from 'node:assert/strict';
import { forecastLines } from '../../../../src/service/tasks/stream.ts';

interface Answer {
  readonly prediction_series: readonly { readonly timestamp: string; readonly value: number }[];
}

describe('stream line with future covariates', () => {
  const promo = (day: number): number => (Math.sin(day * day) > 0.5 ? 1 : 0);
  const day = (index: number, withPromo: boolean) => ({
    timestamp: new Date(Date.UTC(2024, 0, 1 + index)).toISOString(),
    value: index < 120 ? 100 + 60 * promo(index) + ((index * 7919) % 13) / 4 : null,
    ...(withPromo ? { metadata: { covariates: { promo: promo(index) } } } : {}),
  });

  const bytesOf = (line: object) => new TextEncoder().encode(JSON.stringify(line)) as Uint8Array<ArrayBuffer>;

  const answer = (points: readonly object[], bounds?: object): Answer =>
    JSON.parse(
      new TextDecoder().decode(
        forecastLines({
          bytes: bytesOf({ id: 'a', series: points, bounds }),
          firstLine: 1,
          model: 'hybrid',
          levels: [],
        }),
      ),
    ) as Answer;

  it('is forecast from its last value as far as covariates are known', () => {
    const points = Array.from({ length: 131 }, (_, index) => day(index, true));
    const { prediction_series: steps } = answer(points);
    assert.equal(steps.length, 11);
    assert.equal(Date.parse(steps[0].timestamp), Date.UTC(2024, 0, 121));
    steps.forEach(({ value }, step) => assert.ok(Math.abs(value - 102 - 60 * promo(120 + step)) < 20, `${step}`));
    const without = answer(Array.from({ length: 120 }, (_, index) => day(index, false))).prediction_series;
    assert.ok(steps.some(({ value }, step) => Math.abs(value - without[step].value) > 15));
  });

  it('may have any number of one-digit values', () => {
    const values = Array.from({ length: 600_000 }, (_, index) => index % 7);
    const task = { firstLine: 1, model: 'seasonal-naive', levels: [], horizon: 1 };
    const text = new TextDecoder().decode(forecastLines({ ...task, bytes: bytesOf({ id: 'a', values }) }));
    assert.equal((JSON.parse(text) as Answer).prediction_series.length, 1);
  });

  it('respects bounds, also from a column', () => {
    const points = Array.from({ length: 131 }, (_, index) => day(index, true));
    const { prediction_series: steps } = answer(points, { floor: 110, capacity: 130, whole: true });
    assert.ok(steps.every(({ value }) => Number.isInteger(value) && value >= 110 && value <= 130));
    const seats = points.map((point) => ({ ...point, metadata: { covariates: { seats: 101 } } }));
    const { prediction_series: seated } = answer(seats, { capacity: 'seats' });
    assert.equal(seated.length, 11);
    assert.ok(seated.every(({ value }) => value <= 101));
  });
});

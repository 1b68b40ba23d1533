import { said } from '../said.ts';
import assert from 'node:assert/strict';
import type { Backtest, LocalPrediction, SeriesPoint } from '../../../../src/contract/resources.ts';
import { LocalService } from '../local-service.ts';

const day = (i: number): string => new Date(Date.UTC(2024, 0, 1 + i)).toISOString();
const seats = (i: number): number => (Math.floor(i / 25) % 2 === 0 ? 100 : 60);
const sold = (i: number): number => seats(i) - 3 - ((i * i) % 7);

/** Seats that are sold each day, with how many there are, also of the next ten days. */
const series = (ahead = 10) =>
  Array.from({ length: 150 + ahead }, (_, i) => ({
    timestamp: day(i),
    value: i < 150 ? sold(i) : null,
    metadata: { covariates: { seats: seats(i) } },
  }));
const plain = Array.from({ length: 60 }, (_, i) => ({ timestamp: day(i), value: ((i * 13) % 10) + 0.5 }));

function rowsOf(points: readonly SeriesPoint[]): number[][] {
  return points.map(({ value, metadata }) => [value!, ...Object.values(metadata!.quantiles as Record<string, number>)]);
}

describe('bounds of a prediction', () => {
  const local = new LocalService();
  const make = async (body: object): Promise<LocalPrediction> => {
    const answer = await local.call<LocalPrediction>('POST', '/predictions', { ai_model_id: 'theta', ...body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };

  it('limit the forecast and its quantiles, and stand in its details', async () => {
    const { prediction_series: points, details } = await make({ series: plain, bounds: { floor: 2, capacity: 8 } });
    for (const row of rowsOf(points!)) {
      assert.ok(
        row.every((value) => value >= 2 && value <= 8),
        row.join(),
      );
      assert.ok(
        row.slice(2).every((value, l) => value > row[l + 1]),
        row.join(),
      );
    }
    assert.deepEqual(details!.bounds, { floor: 2, capacity: 8, not_negative: true });
  });

  it('may be a column, which is then no covariate, and of whole numbers', async () => {
    const made = await make({ series: series(), bounds: { capacity: 'seats', whole: true } });
    const points = made.prediction_series!;
    assert.equal(points.length, 10);
    rowsOf(points).forEach((row, i) => {
      assert.ok(
        row.every((value) => Number.isInteger(value) && value >= 0 && value <= seats(150 + i)),
        row.join(),
      );
    });
    assert.equal(made.details!.covariates, undefined);
    const { body } = await local.call<Backtest>('GET', `/predictions/${made.id}/backtest`);
    for (const { points: steps } of body.folds) {
      for (const { timestamp, value, quantiles } of steps) {
        const most = seats((Date.parse(timestamp) - Date.parse(day(0))) / 86_400_000);
        assert.ok([value, ...Object.values(quantiles ?? {})].every((each) => each <= most && Number.isInteger(each)));
      }
    }
  });

  it('allow negative values only on request', async () => {
    const falling = Array.from({ length: 40 }, (_, i) => ({ timestamp: day(i), value: 40 - i + ((i * 7) % 3) }));
    const least = async (bounds?: object): Promise<number> =>
      Math.min(...rowsOf((await make({ series: falling, bounds })).prediction_series!).flat());
    assert.equal(await least(), 0);
    assert.ok((await least({ not_negative: true })) > 0);
    assert.ok((await least({ not_negative: false })) < -5);
  });

  it('are refused if contradictory or meaningless', async () => {
    for (const bounds of [{ floor: 5, capacity: 5 }, { ceiling: 3 }, { floor: '' }, 7]) {
      const { status } = await local.call('POST', '/predictions', { series: plain, bounds });
      assert.equal(status, 422, JSON.stringify(bounds));
    }
    const { body } = await local.call<LocalPrediction>('POST', '/predictions', {
      series: plain,
      bounds: { capacity: 'seats' },
    });
    assert.equal(body.status, 'FAILED');
    assert.match(said(body.error), /“seats” is not a numeric covariate/);
  });
});

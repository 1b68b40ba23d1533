import assert from 'node:assert/strict';
import { cardOf, sparkline } from '../../../../../src/editor/views/tree/rows.ts';
import { describeEntry, shortLabel } from '../../../../../src/editor/views/tree/kinds.ts';

const now = Date.parse('2026-11-02T12:00:00Z');
const item = {
  id: 'prediction_123456',
  status: 'COMPLETED',
  ai_model_id: 'ensemble',
  created_at: '2026-11-02T11:58:00Z',
  prediction_length: 2,
  details: {
    frequency: 'P1M',
    seasonal_periods: [12],
    backtest: { origins: 3, horizon: 2, skill: 0.31, coverage80: 0.82 },
  },
};
const at = (month: number, value: number) => ({ timestamp: new Date(Date.UTC(2024, month, 1)).toISOString(), value });
const read = { ...item, input_series: [at(0, 1), at(1, 2)], prediction_series: [at(2, 3), at(3, 4)] };
const entry = { kind: 'prediction', id: item.id, item, note: { label: 'retail-long.csv · North, store 12' } } as const;

describe('the card of an entry', () => {
  it('is for people: score in words, how long ago, a drawing, and no ids', () => {
    const card = cardOf(entry, now, read);
    assert.equal(card.title, 'retail-long.csv · North, store 12');
    assert.equal(card.lines[0], 'ensemble · 2 months · 2 min ago');
    assert.match(card.lines[1], /31% better than the seasonal naive baseline/);
    assert.match(card.drawing!, /^<svg xmlns.*(<polyline.*){2}<\/svg>$/);
    assert.doesNotMatch(JSON.stringify(card), /prediction_123456|2026-11-02T/);
  });

  it('says why a forecast failed', () => {
    const failed = { ...entry, item: { ...item, status: 'FAILED', error: '2 points, needs 3' } };
    assert.match(cardOf(failed, now).lines.join(), /Reason: 2 points, needs 3/);
  });

  it('draws one point, a constant and gaps', () => {
    const points = (...values: number[]) => ({
      times: Float64Array.from(values.keys()),
      values: Float64Array.from(values),
    });
    for (const [past, ahead] of [
      [[], [1]],
      [[5, 5], [5]],
      [
        [1, NaN, 3],
        [NaN, 2],
      ],
    ] as const)
      // prettier-ignore
      assert.doesNotMatch(sparkline(points(...past), points(...ahead)), /NaN|Infinity/);
  });
});

describe('labels of the side bar', () => {
  it('leave room for model and horizon: long ones lose their middle', () => {
    const label = shortLabel('retail-long.csv · North, store 12');
    assert.ok(label.length <= 26, label);
    assert.match(label, /^retail.*….*store 12$/);
    assert.equal(shortLabel('air-passengers.csv'), 'air-passengers.csv');
    assert.equal(describeEntry(entry, now).name, 'retail-long.csv · North, store 12');
  });
});

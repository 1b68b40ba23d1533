import assert from 'node:assert/strict';
import { partsView } from '../../../../../src/editor/views/analysis/parts-view.ts';

const timestamps = Array.from({ length: 6 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)).toISOString());
const told = (values: (number | null)[], names: string[]) =>
  partsView(
    { prediction_id: 'p', timestamps, forecast_from: 4, parts: [{ kind: 'covariate', names, values }] },
    undefined,
  );

describe('parts of a forecast with covariates', () => {
  it('are told by what each adds and takes away', () => {
    assert.deepEqual(told([0, 61.2, 0, 0, 60, null], ['promo']).sentences, ['promo adds up to 61']);
    assert.deepEqual(told([0, -5, 0.1, 0, -4, 0], ['price']).sentences, ['price takes up to 5 away']);
    assert.deepEqual(told([3, -5, 0, 0, -4, 2], ['a', 'b', 'c', 'd', 'e']).sentences, [
      'a, b, c and 2 more adds up to 3 and takes up to 5 away',
    ]);
  });

  it('have the names of their columns, and move around zero', () => {
    const [part] = told([0, 61.2, 0, 0, 60, 0], ['promo']).parts;
    assert.deepEqual([part.label, part.isAroundZero, [...part.forecast.values]], ['promo', true, [60, 0]]);
  });
});

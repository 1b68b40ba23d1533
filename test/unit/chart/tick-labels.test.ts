import assert from 'node:assert/strict';
import { placeLabels } from '../../../src/chart/axes.ts';

const widthOf = (text: string) => 6 * text.length;
const place = (labels: Parameters<typeof placeLabels>[0]) => placeLabels(labels, widthOf, { min: 0, max: 400 });

describe('labels of the time axis', () => {
  it('move inward at the edges, so that none is cut', () => {
    const [first, last] = place([
      { at: 12, label: '09:00', context: '27 Jul 2023' },
      { at: 398, label: '18:00', context: '27 Jul 2023' },
    ]);
    assert.deepEqual(first, { at: 33, label: '09:00', context: '27 Jul 2023' });
    assert.deepEqual(last, { at: 385, label: '18:00', context: undefined });
  });

  it('are left out if they would touch; the next one has their second line', () => {
    const labels = [
      { at: 5, label: '31 Dec', context: '2020' },
      { at: 40, label: '1 Jan', context: '2021' },
      { at: 90, label: '2 Jan', context: '2021' },
    ];
    assert.deepEqual(place(labels), [
      { at: 18, label: '31 Dec', context: '2020' },
      { at: 90, label: '2 Jan', context: '2021' },
    ]);
  });

  it('are absent if none fits', () => {
    assert.deepEqual(placeLabels([{ at: 10, label: 'too long' }], widthOf, { min: 0, max: 20 }), []);
  });
});

import assert from 'node:assert/strict';
import type { Anomaly } from '../../../../../src/contract/resources.ts';
import { anomaliesView } from '../../../../../src/editor/views/chart/analyses.ts';
import { predictionOf, useWindow } from '../panels.ts';

const point = (more: Partial<Anomaly> = {}): Anomaly => ({ timestamp: '2024-01-04T00:00:00Z', value: 30, expected: 3, scale: 5, rarity: 4000, sign: 'spike', ...more }); // prettier-ignore
const WAYS = [{ id: 'mark', label: 'Mark in the File' }];

describe('view of anomalies', () => {
  useWindow();
  const view = (...points: Anomaly[]) => anomaliesView({ points, rarity: 1000, judged: 1234 }, predictionOf('p1'), WAYS); // prettier-ignore

  it('counts anomalies in a sentence', () => {
    assert.equal(view().sentence, 'Anomalies among 1,234 observations: 0 (threshold: 1 in 1,000 by chance).');
    assert.equal(view(point()).sentence, 'Anomalies among 1,234 observations: 1 (threshold: 1 in 1,000 by chance).');
    assert.equal(
      view(point(), point()).sentence,
      'Anomalies among 1,234 observations: 2 (threshold: 1 in 1,000 by chance).',
    );
  });

  it('describes how rare an anomaly is, its distance and its kind', () => {
    assert.equal(view(point()).points[0].about, '1 in 4,000 · 5.4 times the usual deviation');
    assert.match(view(point({ sign: 'stretch' })).points[0].about, / · end of unusual movement$/);
    assert.match(view(point({ sign: 'level' })).points[0].about, / · away from the usual level$/);
    assert.match(
      view(point({ scale: 0 })).points[0].about,
      /0\.0 times/,
      'no distance is usual: nothing is divided by it',
    );
  });

  it('gives the time of each anomaly, and the number of later observations', () => {
    const [found] = view(point({ timestamp: '2024-01-04T00:00:01Z' })).points;
    assert.deepEqual([found.time, found.after], [Date.UTC(2024, 0, 4), 6]);
    const bare = anomaliesView({ points: [point()], rarity: 1000, judged: 1 }, { id: 'p', status: 'COMPLETED' }, WAYS);
    assert.equal(bare.points[0].time, Date.UTC(2024, 0, 4), 'its own where the series is not there');
  });

  it('offers to mark or leave out anomalies where that is possible', () => {
    assert.deepEqual([view(point()).actions, view().actions, view().rarity], [WAYS, [], 1000]);
  });
});

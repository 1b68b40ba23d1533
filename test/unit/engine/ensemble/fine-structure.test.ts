import assert from 'node:assert/strict';
import { averaged, fineStructure, smoothed } from '../../../../src/engine/ensemble/fine-structure.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { noise, series, wave } from '../series-helper.ts';

const day = 96;
const random = noise(17);
/** Quarters of an hour with noise, and so much of a job at every third. */
function jobs(height: number) {
  const next = noise(18);
  return prepareSeries(
    series(5 * day, (i) => 100 + 30 * wave(i, day) + 10 * next() + (i % 3 === 0 ? height : 0)),
    [day, 7 * day],
  );
}

describe('what of the fine structure is kept', () => {
  it('is the more, the more of it repeats from day to day', () => {
    const keeps = [0, 2, 2.5, 40].map((height) => fineStructure(jobs(height))?.keep ?? 1);
    assert.equal(keeps[0], 0);
    assert.ok(keeps[1] < keeps[2] && keeps[1] > 0 && keeps[2] < 1, `${keeps}`);
    assert.equal(keeps[3], 1);
  });

  it('is looked at within half an hour to each side, by days of whole numbers of steps', () => {
    assert.equal(fineStructure(jobs(0))!.reach, 2);
    const minutes = prepareSeries(
      series(3000, () => 50 + random()),
      [60, 1440],
    );
    assert.equal(fineStructure(minutes)!.reach, 30);
    const broken = prepareSeries(
      series(5 * day, () => 50 + random()),
      [95.5],
    );
    assert.equal(fineStructure(broken), undefined);
  });
});

describe('a forecast that is smoothed', () => {
  const rough = series(60, (i) => 10 + 0.5 * i + random());

  it('lies between itself and its mean over neighbours, by the share that is kept', () => {
    const coarse = averaged(rough, 4);
    for (const keep of [0, 0.25, 1]) {
      smoothed(rough, { reach: 4, keep }).forEach((value, i) => {
        assert.ok(Math.abs(value - coarse[i] - keep * (rough[i] - coarse[i])) < 1e-9);
      });
    }
  });

  it('keeps its ends and its length, also where it is shorter than the reach', () => {
    for (const length of [1, 2, 5, 60]) {
      const result = smoothed(rough.subarray(0, length), { reach: 10, keep: 0 });
      assert.equal(result.length, length);
      assert.ok(Math.abs(result[0] - rough[0]) < 1e-9);
      assert.ok(Math.abs(result[length - 1] - rough[length - 1]) < 1e-9);
    }
  });
});

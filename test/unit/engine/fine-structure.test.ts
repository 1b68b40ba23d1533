import assert from 'node:assert/strict';
import { averaged, fineStructure } from '../../../src/engine/ensemble/fine-structure.ts';
import { forecast } from '../../../src/engine/forecast.ts';
import { prepareSeries } from '../../../src/engine/prepare/series.ts';
import { noise, series, wave } from './series-helper.ts';

const day = 288;
const clean = (i: number): number => 100 + 30 * wave(i, day);

function noisy(length: number): Float64Array {
  const next = noise(11);
  return series(length, (i) => clean(i) + 20 * next());
}

function roughness(values: Float64Array): number {
  let sum = 0;
  for (let i = 1; i < values.length; i++) sum += Math.abs(values[i] - values[i - 1]);
  return sum / (values.length - 1);
}

describe('the fine structure of a long cycle', () => {
  it('is noise where it does not repeat, and then neither the median nor the bands have it', () => {
    const values = noisy(4 * day);
    assert.equal(fineStructure(prepareSeries(values, [day, 7 * day]))?.keep, 0);
    const levels = [0.1, 0.5, 0.9];
    const { point, quantiles } = forecast('hybrid', { values, periods: [day, 7 * day], horizon: 96, levels });
    for (const row of [point, ...quantiles]) assert.ok(roughness(row) < 1.2, `${roughness(row)}`);
    const error = point.reduce((sum, value, i) => sum + Math.abs(value - clean(4 * day + i)) / 96, 0);
    assert.ok(error < 4, `${error}`);
  });

  it('is the same in sample paths', () => {
    const asked = { values: noisy(3 * day), periods: [day], horizon: 24, levels: [0.1, 0.9] };
    const exact = forecast('hybrid', asked).quantiles;
    const sampled = forecast('hybrid', { ...asked, samples: 400 }).quantiles;
    for (const k of [0, 1]) for (let i = 0; i < 24; i++) assert.ok(Math.abs(exact[k][i] - sampled[k][i]) < 8);
  });

  it('is kept where it repeats, as a job that runs every hour', () => {
    const next = noise(12);
    const jobs = series(4 * day, (i) => 50 + (i % 12 === 0 ? 40 : 0) + next());
    assert.equal(fineStructure(prepareSeries(jobs, [day, 7 * day])), undefined);
  });

  it('is not looked for where cycles are short, or hardly one was seen', () => {
    const next = noise(13);
    const hourly = series(500, () => next());
    assert.equal(fineStructure(prepareSeries(hourly, [24, 168])), undefined);
    assert.equal(fineStructure(prepareSeries(noisy(day + 40), [day])), undefined);
  });
});

describe('averaging over neighbours', () => {
  it('takes as many before as after, and leaves a line and its ends alone', () => {
    const line = series(20, (i) => 3 * i);
    averaged(line, 4).forEach((value, i) => assert.ok(Math.abs(value - line[i]) < 1e-9));
    const spike = series(7, (i) => (i === 3 ? 7 : 0));
    assert.deepEqual([...averaged(spike, 3)], [0, 0, 7 / 5, 1, 7 / 5, 0, 0]);
  });
});

import assert from 'node:assert/strict';
import { fingerprintOf } from '../../../../src/editor/files/series-file.ts';

const series = (values: number[], from = 0) => ({
  times: Float64Array.from(values, (_, index) => from + index),
  values: Float64Array.from(values),
});

describe('fingerprint of a series', () => {
  it('is that of its numbers, wherever they lie in memory', () => {
    const long = Float64Array.of(9, 1, NaN, 3);
    const part = { times: series([1, NaN, 3]).times, values: long.subarray(1) };
    assert.equal(fingerprintOf(part), fingerprintOf(series([1, NaN, 3])));
  });

  it('changes with a value, a time or the length', () => {
    const all = [series([1, 2, 3]), series([1, 2, 4]), series([1, 2, 3], 1), series([1, 2, 3, 4]), series([1, 2, NaN])];
    assert.equal(new Set(all.map(fingerprintOf)).size, all.length);
  });

  it('is that of the points that are sent of a very long series', () => {
    const values = Array.from({ length: 50_010 }, (_, index) => index);
    const changed = [-1, ...values.slice(1)];
    assert.equal(fingerprintOf(series(changed)), fingerprintOf(series(values)));
  });
});

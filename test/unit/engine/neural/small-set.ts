import { stepFeatureCount, windowFeatureCount } from '../../../../src/engine/neural/features.ts';
import { outputWidth } from '../../../../src/engine/neural/model.ts';
import { Random } from '../../../../src/engine/random.ts';
import { trainingWindow } from '../../../../src/engine/neural/training.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';

export const steps = 3;
/** The steps that are asked for. */
export const ahead = Int32Array.of(1, 4, 2);
const random = new Random(12);
export const values = Float64Array.from({ length: 40 }, (_, i) => 50 + i + 4 * random.normal());
export const series = prepareSeries(values, []);
/** A net as small as one can be. */
export const shape = {
  windowFeatures: windowFeatureCount,
  stepFeatures: stepFeatureCount,
  encoder: [8, 8],
  head: [8, 8],
  outputs: outputWidth,
  nets: 1,
} as const;

/** Windows that end at each of these places. */
export const setOf = (ends: readonly number[]): Float32Array[] =>
  ends.map((end) => trainingWindow(series, end, ahead, series.values.subarray(end)));

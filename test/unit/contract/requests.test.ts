import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { CreateDataset, CreateFineTunedModel, CreatePrediction } from '../../../src/contract/requests.ts';

/** Where a schema finds fault, by the fields on the way. */
const faults = (schema: z.core.$ZodType, body: unknown) => {
  const { error } = z.safeParse(schema, body);
  return (error?.issues ?? []).map(({ path }) => path.join('.'));
};
const series = [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }];

describe('request limits', () => {
  it('of a prediction include the limits themselves, null fields and unknown fields', () => {
    for (const body of [
      { series_id: 'series_1', series: null },
      { series, name: null, bounds: null, colour: 'red' },
      { series, prediction_length: 1, fine_tuning_epochs: 0 },
      { series, prediction_length: 10_000, fine_tuning_epochs: 1000, name: '🚲'.repeat(200) },
      { series: [{ timestamp: 'x', value: null, metadata: { covariates: { open: true, day: 'mon', t: null } } }] },
      { series, bounds: { floor: 0, capacity: 'places', whole: true } },
    ])
      assert.deepEqual(faults(CreatePrediction, body), [], JSON.stringify(body).slice(0, 100));
  });

  it('of a prediction are refused with the path of the error', () => {
    for (const [body, place] of [
      [{}, 'series'],
      [{ series, series_id: 'series_1' }, 'series'],
      [{ series: [] }, 'series'],
      [{ series: [...series, { value: 2 }] }, 'series.1.timestamp'],
      [{ series: [{ timestamp: 'x', value: 'many' }] }, 'series.0.value'],
      [{ series: [{ timestamp: 'x', metadata: { covariates: { t: [1] } } }] }, 'series.0.metadata.covariates.t'],
      [{ series, prediction_length: 0 }, 'prediction_length'],
      [{ series, prediction_length: 1.5 }, 'prediction_length'],
      [{ series, quantile_levels: [0.5, 1] }, 'quantile_levels.1'],
      [{ series, name: 'x'.repeat(201) }, 'name'],
      [{ series, bounds: { floor: 5, capacity: 5 } }, 'bounds'],
      [{ series, bounds: { ceiling: 5 } }, 'bounds'],
    ] as const)
      assert.deepEqual(faults(CreatePrediction, body), [place], JSON.stringify(body).slice(0, 100));
  });

  it('of a training and of a dataset are refused with the path of the error', () => {
    assert.deepEqual(faults(CreateFineTunedModel, { config: { num_samples: 99, max_epochs: 1001 } }), ['config.num_samples', 'config.max_epochs']); // prettier-ignore
    assert.deepEqual(faults(CreateFineTunedModel, { input_config: { series_ids: [7] } }), ['input_config.series_ids.0']); // prettier-ignore
    assert.deepEqual(faults(CreateDataset, { series: [{ series }, { series: [] }] }), ['series.1.series']);
    assert.deepEqual(faults(CreateDataset, { fingerprint: 'a b' }), ['fingerprint']);
  });
});

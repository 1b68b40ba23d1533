import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { LocalDataset, LocalFineTunedModel } from '../../../../src/contract/resources.ts';
import { toPoints } from '../../../../src/reading/points.ts';
import { readSeries } from '../../../../src/reading/read.ts';
import { until } from '../../editor/until.ts';
import { LocalService } from '../local-service.ts';

describe('fine-tuning on the sample data', () => {
  const local = new LocalService();

  /** How much better the tuned model is than its base on the hold-outs, as a share. */
  async function gainOn(fileName: string): Promise<number> {
    const text = readFileSync(new URL(`../../../../media/samples/${fileName}`, import.meta.url), 'utf8');
    const series = readSeries(text, { fileName }).series.map((one) => ({ name: one.id, series: toPoints(one) }));
    const { body: dataset } = await local.call<LocalDataset>('POST', '/datasets', { name: fileName, series });
    const config = { max_epochs: 6 };
    const request = { base_model: 'hybrid', input_config: { dataset_ids: [dataset.id] }, config };
    const { body: made } = await local.call<LocalFineTunedModel>('POST', '/fine_tuned_models', request);
    const read = async () => (await local.call<LocalFineTunedModel>('GET', `/fine_tuned_models/${made.id}`)).body;
    const { status, scores, error } = await until(
      read,
      (model) => ['COMPLETED', 'FAILED'].includes(model.status),
      110_000,
    );
    assert.equal(status, 'COMPLETED', error ?? '');
    return 1 - scores!.mase! / scores!.base_mase!;
  }

  it('gains where the dataset has information that one series lacks', async () => {
    const gain = await gainOn('promotions.csv');
    assert.ok(gain > 0.15, `${(100 * gain).toFixed(1)}% better`);
  }).timeout(120_000);

  it('gains nothing where the base model has it already', async () => {
    const gain = await gainOn('retail-long.csv');
    assert.ok(gain >= 0 && gain < 0.03, `${(100 * gain).toFixed(1)}% better`);
  }).timeout(120_000);
});

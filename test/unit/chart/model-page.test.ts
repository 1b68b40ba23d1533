import assert from 'node:assert/strict';
import { modelPage } from '../../../src/chart/model-page.ts';
import type { LocalFineTunedModel } from '../../../src/contract/local.ts';

const model: LocalFineTunedModel = {
  id: 'model_1',
  status: 'COMPLETED',
  base_model: 'neural',
  config: { context_length: 48, prediction_length: 12 },
  input_config: { dataset_ids: ['d1', 'd2'], series: [{ timestamp: '2024-01-01', value: 1 }] },
  scores: { series: 12, base_mase: 1, mase: 0.82 },
  training: {
    max_epochs: 3,
    epoch: 3,
    chosen_epochs: 2,
    record: [
      { epoch: 0, validation: 1 },
      { epoch: 1, loss: 0.3, validation: 0.9 },
      { epoch: 2, loss: 0.2, validation: 0.82 },
      { epoch: 3, loss: 0.1, validation: 0.85 },
    ],
  },
};
const options = {
  label: 'retail <b>',
  cspSource: 'https://x',
  styleUri: 'https://x/model.css',
  datasetNames: new Map([['d1', 'retail']]),
};

describe('page of a fine-tuned model', () => {
  it('tells scores, training, data and settings', () => {
    const page = modelPage(model, options);
    assert.match(page, /18 % better than its base model<\/strong> on the held-out last horizon of 12 training series/);
    assert.match(page, /<dt>Datasets<\/dt><dd>retail, d2<\/dd>/);
    assert.match(page, /<dt>context_length<\/dt><dd>48<\/dd>/);
    assert.match(page, /<tr class="chosen"><td>2<\/td><td>0\.2000<\/td><td>0\.820<\/td>/);
    assert.equal(page.match(/<polyline/g)?.length, 1);
    assert.doesNotMatch(page, /NaN|undefined/);
  });

  it('runs no script and escapes what people wrote', () => {
    const page = modelPage({ ...model, error: '<script>' }, options);
    assert.match(page, /default-src &#39;none&#39;; style-src https:\/\/x;/);
    assert.match(page, /<h1>retail &lt;b&gt;<\/h1>/);
    assert.doesNotMatch(page, /<script|style="/);
  });

  it('has something to say while it is trained, and of a bare model', () => {
    const training = { max_epochs: 10, epoch: 4, record: [] };
    const page = modelPage({ id: 'm', status: 'IN_PROGRESS', progress: 0.4, base_model: 'neural', training }, options);
    assert.match(page, /Training 40 % · epoch 4 of at most 10 · fine-tuned from neural/);
    assert.match(modelPage({ id: 'm', status: 'PONDERING' }, options), /PONDERING · fine-tuned from a base model/);
  });
});

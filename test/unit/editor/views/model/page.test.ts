import assert from 'node:assert/strict';
import { modelBody, modelShell, problemBody, readModelRef } from '../../../../../src/editor/views/model/page.ts';
import type { LocalFineTunedModel } from '../../../../../src/contract/local.ts';

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
  datasetNames: new Map([['d1', 'retail']]),
};

describe('page of a fine-tuned model', () => {
  it('tells scores, training, data and settings', () => {
    const page = modelBody({ ...model, horizon: 12 }, options);
    assert.match(page, /18 % better than its base model<\/strong> on the held-out last horizon of 12 training series/);
    assert.match(page, /<dt>Datasets<\/dt><dd>retail, d2<\/dd>/);
    assert.match(page, /<dt>context_length<\/dt><dd>48<\/dd>/);
    assert.match(page, /<tr class="chosen"><td>2<\/td><td>0\.2000<\/td><td>0\.820<\/td>/);
    assert.match(page, /<dt>Horizon<\/dt><dd>12 steps<\/dd>/);
    assert.doesNotMatch(page, /NaN|undefined/);
    const short = modelBody({ ...model, scores: { series: 12, base_mase: 0.5, mase: 0.75 } }, options);
    assert.match(short, /50 % worse than its base model<\/strong>.*MASE 0\.750, with all points 0\.500/);
  });

  it('draws the loss of training beside the score on the hold-out, and says both', () => {
    const page = modelBody(model, options);
    assert.deepEqual(
      [...page.matchAll(/<polyline class="(\w+)" points="([^"]*)"/g)].map(([, name, points]) => [
        name,
        points.split(' ').length,
      ]),
      [
        ['loss', 3],
        ['validation', 4],
      ],
    );
    assert.match(
      page,
      /aria-label="Loss in training by epoch: 0\.3000 at epoch 1, 0\.1000 at epoch 3, 0\.2000 at the chosen epoch 2"/,
    );
    assert.match(
      page,
      /aria-label="MASE on the hold-out by epoch: 1\.000 at epoch 0, 0\.850 at epoch 3, 0\.820 at the/,
    );
    assert.equal(page.match(/<circle class="chosen"/g)?.length, 2);
    assert.match(page, /The dot marks epoch 2: it was chosen on the hold-out\./);
    const base = modelBody({ ...model, training: { ...model.training!, chosen_epochs: 0 } }, options);
    assert.match(base, /The dot marks epoch 0: no later one was better/);
    // the same epoch stands at the same place in both
    const [inLoss, onHoldOut] = [...page.matchAll(/<circle class="chosen" cx="([\d.]+)"/g)].map(([, x]) => x);
    assert.equal(inLoss, onHoldOut);
  });

  it('leaves out the chart of a loss that nobody told, and shows a single point', () => {
    const record = [{ epoch: 0, validation: 1 }];
    const page = modelBody({ ...model, training: { max_epochs: 3, epoch: 0, record } }, options);
    assert.equal(page.match(/<svg/g)?.length, 1);
    assert.match(page, /<circle class="validation"/);
    assert.doesNotMatch(page, /NaN|undefined/);
  });

  it('runs one script by nonce, keeps which model it is of and escapes what people wrote', () => {
    const ref = { serviceId: 'https://x/"><b>', modelId: 'model_1', isUsableAnyway: true };
    const page = modelShell({
      label: 'retail <b>',
      nonce: 'n',
      cspSource: 'https://x',
      scriptUri: 'https://x/model.js',
      styleUri: 'https://x/model.css',
      ref,
      body: modelBody({ ...model, error: '<script>' }, options),
    });
    assert.match(page, /default-src &#39;none&#39;; script-src &#39;nonce-n&#39;; style-src https:\/\/x;/);
    assert.match(page, /<h1>retail &lt;b&gt;<\/h1>/);
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.doesNotMatch(page, /style="/);
    const [, kept] = /data-state="([^"]*)"/.exec(page) ?? [];
    const state: unknown = JSON.parse(kept.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>'));
    assert.deepEqual(readModelRef(state), ref);
    assert.match(problemBody('a', 'gone & lost'), /gone &amp; lost/);
  });

  it('reads what a page kept, and nothing else', () => {
    assert.deepEqual(readModelRef({ serviceId: 'local', modelId: 'm' }), {
      serviceId: 'local',
      modelId: 'm',
      isUsableAnyway: false,
    });
    for (const other of [undefined, null, 1, {}, { serviceId: 'local' }, { serviceId: 1, modelId: 'm' }]) {
      assert.equal(readModelRef(other), undefined);
    }
  });

  it('has something to say while it is trained, and of a bare model', () => {
    const training = { max_epochs: 10, epoch: 4, record: [] };
    const page = modelBody({ id: 'm', status: 'IN_PROGRESS', progress: 0.4, base_model: 'neural', training }, options);
    assert.match(page, /Training 40 % · epoch 4 of at most 10 · fine-tuned from neural/);
    assert.match(modelBody({ id: 'm', status: 'PONDERING' }, options), /PONDERING · fine-tuned from a base model/);
  });
});

import assert from 'node:assert/strict';
import type { LocalFineTunedModel } from '../../../../../src/contract/resources.ts';
import { modelView } from '../../../../../src/editor/views/model/view.ts';

const model: LocalFineTunedModel = {
  id: 'model_1',
  status: 'COMPLETED',
  base_model: 'hybrid',
  config: { context_length: 48 },
  input_config: { dataset_ids: ['d1', 'd2'], series: [{ timestamp: '2024-01-01', value: 1 }] },
  scores: {
    series: 12,
    base_mase: 1,
    mase: 0.82,
    best: { name: 'store 3', base_mase: 1, mase: 0.6 },
    worst: { name: 'store 7', base_mase: 1, mase: 1.05 },
  },
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
const context = {
  datasetNames: new Map([['d1', 'retail']]),
  offers: { has: () => true, takes: () => true, tellsOfModels: true },
};
const view = (change: Partial<LocalFineTunedModel> = {}) => modelView({ ...model, ...change }, context);

describe('view of a fine-tuned model', () => {
  it('starts with the verdict: gain, data, best and worst series', () => {
    assert.deepEqual(view().verdict, {
      kind: 'better',
      headline: '18% better than its base model',
      sentences: [
        'On the holdout of 12 training series: MASE 0.820, before 1.000.',
        'Best: store 3, 40% better than its base model.',
        'Worst: store 7, 5% worse than its base model.',
      ],
    });
    const worse = view({ scores: { series: 1, base_mase: 0.5, mase: 0.75 } }).verdict;
    assert.equal(worse?.kind, 'worse');
    assert.deepEqual(worse.sentences, ['On the holdout of the training series: MASE 0.750, with all points 0.500.']);
    const further = view({ config: { start_model: 'model_0' }, scores: { series: 12, base_mase: 1, mase: 1 } });
    assert.equal(further.verdict?.headline, 'No better than the model it was continued from');
  });

  it('describes the settings, times and former model', () => {
    const config = { max_epochs: 60, use_rope_scaling: true, start_model: 'model_0', own: 1 };
    const { lists } = modelView(
      { ...model, config, created_at: '2026-11-22T03:52:40.297Z', updated_at: 'soon' },
      { ...context, startLabel: 'Retail' },
    );
    const reported = Object.fromEntries(
      lists.flatMap(({ rows }) => rows.map(({ name, values }) => [name, values[0]?.text])),
    );
    assert.deepEqual(
      [
        reported['Epochs'],
        reported['Position scaling'],
        reported['Continued from'],
        reported['own'],
        reported['Created'],
        reported['Updated'],
      ],
      ['60', 'Yes', 'Retail', '1', '2026-11-22 03:52:40 UTC', 'soon'],
    );
  });

  it('offers Stop during training, and Continue Training after it', () => {
    const ids = (change: Partial<LocalFineTunedModel>, can = {}) =>
      modelView({ ...model, ...change }, { ...context, offers: { ...context.offers, ...can } }).actions.map(
        ({ id }) => id,
      );
    assert.deepEqual(ids({}), ['forecast', 'further']);
    assert.deepEqual(ids({ status: 'IN_PROGRESS' }), ['stop']);
    assert.deepEqual(ids({ status: 'IN_PROGRESS' }, { has: () => false }), []);
    assert.deepEqual(ids({ status: 'QUEUED' }, { tellsOfModels: false }), ['forecast', 'stop']);
    assert.deepEqual(ids({ status: 'FAILED' }), []);
  });

  it('notes a loss that was still falling at the last epoch', () => {
    const falls = (last: { loss?: number; validation?: number }): boolean => {
      const record = model.training!.record.map((entry) =>
        entry.epoch === 3 ? { ...entry, validation: 0.81, ...last } : entry,
      );
      const { sentences } = view({ training: { ...model.training!, record } }).training!;
      return sentences.some((sentence) => sentence.includes('still falling'));
    };
    assert.ok(falls({}));
    assert.ok(!falls({ loss: 0.2 }));
    assert.ok(!falls({ validation: 0.85 }));
  });

  it('gives the curves, the chosen epoch and the reason', () => {
    const { curves, chosen, sentences } = view().training!;
    assert.deepEqual(
      curves.map(({ name, points }) => [name, points.length]),
      [
        ['loss', 3],
        ['validation', 4],
      ],
    );
    assert.equal(chosen, 2);
    assert.equal(sentences[0], 'Epoch 0 is its base model. The dot marks epoch 2: it was the best on the holdout.');
    const kept = { ...model.training!, chosen_epochs: 0 };
    assert.match(
      view({ training: kept }).training!.sentences[0],
      /no later epoch was better by more than chance explains\.$/,
    );
    const further = view({ config: { start_model: 'model_0' } }).training!;
    assert.match(further.sentences[0], /^Epoch 0 is the model it was continued from\. /);
    const training = { max_epochs: 3, epoch: 0, record: [{ epoch: 0, validation: 1 }] };
    assert.deepEqual(
      view({ training }).training?.curves.map(({ name }) => name),
      ['validation'],
    );
  });

  it('links to its datasets, and omits unknown facts', () => {
    const [data] = view().lists;
    assert.deepEqual(data.rows[0], {
      name: 'Datasets',
      values: [
        { text: 'retail', id: 'dataset:d1' },
        { text: 'd2', id: 'dataset:d2' },
      ],
    });
    assert.doesNotMatch(JSON.stringify(view()), /undefined|NaN|null/);
    const bare = modelView({ id: 'm', status: 'PONDERING' }, context);
    assert.equal(bare.status, 'Fine-tuned from a base model · PONDERING');
    assert.equal(bare.verdict, undefined);
  });

  it('shows the progress of a training', () => {
    const training = { max_epochs: 10, epoch: 4, record: [] };
    const { status, progress } = view({ status: 'IN_PROGRESS', progress: 0.4, training });
    assert.equal(status, 'Fine-tuned from hybrid · running 40% · epoch 4 of up to 10');
    assert.equal(progress, 0.4);
  });
});

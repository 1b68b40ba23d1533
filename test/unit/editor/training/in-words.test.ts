import assert from 'node:assert/strict';
import { errorOfAnswer } from '../../../../src/client/errors.ts';
import { inWords } from '../../../../src/editor/training/fine-tune.ts';

describe('refused training', () => {
  const said = (...detail: { loc: (string | number)[]; msg: string }[]) =>
    inWords(errorOfAnswer({ status: 422, body: { detail }, name: 'Ours' })).message;

  it('is described in the words of the inputs', () => {
    assert.equal(
      said({ loc: ['body', 'config', 'context_length'], msg: 'context_length must be at least 8 for hybrid.' }),
      'Ours refused the request. It says: “Context length must be at least 8 for hybrid.”',
    );
    assert.equal(
      said({ loc: ['body', 'input_config', 'series_ids', 2], msg: 'There is no series “a”.' }),
      'Ours refused the request. It says: “Stored series: There is no series “a”.”',
    );
    assert.match(said({ loc: ['body', 'base_model'], msg: 'unknown' }), /“Base model: unknown”/);
  });

  it('names several fields, and leaves paths that no input has', () => {
    const message = said(
      { loc: ['body', 'config', 'max_epochs'], msg: 'is too large' },
      { loc: ['body', 'input_config', 'freq'], msg: 'is not known' },
    );
    assert.match(message, /Epochs[^;]*: is too large; input_config\.freq: is not known/);
  });

  it('leaves text unchanged that only resembles a path', () => {
    const detail = 'The model base_model: hybrid, config.max_epochs: 3 is in use.';
    assert.match(
      inWords(errorOfAnswer({ status: 409, body: { detail }, name: 'Ours' })).message,
      /base_model: hybrid, config\.max_epochs: 3/,
    );
  });

  it('keeps its kind, status and fields', () => {
    const refusal = errorOfAnswer({
      status: 422,
      body: { detail: [{ loc: ['base_model'], msg: 'no' }] },
      name: 'Ours',
    });
    const { kind, status, faults } = inWords(refusal);
    assert.deepEqual([kind, status, faults], ['refused', 422, refusal.faults]);
  });
});

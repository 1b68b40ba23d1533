import assert from 'node:assert/strict';
import { distinctLabels } from '../../../../../src/editor/views/analysis/distinct-labels.ts';

describe('forecasts of one name that are compared', () => {
  const at = (time: number) => `day ${time}`;

  it('are told apart by where they begin, else by when they were made', () => {
    const labelled = [
      { label: 'Hybrid', start: 1, made: 'just now' },
      { label: 'Hybrid', start: 2, made: 'just now' },
      { label: 'Hybrid', start: 2, made: '3 d ago' },
      { label: 'Theta', start: 1, made: 'just now' },
      { label: 'Hybrid' },
    ];
    assert.deepEqual(distinctLabels(labelled, at), [
      'Hybrid · from day 1',
      'Hybrid · just now',
      'Hybrid · 3 d ago',
      'Theta',
      'Hybrid',
    ]);
  });
});

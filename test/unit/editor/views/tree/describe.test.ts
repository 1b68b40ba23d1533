import assert from 'node:assert/strict';
import { ago, describeEntry, statusWords } from '../../../../../src/editor/views/tree/describe.ts';

import type { Note } from '../../../../../src/editor/connection/memory.ts';

const now = Date.parse('2026-11-02T12:00:00Z');

describe('words of the sidebar', () => {
  it('tells what a prediction is and where it stands', () => {
    const item = {
      id: 'prediction_123456',
      status: 'COMPLETED',
      ai_model_id: 'ensemble',
      created_at: '2026-11-02T11:58:00Z',
      prediction_length: 24,
      details: { frequency: 'P1M' },
    };
    const done = describeEntry({ kind: 'prediction', id: item.id, item, note: { label: 'air-passengers.csv' } }, now);
    assert.equal(done.label, 'air-passengers.csv');
    assert.equal(done.description, 'ensemble · 24 months · 2 min ago');
    const series = ['2024-01-01', '2024-02-01', '2024-03-01'].map((timestamp) => ({ timestamp, value: 1 }));
    const plain = { ...item, details: undefined, prediction_length: undefined, prediction_series: series };
    const named = (note: Note) =>
      describeEntry({ kind: 'prediction', id: item.id, item: plain, note }, now).description;
    assert.equal(
      named({ label: 'visits.csv' }),
      'ensemble · 3 months · 2 min ago',
      'whose service does not say its step',
    );
    const byAgent = { ...item, origin: 'agent' };
    const told = describeEntry({ kind: 'prediction', id: item.id, item: byAgent }, now);
    assert.equal(told.description, 'ensemble · 24 months · 2 min ago · by an agent');
    const failed = describeEntry(
      { kind: 'prediction', id: item.id, item: { ...item, status: 'FAILED', error: '2 points, needs 3' } },
      now,
    );
    assert.equal(failed.label, 'Prediction 123456');
    assert.match(failed.description, /failed: 2 points, needs 3/);
    assert.equal(statusWords('IN_PROGRESS', 0.4), 'running 40 %');
    assert.equal(statusWords('THINKING'), 'THINKING');
  });

  it('tells the size and span of a dataset', () => {
    const stats = {
      rows: 31_200,
      start_timestamp: '2019-01-07T00:00:00Z',
      end_timestamp: '2024-12-30T00:00:00Z',
      freq: 'P1M',
    };
    const item = { id: 'd', tags: ['retail', 'weekly'], stats, series_count: 120 };
    assert.equal(describeEntry({ kind: 'dataset', id: 'd', item }, now).label, 'retail, weekly');
    assert.equal(
      describeEntry({ kind: 'dataset', id: 'd', item }, now).description,
      '120 series · 31,200 rows · Jan 2019 – Dec 2024',
    );
  });

  it('never shows the secret of a key', () => {
    const item = { id: 'key_7f3aabcdef', status: 'ACTIVE', secret: 'tsf_secret', created_at: '2026-11-02T09:00:00Z' };
    const words = describeEntry({ kind: 'key', id: item.id, item }, now);
    assert.equal(words.label, 'key abcdef');
    assert.equal(words.description, 'active · 2026-11-02');
    assert.doesNotMatch(JSON.stringify(words), /tsf_secret/);
  });

  it('tells of a model that cannot be read back as of when it is known, and of a met one where it was used', () => {
    const item = { id: 'm', status: 'QUEUED' };
    const made = { kind: 'fineTunedModel', id: 'm', item, origin: { from: 'made here', asOf: Date.now() } } as const;
    assert.match(
      describeEntry(made, now).description,
      /^fine-tuned · queued as of \d\d:\d\d; this service does not tell more$/,
    );
    assert.equal(
      describeEntry({ ...made, item: { ...item, status: 'COMPLETED' } }, now).description,
      'fine-tuned · made here',
    );
    const id = '0b8e7a52-6f0a-4a5c-9c7f-1f2e3d4c5b6a';
    const origin = { from: 'prediction', lastUsed: '2026-11-02T11:58:00Z', usedOn: 'sales.csv' } as const;
    const met = describeEntry({ kind: 'baseModel', id, item: { id }, origin }, now);
    assert.equal(met.label, 'Model 4c5b6a');
    assert.equal(met.description, 'last used on sales.csv · 2 min ago');
  });

  it('tells how much better a fine-tuned model is', () => {
    const item = { id: 'm', status: 'COMPLETED', base_model: 'theta', scores: { series: 4, base_mase: 1, mase: 0.82 } };
    assert.equal(
      describeEntry({ kind: 'fineTunedModel', id: 'm', item }, now).description,
      'fine-tuned · 18 % better on its hold-out',
    );
    const short = { ...item, scores: { series: 4, base_mase: 0.5, mase: 0.75 } };
    assert.equal(
      describeEntry({ kind: 'fineTunedModel', id: 'm', item: short }, now).description,
      'fine-tuned · 50 % worse than its base on its hold-out',
    );
    assert.equal(
      describeEntry({ kind: 'fineTunedModel', id: 'm', item: { ...item, origin: 'agent' } }, now).description,
      'fine-tuned · 18 % better on its hold-out · by an agent',
    );
  });

  it('counts time as people do', () => {
    assert.equal(ago('2026-11-02T11:59:40Z', now), 'just now');
    assert.equal(ago('2026-11-02T09:00:00Z', now), '3 h ago');
    assert.equal(ago('2026-10-01T09:00:00Z', now), '2026-10-01');
    assert.equal(ago('soon', now), undefined);
  });
});

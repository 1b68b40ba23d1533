import assert from 'node:assert/strict';
import { describeEntry, shortLabel, statusWords } from '../../../../../src/editor/views/tree/kinds.ts';
import { ago } from '../../../../../src/editor/views/shared/ago.ts';

import { now as workbench } from '../../workbench/vscode.ts';
import type { Note } from '../../../../../src/editor/connection/memory.ts';

const now = Date.parse('2026-11-02T12:00:00Z');

describe('text of the sidebar', () => {
  it('describes a prediction and its status', () => {
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
    const byAgent = { ...item, requested_by: 'agent' };
    const reported = describeEntry({ kind: 'prediction', id: item.id, item: byAgent }, now);
    assert.equal(reported.description, 'ensemble · 24 months · 2 min ago · by an agent');
    const failed = describeEntry(
      { kind: 'prediction', id: item.id, item: { ...item, status: 'FAILED', error: '2 points, needs 3' } },
      now,
    );
    assert.equal(failed.label, 'Prediction 123456');
    assert.match(failed.description, /failed: 2 points, needs 3/);
    assert.equal(statusWords({ status: 'IN_PROGRESS', progress: 0.4 }), 'running 40%');
    assert.equal(statusWords({ status: 'THINKING' }), 'THINKING');
  });

  it('gives the size and span of a dataset', () => {
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

  it('gives days and months in the zone of the file or of the settings', () => {
    const spanOf = (freq: string, start_timestamp: string, end_timestamp: string) =>
      describeEntry({ kind: 'series', id: 's', item: { id: 's', freq, start_timestamp, end_timestamp } }, now).description.split(' · ')[1]; // prettier-ignore
    const [winter, summer] = ['2024-01-01T00:00:00+01:00', '2024-07-01T00:00:00+02:00'];
    assert.equal(spanOf('P1M', winter, summer), 'Jan 2024 – Jul 2024');
    assert.equal(spanOf('P1D', winter, summer), '1 Jan 2024 – 1 Jul 2024');
    assert.equal(spanOf('PT1H', winter, summer), '2024-01-01 00:00 – 2024-07-01 00:00');
    const { window } = workbench;
    window.setSetting('forecasts.timeZone', 'Asia/Tokyo');
    try {
      assert.equal(spanOf('PT1H', winter, '2024-07-01T00:00:00Z'), '2024-01-01 08:00 – 2024-07-01 09:00');
      assert.equal(spanOf('P1M', winter, summer), 'Jan 2024 – Jul 2024', 'months are those of the file');
      window.setSetting('forecasts.timeZone', 'America/New_York');
      const [january, july] = ['2024-01-01T00:00:00Z', '2024-07-01T00:00:00Z'];
      assert.equal(spanOf('P1M', january, july), 'Jan 2024 – Jul 2024', 'dates are sent as midnights in UTC');
      assert.equal(spanOf('P1D', january, july), '1 Jan 2024 – 1 Jul 2024');
      assert.equal(spanOf('P1M', january, '2024-07-01T00:00:00+01:00'), 'Jan 2024 – Jul 2024', 'those of London');
      assert.equal(spanOf('PT1H', january, july), '2023-12-31 19:00 – 2024-06-30 20:00');
      window.setSetting('forecasts.timeZone', 'Europe/Berlin');
      assert.equal(spanOf('P1M', '2023-12-31T23:00:00Z', '2024-06-30T22:00:00Z'), 'Jan 2024 – Jul 2024');
      assert.equal(spanOf('P1M', '2023-12-31T23:00:00Z', 'some day'), undefined);
    } finally {
      window.setSetting('forecasts.timeZone', undefined);
    }
  });

  it('never shows the secret of a key', () => {
    const item = { id: 'key_7f3aabcdef', status: 'ACTIVE', secret: 'tsf_secret', created_at: '2026-11-02T09:00:00Z' };
    const words = describeEntry({ kind: 'key', id: item.id, item }, now);
    assert.equal(words.label, 'key abcdef');
    assert.equal(words.description, 'active · 2026-11-02');
    assert.doesNotMatch(JSON.stringify(words), /tsf_secret/);
  });

  it('shows when an unreadable model was last known or used', () => {
    const item = { id: 'm', status: 'QUEUED' };
    const made = { kind: 'fineTunedModel', id: 'm', item, made: { asOf: Date.now() } } as const;
    assert.match(
      describeEntry(made, now).description,
      /^fine-tuned · queued as of \d\d:\d\d; this service reports no newer status$/,
    );
    assert.equal(
      describeEntry({ ...made, item: { ...item, status: 'COMPLETED' } }, now).description,
      'fine-tuned · created here',
    );
    const id = '0b8e7a52-6f0a-4a5c-9c7f-1f2e3d4c5b6a';
    const used = { at: '2026-11-02T11:58:00Z', by: 'sales.csv' };
    const met = describeEntry({ kind: 'baseModel', id, item: { id }, used }, now);
    assert.equal(met.label, 'Model 4c5b6a');
    assert.equal(met.description, 'last used on sales.csv · 2 min ago');
  });

  it('gives the gain of a fine-tuned model', () => {
    const item = { id: 'm', status: 'COMPLETED', base_model: 'theta', scores: { series: 4, base_mase: 1, mase: 0.82 } };
    assert.equal(
      describeEntry({ kind: 'fineTunedModel', id: 'm', item }, now).description,
      'fine-tuned · 18% better than its base model on the holdout',
    );
    const short = { ...item, scores: { series: 4, base_mase: 0.5, mase: 0.75 } };
    assert.equal(
      describeEntry({ kind: 'fineTunedModel', id: 'm', item: short }, now).description,
      'fine-tuned · 50% worse than its base model on the holdout',
    );
    assert.equal(
      describeEntry({ kind: 'fineTunedModel', id: 'm', item: { ...item, requested_by: 'agent' } }, now).description,
      'fine-tuned · 18% better than its base model on the holdout · by an agent',
    );
  });

  it('gives the contents and span of a dataset, or its purpose', () => {
    const stats = { rows: 1200, freq: 'P1D', start_timestamp: '2024-01-01T00:00:00Z', end_timestamp: '2024-03-01T00:00:00Z', size: '1 MB' }; // prettier-ignore
    const item = { id: 'dataset_abcdef', name: 'shops', tags: ['a', 'b'], series_count: 3, stats };
    const words = describeEntry({ kind: 'dataset', id: item.id, item }, now);
    assert.equal(words.description, '3 series · 1,200 rows · 1 Jan 2024 – 1 Mar 2024');
    assert.deepEqual(words.lines.slice(0, 3).map(([, value]) => value), ['a, b', 'P1D', '1 MB']); // prettier-ignore
    const bare = { id: 'dataset_abcdef' };
    assert.equal(describeEntry({ kind: 'dataset', id: bare.id, item: bare }, now).label, 'Dataset abcdef');
    const job = { ...bare, tags: ['x'], for_job: 'prediction', series_count: 1 };
    const reported = describeEntry({ kind: 'dataset', id: bare.id, item: job as never }, now);
    assert.deepEqual([reported.label, reported.description], ['x', 'stored for a job · 1 series']);
  });

  it('gives frequency, length and span of a series', () => {
    const item = { id: 'series_abcdef', name: 'north', freq: 'PT1H', rows: 1, start_timestamp: '2024-01-01T00:00:00Z', end_timestamp: '2024-01-01T00:00:00Z' }; // prettier-ignore
    const { label, description } = describeEntry({ kind: 'series', id: item.id, item }, now);
    assert.equal(label, 'north');
    assert.match(description, /^hourly · 1 point · 2024-01-01 00:00 – /);
    const odd = describeEntry({ kind: 'series', id: item.id, item: { id: item.id, freq: 'whenever' } }, now);
    assert.deepEqual([odd.label, odd.description], ['Series abcdef', 'whenever']);
  });

  it('gives the status of an unfinished prediction, and why it failed', () => {
    const words = (more: object, about: object = {}) => describeEntry({ kind: 'prediction', id: 'p', item: { id: 'prediction_abcdef', status: 'COMPLETED', ...more }, ...about }, now); // prettier-ignore
    assert.equal(words({ status: 'IN_PROGRESS', progress: 0.424 }).description, 'running 42%');
    assert.equal(words({ status: 'IN_PROGRESS' }).description, 'running');
    assert.equal(words({ status: 'FAILED', error: 'Too short.' }).description, 'failed: Too short.');
    assert.deepEqual(words({ status: 'FAILED', error: 'Too short.' }).lines, [['Reason', 'Too short.']]);
    assert.equal(
      words({ status: 'PAUSED' }).description,
      'PAUSED',
      'what the interface does not name is shown as it is',
    );
    assert.equal(words({}).label, 'Prediction abcdef');
    assert.equal(words({}, { isPinned: true, isKept: true, note: { label: 'x', coverage: { of: 3, inside: 2 } } }).description, 'pinned · kept up to date · covered 2 of 3'); // prettier-ignore
    assert.equal(words({ ai_model_id: '0b8e7a52-6f0a-4a5c-9c7f-1f2e3d4c5b6a' }).description, '…4c5b6a');
    assert.equal(words({ ai_model_id: 'theta' }, { modelLabel: 'My model' }).description, 'My model');
  });

  it('names the source of a base model, and marks the default', () => {
    const words = (more: object, used?: object) => describeEntry({ kind: 'baseModel', id: 'theta', item: { id: 'theta', ...more }, used } as never, now); // prettier-ignore
    assert.equal(words({ is_default: true }).description, 'base · default');
    assert.equal(words({}, {}).description, 'used in a prediction');
    assert.deepEqual(words({ min_points: 1 }).lines.at(-1), ['Minimum length', '1 point']);
    assert.equal(words({ name: 'Theta' }).label, 'Theta');
  });

  it('keeps the end of a long name, which distinguishes series of one file', () => {
    const label = (text: string) => shortLabel(text);
    assert.equal(label('a-quite-long-file-name.csv · north'), 'a-quite-lo…ame.csv · north');
    assert.equal(label('short.csv'), 'short.csv');
    assert.equal([...label('😀'.repeat(40))].length <= 26, true, 'letters are not cut in two');
  });

  it('gives relative times', () => {
    assert.equal(ago('2026-11-02T11:59:40Z', now), 'just now');
    assert.equal(ago('2026-11-02T09:00:00Z', now), '3 h ago');
    assert.equal(ago('2026-10-01T09:00:00Z', now), '2026-10-01');
    assert.equal(ago('soon', now), undefined);
  });
});

describe('labels of the sidebar', () => {
  it('shorten long names in the middle to show model and horizon', () => {
    const label = shortLabel('retail-long.csv · North, store 12');
    assert.ok(label.length <= 26, label);
    assert.match(label, /^retail.*….*store 12$/);
    assert.equal(shortLabel('air-passengers.csv'), 'air-passengers.csv');
    assert.equal(
      describeEntry(
        {
          kind: 'prediction',
          id: 'p',
          item: { id: 'p', status: 'COMPLETED', name: 'retail-long.csv · North, store 12' },
        },
        0,
      ).name,
      'retail-long.csv · North, store 12',
    );
  });
});

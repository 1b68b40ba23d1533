import assert from 'node:assert/strict';
import type { SeriesRow } from '../../../../src/editor/many-series/protocol.ts';
import { figureIn, filtered, sorted } from '../../../../src/webview/many/page.tsx';

const row = (name: string, more: Partial<SeriesRow> = {}): SeriesRow => ({ id: name, name, ...more });
const rows = [
  row('s10', { error: 4, last: 10, next: 12, model: 'theta' }),
  row('s2', { error: 4, last: 10, next: 9 }),
  row('s1'),
  row('s3', { state: 'failed: it has 2 points', hasFailed: true }),
  row('s4', { state: 'queued' }),
  row('s5', { error: 1, last: 0, next: 5 }),
];
const names = (some: readonly SeriesRow[]) => some.map(({ name }) => name).join(' ');

describe('order of many series', () => {
  it('compares names by number, with missing values and then failures last', () => {
    assert.equal(names(sorted(rows, { column: 'error', isDescending: false })), 's5 s2 s10 s1 s4 s3');
    assert.equal(names(sorted(rows, { column: 'error', isDescending: true })), 's2 s10 s5 s1 s4 s3');
    assert.equal(names(sorted(rows, { column: 'change', isDescending: true })), 's10 s2 s1 s5 s4 s3');
    assert.equal(names(sorted(rows, { column: 'name', isDescending: true })), 's10 s5 s4 s3 s2 s1');
  });

  it('has the change from the last observation to the first step, none from zero', () => {
    assert.deepEqual(
      rows.map((row) => figureIn(row, 'change')),
      [0.2, -0.1, undefined, undefined, undefined, undefined],
    );
    assert.equal(figureIn(row('down', { last: -10, next: -5 }), 'change'), 0.5);
  });

  it('filters by every word in name, model or state', () => {
    assert.equal(names(filtered(rows, ' THETA ')), 's10');
    assert.equal(names(filtered(rows, 's failed')), 's3');
    assert.equal(filtered(rows, '  '), rows);
  });
});

import assert from 'node:assert/strict';
import type { Capabilities } from '../../../../../src/client/capabilities.ts';
import { grouped, inRuns, matches, type Node, type ResourceNode } from '../../../../../src/editor/views/tree/kinds.ts';
import { offering, useWindow } from '../panels.ts';

const NOW = new Date(2024, 4, 15, 12).getTime();
const prediction = (id: string, more: object = {}, about: object = {}): ResourceNode =>
  ({ kind: 'prediction', id, item: { id, status: 'COMPLETED', name: id, ...more }, serviceId: 'local', offers: offering() as unknown as Capabilities, ...about }) as ResourceNode; // prettier-ignore
const ago = (hours: number) => ({ created_at: new Date(NOW - hours * 3_600_000).toISOString() });
const ofFile = (fileName: string) => ({ note: { label: fileName, source: { fileName } } });
const reported = (nodes: readonly Node[]) => nodes.map((node) => (node.kind === 'group' ? [node.label, node.entries.map(({ id }) => id)] : node.id)); // prettier-ignore

describe('predictions in groups', () => {
  useWindow();

  it('are grouped by day: today, yesterday, a date, or none', () => {
    const all = [prediction('a', ago(1)), prediction('b', ago(20)), prediction('c', ago(24 * 10)), prediction('d'), prediction('e', ago(2))]; // prettier-ignore
    assert.deepEqual(reported(grouped(all, 'day', NOW)), [['Today', ['a', 'e']], ['Yesterday', ['b']], ['2024-05-05', ['c']], ['No date', ['d']]]); // prettier-ignore
  });

  it('are grouped by the day that their row shows, in any format of the service', () => {
    const at = (created_at: string) => prediction(created_at, { created_at });
    const same = ['2024-05-14T23:30:00Z', '2024-05-15T08:30+09', '2024-05-14T23:30:00,0Z', '2024-05-14T23:30'].map(at);
    const groups = reported(grouped([...same, at('May 14, 2024')], 'day', NOW));
    assert.deepEqual(groups, [
      [groups[0][0], same.map(({ id }) => id)],
      ['No date', ['May 14, 2024']],
    ]);
  });

  it('are grouped by file, those without one separately', () => {
    const all = [prediction('a', {}, ofFile('x.csv')), prediction('b'), prediction('c', {}, ofFile('x.csv'))];
    assert.deepEqual(reported(grouped(all, 'file', NOW)), [['x.csv', ['a', 'c']], ['Not from a file', ['b']]]); // prettier-ignore
  });

  it('are above all groups if pinned', () => {
    const all = [prediction('a', ago(1)), prediction('b', ago(30), { isPinned: true }), prediction('c', ago(1))];
    assert.deepEqual(reported(grouped(all, 'day', NOW)), ['b', ['Today', ['a', 'c']]]);
  });

  it('have unique group ids, so that folding is kept', () => {
    const ids = [...grouped([prediction('a', ago(1))], 'day', NOW), ...grouped([prediction('a', {}, ofFile('Today'))], 'file', NOW)].map(({ id }) => id); // prettier-ignore
    assert.equal(new Set(ids).size, 2);
  });
});

describe('filter of predictions', () => {
  useWindow();
  const meant = (filter: string, more: object = {}, about: object = {}) => matches(prediction('sales.csv', more, about), filter, NOW); // prettier-ignore

  it('finds every word anywhere in any case', () => {
    assert.ok(meant('SALES'));
    assert.ok(meant('csv  sales'));
    assert.ok(!meant('sales north'));
    assert.ok(meant('theta sales', { ai_model_id: 'theta' }));
  });

  it('finds statuses in words and in the service’s notation', () => {
    assert.ok(meant('in progress', { status: 'IN_PROGRESS' }));
    assert.ok(meant('running', { status: 'IN_PROGRESS' }));
    assert.ok(meant('completed'));
    assert.ok(!meant('failed'));
  });

  it('finds other text of the row: pinned, its file, its time', () => {
    assert.ok(meant('pinned', {}, { isPinned: true }));
    assert.ok(meant('north', {}, { note: { label: 'shops · north' } }));
    assert.ok(meant('2 h ago', ago(2)));
  });
});

describe('predictions of one batch', () => {
  useWindow();
  const none = { recall: () => undefined };
  const ofRun = (id: string, batch_id = 'b1', about: object = {}) => prediction(id, { batch_id }, about);

  it('are one row at the first of them, named after their source', () => {
    const all = [prediction('a'), ofRun('x'), prediction('b'), ofRun('y'), ofRun('z', 'b2')];
    assert.deepEqual(reported(inRuns(all, none)), ['a', ['2 series', ['x', 'y']], 'b', 'z']);
    const labelled = { recall: (serviceId: string, key: string) => ({ label: `${serviceId} ${key}` }) };
    assert.deepEqual(reported(inRuns(all, labelled))[1], ['local run b1', ['x', 'y']]);
  });

  it('are separate rows if pinned or of another service', () => {
    const all = [ofRun('x', 'b1', { isPinned: true }), ofRun('y'), ofRun('z', 'b1', { serviceId: 'https://other/' }), ofRun('w')]; // prettier-ignore
    assert.deepEqual(reported(inRuns(all, none)), ['x', ['2 series', ['y', 'w']], 'z']);
  });
});

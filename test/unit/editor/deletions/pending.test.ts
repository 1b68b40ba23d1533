import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App } from '../../../../src/editor/app.ts';
import { ServiceError } from '../../../../src/client/errors.ts';
import { PendingDeletions } from '../../../../src/editor/deletions/pending.ts';
import { VIEWS } from '../../../../src/editor/names.ts';
import type { ResourceNode } from '../../../../src/editor/views/tree/kinds.ts';
import { until } from '../until.ts';
import { now } from '../workbench/vscode.ts';
import { Window } from '../workbench/window.ts';

const LONG = 1_000_000;
const item = (id: string) => ({ serviceId: 'local', kind: 'prediction' as const, id });

describe('pending deletions', () => {
  let folder: string;
  let deleted: string[];
  let refresh: () => void;
  const open: PendingDeletions[] = [];
  const client = {
    delete: (_: string, id: string) => {
      if (id.startsWith('bad')) return Promise.reject(new ServiceError('refused', id));
      deleted.push(id);
      return Promise.resolve();
    },
  };
  const app = {
    connection: { session: () => ({ client }) },
    trees: new Map([[VIEWS.predictions, { refresh: () => Promise.resolve(refresh()) }]]),
    panels: { close: () => false },
    log: { error: (text: string) => assert.fail(text), warn: () => undefined },
  } as unknown as App;
  const windowOf = (wait = LONG): PendingDeletions => {
    const pending = new PendingDeletions(() => app, folder, wait);
    open.push(pending);
    return pending;
  };
  const files = () => readdirSync(folder);
  const nothing = () => undefined;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'forecasts-deletions-'));
    [deleted, refresh] = [[], nothing];
    now.window = new Window();
  });
  afterEach(() => {
    for (const pending of open.splice(0)) pending.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are undone together without a request', async () => {
    const pending = windowOf();
    let isBack = false;
    const name = pending.add([item('a'), item('b')], () => (isBack = true));
    assert.deepEqual(['a', 'b', 'c'].map((id) => pending.has('local', id)), [true, true, false]); // prettier-ignore
    assert.equal(pending.has('https://other/', 'a'), false);
    assert.equal(pending.latest, name);
    await pending.undo(name);
    assert.deepEqual(
      [isBack, pending.has('local', 'a'), pending.latest, files(), deleted],
      [true, false, undefined, [], []],
    );
    await pending.undo(name);
    assert.match(now.window.person.texts.join(), /^There is no deletion to undo/);
  });

  it('become final after their time, and stay hidden until the list is read again', async () => {
    let seen: boolean | undefined;
    const pending = windowOf(1);
    refresh = () => (seen = pending.has('local', 'a'));
    const name = pending.add([item('a')], nothing);
    await until(() => pending.has('local', 'a'), (is) => !is); // prettier-ignore
    await pending.undo(name);
    assert.match(now.window.person.texts.join(), /^There is no deletion to undo/);
    assert.deepEqual([deleted, seen, files()], [['a'], true, []]);
  });

  it('that the service refuses are reported and shown again, and do not block later ones', async () => {
    const pending = windowOf();
    await pending.commit(pending.add([item('a'), item('bad'), item('c')], nothing));
    assert.deepEqual(deleted, ['a', 'c']);
    assert.match(now.window.person.texts.join(), /2 of 3 were deleted\. bad/);
    assert.deepEqual([pending.has('local', 'bad'), files()], [false, []]);
  });

  it('are done as the window closes, and otherwise by the next window', async () => {
    const first = windowOf();
    first.add([item('a')], nothing);
    first.add([item('bad 1')], nothing);
    await first.finish();
    assert.deepEqual([deleted, files().length], [['a'], 1]);
  });

  it('of a crashed window are done by the next one, and stay hidden', async () => {
    const broken = windowOf(-LONG);
    broken.add([item('x')], nothing);
    broken.dispose();
    writeFileSync(path.join(folder, 'spoilt.json'), '{');
    const next = windowOf();
    next.resume();
    assert.deepEqual([next.has('local', 'x'), next.latest], [true, undefined]);
    await until(() => next.has('local', 'x'), (is) => !is); // prettier-ignore
    assert.deepEqual([deleted, files()], [['x'], ['spoilt.json']]);
  });

  it('of an open window are left to it', async () => {
    const first = windowOf();
    const name = first.add([item('a')], nothing);
    const second = windowOf();
    second.resume();
    await first.undo(name);
    assert.deepEqual([now.window.person.texts, files(), deleted], [[], [], []]);
  });

  it('that another window finished refresh the list in this one', async () => {
    const first = windowOf();
    const name = first.add([item('a')], nothing);
    writeFileSync(path.join(folder, files()[0]), '{');
    let seen: boolean | undefined;
    refresh = () => (seen = first.has('local', 'a'));
    await first.commit(name);
    assert.deepEqual([deleted, seen, first.has('local', 'a'), files()], [[], true, false, []]);
  });

  it('are not started twice by two key presses', async () => {
    const pending = windowOf();
    const node = { ...item('a'), item: { id: 'a', status: 'COMPLETED' }, offers: new Set(['deletePrediction']) };
    pending.add([item('a')], nothing);
    await pending.delete([node as unknown as ResourceNode]);
    assert.deepEqual([files().length, now.window.person.texts], [1, []]);
  });
});

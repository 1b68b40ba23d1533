import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { ServiceError } from '../../../../src/client/errors.ts';
import { type DeletionItem, PendingDeletions, type PendingOptions } from '../../../../src/editor/deletions/pending.ts';
import { until } from '../until.ts';

const LONG = 1_000_000;
const item = (id: string): DeletionItem => ({ serviceId: 'local', kind: 'prediction', id });

describe('pending deletions', () => {
  let folder: string;
  let deleted: string[];
  let done: { ids: string[]; problem: unknown }[];
  const open: PendingDeletions[] = [];
  const log = { error: (text: string) => assert.fail(text) } as unknown as vscode.LogOutputChannel;
  const windowOf = (options: Partial<PendingOptions> = {}): PendingDeletions => {
    const held = new PendingDeletions({
      folder,
      log,
      wait: LONG,
      remove: ({ id }) => {
        if (id.startsWith('bad')) return Promise.reject(new ServiceError('refused', id));
        deleted.push(id);
        return Promise.resolve();
      },
      onDone: (items, problem) => {
        done.push({ ids: items.map(({ id }) => id), problem });
        return Promise.resolve();
      },
      ...options,
    });
    open.push(held);
    return held;
  };
  const files = () => readdirSync(folder);
  const nothing = () => undefined;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'forecasts-deletions-'));
    [deleted, done] = [[], []];
  });
  afterEach(() => {
    for (const held of open.splice(0)) held.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are undone whole, several things at once, and ask nothing of a service', () => {
    const held = windowOf();
    let isBack = false;
    const name = held.add([item('a'), item('b')], () => (isBack = true));
    assert.deepEqual(['a', 'b', 'c'].map((id) => held.has('local', id)), [true, true, false]); // prettier-ignore
    assert.equal(held.has('https://other/', 'a'), false);
    assert.equal(held.latest, name);
    assert.equal(held.undo(name), true);
    assert.deepEqual([isBack, held.has('local', 'a'), held.undo(name), held.latest, files(), deleted], [true, false, false, undefined, [], []]); // prettier-ignore
  });

  it('are for good once their time is over, and stay out of sight until the list was read again', async () => {
    let seen: boolean | undefined;
    const held: PendingDeletions = windowOf({
      wait: 1,
      onDone: () => {
        seen = held.has('local', 'a');
        return Promise.resolve();
      },
    });
    const name = held.add([item('a')], nothing);
    await until(() => held.has('local', 'a'), (is) => !is); // prettier-ignore
    assert.deepEqual([deleted, seen, held.undo(name), files()], [['a'], true, false, []]);
  });

  it('that the service refuses are told and seen again, and keep nothing that comes after them', async () => {
    const held = windowOf();
    await held.commit(held.add([item('a'), item('bad'), item('c')], nothing));
    assert.deepEqual(deleted, ['a', 'c']);
    assert.match(String(done[0].problem), /bad/);
    assert.deepEqual([held.has('local', 'bad'), files()], [false, []]);
  });

  it('are done as the window closes; what does not come through is left to the next window', async () => {
    const first = windowOf();
    first.add([item('a')], nothing);
    first.add([item('bad 1')], nothing);
    await first.finish();
    assert.deepEqual([deleted, files().length], [['a'], 1]);
  });

  it('of a window that broke off are taken on by the next one, and shown by none', async () => {
    const broken = windowOf({ wait: -LONG });
    broken.add([item('x')], nothing);
    broken.dispose();
    writeFileSync(path.join(folder, 'spoilt.json'), '{');
    const next = windowOf();
    next.resume();
    assert.deepEqual([next.has('local', 'x'), next.latest], [true, undefined]);
    await until(() => next.has('local', 'x'), (is) => !is); // prettier-ignore
    assert.deepEqual([deleted, files()], [['x'], ['spoilt.json']]);
  });

  it('of a window that is still open are left to it', () => {
    const first = windowOf();
    const name = first.add([item('a')], nothing);
    const second = windowOf();
    second.resume();
    assert.deepEqual([first.undo(name), files(), deleted], [true, [], []]);
  });
});

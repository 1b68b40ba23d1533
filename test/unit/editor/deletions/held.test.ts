import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { ServiceError } from '../../../../src/client/errors.ts';
import { type DeletionItem, HeldDeletions, type HeldOptions } from '../../../../src/editor/deletions/held.ts';
import { until } from '../until.ts';

const LONG = 1_000_000;
const item = (id: string): DeletionItem => ({ serviceId: 'local', kind: 'prediction', id });

describe('held deletions', () => {
  let folder: string;
  let deleted: string[];
  let done: { ids: string[]; problem: unknown }[];
  const open: HeldDeletions[] = [];
  const log = { error: (text: string) => assert.fail(text) } as unknown as vscode.LogOutputChannel;
  const windowOf = (options: Partial<HeldOptions> = {}): HeldDeletions => {
    const held = new HeldDeletions({
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
    const name = held.hold([item('a'), item('b')], () => (isBack = true));
    assert.deepEqual(['a', 'b', 'c'].map((id) => held.isHeld('local', id)), [true, true, false]); // prettier-ignore
    assert.equal(held.isHeld('https://other/', 'a'), false);
    assert.equal(held.latest, name);
    assert.equal(held.undo(name), true);
    assert.deepEqual([isBack, held.isHeld('local', 'a'), held.undo(name), held.latest, files(), deleted], [true, false, false, undefined, [], []]); // prettier-ignore
  });

  it('are for good once their time is over, and stay out of sight until the list was read again', async () => {
    let seen: boolean | undefined;
    const held: HeldDeletions = windowOf({
      wait: 1,
      onDone: () => {
        seen = held.isHeld('local', 'a');
        return Promise.resolve();
      },
    });
    const name = held.hold([item('a')], nothing);
    await until(() => held.isHeld('local', 'a'), (is) => !is); // prettier-ignore
    assert.deepEqual([deleted, seen, held.undo(name), files()], [['a'], true, false, []]);
  });

  it('that the service refuses are told and seen again, and keep nothing that comes after them', async () => {
    const held = windowOf();
    await held.commit(held.hold([item('a'), item('bad'), item('c')], nothing));
    assert.deepEqual(deleted, ['a', 'c']);
    assert.match(String(done[0].problem), /bad/);
    assert.deepEqual([held.isHeld('local', 'bad'), files()], [false, []]);
  });

  it('are done as the window closes; what does not come through is left to the next window', async () => {
    const first = windowOf();
    first.hold([item('a')], nothing);
    first.hold([item('bad 1')], nothing);
    await first.finish();
    assert.deepEqual([deleted, files().length], [['a'], 1]);
  });

  it('of a window that broke off are taken on by the next one, and shown by none', async () => {
    const [broken, late] = ['broken.json', 'late.json'].map((name) => path.join(folder, name));
    writeFileSync(broken, '{');
    writeFileSync(late, JSON.stringify({ due: Date.now() - LONG, items: [item('x')] }));
    const next = windowOf();
    next.resume();
    assert.deepEqual([next.isHeld('local', 'x'), next.latest], [true, undefined]);
    await until(() => next.isHeld('local', 'x'), (is) => !is); // prettier-ignore
    assert.deepEqual([deleted, files()], [['x'], []]);
  });

  it('of a window that is still open are left to it', () => {
    const first = windowOf();
    const name = first.hold([item('a')], nothing);
    const second = windowOf();
    second.resume();
    assert.deepEqual([first.undo(name), files(), deleted], [true, [], []]);
  });
});

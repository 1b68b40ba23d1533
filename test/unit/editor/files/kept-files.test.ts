import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KeptFiles, type KeptForecast } from '../../../../src/editor/connection/memory.ts';
import { now } from '../workbench/vscode.ts';
import { Window } from '../workbench/window.ts';

describe('Files that are kept up to date', () => {
  const made = (model: string): KeptForecast => ({ serviceId: 'local', series: 's', model, fingerprint: model });
  const [A, B] = ['file:///a.csv', 'file:///b.csv'];
  let folder: string;
  /** As after a reload of the window. */
  const open = () => new KeptFiles(folder);
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'kept-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const keep = (address: string, model: string) => {
    open().keep(address, true);
    open().note(address, made(model), false);
  };

  it('keep the options of their last forecast while they are paused', () => {
    keep(A, 'theta');
    open().keep(A, false);
    assert.deepEqual([open().has(A), open().get(A)?.made?.model], [false, 'theta']);
    open().note(A, made('ets'), false);
    open().keep(A, true);
    assert.deepEqual([open().has(A), open().get(A)?.made?.model], [true, 'ets']);
    open().note(A, made('ets'), false);
    open().note(A, made('hybrid'), false);
    assert.equal(open().get(A)?.made?.model, 'ets', 'one beside it is not the one that is made again');
    open().note(A, made('hybrid'), true);
    assert.deepEqual([open().has(A), open().get(A)?.made?.model], [true, 'hybrid']);
  });

  it('stay however many other files are forecast after them', function () {
    this.timeout(120_000);
    keep(A, 'theta');
    const others = open();
    for (let file = 0; file < 2102; file++) others.note(`file:///${String(file)}.csv`, made('ets'), false);
    assert.deepEqual([open().has(A), open().get(A)?.made?.model], [true, 'theta']);
    assert.equal(open().get('file:///0.csv')?.made, undefined, 'the oldest of the others is forgotten');
  });

  it('take the options of the first forecast after they are switched on', () => {
    open().keep(A, true);
    assert.deepEqual([open().has(A), open().get(A)?.made], [true, undefined]);
    open().note(A, made('theta'), false);
    open().keep(A, false);
    open().keep(A, true);
    // the window is closed before the first forecast is there
    assert.deepEqual([open().has(A), open().get(A)?.made?.model], [true, 'theta']);
    open().note(A, made('ets'), false);
    open().note(A, made('hybrid'), false);
    assert.equal(open().get(A)?.made?.model, 'ets');
  });

  it('are those of a workspace, so that of two windows on a file one forecasts it', () => {
    keep(A, 'theta');
    keep('untitled:Untitled-1', 'theta');
    assert.deepEqual([open().has(A), open().has('untitled:Untitled-1')], [true, false]);
    now.window = new Window();
    now.window.root = folder;
    assert.deepEqual([open().has(A), open().get(A)?.made], [false, undefined]);
    now.window = new Window();
  });

  it('are known to every window of their workspace', () => {
    const other = open();
    keep(A, 'theta');
    assert.deepEqual([other.has(A), other.get(A)?.made?.model, other.has(B)], [true, 'theta', false]);
    other.keep(A, false);
    keep(B, 'ets');
    assert.deepEqual([open().has(A), open().has(B), open().get(A)?.made?.model], [false, true, 'theta']);
  });
});

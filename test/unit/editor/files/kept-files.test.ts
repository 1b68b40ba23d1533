import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { KeptFiles, type Made } from '../../../../src/editor/files/kept-files.ts';
import { Memento } from '../workbench/memento.ts';

describe('files that are kept up to date', () => {
  const made = (model: string): Made => ({ serviceId: 'local', series: 's', model, fingerprint: model });
  const [A, B] = ['file:///a.csv', 'file:///b.csv'];
  let memento: Memento;
  /** As after a reload of the window. */
  const open = () => new KeptFiles(memento as unknown as vscode.Memento);
  beforeEach(() => (memento = new Memento()));

  it('know how they were forecast while they are paused, and from there on', async () => {
    const kept = open();
    await kept.keep(A, true, true);
    await kept.note(A, made('theta'), false);
    await kept.keep(A, false);
    assert.deepEqual([open().has(A), open().made(A)], [false, made('theta')]);
    await open().keep(A, true, true);
    // the window is closed before the first forecast is there
    assert.deepEqual([open().has(A), open().made(A)], [true, made('theta')]);
    await open().note(A, made('ets'), false);
    assert.deepEqual(open().made(A), made('ets'));
    await open().note(A, made('hybrid'), false);
    assert.deepEqual(open().made(A), made('ets'), 'one beside it is not the one that is made again');
    await open().note(A, made('hybrid'), true);
    assert.deepEqual(open().made(A), made('hybrid'));
  });

  it('are known where what is stored of another one cannot be read', async () => {
    await open().keep(A, true, true);
    await open().note(A, made('theta'), false);
    const stored = memento.get('forecasts.keptUpToDate') as object;
    await memento.update('forecasts.keptUpToDate', { ...stored, [B]: { isKept: 'yes', made: 3 } });
    assert.deepEqual([open().has(A), open().made(A), open().has(B)], [true, made('theta'), false]);
    await open().keep(B, true, true);
    assert.deepEqual([open().has(A), open().has(B), open().made(A)], [true, true, made('theta')]);
  });

  it('are never forgotten for others that are not', async () => {
    await open().keep(A, true, true);
    await open().note(A, made('theta'), false);
    for (let i = 0; i < 501; i++) {
      await open().keep(`file:///${i}.csv`, true, true);
      await open().keep(`file:///${i}.csv`, false);
    }
    assert.deepEqual([open().has(A), open().made(A)], [true, made('theta')]);
  });
});

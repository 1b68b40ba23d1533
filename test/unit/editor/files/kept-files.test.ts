import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { KeptFiles, type Made } from '../../../../src/editor/files/kept-files.ts';
import { Memento } from '../workbench/memento.ts';

describe('Files that are kept up to date', () => {
  const made = (model: string): Made => ({ serviceId: 'local', series: 's', model, fingerprint: model });
  const [A, B] = ['file:///a.csv', 'file:///b.csv'];
  let memento: Memento;
  /** As after a reload of the window. */
  const open = () => new KeptFiles(memento as unknown as vscode.Memento);
  beforeEach(() => (memento = new Memento()));

  const keep = async (address: string, model: string) => {
    await open().keep(address, true);
    await open().note(address, made(model), false);
  };

  it('keep the options of their last forecast while they are paused', async () => {
    await keep(A, 'theta');
    await open().keep(A, false);
    assert.deepEqual([open().has(A), open().made(A)?.model], [false, 'theta']);
    await open().note(A, made('ets'), false);
    await open().keep(A, true);
    assert.deepEqual([open().has(A), open().made(A)?.model], [true, 'ets']);
    await open().note(A, made('ets'), false);
    await open().note(A, made('hybrid'), false);
    assert.equal(open().made(A)?.model, 'ets', 'one beside it is not the one that is made again');
    await open().note(A, made('hybrid'), true);
    assert.deepEqual([open().has(A), open().made(A)?.model], [true, 'hybrid']);
  });

  it('take the options of the first forecast after they are switched on', async () => {
    await open().keep(A, true);
    assert.deepEqual([open().has(A), open().made(A)], [true, undefined]);
    await open().note(A, made('theta'), false);
    await open().keep(A, false);
    await open().keep(A, true);
    // the window is closed before the first forecast is there
    assert.deepEqual([open().has(A), open().made(A)?.model], [true, 'theta']);
    await open().note(A, made('ets'), false);
    await open().note(A, made('hybrid'), false);
    assert.equal(open().made(A)?.model, 'ets');
  });

  it('are known even if the entry of another file cannot be read', async () => {
    await keep(A, 'theta');
    const stored = memento.get('forecasts.keptUpToDate') as object;
    await memento.update('forecasts.keptUpToDate', { ...stored, [B]: { isKept: 'yes', made: 3 } });
    assert.deepEqual([open().has(A), open().made(A)?.model, open().has(B)], [true, 'theta', false]);
    await keep(B, 'ets');
    assert.deepEqual([open().has(A), open().has(B), open().made(A)?.model], [true, true, 'theta']);
  });

  it('are never displaced by files that are not kept up to date', async () => {
    await keep(A, 'theta');
    for (let i = 0; i < 101; i++) await open().note(`file:///${i}.csv`, made('ets'), false);
    assert.deepEqual([open().has(A), open().made('file:///0.csv'), open().made('file:///1.csv')?.model], [true, undefined, 'ets']); // prettier-ignore
  });
});

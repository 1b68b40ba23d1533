import assert from 'node:assert/strict';
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Uri } from 'vscode';
import { Choices } from '../../../../src/editor/files/document.ts';
import { MadeModels, Memory } from '../../../../src/editor/connection/memory.ts';

describe('two windows with common records', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'forecasts-notes-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('keep the records of both', async () => {
    const [one, two] = [new Memory(folder), new Memory(folder)];
    await one.note('local', 'a', { label: 'A' });
    await two.note('local', 'b', { label: 'B' });
    await one.note('local', 'c', { label: 'C' });
    for (const window of [one, two, new Memory(folder)]) {
      assert.deepEqual(
        ['a', 'b', 'c'].map((id) => window.recall('local', id)?.label),
        ['A', 'B', 'C'],
      );
    }
  });

  it('keep the pins and chosen models of both', () => {
    const [one, two] = [new Memory(folder), new Memory(folder)];
    one.pin('other', 'elsewhere', true);
    one.pin('local', 'a', true);
    one.pin('local', 'old', true);
    two.pin('local', 'b', true);
    two.pin('local', 'old', false);
    one.chooseModel('one', 'naive');
    two.chooseModel('two', undefined);
    two.chooseModel('three', 'hybrid');
    for (const window of [one, two]) {
      assert.deepEqual(window.pins('local').toSorted(), ['a', 'b']);
      assert.deepEqual(window.pins('other'), ['elsewhere']);
      assert.deepEqual(
        ['one', 'two', 'three'].map((id) => window.chosenModel(id)?.model),
        ['naive', undefined, 'hybrid'],
      );
    }
    for (const id of ['c', 'd', 'a']) one.pin('local', id, true);
    assert.deepEqual(two.pins('local').slice(0, 3), ['a', 'd', 'c'], 'the newest first');
    two.pin('local', 'd', false);
    assert.ok(!one.pins('local').includes('d'));
  });

  it('remember in memory what cannot be written', async () => {
    const file = path.join(folder, 'taken');
    writeFileSync(file, ''); // where a folder should be
    const reported: unknown[] = [];
    const one = new Memory(file, (error) => reported.push(error));
    for (const label of ['A', 'newer']) await one.note('local', 'a', { label, key: 'k' });
    one.pin('local', 'a', true);
    one.chooseModel('local', 'theta');
    assert.deepEqual([one.recall('local', 'a')?.label, one.find('local', 'k')?.made], ['newer', 'a']);
    assert.deepEqual([one.pins('local'), one.chosenModel('local')?.model], [['a'], 'theta']);
    assert.ok(reported.length > 0);
    const models = new MadeModels(path.join(folder, 'models'), (error) => reported.push(error));
    writeFileSync(path.join(folder, 'models'), '');
    await models.keep('local', { id: 'm', status: 'QUEUED' });
    assert.deepEqual(models.of('local').map(({ model }) => model.id), ['m']); // prettier-ignore
  });

  it('unpin a prediction whose file cannot be deleted, until the person pins it again', () => {
    const reported: unknown[] = [];
    const one = new Memory(folder, (error) => reported.push(error));
    for (const id of ['a', 'b']) one.pin('local', id, true);
    const { rmSync: before } = fs;
    fs.rmSync = () => {
      throw new Error('EPERM: operation not permitted');
    };
    syncBuiltinESMExports();
    try {
      one.pin('local', 'a', false);
    } finally {
      fs.rmSync = before;
      syncBuiltinESMExports();
    }
    assert.equal(reported.length, 1);
    assert.deepEqual(one.pins('local'), ['b']);
    one.pin('local', 'a', true);
    assert.deepEqual(one.pins('local'), ['a', 'b']);
    one.pin('local', 'a', false);
    assert.deepEqual([one.pins('local'), new Memory(folder).pins('local')], [['b'], ['b']]);
  });

  it('keep the models created in both', async () => {
    const [one, two] = [new MadeModels(folder), new MadeModels(folder)];
    await one.keep('local', { id: 'a', status: 'QUEUED' });
    await two.keep('local', { id: 'b', status: 'QUEUED' });
    await one.keep('local', { id: 'a', status: 'COMPLETED' });
    for (const window of [one, two, new MadeModels(folder)]) {
      assert.deepEqual(
        window
          .of('local')
          .map(({ model }) => [model.id, model.status])
          .toSorted(),
        [
          ['a', 'COMPLETED'],
          ['b', 'QUEUED'],
        ],
      );
    }
  });

  it('keep models that both store at the same moment', async () => {
    const [one, two] = [new MadeModels(folder), new MadeModels(folder)];
    await one.keep('local', { id: 'first', status: 'QUEUED' });
    assert.ok(await two.forget('local', 'first'));
    await Promise.all([
      one.keep('local', { id: 'a', status: 'QUEUED' }),
      two.keep('local', { id: 'b', status: 'QUEUED' }),
    ]);
    for (const window of [one, two])
      assert.deepEqual(window.of('local').map(({ model }) => model.id).toSorted(), ['a', 'b']); // prettier-ignore
    assert.ok(await two.forget('local', 'a'));
    assert.equal(await one.settle('local', 'b'), true);
    assert.equal(one.of('local').length, 1);
  });

  it('keep choices that both make at the same moment, and those of an earlier version', async () => {
    const file = (name: string) => ({ toString: () => `file:///${name}` }) as Uri;
    const [one, two] = [new Choices(folder), new Choices(folder)]; // as two windows
    one.change(file('a.csv'), 's', { layout: { header: true } });
    two.change(file('b.csv'), 's', { layout: { header: false } });
    one.change(file('old.csv'), 't', { layout: { header: false } });
    two.change(file('old.csv'), 'u', { layout: { header: true } });
    two.change(file('old.csv'), 's', { layout: { header: false } });
    for (const window of [one, two, new Choices(folder)]) {
      assert.equal(window.latest(file('a.csv'))?.layout.header, true);
      assert.equal(window.recall(file('b.csv'), 's')?.layout.header, false);
      const shapes = ['s', 't', 'u'].map((shape) => window.recall(file('old.csv'), shape)?.layout.header);
      assert.deepEqual(shapes, [false, false, true]);
      assert.equal(window.latest(file('old.csv'))?.shape, 's');
    }
    assert.equal(one.recall(file('a.csv'), 'other'), undefined);
  });

  it('keep the choices for an untitled document to themselves', () => {
    const text = { scheme: 'untitled', toString: () => 'untitled:Untitled-1' } as Uri;
    const one = new Choices(folder);
    for (const shape of ['s', 't']) one.change(text, shape, { series: ['a'] });
    assert.deepEqual([one.recall(text, 's')?.shape, one.latest(text)?.shape], ['s', 't']);
    assert.equal(new Choices(folder).latest(text), undefined);
  });

  it('remember a choice that cannot be written, and keep nothing without one', () => {
    const file = { toString: () => 'file:///a.csv' } as Uri;
    writeFileSync(path.join(folder, 'taken'), ''); // where a folder should be
    const reported: unknown[] = [];
    const one = new Choices(path.join(folder, 'taken'), (error) => reported.push(error));
    one.change(file, 's', { layout: {}, series: undefined });
    assert.deepEqual([reported, one.latest(file)], [[], undefined]);
    one.change(file, 't', { layout: { header: false } });
    assert.deepEqual([reported.length > 0, one.latest(file)?.shape], [true, 't']);
    one.change(file, 't', { covariates: ['x'] });
    assert.deepEqual(one.latest(file), { shape: 't', layout: { header: false }, covariates: ['x'] });
  });
});

import assert from 'node:assert/strict';
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Memento, Uri } from 'vscode';
import { Choices } from '../../../../src/editor/files/choices.ts';
import { MadeModels } from '../../../../src/editor/connection/made-models.ts';
import { Memory } from '../../../../src/editor/connection/memory.ts';

/** A memento that keeps a copy of what it is given, as the editor's does. */
function memento(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, initial?: T) => (values.has(key) ? (values.get(key) as T) : initial) as T,
    update: (key: string, value: unknown) => {
      values.set(key, structuredClone(value));
      return Promise.resolve();
    },
  };
}

describe('two windows over one memory', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'forecasts-notes-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('keep the notes of both', async () => {
    const state = memento();
    const [one, two] = [new Memory(state, folder), new Memory(state, folder)];
    await one.note('local', 'a', { label: 'A' });
    await two.note('local', 'b', { label: 'B' });
    await one.note('local', 'c', { label: 'C' });
    for (const window of [one, two, new Memory(state, folder)]) {
      assert.deepEqual(
        ['a', 'b', 'c'].map((id) => window.recall('local', id)?.label),
        ['A', 'B', 'C'],
      );
    }
  });

  it('keep the pins and the chosen models of both, over those of an earlier version', async () => {
    const states = [memento(), memento()]; // as two windows that have not heard of each other yet
    for (const state of states) {
      await state.update('forecasts.pins', { local: ['old', 'older'], other: ['elsewhere'] });
      await state.update('forecasts.modelOfService', { one: 'theta', two: 'drift' });
    }
    const [one, two] = states.map((state) => new Memory(state, folder));
    assert.deepEqual(one.pins('local'), ['old', 'older']);
    one.pin('local', 'a', true);
    two.pin('local', 'b', true);
    two.pin('local', 'old', false);
    one.chooseModel('one', 'naive');
    two.chooseModel('two', undefined);
    two.chooseModel('three', 'hybrid');
    for (const window of [one, two]) {
      assert.deepEqual(window.pins('local').toSorted(), ['a', 'b', 'older']);
      assert.deepEqual(window.pins('other'), ['elsewhere']);
      assert.deepEqual(
        ['one', 'two', 'three'].map((id) => window.model(id)),
        ['naive', undefined, 'hybrid'],
      );
    }
    for (const id of ['c', 'd', 'a']) one.pin('local', id, true);
    assert.deepEqual(two.pins('local').slice(0, 3), ['a', 'd', 'c'], 'the newest first');
    two.pin('local', 'd', false);
    assert.ok(!one.pins('local').includes('d'));
  });

  it('remember for themselves what cannot be written, and lose nothing of an earlier version', async () => {
    const state = memento();
    await state.update('forecasts.notes', [['local old', { label: 'Old' }]]);
    const file = path.join(folder, 'taken');
    writeFileSync(file, ''); // where a folder should be
    const told: unknown[] = [];
    const one = new Memory(state, file, (error) => told.push(error));
    for (const label of ['A', 'newer']) await one.note('local', 'a', { label, key: 'k' });
    one.pin('local', 'a', true);
    one.chooseModel('local', 'theta');
    assert.deepEqual(
      [one.recall('local', 'a')?.label, one.recall('local', 'old')?.label, one.find('local', 'k')],
      ['newer', 'Old', 'a'],
    );
    assert.deepEqual([one.pins('local'), one.model('local')], [['a'], 'theta']);
    assert.ok(told.length > 0);
    rmSync(file);
    assert.equal(new Memory(state, file).recall('local', 'old')?.label, 'Old');
    const models = new MadeModels(state, path.join(folder, 'models'), (error) => told.push(error));
    writeFileSync(path.join(folder, 'models'), '');
    await models.keep('local', { id: 'm', status: 'QUEUED' });
    assert.deepEqual(models.of('local').map(({ model }) => model.id), ['m']); // prettier-ignore
  });

  it('have no pin any more whose file cannot be deleted, until the person pins it again', () => {
    const told: unknown[] = [];
    const one = new Memory(memento(), folder, (error) => told.push(error));
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
    assert.equal(told.length, 1);
    assert.deepEqual(one.pins('local'), ['b']);
    one.pin('local', 'a', true);
    assert.deepEqual(one.pins('local'), ['a', 'b']);
    one.pin('local', 'a', false);
    assert.deepEqual([one.pins('local'), new Memory(memento(), folder).pins('local')], [['b'], ['b']]);
  });

  it('do not lose what was just made for notes of an earlier version that cannot be written', async () => {
    const state = memento();
    const earlier = Array.from({ length: 2001 }, (_, n) => [`local p${n}`, { label: `Old ${n}` }]);
    await state.update('forecasts.notes', earlier);
    const file = path.join(folder, 'occupied');
    writeFileSync(file, ''); // where a folder should be
    const told: unknown[] = [];
    const one = new Memory(state, file, (error) => told.push(error));
    await one.note('local', 'made', { label: 'New' });
    assert.deepEqual(
      ['made', 'p0', 'p2000'].map((id) => one.recall('local', id)?.label),
      ['New', 'Old 0', 'Old 2000'],
    );
    assert.ok(told.length < 10, `told ${told.length} times`);
  });

  it('keep the notes of an earlier version', async () => {
    const state = memento();
    await state.update('forecasts.notes', [
      ['local a', { label: 'A' }],
      ['local b', { label: 'B' }],
    ]);
    const window = new Memory(state, folder);
    assert.equal(window.recall('local', 'a')?.label, 'A');
    await window.note('local', 'b', { label: 'newer' });
    assert.equal(state.get('forecasts.notes'), undefined);
    assert.deepEqual([window.recall('local', 'a')?.label, window.recall('local', 'b')?.label], ['A', 'newer']);
  });

  it('keep the models made in both', async () => {
    const state = memento();
    const [one, two] = [new MadeModels(state, folder), new MadeModels(state, folder)];
    await one.keep('local', { id: 'a', status: 'QUEUED' });
    await two.keep('local', { id: 'b', status: 'QUEUED' });
    await one.keep('local', { id: 'a', status: 'COMPLETED' });
    for (const window of [one, two, new MadeModels(state, folder)]) {
      assert.deepEqual(
        window.of('local').map(({ model }) => [model.id, model.status]),
        [
          ['a', 'COMPLETED'],
          ['b', 'QUEUED'],
        ],
      );
    }
  });

  it('keep the models that both store at the same moment, and those of an earlier version', async () => {
    const states = [memento(), memento()]; // as two windows that have not heard of each other yet
    const earlier = [{ serviceId: 'local', asOf: 1, model: { id: 'old', status: 'COMPLETED' } }];
    for (const state of states) await state.update('forecasts.madeModels', earlier);
    const [one, two] = states.map((state) => new MadeModels(state, folder));
    assert.deepEqual(
      one.of('local').map(({ model }) => model.id),
      ['old'],
    );
    await one.keep('local', { id: 'first', status: 'QUEUED' });
    assert.equal(two.of('local').length, 2, 'what one has moved is not there twice');
    assert.ok(await one.forget('local', 'first'));
    await Promise.all([
      one.keep('local', { id: 'a', status: 'QUEUED' }),
      two.keep('local', { id: 'b', status: 'QUEUED' }),
    ]);
    for (const window of [one, two]) {
      const ids = window.of('local').map(({ model }) => model.id);
      assert.deepEqual(ids.toSorted(), ['a', 'b', 'old']);
      assert.equal(ids.at(-1), 'old');
    }
    assert.ok(await two.forget('local', 'a'));
    assert.equal(await one.settle('local', 'b'), true);
    assert.equal(one.of('local').length, 2);
  });

  it('keep the choices of both that are made at the same moment, and those of an earlier version', async () => {
    const file = (name: string) => ({ toString: () => `file:///${name}` }) as Uri;
    const chosen = (shape: string, header: boolean) => ({ shape, layout: { header } });
    const states = [memento(), memento()]; // as two windows that have not heard of each other yet
    const earlier = [['file:///old.csv', chosen('s', true)], ['file:///older.csv', chosen('s', false)], ['file:///old.csv', chosen('t', false)]]; // prettier-ignore
    for (const state of states) await state.update('forecasts.choices', earlier);
    const [one, two] = states.map((state) => new Choices(state, folder));
    await Promise.all([
      one.remember(file('a.csv'), chosen('s', true)),
      two.remember(file('b.csv'), chosen('s', false)),
    ]);
    await two.remember(file('old.csv'), chosen('u', true));
    await two.remember(file('old.csv'), chosen('s', false));
    for (const window of [one, two, new Choices(memento(), folder)]) {
      assert.equal(window.latest(file('a.csv'))?.layout.header, true);
      assert.equal(window.recall(file('b.csv'), 's')?.layout.header, false);
      const shapes = ['s', 't', 'u'].map((shape) => window.recall(file('old.csv'), shape)?.layout.header);
      assert.deepEqual(shapes, [false, false, true]);
      assert.equal(window.latest(file('old.csv'))?.shape, 's');
    }
    for (const window of [one, two]) assert.equal(window.latest(file('older.csv'))?.layout.header, false);
    assert.equal(one.recall(file('a.csv'), 'other'), undefined);
  });

  it('keep what was chosen of a text without a file to themselves, as others call another text so', async () => {
    const text = { scheme: 'untitled', toString: () => 'untitled:Untitled-1' } as Uri;
    const [state, other] = [memento(), memento()];
    for (const shape of ['s', 't']) await new Choices(state, folder).remember(text, { shape, layout: {} });
    const again = new Choices(state, folder);
    assert.deepEqual([again.recall(text, 's')?.shape, again.latest(text)?.shape], ['s', 't']);
    assert.equal(new Choices(other, folder).latest(text), undefined);
  });

  it('keep what was chosen in an earlier version as long as it cannot be written', async () => {
    const state = memento();
    const file = { toString: () => 'file:///a.csv' } as Uri;
    await state.update('forecasts.choices', [['file:///a.csv', { shape: 's', layout: { header: true } }]]);
    writeFileSync(path.join(folder, 'taken'), ''); // where a folder should be
    const told: unknown[] = [];
    const one = new Choices(state, path.join(folder, 'taken'), (error) => told.push(error));
    await one.remember(file, { shape: 't', layout: { header: false } });
    assert.deepEqual(
      [told.length > 0, one.latest(file)?.shape, one.recall(file, 's')?.layout.header],
      [true, 't', true],
    );
    assert.equal(new Choices(state, path.join(folder, 'choices')).latest(file)?.shape, 's');
  });
});

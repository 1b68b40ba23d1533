import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { URI } from 'vscode-uri';
import type { OpenedDocument } from '../../../../src/editor/files/document.ts';
import type { FileListener } from '../../../../src/editor/files/series-file.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';

describe('A file that is watched', () => {
  const extension = new Extension();

  /** Counts the readings, and what a subscriber is told. */
  function follow(uri: URI) {
    const { reader, files } = extension.app;
    const { read } = reader;
    let readings = 0;
    reader.read = (...args) => {
      readings++;
      return read.apply(reader, args);
    };
    const reported: OpenedDocument[] = [];
    const subscribe = (more: Partial<FileListener> = {}) =>
      files.subscribe(uri, { onRead: (opened) => reported.push(opened), ...more });
    const points = () => reported.map(({ document }) => document.series[0].times.length);
    return {
      get readings() { return readings; },
      subscribe, reported, points,
      end: () => { reader.read = read; },
    }; // prettier-ignore
  }
  const edit = (uri: URI, text: string) => {
    const document = extension.window.select(uri, text);
    extension.window.changedDocument.fire({ document, contentChanges: [{}] });
    return document;
  };

  it('is read once for all subscribers and readers', async () => {
    const uri = extension.file('shared.csv', months(36, { sales: seasonal }));
    const file = follow(uri);
    const all = [file.subscribe(), file.subscribe()];
    await until(file.points, (points) => points.length === 2);
    all.push(file.subscribe());
    await until(file.points, (points) => points.length === 3);
    await extension.app.files.read(uri);
    assert.equal(file.readings, 1);
    for (const one of all) one.dispose();
    file.end();
  });

  it('is read once for an edit and its save, and shows no progress', async () => {
    const uri = extension.file('edited.csv', months(36, { sales: seasonal }));
    const file = follow(uri);
    const all = [file.subscribe(), file.subscribe()];
    await until(file.points, (points) => points.length === 2);
    const text = months(40, { sales: seasonal });
    const document = edit(uri, text);
    await until(file.points, (points) => points.length === 4);
    writeFileSync(uri.fsPath, text);
    document.isDirty = false;
    extension.window.savedDocument.fire(document);
    const saved = await extension.app.files.read(uri);
    assert.equal(saved.document.series[0].times.length, 40);
    assert.deepEqual([file.readings, file.points()], [2, [36, 36, 40, 40]]);
    assert.deepEqual(extension.window.progresses.filter(({ title }) => title.includes('edited.csv')), []); // prettier-ignore
    for (const one of all) one.dispose();
    file.end();
  });

  it('is read after its last change, not while it is half-written', async () => {
    const uri = extension.file('written.csv', months(36, { sales: seasonal }));
    const file = follow(uri);
    const following = file.subscribe();
    await until(file.points, (points) => points.length === 1);
    // the first reading also starts a thread
    edit(uri, months(37, { sales: seasonal }));
    await until(file.points, (points) => points.length === 2);
    for (let count = 38; count <= 43; count++) {
      edit(uri, months(count, { sales: seasonal }));
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    await until(file.points, (points) => points.length === 3);
    assert.deepEqual(file.points(), [36, 37, 43]);
    following.dispose();
    file.end();
  });

  it('is read again if another layout is chosen', async () => {
    const uri = extension.file('layout.csv', 'day;a;b\n2024-01-01;1,5;2\n2024-01-02;2,5;3\n2024-01-03;3,5;4\n');
    const file = follow(uri);
    const following = file.subscribe();
    await until(file.points, (points) => points.length === 1);
    const { shape } = file.reported[0].document;
    extension.app.choices.change(uri, shape, { layout: { valueColumns: ['b'] } });
    const { document } = await extension.app.files.read(uri);
    assert.deepEqual(document.series.map(({ valueColumn }) => valueColumn), ['b']); // prettier-ignore
    following.dispose();
    file.end();
  });

  it('reports a failed reading, and is read again after the next edit', async () => {
    const uri = extension.file('mended.csv', 'nothing\n');
    const file = follow(uri);
    const failures: unknown[] = [];
    const following = file.subscribe({ onFailure: (error) => failures.push(error) });
    await until(
      () => failures.length,
      (count) => count === 1,
    );
    edit(uri, months(36, { sales: seasonal }));
    await until(file.points, (points) => points.length === 1);
    following.dispose();
    file.end();
  });

  it('costs no lookup of records when other files are saved', async () => {
    const { memory } = extension.app;
    const { recall } = memory;
    let lookedUp = 0;
    memory.recall = (...args) => {
      lookedUp++;
      return recall.apply(memory, args);
    };
    for (let i = 0; i < 1000; i++) extension.window.savedDocument.fire({ uri: URI.file(`/elsewhere/${i}.json`) });
    memory.recall = recall;
    assert.equal(lookedUp, 0);
  });
});

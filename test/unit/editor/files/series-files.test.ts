import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { seriesFilesOf } from '../../../../src/editor/files/sources.ts';
import { Cancelled } from '../../../../src/editor/ui/say.ts';
import { Window } from '../workbench/window.ts';
import { now } from '../workbench/vscode.ts';

describe('Series files of folders', () => {
  let folder: string;
  const { signal } = new AbortController();
  const names = (uris: readonly URI[]) => uris.map((uri) => path.posix.basename(uri.path));
  const write = (...files: string[]) => {
    for (const file of files) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), 'x');
    }
  };
  beforeEach(() => {
    now.window = new Window();
    folder = mkdtempSync(path.join(tmpdir(), 'forecasts-folder-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
    now.window.person.verify();
  });

  it('are sorted by name, without hidden folders and packages', async () => {
    write(
      'b10.csv',
      'b9.CSV',
      'a.md',
      'sub/c.json',
      'node_modules/d.csv',
      '.git/e.csv',
      'sub/deep/f.ndjson',
      'a.forecast.json',
    );
    const uris = await seriesFilesOf([URI.file(folder)], signal);
    assert.deepEqual(names(uris), ['b9.CSV', 'b10.csv', 'c.json', 'f.ndjson']);
  });

  it('are the chosen files themselves, whatever their extension', async () => {
    write('data.dat', 'sub/c.json');
    const chosen = [URI.file(path.join(folder, 'data.dat')), URI.file(path.join(folder, 'sub'))];
    assert.deepEqual(names(await seriesFilesOf(chosen, signal)), ['data.dat', 'c.json']);
  });

  it('are never cut without a question', async () => {
    write(...Array.from({ length: 7 }, (_, index) => `f${index}.csv`));
    const { person } = now.window;
    person.presses('Find More').presses('Find More');
    assert.equal((await seriesFilesOf([URI.file(folder)], signal, 3)).length, 7);
    assert.match(person.texts[0], /^3 series files were found, and there are more/);
    person.presses('Use These');
    assert.equal((await seriesFilesOf([URI.file(folder)], signal, 3)).length, 3);
    await assert.rejects(seriesFilesOf([URI.file(folder)], signal, 3), Cancelled);
    assert.equal((await seriesFilesOf([URI.file(folder)], signal, 7)).length, 7);
    assert.equal(person.read.length, 4);
  });

  it('are no longer searched for after a cancel', async () => {
    write(...Array.from({ length: 301 }, (_, index) => `d${String(index)}/f.csv`));
    const stop = new AbortController();
    const { fs } = now.window.workspace;
    const { readDirectory } = fs;
    let read = 0;
    fs.readDirectory = (uri) => {
      if (++read === 33) stop.abort(new Cancelled());
      return readDirectory(uri);
    };
    await assert.rejects(seriesFilesOf([URI.file(folder)], stop.signal), Cancelled);
    assert.equal(read, 33);
  });
});

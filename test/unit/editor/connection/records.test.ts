import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { Records } from '../../../../src/editor/connection/memory.ts';

const Note = z.object({ label: z.string() });
const HELD = 'held.json'; // a folder, which cannot be deleted as a file

describe('records', () => {
  let folder: string;
  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(tmpdir(), 'forecasts-records-')), 'notes');
  });
  afterEach(() => {
    rmSync(path.dirname(folder), { recursive: true, force: true });
  });

  /** Makes all that were written older than the next, also where a file system counts time in steps of milliseconds. */
  const age = () => {
    for (const name of readdirSync(folder)) if (name !== HELD) utimesSync(path.join(folder, name), 1, 1);
  };

  it('are stored under any key, and are gone when deleted', () => {
    const records = new Records(folder, Note, 10);
    const keys = ['local a', 'https://x.example/v1/ b', '../../etc/passwd', 'ä/ö\\ü', ''];
    assert.equal(records.get('local a'), undefined);
    assert.deepEqual(records.all(), []);
    for (const key of keys) records.set(key, { label: key });
    for (const key of keys) assert.equal(records.get(key)?.label, key);
    assert.equal(readdirSync(folder).length, keys.length);
    assert.equal(records.delete('local a'), true);
    assert.equal(records.delete('local a'), false);
    assert.equal(records.get('local a'), undefined);
  });

  it('that are corrupt are treated as absent, and can be written again', () => {
    const records = new Records(folder, Note, 10);
    records.set('a', { label: 'A' });
    const [name] = readdirSync(folder);
    for (const corrupt of ['', '{"key":"a"', '{"key":"a","value":{"label":3}}']) {
      writeFileSync(path.join(folder, name), corrupt);
      assert.equal(records.get('a'), undefined);
    }
    records.set('a', { label: 'again' });
    assert.equal(records.get('a')?.label, 'again');
  });

  it('drop only the oldest of very many', () => {
    const records = new Records(folder, Note, 20);
    for (let index = 0; index < 120; index++) records.set(`key ${index}`, { label: String(index) });
    age();
    records.set('key 120', { label: '120' });
    assert.equal(readdirSync(folder).length, 20);
    assert.equal(records.get('key 120')?.label, '120');
  });

  it('are written although the oldest cannot be deleted', () => {
    const reported: unknown[] = [];
    const records = new Records(folder, Note, 20, (error) => reported.push(error));
    mkdirSync(path.join(folder, HELD), { recursive: true });
    utimesSync(path.join(folder, HELD), 0, 0);
    for (let index = 0; index < 119; index++) records.set(`key ${index}`, { label: String(index) });
    age();
    records.set('key 119', { label: '119' });
    assert.equal(new Records(folder, Note, 20).get('key 119')?.label, '119');
    assert.ok(reported.length > 0);
    assert.equal(readdirSync(folder).length, 21);
  });

  it('stay in memory up to their limit if none can be written, newest first', () => {
    writeFileSync(folder, 'no folder');
    const records = new Records(folder, Note, 3, () => undefined);
    for (const label of ['a', 'b', 'c', 'd', 'b']) records.set(label, { label });
    assert.deepEqual(records.all().map(({ label }) => label), ['b', 'd', 'c']); // prettier-ignore
    rmSync(folder);
  });

  it('are listed newest first', () => {
    const records = new Records(folder, Note, 20);
    ['a', 'b', 'c'].forEach((label, age) => {
      const known = new Set(records.all().length > 0 ? readdirSync(folder) : []);
      records.set(label, { label });
      const name = readdirSync(folder).find((each) => !known.has(each))!;
      utimesSync(path.join(folder, name), new Date(), new Date(Date.UTC(2026, 0, 1 + age)));
    });
    assert.deepEqual(
      records.all().map(({ label }) => label),
      ['c', 'b', 'a'],
    );
  });

  it('of windows in separate processes that write concurrently are all stored', async () => {
    const script = path.join(path.dirname(folder), 'window.mjs');
    const source = new URL('../../../../src/editor/connection/memory.ts', import.meta.url).href;
    const zod = import.meta.resolve('zod/mini');
    writeFileSync(
      script,
      `import { Records } from ${JSON.stringify(source)};
       import * as z from ${JSON.stringify(zod)};
       const records = new Records(process.argv[2], z.object({ label: z.string() }), 2000);
       process.once('message', () => {
         for (let index = 0; index < 200; index++) {
           records.set(process.argv[3] + index, { label: process.argv[3] });
           records.set('shared', { label: process.argv[3] });
           if (records.get('shared') === undefined) throw new Error('half written');
         }
         process.disconnect();
       });
       process.send('ready');`,
    );
    const execArgv = ['--import', new URL('../../hand-in-vscode.mjs', import.meta.url).href];
    const windows = ['one', 'two'].map((name) => fork(script, [folder, name], { execArgv }));
    await Promise.all(windows.map((window) => new Promise((resolve) => window.once('message', resolve))));
    const ends = windows.map((window) => new Promise((resolve) => window.once('exit', resolve)));
    for (const window of windows) window.send('go');
    assert.deepEqual(await Promise.all(ends), [0, 0]);
    const records = new Records(folder, Note, 2000);
    assert.equal(records.all().length, 401);
  });
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ToolError } from '../../../../src/agents/tool.ts';
import { resolveIn } from '../../../../src/agents/mcp/folders.ts';

describe('folders that an agent may read', () => {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'forecasts-folders-')));
  const [open, other, beside] = ['open', 'other', 'open-not'].map((name) => path.join(base, name)) as [string, string, string]; // prettier-ignore
  const resolve = (file: string) => resolveIn([open, path.join(base, 'gone'), other], file);

  before(() => {
    for (const folder of [open, other, beside, path.join(open, 'deep')]) mkdirSync(folder);
    for (const file of [path.join(open, '..a.csv'), path.join(open, 'deep', 'b.csv'), path.join(other, 'c.csv'), path.join(beside, 'secret.csv')])
      writeFileSync(file, 'x'); // prettier-ignore
    symlinkSync(beside, path.join(open, 'way-out'), 'junction');
    symlinkSync(other, path.join(open, 'way-over'), 'junction');
  });
  after(() => {
    rmSync(base, { recursive: true });
  });

  const refused = (file: string, words: RegExp) =>
    assert.rejects(resolve(file), (error) => error instanceof ToolError && words.test(error.message), file);

  it('resolve a file by its path in any of them, absolute or relative', async () => {
    for (const file of ['deep/b.csv', './deep/../deep/b.csv', path.join(open, 'deep', 'b.csv')])
      assert.equal(await resolve(file), path.join(open, 'deep', 'b.csv'));
    assert.equal(await resolve('c.csv'), path.join(other, 'c.csv'), 'of the next folder');
    assert.equal(await resolve('..a.csv'), path.join(open, '..a.csv'), 'dots may begin a name');
    assert.equal(await resolve('way-over/c.csv'), path.join(other, 'c.csv'), 'a link to another of them');
  });

  it('resolve no file outside of them by dots, path, link or common prefix', async () => {
    const secret = path.join(beside, 'secret.csv');
    for (const file of ['../open-not/secret.csv', secret, 'way-out/secret.csv', `deep/../../open-not/secret.csv`])
      await refused(file, /^There is no file /);
  });

  it('refuse existing and missing files outside with the same words', async () => {
    const wordsOf = (file: string) => resolve(file).then(String, (error: Error) => error.message.replaceAll(file, 'F')); // prettier-ignore
    assert.equal(await wordsOf('../open-not/secret.csv'), await wordsOf('../open-not/nothing.csv'));
  });

  it('resolve no folder, no impossible name, and nothing if none is open', async () => {
    await refused('deep', /is not a file/);
    await refused('.', /no file/);
    await refused('a\0.csv', /file name is not valid/);
    await assert.rejects(resolveIn([], 'a.csv'), /may not read any folder/);
  });
});

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempDir } from '../../harness/paths.ts';
import { searched } from '../../harness/secrets.ts';

describe('search for secrets', () => {
  const folder = tempDir('secrets');
  after(() => rmSync(folder, { recursive: true }));

  it('skips files that vanish meanwhile, and finds secrets in the others', () => {
    mkdirSync(path.join(folder, 'deep', 'deeper'), { recursive: true });
    for (const name of ['a-first', 'b-journal', 'deep/deeper/held'])
      writeFileSync(path.join(folder, name), name === 'deep/deeper/held' ? 'a secret \u00ff here' : 'nothing');
    symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'dangling'));
    const looked: string[] = [];
    const { count, found } = searched(folder, (bytes) => {
      looked.push(bytes.toString());
      rmSync(path.join(folder, 'b-journal'), { force: true });
      return bytes.includes('secret');
    });
    assert.deepEqual(found, [path.join(folder, 'deep', 'deeper', 'held')]);
    assert.equal(count, 2);
    assert.deepEqual(looked, ['nothing', 'a secret ÿ here']);
  });

  it('finds nothing in a missing folder, and reports other errors', () => {
    assert.deepEqual(
      searched(path.join(folder, 'none'), () => true),
      { count: 0, found: [] },
    );
    writeFileSync(path.join(folder, 'file'), '');
    assert.throws(() => searched(path.join(folder, 'file'), () => true), { code: 'ENOTDIR' });
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../../src/service/database/sqlite.ts';
import { tokenOf } from '../../../../src/service/host/token-file.ts';

describe('folder of a store and its token', () => {
  it('is ignored by Git unless someone configured otherwise', async () => {
    const all = mkdtempSync(join(tmpdir(), 'forecasts-folder-'));
    try {
      const [stored, reported] = ['store', 'token'].map((name) => join(all, name));
      (await openDatabase(stored)).close();
      tokenOf(reported);
      for (const folder of [stored, reported]) assert.equal(readFileSync(join(folder, '.gitignore'), 'utf8'), '*\n');
      writeFileSync(join(stored, '.gitignore'), '!forecasts.db\n');
      (await openDatabase(stored)).close();
      assert.equal(readFileSync(join(stored, '.gitignore'), 'utf8'), '!forecasts.db\n');
    } finally {
      rmSync(all, { recursive: true });
    }
  });
});

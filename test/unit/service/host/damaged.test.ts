import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openService } from '../../../../src/service/host/service.ts';
import { newToken } from '../../../../src/service/store/token.ts';
import { StoreError } from '../../../../src/service/errors.ts';
import { threads } from '../../threads.ts';

describe('store with damage found by its first statements', () => {
  it('is reported as damaged, whichever table it is', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'forecasts-damaged-'));
    const file = path.join(folder, 'forecasts.db');
    const token = newToken();
    const report = () => undefined;
    try {
      await (await openService({ folder, token, computeScript: threads.engine, report })).close();
      const whole = readFileSync(file);
      const database = new DatabaseSync(file);
      const pages = database
        .prepare(`select name, rootpage from sqlite_master where rootpage > 1`)
        .all()
        .map(({ name, rootpage }) => ({ name: String(name), page: Number(rootpage) }));
      database.close();
      let damaged = 0;
      for (const { name, page } of pages) {
        const bytes = Buffer.from(whole);
        bytes.fill(0xa5, (page - 1) * 4096, page * 4096);
        writeFileSync(file, bytes);
        for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
        try {
          await (await openService({ folder, token, computeScript: threads.engine, report })).close();
        } catch (error) {
          assert.ok(error instanceof StoreError && error.isDamaged, `${name}: ${String(error)}`);
          damaged++;
        }
      }
      assert.ok(damaged > 0);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extension } from './support.ts';

/** Every file below a folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesOf(path) : entry.isFile() ? [path] : [];
  });
}

describe('after all other tests', () => {
  it('no token and no secret stands in any file of this editor', async () => {
    const { app } = await extension();
    const client = app.connection.client();
    assert.equal(app.connection.current.kind, 'local');
    const keys = await client.listKeys();
    const secrets = [await app.tokens.local(), 'awkward-token-4711', 'awkward-secret-0815', 'wrong-token'];
    secrets.push('strict-token-4711', 'strict-revoked-0815', 'not-the-token');
    secrets.push(...keys.items.flatMap((key) => key.secret ?? []));
    // the profile's own folder: global storage, workspace storage, settings and logs
    const profile = dirname(dirname(dirname(dirname(app.folder))));
    const files = filesOf(profile).filter((file) => statSync(file).size < 200 << 20);
    assert.ok(
      files.some((file) => file.endsWith('forecasts.db')),
      profile,
    );
    for (const file of files) {
      const bytes = readFileSync(file);
      for (const secret of secrets) assert.equal(bytes.includes(secret), false, `a secret stands in ${file}`);
    }
  });
});

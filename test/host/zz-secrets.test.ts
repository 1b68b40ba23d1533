import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { searched } from '../harness/secrets.ts';
import { extension } from './support.ts';

describe('After all other tests', () => {
  it('leaves no token and no secret in any file of the editor', async () => {
    const { app } = await extension();
    const client = app.connection.inUse.client;
    assert.equal(app.connection.current.kind, 'local');
    const keys = await client.list('listKeys');
    const secrets = [await app.tokens.local(), 'awkward-token-4711', 'awkward-secret-0815', 'wrong-token'];
    secrets.push('strict-token-4711', 'strict-revoked-0815', 'not-the-token');
    secrets.push(...keys.items.flatMap((key) => key.secret ?? []));
    // the profile's own folder: global storage, workspace storage, settings and logs
    const profile = dirname(dirname(dirname(dirname(app.folder))));
    assert.ok(existsSync(join(app.folder, 'forecasts.db')), profile);
    const { count, found } = searched(profile, (bytes) => secrets.some((secret) => bytes.includes(secret)));
    assert.ok(count > 5, `only ${String(count)} files stand in ${profile}`);
    assert.deepEqual(found, []);
  });
});

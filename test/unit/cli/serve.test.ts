import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

describe('serve', () => {
  it('tells an option that it does not know in a sentence, with the usage', () => {
    const script = fileURLToPath(new URL('../../../src/cli/serve.ts', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--bogus'], { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^Unknown option '--bogus'\. Usage: npm run serve -- \S.*\n$/);
  });
});

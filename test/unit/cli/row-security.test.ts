import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { asSuperuser, startPostgres } from '../../harness/postgres.ts';

const script = fileURLToPath(new URL('../../../src/cli/forecasts.ts', import.meta.url));

/** What a service on this database logs, answers when it is started, and what `check` says of it. */
async function reported(database: string) {
  const env = { ...process.env, FORECASTS_PORT: '0', npm_lifecycle_event: undefined };
  const args = [script, 'serve', '--data', ':memory:', '--json', '--database', database];
  const served = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const log = text(served.stderr);
  try {
    const [line] = (await once(createInterface(served.stdout), 'line')) as [string];
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const ready = (await (await fetch(`${url}/health/ready`)).json()) as { row_security?: boolean };
    const checking = spawn(process.execPath, [script, 'check', url], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...env, FORECASTS_TOKEN: token },
    });
    return { ready, check: await text(checking.stdout), log: () => log };
  } finally {
    served.kill('SIGTERM');
    await once(served, 'exit');
  }
}

describe('service on PostgreSQL', function () {
  this.timeout(120_000);

  it('warns in log, readiness and check that row-level security does not apply to its role', async () => {
    const postgres = await startPostgres();
    try {
      const database = await postgres.database();
      const secured = await reported(database);
      assert.equal(secured.ready.row_security, true);
      assert.doesNotMatch((await secured.log()) + secured.check, /row-level security/);
      const free = await reported(asSuperuser(database));
      assert.equal(free.ready.row_security, false);
      assert.match(await free.log(), /"level":"warn",.*is a superuser or has BYPASSRLS/);
      assert.match(free.check, /bypasses row-level security/);
    } finally {
      await postgres.remove();
    }
  });
});

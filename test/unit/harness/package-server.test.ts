import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { packageServer } from '../../harness/package-server.ts';
import { PROGRAM_FLAGS } from '../../harness/program.ts';

describe('package for teams', () => {
  let folder = '';
  let program = '';
  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(path.join(tmpdir(), 'forecasts-package-'));
    const tarball = await packageServer(folder);
    writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
    const args = ['install', '--offline', '--no-audit', '--no-fund', tarball];
    const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' }); // prettier-ignore
    assert.equal(status, 0, stderr);
    program = path.join(folder, 'node_modules', 'time-series-forecasts-server', 'forecasts.mjs');
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (args: readonly string[], input = '') =>
    spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8', input });

  it('is installed without a registry, and describes itself', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.equal(run(['--version']).stdout.trim(), version);
    const { stdout, status } = run(['--help']);
    assert.equal(status, 0);
    for (const name of ['serve', 'worker', 'migrate', 'keys', 'stream', 'check'])
      assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
    assert.equal(run(['bake']).status, 2);
  });

  it('is the command that npm creates, within its size limit', () => {
    const forecasts = path.join(folder, 'node_modules', '.bin', 'forecasts');
    const { stdout } = spawnSync(forecasts, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
    assert.match(stdout, /^\d+\.\d+\.\d+$/m);
    const flags = PROGRAM_FLAGS.join(' ');
    assert.ok(readFileSync(program, 'utf8').startsWith(`#!/usr/bin/env -S node ${flags}\n`));
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    for (const name of ['serve', 'worker']) assert.ok(scripts[name].startsWith(`node ${flags} `), name);
  });

  it('has the licenses of bundled libraries', () => {
    const text = readFileSync(path.join(path.dirname(program), 'third-party-licenses.txt'), 'utf8');
    for (const name of ['pino', 'prom-client', 'hono', 'commander', 'zod']) {
      assert.match(text, new RegExp(`^${name} \\d`, 'm'));
    }
  });

  it('forecasts a stream', () => {
    const { stdout, stderr } = run(
      ['stream', '--model', 'theta', '--horizon', '1'],
      '{"id": 7, "values": [1, 2, 3, 4]}',
    );
    assert.match(stdout, /^\{"id":7,"prediction_series":\[\{"timestamp"/, stderr);
  });

  it('creates keys, lists them without their secrets, and revokes them', () => {
    const create = ['keys', 'create', '--scope', 'read', '--tenant', 'team a', '--name', 'dashboard'];
    const secret = run(create).stdout.trim();
    assert.match(secret, /^tsf_/);
    const list = () => run(['keys', 'list']).stdout;
    assert.ok(!list().includes(secret));
    const [key] = list().split('\n', 1);
    const { id, name, scope, tenant } = JSON.parse(key) as Record<string, string>;
    assert.deepEqual([name, scope, tenant], ['dashboard', 'read', 'team a']);
    assert.equal(run(['keys', 'revoke', id]).status, 0);
    assert.ok(!list().includes(id));
    const again = run(['keys', 'revoke', id]);
    assert.deepEqual([again.status, again.stderr], [1, `There is no key “${id}”.\n`]);
    assert.equal(run(['migrate']).stdout, 'The store is up to date.\n');
  });

  it('serves, and passes the check', async () => {
    const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--data', ':memory:', '--json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const check = spawn(process.execPath, [program, 'check', url, '--create'], {
      env: { ...process.env, FORECASTS_TOKEN: token },
      stdio: 'ignore',
    });
    assert.deepEqual(await once(check, 'exit'), [0, null]);
    child.kill();
    await once(child, 'exit');
  });
});

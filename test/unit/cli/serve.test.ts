import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { serveCommand } from '../../../src/cli/commands/serve.ts';
import { selfSigned } from '../server/certificate.ts';
import { printed } from './in-process.ts';
import { until } from '../editor/until.ts';

const program = [fileURLToPath(new URL('../../../src/cli/forecasts.ts', import.meta.url)), 'serve'];

const run = (args: readonly string[]) => spawnSync(process.execPath, [...program, ...args], { encoding: 'utf8' });

/** The program with its address and token, its log so far, and its end. */
async function started(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...program, '--data', ':memory:', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORECASTS_PORT: '0', npm_lifecycle_event: undefined, ...env },
  });
  const log = text(child.stderr);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const ended = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    await once(child, 'exit');
    return { code: child.exitCode, log: await log };
  };
  return { url, token, ended };
}

describe('serve', () => {
  it('explains an invalid option from any source', async () => {
    for (const [args, env, sentence] of [
      [['--bogus'], {}, /^Unknown option '--bogus'\n/],
      [
        ['--port', 'all'],
        {},
        /^Option '--port <n>' argument 'all' is invalid\. Expected a whole number from 0 to 65535/,
      ],
      [[], { FORECASTS_KEEP_DAYS: '-1' }, /value '-1' from env 'FORECASTS_KEEP_DAYS' is invalid/],
      [['--cors-origin', '*'], {}, /^--cors-origin \*: write origins/],
      [['--cors-origin', 'https://a.example/x'], {}, /write origins/],
      [['--cors-origin', 'https://a.example', '--cors-origin', 'null'], {}, /^--cors-origin null: write origins/],
      [['--cors-origin', 'https://*.example'], {}, /write origins/],
      [['--cors-origin', 'https://a.*.example.com'], {}, /write origins/],
      [['--cors-origin', 'https://A.example'], {}, /write origins as browsers do/],
      [[], { FORECASTS_CORS_ORIGIN: '*' }, /^--cors-origin \*: write origins/],
      [['--tls-cert', 'a.pem'], {}, /^Give both --tls-cert and --tls-key/],
    ] as const) {
      const { out, errors } = await printed(serveCommand, args, env);
      assert.equal(out, '');
      assert.match(errors, sentence);
    }
  });

  it('uses FORECASTS_TOKEN with any store, and refuses an invalid one', async () => {
    const given = 'a-token-of-the-environment';
    const { url, token, ended } = await started([], { FORECASTS_TOKEN: given });
    assert.equal(token, given);
    assert.equal((await fetch(`${url}/keys`, { headers: { authorization: `Bearer ${given}` } })).status, 200);
    await ended();
    const refused = spawnSync(process.execPath, [...program, '--data', ':memory:'], {
      encoding: 'utf8',
      env: { ...process.env, FORECASTS_TOKEN: 'short' },
    });
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /FORECASTS_TOKEN is not valid/);
  });

  it('exits with 2 for invalid arguments', () => {
    const { status, stdout, stderr } = run(['--bogus']);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^Unknown option '--bogus'\n/);
  });

  it('prints its options', async () => {
    const { code, out } = await printed(serveCommand, ['--help']);
    assert.equal(code, 0);
    for (const name of ['--host', '--tls-cert', '--trust-proxy', '--cors-origin', 'FORECASTS_DATA', 'FORECASTS_JSON']) {
      assert.ok(out.includes(name), name);
    }
  });

  it('takes options from the environment, including false flags, and warns that other machines can connect', async () => {
    const env = { FORECASTS_LOG_LEVEL: 'debug', FORECASTS_TRUST_PROXY: 'false', FORECASTS_HOST: '0.0.0.0' };
    const { url, token, ended } = await started([], env);
    const { port } = new URL(url);
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' };
    const response = await fetch(`http://127.0.0.1:${port}/keys`, { headers });
    assert.equal(response.status, 200);
    const { code, log } = await ended();
    if (process.platform !== 'win32') assert.equal(code, 0);
    assert.match(log, /"path":"\/keys","status":200,.*"from":"127\.0\.0\.1"/);
    assert.match(log, /"level":"warn".*Other machines can call this service\. Tokens and data are sent unenc/);
    assert.ok(!log.includes(token));
  });

  it('serves HTTPS with certificate files', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tls-'));
    try {
      const [cert, key] = ['cert.pem', 'key.pem'].map((name) => path.join(folder, name));
      const made = selfSigned();
      writeFileSync(cert, made.cert);
      writeFileSync(key, made.key);
      const { url, token, ended } = await started(['--tls-cert', cert, '--tls-key', key]);
      assert.match(url, /^https:\/\/127\.0\.0\.1:/);
      const { port } = new URL(url);
      const headers = { authorization: `Bearer ${token}` };
      const call = request({
        host: 'localhost',
        family: 4,
        port,
        path: '/keys',
        headers,
        ca: readFileSync(cert),
      }).end();
      const [answer] = (await once(call, 'response')) as [import('node:http').IncomingMessage];
      assert.equal(answer.statusCode, 200);
      assert.match(String(await buffer(answer)), /"items"/);
      await ended();
      const wrong = run(['--data', ':memory:', '--port', '0', '--tls-cert', key, '--tls-key', key]);
      assert.equal(wrong.status, 1);
      assert.match(wrong.stderr, /^The certificate .* cannot be used: /);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('ends in time despite a waiting client, and answers it', async function () {
    if (process.platform === 'win32') this.skip();
    const { url, token, ended } = await started([]);
    // on so many points a net trains for seconds, whatever it learns
    const series = Array.from({ length: 2_000 }, (_, hour) => ({
      timestamp: new Date(Date.UTC(2024, 0, 1, hour)).toISOString(),
      value: 100 + 20 * Math.sin((hour * Math.PI) / 12) + 7 * Math.sin(hour * hour),
    }));
    const waiting = fetch(`${url}/predictions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ series, ai_model_id: 'hybrid', fine_tuning_epochs: 500 }),
    });
    waiting.catch(() => undefined);
    const headers = { authorization: `Bearer ${token}` };
    const items = async () =>
      ((await (await fetch(`${url}/predictions`, { headers })).json()) as { items: { status: string }[] }).items;
    await until(items, ([item]) => item?.status === 'IN_PROGRESS');
    const { code } = await ended();
    assert.equal(code, 0);
    assert.match(await (await waiting).text(), /"FAILED".*service stopped before/);
  });
});

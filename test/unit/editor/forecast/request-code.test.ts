import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { type Language, requestCode } from '../../../../src/editor/views/chart/export.ts';

const body = {
  ai_model_id: 'theta',
  name: 'it\'s 100% null, "true" $HOME `id`',
  series: [
    { timestamp: '2024-01-01T00:00:00Z', value: 1.5 },
    { timestamp: '2024-01-02T00:00:00Z', value: null, metadata: { promotion: true } },
  ],
};

describe('copied request', () => {
  const code = (language: Language, url?: string) => requestCode(language, url, body);

  it('contains a variable instead of the token, and another without an address', () => {
    for (const language of ['curl', 'python', 'typescript'] as const) {
      assert.match(code(language), /FORECASTS_TOKEN/);
      assert.match(code(language), /FORECASTS_URL/);
      assert.doesNotMatch(code(language, 'https://x.example/v1/'), /FORECASTS_URL|v1\/\/|\/predictions\//);
      assert.match(code(language, 'https://x.example/v1/'), /https:\/\/x\.example\/v1\/predictions/);
    }
  });

  it('quotes the address so that a shell runs nothing in it', () => {
    const address = "https://x.example/$(touch broken)/`id`/it's/$HOME";
    const curl = `curl() { shift; printf %s "$1"; cat > /dev/null; }\n${code('curl', address)}`;
    const { stdout, stderr } = spawnSync('bash', ['-c', curl], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    });
    assert.deepEqual([stdout, stderr], [`${address}/predictions`, '']);
  });

  it('is valid Python, also beside texts that look like literals', () => {
    const python = code('python');
    assert.match(python, /"value": ?None/);
    assert.match(python, /"promotion": ?True/);
    assert.ok(python.includes(JSON.stringify(body.name)));
  });

  it('sends the original request as curl and as TypeScript', async () => {
    const bodies: unknown[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push([request.headers.authorization, JSON.parse(Buffer.concat(chunks).toString())]);
        response.setHeader('content-type', 'application/json').end('{"prediction_series":[]}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const env = { ...process.env, FORECASTS_URL: `http://127.0.0.1:${port}`, FORECASTS_TOKEN: 'a-token' };
    const run = (command: string, args: readonly string[]) =>
      new Promise<void>((resolve, reject) => {
        void import('node:child_process').then(({ execFile }) =>
          execFile(command, [...args], { env }, (error) => {
            if (error) reject(error);
            else resolve();
          }),
        );
      });
    const sent = ['Bearer a-token', body];
    if (spawnSync('curl', ['--version']).status === 0) {
      await run('bash', ['-c', code('curl')]);
      assert.deepEqual(bodies.pop(), sent);
    }
    await run(process.execPath, ['--input-type=module-typescript', '--eval', code('typescript')]);
    assert.deepEqual(bodies.pop(), sent);
    server.close();
  });
});

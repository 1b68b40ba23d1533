import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isLoopback } from '../../../src/server/front.ts';
import { listen, ListenError } from '../../../src/server/listen.ts';
import { newLog } from '../../../src/server/log.ts';

const log = newLog('error', () => undefined, []);
const here = { port: 0, host: '127.0.0.1' };

describe('listening', () => {
  it('closes after the last answer with Connection: close', async () => {
    let answer: (response: Response) => void = () => undefined;
    let arrived: () => void = () => undefined;
    const isThere = new Promise<void>((resolve) => (arrived = resolve));
    const front = () => {
      arrived();
      return new Promise<Response>((resolve) => (answer = resolve));
    };
    const { url, close } = await listen(front, here, log);
    const waiting = fetch(url);
    await isThere;
    const closed = close(60_000);
    answer(new Response('done'));
    const response = await waiting;
    assert.equal(response.headers.get('connection'), 'close');
    assert.equal(await response.text(), 'done');
    await closed;
    await assert.rejects(fetch(url));
  });

  it('cuts connections after the grace period', async () => {
    let arrived: () => void = () => undefined;
    const isThere = new Promise<void>((resolve) => (arrived = resolve));
    const front = () => {
      arrived();
      return new Promise<Response>(() => undefined);
    };
    const { url, close } = await listen(front, here, log);
    const waiting = assert.rejects(fetch(url));
    await isThere;
    await close(0);
    await waiting;
  });

  it('names a port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await assert.rejects(
      listen(() => Promise.resolve(new Response()), { ...here, port }, log),
      (error) => error instanceof ListenError && /^The service cannot listen on 127\.0\.0\.1, port \d+: /.test(error.message), // prettier-ignore
    );
    other.close();
  });

  it('reports an invalid certificate before it listens', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'no-certificate-'));
    try {
      const cert = path.join(folder, 'cert.pem');
      writeFileSync(cert, 'nothing');
      for (const key of [cert, path.join(folder, 'missing.pem')]) {
        await assert.rejects(
          listen(() => Promise.resolve(new Response()), { ...here, tls: { cert, key } }, log),
          (error) => error instanceof ListenError && /^The certificate .* cannot be used: .*\.$/.test(error.message),
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('recognizes loopback addresses', () => {
    assert.ok(['localhost', '127.0.0.1', '127.8.9.1', '::1'].every(isLoopback));
    assert.ok(!['0.0.0.0', '::', '128.0.0.1', '127.0.0.1.example.com', 'localhost.example'].some(isLoopback));
  });
});

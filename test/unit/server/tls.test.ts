import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, unwatchFile, watchFile, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { listen, ListenError } from '../../../src/server/listen.ts';
import { newLog } from '../../../src/server/log.ts';
import { until } from '../editor/until.ts';
import { selfSigned } from './certificate.ts';

describe('listening with a certificate', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'));
  const files = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
  const lines: string[] = [];
  const log = newLog('error', (line) => lines.push(line), []);
  const seen: string[] = [];
  let listening: Awaited<ReturnType<typeof listen>> | undefined;

  const write = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(files.cert, cert);
    writeFileSync(files.key, key);
  };
  async function start() {
    const front = (asked: Request) => {
      seen.push(asked.url);
      return Promise.resolve(new Response('here'));
    };
    listening = await listen(front, { port: 0, host: '127.0.0.1', tls: files }, log);
    return listening;
  }
  /** What the service answers to one who trusts this certificate alone. */
  async function ask(url: string, ca: string): Promise<string> {
    const call = request(url, { ca, agent: false }).end();
    const [answer] = (await once(call, 'response')) as [import('node:http').IncomingMessage];
    return text(answer);
  }
  beforeEach(() => {
    lines.length = seen.length = 0;
  });
  afterEach(async () => {
    await listening?.close(0);
    listening = undefined;
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('answers over HTTPS only to clients that trust it', async () => {
    const own = selfSigned();
    write(own);
    const { url } = await start();
    assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(await ask(`${url}/keys`, own.cert), 'here');
    assert.deepEqual(seen, [`${url}/keys`], 'an origin is compared with the address that was called');
    await assert.rejects(ask(url, selfSigned().cert), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    assert.equal(await ask(url, own.cert), 'here', 'and goes on');
  });

  it('refuses plain HTTP and other bytes, and continues', async () => {
    const own = selfSigned();
    write(own);
    const { url } = await start();
    await assert.rejects(fetch(url.replace('https:', 'http:')));
    for (const said of ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', '\u0016\u0003\u0001', '\0\0\0\0\n'.repeat(400)]) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.end(said, 'latin1');
      const got = await text(socket).catch(() => '');
      assert.doesNotMatch(got, /HTTP|here/);
    }
    assert.deepEqual(seen, []);
    assert.equal(await ask(url, own.cert), 'here');
  });

  it('names the files and what is wrong with them', async () => {
    const [own, other] = [selfSigned(), selfSigned()];
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const wrong = [
      { cert: own.cert, key: other.key },
      { cert: own.key, key: own.key },
      { cert: own.cert, key: own.cert },
      { cert: own.cert, key: '' },
      { cert: own.cert, key: String(publicKey.export({ type: 'spki', format: 'pem' })) },
      { cert: own.cert.replace(/M/g, 'N'), key: own.key },
    ];
    const isSentence = (error: unknown) =>
      error instanceof ListenError &&
      error.message.startsWith(`The certificate ${files.cert} with the key ${files.key} cannot be used: `) &&
      error.message.endsWith('.') &&
      !error.message.includes('PRIVATE KEY');
    for (const pair of wrong) {
      write(pair);
      await assert.rejects(start(), isSentence);
    }
    write(own);
    rmSync(files.key);
    await assert.rejects(start(), (error) => isSentence(error) && /no such file/.test(String(error)));
    write(own);
    rmSync(files.cert);
    await assert.rejects(start(), isSentence);
  });

  it('closes in time despite a silent connection', async () => {
    write(selfSigned());
    const { url, close } = await start();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const gone = once(socket, 'close');
    await close(0);
    await gone;
  });

  it('loads a renewed certificate once its key has arrived', async () => {
    const [old, renewed] = [selfSigned(), selfSigned()];
    write(old);
    // a file is watched once in a process, as often as the first to ask wanted
    const looked: string[] = [];
    for (const [name, file] of Object.entries(files)) watchFile(file, { interval: 20 }, () => looked.push(name));
    try {
      const { url } = await start();
      // written each time that it is looked: the watch may not have begun with the first
      const reported = () => (writeFileSync(files.cert, renewed.cert), lines.join(''));
      await until(reported, (text) => text.includes('key values mismatch'));
      assert.equal(await ask(url, old.cert), 'here', 'meanwhile the old one is used');
      await until(() => (writeFileSync(files.key, renewed.key), looked), (names) => names.includes('key')); // prettier-ignore
      assert.equal(await ask(url, renewed.cert), 'here');
    } finally {
      for (const file of Object.values(files)) unwatchFile(file);
    }
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ServiceError } from '../../src/client/errors.ts';
import { privateAuthority } from '../unit/server/certificate.ts';
import { extension, inNewest, set, until } from './support.ts';

const HOST = 'forecasts.example.test';
const TOKEN = 'network-token-0815';

/** A service that only a proxy can reach, under a name that nobody else knows, with a certificate of an organization. */
inNewest('Service behind a corporate proxy', () => {
  const authority = privateAuthority();
  const folder = mkdtempSync(path.join(tmpdir(), 'network-'));
  const authorities = path.join(folder, 'ca.pem');
  const requests: string[] = [];
  const tunnels: string[] = [];
  const service = createServer(authority.of(HOST), ({ url = '', headers }, response) => {
    requests.push(url.replace(/\?.*/, ''));
    const isKeys = url.startsWith('/v1/keys') && headers.authorization === `Bearer ${TOKEN}`;
    response.writeHead(isKeys ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isKeys ? JSON.stringify({ items: [{ id: 'k', status: 'ACTIVE' }] }) : '{"detail":"Not Found"}');
  });
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  const proxy = createProxy();
  proxy.on('connect', ({ url = '' }, socket, head) => {
    tunnels.push(url);
    const there = connect(portOf(service), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.write(head);
      there.pipe(socket).pipe(there);
    });
    for (const end of [there, socket]) end.on('error', () => undefined);
  });

  before(async () => {
    writeFileSync(authorities, authority.cert);
    for (const server of [service, proxy])
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { app } = await extension();
    const url = `https://${HOST}:${String(portOf(service))}/v1`;
    await app.tokens.set(new URL(url).origin, TOKEN);
    await set('forecasts.remoteServices', { House: url });
    await set('forecasts.service', 'House');
    await set('http.proxy', `http://127.0.0.1:${String(portOf(proxy))}`);
  });
  after(async () => {
    const { app } = await extension();
    await app.tokens.delete(`https://${HOST}:${String(portOf(service))}`);
    for (const name of ['http.proxy', 'http.proxyStrictSSL', 'forecasts.caFiles', 'forecasts.service', 'forecasts.remoteServices']) await set(name, undefined); // prettier-ignore
    service.closeAllConnections();
    proxy.closeAllConnections();
    service.close();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    tunnels.length = requests.length = 0;
  });

  /** What a look at its keys comes to. */
  const look = async (): Promise<string> => {
    const { app } = await extension();
    await until(() => app.connection.current.name, (name) => name === 'House', 'the service is in use'); // prettier-ignore
    return app.connection.inUse.client.list('listKeys').then(({ items }) => items.map(({ id }) => id).join(), ({ kind }: ServiceError) => kind); // prettier-ignore
  };

  it('is reached through http.proxy; an untrusted certificate is refused before anything is sent', async () => {
    assert.equal(await until(look, (found) => found === 'untrusted', 'the setting is read'), 'untrusted');
    assert.ok(tunnels.includes(`${HOST}:${String(portOf(service))}`), tunnels.join());
    assert.deepEqual(requests, []);
  });

  it('is reached through http.proxy with its CA file', async () => {
    await set('forecasts.caFiles', { House: authorities });
    assert.equal(await until(look, (found) => found === 'k', 'the file is read'), 'k');
    assert.ok(tunnels.length > 0 && tunnels.every((to) => to === `${HOST}:${String(portOf(service))}`), tunnels.join());
    assert.ok(requests.includes('/v1/keys'), requests.join());
  });

  it('is not trusted without its CA file even if http.proxyStrictSSL is off', async () => {
    await set('forecasts.caFiles', undefined);
    await set('http.proxyStrictSSL', false);
    // the views may still be asking with the file
    await until(look, (found) => found === 'untrusted', 'the settings are read');
    requests.length = 0;
    assert.equal(await look(), 'untrusted');
    assert.deepEqual(requests, []);
  });
});

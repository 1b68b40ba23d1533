import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { fetchTrusting } from '../../../src/editor/connection/connection.ts';
import { type StrictService, startStrictService } from '../../harness/strict.ts';
import { privateAuthority, selfSigned } from '../server/certificate.ts';
import { fails } from './client-of.ts';

const monthly = Array.from({ length: 24 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2022, month, 1)).toISOString(),
  value: month + 0.5,
}));

describe('a service with a certificate of a private certificate authority', () => {
  const authority = privateAuthority();
  const folder = mkdtempSync(path.join(tmpdir(), 'authority-'));
  const file = path.join(folder, 'ca.pem');
  writeFileSync(file, authority.cert);
  let service: StrictService | undefined;
  after(() => {
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });

  const clientOf = ({ url, token }: StrictService, own: typeof fetch, logged: string[] = []) =>
    new ServiceClient({
      baseUrl: parseBaseUrl(url),
      fetch: own,
      token: () => Promise.resolve(token),
      isAsync: true,
      log: (line) => logged.push(line),
    });

  it('is refused once, with the cause, and nothing is sent', async () => {
    for (const [tls, code, sentence] of [
      [selfSigned(), 'DEPTH_ZERO_SELF_SIGNED_CERT', /does not trust the certificate.*name its file in the setting/],
      [authority.local(), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /does not trust the certificate/],
      [authority.expired(), 'CERT_HAS_EXPIRED', /is not valid today/],
      [authority.of('other.example'), 'ERR_TLS_CERT_ALTNAME_INVALID', /is not for 127\.0\.0\.1/],
    ] as const) {
      service = await startStrictService({}, tls);
      const logged: string[] = [];
      const isOfIssuer = /SIGNED|LEAF/.test(code);
      const client = clientOf(service, isOfIssuer ? fetch : fetchTrusting(file), logged);
      const error = await fails(client.createPrediction({ ai_model_id: 'chronos-small', series: monthly }));
      assert.deepEqual([error.kind, error.outcomeUnknown], ['untrusted', false], code);
      assert.match(error.message, sentence);
      assert.match(error.message, new RegExp(`\\(${code}\\), so nothing was sent\\.`));
      assert.ok(logged.every((line) => line.includes(code)) && logged.length > 0, logged.join('\n'));
      const { length } = logged;
      await fails(client.list('listKeys'));
      assert.ok(logged.length - length <= 2, 'the description and the list, none of them again');
      assert.deepEqual(service.requests, []);
      await service.close();
    }
  });

  it('is used with the file of the authority, with redirects, bodies, and empty answers', async () => {
    service = await startStrictService({ description: 404, etags: true, work: 10 }, authority.local());
    const client = clientOf(service, fetchTrusting(file));
    const made = await client.createPrediction({ ai_model_id: 'chronos-small', series: monthly });
    assert.equal(service.predictions[0].id, made.id);
    assert.equal((await client.listDatasets({ size: 5 })).items.length, 5);
    assert.equal((await client.listDatasets({ size: 5 })).items.length, 5, 'as nothing changed');
    const stop = new AbortController();
    service.mood.latency = 10_000;
    const slow = client.list('listKeys', { signal: stop.signal });
    setTimeout(() => {
      stop.abort(new Error('enough'));
    }, 50);
    await assert.rejects(slow, /enough/);
  });

  it('is read where it compresses its answers, requested or not', async () => {
    service = await startStrictService({ isPacked: true }, authority.local());
    service.seed(5, 3);
    const { items } = await clientOf(service, fetchTrusting(file)).listPredictions({ size: 5 });
    assert.equal(items.length, 5);
  });

  it('is used only where the authority is in NODE_EXTRA_CA_CERTS', async () => {
    service = await startStrictService({}, authority.local());
    const here = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const code = `
      const { parseBaseUrl } = await import(${here('../../../src/client/address.ts')});
      const { ServiceClient } = await import(${here('../../../src/client/client.ts')});
      const [url, token] = process.argv.slice(1);
      const client = new ServiceClient({ baseUrl: parseBaseUrl(url), fetch, token: async () => token });
      console.log(await client.list('listKeys').then(({ items }) => items.length, ({ kind }) => kind));`;
    const run = async (env: NodeJS.ProcessEnv) => {
      const handIn = new URL('../hand-in-vscode.mjs', import.meta.url).href;
      const options = ['--import', handIn, '--input-type=module', '-e', code, service!.url, service!.token];
      return (await promisify(execFile)(process.execPath, options, { env: { ...process.env, ...env } })).stdout.trim();
    };
    assert.equal(await run({}), 'untrusted');
    assert.equal(await run({ NODE_EXTRA_CA_CERTS: file }), '2');
  }).timeout(30_000);

  it('is trusted by the file of its service in addition to NODE_EXTRA_CA_CERTS and the system, where Node lists its authorities', async () => {
    const ofMachine = privateAuthority('Authority of the machine');
    const [extra, own] = ['extra.pem', 'own.pem'].map((name) => path.join(folder, name));
    writeFileSync(extra, ofMachine.cert);
    writeFileSync(own, authority.cert);
    const here = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const code = `
      const { fetchTrusting } = await import(${here('../../../src/editor/connection/connection.ts')});
      const [own, url] = process.argv.slice(1);
      console.log(await fetchTrusting(own)(url + '/keys/').then(({ status }) => status, ({ cause }) => cause.code));`;
    const read = async (tls: { readonly key: string; readonly cert: string }, env: NodeJS.ProcessEnv) => {
      service = await startStrictService({}, tls);
      const handIn = new URL('../hand-in-vscode.mjs', import.meta.url).href;
      const options = ['--import', handIn, '--input-type=module', '-e', code, own, service.url];
      const { stdout } = await promisify(execFile)(process.execPath, options, { env: { ...process.env, ...env } });
      await service.close();
      return stdout.trim();
    };
    assert.equal(await read(authority.local(), {}), '401', 'of the file');
    assert.equal(await read(ofMachine.local(), {}), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'of nobody');
    const isTold = 'getCACertificates' in tls;
    const expected = isTold ? '401' : 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
    assert.equal(await read(ofMachine.local(), { NODE_EXTRA_CA_CERTS: extra }), expected, 'of the machine');
    assert.equal(await read(authority.local(), { NODE_EXTRA_CA_CERTS: extra }), '401', 'of the file beside it');
    assert.equal(await read(ofMachine.local(), { SSL_CERT_FILE: extra }), expected, 'of the system');
  }).timeout(60_000);

  it('reports which file of authorities cannot be read', async () => {
    service = await startStrictService({}, authority.local());
    const error = await fails(clientOf(service, fetchTrusting(`${file}.gone`)).list('listKeys'));
    assert.match(error.message, /Cannot read .*ca\.pem\.gone \(ENOENT\)/);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkCommand } from '../../../src/cli/commands/check.ts';
import { printed, ran } from './in-process.ts';

describe('check-service', () => {
  let server: Server;
  let url = '';
  const answers = new Map<string, readonly [number, unknown]>();
  before(async () => {
    server = createServer((request, response) => {
      const [status, body] = answers.get(new URL(request.url!, url).pathname) ?? [404, { detail: 'Not Found' }];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  beforeEach(() => {
    answers.clear();
  });

  it('exits with 1 if nothing of the interface answers, and says what does not', async () => {
    const { code, out } = await ran(checkCommand, [url]);
    assert.equal(code, 1);
    assert.equal(out[0], `Service ${url}\n`);
    assert.match(out.join('\n'), /GET \/predictions/);
    assert.ok(!out.join('\n').includes('Use --create'), 'nothing is offered that cannot work');
  });

  it('prints the JSON report on the last line and findings separately', async () => {
    const { code, out, errors } = await ran(checkCommand, [url, '--json']);
    assert.deepEqual([code, out.length], [1, 1]);
    const report = JSON.parse(out[0]!) as { baseUrl: string; usable: boolean; operations: unknown[] };
    assert.deepEqual([report.baseUrl, report.usable], [url, false]);
    assert.ok(report.operations.length > 0 && errors.length > 1);
  });

  it('warns if the database of a service does not isolate its tenants', async () => {
    answers.set('/health/ready', [200, { status: 'ready', row_security: false }]);
    assert.match((await ran(checkCommand, [url])).out.join('\n'), /bypasses row-level security/);
    answers.set('/health/ready', [200, { status: 'ready', row_security: true }]);
    assert.doesNotMatch((await ran(checkCommand, [url])).out.join('\n'), /row-level security/);
  });

  it('accepts a valid address, and says what is wrong with another', async () => {
    for (const wrong of ['nowhere', 'ftp://example.com', '']) {
      const { code, errors } = await printed(checkCommand, [wrong]);
      assert.ok(code !== 0 && errors.length > 20, wrong);
    }
    const { errors } = await printed(checkCommand, []);
    assert.match(errors, /^Missing required argument 'base url'/);
  });
});

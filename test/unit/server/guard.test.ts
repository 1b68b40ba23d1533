import assert from 'node:assert/strict';
import { operations } from '../../../src/contract/operations.ts';
import { guard } from '../../../src/server/front.ts';

const host = '127.0.0.1:8787';
const url = `http://${host}/predictions`;
const origins = ['https://notebooks.example', 'http://localhost:3000'];
const allowed = (response: Response) => [...response.headers].filter(([name]) => name.startsWith('access-control-'));
const listOf = (response: Response, name: string) =>
  (response.headers.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase());

describe('cross-origin pages', () => {
  let called: Request[];
  let answer: () => Response;
  beforeEach(() => {
    called = [];
    answer = () => Response.json({ items: [] });
  });
  const ask = (headers: Record<string, string>, method = 'GET', listed = origins) =>
    guard(
      (request) => {
        called.push(request);
        return Promise.resolve(answer());
      },
      { origins: listed },
    )(new Request(url, { method, headers: { host, ...headers } }));
  const preflight = (origin: string, method: string, header = 'authorization') =>
    ask({ origin, 'access-control-request-method': method, 'access-control-request-headers': header }, 'OPTIONS');

  it('may preflight each method and header of the interface, which calls nothing', async () => {
    for (const origin of origins) {
      for (const { method } of Object.values(operations)) {
        const response = await preflight(origin, method);
        assert.equal(response.status, 204);
        assert.equal(await response.text(), '');
        assert.equal(response.headers.get('access-control-allow-origin'), origin);
        assert.ok(listOf(response, 'access-control-allow-methods').includes(method.toLowerCase()), method);
        for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-none-match'])
          assert.ok(listOf(response, 'access-control-allow-headers').includes(name), name);
        assert.equal(response.headers.get('access-control-allow-credentials'), null, 'no cookie plays a part');
        assert.equal(response.headers.get('access-control-max-age'), '600');
        assert.ok(listOf(response, 'vary').includes('origin'));
      }
    }
    assert.deepEqual(called, []);
  });

  it('may have any subdomain of a listed name, as web editors have', async () => {
    const listed = ['https://*.editor.example'];
    const origin = 'https://v--0a1b2c.editor.example';
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'idempotency-key' };
    const response = await ask({ origin, ...asked }, 'OPTIONS', listed);
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [204, origin]);
    assert.deepEqual((await ask({ origin }, 'GET', listed)).headers.get('access-control-allow-origin'), origin);
    assert.equal(called.length, 1);
    const others = ['https://editor.example', 'https://a.b.editor.example', 'http://a.editor.example', 'https://a.editor.example:8443', 'https://aeditor.example', 'https://a.editor.example.evil.example', 'https://.editor.example', 'null']; // prettier-ignore
    for (const other of others) {
      const refused = await ask({ origin: other }, 'GET', listed);
      assert.deepEqual([refused.status, allowed(refused)], [403, []], other);
    }
    assert.equal(called.length, 1);
  });

  it('read answers and refusals alike, with the time to wait', async () => {
    const made = [
      () => Response.json({ items: [] }),
      () => Response.json({ detail: 'Send the header.' }, { status: 401, headers: { 'www-authenticate': 'Bearer' } }),
      () => Response.json({ detail: 'Too many.' }, { status: 429, headers: { 'retry-after': '5' } }),
      () => new Response(null, { status: 204 }),
    ];
    for (answer of made) {
      const response = await ask({ origin: origins[1]!, authorization: 'Bearer t' });
      assert.equal(response.status, answer().status);
      assert.equal(response.headers.get('access-control-allow-origin'), origins[1]);
      for (const name of ['location', 'link', 'etag', 'retry-after'])
        assert.ok(listOf(response, 'access-control-expose-headers').includes(name), name);
      assert.deepEqual(listOf(response, 'vary'), ['origin']);
      assert.equal(response.headers.get('retry-after'), answer().headers.get('retry-after'));
      assert.equal(called.pop()?.headers.get('authorization'), 'Bearer t');
    }
  });

  it('that are not listed are refused without CORS headers, and call nothing', async () => {
    const others = ['https://evil.example', 'null', '*', 'https://notebooks.example:8443', 'http://notebooks.example', 'https://notebooks.example.evil.example', 'https://notebooks.example/', '']; // prettier-ignore
    for (const origin of others) {
      for (const response of [await ask({ origin }), await ask({ origin }, 'POST'), await preflight(origin, 'POST')]) {
        assert.equal(response.status, 403, origin);
        assert.deepEqual(allowed(response), [], origin);
      }
    }
    for (const response of [await ask({ origin: origins[0]! }, 'GET', []), await ask({ origin: 'null' }, 'GET', ['*'])])
      assert.deepEqual([response.status, allowed(response)], [403, []], 'there is no wildcard');
    assert.deepEqual(called, []);
  });

  it('get no cached answer of another origin', async () => {
    const same = `http://${host}`;
    for (const origin of [same, 'https://evil.example', origins[0]!])
      assert.deepEqual(listOf(await ask({ origin }), 'vary'), ['origin'], origin);
    assert.deepEqual(listOf(await ask({}), 'vary'), ['origin']);
    answer = () => new Response('', { headers: { vary: 'Accept' } });
    assert.deepEqual(listOf(await ask({}), 'vary'), ['accept', 'origin']);
    assert.equal((await ask({}, 'GET', [])).headers.get('vary'), 'Accept', 'without such pages all get the same');
  });
});

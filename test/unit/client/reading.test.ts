import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { Capabilities } from '../../../src/client/capabilities.ts';
import { errorOfAnswer } from '../../../src/client/errors.ts';

const reasonOf = (body: unknown) => errorOfAnswer({ status: 422, body, name: 'Example' }).reason;

describe('client, reading', () => {
  it('understands descriptions with references, prefixes and combinations', () => {
    const capabilities = new Capabilities(
      {
        paths: {
          '/api/predictions/{prediction_id}': { get: {} },
          '/api/predictions': {
            post: {
              requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/New' } } } },
            },
          },
        },
        components: {
          schemas: {
            New: { allOf: [{ properties: { series: {} } }, { $ref: '#/components/schemas/More' }] },
            More: { properties: { prediction_length: {} } },
          },
        },
      },
      '/api',
    );
    assert.ok(capabilities.has('getPrediction'));
    assert.ok(capabilities.takes('createPrediction', 'prediction_length'));
    assert.equal(capabilities.takes('createPrediction', 'name'), false);
    assert.deepEqual(new Capabilities('nonsense').operations, []);
  });

  it('finds the reason in common error bodies', () => {
    assert.equal(
      reasonOf({ detail: [{ loc: ['body', 'series', 3], msg: 'field required', type: 'x' }] }),
      'series.3: field required',
    );
    assert.equal(reasonOf({ title: 'Out of credit', status: 402 }), 'Out of credit');
    assert.equal(reasonOf({ error: { message: 'm' } }), 'm');
    assert.equal(reasonOf('  plain \n text '), 'plain text');
    assert.equal(reasonOf({ code: 4 }), undefined);
  });

  it('accepts only base URLs that keep a token safe', () => {
    assert.equal(parseBaseUrl(' https://x.example/v1/?a=1 ').href, 'https://x.example/v1');
    assert.equal(parseBaseUrl('http://127.0.0.1:8787').href, 'http://127.0.0.1:8787/');
    for (const [text, why] of [
      ['', /No base URL is set/],
      ['x.example', /is not an address/],
      ['http://x.example', /Use https/],
      ['ftp://x.example', /not a web address/],
      ['https://me:pw@x.example', /user name or password/],
    ] as const) {
      assert.throws(() => parseBaseUrl(text), why);
    }
  });
});

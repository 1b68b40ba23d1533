import assert from 'node:assert/strict';
import { bodyOf } from '../../../src/client/operations.ts';
import { clientOf } from './client-of.ts';

describe('the body of a request', () => {
  it('has no lone surrogates, as cutting a name leaves them, and no NUL', () => {
    const name = `${'a'.repeat(199)}😀`.slice(0, 200);
    assert.deepEqual(JSON.parse(String(bodyOf({ name, tags: ['x\0y', '😀'], values: [1, null, true] }))), {
      name: `${'a'.repeat(199)}\ufffd`,
      tags: ['x\ufffdy', '😀'],
      values: [1, null, true],
    });
    const looksLike = { name: '\\ud800 \\u0000' };
    assert.deepEqual(JSON.parse(String(bodyOf(looksLike))), looksLike);
  });

  it('is sent as JSON', async () => {
    const { client, requests } = clientOf(() => Response.json({ id: 'k', status: 'ACTIVE', secret: 's' }));
    await client.call({ method: 'POST', path: '/keys', body: { name: 'a\ud800' } });
    assert.equal(requests[0].headers.get('content-type'), 'application/json');
    assert.deepEqual(await requests[0].json(), { name: 'a\ufffd' });
  });
});

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { pause } from '../../../src/platform/pause.ts';
import { Operations } from '../../../src/client/operations.ts';

describe('pause', () => {
  const longer = 3_600_000;

  it('ends with its time or its signal, also if that was aborted before', async () => {
    await pause(1);
    const abort = new AbortController();
    await pause(1, abort.signal);
    assert.deepEqual(getEventListeners(abort.signal, 'abort'), [], 'nothing is left with the signal');
    const napping = pause(longer, abort.signal);
    abort.abort();
    await napping;
    await pause(longer, abort.signal);
  });

  it('before a retry ends with the signal’s reason, and removes its listener', async () => {
    const abort = new AbortController();
    let wait = '0';
    let tries = 0;
    const transport = new Operations({
      baseUrl: parseBaseUrl('https://forecasts.example.com/v1/'),
      token: () => Promise.resolve(undefined),
      fetch: () => {
        tries++;
        const answer = tries === 2 ? Response.json({}) : new Response('', { status: 503, headers: { 'retry-after': wait } }); // prettier-ignore
        if (wait !== '0') setImmediate(() => abort.abort(new Error('called off')));
        return Promise.resolve(answer);
      },
    });
    const call = () => transport.call({ method: 'GET', path: '/keys', signal: abort.signal });
    await call();
    assert.equal(tries, 2);
    assert.deepEqual(getEventListeners(abort.signal, 'abort'), []);
    wait = '20';
    await assert.rejects(call(), { message: 'called off' });
    assert.equal(tries, 3);
  });
});

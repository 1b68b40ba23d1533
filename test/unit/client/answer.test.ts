import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/client/address.ts';
import { ServiceClient } from '../../../src/client/client.ts';
import { clientOf, fails } from './client-of.ts';

/** What is waited for where the first answer is `headers`, and the second is a list. */
async function waits(headers: Record<string, string>): Promise<readonly number[]> {
  const answers = [new Response('', { status: 429, headers }), Response.json({ items: [] })];
  const { client, sleeps } = clientOf(() => answers.shift()!);
  await client.listKeys();
  return sleeps;
}

describe('a service that wants to be asked later', () => {
  it('says for how long in seconds, or by a date of its own clock, however wrong that is', async () => {
    assert.deepEqual(await waits({ 'retry-after': '0' }), [0]);
    assert.deepEqual(await waits({ 'retry-after': '1.5' }), [1500]);
    const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
    assert.deepEqual(await waits({ date, 'retry-after': 'Wed, 21 Oct 2015 07:28:07 GMT' }), [7000]);
    assert.deepEqual(await waits({ date, 'retry-after': 'Wed, 21 Oct 2015 07:20:00 GMT' }), [0]);
    const ahead = new Date(Date.now() + 3_600_000).toUTCString();
    const later = new Date(Date.parse(ahead) + 2000).toUTCString();
    assert.deepEqual(await waits({ date: ahead, 'retry-after': later }), [2000]);
  });

  it('by a date alone is waited for as our own clock says', async () => {
    const from = Date.now();
    const at = new Date(from + 10_000).toUTCString();
    const [wait] = await waits({ 'retry-after': at });
    // whole seconds, less what has passed meanwhile
    assert.ok(wait >= Date.parse(at) - Date.now() && wait <= Date.parse(at) - from, String(wait));
  });

  it('in words that mean nothing is asked again after a moment', async () => {
    for (const odd of ['soon', '']) {
      const [wait] = await waits({ 'retry-after': odd });
      assert.ok(wait >= 150 && wait < 600, `${odd}: ${wait}`);
    }
  });

  it('is not waited for any longer by somebody who stops', async () => {
    const stop = new AbortController();
    let asked = 0;
    const client = new ServiceClient({
      baseUrl: parseBaseUrl('https://forecasts.example.com'),
      fetch: () => {
        asked++;
        return Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': '25' } }));
      },
      token: () => Promise.resolve(undefined),
    });
    const work = client.call({ method: 'GET', path: '/keys', signal: stop.signal });
    setImmediate(() => {
      stop.abort(new Error('enough'));
    });
    await assert.rejects(work, /enough/);
    assert.equal(asked, 1);
  });
});

describe('the answer of a service', () => {
  const bytes = (text: string, type = 'application/json') =>
    new Response(new TextEncoder().encode(text), { headers: { 'content-type': type } });

  it('may begin with a byte order mark, and have any type but that of a web page', async () => {
    for (const answer of [
      bytes('\uFEFF{"items": [{"id": "a"}]}'),
      bytes('{"items": [{"id": "a"}]}', 'text/plain'),
      bytes('\n {"items": [{"id": "a"}]} \n', 'application/hal+json; charset=utf-8'),
    ])
      assert.equal((await clientOf(() => answer).client.listKeys()).items[0].id, 'a');
    const page = await fails(clientOf(() => bytes('{"items": []}', 'text/html')).client.listKeys());
    assert.match(page.message, /web page/);
  });

  it('to a deletion may be empty or a body that nobody needs', async () => {
    const paths = { '/predictions/{prediction_id}': { delete: {} } };
    for (const answer of [new Response(null, { status: 204 }), new Response(''), Response.json({ deleted: true })]) {
      const { client, requests } = clientOf(() => answer, { description: { paths } });
      await client.delete('deletePrediction', 'a/b c');
      assert.equal(requests[0].url, 'https://forecasts.example.com/v1/predictions/a%2Fb%20c');
    }
  });
});

import assert from 'node:assert/strict';

type Serve = (request: Request) => Promise<Response>;
type SharedBy = (serve: Serve) => { readonly fetch: Serve; readonly isHere: () => boolean };

/** These types are not those of Node, though it has what they describe. */
const { locks } = navigator as unknown as {
  readonly locks: { request(name: string, work: () => Promise<undefined>): Promise<undefined> };
};
const file = new URL('../../../../src/platform/browser/windows.ts', import.meta.url).href;

describe('service shared by windows', () => {
  it('serves a request whose body was still being read when the other window closed', async () => {
    const { sharedBy } = (await import(file)) as { readonly sharedBy: SharedBy };
    const other = Promise.withResolvers<undefined>();
    const closed = locks.request('time-series-forecasts', () => other.promise);
    const { fetch, isHere } = sharedBy(async (request) => new Response(`served ${await request.text()}`));
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const request = new Request('https://local/', { method: 'POST', body: readable, duplex: 'half' } as RequestInit);
    const answer = fetch(request);
    await new Promise((resolve) => setTimeout(resolve, 50));
    other.resolve(undefined);
    await closed;
    while (!isHere()) await new Promise((resolve) => setTimeout(resolve, 5));
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode('late'));
    await writer.close();
    assert.equal(await (await answer).text(), 'served late');
  });
});

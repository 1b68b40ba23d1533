import assert from 'node:assert/strict';
import { createBridge } from '../../../../src/webview/mcp-app/bridge.ts';

interface Sent {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

function bridge() {
  const sent: Sent[] = [];
  const heard: unknown[] = [];
  const made = createBridge((message) => sent.push(message), { 'a/told': (params) => heard.push(params) });
  const says = (message: object) => {
    made.receive({ jsonrpc: '2.0', ...message });
  };
  return { ...made, sent, heard, says };
}

describe('what a chart in a chat and the chat say to each other', () => {
  it('answers the question that was asked, in whatever order', async () => {
    const { request, sent, says } = bridge();
    const answers = [request('a/one', { x: 1 }), request('a/two', {})];
    assert.deepEqual(sent, [
      { jsonrpc: '2.0', id: 1, method: 'a/one', params: { x: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'a/two', params: {} },
    ]);
    says({ id: 2, result: { is: 'two' } });
    says({ id: 1, result: { is: 'one' } });
    assert.deepEqual(await Promise.all(answers), [{ is: 'one' }, { is: 'two' }]);
  });

  it('is refused with the chat’s own sentence', async () => {
    const { request, says } = bridge();
    const asked = request('a/one', {});
    says({ id: 1, error: { code: -1, message: 'Not in this chat.' } });
    await assert.rejects(asked, /^Error: Not in this chat\.$/);
  });

  it('takes an answer once, and none that nobody waits for', async () => {
    const { request, says } = bridge();
    says({ id: 7, result: { is: 'nothing' } });
    const asked = request('a/one', {});
    says({ id: '1', result: { is: 'of another kind' } });
    says({ id: 1, result: { is: 'first' } });
    says({ id: 1, error: { code: 1, message: 'late' } });
    assert.deepEqual(await asked, { is: 'first' });
  });

  it('has something for each answer, whatever form it has', async () => {
    const { request, says } = bridge();
    const asked = request('a/one', {});
    says({ id: 1, result: 'a text' });
    assert.deepEqual(await asked, {});
  });

  it('hears what it knows, and passes over the rest', () => {
    const { heard, says, receive, sent } = bridge();
    says({ method: 'a/told', params: { y: 2 } });
    says({ method: 'a/told' });
    says({ method: 'toString' });
    for (const message of [null, 4, 'x', {}, { jsonrpc: '1.0', method: 'a/told' }]) receive(message);
    assert.deepEqual([heard, sent], [[{ y: 2 }, {}], []]);
  });

  it('is there when it is asked for, and says of what it cannot do that it cannot', () => {
    const { sent, says } = bridge();
    says({ id: 5, method: 'ping' });
    says({ id: 'six', method: 'ui/resource-teardown', params: {} });
    says({ id: 7, method: 'a/told' });
    assert.deepEqual(sent.map(({ id, result, error }) => [id, result, error?.code]), [[5, {}, undefined], ['six', {}, undefined], [7, undefined, -32601]]); // prettier-ignore
  });
});

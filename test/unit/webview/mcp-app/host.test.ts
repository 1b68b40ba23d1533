import assert from 'node:assert/strict';
import type { ChartState, SentIntent } from '../../../../src/editor/views/chart/protocol.ts';
import type { StateMessage } from '../../../../src/editor/views/shared/protocol.ts';
import { ChatHost } from '../../../../src/webview/mcp-app/host.ts';

interface Sent {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

const day = (index: number) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString();
const prediction = {
  id: 'p/1',
  name: 'visits.csv',
  status: 'COMPLETED',
  input_series: [0, 1, 2, 3].map((index) => ({ timestamp: day(index), value: 10 + index })),
  prediction_series: [{ timestamp: day(4), value: 14, metadata: { quantiles: { '0.1': 13, '0.5': 14, '0.9': 15 } } }],
};

/** A chat that answers by method; what it does not know it refuses. */
function chat(answers: Readonly<Record<string, (params: Record<string, unknown>) => unknown>>) {
  const sent: Sent[] = [];
  const shown: Partial<ChartState>[] = [];
  const copied: string[] = [];
  const themes: unknown[] = [];
  const host = new ChatHost({
    send: (message) => {
      const one = message as Sent;
      sent.push(one);
      if (one.id === undefined || one.method === undefined) return;
      const answer = answers[one.method];
      const reply = answer
        ? { result: answer(one.params!) }
        : { error: { code: -32601, message: `no ${one.method} here` } };
      queueMicrotask(() => {
        host.receive({ jsonrpc: '2.0', id: one.id, ...reply });
      });
    },
    show: ({ parts }: StateMessage<ChartState>) => shown.push(parts),
    theme: (context) => themes.push(context),
    copy: (text) => Promise.resolve(void copied.push(text)),
  });
  const tell = (method: string, params: object) => {
    host.receive({ jsonrpc: '2.0', method: `ui/notifications/${method}`, params });
  };
  const says = (intent: SentIntent) => {
    host.editor.postMessage({ type: 'intent', intent });
  };
  return { host, sent, shown, copied, themes, tell, says };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const initialize = (capabilities: object = { downloadFile: {} }) => ({
  'ui/initialize': () => ({ hostCapabilities: capabilities, hostContext: { theme: 'dark' } }),
});
const read = {
  'resources/read': ({ uri }: Record<string, unknown>) => ({
    contents: [{ uri, text: String(uri).endsWith('.csv') ? 'timestamp,forecast\n' : JSON.stringify(prediction) }],
  }),
};
const result = { content: [{ type: 'text', text: 'Forecast' }], structuredContent: { prediction_id: 'p/1' } };

describe('the chart inside of a chat', () => {
  it('greets the chat as the specification has it, and takes over its looks', async () => {
    const { host, sent, themes, tell } = chat(initialize());
    host.editor.postMessage({ type: 'ready' });
    await settled();
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['ui/initialize', 'ui/notifications/initialized', 'ui/notifications/size-changed'],
    );
    assert.equal(sent[0].params?.protocolVersion, '2026-01-26');
    tell('host-context-changed', { theme: 'light' });
    assert.deepEqual(themes, [{ theme: 'dark' }, { theme: 'light' }]);
  });

  it('reads the prediction of an answer and shows its chart', async () => {
    const { sent, shown, tell } = chat(read);
    tell('tool-input', { arguments: {} });
    tell('tool-result', result);
    await settled();
    assert.equal(sent[0].params?.uri, 'forecasts://predictions/p%2F1');
    const [waiting, chart] = shown;
    assert.equal(waiting.standing?.status.kind, 'loading');
    const { chart: drawn } = chart.shown!;
    assert.deepEqual([drawn.title, chart.standing], ['visits.csv', null]);
    assert.deepEqual([...drawn.history.values], [10, 11, 12, 13]);
    assert.deepEqual(
      drawn.forecast?.intervals.map(({ level }) => level),
      [80],
    );
  });

  it('says in words what has no chart: a question, a cancelled call, a chat that reads nothing, damaged data', async () => {
    const sentences = async (answers: Parameters<typeof chat>[0], method: string, params: object) => {
      const { shown, tell } = chat(answers);
      tell(method, params);
      await settled();
      return shown.map(({ standing }) => (standing ? [standing.status.kind, standing.status.sentence] : []));
    };
    const question = { isError: true, content: [{ type: 'text', text: 'Day or month first?' }] };
    assert.deepEqual(await sentences({}, 'tool-result', question), [['failed', 'Day or month first?']]);
    assert.deepEqual(await sentences({}, 'tool-result', {}), [['failed', 'There is no forecast to show.']]);
    assert.deepEqual(await sentences({}, 'tool-cancelled', {}), [['failed', 'The forecast was canceled.']]);
    assert.match(String(await sentences({}, 'tool-result', result)), /cannot be shown here: no resources\/read here/);
    const damaged = { 'resources/read': () => ({ contents: [{ text: '{"id":1}' }] }) };
    assert.match(String(await sentences(damaged, 'tool-result', result)), /cannot be shown here/);
  });

  it('saves through the chat, and copies', async () => {
    const saved: unknown[] = [];
    const download = { 'ui/download-file': (params: unknown) => saved.push(params) && {} };
    const { host, copied, shown, tell, says } = chat({ ...initialize(), ...read, ...download });
    host.editor.postMessage({ type: 'ready' });
    tell('tool-result', result);
    await settled();
    says({ type: 'picture', kind: 'svg', data: new TextEncoder().encode('<svg/>') });
    says({ type: 'export', kind: 'csv' });
    says({ type: 'export', kind: 'copy' });
    await settled();
    const resource = (more: object) => ({ contents: [{ type: 'resource', resource: more }] });
    assert.deepEqual(saved, [
      resource({ uri: 'file:///forecast.svg', mimeType: 'image/svg+xml', blob: btoa('<svg/>') }),
      resource({ uri: 'file:///forecast.csv', mimeType: 'text/csv', text: 'timestamp,forecast\n' }),
    ]);
    assert.deepEqual(copied, ['timestamp,forecast\n']);
    assert.ok(shown.every(({ notice }) => !notice));
  });

  it('takes an answer for the request that it names, in whatever order, and once', async () => {
    const asked: unknown[] = [];
    const copied: string[] = [];
    const host = new ChatHost({
      send: (message) => asked.push((message as Sent).id),
      show: () => undefined,
      theme: () => undefined,
      copy: (text) => Promise.resolve(void copied.push(text)),
    });
    const answer = async (id: unknown, text: string) => {
      host.receive({ jsonrpc: '2.0', id, result: { contents: [{ text }] } });
      await settled();
    };
    host.editor.postMessage({ type: 'intent', intent: { type: 'export', kind: 'copy' } });
    host.editor.postMessage({ type: 'intent', intent: { type: 'export', kind: 'copy' } });
    const [first, second] = asked;
    await answer(String(first), 'of another');
    await answer(second, 'second');
    await answer(first, 'first');
    await answer(first, 'late');
    assert.deepEqual(copied, ['second', 'first']);
  });

  it('says so where the chat saves nothing', async () => {
    const { host, shown, says } = chat(initialize({}));
    host.editor.postMessage({ type: 'ready' });
    await settled();
    says({ type: 'picture', kind: 'png', data: new Uint8Array(1) });
    await settled();
    assert.match(shown.at(-1)?.notice?.sentence ?? '', /does not let pages save files/);
  });

  it('answers what the chat asks, and leaves alone what is no message to it', async () => {
    const { host, sent } = chat({});
    for (const strange of [
      null,
      'text',
      7,
      [],
      {},
      { jsonrpc: '2.0', id: 99, result: {} },
      { jsonrpc: '2.0', method: 'constructor' },
    ])
      host.receive(strange);
    assert.equal(sent.length, 0);
    host.receive({ jsonrpc: '2.0', id: 'a', method: 'ui/resource-teardown', params: {} });
    host.receive({ jsonrpc: '2.0', id: 'b', method: 'ping' });
    host.receive({ jsonrpc: '2.0', id: 'c', method: 'tools/call' });
    assert.deepEqual(
      sent.map((one) => [one.id, one.error ? one.error.code : one.result]),
      [
        ['a', {}],
        ['b', {}],
        ['c', -32601],
      ],
    );
    await settled();
  });
});

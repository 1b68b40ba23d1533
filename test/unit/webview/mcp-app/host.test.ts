import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import type { ChartState, SentIntent } from '../../../../src/editor/views/chart/protocol.ts';
import type { PageMessage, StateMessage } from '../../../../src/editor/views/shared/protocol.ts';
import { readFileSync } from 'node:fs';
import { settled, useBrowser } from '../browser.ts';

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

const initialize = (capabilities: object = { downloadFile: {} }) => ({
  'ui/initialize': () => ({ hostCapabilities: capabilities, hostContext: { theme: 'dark' } }),
});
const read = {
  'resources/read': ({ uri }: Record<string, unknown>) => ({
    contents: [{ uri, text: String(uri).endsWith('.csv') ? 'timestamp,forecast\n' : JSON.stringify(prediction) }],
  }),
};
const result = { content: [{ type: 'text', text: 'Forecast' }], structuredContent: { prediction_id: 'p/1' } };

type Answers = Readonly<Record<string, (params: Record<string, unknown>) => unknown>>;

interface Editor {
  postMessage(message: PageMessage<SentIntent>): void;
  getState(): unknown;
  setState(state: unknown): void;
}

describe('chart page in a chat', () => {
  const browser = useBrowser();
  const listeners: [string, EventListener][] = [];

  /** Loads what stands between page and chat, with a chat that answers by method; what it does not know it refuses. */
  async function chat(answers?: Answers) {
    const sent: Sent[] = [];
    const shown: Partial<ChartState>[] = [];
    const copied: string[] = [];
    const parent = {
      postMessage: (one: Sent) => {
        sent.push(one);
        if (!answers || one.id === undefined || one.method === undefined) return;
        const answer = answers[one.method];
        const reply = answer
          ? { result: answer(one.params!) }
          : { error: { code: -32601, message: `no ${one.method} here` } };
        queueMicrotask(() => says({ jsonrpc: '2.0', id: one.id, ...reply }));
      },
    };
    const says = (data: unknown, source: unknown = parent) => {
      window.dispatchEvent(new MessageEvent('message', { data, source: source as Window }));
    };
    Object.defineProperty(window, 'parent', { value: parent, configurable: true });
    const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) };
    const { navigator } = globalThis;
    Object.defineProperty(globalThis, 'navigator', { value: { clipboard }, configurable: true });
    const hear = ({ data }: MessageEvent<StateMessage<ChartState>>) => {
      if (data && data.type === 'state') shown.push(data.parts);
    };
    for (const [type, listener] of listeners.splice(0)) window.removeEventListener(type, listener);
    const { addEventListener } = window;
    Object.assign(window, { addEventListener: (type: string, listener: EventListener) => { listeners.push([type, listener]); addEventListener.call(window, type, listener); } }); // prettier-ignore
    await import(`../../../../src/webview/mcp-app/host.ts?${randomUUID()}`);
    window.addEventListener('message', hear);
    Object.assign(window, { addEventListener });
    browser.atEnd(() => {
      for (const [type, listener] of listeners.splice(0)) window.removeEventListener(type, listener);
      Reflect.deleteProperty(window, 'acquireVsCodeApi');
      Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
      document.documentElement.removeAttribute('style');
    });
    const editor = (window as unknown as { acquireVsCodeApi(): Editor }).acquireVsCodeApi();
    const tell = (method: string, params: object) =>
      says({ jsonrpc: '2.0', method: `ui/notifications/${method}`, params });
    const asks = (intent: SentIntent) => editor.postMessage({ type: 'intent', intent });
    return { sent, shown, copied, says, tell, asks, editor };
  }

  it('initializes by the specification, and applies the theme of the chat', async () => {
    const { editor, sent, tell } = await chat(initialize());
    editor.postMessage({ type: 'ready' });
    await settled();
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['ui/initialize', 'ui/notifications/initialized', 'ui/notifications/size-changed'],
    );
    assert.equal(sent[0]!.params?.protocolVersion, '2026-01-26');
    assert.equal(document.documentElement.style.colorScheme, 'dark');
    tell('host-context-changed', { theme: 'light' });
    assert.equal(document.documentElement.style.colorScheme, 'light');
  });

  it('reads the prediction of an answer and shows its chart', async () => {
    const { sent, shown, tell } = await chat(read);
    tell('tool-input', { arguments: {} });
    tell('tool-result', result);
    await settled();
    assert.equal(sent[0]!.params?.uri, 'forecasts://predictions/p%2F1');
    const [waiting, chart] = shown;
    assert.equal(waiting.standing?.status.sentence, 'Loading…');
    const { chart: drawn } = chart.shown!;
    assert.deepEqual([drawn.title, chart.standing], ['visits.csv', null]);
    assert.deepEqual([...drawn.history.values], [10, 11, 12, 13]);
    assert.deepEqual(
      drawn.forecast?.intervals.map(({ level }) => level),
      [80],
    );
  });

  it('explains a missing chart: a question, a cancelled call, a chat without resources, damaged data', async () => {
    const sentences = async (answers: Parameters<typeof chat>[0], method: string, params: object) => {
      const { shown, tell } = await chat(answers);
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
    const { editor, copied, shown, tell, asks } = await chat({ ...initialize(), ...read, ...download });
    editor.postMessage({ type: 'ready' });
    tell('tool-result', result);
    await settled();
    asks({ type: 'picture', kind: 'svg', data: new TextEncoder().encode('<svg/>') });
    asks({ type: 'export', kind: 'csv' });
    asks({ type: 'export', kind: 'copy' });
    await settled();
    const resource = (more: object) => ({ contents: [{ type: 'resource', resource: more }] });
    assert.deepEqual(saved, [
      resource({ uri: 'file:///forecast.svg', mimeType: 'image/svg+xml', blob: btoa('<svg/>') }),
      resource({ uri: 'file:///forecast.csv', mimeType: 'text/csv', text: 'timestamp,forecast\n' }),
    ]);
    assert.deepEqual(copied, ['timestamp,forecast\n']);
    assert.ok(shown.every(({ notice }) => !notice));
  });

  it('matches answers to requests in any order, once', async () => {
    const { sent, copied, says, asks } = await chat();
    const answer = async (id: unknown, text: string) => {
      says({ jsonrpc: '2.0', id, result: { contents: [{ text }] } });
      await settled();
    };
    asks({ type: 'export', kind: 'copy' });
    asks({ type: 'export', kind: 'copy' });
    const [first, second] = sent.map(({ id }) => id);
    await answer(String(first), 'of another');
    await answer(second, 'second');
    await answer(first, 'first');
    await answer(first, 'late');
    assert.deepEqual(copied, ['second', 'first']);
  });

  it('shows a notice if the chat saves no file', async () => {
    const { editor, shown, asks } = await chat(initialize({}));
    editor.postMessage({ type: 'ready' });
    await settled();
    asks({ type: 'picture', kind: 'png', data: new Uint8Array(1) });
    await settled();
    assert.match(shown.at(-1)?.notice?.sentence ?? '', /does not let pages save files/);
  });

  it('answers requests of the chat, and ignores other messages', async () => {
    const { says, sent } = await chat({});
    for (const strange of [
      null,
      'text',
      7,
      [],
      {},
      { jsonrpc: '2.0', id: 99, result: {} },
      { jsonrpc: '2.0', method: 'constructor' },
    ])
      says(strange);
    assert.equal(sent.length, 0);
    says({ jsonrpc: '2.0', id: 'a', method: 'ui/resource-teardown', params: {} });
    says({ jsonrpc: '2.0', id: 'b', method: 'ping' });
    says({ jsonrpc: '2.0', id: 'c', method: 'tools/call' });
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

  it('gets an editor, initializes, and applies the theme of the chat', async () => {
    const { sent, says, editor } = await chat();
    editor.postMessage({ type: 'ready' });
    assert.equal(sent[0]!.method, 'ui/initialize');
    const styles = { variables: { '--color-text-primary': 'rgb(1, 2, 3)', color: 'red', '--x;y': 'z', '--n': 4 } };
    says({ jsonrpc: '2.0', id: sent[0]!.id, result: { hostCapabilities: {}, hostContext: { theme: 'dark', styles } } });
    await settled();
    const { style } = document.documentElement;
    assert.deepEqual([style.colorScheme, style.getPropertyValue('--color-text-primary')], ['dark', 'rgb(1, 2, 3)']);
    assert.deepEqual([style.color, style.getPropertyValue('--n'), style.length], ['', '', 2], 'only variables');
    says({ jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: { displayMode: 'inline' } });
    assert.equal(style.colorScheme, 'dark', 'where only something else of the chat changes');
    assert.deepEqual(sent.slice(1).map(({ method }) => method), ['ui/notifications/initialized', 'ui/notifications/size-changed']); // prettier-ignore
  });

  it('has a resolved color for everything that its canvas draws', () => {
    const read = (file: string) => readFileSync(new URL(`../../../../src/webview/${file}`, import.meta.url), 'utf8');
    const known = [...read('mcp-app/theme.css').matchAll(/@property --vscode-([\w-]+)/g)].map(([, name]) => name!);
    const drawn = [...read('shared/drawing.tsx').matchAll(/ read\(([^)]*)\)/g)].map(([, names]) => names!);
    assert.ok(drawn.length > 5);
    assert.deepEqual(drawn.filter((names) => !known.some((name) => names.includes(`'${name}'`))), []); // prettier-ignore
  });

  it('accepts messages only from its own chat', async () => {
    const { shown, says } = await chat();
    const cancelled = { jsonrpc: '2.0', method: 'ui/notifications/tool-cancelled', params: {} };
    says(cancelled, null);
    says(cancelled, { postMessage: () => undefined });
    const reported = () => shown.filter(({ standing }) => standing).length;
    assert.equal(reported(), 0);
    says(cancelled);
    assert.equal(reported(), 1);
  });
});

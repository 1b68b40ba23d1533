import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ChatHost } from '../../../../src/webview/mcp-app/host.ts';
import { settled, useBrowser } from '../browser.ts';

interface Rpc {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

describe('the page of a chart inside of a chat', () => {
  const browser = useBrowser();
  let loaded = 0;

  /** Loads what stands between page and chat, with a chat that keeps what it is sent. */
  async function connect() {
    const sent: Rpc[] = [];
    const parent = { postMessage: (message: Rpc) => sent.push(message) };
    Object.defineProperty(window, 'parent', { value: parent, configurable: true });
    const shown: unknown[] = [];
    const hear = (event: Event) => void shown.push((event as MessageEvent<unknown>).data);
    const listeners: [string, EventListener][] = [];
    const { addEventListener } = window;
    Object.assign(window, { addEventListener: (type: string, listener: EventListener) => { listeners.push([type, listener]); addEventListener.call(window, type, listener); } }); // prettier-ignore
    await import(`../../../../src/webview/mcp-app/connect.ts?${++loaded}`);
    Object.assign(window, { addEventListener });
    window.addEventListener('message', hear);
    browser.atEnd(() => {
      window.removeEventListener('message', hear);
      for (const [type, listener] of listeners) window.removeEventListener(type, listener);
      Reflect.deleteProperty(window, 'acquireVsCodeApi');
      document.documentElement.removeAttribute('style');
    });
    const says = (data: object, source: unknown = parent) => {
      window.dispatchEvent(new MessageEvent('message', { data, source: source as Window }));
    };
    return {
      sent,
      shown,
      says,
      editor: (window as unknown as { acquireVsCodeApi(): ChatHost['editor'] }).acquireVsCodeApi(),
    };
  }

  it('is handed an editor, greets the chat, and takes its looks over', async () => {
    const { sent, says, editor } = await connect();
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

  it('has a color, and not only the text of one, for all that its canvas draws with', () => {
    const read = (file: string) => readFileSync(new URL(`../../../../src/webview/${file}`, import.meta.url), 'utf8');
    const known = [...read('mcp-app/theme.css').matchAll(/@property --vscode-([\w-]+)/g)].map(([, name]) => name!);
    const drawn = [...read('shared/colors.ts').matchAll(/ read\(([^)]*)\)/g)].map(([, names]) => names!);
    assert.ok(drawn.length > 5);
    assert.deepEqual(drawn.filter((names) => !known.some((name) => names.includes(`'${name}'`))), []); // prettier-ignore
  });

  it('hears the chat that shows it, and nobody else', async () => {
    const { shown, says } = await connect();
    const cancelled = { jsonrpc: '2.0', method: 'ui/notifications/tool-cancelled', params: {} };
    says(cancelled, null);
    says(cancelled, { postMessage: () => undefined });
    const told = () => shown.filter((data) => (data as { parts?: { standing?: unknown } }).parts?.standing).length;
    assert.equal(told(), 0);
    says(cancelled);
    assert.equal(told(), 1);
  });

  it('keeps what was chosen while the chat shows it', async () => {
    const { editor } = await connect();
    assert.equal(editor.getState(), undefined);
    editor.setState({ predictionId: 'p1' });
    assert.deepEqual(editor.getState(), { predictionId: 'p1' });
  });
});

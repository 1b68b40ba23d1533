import * as l10n from '@vscode/l10n';
import { chartView } from '../../chart/chart-view.ts';
import { LocalPrediction } from '../../contract/resources.ts';
import type { ChartState, SentIntent, Status } from '../../editor/views/chart/protocol.ts';
import { isRecord, type PageMessage } from '../../editor/views/shared/protocol.ts';

type Params = Readonly<Record<string, unknown>>;
const recordOf = (value: unknown): Params => (isRecord(value) ? value : {});

const MIME_TYPES = { png: 'image/png', svg: 'image/svg+xml', csv: 'text/csv', json: 'application/json' };

/** The editor of a chart's page in a chat, as MCP Apps (2026-01-26) has it; the library for that weighs 540 KB. */
class ChatHost {
  readonly #pending = new Map<unknown, (answer: Params) => void>();
  #asked = 0;
  #canDownload = false;
  #id = '';

  readonly editor = {
    postMessage: (message: PageMessage<SentIntent>): void => {
      this.#handle(message).catch((error: unknown) => {
        this.#notice(l10n.t('The chat client refused this: {0}', reasonOf(error)));
      });
    },
    getState: () => undefined,
    setState: () => undefined,
  };

  receive(message: unknown): void {
    const { jsonrpc, id, method, params, ...answer } = recordOf(message);
    if (jsonrpc !== '2.0') return;
    if (typeof method !== 'string') {
      this.#pending.get(id)?.(answer);
      this.#pending.delete(id);
    } else if (id === undefined) this.#hear(method, recordOf(params));
    else if (method === 'ping' || method === 'ui/resource-teardown') this.#send({ id, result: {} });
    else this.#send({ id, error: { code: -32601, message: `There is no method ${method}.` } });
  }

  #hear(method: string, params: Params): void {
    if (method === 'ui/notifications/tool-input') this.#stand({ kind: 'waiting', sentence: l10n.t('Loading…') });
    else if (method === 'ui/notifications/tool-result') this.#showResult(params);
    else if (method === 'ui/notifications/tool-cancelled') this.#fail(l10n.t('The forecast was canceled.'));
    else if (method === 'ui/notifications/host-context-changed') applyTheme(params);
  }

  #send(message: object): void {
    // the chat's own origin is not known to a page in its sandbox
    window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  async #request(method: string, params: Params): Promise<Params> {
    const id = ++this.#asked;
    const { error, result } = await new Promise<Params>((resolve) => {
      this.#pending.set(id, resolve);
      this.#send({ id, method, params });
    });
    if (isRecord(error)) throw new Error(String(error['message']));
    return recordOf(result);
  }

  async #handle(message: PageMessage<SentIntent>): Promise<void> {
    if (message.type === 'ready') {
      const nothing = { shown: null, standing: null, notice: null, actuals: null, controls: null, compared: null };
      this.#show({ ref: '', title: '', ...nothing, analyses: {} });
      await this.#initialize();
    } else if (message.type === 'problem')
      this.#send({ method: 'notifications/message', params: { level: 'error', data: message.message } });
    else if (message.intent.type === 'picture') {
      const { kind, data } = message.intent;
      await this.#save(kind, { blob: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join('')) });
    } else if (message.intent.type === 'export') {
      const kind = message.intent.kind === 'json' ? 'json' : 'csv';
      const text = await this.#read(kind === 'json' ? '' : '/forecast.csv');
      await (message.intent.kind === 'copy' ? navigator.clipboard.writeText(text) : this.#save(kind, { text }));
    }
  }

  async #initialize(): Promise<void> {
    const appInfo = { name: 'time-series-forecasts', version: '1' };
    const params = { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' };
    const { hostCapabilities, hostContext } = await this.#request('ui/initialize', params);
    this.#canDownload = isRecord(recordOf(hostCapabilities)['downloadFile']);
    applyTheme(recordOf(hostContext));
    this.#send({ method: 'ui/notifications/initialized', params: {} });
    // in pixels, for a chat that lets it be as high as it likes
    this.#send({ method: 'ui/notifications/size-changed', params: { height: 520 } });
  }

  #showResult({ structuredContent, content, isError }: Params): void {
    const id = recordOf(structuredContent)['prediction_id'];
    if (typeof id !== 'string' || isError === true)
      return this.#fail(firstText(content) ?? l10n.t('There is no forecast to show.'));
    this.#id = id;
    this.#showPrediction().catch((error: unknown) => {
      this.#fail(l10n.t('The forecast cannot be shown here: {0}', reasonOf(error)));
    });
  }

  async #showPrediction(): Promise<void> {
    const prediction = LocalPrediction.parse(JSON.parse(await this.#read('')));
    const chart = chartView(prediction, { label: prediction.name, timeZone: 'file' });
    this.#show({ shown: { key: this.#id, chart }, standing: null, notice: null });
  }

  async #read(ending: string): Promise<string> {
    const uri = `forecasts://predictions/${encodeURIComponent(this.#id)}${ending}`;
    const text = firstText((await this.#request('resources/read', { uri }))['contents']);
    if (text === undefined) throw new Error(l10n.t('The forecast could not be read.'));
    return text;
  }

  async #save(kind: keyof typeof MIME_TYPES, data: { readonly text: string } | { readonly blob: string }) {
    if (!this.#canDownload) return this.#notice(l10n.t('This chat client does not let pages save files.'));
    const resource = { uri: `file:///forecast.${kind}`, mimeType: MIME_TYPES[kind], ...data };
    const { isError } = await this.#request('ui/download-file', { contents: [{ type: 'resource', resource }] });
    if (isError === true) this.#notice(l10n.t('The file was not saved.'));
  }

  #stand(status: Status): void {
    this.#show({ standing: { title: l10n.t('Forecast'), status } });
  }

  #fail(sentence: string): void {
    this.#stand({ kind: 'failed', sentence });
  }

  #notice(sentence: string): void {
    this.#show({ notice: { sentence, actions: [] } });
  }

  #show(parts: Partial<ChartState>): void {
    window.dispatchEvent(new MessageEvent('message', { data: { type: 'state', parts } }));
  }
}

function firstText(contents: unknown): string | undefined {
  const texts = Array.isArray(contents) ? contents.map((one) => recordOf(one)['text']) : [];
  return texts.find((text) => typeof text === 'string');
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function applyTheme({ theme, styles }: Params): void {
  const { style } = document.documentElement;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  for (const [name, value] of Object.entries(recordOf(recordOf(styles)['variables'])))
    if (/^--[\w-]+$/.test(name) && typeof value === 'string') style.setProperty(name, value);
}

const host = new ChatHost();
window.addEventListener('message', ({ source, data }) => {
  if (source === window.parent) host.receive(data);
});
// the chart's page asks for the editor by this name when it is loaded, which comes after this
Object.assign(window, { acquireVsCodeApi: () => host.editor });

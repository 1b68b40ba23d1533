import * as l10n from '@vscode/l10n';
import { chartView } from '../../chart/chart-view.ts';
import { LocalPrediction } from '../../contract/resources.ts';
import type { ChartState, SentIntent } from '../../editor/views/chart/protocol.ts';
import { isRecord, type PageMessage, type StateMessage } from '../../editor/views/shared/protocol.ts';

type Params = Readonly<Record<string, unknown>>;
const recordOf = (value: unknown): Params => (isRecord(value) ? value : {});

interface Surroundings {
  readonly send: (message: object) => void;
  readonly show: (message: StateMessage<ChartState>) => unknown;
  readonly theme: (context: Params) => void;
  readonly copy: (text: string) => Promise<void>;
}

/** The editor of a chart's page in a chat, as MCP Apps (2026-01-26) has it; the library for that weighs 540 KB. */
export class ChatHost {
  readonly #around: Surroundings;
  readonly #pending = new Map<unknown, (answer: Params) => void>();
  #asked = 0;
  #canDownload = false;
  #id = '';
  #kept: unknown;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  readonly editor = {
    postMessage: (message: PageMessage<SentIntent>): void => {
      this.#handle(message).catch((error: unknown) => {
        this.#notice(l10n.t('The chat client refused this: {0}', reasonOf(error)));
      });
    },
    getState: (): unknown => this.#kept,
    setState: (state: unknown): void => {
      this.#kept = state;
    },
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
    if (method === 'ui/notifications/tool-input')
      this.#show({ standing: { title: l10n.t('Forecast'), status: { kind: 'loading' } } });
    else if (method === 'ui/notifications/tool-result') this.#showResult(params);
    else if (method === 'ui/notifications/tool-cancelled') this.#fail(l10n.t('The forecast was canceled.'));
    else if (method === 'ui/notifications/host-context-changed') this.#around.theme(params);
  }

  #send(message: object): void {
    this.#around.send({ jsonrpc: '2.0', ...message });
  }

  /** @throws Error with the chat's sentence where it refuses */
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
    else if (message.intent.type === 'picture') await this.#save(message.intent.kind, base64(message.intent.data));
    else if (message.intent.type === 'export') {
      const { kind } = message.intent;
      if (kind === 'copy') await this.#around.copy(await this.#read('/forecast.csv'));
      else await this.#save(kind === 'json' ? 'json' : 'csv');
    }
  }

  async #initialize(): Promise<void> {
    const params = {
      appInfo: { name: 'time-series-forecasts', version: '1' },
      appCapabilities: {},
      protocolVersion: '2026-01-26',
    };
    const { hostCapabilities, hostContext } = await this.#request('ui/initialize', params);
    this.#canDownload = isRecord(recordOf(hostCapabilities)['downloadFile']);
    this.#around.theme(recordOf(hostContext));
    this.#send({ method: 'ui/notifications/initialized', params: {} });
    // in pixels, for a chat that lets it be as high as it likes
    this.#send({ method: 'ui/notifications/size-changed', params: { height: 520 } });
  }

  #showResult(result: Params): void {
    const { structuredContent, content, isError } = result;
    const id = recordOf(structuredContent)['prediction_id'];
    if (typeof id !== 'string' || isError === true) {
      this.#fail(firstText(content) ?? l10n.t('There is no forecast to show.'));
      return;
    }
    this.#id = id;
    this.#read('')
      .then((text) => {
        const prediction = LocalPrediction.parse(JSON.parse(text));
        const chart = chartView(prediction, { label: prediction.name, timeZone: 'file' });
        this.#show({ shown: { key: id, chart }, standing: null, notice: null });
      })
      .catch((error: unknown) => {
        this.#fail(l10n.t('The forecast cannot be shown here: {0}', reasonOf(error)));
      });
  }

  async #read(ending: string): Promise<string> {
    const uri = `forecasts://predictions/${encodeURIComponent(this.#id)}${ending}`;
    const text = firstText((await this.#request('resources/read', { uri }))['contents']);
    if (text === undefined) throw new Error(l10n.t('The forecast could not be read.'));
    return text;
  }

  async #save(kind: 'png' | 'svg' | 'csv' | 'json', blob?: string): Promise<void> {
    if (!this.#canDownload) {
      this.#notice(l10n.t('This chat client does not let pages save files.'));
      return;
    }
    const mimeType = { png: 'image/png', svg: 'image/svg+xml', csv: 'text/csv', json: 'application/json' }[kind];
    const data = blob === undefined ? { text: await this.#read(kind === 'csv' ? '/forecast.csv' : '') } : { blob };
    const resource = { uri: `file:///forecast.${kind}`, mimeType, ...data };
    const { isError } = await this.#request('ui/download-file', { contents: [{ type: 'resource', resource }] });
    if (isError === true) this.#notice(l10n.t('The file was not saved.'));
  }

  #fail(sentence: string): void {
    this.#show({ standing: { title: l10n.t('Forecast'), status: { kind: 'failed', sentence } } });
  }

  #notice(sentence: string): void {
    this.#show({ notice: { sentence, actions: [] } });
  }

  #show(parts: Partial<ChartState>): void {
    this.#around.show({ type: 'state', parts });
  }
}

function firstText(contents: unknown): string | undefined {
  const texts = Array.isArray(contents) ? contents.map((one) => recordOf(one)['text']) : [];
  return texts.find((text) => typeof text === 'string');
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

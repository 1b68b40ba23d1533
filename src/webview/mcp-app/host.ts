import * as l10n from '@vscode/l10n';
import { chartView } from '../../chart/chart-view.ts';
import { LocalPrediction } from '../../contract/resources.ts';
import type { ChartState, SentIntent, Status } from '../../editor/views/chart/protocol.ts';
import { isRecord, type PageMessage, type StateMessage } from '../../editor/views/shared/protocol.ts';
import { type Bridge, createBridge, type Params } from './bridge.ts';

const VERSION = '2026-01-26';
const PREDICTION = 'forecasts://predictions/';
/** Of the page in a chat that lets it be as high as it likes, in pixels. */
const HEIGHT = 520;

const EMPTY: ChartState = {
  ...{ ref: '', title: '', shown: null, standing: null, notice: null, actuals: null },
  ...{ controls: null, compared: null, analyses: {} },
};

/** What stands between the page and the chat around it. */
export interface Surroundings {
  readonly send: (message: object) => void;
  /** Hands a message to the page, as the editor does. */
  readonly show: (message: StateMessage<ChartState>) => unknown;
  readonly theme: (context: Params) => void;
  readonly copy: (text: string) => Promise<void>;
}

export class ChatHost {
  readonly #around: Surroundings;
  readonly #bridge: Bridge;
  #canDownload = false;
  #id: string | undefined;
  #kept: unknown;
  /** What the chat reported about itself. */
  #context: Params = {};

  constructor(around: Surroundings) {
    this.#around = around;
    this.#bridge = createBridge(around.send, {
      'ui/notifications/tool-input': () => this.#say({ kind: 'loading' }),
      'ui/notifications/tool-result': (result) => {
        this.#showResult(result).catch(this.#unexpected);
      },
      'ui/notifications/tool-cancelled': () =>
        this.#say({ kind: 'failed', sentence: l10n.t('The forecast was canceled.') }),
      'ui/notifications/host-context-changed': (changes) => this.#applyTheme(changes),
    });
  }

  readonly receive = (message: unknown): void => this.#bridge.receive(message);

  readonly #unexpected = (error: unknown): void => {
    this.#notice(l10n.t('The chat client refused this: {0}', error instanceof Error ? error.message : String(error)));
  };

  readonly editor = {
    postMessage: (message: PageMessage<SentIntent>): void => {
      this.#handle(message).catch(this.#unexpected);
    },
    getState: (): unknown => this.#kept,
    setState: (state: unknown): void => {
      this.#kept = state;
    },
  };

  async #handle(message: PageMessage<SentIntent>): Promise<void> {
    if (message.type === 'ready') {
      this.#show(EMPTY);
      await this.#initialize();
    } else if (message.type === 'problem')
      this.#bridge.notify('notifications/message', { level: 'error', data: message.message });
    else if (message.intent.type === 'picture') await this.#save(message.intent.kind, base64(message.intent.data));
    else if (message.intent.type === 'export') {
      const { kind } = message.intent;
      if (kind === 'copy') await this.#around.copy(await this.#read('/forecast.csv'));
      else await this.#save(kind === 'json' ? 'json' : 'csv');
    }
  }

  async #initialize(): Promise<void> {
    const { hostCapabilities, hostContext } = await this.#bridge.request('ui/initialize', {
      appInfo: { name: 'time-series-forecasts', version: '1' },
      appCapabilities: {},
      protocolVersion: VERSION,
    });
    this.#canDownload = isRecord(hostCapabilities) && isRecord(hostCapabilities['downloadFile']);
    this.#applyTheme(isRecord(hostContext) ? hostContext : {});
    this.#bridge.notify('ui/notifications/initialized', {});
    this.#bridge.notify('ui/notifications/size-changed', { height: HEIGHT });
  }

  /** Applies the theme of the chat, which sends only changes. */
  #applyTheme(changes: Params): void {
    this.#context = { ...this.#context, ...changes };
    this.#around.theme(this.#context);
  }

  async #showResult(result: Params): Promise<void> {
    const { structuredContent: data, content } = result;
    const id = isRecord(data) ? data['prediction_id'] : undefined;
    if (typeof id !== 'string' || result['isError'] === true) {
      this.#say({ kind: 'failed', sentence: textOf(content) ?? l10n.t('There is no forecast to show.') });
      return;
    }
    this.#id = id;
    try {
      const prediction = LocalPrediction.parse(JSON.parse(await this.#read('')));
      const chart = chartView(prediction, { label: prediction.name, timeZone: 'file' });
      this.#show({ shown: { key: id, chart }, standing: null, notice: null });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#say({ kind: 'failed', sentence: l10n.t('The forecast cannot be shown here: {0}', why) });
    }
  }

  async #read(ending: string): Promise<string> {
    const { contents } = await this.#bridge.request('resources/read', { uri: this.#uri(ending) });
    const [first]: unknown[] = Array.isArray(contents) ? contents : [];
    if (!isRecord(first) || typeof first['text'] !== 'string')
      throw new Error(l10n.t('The forecast could not be read.'));
    return first['text'];
  }

  async #save(kind: 'png' | 'svg' | 'csv' | 'json', blob?: string): Promise<void> {
    if (!this.#canDownload) {
      this.#notice(l10n.t('This chat client does not let pages save files.'));
      return;
    }
    const mimeType = { png: 'image/png', svg: 'image/svg+xml', csv: 'text/csv', json: 'application/json' }[kind];
    const data = blob === undefined ? { text: await this.#read(kind === 'csv' ? '/forecast.csv' : '') } : { blob };
    const resource = { uri: `file:///forecast.${kind}`, mimeType, ...data };
    const { isError } = await this.#bridge.request('ui/download-file', { contents: [{ type: 'resource', resource }] });
    if (isError === true) this.#notice(l10n.t('The file was not saved.'));
  }

  readonly #uri = (ending: string) => `${PREDICTION}${encodeURIComponent(this.#id ?? '')}${ending}`;

  #say(status: Status): void {
    this.#show({ standing: { title: l10n.t('Forecast'), status } });
  }

  #notice(sentence: string): void {
    this.#show({ notice: { sentence, actions: [] } });
  }

  #show(parts: Partial<ChartState>): void {
    this.#around.show({ type: 'state', parts });
  }
}

function textOf(content: unknown): string | undefined {
  const texts = Array.isArray(content) ? content.filter(isRecord).map(({ text }) => text) : [];
  return texts.find((text) => typeof text === 'string');
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

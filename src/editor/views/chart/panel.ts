import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
import { isPending, readPredictions } from '../../../client/poller.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Connection, Session } from '../../connection/connection.ts';
import type { Memory } from '../../connection/memory.ts';
import { COMMANDS } from '../../connection/names.ts';
import { setting, touches } from '../../connection/settings.ts';
import { writeForecast } from './export.ts';
import { html } from '../shared/html.ts';
import { chartView, chartStatus, titleOf } from './chart-view.ts';
import {
  type DataExport,
  type HostMessage,
  type ImageExport,
  type PredictionRef,
  readWebviewMessage,
  type Status,
} from './protocol.ts';
import { dispatch } from '../shared/protocol.ts';
import { openUntitled, saveAs } from './save.ts';

export interface PanelServices {
  readonly extensionUri: vscode.Uri;
  readonly connection: Connection;
  readonly memory: Memory;
  readonly log: vscode.LogOutputChannel;
  /** That of the workspace, whose charts come back after a reload. */
  readonly state: vscode.Memento;
}

/** One chart. It asks the service until the prediction is done, and only while it is open. */
export class ChartPanel {
  readonly #ref: PredictionRef;
  readonly #panel: vscode.WebviewPanel;
  readonly #services: PanelServices;
  readonly #disposables: vscode.Disposable[];
  readonly #closed = new AbortController();
  #prediction: LocalPrediction | undefined;
  #problem: unknown;
  #isReady = false;

  constructor(
    ref: PredictionRef,
    panel: vscode.WebviewPanel,
    services: PanelServices,
    known: LocalPrediction | undefined,
  ) {
    this.#ref = ref;
    this.#panel = panel;
    this.#services = services;
    const { extensionUri, connection } = services;
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    panel.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, 'media', 'chart-light.svg'),
      dark: vscode.Uri.joinPath(extensionUri, 'media', 'chart-dark.svg'),
    };
    this.#disposables = [
      panel.webview.onDidReceiveMessage((message: unknown) => {
        this.#receive(message);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (touches(event, 'timeZone')) this.#show();
      }),
      connection.onDidChange(() => {
        if (!this.#prediction || isPending(this.#prediction.status)) void this.#load();
      }),
    ];
    panel.onDidDispose(() => {
      this.#closed.abort();
      for (const disposable of this.#disposables) disposable.dispose();
    });
    panel.webview.html = html({
      nonce: randomBytes(16).toString('base64url'),
      cspSource: panel.webview.cspSource,
      scriptUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, 'webview.js')).toString(),
      styleUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, 'webview.css')).toString(),
      title: panel.title,
    });
    if (known?.status === 'COMPLETED' && known.input_series) this.#take(known);
    else void this.#load(known);
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  get title(): string {
    return this.#panel.title;
  }

  reveal(preserveFocus: boolean): void {
    this.#panel.reveal(undefined, preserveFocus);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  async #load(known?: LocalPrediction): Promise<void> {
    const { signal } = this.#closed;
    this.#problem = undefined;
    try {
      const session = this.#session();
      const { predictionId } = this.#ref;
      if (known) this.#take(known);
      if (!known || (!isPending(known.status) && !known.input_series)) {
        const { jobs } = await readPredictions(session.client, new Set([predictionId]), signal);
        const [found] = jobs;
        if (signal.aborted) return;
        if (!found) throw new ServiceError('not-found', `${session.info.name} does not have this prediction any more.`);
        this.#take(found);
      }
      if (this.#prediction && isPending(this.#prediction.status)) this.#follow(session);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Shows each change until the prediction has ended. */
  #follow({ predictions }: Session): void {
    const end = predictions.watch(this.#ref.predictionId, {
      onChange: (now) => {
        this.#problem = undefined;
        this.#take(now);
      },
      onProblem: (problem) => {
        this.#fail(problem);
      },
    });
    this.#closed.signal.addEventListener('abort', end);
  }

  #fail(problem: unknown): void {
    this.#services.log.warn(`Chart of ${this.#ref.predictionId}: ${String(problem)}`);
    this.#problem = problem;
    this.#show();
  }

  #session(): Session {
    const session = this.#services.connection.session(this.#ref.serviceId);
    if (session) return session;
    throw new ServiceError(
      'not-found',
      `This chart is from ${this.#ref.serviceId}, which is not set up any more. Add that service again to see it.`,
    );
  }

  #take(prediction: LocalPrediction): void {
    this.#prediction = prediction;
    this.#panel.title = titleOf(prediction, this.#note()?.label);
    this.#show();
  }

  #note() {
    return this.#services.memory.recall(this.#ref.serviceId, this.#ref.predictionId);
  }

  #view() {
    if (!this.#prediction) return undefined;
    const { memory } = this.#services;
    const context = {
      ...this.#note(),
      modelLabel: memory.recall(this.#ref.serviceId, this.#prediction.ai_model_id ?? '')?.label,
      timeZone: setting('timeZone'),
      fileZone: this.#note()?.source?.timeZone,
    };
    return chartView(this.#prediction, context);
  }

  #show(): void {
    if (!this.#isReady) return;
    const status = this.#status();
    const chart = this.#view();
    // of one that FAILED the series stays in sight, below what is said of it
    const isKept = this.#problem === undefined && this.#prediction?.status === 'FAILED' && chart;
    if (isKept && chart.history.times.length > 0) this.#post({ type: 'show', ref: this.#ref, chart });
    if (status || !chart) {
      this.#post({ type: 'status', ref: this.#ref, title: this.#panel.title, status: status ?? { kind: 'loading' } });
    } else {
      this.#post({ type: 'show', ref: this.#ref, chart });
    }
  }

  #status(): Status | undefined {
    if (this.#problem !== undefined) {
      const sentence = this.#problem instanceof Error ? this.#problem.message : String(this.#problem);
      return { kind: 'failed', sentence, actions: [{ id: 'retry', label: 'Try Again' }] };
    }
    return this.#prediction ? chartStatus(this.#prediction) : { kind: 'loading' };
  }

  #post(message: HostMessage): void {
    void this.#panel.webview.postMessage(message);
  }

  #receive(message: unknown): void {
    const read = readWebviewMessage(message);
    if (!read) return;
    dispatch(read, {
      ready: () => {
        this.#isReady = true;
        this.#show();
      },
      state: () => undefined,
      action: ({ id }) => {
        if (id === 'retry') void this.#load();
        if (id === 'again' || id === 'model')
          void vscode.commands.executeCommand(COMMANDS.forecastAgain, { ...this.#ref, isOtherModel: id === 'model' });
      },
      lines: ({ first, last }) => void this.#showLines(first, last),
      export: (wanted) => void this.#export(wanted.kind, 'data' in wanted ? wanted.data : undefined),
      problem: ({ message: text }) => {
        this.#services.log.error(`Chart page: ${text}`);
      },
    });
  }

  /** Shows lines of the file that the forecast was made from. */
  async #showLines(first: number, last: number): Promise<void> {
    const uri = this.#note()?.source?.uri;
    if (uri === undefined) return;
    const selection = new vscode.Range(first - 1, 0, last, 0);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri), { selection });
  }

  async #export(kind: DataExport | ImageExport, picture: Uint8Array | undefined): Promise<void> {
    const chart = this.#view();
    if (!chart || !this.#prediction) return;
    const { title } = this.#panel;
    if (kind === 'png' || kind === 'svg') {
      if (picture) await saveAs(title, kind, picture);
      return;
    }
    const form = kind === 'csv' || kind === 'json' ? kind : 'same';
    const { text, extension, language } = writeForecast(chart, this.#prediction, this.#note()?.source, form);
    if (kind === 'copy') {
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage('Forecast copied', 3000);
    } else if (kind === 'untitled') await openUntitled(text, language);
    else await saveAs(title, extension, new TextEncoder().encode(text));
  }
}

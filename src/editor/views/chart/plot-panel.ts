import * as vscode from 'vscode';
import { type ChartView, SHOW_READING } from '../../../chart/types.ts';
import type { Source } from '../../connection/memory.ts';
import { touches } from '../../connection/settings.ts';
import { inBackground } from '../../ui/background.ts';
import { Latest } from '../shared/latest.ts';
import { fillPanel } from '../shared/page.ts';
import { dispatch } from '../shared/protocol.ts';
import { COMMANDS } from '../../names.ts';
import type { ToWorkbook } from './deliver.ts';
import { showReading } from './view-of.ts';
import { historyTable, writeHistory } from './export.ts';
import type { Plot } from './plot.ts';
import {
  type DataExport,
  type HostMessage,
  type ImageExport,
  type PredictionRef,
  readWebviewMessage,
} from './protocol.ts';
import { nameParts, openUntitled, saveAs } from './save.ts';

/** A series that was read to be plotted. */
export interface Plotted {
  readonly chart: ChartView;
  /** How its file is written. */
  readonly source?: Source | undefined;
}

export interface PlotServices {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly load: (plot: Plot, signal: AbortSignal) => Promise<Plotted>;
  readonly toWorkbook: ToWorkbook;
  /** Makes a forecast of the series; tells of a failure by itself. */
  readonly forecast: (plot: Plot) => Promise<void>;
  /** Calls back when the file no longer holds the series as it was read. */
  readonly follow: (source: Source, onChange: () => void) => vscode.Disposable;
}

/** The actions of a plot. */
export const FORECAST = 'forecast';
const RETRY = 'retry';

/** The chart of a series without a forecast, which follows its file. */
export class PlotPanel {
  readonly #plot: Plot;
  readonly #ref: PredictionRef;
  readonly #panel: vscode.WebviewPanel;
  readonly #services: PlotServices;
  readonly #loading = new Latest();
  #file: vscode.Disposable | undefined;
  #plotted: Plotted | undefined;
  #problem: string | undefined;
  #isReady = false;

  constructor(plot: Plot, ref: PredictionRef, panel: vscode.WebviewPanel, services: PlotServices) {
    this.#plot = plot;
    this.#ref = ref;
    this.#panel = panel;
    this.#services = services;
    panel.title = vscode.l10n.t('Series: {0}', plot.label);
    const disposables = [
      panel.webview.onDidReceiveMessage((message: unknown) => {
        this.#receive(message);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (touches(event, 'timeZone')) this.#load();
      }),
    ];
    panel.onDidDispose(() => {
      this.rest();
      for (const disposable of disposables) disposable.dispose();
    });
    fillPanel(panel, services.extensionUri, 'webview');
    this.#load();
  }

  reveal(preserveFocus: boolean): void {
    this.#panel.reveal(undefined, preserveFocus);
  }

  /** Follows nothing any more, as where the window goes; the page stays. */
  rest(): void {
    this.#loading.end();
    this.#file?.dispose();
  }

  #load(): void {
    const signal = this.#loading.begin();
    const loading = async (): Promise<void> => {
      try {
        const plotted = await this.#services.load(this.#plot, signal);
        if (signal.aborted) return;
        this.#plotted = plotted;
        this.#problem = undefined;
        this.#follow(plotted.source);
      } catch (error) {
        if (signal.aborted) return;
        this.#services.log.warn(`Plot of ${this.#plot.label}: ${String(error)}`);
        this.#problem = error instanceof Error ? error.message : String(error);
      }
      this.#show();
    };
    inBackground(this.#services.log, loading());
  }

  async #showReading(): Promise<void> {
    const uri = this.#plotted?.source?.uri;
    if (uri !== undefined) await vscode.commands.executeCommand(COMMANDS.showReading, vscode.Uri.parse(uri));
  }

  #follow(source: Source | undefined): void {
    this.#file?.dispose();
    this.#file =
      source &&
      this.#services.follow(source, () => {
        this.#load();
      });
  }

  #show(): void {
    if (!this.#isReady) return;
    const ref = this.#ref;
    const { chart, source } = this.#plotted ?? {};
    const reading = source?.uri === undefined ? {} : { reading: showReading() };
    if (chart) this.#post({ type: 'show', ref, chart: { ...chart, ...reading } });
    if (this.#problem !== undefined) {
      const actions = [{ id: RETRY, label: vscode.l10n.t('Try Again') }];
      const status = { kind: 'failed', sentence: this.#problem, actions } as const;
      this.#post({ type: 'status', ref, title: this.#plot.label, status });
    } else if (!chart) this.#post({ type: 'status', ref, title: this.#plot.label, status: { kind: 'loading' } });
  }

  #post(message: HostMessage): void {
    inBackground(this.#services.log, this.#panel.webview.postMessage(message));
  }

  #receive(message: unknown): void {
    const read = readWebviewMessage(message);
    if (!read) return;
    const { log, forecast } = this.#services;
    dispatch(read, {
      ready: () => {
        this.#isReady = true;
        this.#show();
      },
      state: () => undefined,
      // there is no forecast to change or to compare
      change: () => undefined,
      back: () => undefined,
      compare: () => undefined,
      'test-columns': () => undefined,
      suppose: () => undefined,
      odd: () => undefined,
      look: () => undefined,
      copied: () => {
        vscode.window.setStatusBarMessage(vscode.l10n.t('Picture copied'), 3000);
      },
      action: ({ id }) => {
        if (id === RETRY) this.#load();
        else if (id === FORECAST) inBackground(log, forecast(this.#plot));
        else if (id === SHOW_READING) inBackground(log, this.#showReading());
      },
      lines: ({ first, last }) => {
        inBackground(log, this.#showLines(first, last));
      },
      export: (wanted) => {
        inBackground(log, this.#export(wanted.kind, 'data' in wanted ? wanted.data : undefined));
      },
      problem: ({ message: text }) => {
        log.error(`Chart page: ${text}`);
      },
    });
  }

  async #showLines(first: number, last: number): Promise<void> {
    if (this.#plot.kind !== 'file') return;
    const selection = new vscode.Range(first - 1, 0, last, 0);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(this.#plot.uri), { selection });
  }

  async #export(kind: DataExport | ImageExport, picture: Uint8Array | undefined): Promise<void> {
    if (!this.#plotted) return;
    const { chart, source } = this.#plotted;
    const save = (extension: string, bytes: Uint8Array) =>
      saveAs(this.#services.log, nameParts(this.#plot.label), extension, bytes, source?.uri, 'series');
    if (kind === 'png' || kind === 'svg') {
      if (picture) await save(kind, picture);
      return;
    }
    if (kind === 'file') return;
    if (kind === 'xlsx') {
      await save(kind, await this.#services.toWorkbook(historyTable(chart, source)));
      return;
    }
    const { text, extension, language } = writeHistory(
      chart,
      source,
      kind === 'csv' || kind === 'json' ? kind : 'same',
    );
    if (kind === 'copy') {
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage(vscode.l10n.t('Series copied'), 3000);
    } else if (kind === 'untitled') await openUntitled(text, language);
    else await save(extension, new TextEncoder().encode(text));
  }
}

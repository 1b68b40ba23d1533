import * as vscode from 'vscode';
import { chartView } from '../../chart/chart-view.ts';
import type { ChartView } from '../../chart/types.ts';
import { FORECAST_ENDING, type ForecastFile } from '../../contract/forecast-file.ts';
import { setting, touches } from '../connection/settings.ts';
import { fileNameOf } from '../files/document.ts';
import { inBackground } from '../ui/background.ts';
import { showFailure } from '../ui/failure.ts';
import { say } from '../ui/say.ts';
import { deliver, type ToWorkbook } from '../views/chart/deliver.ts';
import { type HostMessage, type PredictionRef, readWebviewMessage } from '../views/chart/protocol.ts';
import { nameParts, saveAs } from '../views/chart/save.ts';
import { fillPanel } from '../views/shared/page.ts';
import { dispatch } from '../views/shared/protocol.ts';
import { forecastFileText, predictionOf, readForecastFile } from './file.ts';

/** What the page of a forecast file needs of the extension. */
export interface ForecastFileDeeds {
  /** Makes the forecast of a file again, tells what came of it, and gives the file as it is then. @returns undefined where nothing changes */
  readonly run: (file: ForecastFile) => Promise<ForecastFile | undefined>;
}

export interface ForecastFileServices {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly deeds: ForecastFileDeeds;
  readonly toWorkbook: ToWorkbook;
}

const RUN = 'run';
const TEXT = 'text';
/** Edits within so many milliseconds are drawn once. */
const TOGETHER = 200;

/** The chart of a forecast file. It follows the text, whoever changes it: an editor, git, or Run Again. */
export class ForecastFilePage {
  readonly #document: vscode.TextDocument;
  readonly #panel: vscode.WebviewPanel;
  readonly #services: ForecastFileServices;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #isRunning = false;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, services: ForecastFileServices) {
    this.#document = document;
    this.#panel = panel;
    this.#services = services;
    const disposables = [
      panel.webview.onDidReceiveMessage((message: unknown) => {
        this.#receive(message);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
        if (uri.toString() === document.uri.toString()) this.#later();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (touches(event, 'timeZone')) this.#show();
      }),
    ];
    panel.onDidDispose(() => {
      this.#isReady = false;
      clearTimeout(this.#timer);
      for (const disposable of disposables) disposable.dispose();
    });
    fillPanel(panel, services.extensionUri, 'webview');
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  /** Makes the forecast again and writes it into the document, as an edit that can be undone. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#show();
    try {
      const { deeds } = this.#services;
      const { version } = this.#document;
      const now = await deeds.run(this.#file());
      if (!now) return;
      // what was edited meanwhile is the person's
      const isWritten = this.#document.version === version && (await this.#write(forecastFileText(now)));
      if (!isWritten) inBackground(this.#services.log, this.#tellEdited());
    } finally {
      this.#isRunning = false;
      this.#show();
    }
  }

  async #tellEdited(): Promise<void> {
    const again = vscode.l10n.t('Run Again');
    const sentence = vscode.l10n.t(
      '{0} was edited while its forecast was made, so it is left as it is. Run it again for a forecast of what it says now.',
      this.#name,
    );
    if ((await say.info(sentence, again)) === again) inBackground(this.#services.log, this.run());
  }

  /** @returns whether it was taken */
  async #write(text: string): Promise<boolean> {
    const edit = new vscode.WorkspaceEdit();
    const end = this.#document.positionAt(this.#document.getText().length);
    edit.replace(this.#document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    return vscode.workspace.applyEdit(edit);
  }

  get #name(): string {
    return fileNameOf(this.#document.uri);
  }

  #file(): ForecastFile {
    return readForecastFile(this.#document.getText(), this.#name);
  }

  /** Each file is a chart of its own to the page, which keeps its view over a reload. */
  get #ref(): PredictionRef {
    return { serviceId: 'file', predictionId: this.#document.uri.toString() };
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#show();
    }, TOGETHER);
  }

  #show(): void {
    if (!this.#isReady) return;
    const shared = { type: 'status', ref: this.#ref, title: this.#name } as const;
    const toText = { id: TEXT, label: vscode.l10n.t('Open as JSON') };
    try {
      const file = this.#file();
      this.#post({ type: 'show', ref: this.#ref, chart: this.#chart(file) });
      if (this.#isRunning) this.#post({ ...shared, status: { kind: 'running' } });
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      this.#post({ ...shared, status: { kind: 'failed', sentence, actions: [toText] } });
    }
  }

  #chart(file: ForecastFile): ChartView {
    const isWritable = vscode.workspace.fs.isWritableFileSystem(this.#document.uri.scheme) !== false;
    const label = file.prediction?.prediction_series ? vscode.l10n.t('Run Again') : vscode.l10n.t('Run');
    const run = isWritable && !this.#isRunning ? [{ id: RUN, label }] : [];
    const context = {
      label: file.name,
      valueLabel: file.value_name,
      fileZone: file.time_zone,
      timeZone: setting('timeZone'),
    };
    const actions = [...run, { id: TEXT, label: vscode.l10n.t('Open as JSON') }];
    return { ...chartView(predictionOf(file), context), actions };
  }

  #post(message: HostMessage): void {
    inBackground(this.#services.log, this.#panel.webview.postMessage(message));
  }

  #receive(message: unknown): void {
    const read = readWebviewMessage(message);
    if (!read) return;
    const { log } = this.#services;
    const nothing = () => undefined;
    dispatch(read, {
      ready: () => {
        this.#isReady = true;
        this.#show();
      },
      state: nothing,
      // what only a service can tell is not offered here
      change: nothing,
      back: nothing,
      compare: nothing,
      'test-columns': nothing,
      suppose: nothing,
      odd: nothing,
      look: nothing,
      lines: nothing,
      copied: () => {
        vscode.window.setStatusBarMessage(vscode.l10n.t('Picture copied'), 3000);
      },
      action: ({ id }) => {
        if (id === RUN)
          inBackground(
            log,
            this.run().catch((error: unknown) => showFailure({ log }, error)),
          );
        else if (id === TEXT)
          inBackground(log, vscode.commands.executeCommand('vscode.openWith', this.#document.uri, 'default'));
      },
      export: (wanted) => {
        const file = this.#file();
        if (wanted.kind === 'file') {
          const bytes = new TextEncoder().encode(forecastFileText(file));
          inBackground(log, saveAs(log, nameParts(file.name), FORECAST_ENDING, bytes, this.#document.uri.toString()));
          return;
        }
        inBackground(log, deliver(this.#services, this.#chart(file), predictionOf(file), undefined, wanted));
      },
      problem: ({ message: text }) => {
        log.error(`Chart page: ${text}`);
      },
    });
  }
}

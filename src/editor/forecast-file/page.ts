import * as vscode from 'vscode';
import { inSignificant } from '../../calendar/digits.ts';
import { chartView } from '../../chart/chart-view.ts';
import { FORECAST_ENDING, type ForecastFile } from '../../contract/forecast-file.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { App, ForecastFiles } from '../app.ts';
import { WITHOUT_FORECAST } from '../charts/plots.ts';
import { setting, touches } from '../connection/settings.ts';
import { fileNameOf } from '../files/document.ts';
import { finished, makeForecast } from '../forecast/forecaster.ts';
import { FORECAST_EDITOR } from '../names.ts';
import { waysAfter } from '../request/pick-model.ts';
import { noChart } from '../request/request.ts';
import { inBackground } from '../ui/background.ts';
import { showFailure } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import { say } from '../ui/say.ts';
import { exportIntents, nameParts, saveAs } from '../views/chart/export.ts';
import { ChartIntent, type ChartState, EMPTY } from '../views/chart/protocol.ts';
import { type HostServices, type Page, showIn } from '../views/shared/page-host.ts';
import type { Handlers } from '../views/shared/protocol.ts';
import { differenceOf, forecastFileText, predictionOf, readForecastFile } from './file.ts';

const RUN = 'run';
const TEXT = 'text';
/** Edits within so many milliseconds are drawn once. */
const TOGETHER = 200;

/** The chart of a forecast file. It follows the text, whatever changes it: an editor, git, or Run Again. */
export class ForecastFilePage implements Page<ChartState, ChartIntent> {
  readonly #app: App;
  readonly #document: vscode.TextDocument;
  readonly #changed: () => void;
  readonly #disposables: readonly vscode.Disposable[];
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  /** As it was read last. */
  #last: ForecastFile | undefined;
  readonly intents: Handlers<ChartIntent>;
  state: ChartState;

  constructor(app: App, document: vscode.TextDocument, changed: () => void) {
    this.#app = app;
    this.#document = document;
    this.#changed = changed;
    this.#disposables = [
      vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
        if (uri.toString() === document.uri.toString())
          this.#timer ??= setTimeout(() => {
            this.#timer = undefined;
            this.#show();
          }, TOGETHER);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (touches(event, 'timeZone')) this.#show();
      }),
    ];
    this.intents = {
      ...WITHOUT_FORECAST,
      ...exportIntents(app, () => {
        const { chart } = this.state.shown ?? {};
        const file = this.#last;
        return (
          chart && file && { what: 'forecast', chart, prediction: predictionOf(file), saveFile: () => this.#save(file) }
        );
      }),
      action: ({ id }) => {
        const { log } = app;
        if (id === RUN)
          inBackground(
            log,
            this.run().catch((error: unknown) => showFailure({ log }, error)),
          );
        else if (id === TEXT)
          inBackground(log, vscode.commands.executeCommand('vscode.openWith', document.uri, 'default'));
      },
    };
    this.state = { ...EMPTY, ref: { uri: document.uri.toString() }, title: this.#name };
    this.#show();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Makes the forecast again and writes it into the document, as an edit that can be undone. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#show();
    try {
      const { version } = this.#document;
      const now = await runForecastFile(this.#app, this.#file());
      if (!now) return;
      // what was edited meanwhile is the person's
      const isWritten = this.#document.version === version && (await this.#write(forecastFileText(now)));
      if (!isWritten) inBackground(this.#app.log, this.#tellEdited());
    } finally {
      this.#isRunning = false;
      this.#show();
    }
  }

  async #tellEdited(): Promise<void> {
    const again = vscode.l10n.t('Run Again');
    const sentence = vscode.l10n.t(
      '{0} was edited while its forecast was running, so it was left unchanged. Run it again to forecast its current content.',
      this.#name,
    );
    if ((await say.info(sentence, again)) === again) inBackground(this.#app.log, this.run());
  }

  /** @returns whether it was taken */
  async #write(text: string): Promise<boolean> {
    const edit = new vscode.WorkspaceEdit();
    const end = this.#document.positionAt(this.#document.getText().length);
    edit.replace(this.#document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    return vscode.workspace.applyEdit(edit);
  }

  async #save(file: ForecastFile): Promise<void> {
    const bytes = new TextEncoder().encode(forecastFileText(file));
    const name = { parts: nameParts(file.name), extension: FORECAST_ENDING };
    await saveAs(this.#app.log, name, bytes, this.#document.uri.toString());
  }

  get #name(): string {
    return fileNameOf(this.#document.uri);
  }

  #file(): ForecastFile {
    return readForecastFile(this.#document.getText(), this.#name);
  }

  #show(): void {
    const toText = { id: TEXT, label: vscode.l10n.t('Open as JSON') };
    const title = this.#name;
    try {
      this.#last = this.#file();
      const shown = this.#shown(this.#last, toText);
      this.state = { ...this.state, shown, standing: this.#isRunning ? { title, status: { kind: 'running' } } : null };
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      this.state = { ...this.state, standing: { title, status: { kind: 'failed', sentence, actions: [toText] } } };
    }
    this.#changed();
  }

  #shown(file: ForecastFile, toText: { readonly id: string; readonly label: string }): ChartState['shown'] {
    const { name: label, value_name: valueLabel, time_zone: fileZone, prediction } = file;
    const { uri } = this.#document;
    const isWritable = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== false;
    const words = prediction?.prediction_series ? vscode.l10n.t('Run Again') : vscode.l10n.t('Run');
    const run = isWritable && !this.#isRunning ? [{ id: RUN, label: words }] : [];
    const chart = chartView(predictionOf(file), { label, valueLabel, fileZone, timeZone: setting('timeZone') });
    return { key: uri.toString(), chart: { ...chart, actions: [...run, toText] } };
  }
}

/** Opens forecast files as their chart. The text below is an ordinary document: VS Code saves it, undoes it and compares it. */
export class ForecastFileEditor implements ForecastFiles, vscode.CustomTextEditorProvider, vscode.Disposable {
  readonly #app: () => App;
  readonly #services: HostServices;
  readonly #open = new Map<ForecastFilePage, vscode.WebviewPanel>();
  readonly #registered: vscode.Disposable;

  constructor(app: () => App, services: HostServices) {
    this.#app = app;
    this.#services = services;
    this.#registered = vscode.window.registerCustomEditorProvider(FORECAST_EDITOR, this);
  }

  resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const shell = { viewType: FORECAST_EDITOR, bundle: 'webview', intent: ChartIntent } as const;
    const make = (changed: () => void) => new ForecastFilePage(this.#app(), document, changed);
    const page = showIn(panel, shell, this.#services, make);
    this.#open.set(page, panel);
    panel.onDidDispose(() => {
      this.#open.delete(page);
    });
  }

  get active(): ForecastFilePage | undefined {
    return [...this.#open].find(([, panel]) => panel.active)?.[0];
  }

  dispose(): void {
    this.#registered.dispose();
  }
}

/**
 * Requests the forecast of a file again and reports how it differs from the file.
 * @returns the new content; undefined if nothing changed
 */
export async function runForecastFile(app: App, file: ForecastFile): Promise<ForecastFile | undefined> {
  try {
    const made = await withPatience(vscode.l10n.t('Forecasting {0}', file.name), (signal) => make(app, file, signal));
    const { prediction: before } = file;
    const { ai_model_id, created_at, details, prediction_series } = made;
    const now = { ...file, prediction: { ai_model_id, created_at, details, prediction_series } };
    if (!before?.prediction_series) return now;
    const difference = differenceOf(before, made);
    inBackground(app.log, say.info(wordsOf(difference, file.name)));
    return difference.kind === 'none' ? undefined : now;
  } catch (error) {
    await showFailure(app, error, ...waysAfter(app, error, () => runForecastFile(app, file)));
    return undefined;
  }
}

function wordsOf(difference: ReturnType<typeof differenceOf>, name: string): string {
  switch (difference.kind) {
    case 'none':
      return vscode.l10n.t('{0} was reproduced: the numbers are the same.', name);
    case 'times':
      return vscode.l10n.t('The forecast of {0} has different steps now.', name);
    case 'values': {
      const { steps, of, most } = difference;
      const share = inSignificant(most * 100, 2);
      return vscode.l10n.t('{0} of {1} steps of {2} differ, by up to {3}%.', steps, of, name, share);
    }
  }
}

/** @throws ServiceError, Cancelled */
async function make(app: App, file: ForecastFile, signal: AbortSignal): Promise<LocalPrediction> {
  const wanted = { source: { kind: 'request', file }, change: { isAnew: true }, show: noChart() } as const;
  const made = await makeForecast(app, wanted, signal);
  return finished(await app.connection.ready(), made, signal);
}

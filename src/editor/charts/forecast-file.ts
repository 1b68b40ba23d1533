import * as vscode from 'vscode';
import { chartView } from '../../chart/chart-view.ts';
import type { Action } from '../../chart/types.ts';
import type { ForecastFile } from '../../contract/forecast-file.ts';
import type { App } from '../app.ts';
import { setting } from '../connection/settings.ts';
import { fileNameOf } from '../files/document.ts';
import { finished, makeForecast, NO_CHART } from '../forecast/forecaster.ts';
import { FORECAST_EDITOR } from '../names.ts';
import { waysAfter } from '../request/pick-model.ts';
import { inBackground, say, sentenceOf, showFailure, withProgress } from '../ui/say.ts';
import type { Exported } from '../views/chart/export.ts';
import {
  differenceOf,
  forecastFileText,
  predictionOf,
  readForecastFile,
  resultOf,
} from '../views/chart/forecast-file.ts';
import { type ChartState, SeriesIntent } from '../views/chart/protocol.ts';
import { type HostServices, PagePanel } from '../views/shared/page-host.ts';
import { SeriesPage } from './plots.ts';

const RUN = 'run';
const TEXT = 'text';
const DEBOUNCE = 200;

const openAsText = (): Action => ({ id: TEXT, label: vscode.l10n.t('Open as JSON') });

/** The chart of a forecast file. It follows the text, whatever changes it: an editor, git, or Run Again. */
class ForecastFilePage extends SeriesPage<{ readonly uri: string }> {
  readonly #document: vscode.TextDocument;
  readonly #listener: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(app: App, document: vscode.TextDocument, changed: () => void) {
    const uri = document.uri.toString();
    super(app, { ref: { uri }, title: fileNameOf(document.uri) }, changed);
    this.#document = document;
    this.#listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document.uri.toString() !== uri) return;
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.load();
      }, DEBOUNCE);
    });
    this.load();
  }

  override dispose(): void {
    super.dispose();
    clearTimeout(this.#timer);
    this.#listener.dispose();
  }

  /** Makes the forecast again and writes it into the document, as an edit that can be undone. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.load();
    try {
      const { version } = this.#document;
      const now = await this.#made(this.#file());
      // edits of the person in the meantime are not overwritten
      const isWritten = !now || (this.#document.version === version && (await this.#write(forecastFileText(now))));
      if (!isWritten) inBackground(this.app.log, this.#sayEdited());
    } catch (error) {
      this.start(() => showFailure(this.app, error, ...waysAfter(this.app, error, () => this.run())));
    } finally {
      this.#isRunning = false;
      this.load();
    }
  }

  protected override read(): Promise<Exported> {
    const file = this.#file();
    const { name: label, value_name: valueLabel, time_zone: fileZone } = file;
    const { uri } = this.#document;
    const prediction = predictionOf(file);
    const view = chartView(prediction, { label, valueLabel, fileZone, timeZone: setting('timeZone') });
    const isWritable = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== false;
    const words = file.prediction?.prediction_series ? vscode.l10n.t('Run Again') : vscode.l10n.t('Run');
    const run = isWritable && !this.#isRunning ? [{ id: RUN, label: words }] : [];
    const chart = { ...view, actions: [...run, openAsText()] };
    return Promise.resolve({ chart, file: () => file, beside: uri.toString() });
  }

  protected override act(id: string): unknown {
    if (id === RUN) return this.run();
    return id === TEXT && vscode.commands.executeCommand('vscode.openWith', this.#document.uri, 'default');
  }

  protected override standing(problem: unknown): ChartState['standing'] {
    const { title } = this.state;
    if (problem === undefined) return this.#isRunning ? { title, status: { kind: 'running' } } : null;
    return { title, status: { kind: 'failed', sentence: sentenceOf(problem), actions: [openAsText()] } };
  }

  #file(): ForecastFile {
    return readForecastFile(this.#document.getText(), this.state.title);
  }

  /** Makes the forecast again, and says how it differs. @returns the new content; undefined if nothing changed */
  async #made(file: ForecastFile): Promise<ForecastFile | undefined> {
    const { app } = this;
    const { name, value_name: valueLabel, request, prediction: before } = file;
    const { series, ai_model_id, prediction_length, quantile_levels, fine_tuning_epochs, bounds } = request;
    const options = { ai_model_id, prediction_length, quantile_levels, fine_tuning_epochs, bounds };
    const note = { label: name, ...(valueLabel === undefined ? {} : { valueLabel }) };
    const source = { kind: 'sent', data: { series }, options, note } as const;
    const session = await app.connection.ready();
    const made = await withProgress(vscode.l10n.t('Forecasting {0}', name), async (signal) => {
      const begun = await makeForecast(app, source, { isAnew: true, show: NO_CHART, session }, signal);
      return finished(session, begun, signal);
    });
    const now = { ...file, prediction: resultOf(made) };
    if (!before?.prediction_series) return now;
    const { isSame, sentence } = differenceOf(name, before.prediction_series, made.prediction_series ?? []);
    inBackground(app.log, say.info(sentence));
    return isSame ? undefined : now;
  }

  async #sayEdited(): Promise<void> {
    const again = vscode.l10n.t('Run Again');
    const sentence = vscode.l10n.t(
      '{0} was edited while its forecast was running, so it was left unchanged. Run it again to forecast its current content.',
      this.state.title,
    );
    if ((await say.info(sentence, again)) === again) inBackground(this.app.log, this.run());
  }

  async #write(text: string): Promise<boolean> {
    const edit = new vscode.WorkspaceEdit();
    const end = this.#document.positionAt(this.#document.getText().length);
    edit.replace(this.#document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    return vscode.workspace.applyEdit(edit);
  }
}

export class ForecastFileEditor implements vscode.CustomTextEditorProvider, vscode.Disposable {
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
    const shell = { viewType: FORECAST_EDITOR, bundle: 'webview', intent: SeriesIntent } as const;
    const make = (changed: () => void) => new ForecastFilePage(this.#app(), document, changed);
    const page = new PagePanel<SeriesIntent, ForecastFilePage>(panel, shell, this.#services).show(make);
    this.#open.set(page, panel);
    panel.onDidDispose(() => this.#open.delete(page));
  }

  get active(): ForecastFilePage | undefined {
    return [...this.#open].find(([, panel]) => panel.active)?.[0];
  }

  dispose(): void {
    this.#registered.dispose();
  }
}

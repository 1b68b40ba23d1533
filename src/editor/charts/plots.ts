import * as vscode from 'vscode';
import { type Action, chartView, type ChartView } from '../../chart/chart-view.ts';
import type { ForecastFile } from '../../contract/forecast-file.ts';
import { lastPoints, fromPoints, toPoints } from '../../reading/points.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { sessionOf } from '../connection/connection.ts';
import { COMMANDS, FORECAST_EDITOR, onSetting, setting } from '../names.ts';
import { fileNameOf, openAsBefore, openSettled, seriesAsBefore } from '../files/document.ts';
import { followSeries, sourceOf } from '../files/series-file.ts';
import { forecastStoredSeries } from '../forecast/again.ts';
import { finished, forecastSeries, makeForecast, MOST_CHARTS, NO_CHART } from '../forecast/forecast.ts';
import { waysAfter } from '../request/pick-model.ts';
import { Cancelled, inBackground, say, sentenceOf, showFailure, showFileFailure, withProgress } from '../ui/say.ts';
import {
  differenceOf,
  type Exported,
  exportIntents,
  forecastFileText,
  predictionOf,
  readForecastFile,
  resultOf,
} from '../views/chart/export.ts';
import { type ChartState, EMPTY, Plot, SeriesIntent } from '../views/chart/protocol.ts';
import { action, failedStatus, LOADING, running } from '../views/chart/state.ts';
import { type Owner, Page, PageHost, PagePanel } from '../views/shared/page-host.ts';
import type { Handlers } from '../views/shared/protocol.ts';
import { describeEntry, type ResourceNode } from '../views/tree/kinds.ts';

abstract class SeriesPage<R> extends Page<ChartState<R>, SeriesIntent> {
  #exported: Exported | undefined;
  readonly intents: Handlers<SeriesIntent> = {
    ...exportIntents(this.app, () => this.#exported, this.start.bind(this)),
    action: ({ id }) => this.start(() => this.act(id)),
  };

  protected constructor(owner: Owner, ref: R, title: string) {
    super(owner, { ...EMPTY, ref, title, standing: { title, status: LOADING } });
    this.disposables.push(onSetting('timeZone', () => this.load()));
  }

  /** @throws an error whose message the page shows */
  protected abstract read(signal: AbortSignal): Promise<Exported>;
  protected abstract act(id: string): unknown;

  protected standing(problem: unknown): ChartState['standing'] {
    return problem === undefined ? null : { title: this.state.title, status: failedStatus(problem) };
  }

  protected load(): void {
    const read = async (signal: AbortSignal) => {
      const exported = await this.read(signal);
      if (signal.aborted) return;
      this.#exported = exported;
      const shown = { key: JSON.stringify(this.state.ref), chart: exported.chart };
      this.set({ shown, standing: this.standing(undefined) });
    };
    this.start(() => this.latest('loading', read, (error) => this.set({ standing: this.standing(error) })));
  }
}

class PlotPage extends SeriesPage<Plot> {
  constructor(owner: Owner, plot: Plot) {
    super(owner, plot, vscode.l10n.t('Series: {0}', plot.label));
    this.load();
  }

  protected override async read(signal: AbortSignal): Promise<Exported> {
    const { app, state } = this;
    const plot = state.ref;
    if (plot.kind === 'stored') {
      const { client } = sessionOf(app.connection, plot.serviceId);
      const { series: points = [] } = await client.do('getSeries', { id: plot.seriesId, signal });
      return { chart: chartOf(plot, fromPoints(points, plot.label)) };
    }
    const { opened, series } = await readFile(app, plot, signal);
    const source = sourceOf(opened, series);
    this.keep('file', followSeries(app.files, source, { onChange: () => this.load() }));
    return { chart: chartOf(plot, series), source };
  }

  protected override act(id: string): unknown {
    const { ref } = this.state;
    if (id === 'retry') this.load();
    if (id === 'forecast') return forecastPlot(this.app, ref);
    if (id !== 'show-reading' || ref.kind !== 'file') return undefined;
    return vscode.commands.executeCommand(COMMANDS.showReading, vscode.Uri.parse(ref.uri));
  }
}

export const plotPages = (app: () => App) =>
  new PageHost({ viewType: 'forecasts.plot', bundle: 'webview', ref: Plot, intent: SeriesIntent, page: PlotPage }, app);

/** @throws SeriesError if the file no longer has the series */
async function readFile(app: App, plot: Plot & { kind: 'file' }, signal?: AbortSignal) {
  const uri = vscode.Uri.parse(plot.uri);
  const opened = await openAsBefore(app, uri, 'treat-as-missing', signal);
  const series = opened.document.series.find(({ id }) => id === plot.series);
  if (series) return { opened, series };
  const sentence = vscode.l10n.t('{0} no longer has the series {1}.', fileNameOf(uri), plot.series);
  throw new SeriesError('no-numbers', sentence);
}

function chartOf({ kind, label }: Plot, series: ReadSeries): ChartView {
  const { timeZone: fileZone, holidays, gaps, valueColumn: valueLabel = series.name } = series;
  // a plot has no forecast to make again with the totals, so its remarks offer nothing
  const remarks = series.remarks.map((one) => ({ ...one, kind: 'read' }));
  const context = { label, remarks, holidays, fileZone, valueLabel, timeZone: setting('timeZone') };
  const points = toPoints(lastPoints(series)).map(({ timestamp, value, metadata }) => ({
    timestamp,
    value: typeof value === 'number' ? value : undefined,
    metadata: metadata ?? undefined,
  }));
  const item = { id: label, status: 'PLOTTED', input_series: points, details: { gaps: gaps + holidays } };
  return {
    ...chartView(item, context),
    ...(kind === 'file' ? { reading: [action('show-reading')] } : {}),
    actions: [{ id: 'forecast', label: vscode.l10n.t('Forecast') }],
  };
}

async function forecastPlot(app: App, plot: Plot): Promise<void> {
  if (plot.kind === 'stored') return forecastStoredSeries(app, plot.seriesId, plot.label);
  try {
    const { opened, series } = await readFile(app, plot);
    await forecastSeries(app, opened, [series]);
  } catch (error) {
    await showFileFailure(app, vscode.Uri.parse(plot.uri), error);
  }
}

export async function plotFiles(app: App, uris: readonly vscode.Uri[]): Promise<void> {
  const title = vscode.l10n.t('Plot Series');
  let opened = 0;
  for (const uri of uris) {
    try {
      const settled = await openSettled(app, uri, title, { missing: 'treat-as-missing' });
      const { fileName, document } = settled;
      for (const { id: series, name } of await seriesAsBefore(app, settled, title)) {
        const label = document.series.length === 1 ? fileName : `${fileName} · ${name}`;
        if (opened++ < MOST_CHARTS) app.plots.open({ kind: 'file', uri: settled.uri.toString(), series, label });
      }
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      await showFileFailure(app, uri, error);
    }
  }
}

export function plotStored(app: App, node: ResourceNode & { kind: 'series' }): void {
  const { serviceId, id: seriesId } = node;
  const plot = { kind: 'stored', serviceId, seriesId, label: describeEntry(node).name } as const;
  app.plots.open(plot, undefined, { preserveFocus: true });
}

const DEBOUNCE = 200;

const openAsText = (): Action => ({ id: 'text', label: vscode.l10n.t('Open as JSON') });

/** The chart of a forecast file. It follows the text, whatever changes it: an editor, git, or Run Again. */
class ForecastFilePage extends SeriesPage<{ readonly uri: string }> {
  readonly #document: vscode.TextDocument;
  #isRunning = false;

  constructor(owner: Owner, document: vscode.TextDocument) {
    const uri = document.uri.toString();
    super(owner, { uri }, fileNameOf(document.uri));
    this.#document = document;
    this.disposables.push(
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document.uri.toString() !== uri) return;
        this.later('edit', () => this.load(), DEBOUNCE);
      }),
    );
    this.load();
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
    const run = isWritable && !this.#isRunning ? [{ id: 'run', label: words }] : [];
    const chart = { ...view, actions: [...run, openAsText()] };
    return Promise.resolve({ chart, file: () => file, beside: uri.toString() });
  }

  protected override act(id: string): unknown {
    if (id === 'run') return this.run();
    return id === 'text' && vscode.commands.executeCommand('vscode.openWith', this.#document.uri, 'default');
  }

  protected override standing(problem: unknown): ChartState['standing'] {
    const { title } = this.state;
    if (problem === undefined) return this.#isRunning ? { title, status: running() } : null;
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
    const made = await withProgress(vscode.l10n.t('Forecasting {0}', name), async ({ signal }) => {
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

export class ForecastFileEditor implements vscode.Disposable {
  readonly #open = new Set<PagePanel<SeriesIntent, ForecastFilePage>>();
  readonly #registered: vscode.Disposable;

  constructor(app: () => App) {
    const shell = { viewType: FORECAST_EDITOR, bundle: 'webview', intent: SeriesIntent } as const;
    const resolveCustomTextEditor = (document: vscode.TextDocument, panel: vscode.WebviewPanel) => {
      const shown = new PagePanel<SeriesIntent, ForecastFilePage>(panel, shell, app());
      shown.show((owner) => new ForecastFilePage(owner, document));
      this.#open.add(shown);
      panel.onDidDispose(() => this.#open.delete(shown));
    };
    this.#registered = vscode.window.registerCustomEditorProvider(FORECAST_EDITOR, { resolveCustomTextEditor });
  }

  get active(): ForecastFilePage | undefined {
    return [...this.#open].find(({ panel }) => panel.active)?.page;
  }

  dispose(): void {
    this.#registered.dispose();
  }
}

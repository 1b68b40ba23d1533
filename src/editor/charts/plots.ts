import * as vscode from 'vscode';
import { chartView } from '../../chart/chart-view.ts';
import { type ChartView, SHOW_READING } from '../../chart/types.ts';
import { ServiceError } from '../../client/errors.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { fromPoints, toPoints } from '../../reading/points.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { Source } from '../connection/memory.ts';
import { setting, touches } from '../connection/settings.ts';
import { fileNameOf, openAsBefore } from '../files/document.ts';
import { followSeries } from '../files/series-file.ts';
import { forecastSeries, forecastStoredSeries } from '../forecast/forecast.ts';
import { remarksOf, sourceOf } from '../forecast/forecaster.ts';
import { COMMANDS, PLOT_VIEW_TYPE } from '../names.ts';
import { inBackground } from '../ui/background.ts';
import { showFailure, showFileFailure } from '../ui/failure.ts';
import { exportIntents } from '../views/chart/export.ts';
import { ChartIntent, type ChartState, EMPTY, Plot } from '../views/chart/protocol.ts';
import { RETRY, showReading } from '../views/chart/state.ts';
import { Latest } from '../views/shared/latest.ts';
import { type HostServices, type Page, PageHost } from '../views/shared/page-host.ts';
import type { Handlers } from '../views/shared/protocol.ts';

const FORECAST = 'forecast';
const nothing = () => undefined;

/** What can be done to a forecast alone. */
export const WITHOUT_FORECAST: Omit<Handlers<ChartIntent>, 'action' | 'export' | 'picture' | 'copied' | 'lines'> = {
  change: nothing,
  back: nothing,
  analyze: nothing,
  anomalies: nothing,
  'test-columns': nothing,
  suppose: nothing,
  compare: nothing,
};

/** The page of a series without a forecast, which follows its file. */
export class PlotPage implements Page<ChartState<Plot>, ChartIntent> {
  readonly #app: App;
  readonly #plot: Plot;
  readonly #changed: () => void;
  readonly #loading = new Latest();
  readonly #setting: vscode.Disposable;
  #file: vscode.Disposable | undefined;
  #source: Source | undefined;
  readonly intents: Handlers<ChartIntent>;
  state: ChartState<Plot>;

  constructor(app: App, plot: Plot, changed: () => void) {
    this.#app = app;
    this.#plot = plot;
    this.#changed = changed;
    const standing = { title: plot.label, status: { kind: 'loading' } } as const;
    this.state = { ...EMPTY, ref: plot, title: vscode.l10n.t('Series: {0}', plot.label), standing };
    this.intents = {
      ...WITHOUT_FORECAST,
      ...exportIntents(app, () => {
        const { chart } = this.state.shown ?? {};
        return chart && { what: 'series', chart, source: this.#source };
      }),
      action: ({ id }) => {
        inBackground(app.log, this.#act(id));
      },
    };
    this.#setting = vscode.workspace.onDidChangeConfiguration((event) => {
      if (touches(event, 'timeZone')) this.#load();
    });
    this.#load();
  }

  dispose(): void {
    this.#loading.end();
    this.#file?.dispose();
    this.#setting.dispose();
  }

  #load(): void {
    const signal = this.#loading.begin();
    const { label } = this.#plot;
    const loading = async (): Promise<void> => {
      try {
        const { chart, source } = await read(this.#app, this.#plot, signal);
        if (signal.aborted) return;
        this.#source = source;
        this.#file?.dispose();
        const onChange = () => {
          this.#load();
        };
        this.#file = source && followSeries(this.#app.files, source, { onChange, onSeries: nothing });
        this.#show({ shown: { key: JSON.stringify(this.#plot), chart }, standing: null });
      } catch (error) {
        if (signal.aborted) return;
        this.#app.log.warn(`Plot of ${label}: ${String(error)}`);
        const sentence = error instanceof Error ? error.message : String(error);
        const actions = [{ id: RETRY, label: vscode.l10n.t('Try Again') }];
        this.#show({ standing: { title: label, status: { kind: 'failed', sentence, actions } } });
      }
    };
    inBackground(this.#app.log, loading());
  }

  #show(parts: Partial<Pick<ChartState, 'shown' | 'standing'>>): void {
    this.state = { ...this.state, ...parts };
    this.#changed();
  }

  async #act(id: string): Promise<void> {
    const uri = this.#source?.uri;
    if (id === RETRY) this.#load();
    else if (id === FORECAST) await forecastPlot(this.#app, this.#plot);
    else if (id === SHOW_READING && uri !== undefined)
      await vscode.commands.executeCommand(COMMANDS.showReading, vscode.Uri.parse(uri));
  }
}

/** The pages of plots, one for each series. */
export const plotPages = (app: () => App, services: HostServices): PageHost<ChartState<Plot>, ChartIntent, PlotPage> =>
  new PageHost(
    {
      viewType: PLOT_VIEW_TYPE,
      bundle: 'webview',
      ref: Plot,
      intent: ChartIntent,
      keyOf: (ref) => JSON.stringify(ref),
      make: (ref, changed) => new PlotPage(app(), ref, changed),
    },
    services,
  );

async function read(app: App, plot: Plot, signal: AbortSignal) {
  if (plot.kind === 'file') {
    const { opened, series } = await readOfFile(app, plot, signal);
    return { chart: chartOf(plot, series, true), source: sourceOf(opened, series) };
  }
  const session = app.connection.session(plot.serviceId);
  if (!session) {
    const where = vscode.l10n.t('This series is from {0}, which is no longer set up.', plot.serviceId);
    throw new ServiceError('not-found', where);
  }
  const { series = [] } = await session.client.do('getSeries', { id: plot.seriesId, signal });
  return { chart: chartOf(plot, fromPoints(series, plot.label), false), source: undefined };
}

function chartOf({ label }: Plot, series: ReadSeries, isOfFile: boolean): ChartView {
  const { timeZone: fileZone, holidays, gaps, valueColumn: valueLabel = series.name } = series;
  const context = { label, remarks: remarksOf(series), holidays, fileZone, valueLabel, timeZone: setting('timeZone') };
  const points = toPoints(lastPoints(series)).map(({ timestamp, value, metadata }) => ({
    timestamp,
    value: typeof value === 'number' ? value : undefined,
    metadata: metadata ?? undefined,
  }));
  const item = { id: label, status: 'PLOTTED', input_series: points, details: { gaps: gaps + holidays } };
  const { remarks, ...chart } = chartView(item, context);
  // actions of a remark would make a forecast, which a plot does not have
  const withoutActions = remarks?.map(({ text, lines }) => ({ text, lines }));
  return {
    ...chart,
    ...(withoutActions ? { remarks: withoutActions } : {}),
    ...(isOfFile ? { reading: [showReading()] } : {}),
    actions: [{ id: FORECAST, label: vscode.l10n.t('Forecast') }],
  };
}

/** @throws SeriesError if the file no longer has the series */
async function readOfFile(app: App, plot: Plot & { kind: 'file' }, signal?: AbortSignal) {
  const uri = vscode.Uri.parse(plot.uri);
  const opened = await openAsBefore(app, uri, 'treat-as-missing', signal);
  const series = opened.document.series.find(({ id }) => id === plot.series);
  if (series) return { opened, series };
  const sentence = vscode.l10n.t('{0} no longer has the series {1}.', fileNameOf(uri), plot.series);
  throw new SeriesError('no-numbers', sentence);
}

/** Forecasts the series of a plot and shows failures. */
async function forecastPlot(app: App, plot: Plot): Promise<void> {
  try {
    if (plot.kind === 'stored') {
      await forecastStoredSeries(app, plot.seriesId, plot.label);
      return;
    }
    const { opened, series } = await readOfFile(app, plot);
    await forecastSeries(app, opened, [series], { change: {}, show: { opened: 0 } });
  } catch (error) {
    if (plot.kind === 'file') await showFileFailure(app, vscode.Uri.parse(plot.uri), error);
    else await showFailure(app, error);
  }
}

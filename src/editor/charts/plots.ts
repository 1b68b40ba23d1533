import * as vscode from 'vscode';
import { chartView } from '../../chart/chart-view.ts';
import { type ChartView, SHOW_READING } from '../../chart/types.ts';
import { lastPoints, fromPoints, toPoints } from '../../reading/points.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { sessionOf } from '../connection/connection.ts';
import { setting, touches } from '../connection/settings.ts';
import { openSettled, seriesAsBefore } from '../files/choose-series.ts';
import { fileNameOf, openAsBefore } from '../files/document.ts';
import { followSeries, sourceOf } from '../files/series-file.ts';
import { forecastSeries, forecastStoredSeries, storedLabel } from '../forecast/forecast.ts';
import { remarksOf } from '../forecast/forecaster.ts';
import { COMMANDS, PLOT_VIEW_TYPE } from '../names.ts';
import { Cancelled, showFileFailure } from '../ui/say.ts';
import { type Exported, exportIntents } from '../views/chart/export.ts';
import { type ChartState, EMPTY, Plot, SeriesIntent } from '../views/chart/protocol.ts';
import { failedStatus, RETRY, showReading } from '../views/chart/state.ts';
import { type HostServices, Page, PageHost } from '../views/shared/page-host.ts';
import type { Handlers } from '../views/shared/protocol.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';

export abstract class SeriesPage<R> extends Page<ChartState<R>, SeriesIntent> {
  #exported: Exported | undefined;
  readonly intents: Handlers<SeriesIntent>;

  protected constructor(app: App, { ref, title }: Pick<ChartState<R>, 'ref' | 'title'>, changed: () => void) {
    super(app, changed, { ...EMPTY, ref, title, standing: { title, status: { kind: 'loading' } } });
    this.disposables.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (touches(event, 'timeZone')) this.load();
      }),
    );
    this.intents = {
      ...exportIntents(
        app,
        () => this.#exported,
        (work) => this.start(work),
      ),
      action: ({ id }) => this.start(() => this.act(id)),
    };
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

const FORECAST = 'forecast';

class PlotPage extends SeriesPage<Plot> {
  #file: vscode.Disposable | undefined;

  constructor(app: App, plot: Plot, changed: () => void) {
    super(app, { ref: plot, title: vscode.l10n.t('Series: {0}', plot.label) }, changed);
    this.load();
  }

  override dispose(): void {
    super.dispose();
    this.#file?.dispose();
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
    this.#file?.dispose();
    this.#file = followSeries(app.files, source, { onChange: () => this.load() });
    return { chart: chartOf(plot, series), source };
  }

  protected override act(id: string): unknown {
    const { ref } = this.state;
    if (id === RETRY) this.load();
    if (id === FORECAST) return forecastPlot(this.app, ref);
    if (id !== SHOW_READING || ref.kind !== 'file') return undefined;
    return vscode.commands.executeCommand(COMMANDS.showReading, vscode.Uri.parse(ref.uri));
  }
}

export const plotPages = (app: () => App, services: HostServices) =>
  new PageHost(
    {
      viewType: PLOT_VIEW_TYPE,
      bundle: 'webview',
      ref: Plot,
      intent: SeriesIntent,
      make: (ref: Plot, changed: () => void) => new PlotPage(app(), ref, changed),
    },
    services,
  );

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
  const context = { label, remarks: remarksOf(series), holidays, fileZone, valueLabel, timeZone: setting('timeZone') };
  const points = toPoints(lastPoints(series)).map(({ timestamp, value, metadata }) => ({
    timestamp,
    value: typeof value === 'number' ? value : undefined,
    metadata: metadata ?? undefined,
  }));
  const item = { id: label, status: 'PLOTTED', input_series: points, details: { gaps: gaps + holidays } };
  const { remarks, ...chart } = chartView(item, context);
  return {
    ...chart,
    // the actions of remarks forecast again, and there is no forecast yet
    ...(remarks ? { remarks: remarks.map(({ text, lines }) => ({ text, lines })) } : {}),
    ...(kind === 'file' ? { reading: [showReading()] } : {}),
    actions: [{ id: FORECAST, label: vscode.l10n.t('Forecast') }],
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

/** More charts at once would fill the editor. */
const MOST_PLOTS = 4;

export async function plotFiles(app: App, uris: readonly vscode.Uri[]): Promise<void> {
  const title = vscode.l10n.t('Plot Series');
  let opened = 0;
  for (const uri of uris) {
    try {
      const settled = await openSettled(app, uri, title, { missing: 'treat-as-missing' });
      const { fileName, document } = settled;
      for (const { id: series, name } of await seriesAsBefore(app, settled, title, 'plot')) {
        const label = document.series.length === 1 ? fileName : `${fileName} · ${name}`;
        if (opened++ < MOST_PLOTS) app.plots.open({ kind: 'file', uri: settled.uri.toString(), series, label });
      }
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      await showFileFailure(app, uri, error);
    }
  }
}

export function plotStored(app: App, { id: seriesId, item, serviceId }: ResourceNode & { kind: 'series' }): void {
  const plot = { kind: 'stored', serviceId, seriesId, label: storedLabel(seriesId, item.name) } as const;
  app.plots.open(plot, undefined, { preserveFocus: true });
}

import * as vscode from 'vscode';
import { chartView } from '../../chart/chart-view.ts';
import type { ChartView } from '../../chart/types.ts';
import { ServiceError } from '../../client/errors.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { fromPoints, toPoints } from '../../reading/points.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { setting } from '../connection/settings.ts';
import { chooseSeries, rememberChoice, seriesAsBefore, settleLayout } from '../files/choose-series.ts';
import { fileNameOf, openAsBefore, type OpenedDocument } from '../files/document.ts';
import { Cancelled, showFailure, showFileFailure } from '../ui/failure.ts';
import { alone } from '../ui/steps.ts';
import { FORECAST, type Plotted, type PlotServices } from '../views/chart/plot-panel.ts';
import type { Plot } from '../views/chart/plot.ts';
import type { ResourceNode } from '../views/tree/node.ts';
import { forecastSeries } from './forecast-series.ts';
import { remarksOf, sourceOf } from './provenance.ts';
import { forecastStoredSeries } from './stored.ts';

/** More charts than this at once would bury the editor. */
const MOST_CHARTS = 4;

/**
 * Plots series of files, without a forecast; asked which only where there are several. Cells that are no numbers are gaps,
 * which the head of the chart tells with links to them.
 */
export async function plotFiles(app: App, uris: readonly vscode.Uri[]): Promise<void> {
  const title = vscode.l10n.t('Plot Series');
  let opened = 0;
  for (const uri of uris) {
    try {
      const before = await openAsBefore(app, uri, 'treat-as-missing');
      const settled = await settleLayout(app, before.opened, title);
      const series =
        seriesAsBefore(settled, before.chosen) ?? (await chooseSeries(settled, alone(title), 'plot', before.chosen));
      await rememberChoice(app, settled, series);
      for (const one of series) {
        if (opened++ < MOST_CHARTS) app.plots.open(plotOfFile(settled, one));
      }
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      await showFileFailure(app, uri, error);
    }
  }
}

function plotOfFile({ uri, fileName, document }: OpenedDocument, { id, name }: ReadSeries): Plot {
  const label = document.series.length === 1 ? fileName : `${fileName} · ${name}`;
  return { kind: 'file', uri: uri.toString(), series: id, label };
}

/** Plots a series that a service has stored; the focus stays in the view. */
export function plotStored(app: App, { id, item, serviceId }: ResourceNode & { kind: 'series' }): void {
  const label = item.name ?? vscode.l10n.t('Series {0}', id.slice(-6));
  app.plots.open({ kind: 'stored', serviceId, seriesId: id, label }, true);
}

/** What the pages of plots need of the extension. */
export function plotDeeds(app: () => App): Pick<PlotServices, 'load' | 'forecast'> {
  return {
    load: (plot, signal) => load(app(), plot, signal),
    forecast: async (plot) => {
      try {
        await forecastPlot(app(), plot);
      } catch (error) {
        if (plot.kind === 'file') await showFileFailure(app(), vscode.Uri.parse(plot.uri), error);
        else await showFailure(app(), error);
      }
    },
  };
}

async function load(app: App, plot: Plot, signal: AbortSignal): Promise<Plotted> {
  if (plot.kind === 'file') {
    const { opened, series } = await readPlotted(app, plot, signal);
    return { chart: chartOf(plot, series), source: sourceOf(opened, series) };
  }
  const session = app.connection.session(plot.serviceId);
  if (!session) {
    const where = vscode.l10n.t('This series is from {0}, which is not set up any more.', plot.serviceId);
    throw new ServiceError('not-found', where);
  }
  const { series = [] } = await session.client.getSeries(plot.seriesId, signal);
  return { chart: chartOf(plot, fromPoints(series, plot.label)) };
}

function chartOf({ label }: Plot, series: ReadSeries): ChartView {
  const { timeZone: fileZone, holidays, gaps, valueColumn: valueLabel = series.name } = series;
  const context = { label, remarks: remarksOf(series), holidays, fileZone, valueLabel, timeZone: setting('timeZone') };
  const item = { id: label, status: 'PLOTTED', input_series: pointsOf(series), details: { gaps: gaps + holidays } };
  const { remarks, ...chart } = chartView(item, context);
  // what would forecast anew is no way out of a remark here
  const told = remarks?.map(({ text, lines }) => ({ text, lines }));
  return {
    ...chart,
    ...(told ? { remarks: told } : {}),
    actions: [{ id: FORECAST, label: vscode.l10n.t('Forecast') }],
  };
}

const pointsOf = (series: ReadSeries): SeriesPoint[] =>
  toPoints(lastPoints(series)).map(({ timestamp, value, metadata }) => ({
    timestamp,
    value: typeof value === 'number' ? value : undefined,
    metadata: metadata ?? undefined,
  }));

/** @throws SeriesError where the file does not have the series any more */
async function readPlotted(app: App, plot: Plot & { kind: 'file' }, signal?: AbortSignal) {
  const uri = vscode.Uri.parse(plot.uri);
  const { opened } = await openAsBefore(app, uri, 'treat-as-missing', signal);
  const series = opened.document.series.find(({ id }) => id === plot.series);
  if (series) return { opened, series };
  const sentence = vscode.l10n.t('{0} does not have the series {1} any more.', fileNameOf(uri), plot.series);
  throw new SeriesError('no-numbers', sentence);
}

async function forecastPlot(app: App, plot: Plot): Promise<void> {
  if (plot.kind === 'stored') {
    const { client } = await app.connection.ready();
    const item = await client.getSeries(plot.seriesId);
    await forecastStoredSeries(app, { id: plot.seriesId, item: { ...item, name: plot.label } });
    return;
  }
  const { opened, series } = await readPlotted(app, plot);
  await forecastSeries(app, opened, [series], { change: {}, show: { opened: 0 } });
}

import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { openSettled, seriesAsBefore } from '../files/choose-series.ts';
import { Cancelled, showFileFailure } from '../ui/failure.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';
import { storedLabel } from './forecast.ts';

/** More charts than this at once would bury the editor. */
const MOST_CHARTS = 4;

/**
 * Plots series of files without a forecast, and asks which only if there are several. Cells that are not numbers become
 * gaps, which the chart's header links to.
 */
export async function plotFiles(app: App, uris: readonly vscode.Uri[]): Promise<void> {
  const title = vscode.l10n.t('Plot Series');
  let opened = 0;
  for (const uri of uris) {
    try {
      const settled = await openSettled(app, uri, title, { missing: 'treat-as-missing' });
      const chosen = await seriesAsBefore(app, settled, title, 'plot');
      const { fileName, document } = settled;
      for (const { id: series, name } of chosen) {
        const label = document.series.length === 1 ? fileName : `${fileName} · ${name}`;
        if (opened++ < MOST_CHARTS) app.plots.open({ kind: 'file', uri: settled.uri.toString(), series, label });
      }
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      await showFileFailure(app, uri, error);
    }
  }
}

/** Plots a series that a service has stored; the focus stays in the view. */
export function plotStored(app: App, { id: seriesId, item, serviceId }: ResourceNode & { kind: 'series' }): void {
  const plot = { kind: 'stored', serviceId, seriesId, label: storedLabel(seriesId, item.name) } as const;
  app.plots.open(plot, undefined, { preserveFocus: true });
}

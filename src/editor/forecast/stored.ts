import * as vscode from 'vscode';
import { isPassing } from '../../client/errors.ts';
import type { App } from '../app.ts';
import { modelWay } from '../request/pick-model.ts';
import { showFailure } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import type { ResourceNode } from '../views/tree/node.ts';
import { makeForecast } from './forecaster.ts';

/** Forecasts a series that the service has stored. */
export async function forecastStoredSeries(
  app: App,
  node: Pick<ResourceNode & { kind: 'series' }, 'id' | 'item'>,
): Promise<void> {
  const { id, item } = node;
  const label = item.name ?? vscode.l10n.t('Series {0}', id.slice(-6));
  const wanted = { source: { kind: 'stored', id, label }, change: { isAnew: true }, show: { opened: 0 } } as const;
  try {
    await withPatience(vscode.l10n.t('Forecasting {0}', label), (signal) => makeForecast(app, wanted, signal));
  } catch (error) {
    const again = () => forecastStoredSeries(app, node);
    const way = isPassing(error) ? { label: vscode.l10n.t('Try Again'), go: again } : modelWay(app, error, again);
    await showFailure(app, error, ...(way ? [way] : []));
  }
}

import * as vscode from 'vscode';
import { chosenPrediction, isRun, linked } from './arguments.ts';
import type { App } from './app.ts';
import { targets } from './files/document.ts';
import { plotStored } from './forecast/plot.ts';
import { browseDataset, openRun } from './many-series/forecast-all.ts';
import { FORECAST_EDITOR } from './names.ts';
import { isUsable } from './views/tree/kinds.ts';

/**
 * Opens what a row, a link or a file stands for: the chart of a prediction, the page of a model, the forecasts of a dataset, the
 * plot of a series, a forecast file as its chart; else the chart of a prediction that the person chooses.
 */
export async function open(app: App, argument: unknown): Promise<void> {
  if (argument instanceof vscode.Uri) {
    const [file] = targets(argument, undefined);
    if (file) await vscode.commands.executeCommand('vscode.openWith', file, FORECAST_EDITOR);
    return;
  }
  if (isRun(argument)) return openRun(app, argument);
  const node = linked(app, argument);
  switch (node?.kind) {
    case 'prediction':
      // the focus stays in the view, so that the next key is for its row
      app.panels.open({ serviceId: node.serviceId, predictionId: node.id }, node.item, { preserveFocus: true });
      return;
    case 'fineTunedModel':
      app.modelPages.show(node.serviceId, node.item, isUsable(node));
      return;
    case 'dataset':
      await browseDataset(app, node);
      return;
    case 'series':
      plotStored(app, node);
      return;
    case 'baseModel':
    case 'key':
      return;
    case undefined:
      app.panels.open(await chosenPrediction(app, undefined, vscode.l10n.t('Open Chart')));
  }
}

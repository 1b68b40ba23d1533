import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { FORECAST_EDITOR } from '../names.ts';
import { targets } from '../files/document.ts';
import { saveForecastFile } from './save.ts';
import { chosenPrediction, type Handlers } from '../arguments.ts';

/** The commands of this folder. */
export const forecastFileCommands = (app: App) =>
  ({
    saveForecastFile: async (node) =>
      saveForecastFile(app, await chosenPrediction(app, node, vscode.l10n.t('Save as Forecast File'))),
    runAgain: () => app.forecastFiles.runActive(),
    showAsChart: async (uri) => {
      const [file] = targets(uri, undefined);
      if (file) await vscode.commands.executeCommand('vscode.openWith', file, FORECAST_EDITOR);
    },
  }) satisfies Handlers;
